//! The latency histogram: counts of cycles, exact below 2 048, three significant digits above.

use get_size2::{GetSize, GetSizeTracker};
use hdrhistogram::Histogram as Counts;

use crate::random::mix;

/// Significant decimal digits kept: 2 048 buckets of one cycle, then 1 024 per doubling.
const DIGITS: u8 = 3;

/// Latencies in cycles: exact below 2 048, log-linear above (3 significant digits); mergeable.
/// The smallest and the largest latency are kept exactly.
#[derive(Debug)]
pub struct Histogram {
    counts: Counts<u64>,
    min: u64,
    max: u64,
}

impl Histogram {
    /// Creates an empty histogram.
    pub fn new() -> Self {
        let counts = Counts::new(DIGITS).expect("three digits are representable");
        Self { counts, min: u64::MAX, max: 0 }
    }

    /// Counts one message, with its latency in cycles.
    #[inline]
    pub fn record(&mut self, latency: u64) {
        self.counts.record(latency).expect("the buckets grow to hold any latency");
        self.min = self.min.min(latency);
        self.max = self.max.max(latency);
    }

    /// Number of messages counted.
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

    /// The `q` quantile (0 to 1) in cycles: the ⌈q · count⌉-th smallest latency, or, above 2 048,
    /// the upper end of its bucket; 0 if empty.
    pub fn quantile(&self, q: f64) -> u64 {
        if q <= 0.0 {
            return self.min();
        }
        self.counts.value_at_quantile(q).min(self.max)
    }

    /// Messages with latencies from `low` to below `high` cycles. Above 2 048, a bucket counts at
    /// its lower end, so that adjacent ranges count every message once.
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

    /// Empties the histogram and keeps its storage.
    pub fn clear(&mut self) {
        self.counts.reset();
        self.min = u64::MAX;
        self.max = 0;
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

impl Clone for Histogram {
    fn clone(&self) -> Self {
        Self { counts: self.counts.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { counts, min, max } = source;
        self.counts.set_to(counts).expect("the buckets grow to hold any latency");
        (self.min, self.max) = (*min, *max);
    }
}

impl GetSize for Histogram {
    fn get_heap_size_with_tracker<T: GetSizeTracker>(&self, tracker: T) -> (usize, T) {
        (self.counts.distinct_values() * size_of::<u64>(), tracker)
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Histogram {
    /// Compares counts, regardless of storage allocated for longer latencies.
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
mod tests;
