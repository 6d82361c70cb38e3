//! Batch means in bounded memory: the interval of a mean from one run of correlated data.
//!
//! Consecutive values are summed into batches of equal size. At 256 batches neighbours are joined
//! and the size doubles, so that after the start there are always 128 to 255 whole batches, each a
//! fixed share of the run (Law & Carson 1979 hold such batches as run length grows). What the
//! correlation of their means says of the interval stands at [`half_width_in_time`].

use educe::Educe;

use super::interval::half_width_in_time;
use crate::random::mix;

/// Batches at which neighbours are joined.
pub(super) const BATCHES_MAX: usize = 256;

/// Sums of batches of consecutive values.
#[derive(PartialEq, Debug, Educe)]
#[educe(Clone)]
pub(super) struct Batches {
    /// Values per batch.
    size: u64,
    /// Sums of the whole batches.
    sums: Vec<u64>,
    /// Values in the batch being filled.
    partial_count: u64,
    /// Their sum.
    partial_sum: u64,
}

impl Batches {
    /// No batch yet; the first ones have `size` values (at least 1).
    pub(super) fn new(size: u64) -> Self {
        let sums = Vec::with_capacity(BATCHES_MAX);
        Self { size: size.max(1), sums, partial_count: 0, partial_sum: 0 }
    }

    /// Takes the next value.
    #[inline]
    pub(super) fn record(&mut self, value: u64) {
        self.partial_sum += value;
        self.partial_count += 1;
        if self.partial_count == self.size {
            self.close();
        }
    }

    fn close(&mut self) {
        self.sums.push(self.partial_sum);
        self.partial_count = 0;
        self.partial_sum = 0;
        if self.sums.len() == BATCHES_MAX {
            for pair in 0..BATCHES_MAX / 2 {
                self.sums[pair] = self.sums[2 * pair] + self.sums[2 * pair + 1];
            }
            self.sums.truncate(BATCHES_MAX / 2);
            self.size *= 2;
        }
    }

    /// Half the width of the 95 % interval of the mean, from batches of at least this many values;
    /// `None` where there are too few.
    pub(super) fn half_width(&self, least: f64) -> Option<f64> {
        let means: Vec<f64> = self.sums.iter().map(|&sum| sum as f64 / self.size as f64).collect();
        half_width_in_time(&means, (least / self.size as f64).ceil() as usize)
    }

    /// Bytes held beside the value itself.
    pub(super) fn bytes(&self) -> usize {
        self.sums.capacity() * size_of::<u64>()
    }

    /// A hash of all sums.
    pub(super) fn fingerprint(&self) -> u64 {
        let start = mix(mix(self.size, self.partial_count), self.partial_sum);
        self.sums.iter().fold(start, |hash, &sum| mix(hash, sum))
    }
}

#[cfg(test)]
mod tests;
