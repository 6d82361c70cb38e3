//! Batch means in bounded memory: the interval of a mean from one run of correlated data.
//!
//! Consecutive values are summed into batches of equal size. At 256 batches neighbours are joined
//! and the size doubles, so that after the start there are always 128 to 255 whole batches, each a
//! fixed share of the run (Law & Carson 1979 hold such batches as run length grows). What the
//! correlation of their means says of the interval stands at [`half_width_in_time`].

use educe::Educe;
use get_size2::GetSize;

use super::interval::half_width_in_time;
use crate::random::mix;

/// Batches of single values at which neighbours are joined.
pub(super) const BATCHES_MAX: usize = 256;

/// What the values of a batch are collected in.
pub(super) trait Collected: Default {
    /// Batches at which neighbours are joined.
    const BATCHES_MAX: usize;

    /// Adds the batch that follows this one.
    fn join(&mut self, next: Self);
}

/// Their sum.
impl Collected for u64 {
    const BATCHES_MAX: usize = BATCHES_MAX;

    fn join(&mut self, next: Self) {
        *self += next;
    }
}

/// Batches of consecutive values.
#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Batches<T = u64> {
    pub(super) size: u64,
    pub(super) whole: Vec<T>,
    pub(super) partial: T,
    count: u64,
}

impl<T: Collected> Batches<T> {
    /// No batch yet; the first ones have `size` values (at least 1).
    pub(super) fn new(size: u64) -> Self {
        let whole = Vec::with_capacity(T::BATCHES_MAX);
        Self { size: size.max(1), whole, partial: T::default(), count: 0 }
    }

    /// Counts a value that was collected in the batch being filled.
    #[inline]
    pub(super) fn count(&mut self) {
        self.count += 1;
        if self.count == self.size {
            self.close();
        }
    }

    fn close(&mut self) {
        self.whole.push(std::mem::take(&mut self.partial));
        self.count = 0;
        if self.whole.len() == T::BATCHES_MAX {
            for pair in 0..T::BATCHES_MAX / 2 {
                let mut joined = std::mem::take(&mut self.whole[2 * pair]);
                joined.join(std::mem::take(&mut self.whole[2 * pair + 1]));
                self.whole[pair] = joined;
            }
            self.whole.truncate(T::BATCHES_MAX / 2);
            self.size *= 2;
        }
    }
}

impl Batches {
    #[inline]
    pub(super) fn record(&mut self, value: u64) {
        self.partial += value;
        self.count();
    }

    /// Half the width of the 95 % interval of the mean, from batches of at least this many values;
    /// `None` where there are too few.
    pub(super) fn half_width(&self, least: f64) -> Option<f64> {
        let means: Vec<f64> = self.whole.iter().map(|&sum| sum as f64 / self.size as f64).collect();
        half_width_in_time(&means, (least / self.size as f64).ceil() as usize)
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let start = mix(mix(self.size, self.count), self.partial);
        self.whole.iter().fold(start, |hash, &sum| mix(hash, sum))
    }
}

#[cfg(test)]
mod tests;
