//! Two scenarios run side by side on the same messages, headless: when that ends, and what came out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::run::{LOOKS, Slices, conclude, guarded};
use super::{Crash, End, Ended, Outcome, Plan, Progress};
use crate::scenario::Scenario;
use crate::session::Session;
use crate::session::pairs::PairsSummary;
use crate::session::runs::Runs;
use crate::stats::{Estimate, PairedSummary, SAMPLE_PERIOD};

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
/// the mean latency in the first run. Where the two do not send the same messages, each run must have
/// come to its end by itself. For `stop` and `progress` see [`super::run_all`].
pub fn compare_all(
    scenarios: [&Arc<Scenario>; 2],
    plan: &Plan,
    jobs: Option<usize>,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Comparisons, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build()?;
    let one = |replication: u32| {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let told = |seen: Progress| progress(Progress { run: replication as usize, ..seen });
        let [first, second] = scenarios;
        Some(guarded(first, first.seed, replication, |reached| {
            attempt([first, second], plan, replication, stop, &told, reached)
        }))
    };
    Ok(pool.install(|| (0..plan.replications.max(1)).into_par_iter().filter_map(one).collect()))
}

/// The two runs themselves; the error is a broken law.
fn attempt(
    [first, second]: [&Arc<Scenario>; 2],
    plan: &Plan,
    replication: u32,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
    reached: &mut u64,
) -> Result<Comparison, String> {
    let begun = Instant::now();
    let plan = &plan.in_cycles(first.system.time_unit());
    let session = Session::new(Arc::clone(first), first.seed, replication, plan.warm_up);
    let mut runs = Runs::two(session, Arc::clone(second));
    let mut slices = Slices::new(begun);
    let mut judge = Judge { end: plan.end, next_look: LOOKS * SAMPLE_PERIOD, narrow: false };
    let ended = loop {
        let now = runs.now().0;
        if let Some(ended) = judge.verdict(&runs, now) {
            break ended;
        }
        let until = ((now / SAMPLE_PERIOD + 1) * SAMPLE_PERIOD).min(plan.end.cycles_max());
        if !slices.advance(&mut runs, until, stop, &plan.end, progress) {
            break Ended::Stopped;
        }
        *reached = runs.now().0;
    };
    let other = runs.second().ok_or("there are two runs")?;
    let outcomes = [conclude(runs.first(), ended, begun)?, conclude(other, ended, begun)?];
    Ok(Comparison { outcomes, pairs: runs.pairs() })
}

/// Decides when two runs have ended.
struct Judge {
    end: End,
    /// The cycle of the next look at precision and saturation.
    next_look: u64,
    /// Whether the interval was narrow enough at the last look: two in a row are asked for.
    narrow: bool,
}

impl Judge {
    /// Why the runs have ended at `now`, if they have. A deadlock of one ends both, unless a number of
    /// cycles was asked for.
    fn verdict(&mut self, runs: &Runs, now: u64) -> Option<Ended> {
        let (share, messages) = match self.end {
            _ if runs.are_over() => return Some(Ended::Deadlocked),
            End::Cycles(cycles) => return (now >= cycles).then_some(Ended::Reached),
            End::Messages { count, .. } => (None, count),
            End::Precision { share, messages_max, .. } => (Some(share), messages_max),
        };
        if runs.all().any(|session| session.deadlock().is_some()) {
            return Some(Ended::Deadlocked);
        }
        let at_limit = if counted(runs) >= messages {
            Some(if share.is_some() { Ended::Limit } else { Ended::Reached })
        } else {
            (now >= self.end.cycles_max()).then_some(Ended::Limit)
        };
        if now >= self.next_look || at_limit.is_some() {
            self.next_look = now + now / LOOKS;
            if runs.all().any(|session| session.summary().steadiness.is_saturated()) {
                return Some(Ended::Saturated);
            }
            let reached = share.zip(precision(runs));
            let narrow = reached.is_some_and(|(share, reached)| reached <= share);
            if std::mem::replace(&mut self.narrow, narrow) && narrow {
                return Some(Ended::Reached);
            }
        }
        at_limit
    }
}

/// Messages counted after the warm-up in both runs.
fn counted(runs: &Runs) -> u64 {
    if let Some(pairs) = runs.pairs() {
        return if pairs.settled { pairs.paired.both } else { 0 };
    }
    runs.all().map(|session| session.statistics().counted()).min().unwrap_or(0)
}

/// How precisely the difference is known, as a share of the mean latency; `None` while it is not.
fn precision(runs: &Runs) -> Option<f64> {
    if let Some(pairs) = runs.pairs() {
        let half = pairs.paired.difference?.half_width.filter(|_| pairs.settled)?;
        return Some(half / pairs.paired.latency?[0]);
    }
    let of = |session: &Session| session.summary().latency?.relative_half_width();
    runs.all().map(of).collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
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

/// Whether the difference of one replication has an interval.
fn has_interval(pairs: &PairsSummary) -> bool {
    pairs.paired.difference.is_some_and(|difference| difference.half_width.is_some())
}

/// The pairs of several replications added up; an independent value of each decides about the
/// interval.
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
    Some(PairsSummary {
        paired: PairedSummary {
            from: first.paired.from,
            both: sum(|pairs| pairs.paired.both),
            earlier: sum(|pairs| pairs.paired.earlier),
            same: sum(|pairs| pairs.paired.same),
            later: sum(|pairs| pairs.paired.later),
            latency: mean(0).zip(mean(1)).map(|(one, two)| [one, two]),
            difference: Estimate::of_independent(&means).map(|it| Estimate {
                // Runs that are too short agree on a wrong difference.
                half_width: it.half_width.filter(|_| all.iter().all(has_interval)),
                ..it
            }),
        },
        only: [sum(|pairs| pairs.only[0]), sum(|pairs| pairs.only[1])],
        settled: all.iter().all(|pairs| pairs.settled),
        one_in: all.iter().map(|pairs| pairs.one_in).max()?,
    })
}
