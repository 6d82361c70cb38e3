//! `flitscope sweep`: from nothing to tables and plots, killed and resumed, shared out, wrong input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const ROUTINGS: &str = "routing=[DimensionOrder(), MinimalAdaptive(escape: Destination)]";

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flitscope"));
    command.arg("sweep").args(arguments);
    command
}

pub(super) fn sweep(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What the program prints when all is well.
pub(super) fn said(arguments: &[&str]) -> String {
    let done = sweep(arguments);
    assert_eq!(done.status.code(), Some(0), "{arguments:?}: {}", text(&done.stderr));
    text(&done.stdout)
}

/// A folder of its own, which is not there yet.
pub(super) fn folder(name: &str) -> (PathBuf, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let name = folder.to_str().unwrap().to_owned();
    (folder, name)
}

/// A study of six points, in this folder.
fn study<'a>(out: &'a str, cycles: &'a str) -> Vec<&'a str> {
    let what = ["papers/adaptive-torus-4x4", "--vary", ROUTINGS, "--loads", "0.1:0.9:3"];
    [&what[..], &["--cycles", cycles, "--out", out]].concat()
}

/// A table in CSV without the column of wall times.
pub(super) fn timeless(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
    let mut rows: Vec<Vec<String>> = rows.collect();
    let wall = rows[0].iter().position(|column| column == "wall_seconds").unwrap();
    for row in &mut rows {
        row.remove(wall);
    }
    rows
}

#[test]
fn one_command_leads_to_tables_and_plots_and_the_next_goes_on() {
    let (path, out) = folder("sweep-whole");
    let table = said(&study(&out, "20000"));
    assert!(table.starts_with("papers/adaptive-torus-4x4: 6 points"), "{table}");
    assert!(table.contains("\nrouting=DimensionOrder()\npoint "), "{table}");
    assert!(table.contains("saturates between 0.5000 and 0.9000"), "{table}");
    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    assert_eq!(read("table.txt"), table);
    for line in read("table.json").lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(row["machine"].is_string() && row["wall_seconds"].is_f64(), "{row}");
        assert_eq!(row["version"], env!("CARGO_PKG_VERSION"));
    }
    assert_eq!(read("table.json").lines().count(), 6);
    let rows = timeless(&read("table.csv"));
    assert_eq!(rows.len(), 7);
    assert_eq!(rows[0][..4], ["point", "curve", "machine", "scenario"]);
    for name in ["latency.svg", "accepted.svg"] {
        let picture = roxmltree_ok(&read(name));
        assert!(picture.contains("offered load"), "{name}");
    }
    // A scenario runs as `simulate` runs it.
    let mut alone = Command::new(env!("CARGO_BIN_EXE_flitscope"));
    let load = ["--load", "0.1", "--cycles", "20000", "--format", "csv"];
    alone.args(["simulate", "papers/adaptive-torus-4x4", "--set", "routing=DimensionOrder()"]);
    let alone = timeless(&text(&alone.args(load).output().unwrap().stdout));
    let column = |rows: &[Vec<String>], name: &str| {
        rows[1][rows[0].iter().position(|column| column == name).unwrap()].clone()
    };
    for name in ["fingerprint", "latency_mean", "cycles"] {
        assert_eq!(column(&rows, name), column(&alone, name), "{name}");
    }

    // The same again, and as a file: nothing is run, nothing changes.
    let before = read("table.csv");
    assert_eq!(said(&study(&out, "20000")), table);
    let file = path.join("mine.ron");
    let written = said(&[&study(&out, "20000")[..], &["--write-study"]].concat());
    fs::write(&file, written).unwrap();
    assert_eq!(said(&[file.to_str().unwrap(), "--out", &out]), table);
    assert_eq!(read("table.csv"), before);
    // What the folder holds is not written over by another study.
    let other = sweep(&study(&out, "5000"));
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("`--force`"), "{}", text(&other.stderr));
    assert!(text(&other.stderr).contains("`--out FOLDER`"), "{}", text(&other.stderr));
    let beside = sweep(&[file.to_str().unwrap(), "--out", &out, "--cycles", "5000"]);
    assert_eq!(beside.status.code(), Some(2));
    assert!(text(&beside.stderr).contains("`--cycles 5000`"), "{}", text(&beside.stderr));
}

/// A picture, if it is well formed.
fn roxmltree_ok(picture: &str) -> String {
    roxmltree::Document::parse(picture).unwrap();
    picture.to_owned()
}

#[test]
fn a_study_is_written_in_json_as_in_ron() {
    let study = ["mesh-8x8", "--loads", "0.1:0.2:2", "--vary", "routing=[OddEven, DimensionOrder]"];
    let write = |options: &[&str]| said(&[&study[..], &["--write-study"], options].concat());
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, write(&["--format", "json"]).as_bytes()).unwrap();
    assert_eq!(said(&[file.path().to_str().unwrap(), "--write-study"]), write(&[]));
}

#[test]
fn parts_are_run_by_number_and_make_the_same_table() {
    let (whole, whole_out) = folder("sweep-undivided");
    said(&study(&whole_out, "20000"));
    let expected = fs::read_to_string(whole.join("table.csv")).unwrap();
    let (path, out) = folder("sweep-parts");
    fs::create_dir_all(&path).unwrap();
    // Only what is to be run: the study without results.
    fs::copy(whole.join("study.ron"), path.join("study.ron")).unwrap();
    assert_eq!(said(&["missing", &out]), "0-5\n");
    assert_eq!(said(&["run", &out, "--point", "0,3-4"]), "");
    assert_eq!(said(&["missing", &out]), "1-2,5\n");
    assert_eq!(said(&["missing", &out, "--format", "json"]), "{\"points\":[1,2,5]}\n");
    let status = said(&["status", &out]);
    assert!(status.contains("done      3\nmissing   3: 1-2,5\n"), "{status}");
    said(&["run", &out, "--shard", "1/2"]);
    assert_eq!(said(&["missing", &out]), "1,5\n");
    said(&["run", &out, "--shard", "2/2", "--jobs", "1"]);
    assert_eq!(said(&["missing", &out]), "");
    assert!(!path.join("table.csv").exists());
    let merged = said(&["merge", &out, "--format", "csv"]);
    assert_eq!(timeless(&merged), timeless(&expected));
    assert_eq!(fs::read_to_string(path.join("table.csv")).unwrap(), merged);
    said(&["plot", &out]);
    let picture = |path: &Path| fs::read(path.join("latency.svg")).unwrap();
    assert_eq!(picture(&path), picture(&whole));
    let beyond = sweep(&["run", &out, "--point", "4-6"]);
    assert_eq!(beyond.status.code(), Some(2));
    assert!(text(&beyond.stderr).contains("the points of this study are 0 to 5"));
}

#[test]
fn killed_or_interrupted_nothing_is_lost_and_it_goes_on() {
    let (whole, whole_out) = folder("sweep-undisturbed");
    said(&study(&whole_out, "300000"));
    for (signal, status) in [("-KILL", None), ("-INT", Some(130))] {
        let (path, out) = folder(&format!("sweep{signal}"));
        let arguments = [&study(&out, "300000")[..], &["--jobs", "1"]].concat();
        let mut command = program(&arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let finished = || fs::read_dir(path.join("points")).map_or(0, Iterator::count);
        while finished() == 0 {
            assert!(Instant::now() < deadline, "no point was kept");
            sleep(Duration::from_millis(1));
        }
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let done = child.wait_with_output().unwrap();
        assert_eq!(done.status.code(), status, "{}", text(&done.stderr));
        if status.is_some() {
            assert!(text(&done.stdout).contains("PARTIAL"), "{}", text(&done.stdout));
            assert!(text(&done.stderr).contains("goes on from here"), "{}", text(&done.stderr));
        }
        assert_ne!(said(&["missing", &out]), "");
        let table = said(&["run", &out, "--quiet"]);
        assert_eq!(table, fs::read_to_string(whole.join("table.txt")).unwrap());
        let csv = |path: &Path| timeless(&fs::read_to_string(path.join("table.csv")).unwrap());
        assert_eq!(csv(&path), csv(&whole));
    }
}

#[test]
fn wrong_studies_and_files_are_named_with_their_places() {
    let (path, out) = folder("sweep-wrong");
    fs::create_dir_all(&path).unwrap();
    let file = path.join("mine.ron");
    let name = file.to_str().unwrap();
    fs::write(
        &file,
        "Study(\n    scenario: \"mesh-8x8\",\n    vary: {\"routing\": [WestFrst()]},\n)",
    )
    .unwrap();
    let cases: [(&[&str], &[&str]); 4] = [
        (&[name], &["mine.ron:3:24", "did you mean `WestFirst`?"]),
        (&["mesh-8x8", "--vary", "routng=[WestFirst()]"], &["--vary:1:3", "`routing`"]),
        (&["mesh-8x8", "--loads", "0.1,1.5"], &["--loads:1:6", "write 1.0 or less"]),
        (&["-", "--loads", "0.1"], &["standard input"]),
    ];
    for (arguments, parts) in cases {
        let mut command = program(&[arguments, &["--out", &out]].concat());
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let scenario = include_str!("../../scenarios/mesh-8x8.ron");
        // One that reads nothing may be gone.
        let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), scenario.as_bytes());
        let said = child.wait_with_output().unwrap();
        assert_eq!(said.status.code(), Some(2), "{arguments:?}");
        let error = text(&said.stderr);
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
    // A torn file in the place of a result is told, listed, and run again.
    let torn = path.join("torn");
    let torn_out = torn.to_str().unwrap();
    said(&study(torn_out, "3000"));
    let result = fs::read_dir(torn.join("points")).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&result).unwrap();
    fs::write(&result, &whole[..100]).unwrap();
    let missing = said(&["missing", torn_out]);
    assert!(missing.trim().parse::<usize>().is_ok(), "{missing}");
    assert!(said(&["merge", torn_out]).contains("damaged"));
    let status = sweep(&["status", torn_out, "--format", "json"]);
    assert_eq!(status.status.code(), Some(1), "{}", text(&status.stderr));
    let state: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(state["damaged"][0]["point"].to_string(), missing.trim());
    assert_eq!((&state["done"], &state["points"]), (&5.into(), &6.into()));
    let done = sweep(&["run", torn_out]);
    assert_eq!(done.status.code(), Some(0));
    let error = text(&done.stderr);
    assert!(error.contains("this result is damaged") && error.contains("run again"), "{error}");
    assert_eq!(fs::read(&result).unwrap().len() / 200, whole.len() / 200);
    assert!(said(&["status", torn_out]).contains("missing   0\n"));
    // A whole result of another point is left.
    let mut others = fs::read_dir(torn.join("points")).unwrap().map(|it| it.unwrap().path());
    let other = others.find(|it| *it != result).unwrap();
    fs::copy(&other, &result).unwrap();
    for command in ["run", "status", "missing", "merge"] {
        let done = sweep(&[command, torn_out]);
        assert_eq!(done.status.code(), Some(2), "{command}");
        let error = text(&done.stderr);
        assert!(error.contains("another point") && error.contains("move it away"), "{error}");
    }
}

#[test]
fn results_of_other_folders_are_merged() {
    let (one, one_out) = folder("sweep-merge-one");
    let (_, two_out) = folder("sweep-merge-two");
    let (whole, whole_out) = folder("sweep-merge-whole");
    for (out, points) in [(&one_out, "0-2"), (&two_out, "2-5")] {
        said(&[&study(out, "3000")[..], &["--no-run"]].concat());
        said(&["run", out, "--point", points, "--quiet"]);
    }
    let csv = said(&["merge", &whole_out, &one_out, &two_out, "--format", "csv", "--quiet"]);
    assert_eq!(csv.lines().count(), 7);
    assert_eq!(fs::read_to_string(whole.join("table.csv")).unwrap(), csv);
    assert_eq!(said(&["missing", &whole_out]), "");
    let again = sweep(&["merge", &one_out, &two_out]);
    let error = text(&again.stderr);
    assert!(error.contains("3 results copied"), "{error}");
    assert_eq!(said(&["missing", &one_out]), "");
    assert!(one.join("table.txt").exists());
    // Another study has nothing to give.
    let (_, other_out) = folder("sweep-merge-other");
    said(&study(&other_out, "2000"));
    let refused = sweep(&["merge", &one_out, &other_out]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("none of its results"), "{}", text(&refused.stderr));
}

/// Makes all results of a folder those of another version, whose files have other names.
fn make_old(folder: &Path) {
    let points = fs::read_dir(folder.join("points")).unwrap();
    let paths: Vec<PathBuf> = points.map(|entry| entry.unwrap().path()).collect();
    for (at, path) in paths.into_iter().enumerate() {
        let result = fs::read_to_string(&path).unwrap();
        let (content, _) = result.rsplit_once(",\"checksum\":").unwrap();
        let own = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
        let content = content.replace(&own, "\"version\":\"0.0.9\"");
        let bytes = content.bytes().map(u64::from);
        let hash = bytes.fold(0, flitscope::random::mix);
        let sealed = format!("{content},\"checksum\":\"{hash:016x}\"}}\n");
        fs::remove_file(path).unwrap();
        fs::write(folder.join(format!("points/{at:016x}.json")), sealed).unwrap();
    }
}

#[test]
fn results_of_another_version_are_refused() {
    let (old, old_out) = folder("sweep-merge-old");
    let (_, out) = folder("sweep-merge-new");
    said(&study(&old_out, "3000"));
    make_old(&old);
    said(&[&study(&out, "3000")[..], &["--no-run"]].concat());
    let refused = sweep(&["merge", &out, &old_out]);
    assert_eq!(refused.status.code(), Some(2));
    let error = text(&refused.stderr);
    assert!(error.contains("none of its results") && error.contains("version 0.0.9"), "{error}");
    assert_eq!(said(&["missing", &out]), "0-5\n");
    // With some of this version, those are taken.
    said(&["run", &old_out, "--point", "3", "--quiet"]);
    let merged = sweep(&["merge", &out, &old_out]);
    assert_eq!(merged.status.code(), Some(0));
    let remark = text(&merged.stderr);
    assert!(remark.contains("1 result copied; 6 of other points or versions left"), "{remark}");
    assert_eq!(said(&["missing", &out]), "0-2,4-5\n");
}

/// Rows of JSON without what differs from run to run.
fn rows(lines: &str) -> Vec<serde_json::Value> {
    let row = |line: &str| {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
        row.as_object_mut().unwrap().remove("wall_seconds");
        row
    };
    lines.lines().map(row).collect()
}

#[test]
fn parts_counted_from_0_and_points_of_a_file_have_the_rows_of_the_folder() {
    let (path, out) = folder("sweep-indexed");
    said(&[&study(&out, "1000")[..], &["--no-run"]].concat());
    let parts: Vec<String> = (0..4)
        .map(|at| said(&["run", &out, "--index", &at.to_string(), "--of", "4", "--format", "json"]))
        .collect();
    let sizes: Vec<usize> = parts.iter().map(|part| part.lines().count()).collect();
    assert_eq!(sizes, [2, 2, 1, 1]);
    assert_eq!(rows(&parts[1])[1]["point"], 5);
    assert_eq!(said(&["run", &out, "--shard", "2/4", "--format", "json"]), parts[1]);
    assert_eq!(said(&["missing", &out]), "");
    let file = path.join("study.ron");
    let file = file.to_str().unwrap();
    let alone = said(&["run", file, "--point", "1,5", "--format", "json"]);
    assert_eq!(rows(&alone), rows(&parts[1]));
    let wrong: [(&[&str], &str); 4] = [
        (&["run", &out, "--index", "4", "--of", "4"], "parts are numbered below 4"),
        (&["run", file, "--point", "1"], "`--format json`"),
        (&["run", file, "--point", "6", "--format", "json"], "0 to 5"),
        (&["run", "scenarios/mesh-8x8.ron"], "is no study"),
    ];
    for (arguments, what) in wrong {
        let done = sweep(arguments);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        assert!(text(&done.stderr).contains(what), "{}", text(&done.stderr));
    }
}

#[test]
fn a_round_is_an_object_for_scripts() {
    let (_, out) = folder("sweep-plan-json");
    said(&[&study(&out, "1000")[..], &["--no-run"]].concat());
    said(&["run", &out, "--point", "0-3", "--quiet"]);
    assert_eq!(said(&["plan", &out, "--format", "json"]), "{\"round\":1,\"points\":[4,5]}\n");
}

#[test]
fn designs_are_ranked_in_one_table() {
    let (path, out) = folder("sweep-designs");
    let vary = "switching.virtual_channels=[3, 4]";
    let table = said(&[
        "papers/adaptive-torus-4x4",
        "--vary",
        vary,
        "--vary",
        ROUTINGS,
        "--loads",
        "0.1,0.3,0.5,0.9,1.0",
        "--cycles",
        "20000",
        "--out",
        &out,
    ]);
    let (_, designs) = table.split_once("\n4 designs, best first\n").unwrap();
    let lines: Vec<&str> = designs.lines().collect();
    assert!(lines[0].contains("saturates at") && lines[0].contains("at 60 %: latency"), "{table}");
    assert!(lines[1].starts_with("1  ") && lines[4].starts_with("4  "), "{table}");
    for words in ["3 VCs · ", "4 VCs · ", "e-cube", "minimal adaptive"] {
        assert!(designs.contains(words), "{words}: {table}");
    }
    let csv = fs::read_to_string(path.join("designs.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headings = reader.headers().unwrap().clone();
    let at = |name: &str| headings.iter().position(|heading| heading == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4);
    let figure = |row: usize, name: &str| rows[row][at(name)].parse::<f64>().ok();
    for row in 1..4 {
        let [before, here] =
            [row - 1, row].map(|row| figure(row, "saturates_from").unwrap_or_default());
        assert!(before >= here || figure(row - 1, "saturates_to").is_none(), "{csv}");
    }
    // A latency between two loads is interpolated, and below the load of saturation.
    for row in (0..4).filter(|&row| figure(row, "latency_mean").is_some()) {
        assert!(figure(row, "latency_load") < figure(row, "saturates_from"), "{csv}");
        assert!(figure(row, "latency_mean") <= figure(row, "latency_p99"), "{csv}");
    }
    assert!(
        fs::read_to_string(path.join("report.html")).unwrap().contains("4 designs, best first")
    );
}

#[test]
fn a_design_that_deadlocks_is_not_said_to_saturate() {
    let (_, out) = folder("sweep-deadlocks");
    let designs = ["ring-deadlock", "--vary", "switching.virtual_channels=[1, 2]"];
    let rest = ["--loads", "0.02,0.3", "--cycles", "20000", "--out", &out];
    let done = sweep(&[&designs[..], &rest].concat());
    assert_eq!(done.status.code(), Some(3), "{}", text(&done.stderr));
    let table = text(&done.stdout);
    let (_, designs) = table.split_once(" designs, best first\n").unwrap();
    let row = designs.lines().find(|line| line.contains("1 VC ")).unwrap();
    assert!(row.contains("deadlocks 0.0200–0.3000"), "{designs}");
}

#[test]
fn designs_of_which_none_saturates_are_ranked_by_latency() {
    let (path, out) = folder("sweep-unsaturated");
    let options = ["--vary", ROUTINGS, "--loads", "0.1,0.2", "--cycles", "20000", "--out", &out];
    let table = said(&[&["papers/adaptive-torus-4x4"][..], &options].concat());
    let (_, designs) = table.split_once("2 designs, best first\n").unwrap();
    let rows: Vec<&str> = designs.lines().collect();
    assert!(rows[0].contains("at load 0.2000: latency, cycles"), "{designs}");
    assert!(rows[1].contains("above 0.2000") && rows[2].contains("above 0.2000"), "{designs}");
    let csv = fs::read_to_string(path.join("designs.csv")).unwrap();
    let means: Vec<f64> =
        csv.lines().skip(1).map(|row| row.split(',').nth(9).unwrap().parse().unwrap()).collect();
    assert!(means[0] <= means[1], "{csv}");
}
