//! Current transmissions, sorted by end.
//!
//! A calendar queue (R. Brown, 1988) of sorted lists, linked through the messages.

use educe::Educe;
use get_size2::GetSize;

use super::events::before;
use super::state::{Call, NONE, list};

/// The minimal and maximal number of buckets, powers of two.
const BUCKETS: (usize, usize) = (64, 4096);

/// Messages sorted by [`Call::due`].
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Transmissions {
    /// A bucket covers `1 << shift` ticks. Buckets are numbered from tick 0; buckets with equal
    /// numbers modulo the number of lists share a list, sorted and linked through [`Call::next`].
    lists: Vec<u32>,
    /// A bit for each nonempty list.
    filled: Vec<u64>,
    shift: u32,
    /// The bucket of the transmission last taken; all others end in the same bucket or later.
    at: u64,
    first: u32,
}

impl Transmissions {
    /// Creates an empty queue for a network of `routers`, with a mean transmission time of `mean`
    /// ticks.
    pub fn new(routers: usize, mean: u64) -> Self {
        let buckets = routers.next_power_of_two().clamp(BUCKETS.0, BUCKETS.1);
        // Nearly all transmissions end within a round of the buckets.
        let shift = (4 * mean / buckets as u64).checked_ilog2().unwrap_or_default();
        let (lists, filled) = (vec![NONE; buckets], vec![0; buckets / 64]);
        Self { lists, filled, shift, at: 0, first: NONE }
    }

    /// The first transmission to end, or [`NONE`].
    #[inline]
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Adds a transmission; its end must not precede the transmission last taken.
    pub fn insert(&mut self, calls: &mut [Call], call: u32) {
        let due = calls[call as usize].due;
        let place = (due.0 >> self.shift) as usize & (self.lists.len() - 1);
        let (mut previous, mut after) = (NONE, self.lists[place]);
        while let Some(other) = calls.get(after as usize)
            && before(other.due, due)
        {
            (previous, after) = (after, other.next);
        }
        calls[call as usize].next = after;
        if previous == NONE {
            self.lists[place] = call;
            self.filled[place / 64] |= 1 << (place % 64);
        } else {
            calls[previous as usize].next = call;
        }
        if calls.get(self.first as usize).is_none_or(|first| before(due, first.due)) {
            self.first = call;
        }
    }

    /// Removes the first transmission to end.
    pub fn pop(&mut self, calls: &mut [Call]) -> Option<u32> {
        let call = self.first;
        let Call { due, next, .. } = *calls.get(call as usize)?;
        self.at = due.0 >> self.shift;
        let place = self.at as usize & (self.lists.len() - 1);
        self.begin_list(place, next);
        self.first = self.first_of_all(calls);
        Some(call)
    }

    /// Removes a transmission before its end.
    pub fn remove(&mut self, calls: &mut [Call], call: u32) {
        let Call { due, next, .. } = calls[call as usize];
        let place = (due.0 >> self.shift) as usize & (self.lists.len() - 1);
        let members = list(self.lists[place], |member| calls[member as usize].next);
        match members.take_while(|&other| other != call).last() {
            Some(before) => calls[before as usize].next = next,
            None => self.begin_list(place, next),
        }
        calls[call as usize].next = NONE;
        if self.first == call {
            self.first = self.first_of_all(calls);
        }
    }

    /// Makes a transmission, or [`NONE`], the first of a list.
    #[inline]
    fn begin_list(&mut self, place: usize, first: u32) {
        self.lists[place] = first;
        if first == NONE {
            self.filled[place / 64] &= !(1 << (place % 64));
        }
    }

    #[inline]
    fn first_of_all(&self, calls: &[Call]) -> u32 {
        self.next_in_round(calls).unwrap_or_else(|| {
            // All remaining transmissions end more than a round later.
            let lists = self.lists.iter().copied().filter(|&first| first != NONE);
            lists.min_by_key(|&first| calls[first as usize].due).unwrap_or(NONE)
        })
    }

    /// The first transmission that ends within a round from the current bucket.
    fn next_in_round(&self, calls: &[Call]) -> Option<u32> {
        let (mut bucket, end) = (self.at, self.at + self.lists.len() as u64);
        while bucket < end {
            let place = bucket as usize & (self.lists.len() - 1);
            let ahead = self.filled[place / 64] >> (place % 64);
            if ahead == 0 {
                bucket += 64 - place as u64 % 64;
                continue;
            }
            let skipped = ahead.trailing_zeros();
            bucket += u64::from(skipped);
            let first = self.lists[place + skipped as usize];
            if calls[first as usize].due.0 >> self.shift == bucket {
                return Some(first);
            }
            bucket += 1;
        }
        None
    }

    /// All transmissions, in arbitrary order.
    pub fn members<'a>(&'a self, calls: &'a [Call]) -> impl Iterator<Item = u32> + 'a {
        let lists = self.lists.iter();
        lists.flat_map(|&first| list(first, |call| calls[call as usize].next))
    }
}

#[cfg(test)]
mod tests;
