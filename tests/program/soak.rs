//! The program against itself: what was found once stays mended, and a little more is tried each time.

use std::fs;

use super::cli::program::run;

#[test]
fn what_was_found_once_is_mended() {
    let folder = fs::read_dir("tests/found").unwrap();
    let mut files: Vec<String> =
        folder.map(|entry| entry.unwrap().path().display().to_string()).collect();
    files.sort();
    assert!(files.len() > 4, "{files:?}");
    let arguments: Vec<&str> =
        ["soak"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let said = run(&arguments);
    assert_eq!(said.status, 0, "{}", said.err);
}

#[test]
fn what_hangs_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let found = folder.path().join("found");
    // No line of a film comes to its end in no time.
    let hurried = ["soak", "--only", "screen", "--rounds", "1", "--patience", "0", "--found"];
    let said = run(&[&hurried[..], &[found.to_str().unwrap()]].concat());
    assert_eq!(said.status, 1, "{}{}", said.out, said.err);
    assert!(said.err.contains("it hangs"), "{}", said.err);
    let kept = fs::read_dir(&found).unwrap().next().unwrap().unwrap().path();
    let again = run(&["soak", kept.to_str().unwrap()]);
    assert_eq!(again.status, 0, "with time enough it comes to its end: {}", again.err);
}

/// The figures of a short soak, those of time left out.
fn short(jobs: &str) -> Vec<(String, u64)> {
    let folder = tempfile::tempdir().unwrap();
    let found = folder.path().join("found").display().to_string();
    let rounds = ["soak", "--rounds", "3", "--seconds", "3600", "--jobs", jobs, "--found", &found];
    let corpora = ["tests/broken", "tests/broken-config", "tests/found", "scenarios"];
    let corpora = corpora.map(|folder| ["--corpus", folder]);
    let rounds = [&rounds[..], corpora.as_flattened()].concat();
    let said = run(&rounds);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    assert!(!folder.path().join("found").exists());
    let figure = |line: &str| {
        let (what, count) = (line.get(..34)?.trim(), line.get(34..)?.split_whitespace().next()?);
        let told = !what.starts_with("MiB") && !what.starts_with("seed");
        told.then(|| Some((what.to_owned(), count.parse().ok()?)))?
    };
    said.out.lines().filter_map(figure).collect()
}

#[test]
fn a_short_soak_finds_nothing_and_is_the_same_on_more_threads() {
    let figures = short("1");
    let figure = |what: &str| figures.iter().find(|(name, _)| name == what).map_or(0, |it| it.1);
    assert!(figure("screen actions") > 900, "{figures:?}");
    assert!(figure("texts") > 250 && figure("texts accepted") > 25, "{figures:?}");
    assert!(figure("systems") == 3 && figure("audited cycles") > 50, "{figures:?}");
    assert_eq!(short("3"), figures);
}
