//! Verdicts, deviations, curves and kept results; every study at both efforts.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::sync::atomic::AtomicBool;

use super::curve;
use super::study::{Beside, TableOf};
use super::table::Spread;
use super::*;
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::experiment::{End, Plan};
use crate::stats::{Estimate, WarmUp};

/// A plan of this many cycles.
fn plan(cycles: u64) -> Plan {
    Plan { end: End::Cycles(cycles), warm_up: WarmUp::Cycles(0), replications: 2 }
}

fn point(rate: &str, cycles: u64) -> Point {
    let fields = [("traffic.arrivals.rate", rate.to_owned())];
    Point::new("papers/adaptive-torus-4x4", &fields, plan(cycles))
}

/// A replication of this mean latency.
fn replication(latency: f64) -> Replication {
    Replication {
        messages: 7,
        latency: Some(latency),
        network_latency: Some(latency / 2.0),
        aborts: Some(latency / 8.0),
        accepted: None,
        cycles: 1000,
        wall_seconds: 0.1,
        fingerprint: "0".into(),
    }
}

/// Two replications of this latency in the mean, half the 95 % interval of which is `half_width`.
pub(super) fn replications(latency: f64, half_width: f64) -> [Replication; 2] {
    // Student's 97.5 % quantile with one degree of freedom.
    let apart = half_width / 12.706_205;
    [replication(latency - apart), replication(latency + apart)]
}

/// Results of points 0, 1, … with these latencies, known within 0.25 with 95 % confidence.
fn results(latencies: &[f64]) -> Results {
    let mut results = Results::none(latencies.len());
    for (at, &latency) in latencies.iter().enumerate() {
        results.add(PointId(at), &replications(latency, 0.25));
    }
    results
}

/// Results of one point, known exactly.
fn exact(latency: f64) -> Results {
    let mut results = Results::none(1);
    results.add(PointId(0), &replications(latency, 0.0));
    results
}

fn study() -> Study {
    let study = r#"#![enable(implicit_some)]
    Study(
        name: "a-study",
        paper: "Somebody 1999",
        about: "a table",
        run: (cycles: "1", replications: 1),
        scenario: "mesh-8x8",
        sets: [],
        axis: "",
        x: "0",
        cases: [],
        tables: [],
        figures: [],
        claims: [],
    )"#;
    ron::from_str(study).unwrap()
}

fn latency_of(point: PointId, results: &Results) -> Option<Estimate> {
    Some(results.uncertain(|results| results.latency(point))?.estimate())
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
    let of = TableOf {
        name: "table 1".into(),
        title: "latency".into(),
        unit: "cycles".into(),
        decimals: 2,
        beside: Beside::Paper,
        lines: Vec::new(),
    };
    content.tables.push(Table { of, lines: vec![line] });
    content.claims.push(Claim::holds("latency is at most 11 cycles", move |results| {
        let latency = results.uncertain(|results| results.latency(id))?;
        let evidence = format!("{:.1} cycles", latency.mean);
        Some(Judgement::all([latency.judge(0.0..=11.0)], evidence))
    }));
    content.figures.push(Figure::new("figure-1", move |results| {
        let dot = |Estimate { mean, half_width }| Dot { x: 0.01, y: mean, half_width };
        let dots = latency_of(id, results).map(dot).into_iter().collect();
        Plot {
            title: "A figure".into(),
            x: "rate".into(),
            y: "latency, cycles".into(),
            y_max: None,
            curves: vec![Curve {
                label: "a curve".into(),
                origin: Origin::Simulation,
                group: 0,
                dots,
            }],
        }
    }));
    content
}

#[test]
fn every_study_is_well_formed_at_both_efforts() {
    for study in STUDIES.iter() {
        for effort in [Effort::Quick, Effort::Full] {
            let content = study.content(effort);
            assert!(!content.points.is_empty() && !content.claims.is_empty(), "{}", study.name);
            // Nothing is known, and nothing breaks.
            let report = Report::new(study, &content, 1, &Results::none(content.points.len()));
            assert_eq!(report.missing, content.points.len());
            assert!(report.verdicts().all(|it| !it.surprises()));
            assert!(report.text().contains("PARTIAL"));
            let lines: usize = content.tables.iter().map(|table| table.lines.len()).sum();
            assert_eq!(report.rows().len(), lines + content.claims.len());
            let names: BTreeSet<&str> = content.points.iter().map(|it| it.name.as_str()).collect();
            assert_eq!(names.len(), content.points.len(), "{} runs a point twice", study.name);
        }
        assert_eq!(find(&study.name).unwrap().name, study.name);
    }
    assert_eq!(find("adaptive-tours").unwrap_err(), Some("adaptive-torus"));
    assert_eq!(find("xyz").unwrap_err(), None);
}

/// A quick run of everything looks at few enough figures for the stated rate of wrong verdicts.
#[test]
fn a_quick_batch_looks_at_fewer_than_a_thousand_figures() {
    let mut looks = 0;
    for study in STUDIES.iter() {
        let content = study.content(Effort::Quick);
        let mut results = Results::none(content.points.len());
        let mut latency = 20.0;
        for point in 0..content.points.len() {
            results.add(PointId(point), &replications(latency, 0.0));
            // Growing, so that every latency that is looked for is reached.
            latency *= 1.5;
        }
        let report = Report::new(study, &content, 1, &results);
        looks += report.verdicts().map(|it| it.judged.as_ref().unwrap().looks()).sum::<usize>();
    }
    assert!(looks > 300 && looks < 1000, "{looks}");
}

#[test]
fn verdicts_follow_the_results_and_can_fail() {
    use Verdict::{DoesNotHold, Holds, Undecided};
    let (study, content) = (study(), content(Effort::Quick));
    let verdicts = |results: &Results| {
        let report = Report::new(&study, &content, 1, results);
        let line = report.tables[0].lines[0].judged.as_ref().unwrap().verdict();
        let surprises = report.verdicts().filter(|it| it.surprises()).count();
        (line, report.claims[0].verdict().unwrap(), surprises)
    };
    assert_eq!(verdicts(&exact(10.5)), (Holds, Holds, 0));
    assert_eq!(verdicts(&exact(11.5)), (DoesNotHold, DoesNotHold, 2));
    // Further from print than is allowed, though the claim holds.
    assert_eq!(verdicts(&exact(8.8)), (DoesNotHold, Holds, 1));
    // So uncertain that nothing is told, wherever the means lie: noise neither helps nor harms.
    for latency in [8.8, 10.0, 11.5] {
        assert_eq!(verdicts(&results(&[latency])), (Undecided, Undecided, 0));
    }
    assert_eq!(verdicts(&Results::none(1)), (Undecided, Undecided, 0));
}

#[test]
fn a_claim_known_to_fail_is_news_when_it_holds() {
    let judge = |limit: f64| {
        move |results: &Results| {
            let finding = results.judge(0.0..=limit, |results| results.latency(PointId(0)))?;
            Some(Judgement::all([finding], String::new()))
        }
    };
    let as_expected = |claim: Claim, latency: f64| {
        let content = Content { claims: vec![claim], ..Content::default() };
        let report = Report::new(&study(), &content, 1, &exact(latency));
        report.verdicts().all(|it| !it.surprises())
    };
    assert!(as_expected(Claim::fails("it is below 9", judge(9.0)), 10.0));
    assert!(!as_expected(Claim::fails("it is below 9", judge(9.0)), 8.0));
    assert!(!as_expected(Claim::holds("it is below 9", judge(9.0)), 10.0));
}

#[test]
fn a_report_says_paper_simulation_deviation_and_verdict() {
    let (study, content) = (study(), content(Effort::Quick));
    // Ten replications that scatter a little.
    let mut results = Results::none(1);
    for at in 0..10 {
        results.add(PointId(0), &[replication(11.5 + 0.02 * (f64::from(at) - 4.5))]);
    }
    let report = Report::new(&study, &content, 5, &results);
    let text = report.text();
    for part in [
        "Somebody 1999",
        "seed 5",
        "10.00",
        "11.500 ± 0.043",
        "+15.00 %",
        "does not hold",
        "11.5 cycles",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(text.contains("(expected: it holds)"), "{text}");
    assert!(text.contains("1 lines, root mean square 15.00 %, worst +15.00 % (a line)"), "{text}");
    let rows = report.rows();
    assert_eq!(rows.len(), 2);
    assert!((rows[0].simulation_to_paper.unwrap() - 0.15).abs() < 1e-12);
    assert_eq!((rows[0].verdict, rows[1].verdict), (Some("does not hold"), Some("does not hold")));
    assert_eq!((rows[1].expected, rows[1].partial), (Some("holds"), false));
    assert_eq!((rows[1].seed, rows[1].basis), (5, Some("simulation")));
    // Standard error 0.06055/√10, times Student's 2.262 with nine degrees of freedom.
    assert!((report.dots()[0].half_width.unwrap() - 0.043_31).abs() < 1e-4);
}

#[test]
fn spreads_are_those_worked_by_hand() {
    let content = content(Effort::Quick);
    let line = |latency: f64| content.tables[0].lines[0].compare(Beside::Paper, &exact(latency));
    let lines = [line(13.0), line(6.0), line(10.0)];
    let spread = Spread::of_lines(&lines, |line| line.simulation_to_paper).unwrap();
    // Deviations 0.3, -0.4 and 0.
    assert!((spread.root_mean_square - (0.25_f64 / 3.0).sqrt()).abs() < 1e-12);
    assert!((spread.worst + 0.4).abs() < 1e-12);
    assert_eq!(spread.count, 3);
    assert_eq!(Spread::of_lines(&lines, |line| line.model_to_paper), None);
}

#[test]
fn where_a_curve_reaches_a_latency_is_read_between_its_points() {
    let points = [0, 1, 2].map(|at| (f64::from(at), PointId(at as usize)));
    let reaches = |results: &Results, limit| curve::reaches(results, &points, limit);
    let known = results(&[10.0, 20.0, 80.0]);
    // Twice 20 of the way to four times 20: half the logarithm.
    assert!((reaches(&known, 40.0).unwrap() - 1.5).abs() < 1e-12);
    assert_eq!(reaches(&known, 81.0), None);
    assert_eq!(reaches(&known, 10.0), None, "it may have been reached before");
    assert!((curve::latency_at(&known, &points, 1.5).unwrap() - 50.0).abs() < 1e-12);
    assert_eq!(curve::latency_at(&known, &points, 2.5), None);
    let mut partial = Results::none(3);
    partial.add(PointId(0), &replications(10.0, 0.1));
    partial.add(PointId(2), &replications(80.0, 0.1));
    assert_eq!(reaches(&partial, 40.0), None, "a point is missing");
}

#[test]
fn runs_are_told_apart_by_all_that_decides_about_them() {
    let fingerprint = |point: &Point, seed, round| point.fingerprint(&point.job(seed, round));
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
    let first = run(&contents, 1, &mut Store::open(&path).unwrap(), &running).unwrap();
    assert_eq!(first[0].missing(), 0);
    // Killed while a line was written.
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"point\"").unwrap();
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.len(), 1);
    assert!(fs::read_to_string(&path).unwrap().ends_with("}\n"));
    let second = run(&contents, 1, &mut store, &running).unwrap();
    assert_eq!(first, second);
    assert_eq!(*runs.lock().unwrap(), [2, 0]);
    // Stopped before it began: nothing is kept.
    fs::remove_file(&path).unwrap();
    let mut store = Store::open(&path).unwrap();
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let stopped = run(&contents, 1, &mut store, &running).unwrap();
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
    let mut content = Content::default();
    let mut point = point("0.01", 4000);
    point.job.plan.replications = 8;
    let id = content.point(point);
    content.claims.push(Claim::holds("latency lies in a range", move |results| {
        let finding = results.judge(range.clone(), |results| results.latency(id))?;
        Some(Judgement::all([finding], String::new()))
    }));
    content
}

#[test]
fn what_is_undecided_is_run_longer_as_long_as_a_decision_is_in_reach() {
    let path = std::env::temp_dir().join(format!("flitscope-longer-{}", std::process::id()));
    let _ = fs::remove_file(&path);
    let mut store = Store::open(&path).unwrap();
    let runs = std::sync::Mutex::new(Vec::new());
    let planned = |count| runs.lock().unwrap().push(count);
    let stop = AtomicBool::new(false);
    let running = Running {
        threads: Some(2),
        stop: &stop,
        planned: &planned,
        waiting: &|_| {},
        progress: &|_| {},
    };
    let mut verdict = |content: Content| {
        let contents = [content];
        let results = run(&contents, 1, &mut store, &running).unwrap();
        let latency = latency_of(PointId(0), &results[0]).unwrap();
        (contents[0].claims[0].judge(&results[0]).verdict(), latency)
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
fn seeds_are_summed_up_with_the_verdicts_that_are_not_always_as_expected() {
    let report =
        |seed, latency| Report::new(&study(), &content(Effort::Quick), seed, &exact(latency));
    let batches = [vec![report(3, 10.5)], vec![report(4, 8.8)], vec![report(5, 10.0)]];
    let counted = batches.each_ref().map(|it| (seeds::surprises(it), seeds::undecided(it)));
    assert_eq!(counted, [(0, 0), (1, 0), (0, 0)]);
    let text = seeds::summary(&batches);
    for part in ["seed  verdicts  as expected  undecided  surprises", "all          6            5"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let line = text.lines().find(|line| line.starts_with("a-study, table 1: a line")).unwrap();
    let cells: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(cells[cells.len() - 4..], ["holds", "2", "1", "0"], "{line}");
    assert!(!text.contains("claims"), "{text}");
}

#[test]
fn a_plain_number_has_no_interval_in_the_table() {
    let mut content = content(Effort::Quick);
    content.tables[0].lines[0].simulation = Box::new(|_| Some(0.25));
    let report = Report::new(&study(), &content, 1, &exact(1.0));
    let text = report.text();
    assert!(text.contains("0.250  -97.50 %"), "{text}");
    let rows = report.rows();
    assert_eq!((rows[0].basis, rows[1].basis), (Some("arithmetic"), Some("simulation")));
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
    let ten = [replication(10.0)];
    one.add("a", ("a point", 1), &ten).unwrap();
    assert_eq!(two.claim(&set(&["a", "c"])).unwrap(), (set(&["c"]), Vec::new()));
    assert_eq!(two.get("a"), Some(&ten[..]));
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
        run(&contents, 1, &mut Store::open(&path).unwrap(), &running()).unwrap()
    };
    let all = std::thread::scope(|scope| {
        let programs = [(); 3].map(|()| scope.spawn(program));
        programs.map(|program| program.join().unwrap())
    });
    assert!(all.iter().all(|results| results[0].missing() == 0 && *results == all[0]));
    assert_eq!(runs.into_inner(), 2, "two replications of one point");
}

#[test]
fn every_printed_figure_of_the_hops_has_its_line_and_the_axis_is_the_papers() {
    let study = find("hops").unwrap();
    for effort in [Effort::Quick, Effort::Full] {
        let content = study.content(effort);
        let lines = &content.tables[0].lines;
        assert_eq!(lines.iter().filter(|line| line.paper.is_some()).count(), 6);
        let says = |claim: &&Claim| claim.says.contains("6000 messages");
        let claim = content.claims.iter().find(says).unwrap();
        let judged = claim.judge(&Results::none(content.points.len()));
        assert_eq!((judged.verdict(), judged.basis()), (Verdict::DoesNotHold, "arithmetic"));
        // 8.03 hops (004, section 2.1).
        let rate = content.points[0].scenario().system.traffic.rate.0;
        assert!((rate * 8.031_37 - 0.02).abs() < 1e-7);
    }
}
