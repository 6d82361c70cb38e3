//! Makes runs under a progress bar: of scenarios, or of the points of studies.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use super::Failure;
use super::interruption::Interruption;
use super::output;
use super::progress::{Bar, StudyProgress};
use crate::experiment::points::{RunError, Running};
use crate::experiment::{Crash, Outcome, Plan, Results, run_all};
use crate::scenario::Scenario;
use crate::text;

/// Makes all replications of `scenarios`, `jobs` at a time (`None`: one per core), until `stop` is set.
/// The first crash ends them all.
pub(super) fn outcomes(
    scenarios: &[Arc<Scenario>],
    plan: &Plan,
    jobs: Option<u16>,
    stop: &AtomicBool,
    quiet: bool,
) -> Result<Vec<Vec<Outcome>>, Failure> {
    let replications = plan.replications as usize;
    let bar = Bar::new(scenarios.len() * replications, quiet);
    let (mut done, mut crash) = (Vec::new(), None);
    let finished = |at: usize, results: Results| {
        (0..replications).for_each(|run| bar.done(at * replications + run, 1.0));
        match results.into_iter().collect::<Result<Vec<Outcome>, Crash>>() {
            Ok(outcomes) => done.push(outcomes),
            Err(broken) => {
                crash.get_or_insert(broken);
                stop.store(true, Ordering::Relaxed);
            }
        }
    };
    run_all(scenarios, plan, jobs.map(usize::from), stop, &|seen| bar.tell(seen), finished)?;
    crash.map_or(Ok(done), |crash| Err(crash.into()))
}

/// Runs points with `threads` concurrent runs, until done, interrupted or out of time.
pub(super) fn with_progress<T>(
    threads: Option<usize>,
    interruption: &Interruption,
    quiet: bool,
    (until, whole): (Option<Instant>, StudyProgress),
    work: impl FnOnce(&Running<'_>) -> Result<T, RunError>,
) -> Result<T, Failure> {
    // The bar covers the runs without stored results.
    let shown: Mutex<Option<Bar>> = Mutex::new(None);
    let bar = || shown.lock().unwrap_or_else(PoisonError::into_inner);
    let told: OnceLock<()> = OnceLock::new();
    let done = work(&Running {
        threads,
        stop: &interruption.stop,
        until,
        planned: &|runs| {
            drop(bar().take());
            *bar() = Some(Bar::new(runs, quiet || runs == 0).part_of(whole));
        },
        waiting: &|others| {
            told.get_or_init(|| {
                for held in others.iter().filter(|_| !quiet) {
                    output::remark(&format!(
                        "waiting for {}: it has {}",
                        held.by,
                        text::count(held.points, "point", "points")
                    ));
                }
            });
        },
        progress: &|seen| {
            if seen.share >= 1.0 {
                // The summary of a complete point is worth waiting for.
                interruption.keep(true);
            }
            bar().iter().for_each(|bar| bar.tell(seen));
        },
    });
    drop(bar().take());
    done.map_err(|error| match error {
        RunError::Crash(crash) => crash.into(),
        RunError::Store(error) => error.into(),
        RunError::Threads(error) => error.into(),
    })
}
