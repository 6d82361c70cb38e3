//! Runs points, each of them a job with results of its own: those that nobody has run yet, shared out
//! among all programs that are at it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::leases::{Leases, Taken};
use super::probe::probe;
use super::{Crash, Ended, Job, Outcome, Plan, Progress, Results, together};
use crate::random::mix;

/// The name of the threads that run points, by which a panic hook can tell them from others: a run that
/// breaks is a [`Crash`].
pub const THREAD_NAME: &str = "points";

/// The time between two looks whether a point that another program has is free, if there is one such
/// point; with several of them it is longer.
const LOOK: Duration = Duration::from_millis(200);
/// The longest time between two such looks, in times of [`LOOK`].
const LOOKS_MAX: usize = 50;

/// A point to be run.
#[derive(Clone, Debug)]
pub struct Task {
    /// What its results are kept under: it tells all apart that decides about them. 16 hexadecimal
    /// digits.
    pub fingerprint: String,
    /// What is run, for people.
    pub name: String,
    /// The [`probe`] of the engine for systems like its own.
    pub engine: u64,
    pub job: Job,
}

impl Task {
    /// A point. Its fingerprint is made of the scenario, the seed, the plan, the program's version and
    /// the probe of the engine.
    pub fn new(name: String, job: Job, engine: u64) -> Self {
        let Plan { end, warm_up, replications, before, channels: _ } = &job.plan;
        let plan = format!(
            "Plan {{ end: {end:?}, warm_up: {warm_up:?}, replications: {replications:?} }}"
        );
        let before = before.map_or_else(String::new, |before| format!(" {before:?}"));
        let texts = [plan + &before, env!("CARGO_PKG_VERSION").to_owned()];
        let seed = mix(job.scenario.hash(), job.scenario.seed);
        let hash = texts
            .iter()
            .flat_map(|text| text.bytes().map(u64::from).chain([1 << 8]))
            .fold(mix(seed, engine), mix);
        Self { fingerprint: format!("{hash:016x}"), name, engine, job }
    }

    /// A point whose system is probed for itself.
    pub fn probed(name: String, job: Job) -> Self {
        let engine = probe(&job.scenario);
        Self::new(name, job, engine)
    }
}

/// Where the results of points are kept.
pub trait Keeper: Sync {
    /// Who runs which points.
    fn leases(&self) -> &Leases;

    /// Whether there is something in the place of a point's results, of whatever program.
    fn has(&self, point: &str) -> io::Result<bool>;

    /// Removes what programs left behind that are gone.
    fn clear_up(&self) {
        self.leases().clear_up();
    }

    /// Keeps what came out of all replications of a point.
    fn keep(&self, task: &Task, outcomes: &[Outcome]) -> io::Result<()>;
}

/// Points that another program has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    pub points: usize,
    pub by: String,
}

/// How points are run, and who is told.
pub struct Running<'a> {
    /// Runs at a time; `None`: one per core.
    pub threads: Option<usize>,
    /// Once set, no point is begun, and what runs is given back. Set by [`run_points`] itself at
    /// `until`, and when results cannot be kept.
    pub stop: &'a AtomicBool,
    /// When no time is left.
    pub until: Option<Instant>,
    /// Told the number of runs of all points that have no results, before the first begins.
    pub planned: &'a (dyn Fn(usize) + Sync),
    /// Told, now and again, which points of other programs are waited for.
    pub waiting: &'a (dyn Fn(&[Held]) + Sync),
    /// Told of progress, runs being numbered through all points that were planned.
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

/// Runs the points that `keeper` has no results of, by their order, and gives it theirs. Points that
/// another program has are waited for, and run here should that program end without them. Leases of
/// programs that are gone are removed at the end.
pub fn run_points(
    tasks: &[Task],
    keeper: &impl Keeper,
    running: &Running<'_>,
) -> Result<(), RunError> {
    let mut planned: Vec<Planned<'_>> = Vec::new();
    let (mut runs, mut seen) = (0, BTreeSet::new());
    for task in tasks {
        // A point that is there twice is run once.
        if seen.insert(&task.fingerprint) && !keeper.has(&task.fingerprint)? {
            planned.push(Planned { task, first_run: runs });
            runs += task.job.plan.replications as usize;
        }
    }
    (running.planned)(runs);
    if !planned.is_empty() {
        share_out(planned, keeper, running)?;
    }
    keeper.clear_up();
    Ok(())
}

/// Runs these points, on as many threads as are asked for.
fn share_out<'a>(
    planned: Vec<Planned<'a>>,
    keeper: &impl Keeper,
    running: &'a Running<'a>,
) -> Result<(), RunError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(running.threads.unwrap_or(0));
    let pool = pool.thread_name(|_| THREAD_NAME.to_owned()).build()?;
    let queue = Queue { free: planned.into(), held: Vec::new(), failure: None };
    let room = Room { queue: Mutex::new(queue), keeper, running };
    let (done, watched) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let room = &room;
        let watch = Builder::new().spawn_scoped(scope, move || room.watch(&watched));
        watch.map_err(|error| {
            io::Error::new(error.kind(), format!("no thread can renew the leases: {error}"))
        })?;
        pool.broadcast(|_| room.work());
        drop(done);
        Ok::<(), io::Error>(())
    })?;
    let queue = room.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    queue.failure.map_or(Ok(()), Err)
}

/// A point, and the number of its first run.
#[derive(Clone, Copy)]
struct Planned<'a> {
    task: &'a Task,
    first_run: usize,
}

struct Queue<'a> {
    /// Points that nobody is known to have.
    free: VecDeque<Planned<'a>>,
    /// Points that other programs had when it was last looked, and which.
    held: Vec<(Planned<'a>, String)>,
    failure: Option<RunError>,
}

/// Where the threads of this program take their points from.
struct Room<'a, K> {
    queue: Mutex<Queue<'a>>,
    keeper: &'a K,
    running: &'a Running<'a>,
}

impl<'a, K: Keeper> Room<'a, K> {
    fn queue(&self) -> MutexGuard<'_, Queue<'a>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.running.stop.load(Ordering::Relaxed)
    }

    /// Renews leases and keeps an eye on the time, until the work is done.
    fn watch(&self, done: &mpsc::Receiver<()>) {
        let leases = self.keeper.leases();
        let mut renewed = Instant::now();
        loop {
            let renewal = renewed + leases.period();
            let left = |until: Instant| until.saturating_duration_since(Instant::now());
            let end = self.running.until.filter(|_| !self.is_stopped());
            let next = end.map_or(renewal, |end| end.min(renewal));
            if done.recv_timeout(left(next)) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            if end.is_some_and(|end| left(end).is_zero()) {
                self.running.stop.store(true, Ordering::Relaxed);
            }
            if left(renewal).is_zero() {
                leases.renew();
                renewed = Instant::now();
            }
        }
    }

    /// What each thread does: takes points and runs them, until there are none.
    fn work(&self) {
        while !self.is_stopped() {
            let next = self.queue().free.pop_front();
            let done = match next {
                Some(point) => self.point(point),
                None if self.queue().held.is_empty() => return,
                None => {
                    self.wait();
                    Ok(())
                }
            };
            if let Err(error) = done {
                self.queue().failure.get_or_insert(error);
                // The rest is not worth running.
                self.running.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Runs a point, if it is free.
    fn point(&self, point: Planned<'a>) -> Result<(), RunError> {
        let (task, replications) = (point.task, point.task.job.plan.replications as usize);
        let name = &task.fingerprint;
        if !self.keeper.has(name)? {
            match self.keeper.leases().take(name)? {
                Taken::Held(by) => {
                    self.queue().held.push((point, by));
                    return Ok(());
                }
                Taken::Mine => {
                    let done = self.taken(point);
                    self.keeper.leases().give_back(name);
                    return done;
                }
            }
        }
        for run in 0..replications {
            let run = point.first_run + run;
            (self.running.progress)(Progress { run, cycles: 0, messages: 0, share: 1.0 });
        }
        Ok(())
    }

    /// Runs a point that is this program's, unless it was finished just before.
    fn taken(&self, point: Planned<'_>) -> Result<(), RunError> {
        if self.keeper.has(&point.task.fingerprint)? {
            return Ok(());
        }
        let outcomes = self.simulate(point).into_iter().collect::<Result<Vec<Outcome>, Crash>>()?;
        let whole = outcomes.iter().all(|it| it.ended != Ended::Stopped);
        if whole && outcomes.len() == point.task.job.plan.replications as usize {
            self.keeper.keep(point.task, &outcomes)?;
        }
        Ok(())
    }

    /// Makes the replications of a point; threads without a point of their own help.
    fn simulate(&self, point: Planned<'_>) -> Results {
        let Job { scenario, plan } = &point.task.job;
        let (stop, progress) = (self.running.stop, self.running.progress);
        let told = |seen: Progress, number: u32| {
            progress(Progress { run: point.first_run + number as usize, ..seen });
        };
        if plan.is_pooled() {
            let all = |seen| (0..plan.replications).for_each(|number| told(seen, number));
            return together(scenario, plan, 0..plan.replications, stop, &all);
        }
        let run = |number| {
            let only = |seen| told(seen, number);
            together(scenario, plan, number..number + 1, stop, &only)
        };
        let runs: Vec<Results> = (0..plan.replications).into_par_iter().map(run).collect();
        runs.into_iter().flatten().collect()
    }

    /// Waits a moment for points that others have, helping this program's other threads, and tells who
    /// has them: by then all of them were asked for.
    fn wait(&self) {
        let pause = LOOK * self.queue().held.len().clamp(1, LOOKS_MAX) as u32;
        let until = Instant::now() + pause;
        while Instant::now() < until && !self.is_stopped() {
            if rayon::yield_now() != Some(rayon::Yield::Executed) {
                std::thread::sleep(LOOK / 20);
            }
        }
        let mut by: BTreeMap<String, usize> = BTreeMap::new();
        let held = {
            let mut queue = self.queue();
            let held = std::mem::take(&mut queue.held);
            queue.free.extend(held.iter().map(|(point, _)| *point));
            held
        };
        for (_, owner) in held {
            *by.entry(owner).or_default() += 1;
        }
        let held: Vec<Held> = by.into_iter().map(|(by, points)| Held { points, by }).collect();
        if !held.is_empty() {
            (self.running.waiting)(&held);
        }
    }
}

#[cfg(test)]
mod tests;
