//! Pairs the deliveries of the same message in two runs.
//!
//! Messages are identified by source and serial number. Memory is bounded.
//!
//! A message delivered in one run waits here for delivery in the other. If too many messages wait
//! because one run is far behind, only every second message, selected by a hash of its name, is
//! considered from then on, later every fourth, and so on. The state at a cycle is a function of
//! the deliveries up to this cycle alone, so checkpoints can contain the state and replays
//! reproduce the state.

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

/// Waiting messages by name. The hashes are the same in every process, because the size of the
/// table, and with it the times of checkpoints, depends on them.
type Names = HashMap<MessageId, Waiting, BuildHasherDefault<DefaultHasher>>;

/// A message delivered in one of the runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Waiting {
    born: u64,
    latency: u64,
    /// True if delivered in the second run.
    second: bool,
}

/// Messages delivered in both runs or in one run only.
#[derive(PartialEq, Debug, Educe)]
#[educe(Clone)]
pub struct Pairs {
    waiting: Names,
    /// The number of waiting messages, by run of delivery.
    only: [u64; 2],
    paired: Paired,
    /// Messages generated at this cycle or later are excluded.
    until: u64,
    /// True if both runs had completed their warm-up at the start of pairing.
    settled: bool,
    /// One message in `2^thinned` is considered.
    thinned: u32,
    waiting_max: usize,
}

/// Statistics of the messages of two runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairsSummary {
    pub paired: PairedSummary,
    /// The number of messages delivered only in the first run and only in the second run so far.
    pub only: [u64; 2],
    /// True if both runs have completed their warm-up. Before, the figures cover all messages and
    /// are provisional.
    pub settled: bool,
    /// One message in this number was considered; if larger than 1, [`Self::only`] is an estimate.
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
    /// Restarts with messages generated at cycle `from` or later, unless already started so.
    /// `settled` is true if both runs have completed their warm-up.
    pub(super) fn begin(&mut self, from: u64, settled: bool) {
        if (self.paired.from(), self.settled) != (from, settled) {
            self.waiting.clear();
            self.only = [0; 2];
            self.thinned = 0;
            self.paired = Paired::new(from);
            self.settled = settled;
        }
    }

    /// Excludes messages generated at cycle `until` or later.
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

    /// True if a message is in the selection.
    fn looks_at(&self, MessageId { source, serial }: MessageId) -> bool {
        self.thinned == 0 || mix(u64::from(source.0), serial) >> (64 - self.thinned) == 0
    }

    /// Halves the selection until few enough messages wait. Call this only at cycles independent of
    /// the division into calls.
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

    /// Summarises the pairs so far.
    pub fn summary(&self) -> PairsSummary {
        PairsSummary {
            paired: self.paired.summary(),
            only: self.only.map(|count| count << self.thinned),
            settled: self.settled,
            one_in: 1 << self.thinned,
        }
    }

    /// Size in bytes, excluding the value itself.
    pub(super) fn bytes(&self) -> usize {
        let entry = size_of::<(MessageId, Waiting)>() + 1;
        self.waiting.capacity() * entry + self.paired.get_heap_size()
    }
}

#[cfg(test)]
pub(super) mod tests;
