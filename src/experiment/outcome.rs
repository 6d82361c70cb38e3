//! Progress, outcome and crash of a run, and pooling of several outcomes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::{Counters, Deadlock, Phase};
use crate::random::mix;
use crate::scenario::Scenario;
use crate::session::Session;
use crate::session::explanation::{Explainer, Explanation};
use crate::session::fault::Fault;
use crate::session::pairs::PairsSummary;
use crate::session::uses::Uses;
use crate::session::verdict::Evidence;
use crate::stats::{Estimate, Histogram, PairedSummary, Steadiness, Summary, replications};
use crate::traffic::sources::Deliveries;
use crate::units::{Load, Rate};

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// The index of the run in the plan, from 0.
    pub run: usize,
    /// Cycles simulated.
    pub cycles: u64,
    /// Messages counted so far (all messages during the warm-up).
    pub messages: u64,
    /// The estimated completed share of the run, 0 to 1.
    pub share: f64,
}

/// The reason for a run's end. Pooled runs have the greatest of their reasons.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, Debug)]
#[strum(serialize_all = "lowercase")]
pub enum Ended {
    /// The run reached its planned end.
    Reached,
    /// The load was found to be carried.
    Carried,
    /// All messages of a script were delivered.
    Delivered,
    /// The run first reached its limit of messages or cycles, or the limit of cycles for delivering
    /// the counted messages.
    Limit,
    Saturated,
    Deadlocked,
    /// The run was interrupted.
    Stopped,
}

impl Ended {
    /// The name in one word, for machines.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub scenario: Arc<Scenario>,
    pub seed: u64,
    /// The replication, from 0; `None` for pooled replications.
    pub replication: Option<u32>,
    /// The generation rate.
    pub rate: Rate,
    /// The measurements.
    pub summary: Summary,
    /// The latencies of the messages counted, in cycles.
    pub latencies: Histogram,
    /// The engine's totals, warm-up included.
    pub counters: Counters,
    /// Cycles simulated, warm-up included.
    pub cycles: u64,
    /// Messages before, during and after failures; empty without failures.
    pub phases: Vec<Phase>,
    /// Pairs of nodes without a route at the end of the run, because of failures.
    pub unreachable_pairs: u64,
    /// The deadlock at the end of the run.
    pub deadlock: Option<Deadlock>,
    /// The grants that built the deadlock, if requested.
    pub explanation: Option<Explanation>,
    /// Evidence to explain contradictions with a model.
    pub evidence: Evidence,
    /// Uses of channels, if counted.
    pub uses: Option<Uses>,
    /// Deliveries of given messages; `None` for random messages and for pooled replications.
    pub deliveries: Option<Deliveries>,
    /// The reason for the end.
    pub ended: Ended,
    /// The wall time of the run.
    pub wall: Duration,
    /// A hash of engine and statistics at the end.
    pub fingerprint: u64,
}

/// A crash during a run: a bug of the program, or an input file that has changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} (scenario {scenario}, seed {seed}, replication {replication}, cycle {cycle})", .fault.what)]
pub struct Crash {
    pub scenario: String,
    pub seed: u64,
    pub replication: u32,
    /// The last cycle simulated before the failing slice.
    pub cycle: u64,
    pub fault: Fault,
}

/// Makes a run, converting a panic or a violated invariant (the error) to a crash. The run stores
/// the reached cycle in its argument.
pub(super) fn guarded<T>(
    scenario: &Scenario,
    seed: u64,
    replication: u32,
    make: impl FnOnce(&mut u64) -> Result<T, String>,
) -> Result<T, Crash> {
    let mut reached = 0;
    let result = catch_unwind(AssertUnwindSafe(|| make(&mut reached)));
    let crash =
        |fault| Crash { scenario: scenario.name.clone(), seed, replication, cycle: reached, fault };
    match result {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(law)) => Err(crash(Fault::bug(law))),
        Err(panic) => {
            // A crash in lockstep names the failing run.
            let panic = match panic.downcast::<Crash>() {
                Ok(crash) => return Err(*crash),
                Err(panic) => panic,
            };
            Err(crash(Fault::of(&*panic)))
        }
    }
}

/// Collects the results of a finished run; the error is a violated invariant. A run that `explains` its
/// deadlock is made again.
pub(super) fn conclude(
    session: &mut Session,
    ended: Ended,
    begun: Instant,
    explains: bool,
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
        phases: session.engine().phases().to_vec(),
        unreachable_pairs: session.engine().unreachable_pairs(),
        deadlock: session.deadlock().cloned(),
        explanation: explains.then(|| Explainer::of_run(session)).flatten(),
        evidence: Evidence::of(session),
        uses: session.uses(),
        deliveries: session.engine().sources().deliveries().cloned(),
        ended,
        wall: begun.elapsed(),
        fingerprint: session.fingerprint(),
    })
}

impl Outcome {
    /// The messages that arrivals generate per sending node and cycle; of a closed loop, as measured.
    pub fn rate_of_arrivals(&self) -> f64 {
        let system = &self.scenario.system;
        match (system.traffic.closed_loop, self.summary.accepted) {
            (Some(_), Some(accepted)) => system.rate_for(Load(accepted)).0,
            (Some(_), None) => 0.0,
            (None, _) => self.rate.0,
        }
    }

    /// The messages needed by the runs too short for a verdict, at most; see [`Summary::messages_to_tell`].
    pub fn messages_to_tell(runs: &[Self]) -> Option<u64> {
        let short = runs.iter().filter(|run| run.summary.steadiness == Steadiness::TooShort);
        short.filter_map(|run| run.summary.messages_to_tell(run.cycles)).max()
    }

    /// Pools the replications of one scenario, `planned` being the intended number: the summary by
    /// [`replications::combine`]; totals, cycles and wall times are sums; the deadlock is the
    /// first; the fingerprint combines all fingerprints in order. `None` without replications.
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
            phases: phases(outcomes),
            unreachable_pairs: outcomes.iter().map(|one| one.unreachable_pairs).max()?,
            deadlock: outcomes.iter().find_map(|one| one.deadlock.clone()),
            explanation: outcomes.iter().find_map(|one| one.explanation.clone()),
            evidence: Evidence::together(outcomes.iter().map(|one| &one.evidence)),
            uses: uses(outcomes),
            deliveries: None,
            ended: outcomes.iter().map(|one| one.ended).chain(missing).max()?,
            wall: outcomes.iter().map(|one| one.wall).sum::<Duration>(),
            fingerprint: outcomes.iter().fold(0, |hash, one| mix(hash, one.fingerprint)),
        })
    }
}

/// The sums of the phases of all runs, which have the same failures; empty if runs ended before some.
fn phases(outcomes: &[Outcome]) -> Vec<Phase> {
    let [first, others @ ..] = outcomes else { return Vec::new() };
    let mut sums = first.phases.clone();
    for one in others {
        let alike = |(a, b): (&Phase, &Phase)| (a.from, a.closed) == (b.from, b.closed);
        if one.phases.len() != sums.len() || !one.phases.iter().zip(&sums).all(alike) {
            return Vec::new();
        }
        for (sum, phase) in sums.iter_mut().zip(&one.phases) {
            sum.delivered += phase.delivered;
            sum.latency_sum += phase.latency_sum;
            sum.lost += phase.lost;
        }
    }
    sums
}

/// The sum of the uses of channels, if counted in all runs.
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
        lost: sum(|it| it.lost),
        flits_lost: sum(|it| it.flits_lost),
        lost_cycles: sum(|it| it.lost_cycles),
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

/// Pools the pairs of several replications. One independent value per replication determines the
/// interval, bounded below by the width from the intervals within replications; without an interval
/// in each replication the result has no interval, because short runs agree on a wrong difference.
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
