//! Assigns labels to messages in the network: numbers, shown as letters on the screen.
//!
//! A message receives a label when it enters the network, with the grant of its first virtual
//! channel or link, and returns the label on delivery; failed attempts change nothing. The first
//! [`LETTERS`] labels are assigned in rotation, starting after the last assignment, so that a label
//! is not soon reused. If all are in use, the lowest free label above is assigned. Worms that enter
//! in the same cycle are labelled at its end, by source and then by serial number; circuits in the
//! order of events. Labels thus depend only on the run and the cycle.

use educe::Educe;
use get_size2::GetSize;

use crate::ids::{Letter, MessageId};

/// The number of labels assigned in rotation: the number of letters.
pub const LETTERS: u32 = 23;

/// The number of higher labels per word.
const WORD: u32 = u64::BITS;

/// A label assigned or returned.
#[derive(Clone, Copy, Debug, GetSize)]
pub(crate) struct Change {
    /// The time in cycles or ticks.
    pub(crate) time: u64,
    pub(crate) message: MessageId,
    pub(crate) letter: Letter,
    pub(crate) given: bool,
}

/// The set of free labels. No labels are assigned before `Letters::want`.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct Letters {
    wanted: bool,
    /// A bit for each free label below [`LETTERS`].
    first: u32,
    /// The label tried first.
    next: u32,
    /// A bit for each free higher label.
    more: Vec<u64>,
    /// A log of changes, for two runs with common labels.
    log: Option<Vec<Change>>,
}

impl Default for Letters {
    fn default() -> Self {
        Self { wanted: false, first: (1 << LETTERS) - 1, next: 0, more: Vec::new(), log: None }
    }
}

impl Letters {
    /// Starts to label messages as they enter; to be called at the start of a run.
    pub(crate) fn want(&mut self) {
        self.wanted = true;
    }

    /// True if messages receive labels.
    #[inline]
    pub(super) fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// Assigns a label to a message.
    pub(super) fn give(&mut self, time: u64, message: MessageId) -> Letter {
        let letter = if self.first == 0 {
            let at = self.more.iter().position(|&word| word != 0).unwrap_or_else(|| {
                self.more.push(u64::MAX);
                self.more.len() - 1
            });
            let bit = self.more[at].trailing_zeros();
            self.more[at] &= self.more[at] - 1;
            Letter(LETTERS + at as u32 * WORD + bit)
        } else {
            let ahead = self.first >> self.next << self.next;
            let number = if ahead == 0 { self.first } else { ahead }.trailing_zeros();
            self.first &= !(1 << number);
            self.next = number + 1;
            Letter(number)
        };
        self.note(Change { time, message, letter, given: true });
        letter
    }

    /// Returns the label of a message.
    #[inline]
    pub(super) fn give_back(&mut self, time: u64, message: MessageId, letter: Letter) {
        match letter.0.checked_sub(LETTERS) {
            None => self.first |= 1 << letter.0,
            Some(above) => self.more[(above / WORD) as usize] |= 1 << (above % WORD),
        }
        self.note(Change { time, message, letter, given: false });
    }

    #[inline]
    fn note(&mut self, change: Change) {
        if let Some(log) = &mut self.log {
            log.push(change);
        }
    }

    /// Starts or stops the log of changes.
    pub(crate) fn keep_log(&mut self, kept: bool) {
        self.log = kept.then(Vec::new);
    }

    /// Moves the changes since the last call to `out`.
    pub(crate) fn take_log(&mut self, out: &mut Vec<Change>) {
        out.clear();
        out.extend(self.log.iter_mut().flat_map(|log| log.drain(..)));
    }
}

#[cfg(test)]
mod tests;
