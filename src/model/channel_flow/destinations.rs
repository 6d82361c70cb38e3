//! The traffic matrix, one source at a time.

use crate::ids::NodeId;
use crate::traffic::Destinations;

/// Fills `shares` with the probability of each destination, by node id, for a message of `source`.
/// No message goes to its own source.
pub(super) fn probabilities(destinations: &Destinations, source: NodeId, shares: &mut [f64]) {
    let others = (shares.len() - 1) as f64;
    match destinations {
        Destinations::Uniform => shares.fill(1.0 / others),
        Destinations::Hotspot { nodes, percent } => {
            let each = percent / 100.0 / nodes.len() as f64;
            // A hot node's own draw that would meet itself is uniform instead.
            let own = if nodes.contains(&source) { each } else { 0.0 };
            shares.fill((1.0 - percent / 100.0 + own) / others);
            for node in nodes {
                shares[node.index()] += each;
            }
        }
    }
    shares[source.index()] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_and_leave_the_source_out() {
        let hot = Destinations::Hotspot { nodes: vec![NodeId(3), NodeId(9)], percent: 40.0 };
        for destinations in [Destinations::Uniform, hot] {
            for source in [NodeId(0), NodeId(3)] {
                let mut shares = [0.0; 16];
                probabilities(&destinations, source, &mut shares);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                assert!(shares[source.index()].abs() < f64::EPSILON);
            }
        }
    }

    #[test]
    fn hot_nodes_get_their_share_and_the_uniform_rest() {
        let hot = Destinations::Hotspot { nodes: vec![NodeId(3), NodeId(9)], percent: 40.0 };
        let mut shares = [0.0; 16];
        probabilities(&hot, NodeId(0), &mut shares);
        assert!((shares[3] - (0.2 + 0.6 / 15.0)).abs() < 1e-12);
        probabilities(&hot, NodeId(3), &mut shares);
        assert!((shares[9] - (0.2 + 0.8 / 15.0)).abs() < 1e-12);
    }
}
