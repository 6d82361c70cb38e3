//! One run as it is watched: its tape, its breakpoint, its meters, its history, its theory.

use super::Update;
use super::breakpoint::Watch;
use super::history::{Event, History, SAMPLE_CYCLES};
use super::theory::Theorist;
use super::usage::Meter;
use super::utilisation::Utilisation;
use crate::engine::Snapshot;
use crate::session::tape::{Tape, Wound};
use crate::session::{Change, Session};
use crate::units::{Cycle, Rate};

/// A run and what is measured of it.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) tape: Tape,
    pub(super) watch: Watch,
    pub(super) history: History,
    theorist: Theorist,
    /// The rate for which theory was asked last.
    asked: Option<Rate>,
    utilisation: Utilisation,
    meter: Meter,
    /// Scratch: a picture to look at.
    look: Snapshot,
    /// The last sampling instant, or that of a jump, and the flits consumed until then.
    sampled: (u64, u64),
}

impl Lane {
    /// A run that has just begun.
    pub(super) fn new(tape: Tape, theorist: Theorist) -> Self {
        let mut lane = Self {
            tape,
            watch: Watch::default(),
            history: History::default(),
            theorist,
            asked: None,
            utilisation: Utilisation::default(),
            meter: Meter::default(),
            look: Snapshot::default(),
            sampled: (0, 0),
        };
        lane.meter.restart(lane.tape.session());
        lane.ask();
        lane
    }

    /// Takes another run, at its beginning.
    pub(super) fn start_over(&mut self, tape: Tape) {
        self.tape = tape;
        self.watch.set(self.watch.breakpoint, &mut self.tape);
        self.utilisation.clear();
        self.meter = Meter::default();
        self.meter.restart(self.tape.session());
        self.history.clear();
        self.sampled = (0, 0);
        self.ask();
    }

    /// The run.
    pub(super) fn session(&self) -> &Session {
        self.tape.session()
    }

    /// Cycles simulated.
    pub(super) fn now(&self) -> u64 {
        self.tape.now().0
    }

    /// Whether a deadlock has stopped the run for good.
    pub(super) fn is_dead(&self) -> bool {
        self.session().deadlock().is_some()
    }

    /// The next cycle at which the run must be looked at: to sample it, or for the breakpoint.
    pub(super) fn look_at(&self) -> u64 {
        next_sample(self.now()).min(self.watch.look_at(self.now()))
    }

    /// Simulates to `until`, at most [`Self::look_at`]. Says whether the breakpoint came true.
    pub(super) fn advance(&mut self, until: u64) -> bool {
        self.tape.advance(Cycle(until));
        self.note_sample();
        self.note_deadlock();
        self.watch.check(&mut self.tape)
    }

    /// Winds on by at most `cycles`; says how many were used up, and how far that led.
    pub(super) fn wind(&mut self, cycles: u64) -> (u64, Wound) {
        let (now, sample) = (self.now(), next_sample(self.now()));
        // Unknown ground is sampled as it is crossed.
        let piece = if sample > self.history.end() { cycles.min(sample - now) } else { cycles };
        let wound = self.tape.wind(piece);
        self.note_sample();
        match wound {
            Wound::Going => {}
            Wound::Passing => self.mark(),
            Wound::Done | Wound::Nothing => self.landed(),
        }
        (piece, wound)
    }

    /// Gives up winding and returns.
    pub(super) fn give_up(&mut self) {
        if self.tape.is_winding() {
            self.tape.cancel();
            self.landed();
            self.mark();
        }
    }

    /// The run stands somewhere else than before.
    fn landed(&mut self) {
        let breakpoint = self.watch.breakpoint;
        self.watch.set(breakpoint, &mut self.tape);
        self.note_deadlock();
    }

    /// Averages the utilisation from here on.
    fn mark(&mut self) {
        self.tape.session().observe(&mut self.look);
        self.utilisation.restart(self.tape.now().0, &self.look.crossed);
    }

    /// Does something to the run; says whether the future was forked off and forgotten.
    pub(super) fn change(&mut self, change: Change) -> bool {
        let now = self.now();
        let forked = self.tape.apply(change);
        if forked {
            self.history.cut(now);
        }
        self.meter.restart(self.tape.session());
        self.history.note(now, Event::Load);
        self.ask();
        forked
    }

    fn note_deadlock(&mut self) {
        if self.is_dead() {
            self.history.note(self.now(), Event::Deadlock);
        }
    }

    /// At a sampling instant, notes the accepted load since the last one, unless it is known.
    fn note_sample(&mut self) {
        let now = self.now();
        let passed = now < self.sampled.0 || now > self.sampled.0 + SAMPLE_CYCLES;
        if !now.is_multiple_of(SAMPLE_CYCLES) && !passed {
            return;
        }
        let consumed = self.session().counters().flits_consumed;
        let (since, before) = self.sampled;
        if now == self.history.end() + SAMPLE_CYCLES && since < now {
            let system = &self.session().scenario().system;
            let nodes = system.network.nodes() as u64;
            let flits = consumed.saturating_sub(before);
            let unit = system.time_unit();
            let per_load = f64::from(unit.flits) / unit.cycles as f64;
            let load = flits as f64 / ((nodes * (now - since)) as f64 * per_load);
            self.history.push(load as f32);
        }
        self.sampled = (now, consumed);
        self.meter.settle(self.tape.session());
        self.meter.look(self.tape.session());
    }

    /// Asks theory about the present load.
    pub(super) fn ask(&mut self) {
        self.asked = Some(self.session().rate());
        self.theorist.ask(self.tape.session().scenario(), self.tape.session().rate());
    }

    /// Draws the run and what is known of it; utilisations are averaged over `window` cycles.
    pub(super) fn draw(&mut self, update: &mut Update, window: u64) {
        // Going through time, the load changes by itself.
        if self.asked != Some(self.session().rate()) {
            self.ask();
        }
        let session = self.tape.session();
        session.observe(&mut update.snapshot);
        self.utilisation.look(session.now().0, &update.snapshot.crossed, window);
        update.scenario.clone_from(session.scenario());
        update.seed = session.seed();
        update.rate = session.rate();
        update.breakpoint = self.watch.breakpoint;
        update.stopped_by.clone_from(&self.watch.stopped_by);
        update.summary = session.summary();
        update.latencies.read(session.statistics().latencies());
        match session.statistics().set_ups() {
            Some(set_ups) => update.set_ups.read(set_ups),
            None => update.set_ups.clear(),
        }
        update.utilisation.clone_from(self.utilisation.shares());
        update.window = window;
        self.meter.read(&update.snapshot.crossed, session.now().0, &mut update.usage);
        update.history.copy_from(&self.history);
        update.live = self.tape.live();
        update.checkpoints.clear();
        update.checkpoints.extend(self.tape.checkpoints());
        update.theory = self.theorist.answer(session.scenario(), session.rate());
        update.proof = self.theorist.proof(session.scenario());
    }
}

/// The sampling instant after `now`.
fn next_sample(now: u64) -> u64 {
    (now / SAMPLE_CYCLES + 1) * SAMPLE_CYCLES
}
