//! Several replications taken together.

use std::sync::Arc;
use std::time::Duration;

use super::{Ended, Outcome};
use crate::engine::Counters;
use crate::random::mix;
use crate::stats::{Histogram, Summary, replications};

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
    outcomes.iter().fold(Counters::default(), |sum, one| {
        let Counters {
            generated,
            delivered,
            flits_delivered,
            flits_injected,
            flits_consumed,
            flit_hops,
            message_cycles,
            latency_sum,
            discarded,
            aborts,
            flits_aborted,
            deadlocks,
            events,
        } = one.counters;
        Counters {
            generated: sum.generated + generated,
            delivered: sum.delivered + delivered,
            flits_delivered: sum.flits_delivered + flits_delivered,
            flits_injected: sum.flits_injected + flits_injected,
            flits_consumed: sum.flits_consumed + flits_consumed,
            flit_hops: sum.flit_hops + flit_hops,
            message_cycles: sum.message_cycles + message_cycles,
            latency_sum: sum.latency_sum + latency_sum,
            discarded: sum.discarded + discarded,
            aborts: sum.aborts + aborts,
            flits_aborted: sum.flits_aborted + flits_aborted,
            deadlocks: sum.deadlocks + deadlocks,
            events: sum.events + events,
        }
    })
}
