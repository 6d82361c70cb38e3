//! Tests of rounds: the points are equal for any order of runs and after any stop.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::experiment::sweep::Part;
use crate::experiment::sweep::tests::{resealed, run, study};

const TEXT: &str = r#"Study(
    scenario: "papers/adaptive-torus-4x4",
    vary: {"routing": [DimensionOrder(), MinimalAdaptive(escape: Destination)]},
    loads: Auto,
    bracket: 0.1,
    precision: 0.1,
    messages: 100000,
)"#;

/// The final state of a folder: points, rounds and table.
fn known(folder: &Folder, path: &Path) -> Vec<String> {
    let points = folder.study.points.iter();
    let mut known: Vec<String> =
        points.map(|it| format!("{} {} {}", it.curve, it.load, it.task.fingerprint)).collect();
    let mut rounds: Vec<_> =
        fs::read_dir(path.join("rounds")).unwrap().map(|it| it.unwrap().path()).collect();
    rounds.sort();
    known.extend(rounds.iter().map(|round| fs::read_to_string(round).unwrap()));
    known.push(Results::of(folder, false).text());
    known
}

#[test]
fn rounds_are_the_same_in_whatever_order_their_points_are_run() {
    let whole = TempDir::new().unwrap();
    let mut folder = Folder::begin(whole.path(), &study(TEXT), false).unwrap();
    assert_eq!(folder.study.points.len(), 10);
    loop {
        let all: Vec<usize> = (0..folder.study.points.len()).collect();
        let new = Results::of(&folder, false).missing().count();
        assert!(matches!(folder.plan().unwrap(), Next::Missing(missing) if missing.len() == new));
        assert_eq!(run(&folder, &Part::All, 2), new);
        match folder.plan().unwrap() {
            Next::Round(points) => assert_eq!(points.start, all.len()),
            Next::Missing(missing) => panic!("{missing:?}"),
            Next::Done => break,
        }
    }
    assert_eq!(folder.plan().unwrap(), Next::Done);
    assert!(folder.study.rounds() > 3);
    let expected = known(&folder, whole.path());
    let table = expected.last().unwrap();
    assert_eq!(table.matches("saturates between").count(), 2, "{table}");
    for curve in 0..2 {
        let (below, above) = Results::of(&folder, false).bracket(curve).ends().unwrap();
        assert!(above - below <= 0.1 * above, "{table}");
    }

    // Point by point, last first, by independent programs.
    let parts = TempDir::new().unwrap();
    Folder::begin(parts.path(), &study(TEXT), false).unwrap();
    for _ in 0..100 {
        let next = Folder::open(parts.path()).unwrap().plan().unwrap();
        let points = match next {
            Next::Missing(points) => points,
            Next::Round(points) => points.collect(),
            Next::Done => break,
        };
        for point in points.iter().rev() {
            let other = Folder::open(parts.path()).unwrap();
            assert_eq!(run(&other, &point.to_string().parse().unwrap(), 1), 1);
        }
        // Another program plans the same round at the same time.
        Folder::open(parts.path()).unwrap().plan().unwrap();
    }
    assert_eq!(known(&Folder::open(parts.path()).unwrap(), parts.path()), expected);
}

#[test]
fn rounds_of_another_study_are_left_and_broken_ones_are_named() {
    let place = TempDir::new().unwrap();
    let mut folder = Folder::begin(place.path(), &study(TEXT), false).unwrap();
    run(&folder, &Part::All, 2);
    let Next::Round(points) = folder.plan().unwrap() else { panic!("there is a second round") };
    assert_eq!(Folder::open(place.path()).unwrap().study.points.len(), points.end);
    // A different width of the bracket is a different search, with the same first round.
    let finer = study(&TEXT.replace("bracket: 0.1", "bracket: 0.05"));
    let mut folder = Folder::begin(place.path(), &finer, true).unwrap();
    assert_eq!(folder.study.rounds(), 1);
    assert!(matches!(folder.plan().unwrap(), Next::Round(_)));
    assert_eq!(fs::read_dir(place.path().join("rounds")).unwrap().count(), 2);

    for entry in fs::read_dir(place.path().join("rounds")).unwrap() {
        let path = entry.unwrap().path();
        fs::write(&path, resealed(&path, "\"curve\":1", "\"curve\":7")).unwrap();
    }
    let refused = Folder::open(place.path()).unwrap_err().to_string();
    assert!(refused.contains("-2.json") && refused.contains("another study"), "{refused}");
}
