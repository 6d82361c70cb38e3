//! Runs the missing points of a folder, round by round, like the command `sweep`.

use std::sync::atomic::Ordering;

use super::folder::{Folder, OpenError};
use super::{Next, Part, Results, longest_first};
use crate::experiment::points::{RunError, Running, Task, run_points};

/// The reason for an unfinished study.
#[derive(Debug, thiserror::Error)]
pub enum Unfinished {
    /// The folder has become unusable.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The points could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The output files could not be written.
    #[error(transparent)]
    Write(#[from] std::io::Error),
}

/// Runs missing points until none remain, or `running` is stopped.
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

/// Writes tables, figures and the report of the current results with models, on this many threads
/// (`None`: one per core) at the caller's priority.
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
