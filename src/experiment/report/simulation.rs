//! The results of `simulate` for a run, as a row.

use std::fmt;

use serde::Serialize;

use super::by_class::{ClassRow, class_rows};
use super::failures::{PhaseRow, of_failures, phase_rows, proofs};
use super::grants::GrantRow;
use super::row;
use crate::engine::DeadlockSet;
use crate::experiment::{Ended, Outcome};
use crate::stats::HalfWidths;
use crate::switching::{OnDeadlock, Switching};
use crate::system::System;
use crate::traffic::sources::Deliveries;
use crate::units::TimeUnit;

row! {
    /// The results of one run, or of all replications together.
    SimulateRow from (outcome: &Outcome) {
        let summary = &outcome.summary;
        let system = &outcome.scenario.system;
        let unit = system.time_unit();
        let time = |cycles: Option<f64>| Some(unit.of(cycles?));
        let quantile = |cycles: Option<u64>| Some(Time::new(cycles?, unit));
        let found = outcome.deadlock.as_ref();
        let capacity = outcome.scenario.capacity();
        let completion = outcome.scenario.completion();
        let HalfWidths { latency_p99, accepted, source_wait, blocking, transfer } =
            summary.half_widths;
    } {
        /// The scenario's name.
        scenario: String = outcome.scenario.name.clone(),
        /// The seed.
        seed: u64 = outcome.seed,
        /// The replication, from 0; `None` for all together.
        replication: Option<u32> = outcome.replication,
        /// Messages per node and cycle (per node and unit of time) that arrivals generate; of a closed
        /// loop, as measured.
        rate: f64 = outcome.rate_of_arrivals(),
        /// Flits per node and cycle that the sources offer; for circuits, transmission times per node and
        /// unit of time.
        offered_flits_per_node_cycle: f64 = summary.offered,
        /// Flits per node and cycle that arrived.
        accepted_flits_per_node_cycle: Option<f64> = summary.accepted,
        /// Mean share of cycles in which a router-to-router channel moves a flit (is held by a circuit).
        channel_utilisation_mean: Option<f64> = summary.channel_utilisation_mean,
        /// Mean latency, generation to consumption of the tail.
        latency_mean: Option<f64> = time(summary.latency.map(|it| it.mean)),
        /// Half the width of its 95 % interval.
        latency_half_width: Option<f64> = time(summary.latency.and_then(|it| it.half_width)),
        /// Mean latency from the head's first move; for circuits, from the start of the data, so that the
        /// rest of the latency is the set-up time.
        network_latency_mean: Option<f64> = time(summary.network_latency_mean),
        /// Median latency.
        latency_p50: Option<Time> = quantile(summary.latency_p50),
        /// 95th percentile.
        latency_p95: Option<Time> = quantile(summary.latency_p95),
        /// 99th percentile.
        latency_p99: Option<Time> = quantile(summary.latency_p99),
        /// The unit of all latencies.
        time_unit: &'static str = unit.name,
        /// Mean channels crossed.
        hops_mean: Option<f64> = summary.hops_mean,
        /// Messages counted.
        messages: u64 = summary.messages,
        /// Cycles simulated, warm-up included; for circuits, whole units of time.
        cycles: u64 = outcome.cycles / unit.cycles,
        /// True if found saturated; `None` where the run is too short to tell, deadlocked, or of given messages.
        saturated: Option<bool> = summary.steadiness.saturated(),
        /// True if stopped by a deadlock.
        deadlock: bool = outcome.deadlock.is_some(),
        /// Mean times a message was aborted; `None` where worms are not aborted.
        aborts_mean: Option<f64> = aborts_mean(outcome),
        /// Flits moved over router-to-router channels, warm-up included; `None` for circuits.
        flit_hops: Option<u64> = system.wormhole().map(|_| outcome.counters.flit_hops),
        /// Wall time in seconds; of replications together, their sum.
        wall_seconds: f64 = outcome.wall.as_secs_f64(),
        /// A hash of the final state, 16 hexadecimal digits.
        fingerprint: String = format!("{:016x}", outcome.fingerprint),
        /// The program's version.
        version: &'static str = env!("CARGO_PKG_VERSION"),
        /// A hash of the scenario's text and overrides, the seed excepted; 16 hexadecimal digits.
        scenario_hash: String = format!("{:016x}", outcome.scenario.hash()),
        /// The fields set from outside the scenario's text: `switching.buffer_flits=8`.
        overrides: Vec<String> = (outcome.scenario.overrides.iter())
            .map(|one| format!("{}={}", one.path, one.value))
            .collect(),
        /// The reason for the end: `reached`, `delivered` (all given messages), `limit`, `saturated`, `deadlocked` or `stopped`.
        ended: &'static str = outcome.ended.name(),
        /// The verdict of `saturated` in words: `steady`, `saturated`, `deadlocked`, `finite` (given
        /// messages) or `too short to tell`.
        steadiness: &'static str = summary.steadiness.name(),
        /// Cycles left out as warm-up (of replications together, the most; for circuits, whole units of
        /// time); `None` where the warm-up was not over.
        warm_up_cycles: Option<u64> = summary.measured_from.map(|cycle| cycle / unit.cycles),
        /// Mean time from generation to the head's first move; for circuits, to the start of the data.
        source_wait_mean: Option<f64> = time(summary.source_wait_mean()),
        /// Mean time by which others held a message up in the network; for circuits, from the end of the
        /// data until the last link was given back.
        blocking_mean: Option<f64> = time(summary.blocking_mean()),
        /// Mean time that the rest would take without any other message.
        transfer_mean: Option<f64> = time(summary.transfer_mean),
        /// Half the width of the 95 % interval of the accepted load; `None`, like those below, where the
        /// run is too short for it.
        accepted_half_width: Option<f64> = accepted,
        /// The wider side of the interval of the 99th percentile.
        latency_p99_half_width: Option<f64> = time(latency_p99),
        /// Half the width of the interval of the mean wait at the source.
        source_wait_half_width: Option<f64> = time(source_wait),
        /// Half the width of the interval of the mean blocking.
        blocking_half_width: Option<f64> = time(blocking),
        /// Half the width of the interval of the mean transfer.
        transfer_half_width: Option<f64> = time(transfer),
        /// The first cycle (time) at which messages waited for each other for ever.
        deadlock_closed: Option<Time> = found.map(|it| Time::new(it.closed().0, unit)),
        /// The messages whose waits closed it then.
        deadlock_closers: Option<String> = found.map(|it| closers(system, &it.sets[0])),
        /// Messages that wait for each other for ever.
        deadlock_members: Option<u64> =
            found.map(|it| it.sets.iter().map(|set| set.worms.len() as u64).sum()),
        /// Messages caught behind them.
        deadlock_caught: Option<u64> = found.map(|it| it.caught.len() as u64),
        /// Flits per node and cycle that arrived in the recent half of a saturated run, while its queues grew.
        congested_flits_per_node_cycle: Option<f64> = summary.congested,
        /// The load that no run exceeds in the long run, in the unit of the loads; `None` where the network is
        /// too large for that to be worked out.
        capacity_load: Option<f64> = capacity.map(|it| it.load.0),
        /// `proven` where routes are fixed or drawn, `bound` where heads choose.
        capacity_kind: Option<&'static str> = capacity.map(|it| it.kind.word()),
        /// The cause: a channel, the sources, or links across a cut.
        capacity_channel: Option<String> = capacity.map(|it| it.bottleneck_name(&system.network)),
        /// Cycles until the last delivery of given messages; `None` before, and for all replications
        /// together.
        completion_cycles: Option<u64> = (outcome.ended == Ended::Delivered)
            .then_some(outcome.cycles)
            .filter(|_| outcome.replication.is_some()),
        /// These cycles if a given message is held up by no other that it does not await.
        completion_alone_cycles: Option<u64> = completion.and_then(|it| it.alone),
        /// Cycles for which the cause of the capacity is busy with given messages.
        completion_busiest_cycles: Option<f64> = completion.and_then(|it| it.busiest),
        /// The cycles until the last delivery of a given message from or to each node, in the order of the
        /// nodes, `null` for a node without any; `None` for all replications together.
        node_completion_cycles: Option<Vec<Option<u64>>> = outcome.deliveries.as_ref().map(|it| {
            it.finished().iter().map(|&cycle| (cycle > 0).then_some(cycle)).collect()
        }),
        /// The mean number of given messages generated and not delivered, for each interval of
        /// `in_flight_interval_cycles` up to the last delivery; `None` for all replications together.
        in_flight_messages: Option<Vec<f64>> =
            outcome.deliveries.as_ref().map(|it| it.in_flight().collect()),
        /// The cycles of an interval.
        in_flight_interval_cycles: Option<u64> =
            outcome.deliveries.as_ref().map(Deliveries::interval),
        /// The figures of each message class; `None` if messages have no classes.
        message_classes: Option<Vec<ClassRow>> = class_rows(outcome),
        /// Mean cycles from the generation of a request to the delivery of its last reply.
        round_trip_mean: Option<f64> = summary.round_trips.and_then(|it| it.latency_mean),
        /// Median of these cycles; `None` for several replications together.
        round_trip_p50: Option<u64> = summary.round_trips.and_then(|it| it.latency_p50),
        /// 95th percentile.
        round_trip_p95: Option<u64> = summary.round_trips.and_then(|it| it.latency_p95),
        /// 99th percentile.
        round_trip_p99: Option<u64> = summary.round_trips.and_then(|it| it.latency_p99),
        /// Requests with all replies delivered, per node and cycle.
        round_trips_per_node_cycle: Option<f64> = summary.round_trips_per_node_cycle,
        /// Mean cycles for which the head waited behind other messages in the buffers of pipelined routers;
        /// `None`, like the next three, without a pipeline.
        buffer_wait_mean: Option<f64> = summary.head_waits_mean.map(|it| it[0]),
        /// Mean cycles for which the head waited for output VCs.
        vc_wait_mean: Option<f64> = summary.head_waits_mean.map(|it| it[1]),
        /// Mean cycles for which the head waited for crossbars.
        crossbar_wait_mean: Option<f64> = summary.head_waits_mean.map(|it| it[2]),
        /// Mean cycles for which the head waited for credits.
        credit_wait_mean: Option<f64> = summary.head_waits_mean.map(|it| it[3]),
        /// The grants that built the first set of the deadlock, in order; `None` without a deadlock, for
        /// circuits, and of compared runs.
        deadlock_grants: Option<Vec<GrantRow>> = outcome.explanation.as_ref()
            .map(|it| it.grants.iter().map(|grant| GrantRow::of(system, grant)).collect()),
        /// A change that would have prevented it.
        deadlock_remedy: Option<String> = outcome.explanation.as_ref().map(|it| it.remedy.clone()),
        /// Messages lost because of failures; `None`, like the next two, without failures.
        lost_messages: Option<u64> = of_failures(outcome, outcome.counters.lost),
        /// Pairs of nodes without a route at the end.
        unreachable_pairs: Option<u64> = of_failures(outcome, outcome.unreachable_pairs),
        /// The messages generated before, between and after the changes of the failed channels.
        phases: Option<Vec<PhaseRow>> =
            of_failures(outcome, phase_rows(outcome)),
        /// True if the routes after each given failure in the run are proven free of deadlock; `None` if not,
        /// without such failures, and after random failures.
        new_routes_deadlock_free: Option<bool> = proofs(outcome).filter(|it| it.routes).map(|_| true),
        /// True if no deadlock can occur while messages of the routes before are in the network; `None` as
        /// before.
        transitions_deadlock_free: Option<bool> =
            proofs(outcome).filter(|it| it.transitions).map(|_| true),
        /// The variance of the mean latency as a share of the variance without control variates; `None`
        /// without them.
        latency_variance_left: Option<f64> = summary.latency_variance_left,
        /// `true` in a run that was stopped before its end; only there it is written.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        partial: bool = outcome.ended == Ended::Stopped,
    }
}

/// The messages closing a deadlocked set.
pub(super) fn closers(system: &System, set: &DeadlockSet) -> String {
    let names = set.closers.iter().map(|&name| system.network.message_name(name));
    names.collect::<Vec<_>>().join(" ")
}

/// Mean number of aborts per message, if possible: of all worms, or of the counted circuits.
fn aborts_mean(outcome: &Outcome) -> Option<f64> {
    let Outcome { counters, summary, .. } = outcome;
    match &outcome.scenario.system.switching {
        Switching::Wormhole(machine) => (machine.on_deadlock == OnDeadlock::Abort)
            .then(|| counters.aborts as f64 / counters.delivered.max(1) as f64),
        Switching::Circuit(machine) => machine.back_off().and(summary.aborts_mean),
    }
}

/// A time: a whole number of cycles, or a number of other units.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
#[serde(untagged)]
pub enum Time {
    /// Cycles.
    Cycles(u64),
    /// Units longer than a cycle.
    Units(f64),
}

impl Time {
    /// Converts cycles to this unit.
    pub fn new(cycles: u64, unit: TimeUnit) -> Self {
        if unit.cycles == 1 { Self::Cycles(cycles) } else { Self::Units(unit.of(cycles as f64)) }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cycles(cycles) => write!(f, "{cycles}"),
            Self::Units(units) => write!(f, "{units:.3}"),
        }
    }
}
