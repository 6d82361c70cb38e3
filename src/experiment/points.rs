//! Runs points, each of them a job with results of its own: those that nobody has run yet and no other
//! program is at.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use super::claims::Held;
use super::{Crash, Ended, Job, Outcome, Progress, run_each};

/// How often it is looked whether another program has come to its end.
const LOOK: Duration = Duration::from_millis(200);

/// A point to be run.
#[derive(Clone, Debug)]
pub struct Task {
    /// What its results are kept under: it tells all apart that decides about them.
    pub fingerprint: String,
    /// What is run, for people.
    pub name: String,
    /// The run.
    pub job: Job,
}

/// Where the results of points are kept.
pub trait Keeper {
    /// Claims those of `points` that have no result yet and that no other program at work has
    /// claimed, in place of what was claimed before; returns them, and what others have of the
    /// points.
    fn claim(&mut self, points: &BTreeSet<String>) -> io::Result<(BTreeSet<String>, Vec<Held>)>;

    /// Keeps what came out of all replications of a point.
    fn keep(&mut self, task: &Task, outcomes: &[Outcome]) -> io::Result<()>;
}

/// How points are run, and who is told.
pub struct Running<'a> {
    /// Runs at a time; `None`: one per core.
    pub threads: Option<usize>,
    /// Once set, runs end where they are and are not kept.
    pub stop: &'a AtomicBool,
    /// Told the number of runs before the first of every round begins.
    pub planned: &'a (dyn Fn(usize) + Sync),
    /// Told, now and again, which points of other programs are waited for.
    pub waiting: &'a (dyn Fn(&[Held]) + Sync),
    /// Told of progress, runs being numbered through all points of the round.
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

/// Runs the points that `keeper` has no results of, and gives it theirs. Points that another program
/// at work has claimed are waited for, and run here should that program end without them. Once
/// `running.stop` is set, points under way are not kept.
pub fn run_points(
    tasks: &[Task],
    keeper: &mut impl Keeper,
    running: &Running<'_>,
) -> Result<(), RunError> {
    let points: BTreeSet<String> = tasks.iter().map(|task| task.fingerprint.clone()).collect();
    loop {
        let (mut mine, others) = keeper.claim(&points)?;
        let idle = mine.is_empty();
        // A point that is there twice is run once.
        let own = tasks.iter().filter(|task| mine.remove(&task.fingerprint)).collect::<Vec<_>>();
        simulate(&own, keeper, running)?;
        if others.is_empty() || running.stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        if idle {
            (running.waiting)(&others);
            std::thread::sleep(LOOK);
        }
    }
}

fn simulate(
    tasks: &[&Task],
    keeper: &mut impl Keeper,
    running: &Running<'_>,
) -> Result<(), RunError> {
    let jobs: Vec<Job> = tasks.iter().map(|task| task.job.clone()).collect();
    (running.planned)(jobs.iter().map(|job| job.plan.replications as usize).sum());
    let mut failure: Option<RunError> = None;
    run_each(&jobs, running.threads, running.stop, running.progress, |at, outcomes| {
        let kept = outcomes.into_iter().collect::<Result<Vec<Outcome>, Crash>>();
        let kept = kept.map_err(RunError::from).and_then(|outcomes| {
            let whole = outcomes.iter().all(|it| it.ended != Ended::Stopped);
            if whole && outcomes.len() == jobs[at].plan.replications as usize {
                keeper.keep(tasks[at], &outcomes)?;
            }
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
    failure.map_or(Ok(()), Err)
}
