//! Results that are kept, and points that are run again and longer.

use std::fs;
use std::io::Write;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::experiment::points::{Keeper, Running, Task};
use crate::experiment::{End, Plan};
use crate::stats::{Estimate, WarmUp};

fn point(rate: &str, cycles: u64) -> Point {
    let fields = [("traffic.arrivals.rate", rate.to_owned())];
    let (end, warm_up) = (End::Cycles(cycles), WarmUp::Cycles(0));
    let plan = Plan { end, warm_up, replications: 2 };
    Point::new("papers/adaptive-torus-4x4", &fields, plan).unwrap()
}

#[test]
fn runs_are_told_apart_by_all_that_decides_about_them() {
    let fingerprint = |point: &Point, seed, round| {
        Task::probed(point.name.clone(), point.job(seed, round)).fingerprint
    };
    let known = point("0.01", 4000);
    let found: BTreeSet<String> = [
        fingerprint(&known, 1, 0),
        fingerprint(&known, 1, 1),
        fingerprint(&known, 2, 0),
        fingerprint(&point("0.01", 4001), 1, 0),
        fingerprint(&point("0.011", 4000), 1, 0),
    ]
    .into();
    assert_eq!(found.len(), 5);
    assert!(found.contains(&fingerprint(&point("0.01", 4000), 1, 0)));
    // No two rounds, points or batches have a seed in common, and each round doubles what there is.
    let jobs: Vec<_> = (0..3).map(|round| known.job(1, round)).collect();
    let seeds: BTreeSet<u64> = jobs.iter().map(|job| job.scenario.seed).collect();
    assert_eq!(seeds.len(), 3);
    let replications: Vec<u32> = jobs.iter().map(|job| job.plan.replications).collect();
    assert_eq!(replications, [2, 2, 4]);
}

#[test]
fn what_was_run_is_kept_and_not_run_again() {
    let directory = std::env::temp_dir().join(format!("flitscope-store-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let path = directory.join("results.jsonl");
    let _ = fs::remove_file(&path);
    let contents = [content()];
    let stop = AtomicBool::new(false);
    let runs = std::sync::Mutex::new(Vec::new());
    let planned = |count| runs.lock().unwrap().push(count);
    let running = Running {
        threads: Some(2),
        stop: &stop,
        until: None,
        planned: &planned,
        waiting: &|_| {},
        progress: &|_| {},
    };
    let first = run(&contents, 1, &Store::open(&path).unwrap(), &running).unwrap();
    assert_eq!(first[0].missing(), 0);
    // Killed while a line was written.
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"point\"").unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.len(), 1);
    assert!(fs::read_to_string(&path).unwrap().ends_with("}\n"));
    let second = run(&contents, 1, &store, &running).unwrap();
    assert_eq!(first, second);
    assert_eq!(*runs.lock().unwrap(), [2, 0]);
    // Stopped before it began: nothing is kept.
    fs::remove_file(&path).unwrap();
    let store = Store::open(&path).unwrap();
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let stopped = run(&contents, 1, &store, &running).unwrap();
    assert_eq!((stopped[0].missing(), store.is_empty()), (1, true));
    // A line that is no result is named with its place.
    fs::write(&path, "{\"point\": 5}\n").unwrap();
    let broken = Store::open(&path).unwrap_err();
    assert_eq!(broken.kind(), std::io::ErrorKind::InvalidData);
    assert!(broken.to_string().contains("results.jsonl:1:"), "{broken}");
    fs::remove_dir_all(&directory).unwrap();
}

/// A content of one point of eight replications, and a claim about its latency.
fn claiming(range: std::ops::RangeInclusive<f64>) -> Content {
    let each = format!(r#"("latency", "{}", "{}")"#, range.start(), range.end());
    let mut study = study_with(r#"("latency", "0", "11")"#, &each);
    study.tables.clear();
    study.run.replications = 8;
    study.content(Effort::Quick).unwrap()
}

#[test]
fn what_is_undecided_is_run_longer_as_long_as_a_decision_is_in_reach() {
    let path = std::env::temp_dir().join(format!("flitscope-longer-{}", std::process::id()));
    let _ = fs::remove_file(&path);
    let store = Store::open(&path).unwrap();
    let runs = std::sync::Mutex::new(Vec::new());
    let planned = |count| runs.lock().unwrap().push(count);
    let stop = AtomicBool::new(false);
    let running = Running {
        threads: Some(2),
        stop: &stop,
        until: None,
        planned: &planned,
        waiting: &|_| {},
        progress: &|_| {},
    };
    let verdict = |content: Content| {
        let contents = [content];
        let results = run(&contents, 1, &store, &running).unwrap();
        let latency = results[0].uncertain(|results| results.latency(PointId(0)));
        let latency: Estimate = latency.unwrap().estimate();
        (contents[0].judge(&contents[0].claims[0], &results[0]).verdict(), latency)
    };
    let (known, latency) = verdict(claiming(0.0..=f64::INFINITY));
    assert_eq!(known, Verdict::Holds);
    // With seven degrees of freedom an interval of 99.99 % is some three times as wide as one of 95 %.
    let around = |times: f64| {
        let half_width = times * latency.half_width.unwrap();
        claiming(latency.mean - half_width..=latency.mean + half_width)
    };
    assert_eq!(verdict(around(2.2)).0, Verdict::Holds);
    assert_eq!(verdict(around(0.1)).0, Verdict::Undecided);
    // Eight, eight more for the second, and nothing that could not decide the third.
    assert_eq!(*runs.lock().unwrap(), [8, 0, 8, 0]);
    fs::remove_file(&path).unwrap();
}

#[test]
fn two_programs_with_one_folder_run_no_point_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let (one, two) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    let ten = [replication(10.0)];
    one.add("a", ("a point", 1), &ten).unwrap();
    assert!(two.has("a").unwrap() && !two.has("b").unwrap());
    assert_eq!(two.get("a"), Some(ten.to_vec()));
    // Another program was killed while it wrote.
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"point\"").unwrap();
    two.add("b", ("another", 1), &ten).unwrap();
    assert!(one.has("b").unwrap());
    drop((one, two));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "only the results are left");

    fs::remove_file(&path).unwrap();
    let stop = AtomicBool::new(false);
    let running = || Running {
        threads: Some(1),
        stop: &stop,
        until: None,
        planned: &|_| {},
        waiting: &|_| {},
        progress: &|_| {},
    };
    let program = || {
        let contents = [content()];
        run(&contents, 1, &Store::open(&path).unwrap(), &running()).unwrap()
    };
    let all = std::thread::scope(|scope| {
        let programs = [(); 3].map(|()| scope.spawn(program));
        programs.map(|program| program.join().unwrap())
    });
    assert!(all.iter().all(|results| results[0].missing() == 0 && *results == all[0]));
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1, "it was run once");
}
