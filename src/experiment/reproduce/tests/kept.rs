//! Tests of distinct points, and of points run again and longer.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::experiment::points::{Running, Task, run_points};
use crate::experiment::reproduce::sources::Sources;
use crate::experiment::sweep::{Folder, Next, Results as Found};
use crate::experiment::{End, Plan};
use crate::stats::{Estimate, WarmUp};

fn point(rate: &str, cycles: u64) -> Point {
    let fields = vec![("traffic.arrivals.rate".to_owned(), rate.to_owned())];
    let (end, warm_up) = (End::Cycles(cycles), WarmUp::Cycles(0));
    let plan = Plan { end, warm_up, replications: 2, ..Plan::default() };
    Point::new(&Sources::default(), "papers/adaptive-torus-4x4", fields, plan).unwrap()
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
    // All rounds, points and batches have distinct seeds, and each round doubles the replications.
    let jobs: Vec<_> = (0..3).map(|round| known.job(1, round)).collect();
    let seeds: BTreeSet<u64> = jobs.iter().map(|job| job.scenario.seed).collect();
    assert_eq!(seeds.len(), 3);
    let replications: Vec<u32> = jobs.iter().map(|job| job.plan.replications).collect();
    assert_eq!(replications, [2, 2, 4]);
}

/// A study of one point with eight replications, and a line within a tolerance of its printed
/// value.
fn expecting(printed: f64, within: f64) -> Study {
    let line = format!("paper: {printed:?}, paper_within: {within:?}");
    let text = STUDY.replace("paper: 10, paper_within: 0.1", &line);
    read(&text.replace("replications: 2", "replications: 8"))
}

#[test]
fn what_is_undecided_is_run_longer_as_long_as_a_decision_is_in_reach() {
    let kept = tempfile::tempdir().unwrap();
    let runs = Mutex::new(Vec::new());
    let running = Running {
        threads: Some(2),
        stop: &AtomicBool::new(false),
        until: None,
        planned: &|count| runs.lock().unwrap().push(count),
        waiting: &|_| {},
        progress: &|_| {},
    };
    let verdict = |study: Study| {
        let mut folder = Folder::begin(kept.path(), &study, true).unwrap();
        loop {
            let points = folder.study.points.iter();
            let tasks: Vec<Task> = points.map(|it| it.task.clone()).collect();
            run_points(&tasks, &folder, &running).unwrap();
            if folder.plan().unwrap() == Next::Done {
                break;
            }
        }
        let (report, latency) = {
            let found = Found::of(&folder, false);
            let latency = found.judged().uncertain(|results| results.latency(PointId(0)));
            (found.report().unwrap().clone(), latency)
        };
        // The folder stores the rounds.
        let again = Folder::open(kept.path()).unwrap();
        assert_eq!(again.study.points.len(), folder.study.points.len());
        let latency: Estimate = latency.unwrap().estimate();
        (report.tables[0].lines[0].verdict().unwrap(), latency)
    };
    let (known, latency) = verdict(expecting(1.0, 1e6));
    assert_eq!(known, Verdict::Holds);
    // An interval of 99.99 % with seven degrees of freedom is about three times as wide as one of
    // 95 %.
    let around =
        |times: f64| expecting(latency.mean, times * latency.half_width.unwrap() / latency.mean);
    assert_eq!(verdict(around(2.2)).0, Verdict::Holds);
    assert_eq!(verdict(around(0.1)).0, Verdict::Undecided);
    // Eight, eight more for the second, and none for the third, which could not decide.
    assert_eq!(*runs.lock().unwrap(), [8, 0, 8, 0]);
}
