//! What `simulate` says of a run, as a row.

use serde::Serialize;

use super::{Row, row};
use crate::engine::DeadlockSet;
use crate::experiment::{Ended, Outcome};
use crate::stats::HalfWidths;
use crate::switching::{OnDeadlock, Switching};
use crate::system::System;
use crate::units::TimeUnit;

row! {
    /// What `simulate` says of one run, or of all replications together.
    SimulateRow {
        /// The scenario's name.
        scenario: String,
        /// The seed.
        seed: u64,
        /// The replication, from 0; `None` for all together.
        replication: Option<u32>,
        /// Messages per node and cycle (per node and unit of time).
        rate: f64,
        /// Flits per node and cycle that the sources offer; for circuits, transmission times per node and
        /// unit of time.
        offered_flits_per_node_cycle: f64,
        /// Flits per node and cycle that arrived.
        accepted_flits_per_node_cycle: Option<f64>,
        /// Mean share of cycles in which a router-to-router channel moves a flit (is held by a circuit).
        channel_utilisation_mean: Option<f64>,
        /// Mean latency, generation to consumption of the tail.
        latency_mean: Option<f64>,
        /// Half the width of its 95 % interval.
        latency_half_width: Option<f64>,
        /// Mean latency from the head's first move; for circuits, from the start of the data, so that the
        /// rest of the latency is the set-up time.
        network_latency_mean: Option<f64>,
        /// Median latency.
        latency_p50: Option<Time>,
        /// 95th percentile.
        latency_p95: Option<Time>,
        /// 99th percentile.
        latency_p99: Option<Time>,
        /// The unit of all latencies.
        time_unit: &'static str,
        /// Mean channels crossed.
        hops_mean: Option<f64>,
        /// Messages counted.
        messages: u64,
        /// Cycles simulated, warm-up included; for circuits, whole units of time.
        cycles: u64,
        /// Whether it was found saturated; `None` where the run is too short to tell.
        saturated: Option<bool>,
        /// Whether it was stopped by a deadlock.
        deadlock: bool,
        /// Mean times a message was aborted; `None` where worms are not aborted.
        aborts_mean: Option<f64>,
        /// Flits moved over router-to-router channels, warm-up included; `None` for circuits.
        flit_hops: Option<u64>,
        /// Wall time in seconds; of replications together, their sum.
        wall_seconds: f64,
        /// A hash of the final state, 16 hexadecimal digits.
        fingerprint: String,
        /// The program's version.
        version: &'static str,
        /// A hash of the scenario's text and overrides, the seed excepted; 16 hexadecimal digits.
        scenario_hash: String,
        /// What was set from outside the scenario's text: `switching.buffer_flits=8`.
        overrides: Vec<String>,
        /// Why the run ended: `reached`, `limit`, `saturated`, `deadlocked` or `stopped`.
        ended: &'static str,
        /// What `saturated` says, in words: `steady`, `saturated` or `too short to tell`.
        steadiness: &'static str,
        /// Cycles left out as warm-up (of replications together, the most; for circuits, whole units of
        /// time); `None` where the warm-up was not over.
        warm_up_cycles: Option<u64>,
        /// Mean time from generation to the head's first move; for circuits, to the start of the data.
        source_wait_mean: Option<f64>,
        /// Mean time by which others held a message up in the network; for circuits, from the end of the
        /// data until the last link was given back.
        blocking_mean: Option<f64>,
        /// Mean time that the rest would take without any other message.
        transfer_mean: Option<f64>,
        /// Half the width of the 95 % interval of the accepted load; `None`, like those below, where the
        /// mean latency has none.
        accepted_half_width: Option<f64>,
        /// Of the 99th percentile: the wider side of its interval.
        latency_p99_half_width: Option<f64>,
        /// Of the mean wait at the source.
        source_wait_half_width: Option<f64>,
        /// Of the mean blocking.
        blocking_half_width: Option<f64>,
        /// Of the mean transfer.
        transfer_half_width: Option<f64>,
        /// The first cycle (time) at which messages waited for each other for ever.
        deadlock_closed: Option<Time>,
        /// The messages whose waits closed it then.
        deadlock_closers: Option<String>,
        /// Messages that wait for each other for ever.
        deadlock_members: Option<u64>,
        /// Messages caught behind them.
        deadlock_caught: Option<u64>,
        /// `true` in a run that was stopped before its end; only there it is written.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        partial: bool,
    }
}

impl Row for SimulateRow {
    // `partial` is added where it is true.
    const COLUMNS: &'static [&'static str] = Self::FIELDS.split_at(Self::FIELDS.len() - 1).0;

    fn partial(&self) -> bool {
        self.partial
    }
}

impl From<&Outcome> for SimulateRow {
    fn from(outcome: &Outcome) -> Self {
        let summary = &outcome.summary;
        let system = &outcome.scenario.system;
        let unit = system.time_unit();
        let stands = outcome.deadlock.as_ref();
        let HalfWidths { latency_p99, accepted, source_wait, blocking, transfer } =
            summary.half_widths;
        Self {
            scenario: outcome.scenario.name.clone(),
            seed: outcome.seed,
            replication: outcome.replication,
            rate: outcome.rate.0,
            offered_flits_per_node_cycle: summary.offered,
            accepted_flits_per_node_cycle: summary.accepted,
            channel_utilisation_mean: summary.channel_utilisation_mean,
            latency_mean: summary.latency.map(|latency| unit.of(latency.mean)),
            latency_half_width: summary
                .latency
                .and_then(|latency| latency.half_width)
                .map(|half| unit.of(half)),
            network_latency_mean: summary.network_latency_mean.map(|mean| unit.of(mean)),
            latency_p50: summary.latency_p50.map(|cycles| Time::new(cycles, unit)),
            latency_p95: summary.latency_p95.map(|cycles| Time::new(cycles, unit)),
            latency_p99: summary.latency_p99.map(|cycles| Time::new(cycles, unit)),
            time_unit: unit.name,
            hops_mean: summary.hops_mean,
            messages: summary.messages,
            cycles: outcome.cycles / unit.cycles,
            saturated: summary.steadiness.saturated(),
            deadlock: outcome.deadlock.is_some(),
            aborts_mean: aborts_mean(outcome),
            flit_hops: system.wormhole().map(|_| outcome.counters.flit_hops),
            wall_seconds: outcome.wall.as_secs_f64(),
            fingerprint: format!("{:016x}", outcome.fingerprint),
            version: env!("CARGO_PKG_VERSION"),
            scenario_hash: format!("{:016x}", outcome.scenario.hash()),
            overrides: (outcome.scenario.overrides.iter())
                .map(|one| format!("{}={}", one.path, one.value))
                .collect(),
            ended: outcome.ended.name(),
            steadiness: summary.steadiness.name(),
            warm_up_cycles: summary.measured_from.map(|cycle| cycle / unit.cycles),
            source_wait_mean: summary.source_wait_mean().map(|mean| unit.of(mean)),
            blocking_mean: summary.blocking_mean().map(|mean| unit.of(mean)),
            transfer_mean: summary.transfer_mean.map(|mean| unit.of(mean)),
            accepted_half_width: accepted,
            latency_p99_half_width: latency_p99.map(|half| unit.of(half)),
            source_wait_half_width: source_wait.map(|half| unit.of(half)),
            blocking_half_width: blocking.map(|half| unit.of(half)),
            transfer_half_width: transfer.map(|half| unit.of(half)),
            deadlock_closed: stands.map(|found| Time::new(found.closed().0, unit)),
            deadlock_closers: stands.map(|found| closers(system, &found.sets[0])),
            deadlock_members: stands
                .map(|found| found.sets.iter().map(|set| set.worms.len() as u64).sum()),
            deadlock_caught: stands.map(|found| found.caught.len() as u64),
            partial: outcome.ended == Ended::Stopped,
        }
    }
}

/// The messages that closed a set of a deadlock.
pub(super) fn closers(system: &System, set: &DeadlockSet) -> String {
    let names = set.closers.iter().map(|&name| system.network.message_name(name));
    names.collect::<Vec<_>>().join(" ")
}

/// Mean times a message was aborted, where that may happen: of all worms, or of the circuits counted.
fn aborts_mean(outcome: &Outcome) -> Option<f64> {
    let Outcome { counters, summary, .. } = outcome;
    match &outcome.scenario.system.switching {
        Switching::Wormhole(machine) => (machine.on_deadlock == OnDeadlock::Abort)
            .then(|| counters.aborts as f64 / counters.delivered.max(1) as f64),
        Switching::Circuit(machine) => machine.back_off().and(summary.aborts_mean),
    }
}

/// A quantile: a whole number of cycles, or a number of other units.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
#[serde(untagged)]
pub enum Time {
    /// Cycles.
    Cycles(u64),
    /// Units of more than one cycle.
    Units(f64),
}

impl Time {
    /// So many cycles in this unit.
    fn new(cycles: u64, unit: TimeUnit) -> Self {
        if unit.cycles == 1 { Self::Cycles(cycles) } else { Self::Units(unit.of(cycles as f64)) }
    }
}
