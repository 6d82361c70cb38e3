//! Verdicts, deviations, curves and kept results; every study at both efforts.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::sync::atomic::AtomicBool;

use super::curve::Sweep;
use super::table::Spread;
use super::*;
use crate::experiment::plot::Plot;
use crate::experiment::{End, Plan};
use crate::stats::{Estimate, WarmUp};

/// A plan of so many cycles.
fn plan(cycles: u64) -> Plan {
    Plan { end: End::Cycles(cycles), warm_up: WarmUp::Cycles(0), replications: 2 }
}

fn point(rate: &str, cycles: u64) -> Point {
    let fields = [("traffic.arrivals.rate", rate.to_owned())];
    Point::new("papers/adaptive-torus-4x4", &fields, plan(cycles))
}

/// A result with this latency.
fn measured(latency: f64) -> Measured {
    Measured {
        rate: 0.01,
        offered: 0.12,
        accepted: None,
        channel_utilisation: None,
        latency: Some(latency),
        latency_half_width: Some(0.25),
        network_latency: None,
        hops: None,
        aborts: None,
        aborts_half_width: None,
        messages: 7,
        cycles: 1000,
        flit_hops: 9,
        saturated: false,
        deadlock: false,
        wall_seconds: 0.1,
        fingerprint: "0".into(),
    }
}

/// Results of points 0, 1, … with these latencies.
fn results(latencies: &[f64]) -> Results {
    let mut results = Results::none(latencies.len());
    for (at, &latency) in latencies.iter().enumerate() {
        results.set(PointId(at), measured(latency));
    }
    results
}

fn study(content: fn(Effort) -> Content) -> Study {
    Study { name: "a-study", paper: "Somebody 1999", about: "a table", content }
}

/// One point of 10 cycles in print, held within 10 %, and a claim of at most 11 cycles.
fn content(_: Effort) -> Content {
    let mut content = Content::default();
    let id = content.point(point("0.01", 4000));
    let line = Line {
        paper: Some(10.0),
        tolerance: Some(Tolerance::SimulationToPaper(0.1)),
        ..Line::latency("a line", id)
    };
    let title = "latency".to_owned();
    let lines = vec![line];
    content.tables.push(Table { name: "table 1", title, unit: "cycles", decimals: 2, lines });
    content.claims.push(Claim::holds("latency is at most 11 cycles", move |results| {
        let latency = results.latency(id)?.mean;
        Some(Judgement::of(latency <= 11.0, format!("{latency} cycles")))
    }));
    content.figures.push(Figure::new("figure-1", move |results| {
        let sweep = Sweep { label: "a curve".into(), points: vec![(0.01, id)] };
        Plot {
            title: "A figure".into(),
            x: "rate".into(),
            y: "latency, cycles".into(),
            y_max: None,
            curves: vec![sweep.curve(results, 0)],
        }
    }));
    content
}

#[test]
fn every_study_is_well_formed_at_both_efforts() {
    for study in STUDIES {
        for effort in [Effort::Quick, Effort::Full] {
            let content = (study.content)(effort);
            assert!(!content.points.is_empty() && !content.claims.is_empty(), "{}", study.name);
            // Nothing is known, and nothing breaks.
            let report = Report::new(study, &content, &Results::none(content.points.len()));
            assert_eq!(report.missing, content.points.len());
            assert!(report.text().contains("PARTIAL"));
            let lines: usize = content.tables.iter().map(|table| table.lines.len()).sum();
            assert_eq!(report.rows().len(), lines + content.claims.len());
            let names: BTreeSet<&str> = content.points.iter().map(|it| it.name.as_str()).collect();
            assert_eq!(names.len(), content.points.len(), "{} runs a point twice", study.name);
        }
        assert_eq!(find(study.name).unwrap().name, study.name);
    }
    assert_eq!(find("adaptive-tours").unwrap_err(), Some("adaptive-torus"));
    assert_eq!(find("xyz").unwrap_err(), None);
}

#[test]
fn verdicts_follow_the_results_and_can_fail() {
    use Verdict::{DoesNotHold, Holds, Undecided};
    let (study, content) = (study(content), content(Effort::Quick));
    let verdicts = |results: &Results| {
        let report = Report::new(&study, &content, results);
        let line = report.tables[0].lines[0].verdict.unwrap();
        (line, report.claims[0].verdict, report.as_expected())
    };
    assert_eq!(verdicts(&results(&[10.5])), (Holds, Holds, true));
    assert_eq!(verdicts(&results(&[11.5])), (DoesNotHold, DoesNotHold, false));
    // Further off than is allowed, by less than the interval of 0.25 leaves open, and by more.
    assert_eq!(verdicts(&results(&[8.8])), (Holds, Holds, true));
    assert_eq!(verdicts(&results(&[8.7])), (DoesNotHold, Holds, false));
    // Further from print than is allowed, though the claim holds.
    assert_eq!(verdicts(&results(&[8.0])), (DoesNotHold, Holds, false));
    assert_eq!(verdicts(&Results::none(1)), (Undecided, Undecided, false));
}

#[test]
fn a_claim_known_to_fail_is_news_when_it_holds() {
    let judge = |limit: f64| {
        move |results: &Results| {
            let latency = results.latency(PointId(0))?.mean;
            Some(Judgement::of(latency < limit, format!("{latency}")))
        }
    };
    let as_expected = |claim: Claim, latency: f64| {
        let content = Content { claims: vec![claim], ..Content::default() };
        Report::new(&study(|_| Content::default()), &content, &results(&[latency])).as_expected()
    };
    assert!(as_expected(Claim::fails("it is below 9", judge(9.0)), 10.0));
    assert!(!as_expected(Claim::fails("it is below 9", judge(9.0)), 8.0));
    assert!(!as_expected(Claim::holds("it is below 9", judge(9.0)), 10.0));
}

#[test]
fn a_report_says_paper_simulation_deviation_and_verdict() {
    let (study, content) = (study(content), content(Effort::Quick));
    let report = Report::new(&study, &content, &results(&[11.5]));
    let text = report.text();
    for part in
        ["Somebody 1999", "10.00", "11.500 ± 0.250", "+15.00 %", "does not hold", "11.5 cycles"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(text.contains("(expected: it holds)"), "{text}");
    assert!(text.contains("1 lines, root mean square 15.00 %, worst +15.00 % (a line)"), "{text}");
    let rows = report.rows();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0].simulation_to_paper, Some(11.5 / 10.0 - 1.0));
    assert_eq!((rows[0].verdict, rows[1].verdict), (Some("does not hold"), Some("does not hold")));
    assert_eq!((rows[1].expected, rows[1].partial), (Some("holds"), false));
    assert_eq!(report.dots()[0].half_width, Some(0.25));
}

#[test]
fn spreads_are_those_worked_by_hand() {
    let content = content(Effort::Quick);
    let line = |latency: f64| content.tables[0].lines[0].compare(&results(&[latency]));
    let lines = [line(13.0), line(6.0), line(10.0)];
    let spread = Spread::of(&lines, |line| line.simulation_to_paper).unwrap();
    // Deviations 0.3, -0.4 and 0.
    assert!((spread.root_mean_square - (0.25_f64 / 3.0).sqrt()).abs() < 1e-12);
    assert!((spread.worst + 0.4).abs() < 1e-12);
    assert_eq!(spread.count, 3);
    assert_eq!(Spread::of(&lines, |line| line.model_to_paper), None);
}

#[test]
fn where_a_curve_reaches_a_latency_is_read_between_its_points() {
    let points = (0..3).map(|at| (f64::from(at), PointId(at as usize))).collect();
    let sweep = Sweep { label: String::new(), points };
    let known = results(&[10.0, 20.0, 80.0]);
    // Twice 20 of the way to four times 20: half the logarithm.
    assert!((sweep.reaches(&known, 40.0).unwrap() - 1.5).abs() < 1e-12);
    assert_eq!(sweep.reaches(&known, 81.0), None);
    assert_eq!(sweep.reaches(&known, 10.0), None, "it may have been reached before");
    let mut partial = Results::none(3);
    partial.set(PointId(0), measured(10.0));
    partial.set(PointId(2), measured(80.0));
    assert_eq!(sweep.reaches(&partial, 40.0), None, "a point is missing");
}

#[test]
fn points_are_told_apart_by_all_that_decides_about_them() {
    let known = point("0.01", 4000).fingerprint();
    assert_eq!(known, point("0.01", 4000).fingerprint());
    assert_ne!(known, point("0.01", 4001).fingerprint());
    assert_ne!(known, point("0.011", 4000).fingerprint());
    let seeded = [("traffic.arrivals.rate", "0.01".to_owned()), ("seed", "2".to_owned())];
    let seeded = Point::new("papers/adaptive-torus-4x4", &seeded, plan(4000));
    assert_ne!(known, seeded.fingerprint());
}

#[test]
fn what_was_run_is_kept_and_not_run_again() {
    let directory = std::env::temp_dir().join(format!("flitscope-store-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let path = directory.join("results.jsonl");
    let _ = fs::remove_file(&path);
    let contents = [content(Effort::Quick)];
    let stop = AtomicBool::new(false);
    let runs = std::sync::Mutex::new(Vec::new());
    let planned = |count| runs.lock().unwrap().push(count);
    let running = Running {
        threads: Some(2),
        stop: &stop,
        planned: &planned,
        waiting: &|_| {},
        progress: &|_| {},
    };
    let first = run(&contents, &mut Store::open(&path).unwrap(), &running).unwrap();
    assert_eq!(first[0].missing(), 0);
    // Killed while a line was written.
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"point\"").unwrap();
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.len(), 1);
    assert!(fs::read_to_string(&path).unwrap().ends_with("}\n"));
    let second = run(&contents, &mut store, &running).unwrap();
    assert_eq!(first, second);
    assert_eq!(*runs.lock().unwrap(), [2, 0]);
    // Stopped before it began: nothing is kept.
    fs::remove_file(&path).unwrap();
    let mut store = Store::open(&path).unwrap();
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let stopped = run(&contents, &mut store, &running).unwrap();
    assert_eq!((stopped[0].missing(), store.is_empty()), (1, true));
    // A line that is no result is named with its place.
    fs::write(&path, "{\"point\": 5}\n").unwrap();
    let broken = Store::open(&path).unwrap_err();
    assert_eq!(broken.kind(), std::io::ErrorKind::InvalidData);
    assert!(broken.to_string().contains("results.jsonl:1:"), "{broken}");
    fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn two_programs_with_one_folder_run_no_point_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    // A claim whose owner is gone: nobody holds its lock.
    let left = folder.path().join("results.left.claim");
    fs::write(&left, "{\"host\":\"h\",\"process\":1,\"since\":1,\"points\":[\"a\"]}").unwrap();
    let set = |points: &[&str]| points.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    let (mut one, mut two) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    assert_eq!(one.claim(&set(&["a", "b"])).unwrap(), (set(&["a", "b"]), Vec::new()));
    assert!(!left.exists());
    let (mine, others) = two.claim(&set(&["a", "c"])).unwrap();
    assert_eq!((mine, others.len(), others[0].points), (set(&["c"]), 1, 1));
    assert!(others[0].by.starts_with(&format!("process {} on ", std::process::id())), "{others:?}");
    one.add("a", "a point", &measured(10.0)).unwrap();
    assert_eq!(two.claim(&set(&["a", "c"])).unwrap(), (set(&["c"]), Vec::new()));
    assert_eq!(two.get("a"), Some(&measured(10.0)));
    drop(one);
    assert_eq!(two.claim(&set(&["b"])).unwrap(), (set(&["b"]), Vec::new()));
    drop(two);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "only the results are left");

    let runs = std::sync::atomic::AtomicUsize::new(0);
    let planned = |count| {
        runs.fetch_add(count, std::sync::atomic::Ordering::Relaxed);
    };
    let stop = AtomicBool::new(false);
    let running = || Running {
        threads: Some(1),
        stop: &stop,
        planned: &planned,
        waiting: &|_| {},
        progress: &|_| {},
    };
    let program = || {
        let contents = [content(Effort::Quick)];
        run(&contents, &mut Store::open(&path).unwrap(), &running()).unwrap()
    };
    let all = std::thread::scope(|scope| {
        let programs = [(); 3].map(|()| scope.spawn(program));
        programs.map(|program| program.join().unwrap())
    });
    assert!(all.iter().all(|results| results[0].missing() == 0 && *results == all[0]));
    assert_eq!(runs.into_inner(), 2, "two replications of one point");
}

#[test]
fn a_single_value_has_no_interval_in_the_table() {
    let mut content = content(Effort::Quick);
    content.tables[0].lines[0].simulation =
        Box::new(|_| Some(Estimate { mean: 0.25, half_width: None }));
    let text = Report::new(&study(|_| Content::default()), &content, &results(&[1.0])).text();
    assert!(text.contains("0.250  -97.50 %"), "{text}");
}
