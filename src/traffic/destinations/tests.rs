//! Tests of drawn shares against probabilities, and of refused patterns.

use strum::VariantArray;

use super::*;
use crate::random::{Purpose, Streams};
use crate::topology::cube::{Cube, Family};

const TORUS: Family = Family::Torus { unidirectional: false };
const ONE_WAY: Family = Family::Torus { unidirectional: true };

fn weighted(pairs: &[(u32, u32, f64)]) -> Destinations {
    let weight = |&(source, destination, weight): &(u32, u32, f64)| Weight {
        source: NodeId(source),
        destination: NodeId(destination),
        weight,
    };
    Destinations::Weighted(Weights::new(Form::Matrix, pairs.iter().map(weight).collect()))
}

fn patterns() -> Vec<Destinations> {
    let mut patterns = vec![
        Destinations::Uniform,
        Destinations::Hotspot { nodes: vec![NodeId(3)], percent: 4.0 },
        Destinations::Hotspot { nodes: vec![NodeId(3), NodeId(1)], percent: 40.0 },
        Destinations::Hotspot { nodes: vec![NodeId(0), NodeId(2)], percent: 100.0 },
        Destinations::Local(Locality::Sphere { radius: 1, percent: 70.0 }),
        Destinations::Local(Locality::Sphere { radius: 2, percent: 20.0 }),
        Destinations::Local(Locality::Sphere { radius: 2, percent: 100.0 }),
        Destinations::Local(Locality::Decreasing { ratio: 0.5 }),
        Destinations::Local(Locality::Decreasing { ratio: 0.9 }),
        Destinations::Local(Locality::Decreasing { ratio: 1e-300 }),
    ];
    patterns.extend([Offset(vec![1]), Offset(vec![-2, 1])].map(Destinations::Offset));
    patterns.push(weighted(&[(0, 1, 2.0), (0, 3, 1.0), (0, 2, 1e-9), (3, 1, 0.25), (1, 0, 5.0)]));
    patterns.extend(Permutation::VARIANTS.iter().copied().map(Destinations::Permutation));
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
            let network = Cube::network(family, radix);
            if pattern.check(&network).is_ok() {
                all.push((pattern, network));
            }
        }
    }
    assert!(all.len() > 100, "{}", all.len());
    all
}

/// The patterns if nodes send to themselves or not.
fn defined_both_ways() -> impl Iterator<Item = ((Destinations, Network), bool)> {
    defined().into_iter().flat_map(|case| [false, true].map(|to_itself| (case.clone(), to_itself)))
}

fn is_uniform(pattern: &Destinations) -> bool {
    *pattern == Destinations::Uniform
}

#[test]
fn probabilities_sum_to_one_and_only_some_send_to_themselves() {
    for ((pattern, network), to_itself) in defined_both_ways() {
        let draw = DestinationDraw::among(&pattern, None, to_itself, &network);
        let mut senders = 0;
        for source in (0..network.nodes()).map(NodeId::new) {
            let row = draw.probabilities(source);
            let sum: f64 = row.iter().sum();
            let expected = f64::from(u8::from(draw.sends(source)));
            assert!((sum - expected).abs() < 1e-12, "{pattern:?} from {source:?}: {sum}");
            assert!(row.iter().all(|&share| (0.0..=1.0).contains(&share)));
            assert!(row[source.index()] == 0.0 || to_itself && pattern.include_source());
            assert!(row[source.index()] > 0.0 || !to_itself || !is_uniform(&pattern));
            assert!((draw.probability(source, NodeId(1)) - row[1]).abs() < f64::EPSILON);
            senders += usize::from(draw.sends(source));
            // The same in parts, and without what is 0.
            let mut parts = vec![draw.even() / (row.len() as f64 - 1.0); row.len()];
            parts[source.index()] = 0.0;
            draw.uneven(source).iter().for_each(|&(node, share)| parts[node.index()] += share);
            let same = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-12;
            assert!(row.iter().zip(&parts).all(same), "{pattern:?} from {source:?}: {parts:?}");
            let shares = draw.shares(source);
            assert_eq!(shares.len(), row.iter().filter(|&&share| share > 0.0).count());
            assert!(shares.iter().all(|&(node, share)| same((&row[node.index()], &share))));
        }
        assert_eq!(senders, draw.rates().senders());
    }
}

#[test]
fn draws_come_with_the_stated_probabilities() {
    let draws = 100_000u32;
    for ((pattern, network), to_itself) in defined_both_ways() {
        let draw = DestinationDraw::among(&pattern, None, to_itself, &network);
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
    let sphere = Destinations::Local(Locality::Sphere { radius: 1, percent: 60.0 });
    let draw = DestinationDraw::new(&sphere, &row);
    close(&draw.probabilities(NodeId(0)), &[0.0, 0.6, 0.4 / 3.0, 0.4 / 3.0, 0.4 / 3.0]);
    close(&draw.probabilities(NodeId(2)), &[0.2, 0.3, 0.0, 0.3, 0.2]);
    let draw =
        DestinationDraw::new(&Destinations::Local(Locality::Decreasing { ratio: 0.5 }), &row);
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
    let sphere = drawn(Destinations::Local(Locality::Sphere { radius: 3, percent: 50.0 }));
    let decreasing = drawn(Destinations::Local(Locality::Decreasing { ratio: 0.7 }));
    insta::assert_compact_debug_snapshot!((sphere, decreasing), @"([62, 39, 3, 12, 15, 38, 21, 24], [49, 26, 16, 10, 20, 26, 13, 17])");
}
