//! `flitscope reproduce --quick`: verdicts, seeds, files, going on from kept results, exit status.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use flitscope::random::mix;

/// Runs the program.
fn reproduce(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flitscope"));
    command.arg("reproduce").args(arguments).output().unwrap()
}

fn sweep(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flitscope"));
    command.arg("sweep").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A directory of its own, empty.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    directory
}

/// Every file below a directory, by its path in it.
fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

/// The names of the studies, as the program lists them.
fn studies() -> Vec<String> {
    let listed = reproduce(&["--list"]);
    assert_eq!(listed.status.code(), Some(0));
    let listed = text(&listed.stdout);
    let names = listed.lines().filter(|line| !line.starts_with(' '));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

/// Those whose runs are long: `.ci/long` runs them, with `FLITSCOPE_ALL` set.
const LONG: [&str; 3] = ["circuits", "finite-buffers", "hops"];

/// Every figure of a study is a picture, beside a table of its points.
fn has_figures(folder: &Path, study: &str) {
    let pictures = files(folder).into_keys();
    let is_svg = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "svg");
    let pictures: Vec<PathBuf> = pictures.filter(is_svg).collect();
    assert!(!pictures.is_empty(), "{study} has a figure");
    for picture in pictures {
        let svg = fs::read_to_string(&picture).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("</svg>"), "{}", picture.display());
        let name = picture.file_stem().unwrap().to_str().unwrap();
        let dots = fs::read_to_string(picture.with_extension("csv")).unwrap();
        assert!(dots.contains(&format!("{study},{name},")), "{name} has points");
    }
}

#[test]
fn papers_come_out_as_expected_and_go_on_from_what_is_kept() {
    let out = directory("reproduce-all");
    let out_text = out.to_str().unwrap();
    let mut studies = studies();
    assert_eq!(studies.len(), 5);
    let all = std::env::var_os("FLITSCOPE_ALL").is_some();
    studies.retain(|study| all || !LONG.contains(&study.as_str()));
    // Without names it is all of them.
    let names = studies.iter().filter(|_| !all).map(String::as_str);
    let quick: Vec<&str> =
        ["--quick", "--out", out_text, "--format", "json"].into_iter().chain(names).collect();
    let first = reproduce(&quick);
    let said = text(&first.stdout);
    assert_eq!(first.status.code(), Some(0), "{said}{}", text(&first.stderr));

    let rows: Vec<serde_json::Value> =
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for study in &studies {
        let of_study: Vec<_> = rows.iter().filter(|row| row["study"] == study.as_str()).collect();
        let claims: Vec<_> = of_study.iter().filter(|row| row["part"] == "claims").collect();
        assert!(!claims.is_empty(), "{study} has claims");
        for row in &of_study {
            let undecided = row["verdict"] == "undecided";
            assert!(undecided || row["verdict"] == row["expected"], "{row}");
            assert!(row.get("partial").is_none(), "{row}");
        }
        for claim in claims {
            assert!(claim["evidence"].as_str().unwrap().chars().any(|c| c.is_ascii_digit()));
        }
        // The files say the same.
        let folder = out.join(study);
        let kept = fs::read_to_string(folder.join("report.json")).unwrap();
        assert_eq!(kept.lines().count(), of_study.len());
        assert!(said.contains(&kept));
        let csv = fs::read_to_string(folder.join("report.csv")).unwrap();
        assert!(csv.starts_with("study,seed,part,name,unit,paper,simulation,"));
        assert!(fs::read_to_string(folder.join("report.txt")).unwrap().starts_with(study));
        has_figures(&folder, study);
    }

    let judged = rows.iter().filter(|row| !row["verdict"].is_null()).count();
    let undecided = rows.iter().filter(|row| row["verdict"] == "undecided").count();
    assert!(
        judged > if all { 200 } else { 60 } && undecided < judged / 5,
        "{undecided} of {judged} are undecided"
    );
    let said_so = format!("{undecided} of {judged} verdicts are undecided");
    assert!(undecided == 0 || text(&first.stderr).contains(&said_so), "{}", text(&first.stderr));
    // What no simulation can change is marked.
    let arithmetic = rows.iter().filter(|row| row["basis"] == "arithmetic");
    let marked: Vec<&str> = arithmetic.map(|row| row["name"].as_str().unwrap()).collect();
    let long = ["6000 messages", "(13) added to every request"];
    let long = long.into_iter().filter(|_| all);
    for part in long.chain(["two constants fitted to these columns"]) {
        assert!(marked.iter().any(|name| name.contains(part)), "{part} in {marked:?}");
    }
    // The paper on circuits prints no figures: what stands beside is called an independent simulation.
    let circuits = || rows.iter().filter(|row| row["study"] == "circuits");
    assert!(circuits().all(|row| row["paper"].is_null()));
    assert!(!all || circuits().any(|row| row["independent"].is_f64()));

    // Nothing is run again, and all is as it was.
    let before = files(&out);
    let second = reproduce(&quick);
    assert_eq!(second.status.code(), Some(0));
    assert_eq!(text(&second.stdout), said);
    assert_eq!(files(&out), before);

    // What `reproduce` runs is a study like any other: its folder is one of `sweep`, and so is its file, of
    // which nothing is run again beside the same points.
    let (study, own) = (out.join("mesh-torus"), directory("sweep-mesh-torus"));
    let (own_text, report) = (own.to_str().unwrap(), "report.csv");
    let merged = sweep(&["merge", study.to_str().unwrap(), "--quiet"]);
    let alone = reproduce(&["--quick", "--out", out_text, "--quiet", "mesh-torus"]);
    assert!(text(&merged.stdout).ends_with(&text(&alone.stdout)));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/studies/mesh-torus.ron");
    let begun = sweep(&[file, "--quick", "--no-run", "--out", own_text]);
    assert_eq!(begun.status.code(), Some(0), "{}", text(&begun.stderr));
    for (path, kept) in files(&study.join("points")) {
        fs::write(own.join("points").join(path.file_name().unwrap()), kept).unwrap();
    }
    let run = sweep(&["run", own_text, "--quiet"]);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    assert_eq!(fs::read(own.join(report)).unwrap(), fs::read(study.join(report)).unwrap());
    assert_eq!(
        files(&own.join("points")),
        files(&study.join("points"))
            .into_iter()
            .map(|(path, kept)| { (own.join("points").join(path.file_name().unwrap()), kept) })
            .collect()
    );

    // What is kept decides: latencies that are not the simulator's change a verdict.
    let points = out.join(&studies[0]).join("points");
    for (path, kept) in files(&points) {
        let kept = String::from_utf8(kept).unwrap();
        fs::write(path, sealed(&kept.replace("\"latency_mean\":", "\"latency_mean\":9"))).unwrap();
    }
    let spoilt = reproduce(&["--quick", "--out", out_text, "--quiet", studies[0].as_str()]);
    assert_eq!(spoilt.status.code(), Some(1));
    let said = text(&spoilt.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("(expected: it holds)"), "{said}");
    assert!(text(&spoilt.stderr).contains("a verdict differs"));

    // What is kept and is no result is named, and its point is run again.
    let (first, _) = files(&points).pop_first().unwrap();
    fs::write(&first, "{\"point\": 5}\n").unwrap();
    let broken = reproduce(&["--quick", "--out", out_text, studies[0].as_str()]);
    let place = format!("{}: this result is damaged", first.display());
    assert!(text(&broken.stderr).contains(&place), "{}", text(&broken.stderr));
    assert!(fs::read_to_string(&first).unwrap().contains("\"rows\":"));
}

/// A changed result with the checksum of its content.
fn sealed(text: &str) -> String {
    let (content, _) = text.rsplit_once(",\"checksum\":").unwrap();
    let sum = content.bytes().map(u64::from).fold(0, mix);
    format!("{content},\"checksum\":\"{sum:016x}\"}}\n")
}

#[test]
fn several_seeds_are_independent_batches_with_a_summary() {
    let out = directory("reproduce-seeds");
    let out_text = out.to_str().unwrap();
    let arguments = ["adaptive-torus", "--quick", "--seed", "7", "--seeds", "2", "--out", out_text];
    let both = reproduce(&arguments);
    let said = text(&both.stdout);
    assert_eq!(both.status.code(), Some(0), "{said}");
    for line in ["seed  verdicts  as expected  undecided  surprises", "\n7 ", "\n8 ", "\nall "] {
        assert!(said.contains(line), "{line:?} in\n{said}");
    }
    let report = |seed: &str| fs::read_to_string(out.join(seed).join("adaptive-torus/report.csv"));
    let (first, second) = (report("seed-7").unwrap(), report("seed-8").unwrap());
    assert_ne!(first, second);
    // A batch is the same alone, from what is kept.
    let alone = directory("reproduce-seed-8");
    fs::rename(out.join("seed-8"), &alone).unwrap();
    let report = alone.join("adaptive-torus/report.csv");
    fs::remove_file(&report).unwrap();
    let alone = ["adaptive-torus", "--quick", "--seed", "8", "--out", alone.to_str().unwrap()];
    assert_eq!(reproduce(&alone).status.code(), Some(0));
    assert_eq!(fs::read_to_string(report).unwrap(), second);
}

#[test]
fn a_paper_that_is_not_there_is_named_with_the_nearest_one() {
    let said = reproduce(&["adaptive-tours"]);
    assert_eq!(said.status.code(), Some(2));
    let error = text(&said.stderr);
    assert!(error.contains("`adaptive-tours`"), "{error}");
    assert!(error.contains("did you mean `adaptive-torus`?"), "{error}");
}

#[cfg(unix)]
#[test]
fn interrupted_it_says_so_and_keeps_what_is_done() {
    let out = directory("reproduce-interrupted");
    let child = Command::new(env!("CARGO_BIN_EXE_flitscope"))
        .args(["reproduce", "adaptive-torus", "--quick", "--threads", "1", "--out"])
        .arg(&out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Once a second point is kept, the first is known to be a result.
    let results = out.join("adaptive-torus/points");
    let kept = || {
        let names = fs::read_dir(&results).into_iter().flatten().map(|entry| entry.unwrap().path());
        names.filter(|path| path.extension().is_some_and(|kind| kind == "json")).count()
    };
    let deadline = Instant::now() + Duration::from_secs(120);
    while kept() < 2 {
        assert!(Instant::now() < deadline, "no point was kept");
        sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let said = child.wait_with_output().unwrap();
    assert_eq!(said.status.code(), Some(130), "{}", text(&said.stderr));
    let report = text(&said.stdout);
    assert!(report.contains("PARTIAL"), "{report}");
    assert!(report.contains("undecided"), "{report}");
    assert!(text(&said.stderr).contains("goes on from here"));
    assert!(kept() >= 1);
}
