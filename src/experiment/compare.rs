//! Two scenarios run side by side on the same messages, headless: when that ends, and what came out.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::lockstep::Member;
use super::outcome::conclude;
use super::{Crash, Outcome, Plan, Progress, lockstep};
use crate::scenario::Scenario;
use crate::session::Session;
use crate::session::pairs::PairsSummary;
use crate::session::runs::Runs;
use crate::stats::{Estimate, PairedSummary, Summary, replications};
use crate::units::Cycle;

/// What came out of two runs of the same messages.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Each run by itself.
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
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build()?;
    let replications = plan.replications.max(1);
    let each = |number: u32| together(scenarios, plan, number..number + 1, stop, progress);
    Ok(pool.install(|| {
        if plan.is_pooled() {
            return together(scenarios, plan, 0..replications, stop, progress);
        }
        (0..replications).into_par_iter().flat_map_iter(each).collect()
    }))
}

/// Pairs of runs at the same cycle until they end together; see [`super::run::together`].
pub fn together(
    [first, second]: [&Arc<Scenario>; 2],
    plan: &Plan,
    numbers: Range<u32>,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Comparisons {
    let told = |seen: Progress| {
        numbers.clone().for_each(|number| progress(Progress { run: number as usize, ..seen }));
    };
    let begin = |number, plan: &Plan| {
        let session = Session::new(Arc::clone(first), first.seed, number, plan.warm_up);
        Runs::two(session, Arc::clone(second))
    };
    let concluded = |runs: &Runs, ended, begun| {
        let other = runs.second().ok_or("there are two runs")?;
        let outcomes = [conclude(runs.first(), ended, begun)?, conclude(other, ended, begun)?];
        Ok(Comparison { outcomes, pairs: runs.pairs() })
    };
    lockstep::make((first, numbers.clone()), plan, stop, &told, begin, concluded)
}

impl Member for Runs {
    fn runs(&self) -> impl Iterator<Item = &Session> {
        self.all()
    }

    fn advance(&mut self, until: Cycle) {
        self.advance(until);
    }

    fn close(&mut self) {
        self.close();
    }

    fn counted(&self) -> u64 {
        if let Some(pairs) = self.pairs() {
            return if pairs.settled { pairs.paired.both } else { 0 };
        }
        self.all().map(|session| session.statistics().counted()).min().unwrap_or(0)
    }

    fn precision(all: &[Self]) -> Option<f64> {
        if let Some(pairs) = all.iter().map(Self::pairs).collect::<Option<Vec<PairsSummary>>>() {
            let known = added(&pairs)?;
            let half = known.paired.difference?.half_width.filter(|_| known.settled)?;
            return Some(half / known.paired.latency?[0]);
        }
        let side = |which: bool| {
            let summaries: Vec<Summary> = all.iter().map(|it| it.run(which).summary()).collect();
            replications::combine(&summaries, None)?.latency?.relative_half_width()
        };
        Some(side(false)?.max(side(true)?))
    }
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
        Some(Self { outcomes, pairs: pairs.and_then(|pairs| added(&pairs)) })
    }
}

/// The pairs of several replications added up. An independent value of each decides about the
/// interval, which is no narrower than their own make it; none where one has none: runs that are too
/// short agree on a wrong difference.
fn added(all: &[PairsSummary]) -> Option<PairsSummary> {
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
