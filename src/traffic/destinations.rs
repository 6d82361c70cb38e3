//! Where messages go.

use crate::ids::NodeId;
use crate::random::Stream;

/// The distribution of destinations. No message goes to its own source.
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
}

/// A drawer of destinations, prepared for a network's size.
#[derive(Clone, Debug)]
pub struct DestinationDraw {
    nodes: u32,
    hot: Vec<NodeId>,
    /// A draw below this is a hot one; out of 2⁶⁴.
    threshold: u64,
}

impl DestinationDraw {
    /// Prepares draws among `nodes` terminals (at least 2).
    pub fn new(destinations: &Destinations, nodes: usize) -> Self {
        assert!(nodes >= 2, "a checked network has two terminals");
        let nodes = nodes as u32;
        match destinations {
            Destinations::Uniform => Self { nodes, hot: Vec::new(), threshold: 0 },
            Destinations::Hotspot { nodes: hot, percent } => {
                // Saturates at 100 %, where 2⁶⁴ does not fit.
                let threshold = (percent / 100.0 * 2f64.powi(64)) as u64;
                Self { nodes, hot: hot.clone(), threshold }
            }
        }
    }

    /// The destination of the next message of `source`.
    pub fn draw(&self, source: NodeId, stream: &mut Stream) -> NodeId {
        if self.threshold > 0 {
            let coin = stream.bits();
            if coin < self.threshold || self.threshold == u64::MAX {
                let hot = self.hot[stream.below(self.hot.len() as u32) as usize];
                if hot != source {
                    return hot;
                }
            }
        }
        let other = stream.below(self.nodes - 1);
        NodeId(other + u32::from(other >= source.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Streams};

    fn shares(destinations: &Destinations, source: NodeId, draws: u32) -> Vec<f64> {
        let draw = DestinationDraw::new(destinations, 16);
        let mut stream = Streams::new(7, 0, Purpose::Destinations).next_node();
        let mut seen = [0u32; 16];
        for _ in 0..draws {
            seen[draw.draw(source, &mut stream).index()] += 1;
        }
        seen.iter().map(|&n| f64::from(n) / f64::from(draws)).collect()
    }

    #[test]
    fn uniform_draws_reach_every_other_node_alike() {
        let shares = shares(&Destinations::Uniform, NodeId(5), 150_000);
        for (node, share) in shares.iter().enumerate() {
            let expected = if node == 5 { 0.0 } else { 1.0 / 15.0 };
            // 8 standard deviations of a share of 1/15 in 150 000 draws.
            assert!((share - expected).abs() < 0.005, "node {node}: {share}");
        }
    }

    #[test]
    fn hot_nodes_share_the_percentage_and_never_send_to_themselves() {
        let hot = Destinations::Hotspot { nodes: vec![NodeId(3), NodeId(9)], percent: 40.0 };
        let from_cold = shares(&hot, NodeId(0), 150_000);
        for node in [3, 9] {
            assert!((from_cold[node] - (0.2 + 0.6 / 15.0)).abs() < 0.01);
        }
        let from_hot = shares(&hot, NodeId(3), 150_000);
        assert!(from_hot[3] == 0.0);
        assert!((from_hot[9] - (0.2 + 0.8 / 15.0)).abs() < 0.01);
    }

    #[test]
    fn all_traffic_can_be_hot() {
        let all = Destinations::Hotspot { nodes: vec![NodeId(3)], percent: 100.0 };
        assert!((shares(&all, NodeId(0), 1000)[3] - 1.0).abs() < f64::EPSILON);
    }
}
