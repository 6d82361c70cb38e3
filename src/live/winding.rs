//! The stage's way through time: seeking, events, bookmarks, saved sessions.

use std::sync::Arc;

use super::history::Event;
use super::stage::Stage;
use super::{Command, Seeking};
use crate::session::Session;
use crate::session::saved::Saved;
use crate::session::tape::{Tape, Wound};
use crate::units::Cycle;

/// What is left to do once the tape is where it was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Then {
    /// Simulate on to this cycle, which nobody has seen yet.
    Step(u64),
    /// Go back to this one, and go on if so.
    Seek(u64, bool),
}

/// What the stage knows of winding besides the tape itself.
#[derive(Debug, Default)]
pub(super) struct Winding {
    pub(super) then: Option<Then>,
    /// Whether the event looked for does not exist.
    pub(super) nothing: bool,
    /// Cycles that a person marked, in order.
    pub(super) bookmarks: Vec<u64>,
    /// The last session asked for, and how many were.
    pub(super) saved: Option<Arc<Saved>>,
    pub(super) saves: u64,
}

impl Winding {
    /// Bookmarks a cycle, unless it has a bookmark.
    fn mark(&mut self, cycle: u64) {
        if let Err(at) = self.bookmarks.binary_search(&cycle) {
            self.bookmarks.insert(at, cycle);
        }
    }
}

impl Stage {
    /// Commands that wind the tape, mark it or save it; hands back any other.
    pub(super) fn obey_winding(&mut self, command: Command) -> Option<Command> {
        let (now, live) = (self.now(), self.tape.live());
        match command {
            Command::Back(cycles) => self.seek(now.saturating_sub(cycles)),
            Command::Seek(cycle) if cycle > live => {
                self.seek(live.0);
                self.winding.then = Some(Then::Step(cycle.0));
            }
            Command::Seek(cycle) => self.seek(cycle.0),
            Command::ToLive => self.seek(live.0),
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
                Err(_) => self.winding.mark(now),
            },
            Command::Save => {
                self.forget_later_bookmarks();
                self.winding.saved = Some(Arc::new(self.saved()));
                self.winding.saves += 1;
            }
            Command::Resume(saved) => self.resume(*saved),
            other => return Some(other),
        }
        None
    }

    /// Whether the runs are on their way to another cycle.
    pub(super) fn is_winding(&self) -> bool {
        self.tape.is_winding()
    }

    /// Stops whatever moves the run, to begin something else.
    fn halt(&mut self) {
        (self.running, self.hurry) = (false, None);
        self.until = None;
        self.forget_stop();
        self.winding.then = None;
        self.winding.nothing = false;
    }

    /// Begins to go to `cycle`, a known one.
    pub(super) fn seek(&mut self, cycle: u64) {
        self.halt();
        self.tape.seek(Cycle(cycle), self.window);
    }

    /// Gives up winding, if it goes on, and returns; gives up a long step where it is.
    pub(super) fn give_up(&mut self) {
        if self.hurry.is_some() {
            self.halt();
            self.breaks += 1;
        }
        if !self.is_winding() {
            return;
        }
        self.winding.then = None;
        self.tape.cancel();
        self.landed();
        self.watched().for_each(|(lane, session)| lane.mark(session));
        self.breaks += 1;
    }

    /// The runs stand somewhere else than before.
    fn landed(&mut self) {
        self.tape.take_slowest();
        self.watched().for_each(|(lane, session)| lane.landed(session));
        self.mark_deadlock();
    }

    /// Forgets the bookmarks after the newest cycle: the run was forked before them, or has been
    /// found to end there.
    pub(super) fn forget_later_bookmarks(&mut self) {
        let live = self.tape.live().0;
        self.winding.bookmarks.retain(|&cycle| cycle <= live);
    }

    /// Where a run has been found in a deadlock, its closing is bookmarked.
    pub(super) fn mark_deadlock(&mut self) {
        let lanes = std::iter::once(&mut self.lane).chain(&mut self.rival);
        for (lane, session) in lanes.zip(self.tape.runs().all()) {
            lane.new_deadlock(session).for_each(|cycle| self.winding.mark(cycle));
        }
    }

    /// Winds on by at most `cycles`, or until it is `enough`; says how many cycles were left.
    pub(super) fn wind(&mut self, cycles: u64, enough: impl Fn() -> bool) -> u64 {
        let mut left = cycles;
        while left > 0 && self.is_winding() && !enough() {
            let now = self.now();
            let end = self.watched().map(|(lane, _)| lane.winds_to(now)).min();
            let piece = left.min(end.map_or(left, |end| end - now));
            let wound = self.tape.wind(piece);
            left -= piece;
            self.watched().for_each(|(lane, session)| lane.wound(session));
            match wound {
                Wound::Going => {}
                Wound::Passing => {
                    self.watched().for_each(|(lane, session)| lane.mark(session));
                }
                Wound::Done | Wound::Nothing => {
                    self.winding.nothing = wound == Wound::Nothing;
                    self.landed();
                    self.breaks += 1;
                    self.arrived();
                }
            }
        }
        left
    }

    fn arrived(&mut self) {
        match self.winding.then.take() {
            Some(Then::Seek(cycle, running)) => {
                if cycle != self.now() {
                    self.seek(cycle);
                }
                self.running = running;
            }
            Some(Then::Step(cycle)) => {
                let now = self.now();
                if cycle > now {
                    self.obey_run(Command::Step(cycle - now));
                }
            }
            None => {}
        }
    }

    /// How far winding has come, for the screen.
    pub(super) fn seeking(&self) -> Option<Seeking> {
        let hurry = self.hurry.filter(|_| self.is_advancing());
        if let (Some(from), Some(to)) = (hurry, self.until) {
            let share = (self.now() - from) as f32 / (to - from).max(1) as f32;
            return Some(Seeking { to: Some(Cycle(to)), share });
        }
        let (to, share) = self.tape.progress()?;
        Some(Seeking { to, share })
    }

    /// The session as it could be written down now.
    fn saved(&self) -> Saved {
        let session = self.session();
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
    fn resume(&mut self, saved: Saved) {
        let begun = Session::new(Arc::clone(&saved.scenario), saved.seed, 0, saved.warm_up);
        self.start_over(begun);
        for intervention in &saved.journal {
            if intervention.cycle.0 > 0 {
                self.lane.history.note(intervention.cycle.0, Event::Load);
            }
        }
        let begun = self.session().anew();
        self.tape = Tape::with_journal(begun, saved.journal, saved.live, self.options.keep);
        self.winding.bookmarks = saved.bookmarks.iter().map(|cycle| cycle.0).collect();
        self.seek(saved.live.0);
        if saved.cycle != saved.live {
            self.winding.then = Some(Then::Seek(saved.cycle.0, false));
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
