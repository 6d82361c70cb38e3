//! Runs points of studies under a progress bar.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use super::Failure;
use super::interruption::Interruption;
use super::output;
use super::progress::{Bar, StudyProgress};
use crate::experiment::points::{RunError, Running};
use crate::text;

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
