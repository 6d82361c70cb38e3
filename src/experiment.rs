//! Headless runs of scenarios: one or several replications, each to a stated end.
//!
//! A [`Plan`] says when a run ends; [`run_all`] makes the runs, several at a time, and hands over
//! what came out in the order in which they were planned. Nothing is printed here: progress is
//! told to a callback, and [`report`] turns outcomes into text.
//!
//! How many runs go on at a time, how they are cut into slices and who watches changes no result:
//! a run decides about its end at instants of simulated time only (`lockstep`).

pub mod cases;
pub mod compare;
mod equations;
pub mod forecast;
pub mod leases;
mod lockstep;
pub mod messages;
mod outcome;
mod parallel;
pub mod plot;
pub mod points;
pub mod probe;
pub mod rank;
pub mod replay;
pub mod report;
pub mod reproduce;
pub mod sheet;
pub mod sweep;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::scenario::Scenario;
use crate::stats::WarmUp;
use crate::units::{Load, TimeUnit};
use crate::words::Misfit;
pub use outcome::{Crash, Ended, Outcome, Progress, said};

/// The relative half width of the latency's interval at which a run ends that says nothing else.
pub const PRECISION_DEFAULT: f64 = 0.01;
/// The most messages counted in a run whose end is a precision and that says nothing else.
pub const MESSAGES_MAX_DEFAULT: u64 = 4_000_000;
/// The most cycles of a run whose end is a precision and that says nothing else.
pub const CYCLES_MAX_DEFAULT: u64 = 10_000_000_000;

/// When a run ends. A deadlock ends every run; saturation ends those that do not ask for a number
/// of cycles.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum End {
    /// When the half width of the 95 % interval of the latency, of several replications that of all
    /// together, is at most this share of the mean at two looks in a row.
    Precision {
        /// Half width divided by mean.
        share: f64,
        /// The most messages counted after the warm-up.
        messages_max: u64,
        /// The most cycles, warm-up included.
        cycles_max: u64,
    },
    /// When this many messages have been counted after the warm-up. This is looked at every
    /// [`crate::stats::SAMPLE_PERIOD`] cycles, so that a few more are counted.
    Messages {
        /// Messages.
        count: u64,
        /// The most cycles, warm-up included.
        cycles_max: u64,
    },
    /// After exactly this many cycles, warm-up included, saturated or not. Where the warm-up was given,
    /// the run goes on until what was generated until then is delivered, for at most as long again.
    Cycles(u64),
}

impl End {
    /// The end meant by what a person has said: a precision is the aim where one is given (and
    /// where nothing is), the others are then limits; else a number of messages is the aim, with
    /// the cycles as a limit.
    pub fn new(precision: Option<f64>, messages: Option<u64>, cycles: Option<u64>) -> Self {
        let cycles_max = cycles.unwrap_or(CYCLES_MAX_DEFAULT);
        match (precision, messages, cycles) {
            (None, Some(count), _) => Self::Messages { count, cycles_max },
            (None, None, Some(cycles)) => Self::Cycles(cycles),
            (share, messages, _) => Self::Precision {
                share: share.unwrap_or(PRECISION_DEFAULT),
                messages_max: messages.unwrap_or(MESSAGES_MAX_DEFAULT),
                cycles_max,
            },
        }
    }

    /// The same end in cycles, where times were given in this unit.
    #[must_use]
    pub fn in_cycles(mut self, unit: TimeUnit) -> Self {
        let (Self::Precision { cycles_max: time, .. }
        | Self::Messages { cycles_max: time, .. }
        | Self::Cycles(time)) = &mut self;
        *time = time.saturating_mul(unit.cycles);
        self
    }

    /// The cycle beyond which the run never goes, but to deliver what was generated before it where the
    /// warm-up was given.
    pub fn cycles_max(&self) -> u64 {
        let (Self::Precision { cycles_max, .. }
        | Self::Messages { cycles_max, .. }
        | Self::Cycles(cycles_max)) = *self;
        cycles_max
    }
}

impl Default for End {
    fn default() -> Self {
        Self::new(None, None, None)
    }
}

/// How a scenario is run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// When each run ends.
    pub end: End,
    /// How its warm-up is left out.
    pub warm_up: WarmUp,
    /// Independent replications of each scenario, at least 1.
    pub replications: u32,
    /// Another load at the beginning, which neither counts nor is part of the warm-up.
    pub before: Option<Before>,
    /// True if the uses of channels are counted.
    pub channels: bool,
}

/// What a run begins with: so much load that the network is congested when its own load is offered.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Before {
    pub load: Load,
    pub cycles: u64,
}

impl Plan {
    /// True if replications go on together until what they say together is precise enough.
    pub fn is_pooled(&self) -> bool {
        matches!(self.end, End::Precision { .. }) && self.replications > 1
    }

    /// The contradiction in a plan whose warm-up lasts as long as its longest run: no message could count.
    pub fn misfit(&self) -> Option<Misfit> {
        let (WarmUp::Cycles(warm_up), most) = (self.warm_up, self.end.cycles_max()) else {
            return None;
        };
        (warm_up >= most).then(|| Misfit {
            what: format!("a warm-up of {warm_up} leaves nothing to count in a run of {most}"),
            help: format!("write a warm-up below {most}, or let the run be longer"),
            field: Some("warm_up"),
        })
    }

    /// The same plan in cycles: a person gives times in the scenario's unit.
    #[must_use]
    pub fn in_cycles(self, unit: TimeUnit) -> Self {
        let warm_up = match self.warm_up {
            WarmUp::Cycles(time) => WarmUp::Cycles(time.saturating_mul(unit.cycles)),
            WarmUp::Automatic => WarmUp::Automatic,
        };
        Self { end: self.end.in_cycles(unit), warm_up, ..self }.behind_before()
    }

    /// The same plan, its limits counted from where its own load is offered.
    fn behind_before(mut self) -> Self {
        let before = self.before.map_or(0, |before| before.cycles);
        let (End::Precision { cycles_max: time, .. }
        | End::Messages { cycles_max: time, .. }
        | End::Cycles(time)) = &mut self.end;
        *time = time.saturating_add(before);
        if let WarmUp::Cycles(end) = &mut self.warm_up {
            *end = end.saturating_add(before);
        }
        self
    }
}

impl Default for Plan {
    fn default() -> Self {
        let (end, warm_up) = (End::default(), WarmUp::Automatic);
        Self { end, warm_up, replications: 1, before: None, channels: false }
    }
}

/// The results of one scenario, in the order of its replications. A run that was never begun,
/// because all was stopped before, is missing.
pub type Results = Vec<Result<Outcome, Crash>>;

/// A scenario and how it is run.
#[derive(Clone, Debug)]
pub struct Job {
    pub scenario: Arc<Scenario>,
    pub plan: Plan,
}

/// Runs every replication of every scenario, `jobs` at a time (`None`: one per core). `finished` is
/// called once per scenario, in their order, as soon as it and all before it are done.
///
/// Once `stop` is set, runs under way end where they are, marked partial, and no other begins.
/// `progress` is called from the threads that simulate, some twenty times a second each.
pub fn run_all(
    scenarios: &[Arc<Scenario>],
    plan: &Plan,
    jobs: Option<usize>,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
    mut finished: impl FnMut(usize, Results),
) -> Result<(), rayon::ThreadPoolBuildError> {
    let all: Vec<Job> =
        scenarios.iter().map(|it| Job { scenario: Arc::clone(it), plan: *plan }).collect();
    let mut waiting: BTreeMap<usize, Results> = BTreeMap::new();
    let mut next = 0;
    run_each(&all, jobs, stop, progress, |at, results| {
        waiting.insert(at, results);
        while let Some(results) = waiting.remove(&next) {
            finished(next, results);
            next += 1;
        }
    })
}

/// Runs every replication of every job, `threads` at a time (`None`: one per core). `finished` is
/// called once per job, as soon as that job is done, whatever its place. Runs are numbered through
/// all jobs for `progress`; for it and for `stop` see [`run_all`].
pub fn run_each(
    jobs: &[Job],
    threads: Option<usize>,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
    mut finished: impl FnMut(usize, Results),
) -> Result<(), rayon::ThreadPoolBuildError> {
    let plans: Vec<Plan> = jobs.iter().map(|job| job.plan).collect();
    let make = |at: usize, numbers, told: &(dyn Fn(Progress) + Sync)| {
        together(&jobs[at].scenario, &plans[at], numbers, stop, told)
    };
    parallel::run(&plans, threads, progress, make, &mut finished)
}

/// Runs replications at the same cycle, on the threads of the present pool, until they end together: a
/// precision is that of the interval over replications. A crash ends all, and stands alone. Progress
/// is that of the first, with the share of all.
pub fn together(
    scenario: &Arc<Scenario>,
    plan: &Plan,
    numbers: Range<u32>,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Results {
    lockstep::make((scenario, None, numbers), plan, stop, progress, |runs, ended, begun| {
        outcome::conclude(&mut runs.all_mut()[0], ended, begun)
    })
}

#[cfg(test)]
mod tests;
