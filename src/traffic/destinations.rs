//! Destinations of messages.
//!
//! No message is sent to its own source, unless the traffic permits it. Draws compare integers, or use
//! only additions and products of `f64`, so results are the same on every machine.

mod draw;
mod locality;
mod offset;
mod permutation;
mod weights;

use crate::ids::NodeId;
use crate::text::count;
use crate::topology::Network;
use crate::words::{Misfit, Words, spaced};

pub use draw::DestinationDraw;
pub use locality::{LOCALITY_NODES_MAX, Locality};
pub use offset::Offset;
pub use permutation::Permutation;
pub use weights::{Form, WEIGHTS_MAX, Weight, Weights};

/// The distribution of destinations.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub enum Destinations {
    /// All other nodes with equal probability.
    Uniform,
    /// A share of the messages is sent to hot nodes, the rest uniformly to the other nodes.
    Hotspot {
        /// The hot nodes, which share the percentage equally. Not empty, without duplicates.
        nodes: Vec<NodeId>,
        /// Percentage of all messages sent to hot nodes deliberately, above 0 to 100. A hot node
        /// that draws itself sends uniformly instead, unless nodes send to themselves.
        percent: f64,
    },
    /// Every node sends only to the node a fixed distance ahead in coordinates.
    Offset(Offset),
    /// Every node sends only to its image; a node that is its own image sends nothing, unless nodes
    /// send to themselves.
    #[serde(untagged)]
    Permutation(Permutation),
    /// The probability depends on the distance; all nodes at the same distance, or on the same side
    /// of a sphere, are equally likely.
    #[serde(untagged)]
    Local(Locality),
    /// Rates and destinations of every node follow from weights.
    #[serde(untagged)]
    Weighted(Weights),
}

impl Destinations {
    /// Checks that the pattern is defined on a network of this shape. (Nodes must also be nodes
    /// of the network, and percentages and ratios within their limits.)
    pub fn check(&self, network: &Network) -> Result<(), Misfit> {
        match self {
            Self::Uniform | Self::Hotspot { .. } | Self::Weighted(_) => Ok(()),
            Self::Permutation(permutation) => permutation.check(network),
            Self::Offset(offset) => offset.images(network).map(|_| ()),
            Self::Local(locality) => locality.check(network),
        }
    }

    /// True if some node can draw itself, where the traffic permits it.
    pub fn include_source(&self) -> bool {
        match self {
            Self::Uniform | Self::Hotspot { .. } | Self::Permutation(_) | Self::Weighted(_) => true,
            Self::Offset(_) | Self::Local(_) => false,
        }
    }

    /// Messages of each node in proportion to those of others, if nodes send to themselves or not;
    /// `None` if all send the same number.
    pub(super) fn amounts(&self, to_itself: bool, network: &Network) -> Option<Vec<f64>> {
        match self {
            Self::Uniform | Self::Hotspot { .. } | Self::Local(_) | Self::Offset(_) => None,
            Self::Permutation(_) if to_itself => None,
            Self::Permutation(permutation) => {
                let sends = |node| permutation.image_on(node, network) != node;
                let nodes = (0..network.nodes()).map(NodeId::new);
                Some(nodes.map(|node| f64::from(u8::from(sends(node)))).collect())
            }
            Self::Weighted(weights) => Some(weights.sums(network.nodes())),
        }
    }

    /// The hot nodes with their percentage, if any.
    pub fn hotspot(&self) -> Option<(&[NodeId], f64)> {
        if let Self::Hotspot { nodes, percent } = self { Some((nodes, *percent)) } else { None }
    }

    /// The percentage of messages to hot nodes, or within a sphere.
    pub fn percent(&self) -> Option<f64> {
        match *self {
            Self::Hotspot { percent, .. } | Self::Local(Locality::Sphere { percent, .. }) => {
                Some(percent)
            }
            Self::Uniform
            | Self::Permutation(_)
            | Self::Offset(_)
            | Self::Local(Locality::Decreasing { .. })
            | Self::Weighted(_) => None,
        }
    }

    /// True if probabilities depend on the distance.
    pub fn depend_on_distance(&self) -> bool {
        matches!(self, Self::Local(_))
    }

    /// The mean sum of the weights of a node with weights in a matrix: messages per cycle, if no
    /// rate is given.
    pub fn rate_mean(&self) -> Option<f64> {
        if let Self::Weighted(weights) = self { weights.rate_mean() } else { None }
    }

    /// Display name of the pattern: `transpose`, `4 % to a hot node`.
    pub fn name(&self) -> String {
        match self {
            Self::Uniform => "uniform".into(),
            Self::Hotspot { nodes, percent } => match nodes.len() {
                1 => format!("{percent} % to a hot node"),
                many => format!("{percent} % to {many} hot nodes"),
            },
            Self::Permutation(permutation) => spaced(permutation.word()),
            Self::Offset(offset) => offset.name(),
            Self::Local(Locality::Sphere { radius, percent }) => {
                format!("{percent} % within {}", count(*radius as usize, "hop", "hops"))
            }
            Self::Local(Locality::Decreasing { ratio }) => format!("falling by {ratio} per hop"),
            Self::Weighted(weights) => weights.name(),
        }
    }
}

/// The given percentage of 2⁶⁴ draws. Saturates at 100 %, because 2⁶⁴ does not fit.
fn share_of_draws(percent: f64) -> u64 {
    (percent / 100.0 * 18_446_744_073_709_551_616.0) as u64
}

#[cfg(test)]
mod tests;
