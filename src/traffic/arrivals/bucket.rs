//! Token buckets: a full one holds so many tokens, a message takes one, and they come at a fixed rate.
//!
//! The virtual scheduling of ITU-T I.371: the bucket remembers when it will be full again, and a
//! message may come as soon as that is less than the time in which all of its tokens but one come.

use crate::random::mix;

/// What limits a source: of its messages at most `burst + rate · cycles` are generated within any time
/// of so many cycles.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bucket {
    /// Tokens of a full bucket.
    pub burst: u32,
    /// Tokens per cycle.
    pub rate: f64,
}

impl Bucket {
    /// The most messages that are generated in cycles that differ by at most `cycles`.
    pub fn messages_within(&self, cycles: u64) -> u64 {
        // Times are cut to cycles, so that the first and the last may be a cycle further apart.
        u64::from(self.burst) + (self.rate * (cycles as f64 + 1.0)) as u64
    }
}

/// What a source with a bucket remembers, in units of the axis; of all other sources nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Held {
    /// When the last message came to the bucket; where it is emptied at once, the messages of this
    /// burst that have come.
    asked: u64,
    /// When the bucket will be full again.
    full: u64,
}

impl Held {
    /// When the message that comes to the bucket `gap` after the one before leaves it. A bucket of
    /// `burst` tokens gets one in `each`.
    pub fn shape(&mut self, burst: u32, each: u64, gap: u64) -> u64 {
        self.asked += gap;
        let leaves = self.asked.max(self.full.saturating_sub(u64::from(burst - 1) * each));
        self.full = self.full.max(leaves) + each;
        leaves
    }

    /// When the next message comes from a bucket of `burst` tokens that gets one in `each` and is
    /// emptied whenever it is full; the first time after `wait`, which is asked how long a bucket takes
    /// to fill.
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

    /// Stirs it into a hash, if there is any of it.
    pub fn stir(self, hash: u64) -> u64 {
        if self == Self::default() { hash } else { mix(mix(hash, self.asked), self.full) }
    }
}

#[cfg(test)]
mod tests;
