//! Tests of a small study with results, and of every study at both efforts.

mod kept;
mod lookups;
mod names;
mod verdicts;

use std::collections::BTreeSet;
use std::path::Path;

use super::lookup::{Derived, Lookup};
use super::*;
use crate::experiment::sweep::Study;
use crate::scenario::{Override, builtin, render};

/// A claim of at most 11 cycles.
const PAPER: Paper = Paper {
    name: "a-study",
    derived: Derived { numbers: &[], texts: &[] },
    figures: &[],
    summaries: &[],
    claims: r#"[(
        says: "latency is at most 11 cycles",
        each: [(of: "latency", from: 0, to: 11)],
        evidence: "{found:.1} cycles",
    )]"#,
};

/// One printed point of 10 cycles, with a tolerance of 10 %.
const STUDY: &str = r#"Study(
    name: "a-study",
    paper: "Somebody 1999",
    about: "a table",
    cycles: 4000,
    warm_up: 0,
    replications: 2,
    scenario: "papers/adaptive-torus-4x4",
    set: {"traffic.arrivals.rate": "{rate}"},
    x: "rate",
    cases: [(values: {"rate": 0.01})],
    tables: [(
        name: "table 1",
        title: "latency",
        unit: "cycles",
        decimals: 2,
        lines: [(name: "a line", simulation: "latency", paper: 10, paper_within: 0.1)],
    )],
    figures: [(
        name: "figure-1",
        title: "A figure",
        x: "rate",
        y: "latency, cycles",
        by: "",
        curves: [(origin: Simulation, label: "a curve", x: "rate", y: "latency")],
    )],
)"#;

/// The study with a part of its text replaced, and with the claim.
fn study_with(part: &str, by: &str) -> Study {
    assert!(STUDY.contains(part));
    let mut study = read(&STUDY.replace(part, by));
    study.parts.judged = Some(&PAPER);
    study
}

fn read(text: &str) -> Study {
    Study::read("a-study.ron", text, Path::new(""), &[])
        .unwrap_or_else(|problems| panic!("{}", render(&problems)))
}

fn study() -> Study {
    study_with("a-study", "a-study")
}

/// The judgement of a study, given results for its points.
fn report(study: &Study, seed: u64, results: &Results) -> Report {
    Report::new(&study.parts, study.content(), seed, results)
}

fn paper(name: &str, quick: bool) -> Study {
    let (source, text) = builtin::study(&format!("studies/{name}")).unwrap();
    let (path, value) = ("quick".to_owned(), quick.to_string());
    let given = Override { label: format!("{path}={value}"), path, value };
    Study::read(&source, text, Path::new(""), &[given])
        .unwrap_or_else(|problems| panic!("{}", render(&problems)))
}

/// A replication with this mean latency.
fn replication(latency: f64) -> Replication {
    Replication {
        messages: 7,
        latency: Some(latency),
        network_latency: Some(latency / 2.0),
        aborts: Some(latency / 8.0),
        utilisation: Some(latency / 16.0),
    }
}

/// Two replications with this mean latency and a 95 % interval of half width `half_width`.
fn replications(latency: f64, half_width: f64) -> [Replication; 2] {
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

/// Exact results of one point.
fn exact(latency: f64) -> Results {
    let mut results = Results::none(1);
    results.add(PointId(0), &replications(latency, 0.0));
    results
}

#[test]
fn every_study_is_well_formed_at_both_efforts() {
    for name in STUDIES {
        for quick in [true, false] {
            let study = paper(name, quick);
            let (content, points) = (study.content(), study.points.len());
            assert!(points > 0 && !content.claims.is_empty(), "{name}");
            assert_eq!((study.parts.name.as_str(), study.parts.quick), (name, quick));
            // Without results nothing is decided, and nothing fails.
            let report = report(&study, 1, &Results::none(points));
            assert_eq!(report.missing, points);
            assert!(report.verdicts().all(|it| !it.surprises()));
            assert!(report.text().contains("PARTIAL"));
            let lines: usize = content.tables.iter().map(|table| table.lines.len()).sum();
            assert_eq!(report.rows().len(), lines + content.claims.len());
            let names: BTreeSet<&str> = study.points.iter().map(|it| &*it.task.name).collect();
            assert_eq!(names.len(), points, "{name} runs a point twice");
        }
    }
}
