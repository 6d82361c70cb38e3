//! The latency histogram: counts of cycles, exact below 2 048, three significant digits above.

use hdrhistogram::Histogram as Counts;

use crate::random::mix;

/// Significant decimal digits kept: 2 048 buckets of one cycle, then 1 024 per doubling.
const DIGITS: u8 = 3;

/// Latencies in cycles: exact below 2 048, log-linear above (3 significant digits); mergeable.
/// The smallest and the largest latency are kept exactly.
#[derive(Clone, Debug)]
pub struct Histogram {
    counts: Counts<u64>,
    min: u64,
    max: u64,
}

impl Histogram {
    /// An empty one.
    pub fn new() -> Self {
        let counts = Counts::new(DIGITS).expect("three digits are representable");
        Self { counts, min: u64::MAX, max: 0 }
    }

    /// Counts one message with a latency in cycles.
    #[inline]
    pub fn record(&mut self, latency: u64) {
        self.counts.record(latency).expect("the buckets grow to hold any latency");
        self.min = self.min.min(latency);
        self.max = self.max.max(latency);
    }

    /// Messages in it.
    pub fn count(&self) -> u64 {
        self.counts.len()
    }

    /// The smallest latency in cycles, 0 if empty.
    pub fn min(&self) -> u64 {
        if self.counts.is_empty() { 0 } else { self.min }
    }

    /// The largest latency in cycles, 0 if empty.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The latency in cycles below or at which a share `q` (0 to 1) of the messages lies: the
    /// ⌈q · count⌉-th smallest, or, above 2 048, the upper end of its bucket; 0 if empty.
    pub fn quantile(&self, q: f64) -> u64 {
        if q <= 0.0 {
            return self.min();
        }
        self.counts.value_at_quantile(q).min(self.max)
    }

    /// Messages with latencies from `low` to below `high` cycles. Above 2 048 a bucket counts where
    /// its lower end lies, so that ranges side by side count every message once.
    pub fn count_between(&self, low: u64, high: u64) -> u64 {
        let high = high.min(self.max.saturating_add(1));
        if low >= high {
            return 0;
        }
        let bucket = self.counts.lowest_equivalent(low);
        let first = if bucket == low { low } else { self.counts.next_non_equivalent(low) };
        let last = self.counts.lowest_equivalent(high - 1);
        if first > last { 0 } else { self.counts.count_between(first, last) }
    }

    /// Adds the messages of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.counts.add(&other.counts).expect("the buckets grow to hold any latency");
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Empties it and keeps its storage.
    pub fn clear(&mut self) {
        self.counts.reset();
        self.min = u64::MAX;
        self.max = 0;
    }

    /// Makes `self` equal to `other`, reusing storage.
    pub fn copy_from(&mut self, other: &Self) {
        let Self { counts, min, max } = other;
        self.counts.set_to(counts).expect("the buckets grow to hold any latency");
        self.min = *min;
        self.max = *max;
    }

    /// Bytes held beside the value itself: a count per bucket.
    pub fn bytes(&self) -> usize {
        self.counts.distinct_values() * size_of::<u64>()
    }

    /// A hash of all counts.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = mix(mix(self.counts.len(), self.min), self.max);
        for bucket in self.counts.iter_recorded() {
            hash = mix(mix(hash, bucket.value_iterated_to()), bucket.count_at_value());
        }
        hash
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Histogram {
    /// Equal counts; storage that was once needed for longer latencies makes no difference.
    fn eq(&self, other: &Self) -> bool {
        let (short, long) = if self.counts.distinct_values() <= other.counts.distinct_values() {
            (self, other)
        } else {
            (other, self)
        };
        short.min == long.min && short.max == long.max && short.counts == long.counts
    }
}

#[cfg(test)]
mod tests {
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
            target.copy_from(&source);
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
}
