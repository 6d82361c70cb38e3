//! Runs to a stated end, one or several replications at the same cycle.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::outcome::conclude;
use super::{Crash, Outcome, Plan, Progress, lockstep};
use crate::scenario::Scenario;
use crate::session::runs::Runs;

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
    let concluded = |runs: &Runs, ended, begun| conclude(runs.first(), ended, begun);
    lockstep::make((scenario, None, numbers), plan, stop, progress, concluded)
}
