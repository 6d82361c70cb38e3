//! Compares two scenarios run on the same messages, without the screen.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::outcome::{conclude, pairs_together};
use super::{Crash, Outcome, Plan, Progress, lockstep, parallel};
use crate::scenario::Scenario;
use crate::session::pairs::PairsSummary;
use crate::session::runs::Runs;

/// The results of two runs on the same messages.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub outcomes: [Outcome; 2],
    /// Statistics of the common messages; `None` if the two runs send different messages.
    pub pairs: Option<PairsSummary>,
}

/// The results of all replications, in order. Replications never begun are missing.
pub type Comparisons = Vec<Result<Comparison, Crash>>;

/// Runs every replication of `first` together with `second` (made by
/// [`crate::scenario::contrast::beside`]), `jobs` at a time (`None`: one per core). A plan's
/// message count refers to messages delivered in both runs; its precision is the half width of the
/// interval of the mean difference, message by message, divided by the mean latency of the first
/// run, pooled over replications if several. If the two runs send different messages, each must
/// reach its end separately. For `stop` and `progress` see [`super::run_all`].
pub fn compare_all(
    scenarios: [&Arc<Scenario>; 2],
    plan: &Plan,
    jobs: Option<usize>,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Comparisons, rayon::ThreadPoolBuildError> {
    let make = |_, numbers, told: &(dyn Fn(Progress) + Sync)| {
        together(scenarios, plan, numbers, stop, told)
    };
    let mut all = Vec::new();
    parallel::run(&[*plan], jobs, progress, make, &mut |_, made| all = made)?;
    Ok(all)
}

/// Runs pairs in lockstep until all end together; see [`super::together`].
pub fn together(
    [first, second]: [&Arc<Scenario>; 2],
    plan: &Plan,
    numbers: Range<u32>,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Comparisons {
    let concluded = |runs: &mut Runs, ended, begun| {
        let [one, other] = runs.all_mut() else { return Err("there are two runs".into()) };
        let outcomes = [conclude(one, ended, begun, false)?, conclude(other, ended, begun, false)?];
        Ok(Comparison { outcomes, pairs: runs.pairs() })
    };
    lockstep::make((first, Some(second), numbers), plan, stop, progress, concluded)
}

impl Comparison {
    /// Combines the replications, `planned` being the intended number: each side's outcomes
    /// [together](Outcome::together) and the sum of the pairs. The mean difference is the mean over
    /// replications, with a Student interval. `None` without replications.
    pub fn together(all: &[Self], planned: u32) -> Option<Self> {
        let side = |which: usize| {
            let outcomes: Vec<Outcome> =
                all.iter().map(|one| one.outcomes[which].clone()).collect();
            Outcome::together(&outcomes, planned)
        };
        let outcomes = [side(0)?, side(1)?];
        let pairs: Option<Vec<PairsSummary>> = all.iter().map(|one| one.pairs).collect();
        Some(Self { outcomes, pairs: pairs.and_then(|pairs| pairs_together(&pairs)) })
    }
}
