//! Where messages go.
//!
//! No message goes to its own source. Draws compare integers, or use only additions and products
//! of `f64`, so they are the same on every machine.

mod locality;
mod permutation;

use std::sync::Arc;

use crate::ids::NodeId;
use crate::random::Stream;
use crate::topology::Network;
use crate::topology::cube::Family;

pub use locality::{LOCALITY_NODES_MAX, sphere_radius_max};
use locality::{Locality, Rule};
pub use permutation::Permutation;

/// The distribution of destinations.
#[derive(Clone, PartialEq, Debug)]
pub enum Destinations {
    /// Every other node with the same probability.
    Uniform,
    /// A share of the messages goes to hot nodes, the rest is uniform over the other nodes.
    Hotspot {
        /// The hot nodes; they share the percentage equally. Not empty, no node twice.
        nodes: Vec<NodeId>,
        /// Per cent of all messages that are sent to hot nodes on purpose, above 0 to 100. A hot
        /// node's own draw that would meet itself is uniform instead.
        percent: f64,
    },
    /// Every node sends to its image alone; a node that is its own image sends nothing.
    Permutation(Permutation),
    /// A share of the messages is uniform over the other nodes within a radius, the rest uniform
    /// over the nodes outside (Reed and Fujimoto 1987: the sphere of locality).
    Sphere {
        /// Hops, at least 1; [`sphere_radius_max`] at most, unless all messages stay within.
        radius: u32,
        /// Per cent of the messages that stay within, above 0 to 100.
        percent: f64,
    },
    /// The probability that a message goes d hops far is proportional to `ratio`ᵈ, over the
    /// distances at which its source has nodes; those at one distance are equally likely
    /// (Reed and Fujimoto 1987: decreasing probability).
    Decreasing {
        /// By how much the probability falls per hop: above 0, below 1.
        ratio: f64,
    },
}

/// Why a pattern is not defined on a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// What is wrong, in numbers.
    pub what: String,
    /// The smallest change that mends it.
    pub help: String,
}

impl Destinations {
    /// Whether the pattern is defined on a cube, as far as that depends on the shape (hot nodes
    /// must be nodes of the network, and percentages and ratios within their limits, besides).
    pub fn check(&self, family: Family, radix: &[u32]) -> Result<(), Undefined> {
        match *self {
            Self::Uniform | Self::Hotspot { .. } => Ok(()),
            Self::Permutation(permutation) => permutation.check(radix),
            Self::Sphere { radius, percent } => {
                locality::check(Rule::Sphere { radius, percent }, family, radix)
            }
            Self::Decreasing { ratio } => {
                locality::check(Rule::Decreasing { ratio }, family, radix)
            }
        }
    }

    /// Whether the pattern is defined among the hosts of switches (see [`Self::check`]).
    /// Permutations go by the number of the host.
    pub fn check_on(&self, network: &Network) -> Result<(), Undefined> {
        match *self {
            Self::Uniform | Self::Hotspot { .. } => Ok(()),
            Self::Permutation(Permutation::Transpose) => Err(Undefined {
                what: "`Transpose` exchanges coordinates, and hosts of switches have none".into(),
                help: "write `BitReversal`, `Shuffle` or `BitComplement`, which go by the host's \
                       number"
                    .into(),
            }),
            Self::Permutation(permutation) => permutation.check(&network.numbering()),
            Self::Sphere { radius, percent } => {
                locality::check_on(Rule::Sphere { radius, percent }, network)
            }
            Self::Decreasing { ratio } => locality::check_on(Rule::Decreasing { ratio }, network),
        }
    }

    /// How many nodes send anything, of those numbered in these radices ([`Network::numbering`]).
    pub fn senders(&self, radix: &[u32]) -> usize {
        match self {
            Self::Permutation(permutation) => permutation.senders(radix),
            _ => radix.iter().map(|&k| k as usize).product(),
        }
    }

    /// The pattern for people: `transpose`, `4 % to a hot node`.
    pub fn name(&self) -> String {
        match self {
            Self::Uniform => "uniform".into(),
            Self::Hotspot { nodes, percent } => match nodes.len() {
                1 => format!("{percent} % to a hot node"),
                many => format!("{percent} % to {many} hot nodes"),
            },
            Self::Permutation(permutation) => permutation.name().into(),
            Self::Sphere { radius: 1, percent } => format!("{percent} % within 1 hop"),
            Self::Sphere { radius, percent } => format!("{percent} % within {radius} hops"),
            Self::Decreasing { ratio } => format!("falling by {ratio} per hop"),
        }
    }
}

/// A drawer of destinations, prepared for a network. Clones share its tables.
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
        /// A draw below this is a hot one; out of 2⁶⁴.
        threshold: u64,
    },
    Permutation(Arc<[NodeId]>),
    Locality(Arc<Locality>),
}

impl DestinationDraw {
    /// Prepares draws among the terminals (at least 2) of a network on which the pattern is
    /// defined ([`Destinations::check`]).
    pub fn new(destinations: &Destinations, network: &Network) -> Self {
        let nodes = network.nodes() as u32;
        assert!(nodes >= 2, "a checked network has two terminals");
        let locality = |rule| Pattern::Locality(Arc::new(Locality::new(rule, network)));
        let pattern = match *destinations {
            Destinations::Uniform => Pattern::Uniform,
            Destinations::Hotspot { nodes: ref hot, percent } => {
                Pattern::Hotspot { hot: hot.clone(), percent, threshold: share_of_draws(percent) }
            }
            Destinations::Permutation(permutation) => {
                let radix = network.numbering();
                let image = |node| permutation.image(NodeId(node), &radix);
                Pattern::Permutation((0..nodes).map(image).collect())
            }
            Destinations::Sphere { radius, percent } => locality(Rule::Sphere { radius, percent }),
            Destinations::Decreasing { ratio } => locality(Rule::Decreasing { ratio }),
        };
        Self { nodes, pattern }
    }

    /// Whether a node sends anything.
    #[inline]
    pub fn sends(&self, node: NodeId) -> bool {
        match &self.pattern {
            Pattern::Permutation(image) => image[node.index()] != node,
            _ => true,
        }
    }

    /// The destination of the next message of `source`, which must be a node that
    /// [sends](Self::sends).
    pub fn draw(&self, source: NodeId, stream: &mut Stream) -> NodeId {
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
        let other = stream.below(self.nodes - 1);
        NodeId(other + u32::from(other >= source.0))
    }

    /// The probability that a message of `source` goes to `destination`. 0 for all destinations of
    /// a node that sends nothing. With locality as costly as [`Self::probabilities`].
    pub fn probability(&self, source: NodeId, destination: NodeId) -> f64 {
        self.probabilities(source)[destination.index()]
    }

    /// The probability of every node to be the destination of a message of `source`: they sum to 1,
    /// or to 0 if it sends nothing. Takes time proportional to the number of nodes.
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

/// The number of draws out of 2⁶⁴ that are the given percentage of them. Saturates at 100 %, where
/// 2⁶⁴ does not fit.
fn share_of_draws(percent: f64) -> u64 {
    (percent / 100.0 * 18_446_744_073_709_551_616.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Streams};
    use crate::topology::cube::Cube;

    const TORUS: Family = Family::Torus { unidirectional: false };
    const ONE_WAY: Family = Family::Torus { unidirectional: true };

    fn patterns() -> Vec<Destinations> {
        let mut patterns = vec![
            Destinations::Uniform,
            Destinations::Hotspot { nodes: vec![NodeId(3)], percent: 4.0 },
            Destinations::Hotspot { nodes: vec![NodeId(3), NodeId(1)], percent: 40.0 },
            Destinations::Hotspot { nodes: vec![NodeId(0), NodeId(2)], percent: 100.0 },
            Destinations::Sphere { radius: 1, percent: 70.0 },
            Destinations::Sphere { radius: 2, percent: 20.0 },
            Destinations::Sphere { radius: 2, percent: 100.0 },
            Destinations::Decreasing { ratio: 0.5 },
            Destinations::Decreasing { ratio: 0.9 },
            Destinations::Decreasing { ratio: 1e-300 },
        ];
        patterns.extend(Permutation::ALL.map(Destinations::Permutation));
        patterns
    }

    fn shapes() -> [(Family, &'static [u32]); 9] {
        [
            (TORUS, &[4, 4]),
            (TORUS, &[5, 3]),
            (TORUS, &[2, 2, 2, 2]),
            (ONE_WAY, &[4, 4]),
            (ONE_WAY, &[5]),
            (Family::Mesh, &[4, 4]),
            (Family::Mesh, &[6, 3, 2]),
            (Family::Mesh, &[8]),
            (Family::Hypercube, &[2; 4]),
        ]
    }

    /// Every pattern on every shape on which it is defined.
    fn defined() -> Vec<(Destinations, Network)> {
        let mut all = Vec::new();
        for (family, radix) in shapes() {
            for pattern in patterns() {
                if pattern.check(family, radix).is_ok() {
                    all.push((pattern, Cube::network(family, radix)));
                }
            }
        }
        assert!(all.len() > 100, "{}", all.len());
        all
    }

    #[test]
    fn probabilities_sum_to_one_and_nobody_sends_to_itself() {
        for (pattern, network) in defined() {
            let draw = DestinationDraw::new(&pattern, &network);
            let mut senders = 0;
            for source in (0..network.nodes()).map(NodeId::new) {
                let row = draw.probabilities(source);
                let sum: f64 = row.iter().sum();
                let expected = f64::from(u8::from(draw.sends(source)));
                assert!((sum - expected).abs() < 1e-12, "{pattern:?} from {source:?}: {sum}");
                assert!(row.iter().all(|&share| (0.0..=1.0).contains(&share)));
                assert!(row[source.index()] == 0.0);
                assert!((draw.probability(source, NodeId(1)) - row[1]).abs() < f64::EPSILON);
                senders += usize::from(draw.sends(source));
            }
            assert_eq!(senders, pattern.senders(network.cube().unwrap().radix()));
        }
    }

    #[test]
    fn draws_come_with_the_stated_probabilities() {
        let draws = 100_000u32;
        for (pattern, network) in defined() {
            let draw = DestinationDraw::new(&pattern, &network);
            let mut streams = Streams::new(7, 0, Purpose::Destinations);
            let mut stream = streams.next_node();
            for source in [0, 1, 3].map(NodeId).into_iter().filter(|&node| draw.sends(node)) {
                let mut seen = vec![0u32; network.nodes()];
                for _ in 0..draws {
                    seen[draw.draw(source, &mut stream).index()] += 1;
                }
                for (node, (&seen, p)) in seen.iter().zip(draw.probabilities(source)).enumerate() {
                    // Bernstein: a count is further than t from its mean np with a probability of
                    // at most 2 exp(−t² / (2np(1−p) + 2t/3)). With exp(−33) = 5e-15 for each of
                    // fewer than 10 000 counts, a fresh seed fails with less than 1e-9.
                    let (mean, exponent) = (f64::from(draws) * p, 33.0);
                    let t = exponent / 3.0
                        + (exponent * exponent / 9.0 + 2.0 * exponent * mean * (1.0 - p)).sqrt();
                    let off = (f64::from(seen) - mean).abs();
                    assert!(off <= t, "{pattern:?}: {source:?} to {node}: {seen} for {mean}");
                    assert!(p > 0.0 || seen == 0);
                }
            }
        }
    }

    #[test]
    fn hot_nodes_share_the_percentage_and_their_own_messages_are_uniform() {
        let network = Cube::network(TORUS, &[16, 16]);
        let one = Destinations::Hotspot { nodes: vec![NodeId(255)], percent: 4.0 };
        let draw = DestinationDraw::new(&one, &network);
        assert!((draw.probability(NodeId(0), NodeId(255)) - (0.04 + 0.96 / 255.0)).abs() < 1e-15);
        assert!((draw.probability(NodeId(0), NodeId(9)) - 0.96 / 255.0).abs() < 1e-15);
        assert!((draw.probability(NodeId(255), NodeId(9)) - 1.0 / 255.0).abs() < 1e-15);
        let two = Destinations::Hotspot { nodes: vec![NodeId(3), NodeId(9)], percent: 40.0 };
        let draw = DestinationDraw::new(&two, &network);
        assert!((draw.probability(NodeId(3), NodeId(9)) - (0.2 + 0.8 / 255.0)).abs() < 1e-15);
    }

    #[test]
    fn locality_is_that_of_its_definition() {
        // In a row of five, node 0 has one node at each distance, node 2 two at 1 and two at 2.
        let row = Cube::network(Family::Mesh, &[5]);
        let close = |found: &[f64], expected: &[f64]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
        };
        let sphere = Destinations::Sphere { radius: 1, percent: 60.0 };
        let draw = DestinationDraw::new(&sphere, &row);
        close(&draw.probabilities(NodeId(0)), &[0.0, 0.6, 0.4 / 3.0, 0.4 / 3.0, 0.4 / 3.0]);
        close(&draw.probabilities(NodeId(2)), &[0.2, 0.3, 0.0, 0.3, 0.2]);
        let draw = DestinationDraw::new(&Destinations::Decreasing { ratio: 0.5 }, &row);
        let fifteenths = [0.0, 8.0, 4.0, 2.0, 1.0].map(|n| n / 15.0);
        close(&draw.probabilities(NodeId(0)), &fifteenths);
        close(&draw.probabilities(NodeId(2)), &[1.0 / 6.0, 1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 6.0]);
    }

    #[test]
    fn the_draws_of_a_seed_are_the_same_on_every_machine() {
        let network = Cube::network(Family::Mesh, &[8, 8]);
        let drawn = |destinations: Destinations| {
            let draw = DestinationDraw::new(&destinations, &network);
            let mut stream = Streams::new(1, 0, Purpose::Destinations).next_node();
            (0..8).map(|_| draw.draw(NodeId(9), &mut stream).0).collect::<Vec<_>>()
        };
        let sphere = drawn(Destinations::Sphere { radius: 3, percent: 50.0 });
        let decreasing = drawn(Destinations::Decreasing { ratio: 0.7 });
        insta::assert_compact_debug_snapshot!((sphere, decreasing), @"([62, 39, 3, 12, 15, 38, 21, 24], [49, 26, 16, 10, 20, 26, 13, 17])");
    }
}
