//! Observes one run: breakpoint, meters, history and prediction.

use std::sync::Arc;

use super::breakpoint::Watch;
use super::failed::Failed;
use super::history::{Event, History, SAMPLE_CYCLES};
use super::probe::Probe;
use super::ring::Ring;
use super::theory::Evaluator;
use super::usage::{Meter, Usage, Utilisation};
use super::{Latencies, Update};
use crate::engine::{Change, Snapshot};
use crate::session::Session;
use crate::session::verdict::Evidence;
use crate::units::Rate;

/// The number of channels whose averages are computed per cycle of a run in motion.
const CHANNELS_PER_CYCLE: u64 = 1 << 15;
/// The cycle of the last update if there was none.
const UNKNOWN: u64 = u64::MAX;

/// Measurements of a run. Methods take the session as an argument.
#[derive(Debug, Default)]
pub(super) struct Monitor {
    pub(super) watch: Watch,
    pub(super) probe: Probe,
    pub(super) history: History,
    pub(super) evaluator: Evaluator,
    /// The rate of the last request for a prediction.
    rate: Option<Rate>,
    utilisation: Utilisation,
    meter: Meter,
    /// The averages over channels, and the cycle of their last update.
    usage: Arc<Usage>,
    spare_usage: Arc<Usage>,
    used: u64,
    /// Scratch: the flits over each channel, and a snapshot of the engine.
    crossings: Vec<u64>,
    look: Snapshot,
    /// The ring of the deadlock at the end of this run, once known.
    ring: Option<Ring>,
    /// The last sampling instant or the end of a seek, and the flits consumed until then.
    sampled: (u64, u64),
}

impl Monitor {
    pub(super) fn new(session: &Session, evaluator: Evaluator) -> Self {
        let mut monitor = Self { evaluator, used: UNKNOWN, ..Self::default() };
        monitor.meter.restart(session);
        monitor.ask(session);
        monitor
    }

    /// The next cycle after `now` at which the run must be examined, for sampling or for the
    /// breakpoint.
    pub(super) fn next_look(&self, now: u64) -> u64 {
        next_sample(now).min(self.watch.next_look(now))
    }

    /// Examines the run after ordinary advancing. True if the breakpoint was reached.
    pub(super) fn came(&mut self, session: &Session) -> bool {
        self.note_sample(session);
        self.watch.check(session)
    }

    /// The furthest cycle of a seek in one piece: unsampled cycles are sampled on the way.
    pub(super) fn winds_to(&self, now: u64) -> u64 {
        let sample = next_sample(now);
        if sample > self.history.end() { sample } else { u64::MAX }
    }

    /// Averages the utilisation from here on.
    pub(super) fn mark(&mut self, session: &Session) {
        session.engine().crossings(&mut self.crossings);
        self.utilisation.restart(session.now().0, &self.crossings);
        self.used = UNKNOWN;
    }

    /// Responds to a change of the run; later cycles may have been `forked` off and discarded.
    pub(super) fn changed(&mut self, session: &Session, change: Change, forked: bool) {
        let now = session.now().0;
        if forked {
            self.history.cut(now);
            self.ring.take_if(|ring| ring.closes.0 > now);
            self.probe.forget_explanation();
        }
        self.meter.restart(session);
        match change {
            Change::Rate(_) => {
                self.history.note(now, Event::Load);
            }
            Change::LinkDown(_) | Change::LinkUp(_) => self.note_failures(session, now),
        }
        self.ask(session);
    }

    /// Records failures, repairs and changes of routes in cycle `since` or later.
    fn note_failures(&mut self, session: &Session, since: u64) {
        let engine = session.engine();
        let changes = engine.phases().windows(2).rev();
        for pair in changes.take_while(|pair| pair[1].from >= since) {
            let is_repair = pair[1].closed < pair[0].closed;
            let event = if is_repair { Event::Repair } else { Event::Failure };
            self.history.note(pair[1].from, event);
        }
        if let Some(cycle) = engine.rerouted().filter(|cycle| cycle.0 >= since) {
            self.history.note(cycle.0, Event::Rerouting);
        }
    }

    /// Returns the cycles at which the waits of an unknown deadlock closed, on entering it.
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

    /// Records the accepted load since the last sample, unless known, at a sampling instant.
    pub(super) fn note_sample(&mut self, session: &Session) {
        let now = session.now().0;
        let passed = now < self.sampled.0 || now > self.sampled.0 + SAMPLE_CYCLES;
        if !now.is_multiple_of(SAMPLE_CYCLES) && !passed {
            return;
        }
        let consumed = session.counters().flits_consumed;
        let (since, before) = self.sampled;
        self.note_failures(session, since.min(now));
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

    /// Updates the averages over channels, with recent use averaged over `window` cycles. In a
    /// large network, averages of a run in motion are some cycles old.
    fn average(&mut self, session: &Session, window: u64, in_motion: bool) {
        let now = session.now().0;
        let age = session.scenario().system.network.channels().len() as u64 / CHANNELS_PER_CYCLE;
        if in_motion && self.used <= now && now - self.used < age {
            return;
        }
        session.engine().crossings(&mut self.crossings);
        // Written into the storage before last, which the screen seldom still uses.
        std::mem::swap(&mut self.usage, &mut self.spare_usage);
        let usage = Arc::make_mut(&mut self.usage);
        usage.recent.clone_from(&self.spare_usage.recent);
        self.utilisation.look(now, &self.crossings, window, &mut usage.recent);
        self.meter.read(&self.crossings, now, usage);
        self.used = now;
    }

    /// Draws the run and its measurements; utilisations are averaged over `window` cycles.
    pub(super) fn draw(
        &mut self,
        session: &Session,
        update: &mut Update,
        window: u64,
        in_motion: bool,
    ) {
        // Seeking can change the load.
        if self.rate != Some(session.rate()) {
            self.ask(session);
        }
        session.observe(&mut update.snapshot);
        self.average(session, window, in_motion);
        update.scenario.clone_from(session.scenario());
        update.seed = session.seed();
        update.rate = session.rate();
        update.breakpoint.clone_from(&self.watch.breakpoint);
        update.stopped_by.clone_from(&self.watch.stopped_by);
        update.summary = session.summary();
        update.latencies.read(session.statistics().latencies());
        update.class_latencies.truncate(session.scenario().system.traffic.classes.0.len());
        for class in 0.. {
            let Some(latencies) = session.statistics().latencies_of(class) else { break };
            if usize::from(class) == update.class_latencies.len() {
                update.class_latencies.push(Latencies::default());
            }
            update.class_latencies[usize::from(class)].read(latencies);
        }
        match session.statistics().set_ups() {
            Some(set_ups) => update.set_ups.read(set_ups),
            None => update.set_ups = Latencies::default(),
        }
        update.window = window;
        update.usage = Arc::clone(&self.usage);
        update.ring = self.ring.as_ref().and_then(|ring| ring.seen(&update.snapshot));
        update.history.clone_from(&self.history);
        update.theory = self.evaluator.answer(session.scenario(), session.rate());
        update.theory_at_work = self.evaluator.is_at_work();
        update.judge(|| Evidence::of(session));
        update.proof = self.evaluator.proof(session.scenario());
        update.failed = Failed::of(session, &update.snapshot, &self.evaluator);
    }
}

fn next_sample(now: u64) -> u64 {
    (now / SAMPLE_CYCLES + 1) * SAMPLE_CYCLES
}
