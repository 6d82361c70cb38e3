//! Labels messages of the second of two runs like the same messages of the first run.
//!
//! The first run keeps its own labels. A message in both networks has the label of the first run in
//! the second run too, and keeps the label after delivery in the first run, until the first run
//! assigns the label to another message present in both. A message present only in the second run
//! has a label used by neither run: the second run's own label if unused, otherwise a label above
//! the reused range. All labels depend only on the cycles at which messages entered and left the
//! two networks.

use std::collections::BTreeMap;

use educe::Educe;

use crate::engine::Snapshot;
use crate::engine::letters::{Change, LETTERS};
use crate::ids::{Letter, MessageId};

#[derive(Debug, Default, Educe)]
#[educe(Clone)]
struct Used {
    names: BTreeMap<MessageId, Letter>,
    holders: BTreeMap<Letter, MessageId>,
}

impl Used {
    fn give(&mut self, message: MessageId, letter: Letter) {
        self.give_back(message);
        self.names.insert(message, letter);
        self.holders.insert(letter, message);
    }

    fn give_back(&mut self, message: MessageId) {
        if let Some(letter) = self.names.remove(&message) {
            self.holders.remove(&letter);
        }
    }

    fn has(&self, letter: Letter) -> bool {
        self.holders.contains_key(&letter)
    }
}

#[derive(Debug, Default, Educe)]
#[educe(Clone)]
pub(super) struct SharedLetters {
    first: Used,
    second: Used,
    /// Scratch.
    changes: Vec<(bool, Change)>,
}

impl SharedLetters {
    /// Processes the changes of both runs up to the same cycle.
    pub fn take(&mut self, [first, second]: [&[Change]; 2]) {
        let mut changes = std::mem::take(&mut self.changes);
        changes.extend(first.iter().map(|&change| (false, change)));
        changes.extend(second.iter().map(|&change| (true, change)));
        // Keeps the order within each run; at equal times the first run precedes the second.
        changes.sort_by_key(|&(second, change)| (change.time, second));
        for &(second, Change { message, letter, given, .. }) in &changes {
            match (second, given) {
                (false, true) => self.enters_first(message, letter),
                (false, false) => self.first.give_back(message),
                (true, true) => self.enters_second(message, letter),
                (true, false) => self.second.give_back(message),
            }
        }
        changes.clear();
        self.changes = changes;
    }

    fn enters_first(&mut self, message: MessageId, letter: Letter) {
        self.first.give(message, letter);
        if self.second.names.contains_key(&message) {
            self.share_label(message, letter);
        }
    }

    fn enters_second(&mut self, message: MessageId, own: Letter) {
        match self.first.names.get(&message) {
            Some(&letter) => self.share_label(message, letter),
            None if self.is_free(own) => self.second.give(message, own),
            None => self.second.give(message, self.unused()),
        }
    }

    /// Labels a message present in both runs; another message of the second run with this label
    /// gets a new label.
    fn share_label(&mut self, message: MessageId, letter: Letter) {
        let other = self.second.holders.get(&letter).copied();
        if let Some(other) = other.filter(|&other| other != message) {
            self.second.give(other, self.unused());
        }
        self.second.give(message, letter);
    }

    fn is_free(&self, letter: Letter) -> bool {
        !self.first.has(letter) && !self.second.has(letter)
    }

    /// The lowest label above the reused range that is used by neither run.
    fn unused(&self) -> Letter {
        let mut letter = Letter(LETTERS);
        while !self.is_free(letter) {
            letter.0 += 1;
        }
        letter
    }

    /// Writes the labels into a snapshot of the second run.
    pub fn show(&self, snapshot: &mut Snapshot) {
        let shared = |message| self.second.names.get(&message).copied();
        for worm in &mut snapshot.worms {
            worm.letter = shared(worm.name()).unwrap_or(worm.letter);
        }
        for circuit in &mut snapshot.circuits {
            circuit.letter = shared(circuit.name()).or(circuit.letter);
        }
    }

    /// Approximate size in bytes, excluding the value itself.
    pub fn bytes(&self) -> usize {
        let each = size_of::<(MessageId, Letter)>() + size_of::<Letter>();
        2 * each * (self.first.names.len() + self.second.names.len())
            + self.changes.capacity() * size_of::<(bool, Change)>()
    }
}
