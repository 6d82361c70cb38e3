//! Tests of exact and rounded values, quantiles, and copies of histograms.

use super::*;
use proptest::prelude::*;

fn filled(latencies: &[u64]) -> Histogram {
    let mut histogram = Histogram::new();
    for &latency in latencies {
        histogram.record(latency);
    }
    histogram
}

/// Latencies of every order of magnitude.
fn latencies() -> impl Strategy<Value = Vec<u64>> {
    let latency = (0u32..40, any::<u64>()).prop_map(|(bits, x)| x & ((1 << bits) - 1));
    prop::collection::vec(latency, 1..300)
}

proptest! {
    #[test]
    fn quantiles_are_order_statistics(mut data in latencies(), q in 0.0f64..=1.0) {
        let histogram = filled(&data);
        data.sort_unstable();
        let rank = ((q * data.len() as f64).ceil() as usize).max(1);
        let exact = data[rank - 1];
        let found = histogram.quantile(q);
        if exact < 2048 {
            prop_assert_eq!(found, exact);
        } else {
            prop_assert!(found >= exact && (found - exact) as f64 <= 1e-3 * exact as f64);
        }
        prop_assert_eq!(histogram.min(), data[0]);
        prop_assert_eq!(histogram.max(), data[data.len() - 1]);
        prop_assert_eq!(histogram.quantile(1.0), data[data.len() - 1]);
        prop_assert_eq!(histogram.count(), data.len() as u64);
    }

    #[test]
    fn counts_below_2048_are_exact(data in latencies(), low in 0u64..2100, high in 0u64..2048) {
        let exact = data.iter().filter(|&&x| low <= x && x < high).count() as u64;
        prop_assert_eq!(filled(&data).count_between(low, high), exact);
    }

    #[test]
    fn ranges_side_by_side_count_every_message_once(
        data in latencies(), mut cuts in prop::collection::vec(0u64..1 << 41, 1..8),
    ) {
        cuts.extend([0, 1 << 41]);
        cuts.sort_unstable();
        let histogram = filled(&data);
        let sum: u64 = cuts.windows(2).map(|w| histogram.count_between(w[0], w[1])).sum();
        prop_assert_eq!(sum, data.len() as u64);
    }

    #[test]
    fn merging_is_recording_both(a in latencies(), b in latencies()) {
        let mut merged = filled(&a);
        merged.merge(&filled(&b));
        let both = filled(&[a, b].concat());
        prop_assert!(merged == both);
        prop_assert_eq!(merged.fingerprint(), both.fingerprint());
    }

    #[test]
    fn a_copy_equals_whatever_it_replaces(a in latencies(), b in latencies()) {
        let (source, mut target) = (filled(&a), filled(&b));
        target.clone_from(&source);
        prop_assert!(target == source);
        prop_assert!(source == target);
        prop_assert_eq!(target.fingerprint(), source.fingerprint());
        target.record(17);
        prop_assert!(target != source);
        prop_assert!(source != target);
        prop_assert_ne!(target.fingerprint(), source.fingerprint());
    }
}

#[test]
fn an_empty_one_answers_zero() {
    let mut histogram = filled(&[3, 70_000]);
    histogram.clear();
    assert_eq!(histogram, Histogram::new());
    assert_eq!((histogram.count(), histogram.min(), histogram.max()), (0, 0, 0));
    assert_eq!(histogram.quantile(0.5), 0);
    assert_eq!(histogram.count_between(0, u64::MAX), 0);
}

#[test]
fn a_range_of_one_latency_counts_it() {
    let histogram = filled(&[7, 7, 9, 5_001]);
    let counts =
        [(7, 8), (8, 9), (9, 10), (7, 10)].map(|(low, high)| histogram.count_between(low, high));
    assert_eq!(counts, [2, 0, 1, 3]);
    // Above 2 048 a bucket counts at its lower end: the lower end for 5 001 is 5 000.
    assert_eq!(
        [(5_000, 5_001), (5_001, 5_002)].map(|(a, b)| histogram.count_between(a, b)),
        [1, 0]
    );
}
