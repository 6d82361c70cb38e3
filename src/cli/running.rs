//! Runs points of studies under a progress bar.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::Failure;
use super::interruption::Interruption;
use super::output;
use super::progress::Bar;
use crate::experiment::points::{RunError, Running};

/// Does work that runs points, `threads` runs at a time, until it is done or interrupted.
pub(super) fn shown<T>(
    threads: Option<usize>,
    interruption: &Interruption,
    quiet: bool,
    work: impl FnOnce(&Running<'_>) -> Result<T, RunError>,
) -> Result<T, Failure> {
    // A bar for every round, as long as there are runs once the kept ones are taken off.
    let shown: Mutex<Option<Bar>> = Mutex::new(None);
    let bar = || shown.lock().unwrap_or_else(PoisonError::into_inner);
    let told: OnceLock<()> = OnceLock::new();
    let done = work(&Running {
        threads,
        stop: &interruption.stop,
        planned: &|runs| {
            drop(bar().take());
            *bar() = Some(Bar::new(runs, quiet || runs == 0));
        },
        waiting: &|others| {
            told.get_or_init(|| {
                for held in others.iter().filter(|_| !quiet) {
                    output::remark(&format!(
                        "waiting for {}: it has claimed {} of the points",
                        held.by, held.points
                    ));
                }
            });
        },
        progress: &|seen| bar().iter().for_each(|bar| bar.tell(seen)),
    });
    drop(bar().take());
    done.map_err(|error| match error {
        RunError::Crash(crash) => crash.into(),
        RunError::Store(error) => error.into(),
        RunError::Threads(error) => error.into(),
    })
}
