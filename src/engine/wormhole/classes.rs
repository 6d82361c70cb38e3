//! Groups waiting heads with equal candidates, to examine only one head per class.
//!
//! Only the first of the messages that wait at a source with the same candidates is in the list of
//! its router; the others are chained behind it, and the first is always served first. A head
//! without any free candidate is not examined again until one of its channels is freed. Both affect
//! only the cost of long queues.

use super::engine::WormholeEngine;
use super::records::{NONE, Worm};
use super::rules::Rules;
use crate::random::mix;
use crate::switching::{Injection, Terminals};

impl WormholeEngine {
    /// True if all messages of a source, or of a message class with its own VCs, request in sequence
    /// and form one class.
    pub(super) fn one_class(&self) -> bool {
        self.switching.terminals == Terminals::Channels
            || self.switching.injection == Injection::OneMessage
    }

    /// The number of the class of a message, if its source has one for each message class.
    fn class_in_sequence(&self, worm: u32) -> u64 {
        let apart = self.common.relation.message_classes() > 1
            && self.switching.injection != Injection::OneMessage;
        if apart { 1 + u64::from(self.state.worm(worm).header.message_class) } else { 1 }
    }

    /// A number equal for messages with the same candidates, and never 0.
    fn class_of(&mut self, worm: u32) -> u64 {
        if self.one_class() {
            return self.class_in_sequence(worm);
        }
        if self.state.worm(worm).class == 0 {
            self.classify(worm);
        }
        self.state.worm(worm).class
    }

    fn classify(&mut self, worm: u32) {
        let stop = self.state.stop(worm, &self.common.relation);
        let row = &mut self.state.worms[worm as usize];
        let candidates = &mut *self.common.candidates;
        self.common.relation.candidates(stop, &row.header, candidates);
        let (hash, marks) = candidates.iter().fold((1, 0), |(hash, marks), candidate| {
            let name = u64::from(candidate.channel.0) << 32 | u64::from(candidate.vcs);
            (mix(hash, name), marks | Worm::mark(candidate.channel.0))
        });
        row.class = (hash | 1) << 32 | u64::from(marks);
    }

    /// True if a head without free candidates waits only for the release of its channels, and if
    /// remembering them is worthwhile.
    #[inline]
    pub(super) fn waits_for_channels<M: Rules>(&self) -> bool {
        !M::TABLES && !self.straight && !self.wants_room()
    }

    /// Records that a head in the list of a router has no free candidate.
    pub(super) fn note_looked(&mut self, worm: u32) {
        if self.state.worm(worm).head == NONE {
            self.class_of(worm);
        } else {
            self.classify(worm);
        }
        self.state.worms[worm as usize].looked = true;
    }

    /// Chains a message behind the oldest message of its class and source, if waiting; returns
    /// false otherwise.
    pub(super) fn chain_behind_class(&mut self, worm: u32, router: u32) -> bool {
        let source = self.state.worm(worm).source;
        let mut at = self.state.heads[router as usize].waiting;
        while at != NONE {
            let other = self.state.worm(at);
            let next = other.waits_next;
            let of_source = other.head == NONE && other.source == source;
            if of_source && self.class_of(at) == self.class_of(worm) {
                self.insert_in_class(at, worm);
                return true;
            }
            at = next;
        }
        false
    }

    /// Inserts `worm` into the chain of `first`, by priority.
    fn insert_in_class(&mut self, first: u32, worm: u32) {
        let worms = &mut self.state.worms;
        let age = worms[worm as usize].priority();
        let last = match worms[first as usize].class_last {
            NONE => first,
            last => last,
        };
        if age < worms[first as usize].priority() {
            // Born in the same cycle, and first by the tie-break: takes the place in the list.
            let router = worms[first as usize].at;
            worms[worm as usize].class_next = first;
            worms[worm as usize].class_last = last;
            worms[first as usize].class_last = NONE;
            worms[first as usize].class_before = worm;
            self.unlist(first, router);
            self.wait_at(worm, router);
        } else if worms[last as usize].priority() < age {
            worms[last as usize].class_next = worm;
            worms[worm as usize].class_before = last;
            worms[first as usize].class_last = worm;
        } else {
            // The new message is nearly always among the youngest.
            let mut after = last;
            let mut before = worms[after as usize].class_before;
            while age < worms[before as usize].priority() {
                (after, before) = (before, worms[before as usize].class_before);
            }
            worms[before as usize].class_next = worm;
            worms[worm as usize].class_before = before;
            worms[worm as usize].class_next = after;
            worms[after as usize].class_before = worm;
        }
    }
}

#[cfg(test)]
mod tests;
