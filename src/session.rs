//! A run as a value: engine, statistics and what was done to them.
//!
//! A [`Session`] goes forward only. A [`tape::Tape`] winds it back and forth, or two of them together
//! ([`runs::Runs`], which finds the same messages in both): it keeps the journal of interventions and
//! checkpoints, and replays. What happens to one message or at one router is seen by [`watches`], and
//! told afterwards by a [`trace`]. [`uses`] of channels are counted on demand, and found by a [`census`].
//! [`verdict`] puts into words whether a run is saturated and whether it
//! contradicts a model. A [`short_run`] stands beside models that take longer. [`saved`] is a run as a text.

pub mod census;
mod checkpoints;
pub mod events;
mod letters;
pub mod pairs;
pub mod runs;
pub mod saved;
pub mod short_run;
pub mod tape;
pub mod trace;
pub mod uses;
pub mod verdict;
pub mod watches;

use std::sync::Arc;

use educe::Educe;
use get_size2::GetSize;

use crate::engine::letters::Letters;
use crate::engine::{Change, Counters, Deadlock, Delivery, Engine, Snapshot, Violation};
use crate::ids::ChannelId;
use crate::random::mix;
use crate::scenario::Scenario;
use crate::stats::{
    Observation, Offered, SAMPLE_PERIOD, Sample, Statistics, Steadiness, Summary, WarmUp,
};
use crate::switching::circuit::Duplex;
use crate::switching::{OnDeadlock, Switching, Wormhole};
use crate::topology::Role;
use crate::topology::links::Links;
use crate::units::{Cycle, Rate};
use uses::{UseCounter, Uses};
use verdict::Evidence;

/// A change of a run from outside, and when. The state at a cycle is that after all that was done at
/// it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Intervention {
    /// The cycle from which it works.
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
    /// Uses of channels, where somebody wants them.
    uses: Option<Box<UseCounter>>,
}

impl Session {
    /// A run from cycle 0. Replications of one seed use disjoint random streams.
    pub fn new(scenario: Arc<Scenario>, seed: u64, replication: u32, warm_up: WarmUp) -> Self {
        let engine = Engine::new(&scenario.system, seed, replication);
        let rate = scenario.system.traffic.rate;
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
            uses: None,
        }
    }

    /// Counts the uses of channels from now on, at the beginning of the run. Changes nothing else.
    pub fn count_uses(&mut self) {
        self.engine.count_uses();
        self.uses = Some(Box::new(UseCounter::new(self)));
    }

    /// The uses of channels, where they are counted.
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

    /// The generation rate now.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Cycles simulated.
    pub fn now(&self) -> Cycle {
        self.engine.now()
    }

    /// Simulates up to `until`, or to a deadlock. How a run is cut into calls changes nothing.
    pub fn advance(&mut self, until: Cycle) {
        self.advance_telling(until, |_| ());
    }

    /// The same, and tells of every delivery.
    pub(crate) fn advance_telling(&mut self, until: Cycle, mut tell: impl FnMut(&Delivery)) {
        while self.engine.now() < until && self.engine.deadlock().is_none() {
            let now = self.engine.now();
            let sample = (now.0 / SAMPLE_PERIOD + 1) * SAMPLE_PERIOD;
            let look = self.uses.as_ref().map_or(until, |uses| uses.next(now));
            self.engine.advance(Cycle(sample.min(until.0)).min(look));
            self.engine.take_deliveries(&mut self.deliveries);
            for delivery in &self.deliveries {
                self.statistics.record(observation(delivery, &self.scenario.system.switching));
                tell(delivery);
            }
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

    /// Applies a change from now on, unless it is [idle](crate::engine::Simulator::is_idle). The statistics start anew: they
    /// describe one load and one set of open links.
    pub fn apply(&mut self, change: Change) {
        if self.engine.is_idle(change) {
            return;
        }
        self.engine.apply(change);
        self.rate = change.rate().unwrap_or(self.rate);
        self.journal.push(Intervention { cycle: self.now(), change });
        self.statistics =
            Statistics::new(offered(&self.scenario, self.rate), self.warm_up, self.now().0);
        self.uses = self.uses.is_some().then(|| Box::new(UseCounter::new(self)));
    }

    /// Changes the generation rate from now on.
    pub fn set_rate(&mut self, rate: Rate) {
        self.apply(Change::Rate(rate));
    }

    /// The same run at its beginning, nothing done to it.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self::new(Arc::clone(&self.scenario), self.seed, self.replication, self.warm_up)
    }

    /// Leaves out what is generated from now on ([`Statistics::close`]).
    pub fn close(&mut self) {
        let Counters { generated, delivered, discarded, .. } = self.counters();
        self.statistics.close(self.now().0, generated.saturating_sub(delivered + discarded));
    }

    /// Bytes of a copy, the value itself included.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.engine.get_heap_size()
            + self.statistics.get_heap_size()
            + self.journal.capacity() * size_of::<Intervention>()
            + self.deliveries.capacity() * size_of::<Delivery>()
            + self.uses.as_ref().map_or(0, |uses| uses.bytes())
    }

    /// Of [`Self::bytes`], those that a copy shares with `other`.
    pub fn shared_bytes(&self, other: &Self) -> usize {
        self.statistics.shared_bytes(&other.statistics)
    }

    /// What has been done so far, in units of about one flit-hop. A measure of time that is the same
    /// on every machine; two states of a run lie about their difference apart.
    pub fn work(&self) -> u64 {
        let counters = self.counters();
        counters.flit_hops + 16 * counters.generated + 4 * self.now().0
    }

    /// How the warm-up is left out.
    pub fn warm_up(&self) -> WarmUp {
        self.warm_up
    }

    /// What was done to the run, in order.
    pub fn journal(&self) -> &[Intervention] {
        &self.journal
    }

    /// The statistics.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The messages delivered in the last stretch that was simulated: of one cycle, if only one was
    /// asked for.
    pub fn deliveries(&self) -> &[Delivery] {
        &self.deliveries
    }

    /// Where single messages are, and what they do.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// True if messages wait for each other for ever, and nobody will break that.
    fn is_deadlocked(&self) -> bool {
        let unbroken = |machine: &Wormhole| machine.on_deadlock == OnDeadlock::Continue;
        self.deadlock().is_some()
            || (self.scenario.system.wormhole().is_some_and(unbroken)
                && self.engine.find_deadlock().is_some())
    }

    /// Whether the network carries what it is offered, as far as can be told now.
    pub fn steadiness(&self) -> Steadiness {
        let known = self.statistics.steadiness(self.now().0);
        if self.is_deadlocked() {
            known.max(Steadiness::Deadlocked)
        } else if self.excess().is_some() {
            Steadiness::Saturated
        } else {
            known
        }
    }

    /// The reason for which no run of this rate can be steady: the load is above the
    /// [capacity](crate::capacity). None before the first cycle.
    pub fn excess(&self) -> Option<String> {
        if self.now() == Cycle(0) {
            return None;
        }
        let system = &self.scenario.system;
        self.scenario.capacity()?.excess(system.load_at(self.rate), &system.network)
    }

    /// What is known now. Times are in cycles, loads in what a channel carries in a unit of time.
    pub fn summary(&self) -> Summary {
        let unit = self.scenario.system.time_unit();
        let scale = |load: f64| load * unit.cycles as f64 / f64::from(unit.flits);
        let mut summary = self.statistics.summary(self.now().0);
        if self.is_deadlocked() {
            summary = summary.deadlocked();
        } else if self.excess().is_some() {
            summary = summary.saturated();
        }
        summary.half_widths.accepted = summary.half_widths.accepted.map(scale);
        Summary {
            offered: scale(summary.offered),
            accepted: summary.accepted.map(scale),
            congested: summary.congested.map(scale),
            ..summary
        }
    }

    /// What of the run may explain that it contradicts a model.
    pub fn evidence(&self) -> Evidence {
        let (counters, now) = (self.counters(), self.now().0);
        let first = self.scenario.system.traffic.rate;
        let set = self.journal.iter().filter_map(|it| Some((it.cycle, it.change.rate()?)));
        let rates = std::iter::once(first).chain(set.clone().map(|(_, rate)| rate));
        let changes = rates.zip(set).filter(|(before, _)| before.0 > self.rate.0);
        let given = self.warm_up != WarmUp::Automatic;
        let links = (0..self.scenario.system.network.links()).map(ChannelId::new);
        let closed = self.deadlock().and_then(|it| it.sets.first());
        Evidence {
            deadlock: closed.map(|set| (set.worms.len(), set.closed)),
            overload: changes.last().map(|(_, (cycle, _))| cycle),
            present: counters.generated.saturating_sub(counters.delivered + counters.discarded),
            drift: self.statistics.drift(now).filter(|_| given),
            links: links.map(|link| self.engine.crossed(link)).collect(),
        }
    }

    /// The engine's totals.
    pub fn counters(&self) -> Counters {
        self.engine.counters()
    }

    /// True if worms (circuits) came to wait for each other for ever in the cycle just simulated.
    pub fn locks_up(&self) -> bool {
        let now = self.now();
        let closes = |found: Deadlock| found.sets.iter().any(|set| set.closed == now);
        self.engine.find_deadlock().is_some_and(closes)
    }

    /// A deadlock that has closed, and will be found; none where it will be broken.
    pub fn standing(&self) -> Option<Deadlock> {
        let lasts = match &self.scenario().system.switching {
            Switching::Wormhole(machine) => machine.on_deadlock != OnDeadlock::Abort,
            Switching::Circuit(_) => false,
        };
        let found = lasts && self.deadlock().is_none();
        found.then(|| self.engine.find_deadlock()).flatten()
    }

    /// The deadlock that stopped the run, if any.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.engine.deadlock()
    }

    /// What people call the messages in the network.
    pub(crate) fn letters(&mut self) -> &mut Letters {
        self.engine.letters()
    }

    /// Draws the present state into recycled storage.
    pub fn observe(&self, snapshot: &mut Snapshot) {
        self.engine.observe(snapshot);
    }

    /// Checks every conservation law.
    pub fn audit(&self) -> Result<(), Violation> {
        self.engine.audit()
    }

    /// The same of a run that has come to its end, without a copy of the state.
    pub fn settle(&mut self) -> Result<(), Violation> {
        self.engine.settle()
    }

    /// A hash of engine and statistics.
    pub fn fingerprint(&self) -> u64 {
        mix(self.engine.fingerprint(), self.statistics.fingerprint())
    }
}

fn offered(scenario: &Scenario, rate: Rate) -> Offered {
    let network = &scenario.system.network;
    let channels = network.channels().iter().filter(|c| c.role == Role::Link).count();
    Offered {
        nodes: network.nodes(),
        links: match scenario.system.circuit() {
            Some(machine) => Links::new(network, machine.duplex == Duplex::Half).count,
            None => channels,
        },
        // Over all nodes, as what is accepted, and per cycle.
        rate: rate.0 * scenario.system.sending_share() / scenario.system.time_unit().cycles as f64,
        length_mean: scenario.system.traffic.lengths.mean(),
        gap_variation: scenario.system.traffic.process.variation(),
        memory: scenario.system.traffic.process.memory(rate)
            * scenario.system.time_unit().cycles as f64,
        circuits: scenario.system.circuit().is_some(),
    }
}

fn observation(delivery: &Delivery, machine: &Switching) -> Observation {
    Observation {
        born: delivery.born.0,
        done: delivery.done.0,
        network_latency: delivery.network_latency(),
        transfer: machine.transfer(delivery.length, delivery.hops),
        hops: delivery.hops,
        length: delivery.length,
        // Circuits hold links for longer than their data take.
        channel_time: if machine.circuit().is_some() {
            delivery.held
        } else {
            u64::from(delivery.length) * u64::from(delivery.hops - machine.terminal_hops())
        },
        aborts: delivery.aborts,
    }
}
