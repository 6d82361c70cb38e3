//! The simulation thread's way back: seeking, events, bookmarks, saved sessions.

use std::sync::Arc;
use std::time::Instant;

use super::history::{Event, SAMPLE_CYCLES};
use super::worker::{SLICE, Worker};
use super::{Command, Seeking};
use crate::scenario::saved::Saved;
use crate::session::tape::{Tape, Wound};
use crate::session::{Change, Session};
use crate::units::Cycle;

/// What is left to do once the tape is where it was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Then {
    /// Simulate on to this cycle, which nobody has seen yet.
    Step(u64),
    /// Go back to this one.
    Seek(u64),
}

/// What the thread knows of winding besides the tape itself.
#[derive(Debug, Default)]
pub(super) struct Winding {
    then: Option<Then>,
    /// Cycles in a slice.
    slice: u64,
    /// Whether the event looked for does not exist.
    pub(super) nothing: bool,
    /// Cycles that a person marked, in order.
    pub(super) bookmarks: Vec<u64>,
    /// The last session asked for, and how many were.
    pub(super) saved: Option<Arc<Saved>>,
    pub(super) saves: u64,
}

impl Winding {
    /// Forgets all of a run but what was saved.
    pub(super) fn forget(&mut self) {
        self.then = None;
        self.nothing = false;
        self.bookmarks.clear();
    }
}

impl Worker<'_> {
    /// Commands that wind the tape, mark it or save it; hands back any other.
    pub(super) fn obey_winding(&mut self, command: Command) -> Option<Command> {
        let now = self.tape.now().0;
        match command {
            Command::Back(cycles) => self.seek(now.saturating_sub(cycles)),
            Command::Seek(cycle) if cycle > self.tape.live() => {
                self.seek(self.tape.live().0);
                self.winding.then = Some(Then::Step(cycle.0));
            }
            Command::Seek(cycle) => self.seek(cycle.0),
            Command::ToLive => self.seek(self.tape.live().0),
            Command::BackToEvent(wanted) => {
                self.halt();
                self.tape.seek_last(wanted, self.window);
            }
            Command::NextEvent(wanted) => {
                self.halt();
                self.tape.seek_next(wanted);
            }
            Command::Cancel => self.give_up(),
            Command::Bookmark => match self.winding.bookmarks.binary_search(&now) {
                Ok(at) => drop(self.winding.bookmarks.remove(at)),
                Err(at) => self.winding.bookmarks.insert(at, now),
            },
            Command::Save => {
                self.winding.saved = Some(Arc::new(self.saved()));
                self.winding.saves += 1;
            }
            Command::Resume(saved) => self.resume(*saved),
            other => return Some(other),
        }
        None
    }

    /// Stops whatever moves the run, to begin something else.
    fn halt(&mut self) {
        (self.running, self.hurry) = (false, false);
        self.until = None;
        self.watch.stopped_by = None;
        self.winding.then = None;
        self.winding.nothing = false;
        self.winding.slice = self.winding.slice.clamp(64, 4096);
    }

    fn seek(&mut self, cycle: u64) {
        self.halt();
        self.tape.seek(Cycle(cycle), self.window);
    }

    /// Gives up winding, if it goes on, and returns.
    pub(super) fn give_up(&mut self) {
        if self.tape.is_winding() {
            self.tape.cancel();
            self.winding.then = None;
            self.landed();
            self.mark();
        }
    }

    /// Winds on for a few milliseconds.
    pub(super) fn wind_slice(&mut self) {
        let start = Instant::now();
        let mut left = self.winding.slice.max(1);
        while left > 0 && self.tape.is_winding() && start.elapsed() < SLICE {
            let now = self.tape.now().0;
            let sample = (now / SAMPLE_CYCLES + 1) * SAMPLE_CYCLES;
            // Unknown ground is sampled as it is crossed.
            let piece = if sample > self.history.end() { left.min(sample - now) } else { left };
            let wound = self.tape.wind(piece);
            left -= piece;
            self.note_sample();
            match wound {
                Wound::Going => {}
                Wound::Passing => self.mark(),
                Wound::Done | Wound::Nothing => {
                    self.winding.nothing = wound == Wound::Nothing;
                    self.arrived();
                }
            }
        }
        let took = start.elapsed();
        if left == 0 && took < SLICE / 2 {
            self.winding.slice = (self.winding.slice * 2).min(1 << 24);
        } else if left > 0 && took > SLICE {
            self.winding.slice = (self.winding.slice / 2).max(1);
        }
        self.pulse_at(self.tape.now().0);
        self.dirty = true;
    }

    fn arrived(&mut self) {
        self.landed();
        match self.winding.then.take() {
            Some(Then::Seek(cycle)) => self.seek(cycle),
            Some(Then::Step(cycle)) => {
                let now = self.tape.now().0;
                if cycle > now {
                    self.obey_run(Command::Step(cycle - now));
                }
            }
            None => {}
        }
    }

    /// The run stands somewhere else than before.
    fn landed(&mut self) {
        let breakpoint = self.watch.breakpoint;
        self.watch.set(breakpoint, &mut self.tape);
        self.rest();
        if self.tape.session().deadlock().is_some() {
            self.history.note(self.tape.now().0, Event::Deadlock);
        }
    }

    /// Averages the utilisation from here on.
    fn mark(&mut self) {
        self.tape.session().observe(&mut self.look);
        self.utilisation.restart(self.tape.now().0, &self.look.crossed);
    }

    /// Does something to the run; what it forks off is forgotten.
    pub(super) fn change(&mut self, change: Change) {
        let now = self.tape.now().0;
        if self.tape.apply(change) {
            self.history.cut(now);
            self.winding.bookmarks.retain(|&cycle| cycle <= now);
        }
        self.meter.restart(self.tape.session());
        self.history.note(now, Event::Load);
    }

    /// How far winding has come, for the screen.
    pub(super) fn seeking(&self) -> Option<Seeking> {
        let (to, share) = self.tape.progress()?;
        Some(Seeking { to, share })
    }

    /// The session as it could be written down now.
    fn saved(&self) -> Saved {
        let session = self.tape.session();
        Saved {
            scenario: Arc::clone(session.scenario()),
            seed: session.seed(),
            warm_up: session.warm_up(),
            journal: self.tape.journal().to_vec(),
            bookmarks: self.winding.bookmarks.iter().map(|&cycle| Cycle(cycle)).collect(),
            cycle: session.now(),
            live: self.tape.live(),
            fingerprint: Some(session.fingerprint()),
        }
    }

    /// Opens a saved session: runs to its newest cycle, so that all of it is known, and back to
    /// where it was saved.
    pub(super) fn resume(&mut self, saved: Saved) {
        let begun = Session::new(Arc::clone(&saved.scenario), saved.seed, 0, saved.warm_up);
        self.start_over(begun);
        for intervention in &saved.journal {
            if intervention.cycle.0 > 0 {
                self.history.note(intervention.cycle.0, Event::Load);
            }
        }
        let begun = self.tape.session().anew();
        self.tape = Tape::with_journal(begun, saved.journal, saved.live, self.options.keep);
        self.winding.bookmarks = saved.bookmarks.iter().map(|cycle| cycle.0).collect();
        self.seek(saved.live.0);
        if saved.cycle != saved.live {
            self.winding.then = Some(Then::Seek(saved.cycle.0));
        }
        self.ask();
    }
}

#[cfg(test)]
mod tests;
