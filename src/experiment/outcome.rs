//! How far a run is, why it ends, what comes out of it or of several together, and its breaking.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::{Counters, Deadlock};
use crate::random::mix;
use crate::scenario::Scenario;
use crate::session::Session;
use crate::session::pairs::PairsSummary;
use crate::session::uses::Uses;
use crate::session::verdict::Evidence;
use crate::stats::{Estimate, Histogram, PairedSummary, Summary, replications};
use crate::units::Rate;

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Which run of the plan, from 0.
    pub run: usize,
    /// Cycles simulated.
    pub cycles: u64,
    /// Messages counted so far (all, while warming up).
    pub messages: u64,
    /// The share of the run that is done, by estimate, 0 to 1.
    pub share: f64,
}

/// Why a run ended. Of several runs together, the greatest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, Debug)]
#[strum(serialize_all = "lowercase")]
pub enum Ended {
    /// It reached the end that its plan gives.
    Reached,
    /// It reached its limit of messages or cycles first, or that of the cycles in which all that counts is
    /// to be delivered.
    Limit,
    Saturated,
    Deadlocked,
    /// It was stopped from outside.
    Stopped,
}

impl Ended {
    /// In one word, for machines.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What came out of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub scenario: Arc<Scenario>,
    pub seed: u64,
    /// The replication, from 0; `None` for several replications taken together.
    pub replication: Option<u32>,
    /// The generation rate.
    pub rate: Rate,
    /// What was measured.
    pub summary: Summary,
    /// The latencies of the messages counted, in cycles.
    pub latencies: Histogram,
    /// The engine's totals, warm-up included.
    pub counters: Counters,
    /// Cycles simulated, warm-up included.
    pub cycles: u64,
    /// The deadlock that ended the run.
    pub deadlock: Option<Deadlock>,
    /// What may explain that it contradicts a model.
    pub evidence: Evidence,
    /// Uses of channels, where they were counted.
    pub uses: Option<Uses>,
    /// Why it ended.
    pub ended: Ended,
    /// The wall time it took.
    pub wall: Duration,
    /// A hash of engine and statistics at the end.
    pub fingerprint: u64,
}

/// A run in which the program broke: its own mistake, never the scenario's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} (scenario {scenario}, seed {seed}, replication {replication}, cycle {cycle})")]
pub struct Crash {
    pub scenario: String,
    pub seed: u64,
    pub replication: u32,
    /// The cycle up to which the run had been simulated before the slice that broke.
    pub cycle: u64,
    /// The broken law or the panic's message.
    pub what: String,
}

/// Makes a run; a panic or a broken law, its error, becomes a crash. The run keeps the cycle that it
/// has reached where it is told to.
pub(super) fn guarded<T>(
    scenario: &Scenario,
    seed: u64,
    replication: u32,
    make: impl FnOnce(&mut u64) -> Result<T, String>,
) -> Result<T, Crash> {
    let mut reached = 0;
    let result = catch_unwind(AssertUnwindSafe(|| make(&mut reached)));
    let crash =
        |what| Crash { scenario: scenario.name.clone(), seed, replication, cycle: reached, what };
    match result {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(law)) => Err(crash(law)),
        Err(panic) => {
            // Of several at the same cycle, the one that broke.
            let panic = match panic.downcast::<Crash>() {
                Ok(crash) => return Err(*crash),
                Err(panic) => panic,
            };
            Err(crash(said(&*panic)))
        }
    }
}

/// The message of a panic.
pub fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

/// What came out of a run that has ended; the error is a broken law.
pub(super) fn conclude(
    session: &mut Session,
    ended: Ended,
    begun: Instant,
) -> Result<Outcome, String> {
    session.settle().map_err(|violation| violation.to_string())?;
    let statistics = session.statistics();
    Ok(Outcome {
        scenario: Arc::clone(session.scenario()),
        seed: session.seed(),
        replication: Some(session.replication()),
        rate: session.rate(),
        summary: session.summary(),
        latencies: statistics.latencies().clone(),
        counters: session.counters(),
        cycles: session.now().0,
        deadlock: session.deadlock().cloned(),
        evidence: session.evidence(),
        uses: session.uses(),
        ended,
        wall: begun.elapsed(),
        fingerprint: session.fingerprint(),
    })
}

impl Outcome {
    /// The replications of one scenario as one outcome, of `planned` that were meant to be made:
    /// the summary as [`replications::combine`] says; totals, cycles and wall times added up; the
    /// deadlock the first one's; the fingerprint one of all fingerprints in order. `None` without
    /// any replication.
    pub fn together(outcomes: &[Self], planned: u32) -> Option<Self> {
        let first = outcomes.first()?;
        let latencies: Histogram = replications::merge(outcomes.iter().map(|one| &one.latencies));
        let summaries: Vec<Summary> = outcomes.iter().map(|one| one.summary.clone()).collect();
        let missing = (outcomes.len() < planned as usize).then_some(Ended::Stopped);
        Some(Self {
            scenario: Arc::clone(&first.scenario),
            seed: first.seed,
            replication: None,
            rate: first.rate,
            summary: replications::combine(&summaries, Some(&latencies))?,
            latencies,
            counters: total(outcomes),
            cycles: outcomes.iter().map(|one| one.cycles).sum(),
            deadlock: outcomes.iter().find_map(|one| one.deadlock.clone()),
            evidence: Evidence::together(outcomes.iter().map(|one| &one.evidence)),
            uses: uses(outcomes),
            ended: outcomes.iter().map(|one| one.ended).chain(missing).max()?,
            wall: outcomes.iter().map(|one| one.wall).sum::<Duration>(),
            fingerprint: outcomes.iter().fold(0, |hash, one| mix(hash, one.fingerprint)),
        })
    }
}

/// The uses of channels in all runs, where they were counted in all.
fn uses(outcomes: &[Outcome]) -> Option<Uses> {
    let mut all = outcomes.iter().map(|one| one.uses.as_ref());
    let mut sum = all.next()??.clone();
    for uses in all {
        sum.join(uses?);
    }
    Some(sum)
}

fn total(outcomes: &[Outcome]) -> Counters {
    let sum = |of: fn(&Counters) -> u64| outcomes.iter().map(|one| of(&one.counters)).sum();
    Counters {
        generated: sum(|it| it.generated),
        delivered: sum(|it| it.delivered),
        flits_delivered: sum(|it| it.flits_delivered),
        flits_injected: sum(|it| it.flits_injected),
        flits_consumed: sum(|it| it.flits_consumed),
        flit_hops: sum(|it| it.flit_hops),
        message_cycles: sum(|it| it.message_cycles),
        latency_sum: sum(|it| it.latency_sum),
        discarded: sum(|it| it.discarded),
        aborts: sum(|it| it.aborts),
        flits_aborted: sum(|it| it.flits_aborted),
        deadlocks: sum(|it| it.deadlocks),
        events: sum(|it| it.events),
    }
}

/// The pairs of several replications added up. An independent value of each decides about the
/// interval, which is no narrower than their own make it; none where one has none: runs that are too
/// short agree on a wrong difference.
pub(super) fn pairs_together(all: &[PairsSummary]) -> Option<PairsSummary> {
    let first = all.first()?;
    if all.len() == 1 {
        return Some(*first);
    }
    let sum = |of: fn(&PairsSummary) -> u64| all.iter().map(of).sum::<u64>();
    let mean = |which: usize| {
        let values = all.iter().filter_map(|pairs| Some(pairs.paired.latency?[which]));
        let values: Vec<f64> = values.collect();
        Some(Estimate::of_independent(&values)?.mean)
    };
    let means = all.iter().filter_map(|pairs| Some(pairs.paired.difference?.mean));
    let means: Vec<f64> = means.collect();
    let squares = all.iter().map(|pairs| Some(pairs.paired.difference?.half_width?.powi(2)));
    let within = squares.sum::<Option<f64>>().map(|sum| sum.sqrt() / all.len() as f64);
    Some(PairsSummary {
        paired: PairedSummary {
            from: first.paired.from,
            both: sum(|pairs| pairs.paired.both),
            earlier: sum(|pairs| pairs.paired.earlier),
            same: sum(|pairs| pairs.paired.same),
            later: sum(|pairs| pairs.paired.later),
            latency: mean(0).zip(mean(1)).map(|(one, two)| [one, two]),
            difference: Estimate::of_independent(&means).map(|it| Estimate {
                half_width: it.half_width.zip(within).map(|(over, within)| over.max(within)),
                ..it
            }),
        },
        only: [sum(|pairs| pairs.only[0]), sum(|pairs| pairs.only[1])],
        settled: all.iter().all(|pairs| pairs.settled),
        one_in: all.iter().map(|pairs| pairs.one_in).max()?,
    })
}
