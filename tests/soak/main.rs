//! The program against itself: random films, texts and systems, a few in each test run and as many as
//! there is time for in a long one.
//!
//! ```sh
//! FLITSCOPE_SECONDS=3600 cargo test --release --test soak -- --ignored --nocapture
//! ```
//!
//! The environment sets the rest: `FLITSCOPE_SEED`, `FLITSCOPE_JOBS` (rounds at a time),
//! `FLITSCOPE_ONLY` (`screen`, `texts` or `systems`), `FLITSCOPE_PATIENCE` (the longest time of a line, a
//! text or a system, in seconds) and `FLITSCOPE_FOUND` (the folder of findings).
#![expect(clippy::unwrap_used, reason = "a test that meets what it did not expect has failed")]

mod dice;
mod grammar;
mod json;
mod ordeal;
mod rounds;
#[path = "../library/schema.rs"]
mod schema;
mod screen;
mod shrink;
mod systems;
mod texts;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rounds::{Found, Kind, Plan, Report};
use texts::Target;

/// Folders of files of which texts are made.
const CORPORA: [&str; 4] = ["tests/broken", "tests/broken-config", "tests/found", "scenarios"];

/// The most memory that a round at a time may take, in MiB: the largest networks, several times.
const PEAK_MAX: u64 = 1024;

/// The files in a folder, and in those below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    paths.into_iter().flat_map(below).collect()
}

/// All readers of texts, each with the built-in texts and the files that it reads.
fn targets() -> Vec<Target> {
    let mut targets = texts::targets();
    for path in CORPORA.iter().flat_map(|folder| files(Path::new(folder))) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = texts::target_of(&path.display().to_string(), &text);
        let reads = |target: &&mut Target| target.name == name;
        targets.iter_mut().filter(reads).for_each(|target| target.seeds.push(text.clone()));
    }
    targets
}

/// A number of the environment.
fn given(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn what_was_found_once_is_mended() {
    let (targets, folder) = (targets(), tempfile::tempdir().unwrap());
    let found = files(Path::new("tests/found"));
    assert!(found.len() > 4, "{found:?}");
    for path in found {
        let name = path.display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let played = rounds::again(&name, &text, &targets, folder.path());
        assert_eq!(played, Ok(()), "{name}");
    }
}

#[test]
fn every_generator_runs_with_every_algorithm_that_serves_it() {
    let first = |value: &str| value.split('(').next().unwrap_or_default().to_owned();
    let drawn: BTreeSet<String> = grammar::NETWORKS.into_iter().map(first).collect();
    let values = grammar::values("network");
    let known: BTreeSet<String> =
        values.iter().map(|it| first(it)).filter(|it| it != "File").collect();
    assert_eq!(drawn, known, "all kinds of networks are drawn");
    let pairs = systems::every_pair(30).unwrap();
    let served: BTreeSet<String> = pairs.iter().map(|(_, routing)| first(routing)).collect();
    let algorithms = grammar::values("routing");
    let missing: Vec<&String> = algorithms
        .iter()
        .filter(|it| !served.contains(&first(it)) && first(it) != "Table")
        .collect();
    assert!(missing.is_empty(), "{missing:?}: {pairs:?}");
    assert!(pairs.len() >= 159, "{}", pairs.len());
    // Each network is served by the algorithms made for it, and by one for any network.
    for network in grammar::NETWORKS {
        let own = match first(network).as_str() {
            "Mesh" | "Torus" | "Hypercube" | "SwitchGrid" | "HyperX" | "Complete" => {
                "DimensionOrder"
            }
            "FatTree" | "LeafSpine" | "Butterfly" => "NearestCommonAncestor",
            "Dragonfly" => "Hierarchical",
            _ => "UpDown",
        };
        let serves =
            |name: &str| pairs.iter().any(|(on, routing)| *on == network && first(routing) == name);
        assert!(serves(own) && serves("Layered"), "{network}: {own}");
    }
}

/// Some rounds of each kind; the files found, and the report.
fn some(kinds: &[Kind], rounds: u64, threads: usize, patience: Duration) -> (Vec<Found>, Report) {
    let (folder, targets) = (tempfile::tempdir().unwrap(), targets());
    let (found, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let plan = Plan {
        seed: 1,
        kinds,
        rounds,
        time: Duration::from_secs(3600),
        threads,
        patience,
        targets: &targets,
        folder: folder.path(),
        stop: &stop,
    };
    let keep = |one: &Found| found.lock().unwrap().push(one.clone());
    let hung = |one: &Found, _: &Report| {
        keep(one);
        stop.store(true, Ordering::Relaxed);
    };
    let report = rounds::run(&plan, keep, hung);
    (found.into_inner().unwrap(), report)
}

#[test]
fn what_hangs_is_found() {
    // No line of a film ends in no time.
    let (found, _) = some(&[Kind::Screen], 1, 1, Duration::ZERO);
    assert!(found[0].why.contains("it hangs"), "{found:?}");
    let folder = tempfile::tempdir().unwrap();
    let again = rounds::again(&found[0].name, &found[0].text, &[], folder.path());
    assert_eq!(again, Ok(()), "with time enough it ends");
}

#[test]
fn a_short_soak_finds_nothing_and_is_the_same_on_more_threads() {
    let figures = |threads: usize| {
        let (found, report) = some(Kind::ALL, 3, threads, Duration::from_secs(300));
        assert!(found.is_empty(), "{found:?}");
        let figures = |kind: &Kind| report.done[kind].tally.figures().collect::<Vec<_>>();
        Kind::ALL.iter().flat_map(figures).collect::<Vec<_>>()
    };
    let alone = figures(1);
    let figure = |what: &str| alone.iter().find(|(name, _)| *name == what).map_or(0, |it| it.1);
    assert!(figure("screen actions") > 900, "{alone:?}");
    assert!(figure("texts") > 250 && figure("texts accepted") > 25, "{alone:?}");
    assert!(figure("systems") == 3 && figure("audited cycles") > 50, "{alone:?}");
    assert_eq!(figures(3), alone);
}

/// Prints the figures of a soak: of each kind its rounds, and each count with its rate.
fn print(report: &Report) {
    let mut out = std::io::stdout().lock();
    for (kind, done) in &report.done {
        let seconds = done.time.as_secs_f64();
        let (rounds, kind) = (done.rounds, kind.name());
        writeln!(out, "{rounds} rounds of {kind} in {seconds:.1} s of threads").unwrap();
        for (what, count) in done.tally.figures() {
            let rate = count as f64 / seconds;
            writeln!(out, "{what:<34} {count:>12} {rate:>12.1} per second of a thread").unwrap();
        }
    }
    writeln!(out, "{} found", report.found).unwrap();
}

/// The most memory that this process has taken, in MiB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) >> 10
}

#[test]
#[ignore = "takes as long as FLITSCOPE_SECONDS says"]
fn soak() {
    let (targets, folder) = (targets(), tempfile::tempdir().unwrap());
    let only = std::env::var("FLITSCOPE_ONLY").ok();
    let asked = |kind: &&Kind| only.as_deref().is_none_or(|only| only == kind.name());
    let kinds: Vec<Kind> = Kind::ALL.iter().filter(asked).copied().collect();
    let found = std::env::var("FLITSCOPE_FOUND").unwrap_or_else(|_| "target/found".to_owned());
    let jobs = given("FLITSCOPE_JOBS", 2);
    let plan = Plan {
        seed: given("FLITSCOPE_SEED", 1),
        kinds: &kinds,
        rounds: u64::MAX,
        time: Duration::from_secs(given("FLITSCOPE_SECONDS", 60)),
        threads: jobs as usize,
        patience: Duration::from_secs(given("FLITSCOPE_PATIENCE", 300)),
        targets: &targets,
        folder: folder.path(),
        stop: &AtomicBool::new(false),
    };
    let keep = |one: &Found| {
        fs::create_dir_all(&found).unwrap();
        let path = Path::new(&found).join(&one.name);
        fs::write(&path, &one.text).unwrap();
        writeln!(std::io::stdout(), "{}: {}", path.display(), one.why).unwrap();
    };
    let hung = |one: &Found, report: &Report| {
        keep(one);
        print(report);
        // A thread that hangs cannot be ended.
        std::process::exit(1);
    };
    let report = rounds::run(&plan, keep, hung);
    print(&report);
    assert_eq!(report.found, 0, "see {found}");
    assert!(peak() <= PEAK_MAX * jobs, "{} MiB of memory", peak());
}
