//! Two scenarios run side by side on the same messages, headless: when that ends, and what came out.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::outcome::{conclude, pairs_together};
use super::{Crash, Outcome, Plan, Progress, lockstep, parallel};
use crate::scenario::Scenario;
use crate::session::pairs::PairsSummary;
use crate::session::runs::Runs;

/// What came out of two runs of the same messages.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub outcomes: [Outcome; 2],
    /// The same messages in both; `None` where the two do not send the same.
    pub pairs: Option<PairsSummary>,
}

/// The results of all replications, in their order. One that was never begun is missing.
pub type Comparisons = Vec<Result<Comparison, Crash>>;

/// Runs every replication of `first` beside `second` (made by [`crate::scenario::contrast::beside`]),
/// `jobs` at a time (`None`: one per core). A plan's messages are those that arrived in both; its
/// precision is half the width of the interval of the mean difference, message by message, divided by
/// the mean latency in the first run; of several replications, that of all together. Where the two do
/// not send the same messages, each run must have come to its end by itself. For `stop` and `progress`
/// see [`super::run_all`].
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

/// Pairs of runs at the same cycle until they end together; see [`super::together`].
pub fn together(
    [first, second]: [&Arc<Scenario>; 2],
    plan: &Plan,
    numbers: Range<u32>,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Comparisons {
    let concluded = |runs: &mut Runs, ended, begun| {
        let [one, other] = runs.all_mut() else { return Err("there are two runs".into()) };
        let outcomes = [conclude(one, ended, begun)?, conclude(other, ended, begun)?];
        Ok(Comparison { outcomes, pairs: runs.pairs() })
    };
    lockstep::make((first, Some(second), numbers), plan, stop, progress, concluded)
}

impl Comparison {
    /// The replications as one, of `planned` that were meant to be made: each run's outcomes
    /// [together](Outcome::together), the pairs added up; the mean difference is that of the means of
    /// the replications, with a Student interval. `None` without any.
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
