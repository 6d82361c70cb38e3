//! Tests of watched folders.
//!
//! States of points, running programs, foreign files, later rounds, and folders finished by the
//! test itself are tested.

use std::fs;
use std::sync::atomic::AtomicBool;

use tempfile::TempDir;

use super::*;
use crate::experiment::points::{Keeper, Running};
use crate::experiment::sweep::tests::{resealed, run, study};
use crate::experiment::sweep::{Part, finish, write_all};

const TEXT: &str = r#"Study(
    scenario: "papers/adaptive-torus-4x4",
    vary: {"routing": [DimensionOrder(), MinimalAdaptive(escape: Destination)]},
    loads: [0.1, 1.0],
    cycles: 20000,
)"#;

fn begun(text: &str) -> (TempDir, WatchedFolder) {
    let place = tempfile::tempdir().unwrap();
    let watched = WatchedFolder::begin(opened(&place, text)).unwrap();
    (place, watched)
}

fn opened(place: &TempDir, text: &str) -> Folder {
    Folder::begin(place.path(), &study(text), false).unwrap()
}

fn states(watched: &WatchedFolder) -> Vec<State> {
    watched.status().points.into_iter().map(|point| point.state).collect()
}

fn all(folder: &mut Folder, stop: bool) {
    let stop = AtomicBool::new(stop);
    let running = Running {
        threads: Some(2),
        stop: &stop,
        until: None,
        planned: &|_| {},
        waiting: &|_| {},
        progress: &|_| {},
    };
    finish(folder, &running).unwrap();
}

#[test]
fn points_fill_as_they_finish_and_running_ones_have_their_program() {
    let (place, mut watched) = begun(TEXT);
    assert_eq!(states(&watched), vec![State::Missing; 4]);
    let status = watched.status();
    assert_eq!((status.done, status.share, status.left), (0, 0.0, None));
    assert!(!watched.look().unwrap(), "nothing is new");

    let other = opened(&place, TEXT);
    run(&other, &"1,2".parse::<Part>().unwrap(), 1);
    let name = other.study.points[3].task.fingerprint.clone();
    other.leases().take(&name).unwrap();
    assert!(watched.look().unwrap());
    let seen = states(&watched);
    assert_eq!(seen[..3], [State::Missing, State::Saturated, State::Steady]);
    let State::Running { by, since } = &seen[3] else { panic!("{seen:?}") };
    assert!(by == "this program" && since.as_secs() < 60, "{by} {since:?}");
    let status = watched.status();
    assert_eq!((status.done, status.at_work, status.finished), (2, 1, false));
    assert!(status.share > 0.0 && status.share < 1.0 && status.left.unwrap() > 0.0);
    // Latencies equal the results, and are undefined beyond saturation.
    let row = other.found()[2].row().cloned().unwrap();
    let point = &status.points[2];
    assert_eq!(point.latency.map(|it| it.0), row.number("latency_mean"));
    assert_eq!(point.end, Some(20_000));
    assert_eq!(status.points[1].latency, None);
    assert!(status.points[1].accepted.is_some());

    other.leases().give_back(&name);
    run(&other, &Part::All, 2);
    watched.look().unwrap();
    let status = watched.status();
    assert_eq!((status.done, status.share, status.at_work), (4, 1.0, 0));
    assert!(status.finished && status.left == Some(0.0));
    assert_eq!(status.brackets, [Some((0.1, 1.0)); 2]);
    assert!(!watched.look().unwrap());
    // Model curves accompany the simulated curves.
    let curves = status.plot.curves.len();
    watched.compare(watched.models().prepared());
    assert!(watched.look().unwrap());
    assert!(watched.status().plot.curves.len() > curves);
}

#[test]
fn torn_and_foreign_files_are_named_and_nothing_is_lost() {
    let (place, mut watched) = begun(TEXT);
    run(&opened(&place, TEXT), &Part::All, 2);
    let points = place.path().join("points");
    let path = |at: usize| {
        let name = &watched.folder.study.points[at].task.fingerprint;
        points.join(format!("{name}.json"))
    };
    let (torn, moved, whole) = (path(0), path(1), path(2));
    let text = fs::read_to_string(&torn).unwrap();
    fs::write(&torn, &text[..text.len() / 2]).unwrap();
    fs::rename(&moved, points.join("elsewhere.json")).unwrap();
    let version = concat!("\"", env!("CARGO_PKG_VERSION"), "\"");
    fs::write(points.join("old.json"), resealed(&whole, version, "\"0.0.0\"")).unwrap();
    watched.look().unwrap();
    let status = watched.status();
    let State::Refused(why) = &status.points[0].state else { panic!("it is torn") };
    assert!(why.contains("this result is damaged"), "{why}");
    assert_eq!(status.points[1].state, State::Missing);
    assert!(status.points[2].state.is_done() && status.points[3].state.is_done());
    assert_eq!((status.done, status.finished), (2, false));
    let strangers = status.strangers.join("\n");
    assert!(strangers.contains("old.json: a result of version 0.0.0"), "{strangers}");
    assert!(strangers.contains("elsewhere.json: the result of another study"), "{strangers}");
    // Missing or damaged results are run again, and foreign files are left.
    let foreign = fs::read(&whole).unwrap();
    fs::write(&moved, &foreign).unwrap();
    all(&mut opened(&place, TEXT), false);
    watched.look().unwrap();
    let status = watched.status();
    let State::Refused(why) = &status.points[1].state else { panic!("it is another's") };
    assert!(why.contains("another point"), "{why}");
    assert!(status.points[0].state.is_done() && status.done == 3 && !status.finished);
    assert_eq!(fs::read(&moved).unwrap(), foreign);
}

#[test]
fn rounds_follow_and_a_folder_that_is_gone_is_said_to_be() {
    let text = TEXT.replace("loads: [0.1, 1.0]", "loads: Auto, bracket: 0.3");
    let (place, mut watched) = begun(&text);
    let first = watched.status();
    assert_eq!((first.rounds, first.finished), (Some(1), false));
    all(&mut opened(&place, &text), true);
    watched.look().unwrap();
    assert_eq!(watched.status().done, 0, "stopped before it began");
    all(&mut opened(&place, &text), false);
    watched.look().unwrap();
    let status = watched.status();
    assert!(status.rounds > Some(1) && status.points.len() > first.points.len());
    assert!(status.finished && status.done == status.points.len());
    assert!(status.brackets.iter().all(Option::is_some));
    // Another study replaces the first.
    Folder::begin(place.path(), &study(TEXT), true).unwrap();
    assert!(watched.look().unwrap());
    assert_eq!(watched.status().points.len(), 4);
    fs::remove_dir_all(place.path()).unwrap();
    let gone = watched.look().unwrap_err().to_string();
    assert!(gone.contains("study.ron"), "{gone}");
}

#[test]
fn of_replications_the_first_is_opened() {
    let text = r#"Study(
        scenario: "papers/adaptive-torus-4x4",
        loads: [0.2], cycles: 9000, replications: 2,
    )"#;
    let (place, mut watched) = begun(text);
    all(&mut opened(&place, text), false);
    watched.look().unwrap();
    let row = watched.found[0].row().cloned().unwrap();
    assert_eq!(row.number("cycles"), Some(18_000.0));
    assert_eq!(watched.status().points[0].end, Some(9000));
}

/// All files of a folder except leases, without wall times and machines.
fn files(place: &TempDir) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![place.path().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(place.path()).unwrap().display().to_string();
            let text = timeless(&name, &fs::read_to_string(&path).unwrap());
            files.push((name, text));
        }
    }
    files.sort();
    files
}

fn kind(name: &str) -> &str {
    name.rsplit('.').next().unwrap()
}

/// A table or a result without its wall times.
fn timeless(name: &str, text: &str) -> String {
    const WALL: &str = "wall_seconds";
    if kind(name) == "csv" {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let kept = |row: &csv::StringRecord| {
            let cells = row.iter().zip(&rows[0]).filter(|(_, column)| *column != WALL);
            cells.map(|(cell, _)| cell.to_owned()).collect::<Vec<_>>().join(",")
        };
        return rows.iter().map(kept).collect::<Vec<_>>().join("\n");
    }
    let wall = format!("\"{WALL}\":");
    // The checksum covers the wall time too.
    let text = text.split(",\"checksum\":").next().unwrap_or_default();
    let mut parts = text.split(&wall);
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |all, part| all + &part[part.find([',', '}']).unwrap()..])
}

#[test]
fn what_is_finished_here_is_what_a_sweep_would_have_left() {
    let text = TEXT.replace("loads: [0.1, 1.0]", "loads: Auto, bracket: 0.3");
    let whole = tempfile::tempdir().unwrap();
    let mut folder = opened(&whole, &text);
    all(&mut folder, false);
    write_all(&folder, Some(1)).unwrap();
    // Run in parts, alongside another program, and with a pause.
    let parted = tempfile::tempdir().unwrap();
    run(&opened(&parted, &text), &Part::shard("1/3").unwrap(), 1);
    all(&mut opened(&parted, &text), true);
    let mut folder = opened(&parted, &text);
    all(&mut folder, false);
    write_all(&folder, Some(2)).unwrap();
    drop(folder);
    let (one, two) = (files(&whole), files(&parted));
    let names =
        |files: &[(String, String)]| files.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&one), names(&two));
    assert!(one.len() > 25, "{}", one.len());
    // The page has wall times too, among words.
    let compared = |it: &&(String, String)| kind(&it.0) != "html";
    for (one, two) in one.iter().filter(compared).zip(two.iter().filter(compared)) {
        assert_eq!(one, two);
    }
}
