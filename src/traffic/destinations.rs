//! Destinations of messages.
//!
//! No message is sent to its own source. Draws compare integers, or use only additions and products
//! of `f64`, so results are the same on every machine.

mod locality;
mod permutation;

use std::sync::Arc;

use crate::ids::NodeId;
use crate::random::Stream;
use crate::text::count;
use crate::topology::Network;
use crate::words::{Misfit, Words, spaced};

use locality::ByDistance;
pub use locality::{LOCALITY_NODES_MAX, Locality};
pub use permutation::Permutation;

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
        /// that draws itself sends uniformly instead.
        percent: f64,
    },
    /// Every node sends only to its image; a node that is its own image sends nothing.
    #[serde(untagged)]
    Permutation(Permutation),
    /// The probability depends on the distance; all nodes at the same distance, or on the same side
    /// of a sphere, are equally likely.
    #[serde(untagged)]
    Local(Locality),
}

impl Destinations {
    /// Checks that the pattern is defined on a network of this shape. (Hot nodes must also be nodes
    /// of the network, and percentages and ratios within their limits.)
    pub fn check(&self, network: &Network) -> Result<(), Misfit> {
        match *self {
            Self::Uniform | Self::Hotspot { .. } => Ok(()),
            Self::Permutation(permutation) => permutation.check(network),
            Self::Local(locality) => locality.check(network),
        }
    }

    /// The number of terminals in a network that send messages.
    pub fn senders(&self, network: &Network) -> usize {
        match self {
            Self::Permutation(permutation) => permutation.senders(network),
            Self::Uniform | Self::Hotspot { .. } | Self::Local(_) => network.nodes(),
        }
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
            Self::Local(Locality::Sphere { radius, percent }) => {
                format!("{percent} % within {}", count(*radius as usize, "hop", "hops"))
            }
            Self::Local(Locality::Decreasing { ratio }) => format!("falling by {ratio} per hop"),
        }
    }
}

/// Draws destinations in a network. Clones share their tables.
#[derive(Clone, Debug)]
pub struct DestinationDraw {
    nodes: u32,
    pattern: Pattern,
}

#[derive(Clone, Debug)]
enum Pattern {
    Uniform,
    Hotspot {
        hot: Vec<NodeId>,
        percent: f64,
        /// Draws below this value, out of 2⁶⁴, select a hot node.
        threshold: u64,
    },
    Permutation(Arc<[NodeId]>),
    Locality(Arc<ByDistance>),
}

impl DestinationDraw {
    /// Prepares draws among the terminals (at least 2) of a network for which the pattern is
    /// defined ([`Destinations::check`]).
    pub fn new(destinations: &Destinations, network: &Network) -> Self {
        let nodes = network.nodes() as u32;
        assert!(nodes >= 2, "a checked network has two terminals");
        let pattern = match *destinations {
            Destinations::Uniform => Pattern::Uniform,
            Destinations::Hotspot { nodes: ref hot, percent } => {
                Pattern::Hotspot { hot: hot.clone(), percent, threshold: share_of_draws(percent) }
            }
            Destinations::Permutation(permutation) => {
                let image = |node| permutation.image_on(NodeId(node), network);
                Pattern::Permutation((0..nodes).map(image).collect())
            }
            Destinations::Local(locality) => {
                Pattern::Locality(Arc::new(ByDistance::new(locality, network)))
            }
        };
        Self { nodes, pattern }
    }

    /// True if a node sends messages.
    #[inline]
    pub fn sends(&self, node: NodeId) -> bool {
        match &self.pattern {
            Pattern::Permutation(image) => image[node.index()] != node,
            Pattern::Uniform | Pattern::Hotspot { .. } | Pattern::Locality(_) => true,
        }
    }

    /// Draws the destination of the next message of `source`, a node that [sends](Self::sends).
    #[inline]
    pub fn draw(&self, source: NodeId, stream: &mut Stream) -> NodeId {
        if let Pattern::Uniform = self.pattern {
            return self.draw_any(source, stream);
        }
        self.draw_by_pattern(source, stream)
    }

    fn draw_any(&self, source: NodeId, stream: &mut Stream) -> NodeId {
        let other = stream.below(self.nodes - 1);
        NodeId(other + u32::from(other >= source.0))
    }

    fn draw_by_pattern(&self, source: NodeId, stream: &mut Stream) -> NodeId {
        match &self.pattern {
            Pattern::Uniform => {}
            Pattern::Hotspot { hot, threshold, .. } => {
                let coin = stream.bits();
                if coin < *threshold || *threshold == u64::MAX {
                    let hot = hot[stream.below(hot.len() as u32) as usize];
                    if hot != source {
                        return hot;
                    }
                }
            }
            Pattern::Permutation(image) => return image[source.index()],
            Pattern::Locality(locality) => return locality.draw(source, stream),
        }
        self.draw_any(source, stream)
    }

    /// The probability that a message of `source` is sent to `destination`; 0 for a node that sends
    /// nothing. With locality as costly as [`Self::probabilities`].
    pub fn probability(&self, source: NodeId, destination: NodeId) -> f64 {
        self.probabilities(source)[destination.index()]
    }

    /// The probability of every destination of a message of `source`. The sum is 1, or 0 if the
    /// node sends nothing. Takes time proportional to the number of nodes.
    pub fn probabilities(&self, source: NodeId) -> Vec<f64> {
        let mut row = vec![0.0; self.nodes as usize];
        let mut uniform = 1.0;
        match &self.pattern {
            Pattern::Uniform => {}
            Pattern::Hotspot { hot, percent, .. } => {
                let each = percent / 100.0 / hot.len() as f64;
                for &node in hot.iter().filter(|&&node| node != source) {
                    row[node.index()] = each;
                    uniform -= each;
                }
            }
            Pattern::Permutation(image) => {
                row[image[source.index()].index()] = 1.0;
                uniform = 0.0;
            }
            Pattern::Locality(locality) => {
                locality.fill(source, &mut row);
                uniform = 0.0;
            }
        }
        for share in &mut row {
            *share += uniform / f64::from(self.nodes - 1);
        }
        row[source.index()] = 0.0;
        row
    }
}

impl DestinationDraw {
    /// The nonzero entries of [`Self::probabilities`]. Takes constant time for permutations.
    pub fn shares(&self, source: NodeId) -> Vec<(NodeId, f64)> {
        if let Pattern::Permutation(_) = self.pattern {
            return self.uneven(source);
        }
        let row = self.probabilities(source).into_iter().enumerate();
        let nodes = row.map(|(node, share)| (NodeId::new(node), share));
        nodes.filter(|&(_, share)| share > 0.0).collect()
    }

    /// The share of every source's messages distributed evenly over all other nodes.
    /// [`Self::uneven`] has the rest.
    pub fn even(&self) -> f64 {
        match &self.pattern {
            Pattern::Uniform => 1.0,
            Pattern::Hotspot { percent, .. } => 1.0 - percent / 100.0,
            Pattern::Permutation(_) | Pattern::Locality(_) => 0.0,
        }
    }

    /// The probability of each destination of a message of `source`, without the messages
    /// distributed [evenly](Self::even).
    pub fn uneven(&self, source: NodeId) -> Vec<(NodeId, f64)> {
        match &self.pattern {
            Pattern::Uniform => Vec::new(),
            Pattern::Hotspot { hot, percent, .. } => {
                let each = percent / 100.0 / hot.len() as f64;
                let others = hot.iter().filter(|&&node| node != source);
                let mut found: Vec<_> = others.map(|&node| (node, each)).collect();
                if found.len() < hot.len() {
                    // Messages of a hot node to itself are distributed evenly.
                    let all = (0..self.nodes).map(NodeId).filter(|&node| node != source);
                    found.extend(all.map(|node| (node, each / f64::from(self.nodes - 1))));
                }
                found
            }
            Pattern::Permutation(image) => match image[source.index()] {
                same if same == source => Vec::new(),
                node => vec![(node, 1.0)],
            },
            Pattern::Locality(_) => self.shares(source),
        }
    }
}

/// The given percentage of 2⁶⁴ draws. Saturates at 100 %, because 2⁶⁴ does not fit.
fn share_of_draws(percent: f64) -> u64 {
    (percent / 100.0 * 18_446_744_073_709_551_616.0) as u64
}

#[cfg(test)]
mod tests;
