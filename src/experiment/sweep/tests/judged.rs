//! Tests of models, figures, tables and claims of user-defined studies.

use super::*;

/// Exactly the figures and models named in a study are drawn and computed, and the written study
/// names the same.
#[test]
fn only_the_figures_and_models_that_are_named_are_there() {
    let text = r#"Study(
        scenario: "papers/adaptive-torus-4x4", loads: [0.1, 0.2], cycles: 4000,
        models: {"theory": ["nothing of the kind", "adaptive torus: calibrated"]},
        figures: [Latency, Utilisation, (
            name: "own", title: "", x: "", y: "", by: "",
            curves: [(origin: Simulation, label: "found", x: "load", y: "latency")],
        )],
    )"#;
    let named = study(text);
    assert_eq!(fingerprints(&study(&named.text(&named.scenario))), fingerprints(&named));
    let kept = TempDir::new().unwrap();
    let folder = Folder::begin(kept.path(), &named, false).unwrap();
    run(&folder, &Part::All, 2);
    let results = Results::of(&folder, true);
    assert!(results.text().contains("theory: adaptive torus ("), "{}", results.text());
    results.write_plots(&folder, false).unwrap();
    let entries = fs::read_dir(kept.path()).unwrap().map(|entry| entry.unwrap().path());
    let pictures = entries.filter(|path| path.extension().is_some_and(|kind| kind == "svg"));
    let names: BTreeSet<String> =
        pictures.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names, ["latency", "own", "utilisation"].map(str::to_owned).into());
    let dots = fs::read_to_string(kept.path().join("own.csv")).unwrap();
    assert_eq!(dots.lines().count(), 3, "{dots}");
    let none =
        study(&text.replace(
            "{\"theory\": [\"nothing of the kind\", \"adaptive torus: calibrated\"]}",
            "[]",
        ));
    let folder = Folder::begin(kept.path(), &none, true).unwrap();
    let text = Results::of(&folder, true).text();
    assert!(!text.contains("model") && !text.contains("theory"), "{text}");
}

/// A user-defined study over fields and loads, with expected values.
#[test]
fn a_study_of_fields_and_loads_gets_verdicts() {
    let text = r#"Study(
        scenario: "papers/adaptive-torus-4x4",
        vary: {"routing": [DimensionOrder(), MinimalAdaptive(escape: Destination)]},
        loads: [0.1, 0.3], replications: 4, cycles: 8000, seed: 3,
        tables: [(name: "latency", title: "mean", unit: "cycles", decimals: 1, lines: [
            (of: {"load": 0.1}, name: "{routing}", simulation: "latency", paper: 16, paper_within: 0.3),
            (of: {"load": 0.3}, name: "at 0.3", simulation: "latency", model: "model", model_within: 0.5),
            (
                of: {"load": 0.3, "routing": "DimensionOrder()"}, name: "wrong",
                simulation: "latency", paper: 100, paper_within: "0.1",
            ),
        ])],
    )"#;
    let judged = study(text);
    let seeds: BTreeSet<u64> =
        judged.points.iter().map(|point| point.task.job.scenario.seed).collect();
    assert_eq!(seeds.len(), 4, "every point has a seed of its own");
    let kept = TempDir::new().unwrap();
    let mut folder = Folder::begin(kept.path(), &judged, false).unwrap();
    loop {
        run(&folder, &Part::All, 2);
        if folder.plan().unwrap() == Next::Done {
            break;
        }
    }
    let results = Results::of(&folder, true);
    let report = results.report().unwrap();
    let verdicts: Vec<&str> = report.verdicts().map(|it| it.verdict().unwrap().name()).collect();
    let expected = ["holds", "holds", "does not hold", "holds", "holds"];
    assert_eq!(verdicts, expected, "{}", results.text());
    assert_eq!(report.verdicts().filter(|it| it.surprises()).count(), 1);
    results.write_tables(&folder).unwrap();
    let written = fs::read_to_string(kept.path().join("report.txt")).unwrap();
    assert!(
        written.contains("DimensionOrder()") && results.text().ends_with(&written),
        "{written}"
    );
}

/// The windows of a closed loop are the points of one curve for each value of the other field.
#[test]
fn windows_are_a_curve_of_round_trips() {
    let text = r#"Study(
        scenario: "request-reply",
        set: {"traffic.arrivals": ClosedLoop(window: 1)},
        vary: {"traffic.arrivals.window": [1, 2, 4], "switching.buffer_flits": [2, 4]},
        cycles: 40000, models: [], figures: [RoundTrips],
    )"#;
    let windows = study(text);
    let kept = TempDir::new().unwrap();
    let folder = Folder::begin(kept.path(), &windows, false).unwrap();
    run(&folder, &Part::All, 2);
    let results = Results::of(&folder, true);
    results.write_plots(&folder, false).unwrap();
    let picture = fs::read_to_string(kept.path().join("round-trips.svg")).unwrap();
    assert!(picture.contains("windows 1, 2, 4"));
    let dots = fs::read_to_string(kept.path().join("round-trips.csv")).unwrap();
    let rows: Vec<Vec<&str>> = dots.lines().skip(1).map(|it| it.split(',').collect()).collect();
    let curves: BTreeSet<&str> = rows.iter().map(|row| row[2]).collect();
    assert_eq!((rows.len(), curves.len()), (6, 2), "{dots}");
    // With one request on its way at each node, round trips are nearly those of an empty network.
    for curve in rows.chunks(3) {
        let trips: Vec<f64> = curve.iter().map(|row| row[5].parse().unwrap()).collect();
        assert!(trips.is_sorted() && trips[0] < 0.6 * trips[2], "{dots}");
    }
}
