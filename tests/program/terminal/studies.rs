//! Studies on a real terminal: a folder is opened, filled and left, and a sweep runs beside a run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Session;

const ROUTINGS: &str = "routing=[DimensionOrder(), MinimalAdaptive(escape: Destination)]";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Runs the program to its end; what it printed.
fn run(arguments: &[&str], status: i32) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flitscope"));
    let done = command.args(arguments).env("FLITSCOPE_CONFIG", "").output().unwrap();
    let said = [done.stdout, done.stderr].map(|it| String::from_utf8(it).unwrap()).concat();
    assert_eq!(done.status.code(), Some(status), "{said}");
    said
}

/// Begins a study of four points in a folder, and runs nothing.
fn begin(folder: &Path, cycles: &str) -> String {
    let out = folder.to_str().unwrap().to_owned();
    let what = ["sweep", "papers/adaptive-torus-4x4", "--vary", ROUTINGS, "--loads", "0.1,0.4"];
    run(&[&what[..], &["--cycles", cycles, "--out", &out, "--no-run"]].concat(), 0);
    out
}

/// The fingerprint of each point, by the table of a folder.
fn fingerprints(folder: &Path) -> Vec<String> {
    let table = fs::read_to_string(folder.join("table.json")).unwrap();
    let row = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let print = |line| row(line)["fingerprint"].as_str().unwrap().to_owned();
    table.lines().map(print).collect()
}

#[test]
fn what_is_missing_is_run_here_and_a_point_is_opened_as_its_run() {
    let (here, there) = (folder("screen-here"), folder("screen-there"));
    let (out, other) = (begin(&here, "20000"), begin(&there, "20000"));
    run(&["sweep", "run", &other, "--quiet"], 0);
    let mut session = Session::start_in(here.parent().unwrap(), &[&out], 120, 40);
    session.wait(|screen| screen.contains("0 of 4 points, nobody is at work"));
    session.press(" ");
    session.wait(|screen| screen.contains("4 of 4 points, finished"));
    // The page is written last.
    session.wait(|_| here.join("report.html").exists());
    assert_eq!(fingerprints(&here), fingerprints(&there));
    let names = |folder: &Path| {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|it| it.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&here), names(&there), "no lease is left, and nothing else");

    // The second point at its end, saved, and made again without the screen.
    session.press("jE");
    session.wait(|screen| screen.contains("PAUSED") && screen.contains("cycle 20,000"));
    session.press("W");
    session.wait(|screen| screen.contains("write the session into which file?"));
    session.press("\x15");
    for _ in 0..60 {
        session.press("\x7f");
    }
    let saved = here.join("point.session.ron");
    let _ = fs::remove_file(&saved);
    session.press(&format!("{}\r", saved.display()));
    session.wait(|_| saved.exists());
    let replayed = run(&["replay", saved.to_str().unwrap()], 0);
    let fingerprint = &fingerprints(&there)[1];
    let text = fs::read_to_string(&saved).unwrap();
    assert!(text.contains(fingerprint), "{fingerprint}: {text}\n{replayed}");
    assert!(replayed.contains(", reading: "), "{replayed}");
    session.press("\x1b");
    session.wait(|screen| screen.contains("STUDY") && screen.contains("4 of 4 points"));
    // At its first cycle.
    session.press("\r");
    session.wait(|screen| screen.contains("PAUSED") && screen.contains("cycle 0"));
    session.press("q");
    session.end(0);
}

#[test]
fn leaving_while_points_run_leaves_no_lease() {
    let path = folder("screen-left");
    let out = begin(&path, "100000000000");
    let mut session = Session::start_in(path.parent().unwrap(), &[&out], 80, 24);
    session.wait(|screen| screen.contains("0 of 4 points"));
    session.press(" ");
    session.wait(|screen| screen.contains("running"));
    assert!(run(&["sweep", "status", &out], 0).contains("at work"));
    assert!(path.join("claims").exists());
    // Stopped, and begun again.
    session.press(" ");
    session.wait(|screen| screen.contains("nobody is at work"));
    assert!(!path.join("claims").exists());
    session.press(" ");
    session.wait(|screen| screen.contains(" running"));
    session.press("q");
    session.end(0);
    assert!(!path.join("claims").exists());
    assert_eq!(fs::read_dir(path.join("points")).unwrap().count(), 0);
}

#[test]
fn a_folder_fills_while_another_process_works_in_it() {
    let path = folder("screen-watched");
    let out = begin(&path, "20000");
    let mut session = Session::start_in(path.parent().unwrap(), &[&out], 120, 40);
    session.wait(|screen| screen.contains("0 of 4 points"));
    run(&["sweep", "run", &out, "--point", "1", "--quiet"], 0);
    session.wait(|screen| screen.contains("1 of 4 points"));
    // A torn file is named, and is not the end.
    let name = fs::read_dir(path.join("points")).unwrap().next().unwrap().unwrap().file_name();
    run(&["sweep", "run", &out, "--quiet"], 0);
    session.wait(|screen| screen.contains("4 of 4 points, finished"));
    session.press("q");
    session.end(0);
    fs::write(path.join("points").join(name), "{\"point\": ").unwrap();
    let mut session = Session::start_in(path.parent().unwrap(), &[&out], 120, 40);
    session.wait(|screen| screen.contains("3 of 4 points") && screen.contains("no result"));
    session.press("j");
    session.wait(|screen| screen.contains("this result is damaged"));
    session.press("q");
    session.end(0);
}

#[test]
fn a_study_is_named_by_its_file_too_and_what_is_none_is_said_to_be() {
    let path = folder("screen-file");
    fs::create_dir_all(&path).unwrap();
    let out = path.join("results");
    let out = out.to_str().unwrap();
    let empty = run(&[path.to_str().unwrap()], 2);
    assert!(empty.contains("there is no study in this folder: no study.ron"), "{empty}");
    let file = path.join("mine.ron");
    let text = "Study(scenario: \"papers/adaptive-torus-4x4\", loads: [0.1, 0.2], cycles: 3000)";
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    // Without a terminal it is a table; the folder is made.
    let table = run(&[file, "--out", out], 0);
    assert!(table.contains("papers/adaptive-torus-4x4: 2 points"), "{table}");
    assert!(Path::new(out).join("study.ron").is_file());
    let table = run(&[&format!("{out}/study.ron")], 0);
    assert!(table.contains("papers/adaptive-torus-4x4: 2 points"), "{table}");
    let wrong: [(&[&str], &str); 4] = [
        (&[out, "--load", "0.1"], "`--load 0.1` is given beside a study"),
        (&[out, "--against", "mesh-8x8"], "this is a study"),
        (&[out, "--plain"], "this is a study"),
        (&[&file.replace("mine", "none"), "--out", out], "there is no such file"),
    ];
    for (arguments, why) in wrong {
        let said = run(arguments, 2);
        assert!(said.contains(why), "{arguments:?}: {said}");
    }
    // Another study in the folder is not written over; a torn one says where.
    fs::write(file, text.replace("3000", "4000")).unwrap();
    let said = run(&[file, "--out", out], 2);
    assert!(said.contains("says otherwise"), "{said}");
    fs::write(Path::new(out).join("study.ron"), "Study(scenario: \"mesh-8x8\", loads: [0.1")
        .unwrap();
    let said = run(&[out], 2);
    assert!(said.contains("study.ron:1:"), "{said}");
    fs::write(Path::new(out).join("study.ron"), "Study(scenario: \"mesh-8x8\", new: 1)").unwrap();
    let said = run(&[out], 2);
    assert!(said.contains("new"), "{said}");
}

#[test]
fn the_loads_of_a_run_are_swept_beside_it() {
    let place = tempfile::tempdir().unwrap();
    let variables = [("TMPDIR", place.path().to_str().unwrap())];
    let arguments = ["papers/adaptive-torus-4x4"];
    let mut session = Session::start_with(place.path(), &arguments, &variables, 120, 40);
    session.wait(|screen| screen.contains("RUN"));
    session.press("L");
    session.wait(|screen| screen.contains("latency by load: sweep"));
    session.press("L");
    session.wait(|screen| screen.contains("sweep stopped"));
    session.press("L");
    // The next scenario ends it.
    session.wait(|screen| screen.contains("latency by load: sweeping"));
    session.press("L");
    session.press(":open mesh-8x8\r");
    session.wait(|screen| screen.contains("8x8 mesh"));
    session.press("L");
    session.wait(|screen| screen.contains("latency by load: sweeping"));
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "the folder of the sweep");
    session.press("q");
    session.end(0);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "nothing is left");
}

#[test]
fn a_film_of_a_finished_folder_is_the_same_film_each_time() {
    let path = folder("screen-film");
    let out = begin(&path, "20000");
    run(&["sweep", "run", &out, "--quiet"], 0);
    let script = path.join("film.keys");
    let keys = "wait 1s\nkey j x2 every 0.2s\nkey space\nwait 300ms\nshot still.txt\nkey E\nwait 500ms\n\
                key u\nwait 500ms\n";
    fs::write(&script, keys).unwrap();
    let film = |name: &str| {
        let cast = path.join(name).join("film.cast");
        fs::create_dir_all(cast.parent().unwrap()).unwrap();
        let (script, name) = (script.to_str().unwrap(), cast.to_str().unwrap());
        run(&["record", &out, "--keys", script, "--output", name], 0);
        let still = fs::read_to_string(cast.with_file_name("still.txt")).unwrap();
        (fs::read_to_string(cast).unwrap(), still)
    };
    let (first, second) = (film("one"), film("two"));
    assert!(first == second, "the same bytes");
    assert!(first.0.contains("STUDY") && first.0.contains("PAUSED"));
    assert!(first.1.contains("4 of 4 points, finished"));
    assert_eq!(fs::read_dir(path.join("points")).unwrap().count(), 4);
}
