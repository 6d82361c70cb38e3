//! A timing wheel of completions, by cycle.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use educe::Educe;
use get_size2::GetSize;

use crate::engine::tables::Scratch;
use crate::random::mix;
use crate::switching::{CHANNEL_DELAY_MAX, CREDIT_DELAY_MAX, VIRTUAL_CHANNELS_MAX};

/// The number of cycles covered by a wheel, a power of two.
const SPAN: usize = 64 * WORDS;

// The longest crossing: sending for as many cycles as there are VCs, then the channel delay.
const _: () = assert!(VIRTUAL_CHANNELS_MAX + CHANNEL_DELAY_MAX <= SPAN as u32);
const _: () = assert!(CREDIT_DELAY_MAX < SPAN as u32);

/// The number of words with a bit for each cycle.
const WORDS: usize = 2;

/// Rows of holds, VC slots or worms, by the cycle of completion.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(in crate::engine) struct Wheel {
    buckets: Box<[Vec<u32>; SPAN]>,
    /// A bit for each nonempty bucket.
    filled: [u64; WORDS],
    /// Storage for a bucket.
    spare: Scratch<u32>,
    /// Completions at least [`SPAN`] cycles ahead when added, with their cycles: see
    /// [`Self::push_late`].
    #[get_size(ignore)]
    late: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Default for Wheel {
    fn default() -> Self {
        Self {
            buckets: Box::new([const { Vec::new() }; SPAN]),
            filled: [0; WORDS],
            spare: Scratch::default(),
            late: BinaryHeap::new(),
        }
    }
}

impl Wheel {
    /// Schedules `row` for cycle `at`; a row at least [`SPAN`] cycles ahead appears earlier.
    #[inline]
    pub fn push(&mut self, at: u64, row: u32) {
        let bucket = at as usize % SPAN;
        if self.buckets[bucket].is_empty() {
            self.filled[bucket / 64] |= 1 << (bucket % 64);
        }
        self.buckets[bucket].push(row);
    }

    /// Schedules `row` for cycle `at`, at any distance from cycle `now`.
    #[inline]
    pub fn push_late(&mut self, now: u64, at: u64, row: u32) {
        if at - now < SPAN as u64 {
            self.push(at, row);
        } else {
            self.late.push(Reverse((at, row)));
        }
    }

    /// Moves rows of [`Self::push_late`] to their buckets, in cycle `now`.
    #[inline]
    pub fn bring_forward(&mut self, now: u64) {
        while let Some(&Reverse((at, row))) = self.late.peek()
            && at < now + SPAN as u64
        {
            self.late.pop();
            self.push(at, row);
        }
    }

    /// The first cycle of a late row without a bucket.
    pub fn first_late(&self) -> Option<u64> {
        self.late.peek().map(|&Reverse((at, _))| at)
    }

    /// Adds several rows like [`Self::push`].
    #[inline]
    pub fn push_all(&mut self, at: u64, rows: &[u32]) {
        if let [first, others @ ..] = rows {
            self.push(at, *first);
            self.buckets[at as usize % SPAN].extend_from_slice(others);
        }
    }

    /// True if both cycles share a bucket.
    #[inline]
    pub fn is_same_bucket(one: u64, other: u64) -> bool {
        one % SPAN as u64 == other % SPAN as u64
    }

    /// Removes an entry of `row` for cycle `at`.
    pub fn remove(&mut self, at: u64, row: u32) {
        let bucket = at as usize % SPAN;
        let rows = &mut self.buckets[bucket];
        let place = rows.iter().position(|&entry| entry == row);
        debug_assert!(place.is_some());
        if let Some(place) = place {
            rows.swap_remove(place);
        }
        if rows.is_empty() {
            self.filled[bucket / 64] &= !(1 << (bucket % 64));
        }
    }

    /// True if any row is due in cycle `now`.
    #[inline]
    pub fn is_due(&self, now: u64) -> bool {
        let bucket = now as usize % SPAN;
        self.filled[bucket / 64] >> (bucket % 64) & 1 == 1
    }

    /// Takes the rows due in cycle `now`; [`Self::recycle`] returns the storage.
    #[inline]
    pub fn take(&mut self, now: u64) -> Vec<u32> {
        let bucket = now as usize % SPAN;
        self.filled[bucket / 64] &= !(1 << (bucket % 64));
        std::mem::replace(&mut self.buckets[bucket], std::mem::take(&mut *self.spare))
    }

    /// Returns the storage of a bucket.
    #[inline]
    pub fn recycle(&mut self, mut bucket: Vec<u32>) {
        bucket.clear();
        *self.spare = bucket;
    }

    /// The first cycle from `now` with a due row in any of the wheels.
    pub fn first_of(wheels: &[&Self], now: u64) -> Option<u64> {
        let words = wheels.iter().map(|wheel| wheel.filled);
        let all = words.fold([0; WORDS], |[a, b], [low, high]| [a | low, b | high]);
        let [low, high] = all.map(u128::from);
        let ahead = (high << 64 | low).rotate_right((now % SPAN as u64) as u32).trailing_zeros();
        (ahead < SPAN as u32).then_some(now + u64::from(ahead))
    }

    /// True if the bits agree with the buckets.
    pub fn is_sound(&self) -> bool {
        let bit = |bucket: usize| self.filled[bucket / 64] >> (bucket % 64) & 1 == 1;
        (0..SPAN).all(|bucket| bit(bucket) != self.buckets[bucket].is_empty())
    }

    /// All rows in order of completion from cycle `now`, each with the number of cycles ahead.
    pub fn ahead(&self, now: u64) -> impl Iterator<Item = (u64, u32)> + '_ {
        let mut late: Vec<(u64, u32)> = self.late.iter().map(|&Reverse(row)| row).collect();
        late.sort_unstable();
        let near = (0..SPAN as u64).flat_map(move |ahead| {
            self.buckets[(now + ahead) as usize % SPAN].iter().map(move |&row| (ahead, row))
        });
        near.chain(late.into_iter().map(move |(at, row)| (at - now, row)))
    }

    /// Removes `count` entries of `row`, after skipping the first `skip`. Returns the number
    /// removed.
    pub fn drop_some(&mut self, now: u64, row: u32, mut skip: u32, count: u32) -> u32 {
        let mut dropped = 0;
        let mut drops = |entry: u32| {
            if entry != row || dropped == count {
                return false;
            }
            let counts = skip == 0;
            (skip, dropped) = if counts { (0, dropped + 1) } else { (skip - 1, dropped) };
            counts
        };
        for ahead in 0..SPAN as u64 {
            let at = (now + ahead) as usize % SPAN;
            let bucket = &mut self.buckets[at];
            bucket.retain(|&entry| !drops(entry));
            if bucket.is_empty() {
                self.filled[at / 64] &= !(1 << (at % 64));
            }
        }
        let mut late = std::mem::take(&mut self.late).into_sorted_vec();
        late.reverse();
        late.retain(|&Reverse((_, entry))| !drops(entry));
        self.late = late.into();
        dropped
    }

    /// Hashes the wheel, with permanent names for rows. The order within a cycle is irrelevant.
    pub fn fingerprint(&self, now: u64, hash: u64, name: impl Fn(u32) -> u64) -> u64 {
        let Self { buckets: _, filled: _, spare: _, late: _ } = self;
        let sum =
            self.ahead(now).fold(0u64, |sum, (ahead, row)| sum.wrapping_add(mix(ahead, name(row))));
        mix(hash, sum)
    }
}

#[cfg(test)]
mod tests;
