//! Minimal routing on any graph: every shortest route, with a class that rises along the route.
//!
//! If the class rises with every hop, no cycle of dependencies can close (K. Gunther 1981). If the
//! class rises with the links of a kind only, such as the global links of a dragonfly, the routes
//! are free of deadlock if the other links within a class have no cycle of dependencies. Adaptive
//! circuits need no classes.

use std::sync::Arc;

use crate::routing::algorithm::prelude::*;
use crate::routing::distances::{Distances, NEAR_MAX, ROUTERS_MAX};

words! {
    /// The links that raise the class of VCs of a message.
    #[derive(Eq)]
    pub enum Rising {
        /// Every link.
        Hops,
        /// Links of this kind.
        Kind(u8 = "Kind(1)", Kind::whole("the kind of a link", 0, u8::MAX as u32)),
        /// No link: deadlock is possible, except with circuits.
        None,
    }
}

/// Minimal routing.
#[derive(Clone, Copy, Debug)]
pub struct Minimal {
    /// The links that raise the class.
    pub classes: Rising,
}

impl Algorithm for Minimal {
    const NAME: &'static str = "minimal";
    const HELP: &'static str = "Takes any link that leads closer, on any network; the class rises \
                                along the route.";
    const CHOOSES: bool = true;
    const READS_ARRIVAL: bool = true;

    fn name(&self) -> &'static str {
        match self.classes {
            Rising::Hops => Self::NAME,
            Rising::Kind(_) => "minimal, classes by kind",
            Rising::None => "minimal, no classes",
        }
    }

    fn on(&self, network: &Network) -> Result<Option<OnNetwork>, Misfit> {
        let Some(distances) = Distances::new(network) else {
            let what = format!(
                "{} lists distances for at most {ROUTERS_MAX} routers, of which many may be at most {NEAR_MAX} \
                 hops apart, and this network has {} routers",
                Self::NAME,
                network.routers()
            );
            return Misfit::because(what, "make the network smaller");
        };
        Ok(Some(Arc::new(Closer { classes: self.classes, distances })))
    }
}

/// The rule on a network.
#[derive(Debug)]
struct Closer {
    classes: Rising,
    distances: Distances,
}

impl Algorithm for Closer {
    const NAME: &'static str = Minimal::NAME;
    const HELP: &'static str = Minimal::HELP;
    const CHOOSES: bool = true;
    const READS_SOURCE: bool = false;
    const READS_ARRIVAL: bool = true;

    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        Ok(match self.classes {
            Rising::Hops => Needs::new(
                self.distances.longest().into(),
                "one class for each hop of the longest route",
            ),
            Rising::Kind(kind) => Needs::new(
                u32::from(self.distances.most_of_kind(network, kind)) + 1,
                "one class more than a shortest route has links of the kind",
            ),
            Rising::None => Needs::ONE,
        })
    }

    fn reads_arrival(&self) -> bool {
        self.classes != Rising::None
    }

    fn candidates(&self, step: Step<'_>) {
        let (on, to) = (step.on, step.header.destination);
        let left = self.distances.between(step.at, to);
        let class = step.came.map(|came| on.class_of(came.vc()));
        for &channel in step.network().outputs(step.at) {
            let link = step.network().channel(channel);
            let rises = match self.classes {
                Rising::Hops => class.is_some(),
                Rising::Kind(kind) => link.attributes.kind == kind,
                Rising::None => false,
            };
            if left > 0 && self.distances.between(link.to, to) + 1 == left {
                let class = class.unwrap_or_default() + usize::from(rises);
                step.found.push(Candidate { channel, vcs: on.class_vcs[class] });
            }
        }
    }
}
