//! Runs to a stated end, one or several replications at the same cycle.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::outcome::conclude;
use super::{Crash, Outcome, Plan, Progress, lockstep};
use crate::scenario::Scenario;
use crate::session::Session;

/// Runs one replication; `None` if `stop` was set before it began.
pub fn run(
    scenario: &Arc<Scenario>,
    plan: &Plan,
    replication: u32,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Option<Result<Outcome, Crash>> {
    together(scenario, plan, replication..replication + 1, stop, progress).pop()
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
) -> Vec<Result<Outcome, Crash>> {
    let begin = |number, plan: &Plan| {
        Session::new(Arc::clone(scenario), scenario.seed, number, plan.warm_up)
    };
    lockstep::make((scenario, numbers), plan, stop, progress, begin, conclude)
}
