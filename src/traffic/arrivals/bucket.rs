//! Token buckets: a message takes one token; tokens arrive at a fixed rate up to the bucket's size.
//!
//! The virtual scheduling algorithm of ITU-T I.371: the state is the time at which the bucket will
//! be full again, and a message may be sent once this is less than the arrival time of all tokens
//! but one away.

use crate::random::mix;

/// Traffic limit of a source: any interval of `cycles` contains at most `burst + rate · cycles`
/// messages.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bucket {
    /// The tokens of a full bucket.
    pub burst: u32,
    /// Tokens per cycle.
    pub rate: f64,
}

impl Bucket {
    /// Maximum number of messages generated in cycles that differ by at most `cycles`.
    pub fn messages_within(&self, cycles: u64) -> u64 {
        // Times are rounded down to cycles, so the first and the last may be another cycle apart.
        u64::from(self.burst) + (self.rate * (cycles as f64 + 1.0)) as u64
    }
}

/// The state of a source with a bucket, in units of the axis; unused by other sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct BucketState {
    /// The time at which the last message reached the bucket; for greedy buckets, the number of
    /// messages sent of the current burst.
    asked: u64,
    /// The time at which the bucket will be full again.
    full: u64,
}

impl BucketState {
    /// The departure time of a message that reaches the bucket `gap` after the previous message. A
    /// bucket of `burst` tokens receives one token per `each`.
    pub fn shape(&mut self, burst: u32, each: u64, gap: u64) -> u64 {
        self.asked += gap;
        let leaves = self.asked.max(self.full.saturating_sub(u64::from(burst - 1) * each));
        self.full = self.full.max(leaves) + each;
        leaves
    }

    /// The time of the next message of a greedy bucket, which has `burst` tokens, receives one
    /// token per `each` and is emptied whenever full. The first burst follows after `wait`, a
    /// function of the time to fill the bucket.
    pub fn empty(&mut self, burst: u32, each: u64, wait: impl FnOnce(u64) -> u64) -> u64 {
        let period = u64::from(burst) * each;
        if self.full == 0 {
            self.full = wait(period) + period;
        } else if self.asked == u64::from(burst) {
            self.asked = 0;
            self.full += period;
        }
        self.asked += 1;
        self.full - period
    }

    /// Mixes the state into a hash, unless unused.
    pub fn stir(self, hash: u64) -> u64 {
        if self == Self::default() { hash } else { mix(mix(hash, self.asked), self.full) }
    }
}

#[cfg(test)]
mod tests;
