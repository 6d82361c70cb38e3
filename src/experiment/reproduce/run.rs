//! Simulates the points of studies in rounds: all of them, then those again, as further replications,
//! that a verdict needs to be decided.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::point::{LONGER, ROUNDS};
use super::{Content, Held, PointId, Replication, Results, Store};
use crate::experiment::{Crash, Ended, Job, Outcome, Progress, run_each};

/// How often it is looked whether another program has come to its end.
const LOOK: Duration = Duration::from_millis(200);

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

/// The results of every content under a seed, from `store` where it has them, and simulated (and put
/// into it) where not. Points that undecided verdicts rest on get up to [`LONGER`] times the
/// replications, as long as a decision is in reach. After `running.stop` was set, results are missing.
pub fn run(
    contents: &[Content],
    seed: u64,
    store: &mut Store,
    running: &Running<'_>,
) -> Result<Vec<Results>, RunError> {
    let mut results: Vec<Results> =
        contents.iter().map(|content| Results::none(content.points.len())).collect();
    let mut wanted: Vec<BTreeSet<PointId>> =
        contents.iter().map(|content| (0..content.points.len()).map(PointId).collect()).collect();
    for round in 0..ROUNDS {
        run_round(contents, (seed, round, &wanted), store, running, &mut results)?;
        // Replications after this round, in units of those of the first.
        let times = f64::from(1_u32 << round);
        for ((content, results), wanted) in contents.iter().zip(&results).zip(&mut wanted) {
            let open = content.open(results, LONGER / times);
            // A point that was not run longer before is not as far as the others.
            wanted.retain(|point| open.contains(point));
        }
        if wanted.iter().all(BTreeSet::is_empty) || running.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(results)
}

/// A point of a round that is wanted.
struct Wanted {
    study: usize,
    id: PointId,
    fingerprint: String,
    job: Job,
}

/// Adds the results of a round of the points wanted of each content. Points that another program at
/// work has claimed are waited for, and run here should that program end without them.
fn run_round(
    contents: &[Content],
    (seed, round, wanted): (u64, u32, &[BTreeSet<PointId>]),
    store: &mut Store,
    running: &Running<'_>,
    results: &mut [Results],
) -> Result<(), RunError> {
    let mut all = Vec::new();
    for (study, (content, wanted)) in contents.iter().zip(wanted).enumerate() {
        all.extend(wanted.iter().map(|&id| {
            let point = &content.points[id.0];
            let job = point.job(seed, round);
            Wanted { study, id, fingerprint: point.fingerprint(&job), job }
        }));
    }
    let points: BTreeSet<String> = all.iter().map(|point| point.fingerprint.clone()).collect();
    loop {
        let (mut mine, others) = store.claim(&points)?;
        let idle = mine.is_empty();
        // A point that several studies have is run once.
        let own = all.iter().filter(|point| mine.remove(&point.fingerprint)).collect::<Vec<_>>();
        simulate(contents, &own, store, running)?;
        if others.is_empty() || running.stop.load(Ordering::Relaxed) {
            break;
        }
        if idle {
            (running.waiting)(&others);
            std::thread::sleep(LOOK);
        }
    }
    for Wanted { study, id, fingerprint, .. } in &all {
        if let Some(kept) = store.get(fingerprint) {
            results[*study].add(*id, kept);
        }
    }
    Ok(())
}

/// Runs points and puts what was measured into the store.
fn simulate(
    contents: &[Content],
    wanted: &[&Wanted],
    store: &mut Store,
    running: &Running<'_>,
) -> Result<(), RunError> {
    let jobs: Vec<Job> = wanted.iter().map(|point| point.job.clone()).collect();
    (running.planned)(jobs.iter().map(|job| job.plan.replications as usize).sum());
    let mut failure: Option<RunError> = None;
    run_each(&jobs, running.threads, running.stop, running.progress, |at, outcomes| {
        let Wanted { study, id, fingerprint, job } = wanted[at];
        let point = (contents[*study].points[id.0].name.as_str(), job.scenario.seed);
        let kept = outcomes.into_iter().collect::<Result<Vec<Outcome>, Crash>>();
        let kept = kept.map_err(RunError::from).and_then(|outcomes| {
            let whole = outcomes.iter().filter(|it| it.ended != Ended::Stopped);
            let replications: Vec<Replication> = whole.map(Replication::from).collect();
            if replications.len() == job.plan.replications as usize {
                store.add(fingerprint, point, &replications)?;
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
