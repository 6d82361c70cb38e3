//! Draws destinations, with the probabilities of the draws.

use std::sync::Arc;

use super::locality::ByDistance;
use super::weights::ByWeight;
use super::{Destinations, share_of_draws};
use crate::ids::NodeId;
use crate::random::Stream;
use crate::topology::Network;
use crate::traffic::NodeRates;

/// Draws destinations in a network. Clones share their tables.
#[derive(Clone, Debug)]
pub struct DestinationDraw {
    nodes: u32,
    /// True if a source draws itself as any other node.
    to_itself: bool,
    pattern: Pattern,
    rates: NodeRates,
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
    /// The only destination of every node.
    Image(Arc<[NodeId]>),
    Locality(Arc<ByDistance>),
    Weights(Arc<ByWeight>),
}

impl DestinationDraw {
    /// Prepares draws of all terminals (at least 2) of a network for which the pattern is defined
    /// ([`Destinations::check`]).
    pub fn new(destinations: &Destinations, network: &Network) -> Self {
        Self::among(destinations, None, false, network)
    }

    /// Prepares draws as [`Self::new`] if only these nodes send, or all, and if nodes send to themselves
    /// or not.
    pub fn among(
        destinations: &Destinations,
        senders: Option<&[NodeId]>,
        to_itself: bool,
        network: &Network,
    ) -> Self {
        let nodes = network.nodes() as u32;
        assert!(nodes >= 2, "a checked network has two terminals");
        let rates = NodeRates::of(destinations, senders, to_itself, network);
        let pattern = match *destinations {
            Destinations::Uniform => Pattern::Uniform,
            Destinations::Hotspot { nodes: ref hot, percent } => {
                Pattern::Hotspot { hot: hot.clone(), percent, threshold: share_of_draws(percent) }
            }
            Destinations::Permutation(permutation) => {
                let image = |node| permutation.image_on(NodeId(node), network);
                Pattern::Image((0..nodes).map(image).collect())
            }
            Destinations::Offset(ref offset) => {
                let images = offset.images(network).expect("a checked pattern is defined");
                Pattern::Image(images.into())
            }
            Destinations::Local(locality) => {
                Pattern::Locality(Arc::new(ByDistance::new(locality, network)))
            }
            Destinations::Weighted(ref weights) => {
                Pattern::Weights(Arc::new(ByWeight::new(weights, network.nodes())))
            }
        };
        Self { nodes, to_itself, pattern, rates }
    }

    /// The rates of the nodes.
    pub fn rates(&self) -> &NodeRates {
        &self.rates
    }

    /// True if a node sends messages.
    #[inline]
    pub fn sends(&self, node: NodeId) -> bool {
        self.rates.at(node) > 0.0
    }

    /// Draws the destination of the next message of `source`, a node that [sends](Self::sends).
    #[inline]
    pub fn draw(&self, source: NodeId, stream: &mut Stream) -> NodeId {
        if let Pattern::Uniform = self.pattern {
            return self.draw_any(source, stream);
        }
        self.draw_by_pattern(source, stream)
    }

    /// The number of nodes among which a source draws.
    #[inline]
    fn choices(&self) -> u32 {
        self.nodes - u32::from(!self.to_itself)
    }

    fn draw_any(&self, source: NodeId, stream: &mut Stream) -> NodeId {
        let drawn = stream.below(self.choices());
        NodeId(drawn + u32::from(drawn >= source.0 && !self.to_itself))
    }

    fn draw_by_pattern(&self, source: NodeId, stream: &mut Stream) -> NodeId {
        match &self.pattern {
            Pattern::Uniform => {}
            Pattern::Hotspot { hot, threshold, .. } => {
                let coin = stream.bits();
                if coin < *threshold || *threshold == u64::MAX {
                    let hot = hot[stream.below(hot.len() as u32) as usize];
                    if hot != source || self.to_itself {
                        return hot;
                    }
                }
            }
            Pattern::Image(image) => return image[source.index()],
            Pattern::Locality(locality) => return locality.draw(source, stream),
            Pattern::Weights(weights) => return weights.draw(source, stream),
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
        if !self.sends(source) {
            return row;
        }
        let mut uniform = 1.0;
        match &self.pattern {
            Pattern::Uniform => {}
            Pattern::Hotspot { hot, percent, .. } => {
                let each = percent / 100.0 / hot.len() as f64;
                for &node in hot.iter().filter(|&&node| node != source || self.to_itself) {
                    row[node.index()] = each;
                    uniform -= each;
                }
            }
            Pattern::Image(image) => {
                row[image[source.index()].index()] = 1.0;
                uniform = 0.0;
            }
            Pattern::Weights(weights) => {
                weights.shares(source).for_each(|(node, share)| row[node.index()] = share);
                uniform = 0.0;
            }
            Pattern::Locality(locality) => {
                locality.fill(source, &mut row);
                uniform = 0.0;
            }
        }
        for share in &mut row {
            *share += uniform / f64::from(self.choices());
        }
        if !self.to_itself {
            row[source.index()] = 0.0;
        }
        row
    }

    /// The nonzero entries of [`Self::probabilities`]. Takes time proportional to their number for
    /// permutations and weights.
    pub fn shares(&self, source: NodeId) -> Vec<(NodeId, f64)> {
        if let Pattern::Image(_) | Pattern::Weights(_) = self.pattern {
            return self.uneven(source);
        }
        let row = self.probabilities(source).into_iter().enumerate();
        let nodes = row.map(|(node, share)| (NodeId::new(node), share));
        nodes.filter(|&(_, share)| share > 0.0).collect()
    }

    /// The share of every sender's messages distributed evenly over all other nodes.
    /// [`Self::uneven`] has the rest.
    pub fn even(&self) -> f64 {
        self.uniform() * f64::from(self.nodes - 1) / f64::from(self.choices())
    }

    /// The share of every sender's messages distributed evenly, also to the sender if nodes send to
    /// themselves.
    fn uniform(&self) -> f64 {
        match &self.pattern {
            Pattern::Uniform => 1.0,
            Pattern::Hotspot { percent, .. } => 1.0 - percent / 100.0,
            Pattern::Image(_) | Pattern::Locality(_) | Pattern::Weights(_) => 0.0,
        }
    }

    /// The probability of each destination of a message of `source`, without the messages
    /// distributed [evenly](Self::even).
    pub fn uneven(&self, source: NodeId) -> Vec<(NodeId, f64)> {
        if !self.sends(source) {
            return Vec::new();
        }
        let of_itself = self.uniform() - self.even();
        let itself = (of_itself > 0.0).then_some((source, of_itself));
        match &self.pattern {
            Pattern::Uniform => itself.into_iter().collect(),
            Pattern::Hotspot { hot, percent, .. } if self.to_itself => {
                let each = percent / 100.0 / hot.len() as f64;
                hot.iter().map(|&node| (node, each)).chain(itself).collect()
            }
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
            Pattern::Image(image) => vec![(image[source.index()], 1.0)],
            Pattern::Weights(weights) => weights.shares(source).collect(),
            Pattern::Locality(_) => self.shares(source),
        }
    }
}
