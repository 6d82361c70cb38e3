//! Runs points, each a job with separate results.
//!
//! Points without results are distributed among all running programs.

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

/// The name of threads running points, used by panic hooks: a crash of a run is reported as
/// [`Crash`].
pub const THREAD_NAME: &str = "points";

/// Polling interval for one point leased by another program; longer for several points.
const LOOK: Duration = Duration::from_millis(200);
/// The longest polling interval, in multiples of [`LOOK`].
const LOOKS_MAX: usize = 50;

/// A point to run.
#[derive(Clone, Debug)]
pub struct Task {
    /// Cache key of the results: a hash of every input, as 16 hexadecimal digits.
    pub fingerprint: String,
    /// The point's name for people.
    pub name: String,
    /// The [`probe`] of the engine for similar systems.
    pub engine: u64,
    pub job: Job,
}

impl Task {
    /// Creates a point. The fingerprint covers the scenario, the seed, the plan, the program's
    /// version and the probe of the engine.
    pub fn new(name: String, job: Job, engine: u64) -> Self {
        let Plan { end, warm_up, replications, before, channels: _, explains: _ } = &job.plan;
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

    /// Creates a point with a probe of its own system.
    pub fn probed(name: String, job: Job) -> Self {
        let engine = probe(&job.scenario);
        Self::new(name, job, engine)
    }
}

/// Storage for the results of points.
pub trait Keeper: Sync {
    /// The leases of the points.
    fn leases(&self) -> &Leases;

    /// True if a file exists for a point's results, from any program.
    fn has(&self, point: &str) -> io::Result<bool>;

    /// Removes remains of dead programs.
    fn clear_up(&self) {
        self.leases().clear_up();
    }

    /// Stores the outcomes of all replications of a point.
    fn keep(&self, task: &Task, outcomes: &[Outcome]) -> io::Result<()>;
}

/// Points leased by another program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeasedPoints {
    pub points: usize,
    pub by: String,
}

/// Settings and callbacks of running points.
pub struct Running<'a> {
    /// Concurrent runs; `None`: one per core.
    pub threads: Option<usize>,
    /// Once set, no point is begun, and current points are released. Set by [`run_points`] itself
    /// at `until`, and on failure to store results.
    pub stop: &'a AtomicBool,
    /// The time limit.
    pub until: Option<Instant>,
    /// Receives the number of runs of all points without results, before the first begins.
    pub planned: &'a (dyn Fn(usize) + Sync),
    /// Receives, periodically, the leases of other programs being waited for.
    pub waiting: &'a (dyn Fn(&[LeasedPoints]) + Sync),
    /// Receives progress, with runs numbered through all planned points.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// The reason for incomplete runs of points.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A run crashed.
    #[error(transparent)]
    Crash(#[from] Crash),
    /// The results could not be stored.
    #[error(transparent)]
    Store(#[from] io::Error),
    /// Threads could not be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Runs the points without results in `keeper`, in order, and stores their results. Waits for
/// points leased by other programs, and runs them here if those programs end without results.
/// Finally removes leases of dead programs.
pub fn run_points(
    tasks: &[Task],
    keeper: &impl Keeper,
    running: &Running<'_>,
) -> Result<(), RunError> {
    let mut planned: Vec<Planned<'_>> = Vec::new();
    let (mut runs, mut seen) = (0, BTreeSet::new());
    for task in tasks {
        // Duplicate points are run once.
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

/// Runs these points, on the requested number of threads.
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

/// A point with the number of its first run.
#[derive(Clone, Copy)]
struct Planned<'a> {
    task: &'a Task,
    first_run: usize,
}

struct Queue<'a> {
    /// Points without a known lease.
    free: VecDeque<Planned<'a>>,
    /// Points leased by other programs at the last check, with the owner.
    held: Vec<(Planned<'a>, String)>,
    failure: Option<RunError>,
}

/// The shared state of this program's threads.
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

    /// Renews leases and observes the time limit, until the work is done.
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

    /// The loop of each thread: takes points and runs them until none remain.
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
                // After a failure, further runs are useless.
                self.running.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Runs a point, if free.
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

    /// Runs a leased point, unless another program finished just before.
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

    /// Makes the replications of a point, assisted by idle threads.
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

    /// Waits for points of other programs, assisting this program's other threads meanwhile, and
    /// reports their owners.
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
        let held: Vec<LeasedPoints> =
            by.into_iter().map(|(by, points)| LeasedPoints { points, by }).collect();
        if !held.is_empty() {
            (self.running.waiting)(&held);
        }
    }
}

#[cfg(test)]
mod tests;
