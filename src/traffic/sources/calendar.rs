//! The next arrival of every source, in a calendar queue (R. Brown, 1988).
//!
//! The lists are linked through the sources.

use educe::Educe;
use get_size2::GetSize;

/// Minimum and maximum number of buckets; powers of two.
const BUCKETS: (usize, usize) = (256, 4096);
/// Marks the absence of a source.
const NONE: u32 = u32::MAX;

/// The time and the terminal of the next message.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Due {
    pub cycle: u64,
    pub node: u32,
    /// The queue of the message.
    pub queue: u32,
}

impl Due {
    /// No further message is known.
    pub const NEVER: Self = Self { cycle: u64::MAX, node: u32::MAX, queue: u32::MAX };
}

/// The time of a source's next arrival, and the next source in the same bucket.
#[derive(Clone, Copy, Debug, GetSize)]
struct Entry {
    /// `u64::MAX` if the source sends nothing.
    due: u64,
    next: u32,
}

/// The next arrival of every sending source, ordered by cycle (or tick).
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Calendar {
    entries: Vec<Entry>,
    /// The first source of each list. A bucket is `1 << shift` cycles long. Buckets are numbered
    /// from cycle 0; those with numbers equal modulo the number of lists share a list.
    first: Vec<u32>,
    /// A bit for each list, set if not empty.
    filled: Vec<u64>,
    shift: u32,
    /// The bucket opened last.
    at: u64,
    /// Arrivals of this and earlier buckets in reverse order; empty only if no arrivals remain.
    soon: Vec<(u64, u32)>,
}

impl Calendar {
    /// Creates a calendar without arrivals for a number of sources.
    pub fn new(sources: usize) -> Self {
        let buckets = (4 * sources).next_power_of_two().clamp(BUCKETS.0, BUCKETS.1);
        Self {
            entries: vec![Entry { due: u64::MAX, next: NONE }; sources],
            first: vec![NONE; buckets],
            filled: vec![0; buckets / 64],
            shift: 0,
            at: 0,
            soon: Vec::new(),
        }
    }

    /// Replaces all arrivals by the next arrival of each source, if any.
    pub fn fill(&mut self, dues: impl Iterator<Item = Option<u64>>) {
        self.first.fill(NONE);
        self.filled.fill(0);
        self.soon.clear();
        for (entry, due) in self.entries.iter_mut().zip(dues) {
            entry.due = due.unwrap_or(u64::MAX);
        }
        let dues = || self.entries.iter().map(|entry| entry.due).filter(|&due| due < u64::MAX);
        let Some(soonest) = dues().min() else { return };
        let ahead: u128 = dues().map(|due| u128::from(due - soonest)).sum();
        let mean = ahead / dues().count() as u128;
        // Most arrivals fall within one round of the buckets.
        self.shift = (mean * 4 / self.first.len() as u128).checked_ilog2().map_or(0, |it| it + 1);
        self.at = soonest >> self.shift;
        for source in 0..self.entries.len() as u32 {
            let due = self.entries[source as usize].due;
            if due < u64::MAX {
                self.enter(due, source);
            }
        }
    }

    /// The first arrival.
    #[inline]
    pub fn first(&self) -> Due {
        self.soon.last().map_or(Due::NEVER, |&(cycle, node)| Due { cycle, node, queue: node })
    }

    /// Replaces the first arrival by the next arrival of the same source, at `due`.
    #[inline]
    pub fn follow(&mut self, due: u64) {
        if let Some((_, source)) = self.soon.pop() {
            self.enter(due, source);
        }
        if self.soon.is_empty() {
            self.open_next();
        }
    }

    #[inline]
    fn enter(&mut self, due: u64, source: u32) {
        let bucket = due >> self.shift;
        if bucket > self.at {
            self.link(bucket, due, source);
        } else {
            let place = self.soon.partition_point(|&other| other > (due, source));
            self.soon.insert(place, (due, source));
        }
    }

    /// The list of a bucket; the number of lists is a power of two.
    #[inline]
    fn list_of(&self, bucket: u64) -> usize {
        bucket as usize & (self.first.len() - 1)
    }

    #[inline]
    fn link(&mut self, bucket: u64, due: u64, source: u32) {
        let list = self.list_of(bucket);
        self.entries[source as usize] = Entry { due, next: self.first[list] };
        self.first[list] = source;
        self.filled[list / 64] |= 1 << (list % 64);
    }

    /// Advances to the next bucket with an arrival.
    #[inline(never)]
    fn open_next(&mut self) {
        loop {
            let end = self.at + self.first.len() as u64;
            while let Some(bucket) = self.next_filled(end) {
                self.at = bucket;
                self.open(bucket);
                if self.soon.len() > 1 {
                    self.soon.sort_unstable_by(|a, b| b.cmp(a));
                }
                if !self.soon.is_empty() {
                    return;
                }
            }
            // All arrivals are more than one round in the future.
            let soonest = self.entries.iter().map(|entry| entry.due).min().unwrap_or(u64::MAX);
            if soonest == u64::MAX {
                return;
            }
            self.at = (soonest >> self.shift) - 1;
        }
    }

    /// The first bucket after the present one, up to `end`, with a non-empty list.
    #[inline]
    fn next_filled(&self, end: u64) -> Option<u64> {
        let mut bucket = self.at + 1;
        while bucket <= end {
            let list = self.list_of(bucket);
            let ahead = self.filled[list / 64] >> (list % 64);
            if ahead != 0 {
                return Some(bucket + u64::from(ahead.trailing_zeros())).filter(|&it| it <= end);
            }
            bucket += 64 - list as u64 % 64;
        }
        None
    }

    /// Moves the arrivals of a bucket out of its list; those of later rounds remain.
    fn open(&mut self, bucket: u64) {
        let list = self.list_of(bucket);
        let mut source = std::mem::replace(&mut self.first[list], NONE);
        self.filled[list / 64] &= !(1 << (list % 64));
        while source != NONE {
            let Entry { due, next } = self.entries[source as usize];
            if due >> self.shift == bucket {
                self.soon.push((due, source));
            } else {
                self.link(bucket, due, source);
            }
            source = next;
        }
    }
}

#[cfg(test)]
mod tests;
