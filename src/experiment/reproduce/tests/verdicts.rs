//! Tests of verdicts, deviations, curves and reports.

use super::*;
use crate::experiment::reproduce::verdict::Spread;

/// A quick run of all studies judges few enough figures for the stated rate of wrong verdicts.
#[test]
fn a_quick_batch_looks_at_fewer_than_a_thousand_figures() {
    let mut looks = 0;
    for name in STUDIES {
        let study = paper(name, true);
        let mut results = Results::none(study.points.len());
        let mut latency = 20.0;
        for point in 0..study.points.len() {
            results.add(PointId(point), &replications(latency, 0.0));
            // Latencies increase, so that every limit is reached.
            latency *= 1.5;
        }
        let report = report(&study, 1, &results);
        looks += report.verdicts().map(|it| it.judged.as_ref().unwrap().looks()).sum::<usize>();
    }
    assert!(looks > 300 && looks < 1000, "{looks}");
}

#[test]
fn verdicts_follow_the_results_and_can_fail() {
    use Verdict::{DoesNotHold, Holds, Undecided};
    let study = study();
    let verdicts = |results: &Results| {
        let report = report(&study, 1, results);
        let line = report.tables[0].lines[0].judged.as_ref().unwrap().verdict();
        let surprises = report.verdicts().filter(|it| it.surprises()).count();
        (line, report.claims[0].verdict().unwrap(), surprises)
    };
    assert_eq!(verdicts(&exact(10.5)), (Holds, Holds, 0));
    assert_eq!(verdicts(&exact(11.5)), (DoesNotHold, DoesNotHold, 2));
    // Outside the tolerance of the printed value, although the claim holds.
    assert_eq!(verdicts(&exact(8.8)), (DoesNotHold, Holds, 1));
    // Too uncertain for a verdict, whatever the means: noise neither helps nor harms.
    for latency in [8.8, 10.0, 11.5] {
        assert_eq!(verdicts(&results(&[latency])), (Undecided, Undecided, 0));
    }
    assert_eq!(verdicts(&Results::none(1)), (Undecided, Undecided, 0));
}

#[test]
fn a_claim_known_to_fail_is_news_when_it_holds() {
    const FAILING: Paper = Paper {
        claims: r#"[(says: "at most 9", expected: DoesNotHold, each: [(of: "latency", to: 9)], evidence: "")]"#,
        ..PAPER
    };
    const HOLDING: Paper = Paper {
        claims: r#"[(says: "at most 9", each: [(of: "latency", to: 9)], evidence: "")]"#,
        ..PAPER
    };
    let as_expected = |paper: &'static Paper, latency: f64| {
        let mut study = study();
        study.parts.judged = Some(paper);
        study.parts.tables.clear();
        let report = report(&study, 1, &exact(latency));
        report.verdicts().all(|it| !it.surprises())
    };
    assert!(as_expected(&FAILING, 10.0));
    assert!(!as_expected(&FAILING, 8.0));
    assert!(!as_expected(&HOLDING, 10.0));
}

#[test]
fn a_mean_within_a_wide_interval_is_too_short_to_tell() {
    let mut results = Results::none(1);
    results.add(PointId(0), &replications(11.5, 6.0));
    let text = report(&study(), 5, &results).text();
    assert!(text.contains("too short to tell") && !text.contains("± 6"), "{text}");
}

#[test]
fn a_report_says_paper_simulation_deviation_and_verdict() {
    let study = study();
    // Ten replications with a small scatter.
    let mut results = Results::none(1);
    for at in 0..10 {
        results.add(PointId(0), &[replication(11.5 + 0.02 * (f64::from(at) - 4.5))]);
    }
    let report = report(&study, 5, &results);
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
    assert!((report.figures[0].1.curves[0].dots[0].half_width.unwrap() - 0.043_31).abs() < 1e-4);
}

#[test]
fn spreads_are_those_worked_by_hand() {
    let of = |deviations: &[f64]| Spread::of(deviations.iter().map(|it| (it.to_string(), *it)));
    let spread = of(&[0.3, -0.4, 0.0]).unwrap();
    assert!((spread.root_mean_square - (0.25_f64 / 3.0).sqrt()).abs() < 1e-12);
    assert!((spread.worst + 0.4).abs() < 1e-12);
    assert_eq!((spread.count, spread.worst_at.as_str()), (3, "-0.4"));
    assert_eq!(of(&[]), None);
}

#[test]
fn where_a_curve_reaches_a_latency_is_read_between_its_points() {
    let points = [0, 1, 2].map(|at| (f64::from(at), PointId(at as usize)));
    let reaches = |results: &Results, limit| results.reaches(&points, limit);
    let known = results(&[10.0, 20.0, 80.0]);
    // The logarithm of 40 is halfway between the logarithms of 20 and 80.
    assert!((reaches(&known, 40.0).unwrap() - 1.5).abs() < 1e-12);
    assert_eq!(reaches(&known, 81.0), None);
    assert_eq!(reaches(&known, 10.0), None, "it may have been reached before");
    assert!((known.latency_at(&points, 1.5).unwrap() - 50.0).abs() < 1e-12);
    assert_eq!(known.latency_at(&points, 2.5), None);
    let mut partial = Results::none(3);
    partial.add(PointId(0), &replications(10.0, 0.1));
    partial.add(PointId(2), &replications(80.0, 0.1));
    assert_eq!(reaches(&partial, 40.0), None, "a point is missing");
}

#[test]
fn seeds_are_summed_up_with_the_verdicts_that_are_not_always_as_expected() {
    let report = |seed, latency| report(&study(), seed, &exact(latency));
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
    let study = study_with("simulation: \"latency\"", "simulation: 0.25");
    let report = report(&study, 1, &exact(1.0));
    let text = report.text();
    assert!(text.contains("0.250  -97.50 %"), "{text}");
    let rows = report.rows();
    assert_eq!((rows[0].basis, rows[1].basis), (Some("arithmetic"), Some("simulation")));
}

#[test]
fn every_printed_figure_of_the_hops_has_its_line_and_the_axis_is_the_papers() {
    for quick in [true, false] {
        let study = paper("hops", quick);
        let content = study.content();
        let lines = &content.tables[0].lines;
        assert_eq!(lines.iter().filter(|line| line.paper.is_some()).count(), 5);
        let says = |stated: &&Stated| stated.claim.says.contains("6000 messages");
        let claim = content.claims.iter().find(says).unwrap();
        let judged = content.judge(claim, &Results::none(study.points.len()));
        assert_eq!((judged.verdict(), judged.basis()), (Verdict::DoesNotHold, "arithmetic"));
        // 8.03 hops (004, section 2.1).
        let rate = study.points[0].task.job.scenario.system.traffic.rate.0;
        assert!((rate * 8.031_37 - 0.02).abs() < 1e-7);
    }
}
