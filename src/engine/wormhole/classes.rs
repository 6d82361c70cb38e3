//! Groups waiting heads with equal candidates, to examine only one head per class.
//!
//! Only the first of the messages that wait at a source with the same candidates is in the list of
//! its router; the others are chained behind it, and the first is always served first. The chain has
//! an entry for each rank, a heap of the messages of equal rank (`ties.rs`). A head without any free candidate is not examined again until one of its channels is freed. Both affect
//! only the cost of long queues.

use super::engine::WormholeEngine;
use super::records::{NONE, Worm};
use super::rules::Rules;
use super::ties;
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
    pub(super) fn waits_for_channels<M: Rules>(&self, worm: u32) -> bool {
        if self.straight || self.wants_room() {
            return false;
        }
        // Other rules of sources and destinations apply where these have channels, or messages in sequence.
        let in_network = || self.state.worm(worm).head != NONE && !self.meets_terminal(worm);
        !M::TABLES || self.detours.is_none() && (in_network() || !self.one_class())
    }

    /// Records that a head in the list of a router has no free candidate.
    pub(super) fn note_looked<M: Rules>(&mut self, worm: u32) {
        if self.state.worm(worm).head == NONE {
            self.class_of(worm);
        } else if M::TABLES {
            // The candidates are those of the last examination.
            let channels = self.common.candidates.iter().map(|candidate| candidate.channel.0);
            let marks = channels.fold(0, |marks, channel| marks | Worm::mark(channel));
            self.state.worms[worm as usize].class = u64::from(marks);
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

    /// Inserts `worm` into the class of `first`, by priority.
    fn insert_in_class(&mut self, first: u32, worm: u32) {
        let worms = &mut self.state.worms;
        let rank = worms[worm as usize].rank;
        let mut last = match worms[first as usize].class_last {
            NONE => first,
            last => last,
        };
        // The new message is nearly always the youngest, or as young.
        let mut before = last;
        while before != NONE && rank < worms[before as usize].rank {
            before = worms[before as usize].class_before;
        }
        let (mut of_rank, mut next) = (worm, first);
        if before != NONE {
            let Worm { rank: other, class_before, class_next, .. } = worms[before as usize];
            next = class_next;
            if other == rank {
                of_rank = ties::join(worms, before, worm);
                before = class_before;
            }
        }
        match next {
            NONE => last = of_rank,
            next => worms[next as usize].class_before = of_rank,
        }
        let row = &mut worms[of_rank as usize];
        (row.class_before, row.class_next) = (before, next);
        if before != NONE {
            worms[before as usize].class_next = of_rank;
            worms[first as usize].class_last = last;
            return;
        }
        row.class_last = last;
        if of_rank != first {
            // Takes the place in the list of the router.
            let router = row.at;
            worms[first as usize].class_last = NONE;
            self.unlist(first, router);
            self.wait_at(of_rank, router);
        }
    }

    /// Removes the first message of a class; returns the next, or [`NONE`].
    pub(super) fn leave_class(&mut self, first: u32) -> u32 {
        let worms = &mut self.state.worms;
        let row = &mut worms[first as usize];
        let next = std::mem::replace(&mut row.class_next, NONE);
        let last = std::mem::replace(&mut row.class_last, NONE);
        let mut heir = next;
        if row.class_ties != NONE {
            heir = ties::leave(worms, first);
            worms[heir as usize].class_next = next;
            if next != NONE {
                worms[next as usize].class_before = heir;
            }
        }
        if heir != NONE {
            let row = &mut worms[heir as usize];
            row.class_before = NONE;
            row.class_last = if next == NONE { NONE } else { last };
        }
        heir
    }
}

#[cfg(test)]
mod tests;
