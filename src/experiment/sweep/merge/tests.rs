//! Tests of gathering results from several folders.

use std::fs;

use tempfile::TempDir;

use super::*;
use crate::experiment::sweep::tests::{resealed, run, study};
use crate::experiment::sweep::{Part, Results, seal};

const TEXT: &str = r#"Study(
    scenario: "papers/adaptive-torus-4x4",
    vary: {"routing": [DimensionOrder(), MinimalAdaptive(escape: Destination)]},
    loads: [0.1, 0.3],
    cycles: 3000,
)"#;

fn begun(text: &str) -> (TempDir, Folder) {
    let place = TempDir::new().unwrap();
    let folder = Folder::begin(place.path(), &study(text), false).unwrap();
    (place, folder)
}

fn missing(folder: &Folder) -> String {
    Part::list(Results::of(folder, false).missing())
}

#[test]
fn results_of_two_folders_make_the_whole_and_different_ones_are_named() {
    let ((_one_place, one), (two_place, two)) = (begun(TEXT), begun(TEXT));
    run(&one, &"0-1".parse().unwrap(), 2);
    run(&two, &"1-3".parse().unwrap(), 2);
    let place = TempDir::new().unwrap();
    let mut whole = Folder::begin_like(&place.path().join("all"), &one).unwrap();
    let taken = whole.merge(&one).unwrap();
    assert_eq!(taken, MergeCounts { taken: 2, known: 0, foreign: 0 });
    let taken = whole.merge(&two).unwrap();
    assert_eq!(taken, MergeCounts { taken: 2, known: 1, foreign: 0 });
    assert_eq!(missing(&whole), "");
    // A damaged result counts as missing in both folders.
    let name = format!("points/{}.json", whole.study.points[2].task.fingerprint);
    let copy = whole.path().join(&name);
    let text = fs::read(&copy).unwrap();
    fs::write(&copy, &text[..9]).unwrap();
    assert_eq!(missing(&whole), "2");
    assert_eq!(whole.merge(&two).unwrap().taken, 1);
    assert_eq!(fs::read(&copy).unwrap(), text);
    fs::write(two_place.path().join(&name), "").unwrap();
    assert_eq!(whole.merge(&two).unwrap(), MergeCounts { taken: 0, known: 2, foreign: 0 });
    // A valid file with a different result.
    let mut other: serde_json::Value = seal::opened(&text).unwrap();
    other["rows"][0]["fingerprint"] = "0123456789abcdef".into();
    fs::write(two_place.path().join(&name), seal::sealed(&other).unwrap()).unwrap();
    let differ = whole.merge(&two).unwrap_err().to_string();
    assert!(differ.contains("point 2: ") && differ.contains("0123456789abcdef"), "{differ}");
}

#[test]
fn what_is_of_another_study_stays_there() {
    let ((_one_place, one), (_two_place, mut two)) =
        (begun(TEXT), begun(&TEXT.replace("0.3]", "0.3, 0.5]")));
    run(&one, &Part::All, 2);
    assert_eq!(two.merge(&one).unwrap(), MergeCounts { taken: 4, known: 0, foreign: 0 });
    assert_eq!(missing(&two), "2,5");
    run(&two, &Part::All, 2);
    let (_third_place, mut third) = begun(&TEXT.replace("0.1, ", ""));
    assert_eq!(third.merge(&two).unwrap(), MergeCounts { taken: 2, known: 0, foreign: 4 });
}

#[test]
fn results_of_another_version_or_engine_are_counted_and_left() {
    let ((_one_place, one), (_two_place, mut two)) = (begun(TEXT), begun(TEXT));
    run(&one, &"0-1".parse().unwrap(), 2);
    // Their names are hashes of version and engine too.
    let file = |at: usize| {
        one.path().join(format!("points/{}.json", one.study.points[at].task.fingerprint))
    };
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let engine = format!("\"engine\":\"{:016x}\"", one.study.points[1].task.engine);
    for (at, name, own, other) in [
        (0, "points/00.json", version, "\"version\":\"0.0.9\""),
        (1, "points/01.json", engine, "\"engine\":\"0123456789abcdef\""),
    ] {
        fs::write(one.path().join(name), resealed(&file(at), &own, other)).unwrap();
        fs::remove_file(file(at)).unwrap();
    }
    fs::write(one.path().join("points/notes"), "mine").unwrap();
    assert_eq!(two.merge(&one).unwrap(), MergeCounts { taken: 0, known: 0, foreign: 2 });
    assert_eq!(missing(&two), "0-3");
}

#[test]
fn rounds_are_made_again_from_the_results_they_are_made_of() {
    let text = TEXT.replace("[0.1, 0.3]", "Auto, bracket: 0.3, precision: 0.2, messages: 40000");
    let text = text.replace("cycles: 3000", "warm_up: 500");
    let (_place, mut searched) = begun(&text);
    loop {
        run(&searched, &Part::All, 2);
        if searched.plan().unwrap() == Next::Done {
            break;
        }
    }
    assert!(searched.study.rounds() > 1);
    let (_other_place, mut other) = begun(&text);
    let counts = other.merge(&searched).unwrap();
    assert_eq!(counts, MergeCounts { taken: searched.study.points.len(), known: 0, foreign: 0 });
    assert_eq!(other.plan().unwrap(), Next::Done);
}
