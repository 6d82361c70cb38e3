//! Headless runs of scenarios: one or several replications, each to a stated end.
//!
//! A [`Plan`] says when a run ends; [`run_all`] makes the runs, several at a time, and hands over
//! what came out in the order in which they were planned. Nothing is printed here: progress is
//! told to a callback, and [`report`] turns outcomes into text.
//!
//! How many runs go on at a time, how they are cut into slices and who watches changes no result:
//! a run decides about its end at instants of simulated time only ([`run`]).

pub mod cases;
mod combine;
pub mod forecast;
pub mod replay;
pub mod report;
pub mod run;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;

use crate::scenario::Scenario;
use crate::stats::WarmUp;
pub use run::{Crash, Ended, Outcome, Progress};

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
    /// When the half width of the 95 % interval of the latency is at most this share of the mean.
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
    /// After exactly this many cycles, warm-up included, saturated or not.
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

    /// The cycle beyond which the run never goes.
    pub fn cycles_max(&self) -> u64 {
        match *self {
            Self::Precision { cycles_max, .. } | Self::Messages { cycles_max, .. } => cycles_max,
            Self::Cycles(cycles) => cycles,
        }
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
}

impl Default for Plan {
    fn default() -> Self {
        Self { end: End::default(), warm_up: WarmUp::Automatic, replications: 1 }
    }
}

/// The results of one scenario, in the order of its replications. A run that was never begun,
/// because all was stopped before, is missing.
pub type Results = Vec<Result<Outcome, Crash>>;

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
    let replications = plan.replications.max(1);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build()?;
    let (sender, receiver) = mpsc::channel();
    threads.in_place_scope_fifo(|scope| {
        for (at, scenario) in scenarios.iter().enumerate() {
            for replication in 0..replications {
                let sender = sender.clone();
                scope.spawn_fifo(move |_| {
                    let run = at * replications as usize + replication as usize;
                    let result = run::run(scenario, plan, replication, stop, &|mut seen| {
                        seen.run = run;
                        progress(seen);
                    });
                    // Nobody listens any more only if the receiving side is being unwound.
                    let _ = sender.send((at, replication, result));
                });
            }
        }
        drop(sender);
        let mut results: Vec<Vec<_>> = scenarios.iter().map(|_| Vec::new()).collect();
        let mut next = 0;
        for (at, replication, result) in receiver {
            results[at].push((replication, result));
            while results.get(next).is_some_and(|done| done.len() == replications as usize) {
                let mut done = std::mem::take(&mut results[next]);
                done.sort_by_key(|&(replication, _)| replication);
                finished(next, done.into_iter().filter_map(|(_, result)| result).collect());
                next += 1;
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests;
