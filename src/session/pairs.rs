//! Finds the same messages among the deliveries of two runs, by source and serial number, in bounded
//! memory.
//!
//! A message that has arrived in one run waits here for its arrival in the other. Where too many wait,
//! because one run is far behind, only every second message is looked at from then on, by a hash of its
//! name, then every fourth, and so on. What is known after some cycle is a function of what was
//! delivered until then, however the runs were cut: that is why it can be kept in checkpoints and made
//! again.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::BuildHasherDefault;

use educe::Educe;
use get_size2::GetSize;

use crate::engine::Delivery;
use crate::ids::MessageId;
use crate::random::mix;
use crate::stats::{Paired, PairedSummary};

const WAITING_MAX: usize = 1 << 16;

/// Messages by name. How large the table grows depends on its hashes, and on that when a checkpoint is
/// taken: so they are the same in every run of the program.
type Names = HashMap<MessageId, Waiting, BuildHasherDefault<DefaultHasher>>;

/// A message that has arrived in one of the runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Waiting {
    born: u64,
    latency: u64,
    /// True if that was in the second.
    second: bool,
}

/// What was delivered in both runs, and what in one of them only.
#[derive(PartialEq, Debug, Educe)]
#[educe(Clone)]
pub struct Pairs {
    waiting: Names,
    /// Messages that wait, by the run in which they have arrived.
    only: [u64; 2],
    paired: Paired,
    /// Messages generated at this cycle or later are left out.
    until: u64,
    /// True if both runs were past their warm-up when this began.
    settled: bool,
    /// One message in 2 to this power is looked at.
    thinned: u32,
    waiting_max: usize,
}

/// What is known of the messages of two runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairsSummary {
    pub paired: PairedSummary,
    /// Those delivered in the first only, and in the second only, so far.
    pub only: [u64; 2],
    /// True if both runs are past their warm-up; before, the figures are of all messages so far, and
    /// provisional.
    pub settled: bool,
    /// One message in this many was looked at; where that is more than 1, [`Self::only`] is an estimate.
    pub one_in: u64,
}

impl Default for Pairs {
    fn default() -> Self {
        Self {
            waiting: Names::default(),
            only: [0; 2],
            paired: Paired::new(0),
            until: u64::MAX,
            settled: false,
            thinned: 0,
            waiting_max: WAITING_MAX,
        }
    }
}

impl Pairs {
    /// Begins with messages generated at cycle `from` or later, unless it has. `settled` says whether
    /// both runs are past their warm-up.
    pub(super) fn begin(&mut self, from: u64, settled: bool) {
        if (self.paired.from(), self.settled) != (from, settled) {
            self.waiting.clear();
            self.only = [0; 2];
            self.thinned = 0;
            self.paired = Paired::new(from);
            self.settled = settled;
        }
    }

    /// Leaves out what is generated at cycle `until` or later.
    pub(super) fn close(&mut self, until: u64) {
        self.until = until;
    }

    pub(super) fn take(&mut self, delivery: &Delivery, second: bool) {
        let name = delivery.name();
        if !(self.paired.from()..self.until).contains(&delivery.born.0) || !self.looks_at(name) {
            return;
        }
        let own = Waiting { born: delivery.born.0, latency: delivery.latency(), second };
        match self.waiting.entry(name) {
            Entry::Vacant(free) => {
                free.insert(own);
                self.only[usize::from(second)] += 1;
            }
            Entry::Occupied(other) => {
                let other = other.remove();
                self.only[usize::from(other.second)] -= 1;
                let (first, second) = if second { (other, own) } else { (own, other) };
                self.paired.record(own.born, first.latency, second.latency);
            }
        }
    }

    /// Whether a message is among those looked at.
    fn looks_at(&self, MessageId { source, serial }: MessageId) -> bool {
        self.thinned == 0 || mix(u64::from(source.0), serial) >> (64 - self.thinned) == 0
    }

    /// Looks at half of the messages from now on, as often as too many wait. To be called at cycles
    /// that do not depend on how the runs are cut.
    pub(super) fn thin(&mut self) {
        while self.waiting.len() > self.waiting_max {
            self.thinned += 1;
            let mut waiting = std::mem::take(&mut self.waiting);
            waiting.retain(|&name, _| self.looks_at(name));
            self.waiting = waiting;
            let second = self.waiting.values().filter(|waiting| waiting.second).count() as u64;
            self.only = [self.waiting.len() as u64 - second, second];
        }
    }

    /// What is known now.
    pub fn summary(&self) -> PairsSummary {
        PairsSummary {
            paired: self.paired.summary(),
            only: self.only.map(|count| count << self.thinned),
            settled: self.settled,
            one_in: 1 << self.thinned,
        }
    }

    /// Bytes held beside the value itself.
    pub(super) fn bytes(&self) -> usize {
        let entry = size_of::<(MessageId, Waiting)>() + 1;
        self.waiting.capacity() * entry + self.paired.get_heap_size()
    }
}

#[cfg(test)]
mod tests;
