//! Tests of `random`.

use super::*;

#[test]
fn streams_of_nodes_purposes_and_replications_differ() {
    let mut first = Vec::new();
    for seed in 0..3 {
        for replication in 0..3 {
            for purpose in [Purpose::Arrivals, Purpose::Destinations, Purpose::Lengths] {
                let mut streams = Streams::new(seed, replication, purpose);
                for _ in 0..4 {
                    first.push(streams.next_node().bits());
                }
            }
        }
    }
    let all = first.len();
    first.sort_unstable();
    first.dedup();
    assert_eq!(first.len(), all);
}

#[test]
fn keys_of_seeds_and_replications_differ_and_replication_0_has_that_of_its_seed() {
    let keys: std::collections::BTreeSet<u64> =
        (0..64).flat_map(|seed| (0..64).map(move |replication| key(seed, replication))).collect();
    assert_eq!(keys.len(), 64 * 64);
    assert_eq!(key(7, 0), mix(7, 0));
}

#[test]
fn exponential_variates_have_mean_and_variance_one() {
    let mut stream = Streams::new(1, 0, Purpose::Arrivals).next_node();
    let draws = 400_000;
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..draws {
        let x = stream.exponential();
        assert!(x > 0.0);
        sum += x;
        squares += x * x;
    }
    let mean = sum / f64::from(draws);
    let variance = squares / f64::from(draws) - mean * mean;
    assert!((mean - 1.0).abs() < 0.013, "{mean}");
    assert!((variance - 1.0).abs() < 0.04, "{variance}");
}
