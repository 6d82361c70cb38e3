//! Several replications taken together.

use std::sync::Arc;
use std::time::Duration;

use super::{Ended, Outcome};
use crate::engine::Counters;
use crate::random::mix;
use crate::session::pairs::PairsSummary;
use crate::stats::{Estimate, Histogram, PairedSummary, Summary, replications};

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
            ended: outcomes.iter().map(|one| one.ended).chain(missing).max()?,
            wall: outcomes.iter().map(|one| one.wall).sum::<Duration>(),
            fingerprint: outcomes.iter().fold(0, |hash, one| mix(hash, one.fingerprint)),
        })
    }
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
