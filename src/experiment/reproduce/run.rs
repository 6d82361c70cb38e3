//! Simulates the points of studies that have not been simulated yet.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Content, Measured, PointId, Results, Store};
use crate::experiment::{Crash, Ended, Job, Outcome, Progress, run_each};

/// How points are run, and who is told.
pub struct Running<'a> {
    /// Runs at a time; `None`: one per core.
    pub threads: Option<usize>,
    /// Once set, runs end where they are and are not kept.
    pub stop: &'a AtomicBool,
    /// Told the number of runs before the first begins.
    pub planned: &'a (dyn Fn(usize) + Sync),
    /// Told of progress, runs being numbered through all points that are run.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// Why not all points could be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A run broke.
    #[error(transparent)]
    Crash(#[from] Crash),
    /// The results could not be kept.
    #[error(transparent)]
    Store(#[from] io::Error),
    /// Threads could not be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The results of every content, from `store` where it has them, and simulated (and put into it)
/// where not. After `running.stop` was set, results are missing.
pub fn run(
    contents: &[Content],
    store: &mut Store,
    running: &Running<'_>,
) -> Result<Vec<Results>, RunError> {
    let mut results: Vec<Results> =
        contents.iter().map(|content| Results::none(content.points.len())).collect();
    let mut wanted = Vec::new();
    for (study, content) in contents.iter().enumerate() {
        for (at, point) in content.points.iter().enumerate() {
            let fingerprint = point.fingerprint();
            match store.get(&fingerprint) {
                Some(measured) => results[study].set(PointId(at), measured.clone()),
                None => wanted.push((study, PointId(at), fingerprint)),
            }
        }
    }
    let jobs: Vec<Job> = wanted
        .iter()
        .map(|(study, point, _)| contents[*study].points[point.0].job.clone())
        .collect();
    (running.planned)(jobs.iter().map(|job| job.plan.replications.max(1) as usize).sum());
    let mut failure: Option<RunError> = None;
    run_each(&jobs, running.threads, running.stop, running.progress, |at, outcomes| {
        let (study, point, fingerprint) = &wanted[at];
        let kept = outcomes.into_iter().collect::<Result<Vec<Outcome>, Crash>>();
        let kept = kept.map_err(RunError::from).and_then(|outcomes| {
            let together = Outcome::together(&outcomes, jobs[at].plan.replications);
            let Some(whole) = together.filter(|it| it.ended != Ended::Stopped) else {
                return Ok(());
            };
            let measured = Measured::from(&whole);
            let name = &contents[*study].points[point.0].name;
            store.add(fingerprint, name, &measured)?;
            results[*study].set(*point, measured);
            Ok(())
        });
        if let Err(error) = kept
            && failure.is_none()
        {
            failure = Some(error);
            // The rest is not worth running.
            running.stop.store(true, Ordering::Relaxed);
        }
    })?;
    failure.map_or(Ok(results), Err)
}
