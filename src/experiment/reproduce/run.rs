//! Simulates the points of studies that have not been simulated yet.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Content, Held, Measured, PointId, Results, Store};
use crate::experiment::{Crash, Ended, Job, Outcome, Progress, run_each};

/// How often is looked whether another program has come to its end.
const LOOK: Duration = Duration::from_millis(200);

/// How points are run, and who is told.
pub struct Running<'a> {
    /// Runs at a time; `None`: one per core.
    pub threads: Option<usize>,
    /// Once set, runs end where they are and are not kept.
    pub stop: &'a AtomicBool,
    /// Told the number of runs before the first begins.
    pub planned: &'a (dyn Fn(usize) + Sync),
    /// Told, now and again, which points of other programs are waited for.
    pub waiting: &'a (dyn Fn(&[Held]) + Sync),
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
/// where not. Points that another program at work has claimed are waited for, and run here should
/// that program end without them. After `running.stop` was set, results are missing.
pub fn run(
    contents: &[Content],
    store: &mut Store,
    running: &Running<'_>,
) -> Result<Vec<Results>, RunError> {
    let all: Vec<(usize, PointId, String)> = contents
        .iter()
        .enumerate()
        .flat_map(|(study, content)| {
            let points = content.points.iter().enumerate();
            points.map(move |(at, point)| (study, PointId(at), point.fingerprint()))
        })
        .collect();
    let points: BTreeSet<String> = all.iter().map(|(.., point)| point.clone()).collect();
    loop {
        let (mine, others) = store.claim(&points)?;
        let mut wanted: Vec<&(usize, PointId, String)> =
            all.iter().filter(|(.., point)| mine.contains(point)).collect();
        // A point that several studies have is run once.
        let mut seen = BTreeSet::new();
        wanted.retain(|(.., point)| seen.insert(point));
        simulate(contents, &wanted, store, running)?;
        if others.is_empty() || running.stop.load(Ordering::Relaxed) {
            break;
        }
        if mine.is_empty() {
            (running.waiting)(&others);
            std::thread::sleep(LOOK);
        }
    }
    let mut results: Vec<Results> =
        contents.iter().map(|content| Results::none(content.points.len())).collect();
    for (study, point, fingerprint) in &all {
        if let Some(measured) = store.get(fingerprint) {
            results[*study].set(*point, measured.clone());
        }
    }
    Ok(results)
}

/// Runs points and puts what was measured into the store.
fn simulate(
    contents: &[Content],
    wanted: &[&(usize, PointId, String)],
    store: &mut Store,
    running: &Running<'_>,
) -> Result<(), RunError> {
    let jobs: Vec<Job> = wanted
        .iter()
        .map(|(study, point, _)| contents[*study].points[point.0].job.clone())
        .collect();
    (running.planned)(jobs.iter().map(|job| job.plan.replications.max(1) as usize).sum());
    let mut failure: Option<RunError> = None;
    run_each(&jobs, running.threads, running.stop, running.progress, |at, outcomes| {
        let (study, point, fingerprint) = wanted[at];
        let kept = outcomes.into_iter().collect::<Result<Vec<Outcome>, Crash>>();
        let kept = kept.map_err(RunError::from).and_then(|outcomes| {
            let together = Outcome::together(&outcomes, jobs[at].plan.replications);
            let Some(whole) = together.filter(|it| it.ended != Ended::Stopped) else {
                return Ok(());
            };
            let name = &contents[*study].points[point.0].name;
            Ok(store.add(fingerprint, name, &Measured::from(&whole))?)
        });
        if let Err(error) = kept
            && failure.is_none()
        {
            failure = Some(error);
            // The rest is not worth running.
            running.stop.store(true, Ordering::Relaxed);
        }
    })?;
    failure.map_or(Ok(()), Err)
}
