//! Executes commands from the screen.

use std::sync::Arc;

use super::history::Event;
use super::monitor::Monitor;
use super::stage::{Stage, Then};
use super::{AddressedCommand, Command};
use crate::scenario::{Scenario, contrast};
use crate::session::Session;
use crate::session::runs::Runs;
use crate::session::saved::Saved;
use crate::session::tape::Tape;
use crate::units::Cycle;

impl Stage {
    /// Executes a command, unless it refers to a former run; [`Command::Quit`] is handled by the
    /// caller.
    pub(super) fn execute(&mut self, AddressedCommand { run, command }: AddressedCommand) {
        if !matches!(command, Command::Refresh) {
            self.executed += 1;
        }
        if run != self.number && command.is_about_one_run() {
            return;
        }
        let (now, live) = (self.now(), self.tape.live());
        match command {
            Command::Run => {
                self.give_up();
                (self.running, self.hurry, self.until) = (true, None, None);
                self.forget_stop();
            }
            Command::Pause => {
                self.give_up();
                (self.running, self.hurry) = (false, None);
            }
            Command::Step(cycles) => {
                self.give_up();
                self.step(cycles);
            }
            Command::StepEvent => self.step_event(),
            Command::Speed(speed) => self.speed = speed,
            Command::Change(change) => {
                self.give_up();
                let forked = self.tape.apply(change);
                self.watched()
                    .for_each(|(monitor, session)| monitor.changed(session, change, forked));
            }
            Command::Window(cycles) => self.window = cycles.max(1),
            Command::Break(breakpoint) => {
                self.watched()
                    .for_each(|(monitor, session)| monitor.watch.set(breakpoint.clone(), session));
            }
            Command::Follow(name) => {
                self.monitors.iter_mut().for_each(|monitor| monitor.probe.follow(name));
                self.tape.await_delivery(name);
            }
            Command::List(listing) => {
                self.monitors.iter_mut().for_each(|monitor| monitor.probe.listing = listing);
            }
            Command::Trace(name) => {
                self.monitors.iter_mut().for_each(|monitor| monitor.probe.trace(name));
            }
            Command::Restart => self.begin_anew(self.seed()),
            Command::Reseed(seed) => self.begin_anew(seed),
            Command::Load(scenario) => {
                let seed = scenario.seed;
                self.start_over(Session::new(scenario, seed, 0, self.options.warm_up));
            }
            Command::Against(scenario) => self.compare(&scenario),
            Command::Part { second } => {
                self.give_up();
                self.tape.part(second);
                let last = self.monitors.len() - 1;
                self.monitors.swap(0, if second { last } else { 0 });
                self.monitors.truncate(1);
            }
            Command::Back(cycles) => self.seek(now.saturating_sub(cycles)),
            Command::Seek(cycle) if cycle > live => {
                self.seek(live.0);
                self.then = Some(Then::Step(cycle.0));
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
            Command::Bookmark(cycle) => {
                let cycle = cycle.min(live).0;
                match self.bookmarks.binary_search(&cycle) {
                    Ok(at) => drop(self.bookmarks.remove(at)),
                    Err(at) => self.bookmarks.insert(at, cycle),
                }
            }
            Command::Save => {
                self.forget_later_bookmarks();
                self.saved = Some(Arc::new(self.to_saved()));
                self.saves += 1;
            }
            Command::Resume(saved) => self.resume(*saved),
            Command::Refresh | Command::Quit => {}
        }
    }

    /// Restarts the scenario from cycle 0 at the present rate, with the same comparison.
    fn begin_anew(&mut self, seed: u64) {
        let rate = self.tape.runs().all().map(|run| (run.now(), run.rate())).max_by_key(|it| it.0);
        let mut session =
            Session::new(Arc::clone(self.session().scenario()), seed, 0, self.options.warm_up);
        if let Some((_, rate)) = rate.filter(|&(_, rate)| rate != session.rate()) {
            session.set_rate(rate);
        }
        let against = self.tape.runs().all().nth(1).map(|other| Arc::clone(other.scenario()));
        let (number, breakpoint) = (self.number, self.monitors[0].watch.breakpoint.clone());
        let probe = self.monitors[0].probe.as_at_first();
        let same = seed == self.seed();
        self.start_over(session);
        if same {
            // The same seed reproduces the same run and the same messages.
            (self.number, self.monitors[0].probe) = (number, probe);
            self.tape.await_delivery(self.monitors[0].probe.awaited());
            self.monitors[0].watch.set(breakpoint, self.tape.session());
        }
        if let Some(against) = against {
            self.compare(&against);
        }
    }

    /// Compares the run with a run of another scenario from now on, unless the two are not
    /// comparable. Both have the same seed and the same changes of load at the same cycles. Both
    /// advance to the newest cycle of the present run, then rewind to its present cycle.
    fn compare(&mut self, scenario: &Arc<Scenario>) {
        self.give_up();
        let Ok(beside) = contrast::beside(self.session().scenario(), scenario) else { return };
        let (now, running, live) = (self.now(), self.running, self.tape.live());
        let journal = self.tape.journal().to_vec();
        let runs = Runs::two(self.session().anew(), Arc::new(beside));
        self.tape = Tape::with_journal(runs, journal, live, self.options.keep);
        self.monitors.truncate(1);
        let evaluator = self.monitors[0].evaluator.clone();
        for session in self.tape.runs().all().skip(1) {
            let mut monitor = Monitor::new(session, evaluator.another());
            monitor.probe = self.monitors[0].probe.as_at_first();
            self.monitors.push(monitor);
        }
        let breakpoint = self.monitors[0].watch.breakpoint.clone();
        self.tape.await_delivery(self.monitors[0].probe.awaited());
        self.watched()
            .for_each(|(monitor, session)| monitor.watch.set(breakpoint.clone(), session));
        if live.0 > 0 {
            self.seek(live.0);
            self.then = Some(Then::Seek(now, running));
        }
    }

    /// Replaces all runs by another run at its start. Only the state named here is kept: the pace,
    /// and data that the user must not lose.
    fn start_over(&mut self, session: Session) {
        let fresh = Self::of(session, self.monitors[0].evaluator.clone(), self.options);
        let old = std::mem::replace(self, fresh);
        (self.number, self.executed) = (old.number + 1, old.executed);
        (self.running, self.speed, self.window) = (old.running, old.speed, old.window);
        (self.saved, self.saves) = (old.saved, old.saves);
        let systems = [&old.tape, &self.tape].map(|tape| &tape.session().scenario().system);
        let breakpoint = old.monitors[0].watch.breakpoint.carried(systems);
        self.monitors[0].watch.set(breakpoint, self.tape.session());
    }

    /// Saves the first run. A run that is over ends there; later cycles belong to the second run
    /// alone.
    fn to_saved(&self) -> Saved {
        let session = self.session();
        let live = if session.is_over() { session.now() } else { self.tape.live() };
        let journal = self.tape.journal().iter().filter(|done| done.cycle <= live);
        let bookmarks = self.bookmarks.iter().map(|&cycle| Cycle(cycle));
        Saved {
            scenario: Arc::clone(session.scenario()),
            seed: session.seed(),
            warm_up: session.warm_up(),
            journal: journal.copied().collect(),
            bookmarks: bookmarks.filter(|&cycle| cycle <= live).collect(),
            cycle: session.now(),
            live,
            fingerprint: Some(session.fingerprint()),
        }
    }

    /// Opens a saved session: runs to its newest cycle, which restores its history, and rewinds to
    /// the saved cycle.
    fn resume(&mut self, saved: Saved) {
        let begun = Session::new(Arc::clone(&saved.scenario), saved.seed, 0, saved.warm_up);
        self.start_over(begun);
        for intervention in &saved.journal {
            if intervention.cycle.0 > 0 && intervention.change.rate().is_some() {
                self.monitors[0].history.note(intervention.cycle.0, Event::Load);
            }
        }
        let begun = self.session().anew();
        self.tape = Tape::with_journal(begun, saved.journal, saved.live, self.options.keep);
        self.bookmarks = saved.bookmarks.iter().map(|cycle| cycle.0).collect();
        self.seek(saved.live.0);
        if saved.cycle != saved.live {
            self.then = Some(Then::Seek(saved.cycle.0, false));
        }
    }
}
