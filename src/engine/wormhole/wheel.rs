//! A wheel of completions: what is under way, by the cycle in which it comes to its end.

use educe::Educe;
use get_size2::GetSize;

use crate::engine::tables::Scratch;
use crate::random::mix;
use crate::switching::{CHANNEL_DELAY_MAX, CREDIT_DELAY_MAX, VIRTUAL_CHANNELS_MAX};

/// Cycles that a wheel spans; a power of two.
const SPAN: usize = 128;

// The longest crossing: sent in as many cycles as there are VCs, then under way.
const _: () = assert!(VIRTUAL_CHANNELS_MAX + CHANNEL_DELAY_MAX <= SPAN as u32);
const _: () = assert!(CREDIT_DELAY_MAX < SPAN as u32);

/// What concerns holds, VC slots or worms by the cycle in which it is completed.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Wheel<T> {
    buckets: Vec<Vec<T>>,
    /// How many are under way.
    pending: u64,
    /// Storage for a bucket.
    spare: Scratch<T>,
}

impl<T: Copy + PartialEq> Default for Wheel<T> {
    fn default() -> Self {
        Self { buckets: vec![Vec::new(); SPAN], pending: 0, spare: Scratch::default() }
    }
}

impl<T: Copy + PartialEq> Wheel<T> {
    /// Whether nothing is under way.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pending == 0
    }

    /// How many are under way.
    pub fn len(&self) -> u64 {
        self.pending
    }

    /// Has `row` come up in cycle `at`; what is [`SPAN`] cycles ahead or more comes up earlier.
    #[inline]
    pub fn push(&mut self, at: u64, row: T) {
        self.buckets[at as usize % SPAN].push(row);
        self.pending += 1;
    }

    /// As [`Self::push`], for many.
    #[inline]
    pub fn push_all(&mut self, at: u64, rows: &[T]) {
        self.buckets[at as usize % SPAN].extend_from_slice(rows);
        self.pending += rows.len() as u64;
    }

    /// Takes what comes up in cycle `now`, to be handed back by [`Self::recycle`].
    #[inline]
    pub fn take(&mut self, now: u64) -> Vec<T> {
        let bucket = &mut self.buckets[now as usize % SPAN];
        if bucket.is_empty() {
            return Vec::new();
        }
        self.pending -= bucket.len() as u64;
        std::mem::replace(bucket, std::mem::take(&mut *self.spare))
    }

    /// Takes back the storage of a bucket.
    #[inline]
    pub fn recycle(&mut self, mut bucket: Vec<T>) {
        if bucket.capacity() > 0 {
            bucket.clear();
            *self.spare = bucket;
        }
    }

    /// The first cycle from `now` on in which something comes up.
    pub fn next(&self, now: u64) -> Option<u64> {
        if self.is_empty() {
            return None;
        }
        (now..now + SPAN as u64).find(|&at| !self.buckets[at as usize % SPAN].is_empty())
    }

    /// All that is under way, in order of completion from cycle `now` on: how far ahead, and what.
    pub fn ahead(&self, now: u64) -> impl Iterator<Item = (u64, T)> + '_ {
        (0..SPAN as u64).flat_map(move |ahead| {
            self.buckets[(now + ahead) as usize % SPAN].iter().map(move |&row| (ahead, row))
        })
    }

    /// Drops `count` entries of `row`, after the first `skip` of them. Answers how many it had to drop.
    pub fn drop_some(&mut self, now: u64, row: T, mut skip: u32, count: u32) -> u32 {
        let mut dropped = 0;
        for ahead in 0..SPAN as u64 {
            self.buckets[(now + ahead) as usize % SPAN].retain(|&entry| {
                if entry != row || dropped == count {
                    return true;
                }
                if skip > 0 {
                    skip -= 1;
                    return true;
                }
                dropped += 1;
                self.pending -= 1;
                false
            });
        }
        dropped
    }

    /// Hashes it, with a name for every row that lasts. In one cycle the order says nothing.
    pub fn fingerprint(&self, now: u64, hash: u64, name: impl Fn(T) -> u64) -> u64 {
        let Self { buckets: _, pending: _, spare: _ } = self;
        let sum =
            self.ahead(now).fold(0u64, |sum, (ahead, row)| sum.wrapping_add(mix(ahead, name(row))));
        mix(hash, sum)
    }
}

#[cfg(test)]
mod tests;
