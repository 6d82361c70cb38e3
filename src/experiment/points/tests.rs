//! Tests of running points.
//!
//! Distribution among programs, order, time limits, and results of other engines are tested.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::experiment::leases::TIMEOUT;
use crate::experiment::{End, Plan};
use crate::scenario::{self, builtin};
use crate::stats::WarmUp;

/// Results in memory, shared by several programs, with the order of runs and their programs.
struct Shelf<'a> {
    leases: Leases,
    kept: &'a Mutex<BTreeMap<String, u64>>,
    ran: Mutex<Vec<String>>,
}

impl<'a> Shelf<'a> {
    fn new(folder: &std::path::Path, kept: &'a Mutex<BTreeMap<String, u64>>) -> Self {
        let leases = Leases::of(folder.join("claims"), TIMEOUT);
        Self { leases, kept, ran: Mutex::default() }
    }
}

impl Keeper for Shelf<'_> {
    fn leases(&self) -> &Leases {
        &self.leases
    }

    fn has(&self, point: &str) -> io::Result<bool> {
        Ok(self.kept.lock().unwrap().contains_key(point))
    }

    fn keep(&self, task: &Task, outcomes: &[Outcome]) -> io::Result<()> {
        let hash = outcomes.iter().fold(0, |hash, one| mix(hash, one.fingerprint));
        let known = self.kept.lock().unwrap().insert(task.fingerprint.clone(), hash);
        assert_eq!(known, None, "{} was run twice", task.name);
        self.ran.lock().unwrap().push(task.name.clone());
        Ok(())
    }
}

fn tasks(cycles: &[u64], replications: u32) -> Vec<Task> {
    let text = builtin::find("papers/adaptive-torus-4x4").unwrap().text;
    let scenario = Arc::new(scenario::parse("it", text, &[]).unwrap());
    let task = |&cycles: &u64| {
        let end = End::Cycles(cycles);
        let plan = Plan { end, warm_up: WarmUp::Cycles(0), replications, ..Plan::default() };
        Task::probed(cycles.to_string(), Job { scenario: Arc::clone(&scenario), plan })
    };
    cycles.iter().map(task).collect()
}

fn running(stop: &AtomicBool, threads: usize) -> Running<'_> {
    let (threads, until) = (Some(threads), None);
    Running { threads, stop, until, planned: &|_| {}, waiting: &|_| {}, progress: &|_| {} }
}

#[test]
fn two_programs_share_out_the_points_and_each_ends_when_all_are_done() {
    let (place, kept) = (tempfile::tempdir().unwrap(), Mutex::default());
    let cycles: Vec<u64> = (0..24).map(|at| 30_000 + at).collect();
    let tasks = tasks(&cycles, 2);
    let stop = AtomicBool::new(false);
    let programs = [Shelf::new(place.path(), &kept), Shelf::new(place.path(), &kept)];
    std::thread::scope(|scope| {
        for shelf in &programs {
            scope.spawn(|| {
                run_points(&tasks, shelf, &running(&stop, 1)).unwrap();
                assert_eq!(kept.lock().unwrap().len(), 24, "all are waited for");
            });
        }
    });
    let shares = programs.each_ref().map(|shelf| shelf.ran.lock().unwrap().len());
    assert!(shares[0] + shares[1] == 24 && shares.iter().all(|&it| it > 2), "{shares:?}");
}

#[test]
fn points_begin_by_their_order_and_threads_change_no_result() {
    let (place, kept) = (tempfile::tempdir().unwrap(), Mutex::default());
    let tasks = tasks(&[9000, 3000, 6000, 3000], 3);
    let stop = AtomicBool::new(false);
    let one = Shelf::new(place.path(), &kept);
    let runs = Mutex::new(0);
    let planned = |count| *runs.lock().unwrap() += count;
    run_points(&tasks, &one, &Running { planned: &planned, ..running(&stop, 1) }).unwrap();
    assert_eq!(*one.ran.lock().unwrap(), ["9000", "3000", "6000"], "one is there twice");
    assert_eq!(*runs.lock().unwrap(), 9);
    let other = Mutex::default();
    run_points(&tasks, &Shelf::new(place.path(), &other), &running(&stop, 4)).unwrap();
    assert_eq!(*kept.lock().unwrap(), *other.lock().unwrap());
}

#[test]
fn a_program_killed_after_it_kept_its_results_leaves_no_lease_for_good() {
    let (place, kept) = (tempfile::tempdir().unwrap(), Mutex::default());
    let tasks = tasks(&[3000], 1);
    let stop = AtomicBool::new(false);
    let shelf = Shelf::new(place.path(), &kept);
    run_points(&tasks, &shelf, &running(&stop, 1)).unwrap();
    let lease = place.path().join("claims").join(format!("{}.lease", tasks[0].fingerprint));
    shelf.leases.take(&tasks[0].fingerprint).unwrap();
    let text = std::fs::read(&lease).unwrap();
    drop(shelf);
    std::fs::create_dir_all(place.path().join("claims")).unwrap();
    std::fs::write(&lease, text).unwrap();
    run_points(&tasks, &Shelf::new(place.path(), &kept), &running(&stop, 1)).unwrap();
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn when_the_time_is_over_what_runs_is_given_back() {
    let (place, kept) = (tempfile::tempdir().unwrap(), Mutex::default());
    let tasks = tasks(&[3000, 100_000_000_000], 1);
    let stop = AtomicBool::new(false);
    let shelf = Shelf::new(place.path(), &kept);
    let until = Some(Instant::now() + Duration::from_millis(500));
    run_points(&tasks, &shelf, &Running { until, ..running(&stop, 2) }).unwrap();
    assert_eq!(*shelf.ran.lock().unwrap(), ["3000"]);
    assert!(shelf.leases.all().unwrap().is_empty());
}

#[test]
fn another_engine_is_another_fingerprint_and_load_and_seed_do_not_change_the_probe() {
    let known = &tasks(&[3000], 1)[0];
    let other = Task::new(known.name.clone(), known.job.clone(), known.engine ^ 1);
    assert_ne!(known.fingerprint, other.fingerprint);
    let text = builtin::find("papers/adaptive-torus-4x4").unwrap().text;
    let with = |path: &str, value: &str| {
        let (path, value) = (path.to_owned(), value.to_owned());
        let set = scenario::Override { label: format!("{path}={value}"), path, value };
        probe(&scenario::parse("it", text, &[set]).unwrap())
    };
    assert_eq!(with("traffic.arrivals.load", "0.4"), known.engine);
    assert_eq!(with("seed", "99"), known.engine);
    assert_ne!(with("switching.buffer_flits", "3"), known.engine);
    assert_ne!(with("routing", "DimensionOrder()"), known.engine);
}
