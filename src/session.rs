//! A simulation run: engine, statistics and the journal of interventions.
//!
//! A [`Session`] only advances. A [`tape::Tape`] rewinds and replays one run, or two runs together
//! ([`runs::Runs`], which pairs the same messages of both), with the help of checkpoints and the
//! journal. [`watches`] follow one message or one router cycle by cycle; a [`trace`] reconstructs
//! the history of a message afterwards. [`uses`] of channels are counted on demand, partly by
//! sampling in a [`census`]. A [`verdict`] describes in words if a run is saturated and if a model
//! is contradicted, and a [`fault`] why a run ended early. A [`short_run`] replaces a prediction of models that take longer. [`saved`]
//! reads and writes session files.

pub mod census;
mod checkpoints;
pub mod events;
pub mod explanation;
pub mod fates;
pub mod fault;
mod letters;
mod measurement;
pub mod pairs;
pub mod runs;
pub mod saved;
pub mod short_run;
pub mod tape;
pub mod trace;
pub mod uses;
pub mod verdict;
mod virtual_queues;
pub mod watches;

use std::sync::Arc;

use educe::Educe;
use get_size2::GetSize;

use crate::engine::letters::Letters;
use crate::engine::{Change, Counters, Deadlock, Delivery, Engine, Loss, Snapshot, Violation};
use crate::random::mix;
use crate::scenario::Scenario;
use crate::stats::{SAMPLE_PERIOD, Sample, Statistics, Steadiness, Summary, WarmUp};
use crate::switching::{OnDeadlock, Switching, Wormhole};
use crate::units::{Cycle, Rate};
use fates::{Fate, each_fate};
use measurement::{observation, offered};
use uses::{UseCounter, Uses};
use virtual_queues::VirtualQueues;

/// A change made to a run from outside. The state at a cycle includes every intervention at this
/// cycle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Intervention {
    /// First cycle affected by the change.
    pub cycle: Cycle,
    pub change: Change,
}

/// A run of a scenario.
#[derive(Debug, Educe)]
#[educe(Clone)]
pub struct Session {
    scenario: Arc<Scenario>,
    seed: u64,
    replication: u32,
    rate: Rate,
    engine: Engine,
    statistics: Statistics,
    warm_up: WarmUp,
    journal: Vec<Intervention>,
    deliveries: Vec<Delivery>,
    losses: Vec<Loss>,
    /// Uses of channels, if counted.
    uses: Option<Box<UseCounter>>,
    /// The control variates of the latency, if used.
    virtual_queues: Option<Box<VirtualQueues>>,
}

impl Session {
    /// Creates a run at cycle 0. Replications of one seed use disjoint random streams.
    pub fn new(scenario: Arc<Scenario>, seed: u64, replication: u32, warm_up: WarmUp) -> Self {
        let engine = Engine::new(&scenario.system, seed, replication);
        let rate = scenario.system.traffic.rate;
        // All messages of a script count.
        let scripted = scenario.system.traffic.script.is_some();
        let warm_up = match warm_up {
            WarmUp::Automatic if scripted => WarmUp::Cycles(0),
            WarmUp::Automatic | WarmUp::Cycles(_) => warm_up,
        };
        let statistics = Statistics::new(offered(&scenario, rate), warm_up, 0);
        Self {
            scenario,
            seed,
            replication,
            rate,
            engine,
            statistics,
            warm_up,
            journal: Vec::new(),
            deliveries: Vec::new(),
            losses: Vec::new(),
            uses: None,
            virtual_queues: None,
        }
    }

    /// Starts counting the uses of channels; call this at the beginning of the run. The simulation
    /// is not affected.
    pub fn count_uses(&mut self) {
        self.engine.count_uses();
        self.uses = Some(Box::new(UseCounter::new(self)));
    }

    /// Returns the uses of channels, if counted.
    pub fn uses(&self) -> Option<Uses> {
        Some(self.uses.as_ref()?.read(self))
    }

    /// The scenario.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// The seed of this run (not always the scenario's).
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The replication number.
    pub fn replication(&self) -> u32 {
        self.replication
    }

    /// The current generation rate.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// The number of cycles simulated.
    pub fn now(&self) -> Cycle {
        self.engine.now()
    }

    /// Simulates up to `until` or to the end of the run. The result does not depend on the number of calls.
    pub fn advance(&mut self, until: Cycle) {
        self.advance_with(until, |_| ());
    }

    /// Simulates like [`Self::advance`] and passes every delivery to `tell`.
    pub(crate) fn advance_with(&mut self, until: Cycle, mut tell: impl FnMut(&Delivery)) {
        self.advance_telling(until, |fate| match fate {
            Fate::Delivered(delivery) => tell(delivery),
            Fate::Lost(_) => {}
        });
    }

    /// Simulates like [`Self::advance`] and passes every delivery and loss to `tell`.
    pub(crate) fn advance_telling(&mut self, until: Cycle, mut tell: impl FnMut(Fate<'_>)) {
        while self.engine.now() < until && !self.is_over() {
            let now = self.engine.now();
            let sample = (now.0 / SAMPLE_PERIOD + 1) * SAMPLE_PERIOD;
            let look = self.uses.as_ref().map_or(until, |uses| uses.next(now));
            self.engine.advance(Cycle(sample.min(until.0)).min(look));
            self.engine.take_deliveries(&mut self.deliveries);
            self.engine.take_losses(&mut self.losses);
            self.losses.iter().for_each(|loss| self.statistics.lose(loss.message.born));
            virtual_queues::follow(&mut self.virtual_queues, self.engine.now(), &self.scenario);
            for delivery in &self.deliveries {
                let waits = self.virtual_queues.as_mut().and_then(|it| it.leave(delivery));
                self.statistics.record(observation(delivery, &self.scenario.system, waits));
            }
            each_fate(&self.deliveries, &self.losses, &mut tell);
            if self.engine.now().0 == sample {
                let (generated, delivered) = self.engine.messages_so_far();
                self.statistics.sample(Sample { cycle: sample, generated, delivered });
            }
            if let Some(mut uses) = self.uses.take() {
                uses.look(self);
                self.uses = Some(uses);
            }
        }
    }

    /// Applies a change from the current cycle onwards unless it is
    /// [idle](crate::engine::Simulator::is_idle). The statistics restart, because they describe one
    /// load and one set of open links.
    pub fn apply(&mut self, change: Change) {
        if self.engine.is_idle(change) {
            return;
        }
        self.engine.apply(change);
        self.rate = change.rate().unwrap_or(self.rate);
        self.journal.push(Intervention { cycle: self.now(), change });
        self.statistics =
            Statistics::new(offered(&self.scenario, self.rate), self.warm_up, self.now().0);
        self.virtual_queues = None;
        self.uses = self.uses.is_some().then(|| Box::new(UseCounter::new(self)));
    }

    /// Sets the generation rate from the current cycle onwards.
    pub fn set_rate(&mut self, rate: Rate) {
        self.apply(Change::Rate(rate));
    }

    /// Returns the same run at cycle 0, without interventions.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self::new(Arc::clone(&self.scenario), self.seed, self.replication, self.warm_up)
    }

    /// Excludes messages generated from now on from the statistics ([`Statistics::close`]).
    pub fn close(&mut self) {
        self.statistics.close(self.now().0, self.counters().present());
    }

    /// The size of a copy in bytes, including the value itself.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.engine.get_heap_size()
            + self.statistics.get_heap_size()
            + self.journal.capacity() * size_of::<Intervention>()
            + self.deliveries.capacity() * size_of::<Delivery>()
            + self.uses.as_ref().map_or(0, |uses| uses.bytes())
            + self.virtual_queues.as_ref().map_or(0, |queues| queues.bytes())
    }

    /// The part of [`Self::bytes`] that a copy shares with `other`.
    pub fn shared_bytes(&self, other: &Self) -> usize {
        self.statistics.shared_bytes(&other.statistics)
    }

    /// The work done so far, in units of about one flit-hop: a measure of time independent of the
    /// machine. Simulating from one state to another takes about the difference of their work.
    pub fn work(&self) -> u64 {
        let counters = self.counters();
        counters.flit_hops + 16 * counters.generated + 4 * self.now().0
    }

    /// The treatment of the warm-up.
    pub fn warm_up(&self) -> WarmUp {
        self.warm_up
    }

    /// The interventions, in order.
    pub fn journal(&self) -> &[Intervention] {
        &self.journal
    }

    /// The statistics.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The messages delivered in the last interval simulated: the last cycle after an advance by
    /// one cycle, otherwise the part of [`Self::advance`] since the last sample.
    pub fn deliveries(&self) -> &[Delivery] {
        &self.deliveries
    }

    /// The engine, with the positions and states of messages.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// True if the run cannot continue: in a deadlock, or with all messages of a script delivered.
    pub fn is_over(&self) -> bool {
        self.deadlock().is_some() || self.is_complete()
    }

    /// True if all messages of a script were delivered.
    pub fn is_complete(&self) -> bool {
        self.engine.is_complete()
    }

    /// True if messages wait for each other in a cycle and the deadlock will not be broken.
    fn is_deadlocked(&self) -> bool {
        let unbroken = |machine: &Wormhole| machine.on_deadlock == OnDeadlock::Continue;
        self.deadlock().is_some()
            || (self.scenario.system.wormhole().is_some_and(unbroken)
                && self.engine.find_deadlock().is_some())
    }

    fn is_scripted(&self) -> bool {
        self.scenario.system.traffic.script.is_some()
    }

    /// Current estimate of the steadiness: does the network accept the offered load?
    pub fn steadiness(&self) -> Steadiness {
        let known = self.statistics.steadiness(self.now().0);
        if self.is_deadlocked() {
            known.max(Steadiness::Deadlocked)
        } else if self.is_scripted() {
            Steadiness::Finite
        } else if self.excess().is_some() {
            Steadiness::Saturated
        } else {
            known
        }
    }

    /// Searches for overloads of this share of the load; see [`Statistics::search`].
    pub fn search(&mut self, resolution: f64) {
        self.statistics.search(resolution);
    }

    /// True if the load is known to be carried, in a run that searches for overloads.
    pub fn carries(&self) -> bool {
        self.statistics.carries(self.now().0)
    }

    /// The reason why no run at this rate can be steady: the load exceeds the
    /// [capacity](crate::capacity). `None` before the first cycle.
    pub fn excess(&self) -> Option<String> {
        let system = &self.scenario.system;
        if self.now() == Cycle(0) || system.traffic.has_no_rate() {
            return None;
        }
        self.scenario.capacity()?.excess(system.load_at(self.rate), &system.network)
    }

    /// Summarises the statistics so far. Times are in cycles, loads in units of the load that a
    /// channel carries per unit of time.
    pub fn summary(&self) -> Summary {
        let unit = self.scenario.system.time_unit();
        let scale = |load: f64| load * unit.cycles as f64 / f64::from(unit.flits);
        let mut summary = self.statistics.summary(self.now().0);
        if self.is_deadlocked() {
            summary = summary.deadlocked();
        } else if self.is_scripted() {
            summary = summary.finite();
        } else if self.excess().is_some() {
            summary = summary.saturated();
        }
        summary.half_widths.accepted = summary.half_widths.accepted.map(scale);
        // A closed loop offers what is accepted.
        let offered = match summary.accepted {
            Some(accepted) if self.scenario.system.traffic.closed_loop.is_some() => accepted,
            Some(_) | None => summary.offered,
        };
        Summary {
            offered: scale(offered),
            accepted: summary.accepted.map(scale),
            congested: summary.congested.map(scale),
            ..summary
        }
    }

    /// The engine's totals.
    pub fn counters(&self) -> Counters {
        self.engine.counters()
    }

    /// True if a deadlock of worms or circuits closed in the cycle just simulated.
    pub fn locks_up(&self) -> bool {
        let now = self.now();
        let closes = |found: Deadlock| found.sets.iter().any(|set| set.closed == now);
        self.engine.find_deadlock().is_some_and(closes)
    }

    /// Returns a deadlock that has closed but is not yet detected; `None` if deadlocks are broken.
    pub fn present_deadlock(&self) -> Option<Deadlock> {
        let lasts = match &self.scenario().system.switching {
            Switching::Wormhole(machine) => machine.on_deadlock != OnDeadlock::Abort,
            Switching::Circuit(_) => false,
        };
        let found = lasts && self.deadlock().is_none();
        found.then(|| self.engine.find_deadlock()).flatten()
    }

    /// The deadlock that ended the run, if any.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.engine.deadlock()
    }

    /// The labels of the messages in the network.
    pub(crate) fn letters(&mut self) -> &mut Letters {
        self.engine.letters()
    }

    /// Copies the current state into a snapshot, reusing memory.
    pub fn observe(&self, snapshot: &mut Snapshot) {
        self.engine.observe(snapshot);
    }

    /// Checks all conservation laws.
    pub fn audit(&self) -> Result<(), Violation> {
        self.engine.audit()
    }

    /// Checks all conservation laws at the end of a run, without a copy of the state.
    pub fn settle(&mut self) -> Result<(), Violation> {
        self.engine.settle()
    }

    /// A hash of the state of engine and statistics.
    pub fn fingerprint(&self) -> u64 {
        mix(self.engine.fingerprint(), self.statistics.fingerprint())
    }
}
