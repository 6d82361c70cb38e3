//! Simulates several runs, or pairs of runs, in lockstep.
//!
//! All runs end together. A slice takes a few milliseconds of wall time.
//!
//! The end is decided at instants of simulated time only: the number of messages every
//! [`SAMPLE_PERIOD`] cycles, precision and saturation at instants 1/16 of the run apart. The same
//! runs therefore end at the same cycle on every machine. Slices exist for stopping and for
//! progress reports.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use super::outcome::{guarded, pairs_together};
use super::{Before, Crash, End, Ended, Plan, Progress};
use crate::engine::Change;
use crate::scenario::Scenario;
use crate::session::Session;
use crate::session::fates::Fate;
use crate::session::pairs::PairsSummary;
use crate::session::runs::Runs;
use crate::stats::{SAMPLE_PERIOD, Summary, WarmUp, replications};
use crate::units::Cycle;

/// Target wall time of a slice.
const SLICE: Duration = Duration::from_millis(4);
/// Wall time between two calls of the progress callback.
const PROGRESS_PERIOD: Duration = Duration::from_millis(50);
/// The run grows by this share (one over `LOOKS`) between two checks of precision and saturation.
const LOOKS: u64 = 16;
/// Minimum number of cycles allowed for delivering all messages, however short the window.
const DRAIN_AT_LEAST: u64 = 10_000;
/// Cycles between two checks for complete delivery.
const DRAIN_STEP: u64 = 64;

/// The current cycle; runs at their end stay behind.
fn now(all: &[Runs]) -> u64 {
    all.iter().map(|runs| runs.now().0).max().unwrap_or(0)
}

fn every(all: &[Runs], holds: fn(&Session) -> bool) -> bool {
    all.iter().flat_map(Runs::all).all(holds)
}

fn any(all: &[Runs], holds: fn(&Session) -> bool) -> bool {
    all.iter().flat_map(Runs::all).any(holds)
}

/// Messages counted after the warm-up; in a pair, messages delivered in both runs.
fn counted(runs: &Runs) -> u64 {
    if let Some(pairs) = runs.pairs() {
        return if pairs.settled { pairs.paired.both } else { 0 };
    }
    runs.all().map(|session| session.statistics().counted()).min().unwrap_or(0)
}

/// The relative half width of the interval of the mean latency, or of the mean difference of pairs,
/// as a share of the mean latency; `None` while unknown.
fn precision(all: &[Runs]) -> Option<f64> {
    if let Some(pairs) = all.iter().map(Runs::pairs).collect::<Option<Vec<PairsSummary>>>() {
        let known = pairs_together(&pairs)?;
        let half = known.paired.difference?.half_width.filter(|_| known.settled)?;
        return Some(half / known.paired.latency?[0]);
    }
    let side = |second: bool| {
        let summaries: Vec<Summary> = all.iter().map(|it| it.run(second).summary()).collect();
        replications::combine(&summaries, None)?.latency?.relative_half_width()
    };
    let two = all.first()?.second().is_some();
    Some(if two { side(false)?.max(side(true)?) } else { side(false)? })
}

fn is_deadlocked(run: &Session) -> bool {
    run.deadlock().is_some()
}

fn is_saturated(run: &Session) -> bool {
    run.statistics().steadiness(run.now().0).is_saturated()
}

/// Makes the given replications of a scenario, or of a pair, in lockstep. Empty if `stop` was set
/// before the start; only the crash if a run crashes.
pub(super) fn make<T>(
    what: (&Arc<Scenario>, Option<&Arc<Scenario>>, Range<u32>),
    plan: &Plan,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
    conclude: impl Fn(&mut Runs, Ended, Instant) -> Result<T, String>,
) -> Vec<Result<T, Crash>> {
    make_telling(what, plan, stop, progress, None, conclude)
}

/// The same as [`make`], passing every delivery and loss of a single run to `tell`.
pub(super) fn make_telling<'a, T>(
    (scenario, against, numbers): (&Arc<Scenario>, Option<&Arc<Scenario>>, Range<u32>),
    plan: &Plan,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
    tell: Option<&'a mut Tell<'a>>,
    conclude: impl Fn(&mut Runs, Ended, Instant) -> Result<T, String>,
) -> Vec<Result<T, Crash>> {
    if stop.load(Ordering::Relaxed) {
        return Vec::new();
    }
    let (begun, first) = (Instant::now(), numbers.start);
    let plan = &plan.for_system(&scenario.system);
    let begin = |number| {
        let mut session = Session::new(Arc::clone(scenario), scenario.seed, number, plan.warm_up);
        if plan.channels {
            session.count_uses();
        }
        match plan.end {
            End::Verdict { resolution, .. } => session.search(resolution),
            End::Precision { .. } if against.is_none() => session.control_variates(),
            End::Precision { .. } | End::Messages { .. } | End::Cycles(_) => {}
        }
        let runs = match against {
            None => Runs::from(session),
            Some(against) => Runs::two(session, Arc::clone(against)),
        };
        run_in(runs, plan, stop)
    };
    let mut all = Vec::new();
    let ended = guarded(scenario, scenario.seed, first, |reached| {
        all.extend(numbers.map(begin));
        Ok(to_the_end(&mut all, plan, stop, progress, (tell, reached)))
    });
    let ended = match ended {
        Ok(ended) => ended,
        Err(crash) => return vec![Err(crash)],
    };
    let concluded = |(number, one): (u32, &mut Runs)| {
        guarded(scenario, scenario.seed, number, |reached| {
            *reached = one.now().0;
            conclude(one, ended, begun)
        })
    };
    let results = (first..).zip(&mut all).map(concluded).collect();
    if stop.load(Ordering::Relaxed) {
        // Frees a large network's memory in the background, without delaying a stop.
        let _ = std::thread::Builder::new().spawn(move || drop(all));
    }
    results
}

/// Simulates the plan's initial load, if any; observes `stop`.
fn run_in(runs: Runs, plan: &Plan, stop: &AtomicBool) -> Runs {
    let Some(Before { load, cycles }) = plan.before else { return runs };
    let own = runs.first().rate();
    let mut runs = [runs];
    let rate = runs[0].first().scenario().system.rate_for(load);
    runs[0].apply(Change::Rate(rate));
    Slices::new(Instant::now()).advance(&mut runs, cycles, stop, &plan.end, &|_| {});
    let [mut runs] = runs;
    runs.apply(Change::Rate(own));
    runs
}

/// Simulates all runs until the end. `reached` follows the simulated cycles.
fn to_the_end<'a>(
    all: &mut [Runs],
    plan: &Plan,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
    (tell, reached): (Option<&'a mut Tell<'a>>, &mut u64),
) -> Ended {
    let mut slices = Slices { tell, ..Slices::new(Instant::now()) };
    let mut judge = Judge { end: plan.end, next_look: LOOKS * SAMPLE_PERIOD, narrow: false };
    let ended = loop {
        let now = now(all);
        if let Some(ended) = judge.verdict(all, now) {
            break ended;
        }
        let sample = (now / SAMPLE_PERIOD + 1) * SAMPLE_PERIOD;
        let until = sample.min(plan.end.cycles_max());
        if !slices.advance(all, until, stop, &plan.end, progress) {
            break Ended::Stopped;
        }
        *reached = self::now(all);
    };
    let ended = drain(all, ended, &mut slices, plan, stop, progress);
    *reached = now(all);
    ended
}

/// Continues after a run with fixed warm-up until all messages generated in the measured window are
/// delivered, for at most as long again as the window or [`DRAIN_AT_LEAST`]. Returns the reason for
/// the end.
fn drain(
    all: &mut [Runs],
    ended: Ended,
    slices: &mut Slices<'_>,
    plan: &Plan,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Ended {
    let (WarmUp::Cycles(from), Ended::Reached | Ended::Limit) = (plan.warm_up, ended) else {
        return ended;
    };
    let end = now(all);
    all.iter_mut().for_each(Runs::close);
    let latest = end + end.saturating_sub(from).max(DRAIN_AT_LEAST);
    let is_done = |run: &Session| run.statistics().is_drained() || run.is_over();
    while !every(all, is_done) && now(all) < latest {
        let until = (now(all) + DRAIN_STEP).min(latest);
        if !slices.advance(all, until, stop, &plan.end, progress) {
            return Ended::Stopped;
        }
    }
    if every(all, is_deadlocked) {
        Ended::Deadlocked
    } else if every(all, is_done) {
        ended
    } else {
        Ended::Limit
    }
}

/// The goal of a run that is looked at from time to time.
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    Messages,
    Precision(f64),
    Verdict,
}

struct Judge {
    end: End,
    /// The cycle of the next check of precision and saturation.
    next_look: u64,
    /// True if the interval was narrow enough at the last check. Two consecutive checks are needed,
    /// lest a run end on an accidentally quiet stretch.
    narrow: bool,
}

impl Judge {
    /// The reason to end at `now`, if any. One deadlocked or saturated run ends all, unless a fixed
    /// number of cycles is required.
    fn verdict(&mut self, all: &[Runs], now: u64) -> Option<Ended> {
        let (goal, messages) = match self.end {
            _ if every(all, Session::is_complete) => return Some(Ended::Delivered),
            _ if every(all, Session::is_over) => return Some(Ended::Deadlocked),
            End::Cycles(cycles) => return (now >= cycles).then_some(Ended::Reached),
            End::Messages { count, .. } => (Goal::Messages, count),
            End::Precision { share, messages_max, .. } => (Goal::Precision(share), messages_max),
            End::Verdict { messages_max, .. } => (Goal::Verdict, messages_max),
        };
        if any(all, is_deadlocked) {
            return Some(Ended::Deadlocked);
        }
        let at_limit = if all.iter().all(|one| counted(one) >= messages) {
            Some(if goal == Goal::Messages { Ended::Reached } else { Ended::Limit })
        } else {
            (now >= self.end.cycles_max()).then_some(Ended::Limit)
        };
        if now >= self.next_look || at_limit.is_some() {
            self.next_look = now + now / LOOKS;
            if any(all, is_saturated) {
                return Some(Ended::Saturated);
            }
            if goal == Goal::Verdict && every(all, Session::carries) {
                return Some(Ended::Carried);
            }
            let narrow = match goal {
                Goal::Precision(share) => precision(all).is_some_and(|reached| reached <= share),
                Goal::Messages | Goal::Verdict => false,
            };
            if std::mem::replace(&mut self.narrow, narrow) && narrow {
                return Some(Ended::Reached);
            }
        }
        at_limit
    }
}

/// Divides runs into slices of a few milliseconds.
pub(super) struct Slices<'a> {
    /// Cycles of the next slice.
    cycles: u64,
    /// Time of the last progress report.
    told: Instant,
    tell: Option<&'a mut Tell<'a>>,
}

/// Callback for the ends of messages.
pub(super) type Tell<'a> = dyn FnMut(Fate<'_>) + 'a;

impl Slices<'_> {
    pub(super) fn new(begun: Instant) -> Self {
        Self { cycles: 1, told: begun, tell: None }
    }

    /// Simulates up to `until` or to the end of all runs. Returns `false` if stopped before.
    pub(super) fn advance(
        &mut self,
        all: &mut [Runs],
        until: u64,
        stop: &AtomicBool,
        end: &End,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> bool {
        while now(all) < until && !every(all, Session::is_over) {
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            let begun = Instant::now();
            let next = Cycle((now(all) + self.cycles).min(until));
            match (&mut self.tell, &mut *all) {
                (Some(tell), [only]) => only.advance_with(next, |_, fate| tell(fate)),
                _ => advance(all, next),
            }
            let now = Instant::now();
            if now - begun < SLICE / 2 {
                self.cycles = (self.cycles * 2).min(SAMPLE_PERIOD);
            } else if now - begun > SLICE * 2 {
                self.cycles = (self.cycles / 2).max(1);
            }
            if now - self.told >= PROGRESS_PERIOD {
                self.told = now;
                seen(all, end).into_iter().for_each(progress);
            }
        }
        true
    }
}

/// Simulates all runs up to a cycle, in parallel on the current pool. A panic names the
/// replication.
fn advance(all: &mut [Runs], until: Cycle) {
    if let [only] = all {
        return only.advance(until);
    }
    all.par_iter_mut().for_each(|one| {
        let (scenario, replication) = (one.first().scenario().clone(), one.first().replication());
        let advanced = guarded(&scenario, scenario.seed, replication, |reached| {
            *reached = one.first().now().0;
            one.advance(until);
            Ok(())
        });
        if let Err(crash) = advanced {
            resume_unwind(Box::new(crash));
        }
    });
}

/// The progress of the runs (the first of each pair), by the nearest possible end.
fn seen(all: &[Runs], end: &End) -> Option<Progress> {
    let run = all.first()?.first();
    let summary = run.summary();
    let messages = summary.measured_from.map_or(0, |_| summary.messages);
    let of_messages = |all: u64| messages as f64 / all.max(1) as f64;
    let of_cycles = run.now().0 as f64 / end.cycles_max().max(1) as f64;
    let share = match *end {
        End::Cycles(_) => of_cycles,
        End::Messages { count, .. } => of_messages(count).max(of_cycles),
        End::Precision { share, messages_max, .. } => {
            // The half width shrinks with the root of the number of messages.
            let of_precision = precision(all).map_or(0.0, |width| (share / width).powi(2));
            of_precision.max(of_messages(messages_max)).max(of_cycles)
        }
        End::Verdict { messages_max, .. } => of_messages(messages_max).max(of_cycles),
    };
    let (cycles, messages, share) = (run.now().0, summary.messages, share.clamp(0.0, 1.0));
    Some(Progress { run: 0, cycles, messages, share })
}
