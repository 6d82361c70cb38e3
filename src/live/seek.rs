//! Seeks through time in slices.

use super::stage::{Stage, Then};
use crate::session::tape::SeekProgress;
use crate::units::Cycle;

impl Stage {
    /// Stops all activity of the run, before a new command.
    pub(super) fn halt(&mut self) {
        (self.running, self.hurry, self.until) = (false, None, None);
        self.forget_stop();
        (self.then, self.no_such_event) = (None, false);
    }

    /// Starts seeking `cycle`, which must be known.
    pub(super) fn seek(&mut self, cycle: u64) {
        self.halt();
        self.tape.seek(Cycle(cycle), self.window);
    }

    /// Cancels seeking and returns to its start; ends a long step at the present cycle.
    pub(super) fn give_up(&mut self) {
        if self.hurry.is_some() {
            self.halt();
        }
        if !self.tape.is_seeking() {
            return;
        }
        self.then = None;
        self.tape.cancel();
        self.landed();
        self.watched().for_each(|(monitor, session)| monitor.mark(session));
    }

    /// Updates breakpoints and bookmarks after a seek.
    pub(super) fn landed(&mut self) {
        self.watched().for_each(|(monitor, session)| monitor.watch.reset(session));
        self.mark_deadlock();
    }

    /// Continues seeking by at most `cycles`, or until `enough` is true; returns the number of
    /// cycles left.
    pub(super) fn seek_on(&mut self, cycles: u64, enough: impl Fn() -> bool) -> u64 {
        let mut left = cycles;
        while left > 0 && self.tape.is_seeking() && !enough() {
            let now = self.now();
            let end = self.watched().map(|(monitor, _)| monitor.winds_to(now)).min();
            let piece = left.min(end.map_or(left, |end| end - now));
            let progress = self.tape.advance_seek(piece);
            left -= piece;
            self.watched().for_each(|(monitor, session)| monitor.note_sample(session));
            match progress {
                SeekProgress::Going => {}
                SeekProgress::Passing => {
                    self.watched().for_each(|(monitor, session)| monitor.mark(session));
                }
                SeekProgress::Done | SeekProgress::Nothing => {
                    self.no_such_event = progress == SeekProgress::Nothing;
                    self.landed();
                    self.arrived();
                }
            }
        }
        left
    }

    fn arrived(&mut self) {
        match self.then.take() {
            Some(Then::Seek(cycle, running)) => {
                if cycle != self.now() {
                    self.seek(cycle);
                }
                self.running = running;
            }
            Some(Then::Step(cycle)) => {
                let now = self.now();
                if cycle > now {
                    self.step(cycle - now);
                }
            }
            None => {}
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
