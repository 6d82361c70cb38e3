//! Tests of figures looked up by name, alone and over the cases of a claim.

use super::*;
use crate::experiment::reproduce::claim::{Row, Rows};
use crate::experiment::reproduce::lookup::FIGURES;
use crate::experiment::reproduce::names::Figure;

/// Three cases with 10, 20 and 80 cycles.
const THREE: &str = r#"Study(
    name: "three",
    cycles: 4000,
    warm_up: 0,
    replications: 2,
    scenario: "papers/adaptive-torus-{k}x{k}",
    set: {"traffic.arrivals.rate": "{rates}", "traffic.lengths": "{none}"},
    models: {"model": ["nothing", "adaptive torus: calibrated"]},
    curve: "{k}",
    x: "share",
    cases: [(
        values: {"k": 4, "rates": "0.001"},
        axes: [
            (of: "share none", all: [[0.1, "Fixed(12)"], [0.5, "Fixed(13)"], [0.9, "Fixed(14)"]]),
            (of: "part", all: ["this", "that"]),
        ],
        only: {"part": ["this", "other"]},
    )],
)"#;

/// A claim whose evidence has parts of every kind.
const SUMS: Paper = Paper {
    claims: r#"[(
        says: "",
        evidence: "{list} {count} {least.latency:.1} {most.latency:.1} {last.latency} {latency:+.1%} {spread.off} {groups}",
        lists: {"list": "{latency} at {share}"},
        joint: "; ",
        falling: "share",
        groups: (by: "{k}", joint: ", ", text: "{count} {latency} at {share}"),
    )]"#,
    figures: &[("off", |it| Some(it.number("latency")? / 20.0 - 1.0))],
    derived: Derived { numbers: &[], texts: &[("line", |it| it.fill("{share}"))] },
    ..PAPER
};

/// The cases with results.
fn rows<'a>(study: &'a Study, claim: &'a Claim, results: &'a Results) -> Rows<'a> {
    let row = |at| Row {
        paper: &SUMS,
        case: Lookup::new(study.cases(), SUMS.derived, at).with_results(results),
        partners: &[],
        found: None,
    };
    Rows { claim, all: (0..3).map(row).collect() }
}

#[test]
fn figures_are_found_by_name_and_put_into_texts() {
    let study = read(THREE);
    assert_eq!(study.cases().all.len(), 3, "cases are chosen by their values");
    let mut results = Results::none(3);
    for (at, latency) in [10.0, 20.0, 80.0].into_iter().enumerate() {
        results.add(PointId(at), &replications(latency, 0.0));
    }
    let claim = SUMS.claims().remove(0);
    let all = rows(&study, &claim, &results);
    let it = all.all[1];
    assert_eq!(it.fill("{k}x{k} at {share}: {latency}").as_deref(), Some("4x4 at 0.5: 20"));
    assert_eq!((it.number("flits"), it.number("part")), (Some(13.0), None));
    assert_eq!(it.fill("{part} {nothing}"), None);
    assert!(it.is("part", "this") && it.equals("k", 4.0) && it.same(&all.all[0], &["k", "part"]));
    assert!(!it.same(&all.all[0], &["share"]) && !it.same(&all.all[0], &["nothing"]));
    assert!((it.reaches(40.0).unwrap() - 0.7).abs() < 1e-9);
    assert!((it.at(0.7).unwrap() - 50.0).abs() < 1e-9);
    let model = it.equations("model").unwrap();
    let back = model.latency(model.reaches(20.0)).unwrap();
    assert!((back - 20.0).abs() < 0.01, "{back}");
    assert_eq!(it.number("model.limit"), Some(model.limit()));
    assert!(FIGURES.iter().all(|(name, _)| it.number(name).is_some()));
    // A case without results has only its values.
    let plain = Lookup::new(study.cases(), Derived::default(), 1);
    assert_eq!((plain.number("latency"), plain.reaches(40.0)), (None, None));
    assert_eq!(plain.number("share"), Some(0.5));
}

#[test]
fn rows_are_summed_up_as_they_say() {
    let study = read(THREE);
    let mut results = Results::none(3);
    for (at, latency) in [10.0, 20.0, 80.0].into_iter().enumerate() {
        results.add(PointId(at), &replications(latency, 0.0));
    }
    let claim = SUMS.claims().remove(0);
    let all = rows(&study, &claim, &results);
    let latency = |it: &Row<'_>| it.number("latency");
    let text = |it: &Row<'_>| it.fill("{latency} at {share}");
    assert_eq!((all.least(latency), all.most(latency)), (Some(10.0), Some(80.0)));
    assert_eq!(text(all.at_most(latency).unwrap()).as_deref(), Some("80 at 0.9"));
    let zero = all.crosses("share", |it| Some(latency(it)? - 15.0)).unwrap();
    assert!((zero - 0.3).abs() < 1e-9, "{zero}");
    assert!(all.rises("share", "latency") && !all.rises("latency", "nothing"));
    let of = |name: &str| all.root_mean_square(&Figure::Name(name.to_owned()));
    assert!((of("latency").unwrap() - 47.958_315).abs() < 1e-5);
    assert_eq!(of("nothing"), None);
    let expected = "80 at 0.9; 20 at 0.5; 10 at 0.1 3 10.0 80.0 80 +1000.0 3 lines, root mean square 175.59 %, \
                    worst +300.00 % (0.9) 3 10 at 0.1";
    assert_eq!(all.evidence().as_deref(), Some(expected));
}
