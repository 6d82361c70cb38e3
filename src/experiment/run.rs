//! One run to its end, in slices of a few milliseconds of wall time.
//!
//! Whether the end has come is decided at instants of simulated time only: the number of messages
//! every [`SAMPLE_PERIOD`] cycles, precision and saturation at instants that lie 1/16 of the run
//! apart. So the same run ends at the same cycle on every machine. The slices between serve those
//! who want to stop it or to see how far it is.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{End, Plan};
use crate::engine::{Counters, Deadlock};
use crate::scenario::Scenario;
use crate::session::Session;
use crate::session::runs::Runs;
use crate::stats::{Histogram, SAMPLE_PERIOD, Summary, WarmUp};
use crate::units::{Cycle, Rate};

/// Wall time that a slice should take.
const SLICE: Duration = Duration::from_millis(4);
/// Wall time between two calls of the progress callback.
const PROGRESS_PERIOD: Duration = Duration::from_millis(50);
/// The run grows by this share (one over it) between two looks at precision and saturation.
pub(super) const LOOKS: u64 = 16;

/// Cycles between two looks whether all is delivered.
const DRAIN_STEP: u64 = 64;

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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ended {
    /// It reached what was asked for.
    Reached,
    /// It reached its limit of messages or cycles first.
    Limit,
    /// It was found saturated.
    Saturated,
    /// It was found deadlocked.
    Deadlocked,
    /// It was stopped from outside.
    Stopped,
}

impl Ended {
    /// In one word, for machines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::Limit => "limit",
            Self::Saturated => "saturated",
            Self::Deadlocked => "deadlocked",
            Self::Stopped => "stopped",
        }
    }
}

/// What came out of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was run.
    pub scenario: Arc<Scenario>,
    /// The seed.
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
    /// The scenario's name.
    pub scenario: String,
    /// The seed.
    pub seed: u64,
    /// The replication.
    pub replication: u32,
    /// The cycle up to which the run had been simulated before the slice that broke.
    pub cycle: u64,
    /// The broken law or the panic's message.
    pub what: String,
}

/// Runs one replication; `None` if `stop` was set before it began.
pub fn run(
    scenario: &Arc<Scenario>,
    plan: &Plan,
    replication: u32,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Option<Result<Outcome, Crash>> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    Some(guarded(scenario, scenario.seed, replication, |reached| {
        attempt(scenario, plan, replication, stop, progress, reached)
    }))
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
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(crash(text.unwrap_or("a panic without a message").to_owned()))
        }
    }
}

/// The run itself; the error is a broken law. `reached` follows the cycles simulated.
fn attempt(
    scenario: &Arc<Scenario>,
    plan: &Plan,
    replication: u32,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
    reached: &mut u64,
) -> Result<Outcome, String> {
    let begun = Instant::now();
    let plan = &plan.in_cycles(scenario.system.time_unit());
    let mut session = Session::new(Arc::clone(scenario), scenario.seed, replication, plan.warm_up);
    let mut clock = Slices::new(begun);
    let mut judge = Judge { end: plan.end, next_look: LOOKS * SAMPLE_PERIOD, narrow: false };
    let ended = loop {
        let now = session.now().0;
        if let Some(ended) = judge.verdict(&session, now) {
            break ended;
        }
        let sample = (now / SAMPLE_PERIOD + 1) * SAMPLE_PERIOD;
        let until = sample.min(plan.end.cycles_max());
        if !clock.advance(&mut session, until, stop, &plan.end, progress) {
            break Ended::Stopped;
        }
        *reached = session.now().0;
    };
    let ended = drain(&mut session, ended, &mut clock, plan, stop, progress);
    *reached = session.now().0;
    conclude(&session, ended, begun)
}

/// With a given warm-up, runs on until what was generated in the window that counts is delivered, for
/// at most as long again as the window. Returns why the run ended.
fn drain(
    session: &mut Session,
    ended: Ended,
    clock: &mut Slices,
    plan: &Plan,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Ended {
    let (WarmUp::Cycles(from), Ended::Reached | Ended::Limit) = (plan.warm_up, ended) else {
        return ended;
    };
    let end = session.now().0;
    session.close();
    let latest = end + end.saturating_sub(from);
    while !session.statistics().is_drained()
        && session.now().0 < latest
        && session.deadlock().is_none()
    {
        let until = (session.now().0 + DRAIN_STEP).min(latest);
        if !clock.advance(session, until, stop, &plan.end, progress) {
            return Ended::Stopped;
        }
    }
    if session.deadlock().is_some() { Ended::Deadlocked } else { ended }
}

/// What came out of a run that has ended; the error is a broken law.
pub(super) fn conclude(session: &Session, ended: Ended, begun: Instant) -> Result<Outcome, String> {
    session.audit().map_err(|violation| violation.to_string())?;
    let statistics = session.statistics();
    Ok(Outcome {
        scenario: Arc::clone(session.scenario()),
        seed: session.seed(),
        replication: Some(session.replication()),
        rate: session.rate(),
        summary: session.summary(),
        latencies: statistics.histogram(),
        counters: session.counters(),
        cycles: session.now().0,
        deadlock: session.deadlock().cloned(),
        ended,
        wall: begun.elapsed(),
        fingerprint: session.fingerprint(),
    })
}

/// Decides when a run has ended.
struct Judge {
    end: End,
    /// The cycle of the next look at precision and saturation.
    next_look: u64,
    /// Whether the interval was narrow enough at the last look. Two in a row are asked for: a run is
    /// not to end on a stretch that happens to look quiet.
    narrow: bool,
}

impl Judge {
    /// Why the run has ended at `now`, if it has.
    fn verdict(&mut self, session: &Session, now: u64) -> Option<Ended> {
        if session.deadlock().is_some() {
            return Some(Ended::Deadlocked);
        }
        let (share, messages) = match self.end {
            End::Cycles(cycles) => return (now >= cycles).then_some(Ended::Reached),
            End::Messages { count, .. } => (None, count),
            End::Precision { share, messages_max, .. } => (Some(share), messages_max),
        };
        let statistics = session.statistics();
        let at_limit = if statistics.settled_at(now).is_some() && statistics.counted() >= messages {
            Some(if share.is_some() { Ended::Limit } else { Ended::Reached })
        } else {
            (now >= self.end.cycles_max()).then_some(Ended::Limit)
        };
        if now >= self.next_look || at_limit.is_some() {
            self.next_look = now + now / LOOKS;
            let summary = session.summary();
            if summary.steadiness.is_saturated() {
                return Some(Ended::Saturated);
            }
            let reached = summary.latency.and_then(|latency| latency.relative_half_width());
            let narrow = share.zip(reached).is_some_and(|(share, reached)| reached <= share);
            if std::mem::replace(&mut self.narrow, narrow) && narrow {
                return Some(Ended::Reached);
            }
        }
        at_limit
    }
}

/// What is cut into slices: a run, or two at the same cycle.
pub(super) trait Sliced {
    /// Cycles simulated.
    fn now(&self) -> Cycle;
    /// Whether a deadlock has ended it.
    fn is_over(&self) -> bool;
    /// Simulates up to a cycle.
    fn advance(&mut self, until: Cycle);
    /// The run that tells how far all is.
    fn foremost(&self) -> &Session;
}

impl Sliced for Session {
    fn now(&self) -> Cycle {
        self.now()
    }

    fn is_over(&self) -> bool {
        self.deadlock().is_some()
    }

    fn advance(&mut self, until: Cycle) {
        self.advance(until);
    }

    fn foremost(&self) -> &Session {
        self
    }
}

impl Sliced for Runs {
    fn now(&self) -> Cycle {
        self.now()
    }

    fn is_over(&self) -> bool {
        self.are_over()
    }

    fn advance(&mut self, until: Cycle) {
        self.advance(until);
    }

    fn foremost(&self) -> &Session {
        self.first()
    }
}

/// Cuts a run into slices of a few milliseconds.
pub(super) struct Slices {
    /// Cycles of the next slice.
    cycles: u64,
    /// When progress was last told.
    told: Instant,
}

impl Slices {
    /// Of a run that begins now.
    pub(super) fn new(begun: Instant) -> Self {
        Self { cycles: 1, told: begun }
    }

    /// Simulates up to `until` or to a deadlock. Returns `false` if it was stopped on the way.
    pub(super) fn advance(
        &mut self,
        session: &mut impl Sliced,
        until: u64,
        stop: &AtomicBool,
        end: &End,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> bool {
        while session.now().0 < until && !session.is_over() {
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            let begun = Instant::now();
            session.advance(Cycle((session.now().0 + self.cycles).min(until)));
            let now = Instant::now();
            if now - begun < SLICE / 2 {
                self.cycles = (self.cycles * 2).min(SAMPLE_PERIOD);
            } else if now - begun > SLICE * 2 {
                self.cycles = (self.cycles / 2).max(1);
            }
            if now - self.told >= PROGRESS_PERIOD {
                self.told = now;
                progress(seen(session.foremost(), end));
            }
        }
        true
    }
}

/// How far the run is: the furthest along of what can end it.
fn seen(session: &Session, end: &End) -> Progress {
    let summary = session.summary();
    let messages = summary.measured_from.map_or(0, |_| summary.messages);
    let of_messages = |all: u64| messages as f64 / all.max(1) as f64;
    let of_cycles = session.now().0 as f64 / end.cycles_max().max(1) as f64;
    let share = match *end {
        End::Cycles(_) => of_cycles,
        End::Messages { count, .. } => of_messages(count).max(of_cycles),
        End::Precision { share, messages_max, .. } => {
            // The half width shrinks with the root of the number of messages.
            let width = summary.latency.and_then(|latency| latency.relative_half_width());
            let of_precision = width.map_or(0.0, |width| (share / width).powi(2));
            of_precision.max(of_messages(messages_max)).max(of_cycles)
        }
    };
    Progress {
        run: 0,
        cycles: session.now().0,
        messages: summary.messages,
        share: share.clamp(0.0, 1.0),
    }
}
