//! Tests of rates by weights, by senders and by permutation.

use super::*;
use crate::topology::cube::{Cube, Family};
use crate::traffic::Permutation;
use crate::traffic::destinations::{Form, Weight, Weights};

fn mesh() -> Network {
    Cube::network(Family::Mesh, &[2, 2])
}

fn weighted(pairs: &[(u32, u32, f64)]) -> Destinations {
    let weight = |&(source, destination, weight): &(u32, u32, f64)| Weight {
        source: NodeId(source),
        destination: NodeId(destination),
        weight,
    };
    Destinations::Weighted(Weights::new(Form::Pairs, pairs.iter().map(weight).collect()))
}

/// The rates of all nodes in hundredths.
fn each(rates: &NodeRates) -> [u32; 4] {
    [0, 1, 2, 3].map(|node| (100.0 * rates.at(NodeId(node))).round() as u32)
}

#[test]
fn rates_are_sums_of_weights_relative_to_their_mean() {
    let pattern = weighted(&[(0, 1, 1.0), (0, 3, 2.0), (2, 1, 1.0)]);
    let rates = NodeRates::of(&pattern, None, false, &mesh());
    assert_eq!(each(&rates), [150, 0, 50, 0]);
    assert_eq!(rates.senders(), 2);
    assert!((rates.least() - 0.5).abs() < 1e-15 && (rates.most() - 1.5).abs() < 1e-15);
    assert!(!rates.all_alike() && !rates.senders_alike());
    assert!((rates.of_hosts(&[NodeId(0), NodeId(2)]) - 2.0).abs() < 1e-15);
    let (different, index_of) = rates.distinct(4);
    assert_eq!((different.len(), index_of), (2, vec![0, 0, 1, 0]));
    // Only one of the two sends: at the mean rate of those that send.
    let rates = NodeRates::of(&pattern, Some(&[NodeId(2), NodeId(3)]), false, &mesh());
    assert_eq!(each(&rates), [0, 0, 100, 0]);
    assert_eq!(NodeRates::of(&pattern, Some(&[NodeId(3)]), false, &mesh()).senders(), 0);
}

#[test]
fn senders_share_a_rate_and_others_are_silent() {
    let all = NodeRates::of(&Destinations::Uniform, None, false, &mesh());
    assert!(all.all_alike());
    assert_eq!(each(&all), [100; 4]);
    let some = NodeRates::of(&Destinations::Uniform, Some(&[NodeId(1), NodeId(2)]), false, &mesh());
    assert_eq!(each(&some), [0, 100, 100, 0]);
    assert!(some.senders_alike() && !some.all_alike());
    let every = [0, 1, 2, 3].map(NodeId);
    assert!(NodeRates::of(&Destinations::Uniform, Some(&every), false, &mesh()).all_alike());
    let transpose = Destinations::Permutation(Permutation::Transpose);
    assert_eq!(each(&NodeRates::of(&transpose, None, false, &mesh())), [0, 100, 100, 0]);
    assert!(NodeRates::of(&transpose, None, true, &mesh()).all_alike(), "fixed points send");
}
