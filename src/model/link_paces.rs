//! Delays and rates of links that the equations of a model know.

use crate::topology::Network;

/// Reason for refusing a network with paced links.
pub(super) const PACED_LINKS: &str =
    "its channels are all equal, and here links have their own delays or rates";
/// Reason for refusing a network with slow links.
const SLOW_LINKS: &str = "its channels pass a flit per cycle, and here links have their own rates";

/// The links of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkPaces {
    /// All links are equal.
    Equal,
    /// Each link has a delay.
    Delays,
    /// Each link has a delay and a rate.
    DelaysAndRates,
}

impl LinkPaces {
    /// The reason why a network has other links.
    pub(super) fn uncovered(self, network: &Network) -> Option<&'static str> {
        match self {
            Self::Equal => network.has_paced_links().then_some(PACED_LINKS),
            Self::Delays => network.has_slow_links().then_some(SLOW_LINKS),
            Self::DelaysAndRates => None,
        }
    }
}
