//! Folders of studies under all that may befall them: several processes, kills, faults, a cluster.
#![expect(clippy::print_stdout, reason = "what was measured, and why a test was skipped")]

mod cluster;
mod faults;
mod kills;
mod sharing;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const ROUTINGS: &str = "routing=[DimensionOrder(), MinimalAdaptive(escape: Destination)]";

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flitscope"));
    command.arg("sweep").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn status(done: &Output, status: i32) -> String {
    let (out, err) = (text(&done.stdout), text(&done.stderr));
    assert_eq!(done.status.code(), Some(status), "{out}{err}");
    out + &err
}

/// What the program prints when all is well.
fn said(arguments: &[&str]) -> String {
    let done = program(arguments).output().unwrap();
    status(&done, 0);
    text(&done.stdout)
}

/// Begins a study in a folder, and runs nothing: two curves of `loads` points each.
fn begin(folder: &Path, loads: usize, cycles: u64) -> String {
    let _ = fs::remove_dir_all(folder);
    begin_there(folder, loads, cycles)
}

/// The same, where the folder may be there.
fn begin_there(folder: &Path, loads: usize, cycles: u64) -> String {
    let out = folder.to_str().unwrap().to_owned();
    let (loads, cycles) = (format!("0.1:0.6:{loads}"), cycles.to_string());
    let what = ["papers/adaptive-torus-4x4", "--vary", ROUTINGS, "--loads", &loads];
    said(&[&what[..], &["--cycles", &cycles, "--out", &out, "--no-run"]].concat());
    out
}

/// A folder of its own, which is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// The merged tables of a folder, byte for byte, the columns of wall times and machines left out.
fn tables(folder: &Path) -> (String, String) {
    let out = folder.to_str().unwrap();
    let table = said(&["merge", out]);
    let csv = fs::read(folder.join("table.csv")).unwrap();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&*csv);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let own = |at: &usize| !["wall_seconds", "machine"].contains(&&rows[0][*at]);
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in &rows {
        let kept = (0..row.len()).filter(own).map(|at| &row[at]);
        writer.write_record(kept).unwrap();
    }
    (table, text(&writer.into_inner().unwrap()))
}

/// The tables of such a study that nothing disturbed.
fn undisturbed(name: &str, loads: usize, cycles: u64) -> (String, String) {
    let whole = folder(name);
    let out = begin(&whole, loads, cycles);
    said(&["run", &out, "--quiet"]);
    let tables = tables(&whole);
    assert_eq!(tables.1.lines().count(), 2 * loads + 1);
    assert!(!tables.0.contains("PARTIAL"), "{}", tables.0);
    tables
}

/// A number from the environment.
fn asked(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |number| number.parse().unwrap())
}

/// Waits until something holds.
fn wait_until(what: &str, seconds: u64, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}: not within {seconds} s");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// How many results a folder has.
fn finished(folder: &Path) -> usize {
    let files = fs::read_dir(folder.join("points")).into_iter().flatten();
    files.filter(|it| it.as_ref().unwrap().path().extension().unwrap() == "json").count()
}
