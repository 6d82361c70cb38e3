//! Tests of studies: reading, fingerprints of points, and continued folders.

mod above;
mod damage;
mod judged;
mod named;
mod short;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use tempfile::TempDir;

use super::*;
use crate::experiment::points::{Running, Task, run_points};
use crate::scenario::{Problem, render};

const TEXT: &str = r#"Study(
    scenario: "papers/adaptive-torus-4x4",
    vary: {"routing": [DimensionOrder(), MinimalAdaptive(escape: Destination)]},
    loads: Range(from: 0.1, to: 0.9, points: 3),
    cycles: 20000,
)"#;

fn read(text: &str) -> Result<Study, Vec<Problem>> {
    Study::read("study.ron", text, Path::new(""), &[])
}

pub(super) fn study(text: &str) -> Study {
    read(text).unwrap_or_else(|problems| panic!("{}", render(&problems)))
}

fn fingerprints(study: &Study) -> Vec<&str> {
    study.points.iter().map(|point| point.task.fingerprint.as_str()).collect()
}

/// Runs a part of the missing points, and returns the number of runs.
pub(super) fn run(folder: &Folder, part: &Part, threads: usize) -> usize {
    let points = folder.study.points.iter().enumerate();
    let points = points.filter(|(at, _)| part.has(*at)).map(|(_, point)| point.task.clone());
    let tasks: Vec<Task> = points.collect();
    let runs = Mutex::new(0);
    let running = Running {
        threads: Some(threads),
        stop: &AtomicBool::new(false),
        until: None,
        planned: &|count| *runs.lock().unwrap() += count,
        waiting: &|_| {},
        progress: &|_| {},
    };
    run_points(&tasks, folder, &running).unwrap();
    runs.into_inner().unwrap()
}

/// The text of a sealed file with a replacement, sealed again.
pub(super) fn resealed(file: &Path, what: &str, with: &str) -> Vec<u8> {
    let text = fs::read_to_string(file).unwrap();
    let (text, _) = text.rsplit_once(",\"checksum\":").unwrap();
    assert!(text.contains(what), "{what} in {text}");
    seal::with_checksum(text.replace(what, with).as_bytes())
}

/// The tables and plots of a folder, without wall times.
fn written(folder: &Folder, path: &Path) -> Vec<String> {
    let results = Results::of(folder, true);
    results.write_tables(folder).unwrap();
    results.write_plots(folder, false).unwrap();
    results.write_report(folder).unwrap();
    let names = [
        "table.txt",
        "table.csv",
        "table.json",
        "latency.svg",
        "accepted.svg",
        "latency.csv",
        "differences.svg",
    ];
    let mut texts = names.map(|name| fs::read_to_string(path.join(name)).unwrap());
    for row in results.rows() {
        let wall = row.number("wall_seconds").unwrap().to_string();
        for text in &mut texts[1..3] {
            *text = text.replace(&wall, "");
        }
    }
    texts.into()
}

#[test]
fn curves_and_points_stand_in_the_order_of_their_fields() {
    let study = study(TEXT);
    let curves = ["routing=DimensionOrder()", "routing=MinimalAdaptive(escape: Destination)"];
    assert_eq!(study.curves, curves);
    let places: Vec<(usize, f64)> = study
        .points
        .iter()
        .map(|it| (it.curve, (it.task.job.scenario.system.load().0 * 1e6).round() / 1e6))
        .collect();
    assert_eq!(places, [(0, 0.1), (0, 0.5), (0, 0.9), (1, 0.1), (1, 0.5), (1, 0.9)]);
}

#[test]
fn fields_that_go_together_are_one_axis_and_axes_multiply() {
    let study = study(
        r#"Study(scenario: "mesh-8x8", vary: {
            "switching.virtual_channels, switching.buffer_flits": [(1, 8), (2, 4)],
            "seed": [1, 2, 3],
        })"#,
    );
    assert_eq!(study.curves.len(), 6);
    let label = "switching.virtual_channels=1, switching.buffer_flits=8, seed=2";
    assert_eq!(study.curves[1], label);
    let machine = *study.points[5].task.job.scenario.system.wormhole().unwrap();
    assert_eq!((machine.virtual_channels, machine.buffer_flits), (2, 4));
}

/// A study, the faulty part, the message, and the help.
const WRONG: &[[&str; 4]] = &[
    [r#"scenario: "mesh-8x9""#, "\"mesh-8x9\"", "no such file", "`mesh-8x8`"],
    [r#"scenario: "mesh-8x8", lods: [0.1]"#, "lods", "no field `lods`", "`loads`"],
    [
        "scenario: \"mesh-8x8\",\n vary: {\"routing\": [DimensionOrder(),\n  WestFrst()]}",
        "WestFrst",
        "no choice `WestFrst`",
        "`WestFirst`",
    ],
    [
        r#"scenario: "mesh-8x8", vary: {"routng": [WestFirst()]}"#,
        "routng",
        "no field `routng`",
        "`routing`",
    ],
    [
        "scenario: \"mesh-8x8\",\n set: {\"traffic.lengths\":\n  Uniform(min: 9,\n max: 3)}",
        "3)}",
        "below the shortest",
        "write 9 or more",
    ],
    [r#"scenario: "mesh-8x8", loads: [0.1, 1.5]"#, "1.5", "offered load 1.5", "1.0 or less"],
    [
        r#"scenario: "mesh-8x8", loads: Range(from: 0.1, to: 1.5, points: 3)"#,
        "Range",
        "offered load 1.5",
        "1.0 or less",
    ],
    [
        r#"scenario: "mesh-8x8", loads: Range(from: 0.3, to: 0.2, points: 3)"#,
        "0.2",
        "above the first",
        "lower one first",
    ],
    [
        r#"scenario: "mesh-8x8", loads: Rnge(from: 0.1, to: 0.2, points: 3)"#,
        "Rnge",
        "no choice `Rnge`",
        "`Range`",
    ],
    [r#"scenario: "mesh-8x8", figures: [Latncy]"#, "Latncy", "no choice `Latncy`", "`Latency`"],
    [
        r#"scenario: "mesh-8x8", models: ["mesch"]"#,
        "\"mesch\"",
        "no model of this system begins with `mesch`",
        "`mesh (Greenberg, Guan 1997)`",
    ],
    [
        r#"scenario: "mesh-8x8", tables: [(name: "", title: "", unit: "", decimals: 1, lines: [])]"#,
        "[(name",
        "no verdict",
        "replications: 8",
    ],
    [
        r#"scenario: "mesh-8x8", figures: [(name: "", title: "", x: "", y: "", by: "{lattency}", curves: [])]"#,
        "lattency",
        "no figure of a case is called `lattency`",
        "`latency`",
    ],
    [
        r#"scenario: "mesh-8x8", replications: 2, tables: [(name: "", title: "", unit: "", decimals: 1)]"#,
        ")])",
        "the field `lines` is missing",
        "`lines: …`",
    ],
    [r#"scenario: "mesh-8x8", loads: [0.1, 0.10]"#, "0.10", "twice", "remove one"],
    [r#"scenario: "mesh-8x8", loads: []"#, "[]", "no loads", "[0.1, 0.2]"],
    [r#"scenario: "mesh-8x8", seeds: [1, 2, 1]"#, "1]", "twice", "remove one"],
    [r#"scenario: "mesh-8x8", seeds: 3"#, "3", "must be a list", "[1, 2, 3]"],
    [r#"scenario: "mesh-8x8", seed: 4, seeds: [3]"#, "[3]", "besides", "one of the two"],
    [
        r#"scenario: "mesh-8x8", vary: {"seed": [4]}, seeds: [3]"#,
        "[3]",
        "besides",
        "one of the two",
    ],
    [
        r#"scenario: "mesh-8x8", loads: [0.1], vary: {"traffic.arrivals.load": [0.2]}"#,
        r#""traffic.arrivals.load""#,
        "besides the loads",
        "one of the two",
    ],
    [
        r#"scenario: "mesh-8x8", loads: [0.1], from_above: true"#,
        "true",
        "no recovery",
        "`loads: Auto`",
    ],
    [r#"scenario: "mesh-8x8", loads: Auot"#, "Auot", "no choice `Auot`", "`Auto`"],
    [r#"scenario: "mesh-8x8", loads: OfSaturation([0.5, 90])"#, "90", "at most 10", "0.9 for 90 %"],
    [r#"scenario: "mesh-8x8", loads: OfSaturation(0.5)"#, "0.5", "must be a list", "[0.5, 0.9]"],
    [r#"scenario: "mesh-8x8", loads: Auto, bracket: 2"#, "2", "0.001 to 0.5", "0.5 or less"],
    [r#"scenario: "mesh-8x8", loads: [0.1], bracket: 0.2"#, "0.2", "no bracket", "`loads: Auto`"],
    [
        r#"scenario: "mesh-8x8", loads: Auto, vary: {"routing": [WestFrst()]}"#,
        "WestFrst",
        "no choice `WestFrst`",
        "`WestFirst`",
    ],
    [
        r#"scenario: "mesh-8x8", cycles: 90, warm_up: 91"#,
        "91",
        "leaves nothing to count in a run of 90",
        "below 90",
    ],
    [r#"scenario: "mesh-8x8", precision: 7"#, "7", "the precision must be", "0.999 or less"],
    [
        r#"scenario: "mesh-8x8", vary: {"routing": WestFirst()}"#,
        "WestFirst()",
        "must be a list",
        "[DimensionOrder(), WestFirst()]",
    ],
    [
        r#"scenario: "mesh-8x8", vary: {"routing, seed": [(WestFirst(), 1), OddEven()]}"#,
        "OddEven()",
        "needs 2 values",
        "one for each",
    ],
    [
        r#"scenario: "mesh-8x8", vary: {"seed": [1], "routing, seed": [(WestFirst(), 1)]}"#,
        "\"routing, seed\"",
        "`seed` is varied twice",
        "one list",
    ],
];

#[test]
fn what_is_wrong_is_named_where_it_stands() {
    for [fields, part, what, help] in WRONG {
        let text = format!("Study(\n {fields})");
        let problems = read(&text).unwrap_err();
        let problem = &problems[0];
        let shown = render(&problems);
        assert!(problem.what.contains(what), "{shown}");
        assert!(problem.help.as_ref().unwrap().contains(help), "{shown}");
        assert_eq!(problem.source, "study.ron", "{shown}");
        let place = problem.place.as_ref().unwrap_or_else(|| panic!("{shown}"));
        let at = text.find(part).unwrap();
        let line = text[..at].matches('\n').count() + 1;
        let begin = text[..at].rfind('\n').map_or(0, |end| end + 1);
        assert_eq!((place.line, place.column), (line, at - begin + 1), "{shown}");
    }
    assert!(read("Study(scenario: \"mesh-8x8\"").unwrap_err()[0].place.is_some());
}

#[test]
fn points_are_told_apart_by_all_that_decides_about_them() {
    let first = |text: &str| study(text).points[0].task.fingerprint.clone();
    let known = first(TEXT);
    assert_eq!(known, first(TEXT));
    // Neither the other points nor the notation of the load matter.
    assert_eq!(known, first(&TEXT.replace("Range(from: 0.1, to: 0.9, points: 3)", "[0.1, 0.2]")));
    let others = [
        TEXT.replace("4x4", "8x8"),
        TEXT.replace("[DimensionOrder(), ", "["),
        TEXT.replace("from: 0.1", "from: 0.2"),
        TEXT.replace("20000", "20001"),
        TEXT.replace("cycles", "messages"),
        TEXT.replace("cycles", "seed: 7, cycles"),
        TEXT.replace("cycles", "replications: 2, cycles"),
        TEXT.replace("cycles", "warm_up: 100, cycles"),
    ];
    let all: BTreeSet<String> = others.iter().map(|text| first(text)).chain([known]).collect();
    assert_eq!(all.len(), others.len() + 1);
}

#[test]
fn a_study_goes_on_and_comes_to_the_same_bytes_as_one_that_was_not_disturbed() {
    let (one, two) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let whole = Folder::begin(one.path(), &study(TEXT), false).unwrap();
    assert_eq!(run(&whole, &Part::All, 2), 6);
    let expected = written(&whole, one.path());
    assert!(expected[0].contains("saturates between 0.5000 and 0.9000"), "{}", expected[0]);
    assert!(!expected[0].contains("PARTIAL"));
    let (heading, points) = expected[1].split_once('\n').unwrap();
    assert!(heading.ends_with(",metastable,routing"), "{heading}");
    assert_eq!(points.lines().filter(|it| it.ends_with(",DimensionOrder()")).count(), 3);
    assert!(expected[2].contains(r#""routing":"MinimalAdaptive(escape: Destination)""#));
    assert_eq!(run(&whole, &Part::All, 2), 0, "nothing is run twice");

    // Killed between two points, leaving a draft and a claim.
    let part = Folder::begin(two.path(), &study(TEXT), false).unwrap();
    assert_eq!(run(&part, &"1,4".parse().unwrap(), 1), 2);
    drop(part);
    let draft = two.path().join("points/0123456789abcdef.json.aB3dEf.part");
    fs::write(&draft, "{\"point\":").unwrap();
    let part = Folder::open(two.path()).unwrap();
    assert_eq!(Part::list(Results::of(&part, false).missing()), "0,2-3,5");
    assert!(Results::of(&part, false).text().contains("PARTIAL: 2 of 6 points"));
    assert!(part.strangers().unwrap().is_empty());
    // The rest in two shards.
    let shards = ["1/2", "2/2"].map(|text| Part::shard(text).unwrap());
    let runs = shards.map(|shard| run(&part, &shard, 2));
    assert_eq!(runs, [2, 2]);
    assert!(!draft.exists());
    assert_eq!(written(&part, two.path()), expected);
}

#[test]
fn what_is_no_result_of_a_study_is_named_and_left() {
    let place = TempDir::new().unwrap();
    let folder = Folder::begin(place.path(), &study(TEXT), false).unwrap();
    run(&folder, &"0-1".parse().unwrap(), 2);
    let study = folder.study.clone();
    let file =
        |at: usize| place.path().join("points").join(format!("{}.json", fingerprints(&study)[at]));
    // A result of another point, a result of another version, and a foreign file.
    fs::copy(file(1), file(2)).unwrap();
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let old = place.path().join("points/00.json");
    fs::write(&old, resealed(&file(0), &version, "\"version\":\"0.0.9\"")).unwrap();
    fs::write(place.path().join("points/notes"), "mine").unwrap();
    let engine = format!("\"engine\":\"{:016x}\"", study.points[0].task.engine);
    let other = place.path().join("points/01.json");
    let another = resealed(&file(0), &engine, "\"engine\":\"0123456789abcdef\"");
    fs::write(&other, another).unwrap();
    let before = fs::read(file(2)).unwrap();

    let results = Results::of(&folder, false);
    let refused: Vec<&str> = results.refused().collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].contains("of another point"), "{refused:?}");
    assert!(results.text().contains("refused"));
    let strangers = folder.strangers().unwrap();
    let strangers: Vec<String> = strangers.iter().map(ToString::to_string).collect();
    assert_eq!(strangers.len(), 3, "{strangers:?}");
    assert!(strangers[0].ends_with("00.json: a result of version 0.0.9"), "{strangers:?}");
    assert!(strangers[1].contains("01.json: a result of another engine"), "{strangers:?}");
    assert!(strangers[2].ends_with("notes: no result"), "{strangers:?}");
    // All other points are run.
    assert_eq!(run(&folder, &Part::All, 2), 3);
    assert_eq!(fs::read(file(2)).unwrap(), before);
    assert!(old.exists());
}

#[test]
fn tables_of_no_study_are_not_written_over() {
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("notes.md"), "mine").unwrap();
    fs::write(place.path().join("table.csv"), "mine").unwrap();
    let refused = Folder::begin(place.path(), &study(TEXT), false).unwrap_err();
    assert!(refused.to_string().contains("table.csv: is there already"), "{refused}");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
    Folder::begin(place.path(), &study(TEXT), true).unwrap();
    // Tables of the same study do not prevent its continuation.
    Folder::begin(place.path(), &study(TEXT), false).unwrap();
}

#[test]
fn another_study_is_not_written_over_one_that_is_there() {
    let place = TempDir::new().unwrap();
    let folder = Folder::begin(place.path(), &study(TEXT), false).unwrap();
    run(&folder, &"0".parse().unwrap(), 1);
    let longer = study(&TEXT.replace("points: 3", "points: 5"));
    let refused = Folder::begin(place.path(), &longer, false).unwrap_err();
    assert!(refused.to_string().contains("study.ron` exists"), "{refused}");
    assert_eq!(Folder::open(place.path()).unwrap().study.points.len(), 6);
    // Common points are not run again.
    let folder = Folder::begin(place.path(), &longer, true).unwrap();
    assert_eq!(Part::list(Results::of(&folder, false).missing()), "1-9");
}

#[test]
fn a_folder_stands_by_itself() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("mine.ron");
    let text = crate::scenario::builtin::find("papers/adaptive-torus-4x4").unwrap().text;
    fs::write(&file, text).unwrap();
    let own = TEXT.replace("papers/adaptive-torus-4x4", "mine.ron");
    let own = Study::read("study.ron", &own, place.path(), &[]).unwrap();
    let folder = Folder::begin(&place.path().join("out"), &own, false).unwrap();
    fs::remove_file(&file).unwrap();
    assert_eq!(fingerprints(&folder.study), fingerprints(&own));
    assert_eq!(folder.study.name(), "mine.ron");
    assert_eq!(
        fingerprints(&Folder::open(&place.path().join("out")).unwrap().study),
        fingerprints(&own)
    );
}

#[test]
fn lists_of_points_read_back() {
    for text in ["0", "3,7-9", "0-2,4,6-7"] {
        let part: Part = text.parse().unwrap();
        assert_eq!(Part::list((0..20).filter(|&point| part.has(point))), text);
    }
    for text in ["", "3,", "3-1", "-1", "a", "1-2-3", "99999999999999999999999"] {
        assert!(text.parse::<Part>().is_err(), "{text:?}");
    }
    for text in ["0/2", "3/2", "1", "1/0", "/"] {
        assert!(Part::shard(text).is_err(), "{text:?}");
    }
    let shards = [1, 2, 3].map(|at| Part::shard(&format!("{at}/3")).unwrap());
    assert!((0..10).all(|point| shards.iter().filter(|shard| shard.has(point)).count() == 1));
}
