//! Runs what is missing in a folder, round after round, as `sweep` does.

use std::sync::atomic::Ordering;

use super::folder::{Folder, OpenError};
use super::{Next, Part, Results, longest_first};
use crate::experiment::points::{RunError, Running, Task, run_points};

/// Why a study was not finished.
#[derive(Debug, thiserror::Error)]
pub enum Unfinished {
    /// Its folder cannot be used any more.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Its points could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// What follows from them could not be written.
    #[error(transparent)]
    Write(#[from] std::io::Error),
}

/// Runs what is missing until nothing is, or `running` is stopped.
pub fn finish(folder: &mut Folder, running: &Running<'_>) -> Result<(), Unfinished> {
    loop {
        let points = longest_first(&folder.study, &folder.found(), &Part::All).into_iter();
        let tasks: Vec<Task> = points.map(|at| folder.study.points[at].task.clone()).collect();
        run_points(&tasks, folder, running)?;
        if running.stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        let Next::Round(_) = folder.plan()? else { return Ok(()) };
    }
}

/// Writes tables, figures and the report of what there is, beside models, on this many threads (`None`:
/// one per core) of the caller's priority.
pub fn write_all(folder: &Folder, threads: Option<usize>) -> Result<(), Unfinished> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    let written = pool.build().map_err(RunError::from)?.install(|| {
        let results = Results::of(folder, true);
        results.write_tables(folder)?;
        results.write_plots(folder, false)?;
        results.write_report(folder)
    });
    Ok(written?)
}
