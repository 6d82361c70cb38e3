//! The numbers by which people tell the messages in the network apart: letters, on the screen.
//!
//! A message is given one when it enters the network (its first virtual channel or link is granted)
//! and gives it back when it is delivered; an attempt that fails changes nothing. The first
//! [`LETTERS`] numbers go round: the next free one after the one given last, so that a number does
//! not come up again soon. Where all of them are taken, it is the lowest free one above. Worms that
//! enter in one cycle are served at its end, the lower source first, then the lower serial number;
//! circuits in the order of events. So a number depends on the run and the cycle alone.

use educe::Educe;
use get_size2::GetSize;

use crate::ids::{Letter, MessageId};

/// The numbers that go round: as many as there are letters.
pub const LETTERS: u32 = 23;

/// The numbers above, in a word.
const WORD: u32 = u64::BITS;

/// A number given or given back.
#[derive(Clone, Copy, Debug, GetSize)]
pub(crate) struct Change {
    /// The cycle, or tick.
    pub(crate) time: u64,
    pub(crate) message: MessageId,
    pub(crate) letter: Letter,
    pub(crate) given: bool,
}

/// Which numbers are free. Nothing is given until somebody wants to tell messages apart.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct Letters {
    wanted: bool,
    /// A bit for each of the first [`LETTERS`] that is free.
    first: u32,
    /// The number that is tried first.
    next: u32,
    /// A bit for each of those above that is free.
    more: Vec<u64>,
    /// What has changed, where two runs share their numbers.
    log: Option<Vec<Change>>,
}

impl Default for Letters {
    fn default() -> Self {
        Self { wanted: false, first: (1 << LETTERS) - 1, next: 0, more: Vec::new(), log: None }
    }
}

impl Letters {
    /// Starts numbering messages as they enter. To be asked at the
    /// beginning of a run.
    pub(crate) fn want(&mut self) {
        self.wanted = true;
    }

    /// True if messages are given numbers.
    #[inline]
    pub(super) fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// Gives a message a number.
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

    /// A message gives its number back.
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

    /// Notes changes from now on, or no longer.
    pub(crate) fn keep_log(&mut self, kept: bool) {
        self.log = kept.then(Vec::new);
    }

    /// Hands over what has changed since the last call.
    pub(crate) fn take_log(&mut self, out: &mut Vec<Change>) {
        out.clear();
        out.extend(self.log.iter_mut().flat_map(|log| log.drain(..)));
    }
}

#[cfg(test)]
mod tests;
