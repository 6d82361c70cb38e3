//! One run as it is watched: its breakpoint, its meters, its history, its theory.

use super::breakpoint::Watch;
use super::history::{Event, History, SAMPLE_CYCLES};
use super::probe::Probe;
use super::ring::Ring;
use super::theory::Evaluator;
use super::usage::{Meter, Utilisation};
use super::{Latencies, Update};
use crate::engine::Snapshot;
use crate::session::Session;
use crate::units::Rate;

/// What is measured of a run, which is handed in wherever it is looked at.
#[derive(Debug, Default)]
pub(super) struct Monitor {
    pub(super) watch: Watch,
    pub(super) probe: Probe,
    pub(super) history: History,
    pub(super) evaluator: Evaluator,
    /// The rate for which theory was asked last.
    rate: Option<Rate>,
    utilisation: Utilisation,
    meter: Meter,
    /// Scratch: a picture to look at.
    look: Snapshot,
    /// The ring of the deadlock to which this run leads, once that is known.
    ring: Option<Ring>,
    /// The last sampling instant, or that of a jump, and the flits consumed until then.
    sampled: (u64, u64),
}

impl Monitor {
    pub(super) fn new(session: &Session, evaluator: Evaluator) -> Self {
        let mut monitor = Self { evaluator, ..Self::default() };
        monitor.meter.restart(session);
        monitor.ask(session);
        monitor
    }

    /// The next cycle at which a run at `now` must be looked at: to sample it, or for the breakpoint.
    pub(super) fn next_look(&self, now: u64) -> u64 {
        next_sample(now).min(self.watch.next_look(now))
    }

    /// Looks at the run where it has come by itself. Says whether the breakpoint came true.
    pub(super) fn came(&mut self, session: &Session) -> bool {
        self.note_sample(session);
        self.watch.check(session)
    }

    /// How far the run may be wound before it is looked at: unknown ground is sampled as it is
    /// crossed.
    pub(super) fn winds_to(&self, now: u64) -> u64 {
        let sample = next_sample(now);
        if sample > self.history.end() { sample } else { u64::MAX }
    }

    /// Averages the utilisation from here on.
    pub(super) fn mark(&mut self, session: &Session) {
        session.observe(&mut self.look);
        self.utilisation.restart(session.now().0, &self.look.crossed);
    }

    /// Something was done to the run; what lay ahead may have been `forked` off and forgotten.
    pub(super) fn changed(&mut self, session: &Session, forked: bool) {
        let now = session.now().0;
        if forked {
            self.history.cut(now);
            self.ring.take_if(|ring| ring.closes.0 > now);
        }
        self.meter.restart(session);
        self.history.note(now, Event::Load);
        self.ask(session);
    }

    /// Where the run stands in a deadlock that was not known: the cycles at which worms have come to
    /// wait for each other for ever.
    pub(super) fn new_deadlock(&mut self, session: &Session) -> impl Iterator<Item = u64> {
        let sets = session.deadlock().map_or(&[][..], |deadlock| &deadlock.sets);
        if sets.first().map(|set| set.closed) != self.ring.as_ref().map(|ring| ring.closes)
            && !sets.is_empty()
        {
            self.ring = Ring::of(session, &mut self.look);
        }
        let new = sets.first().is_some_and(|set| self.history.note(set.closed.0, Event::Deadlock));
        for set in sets {
            self.history.note(set.closed.0, Event::Deadlock);
        }
        sets.iter().filter(move |_| new).map(|set| set.closed.0)
    }

    /// At a sampling instant, notes the accepted load since the last one, unless it is known.
    pub(super) fn note_sample(&mut self, session: &Session) {
        let now = session.now().0;
        let passed = now < self.sampled.0 || now > self.sampled.0 + SAMPLE_CYCLES;
        if !now.is_multiple_of(SAMPLE_CYCLES) && !passed {
            return;
        }
        let consumed = session.counters().flits_consumed;
        let (since, before) = self.sampled;
        if now == self.history.end() + SAMPLE_CYCLES && since < now {
            let system = &session.scenario().system;
            let nodes = system.network.nodes() as u64;
            let flits = consumed.saturating_sub(before);
            let unit = system.time_unit();
            let per_load = f64::from(unit.flits) / unit.cycles as f64;
            let load = flits as f64 / ((nodes * (now - since)) as f64 * per_load);
            self.history.push(load as f32);
        }
        self.sampled = (now, consumed);
        self.meter.settle(session);
        self.meter.look(session);
    }

    fn ask(&mut self, session: &Session) {
        self.rate = Some(session.rate());
        self.evaluator.ask(session.scenario(), session.rate());
    }

    /// Draws the run and what is known of it; utilisations are averaged over `window` cycles.
    pub(super) fn draw(&mut self, session: &Session, update: &mut Update, window: u64) {
        // Going through time, the load changes by itself.
        if self.rate != Some(session.rate()) {
            self.ask(session);
        }
        session.observe(&mut update.snapshot);
        self.utilisation.look(session.now().0, &update.snapshot.crossed, window);
        update.scenario.clone_from(session.scenario());
        update.seed = session.seed();
        update.rate = session.rate();
        update.breakpoint.clone_from(&self.watch.breakpoint);
        update.stopped_by.clone_from(&self.watch.stopped_by);
        update.summary = session.summary();
        update.latencies.read(session.statistics().latencies());
        match session.statistics().set_ups() {
            Some(set_ups) => update.set_ups.read(set_ups),
            None => update.set_ups = Latencies::default(),
        }
        update.utilisation.clone_from(&self.utilisation.shares);
        update.window = window;
        self.meter.read(&update.snapshot.crossed, session.now().0, &mut update.usage);
        update.ring = self.ring.as_ref().and_then(|ring| ring.seen(&update.snapshot));
        update.history.clone_from(&self.history);
        update.theory = self.evaluator.answer(session.scenario(), session.rate());
        update.theory_at_work = self.evaluator.is_at_work();
        update.judge(|| session.evidence());
        update.proof = self.evaluator.proof(session.scenario());
    }
}

fn next_sample(now: u64) -> u64 {
    (now / SAMPLE_CYCLES + 1) * SAMPLE_CYCLES
}
