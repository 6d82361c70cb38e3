//! Recordings without a terminal: files, stills, standard output, and what is refused.

use std::fs;
use std::path::PathBuf;

use flitscope::scenario::builtin;

use super::program::{program, run, run_with};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("flitscope-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

const KEYS: &str = "size 70x20\nwait 0.5s\nkey ]\nmarker \"there\"\nwait 0.5s\nshot a/still.txt\n";

#[test]
fn a_script_becomes_a_recording_and_stills_and_nothing_is_replaced_unasked() {
    let folder = folder("record");
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(path("a.keys"), KEYS).unwrap();
    let record = |more: &[&str]| {
        let (keys, output) = (path("a.keys"), path("a.cast"));
        run(&[&["record", "ring-deadlock", "--keys", &keys, "-o", &output][..], more].concat())
    };
    let said = record(&[]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.err.contains("a.cast: 1.1 s in") && said.out.is_empty(), "{}", said.err);
    assert!(said.err.ends_with(" frames; stills: a/still.txt\n"), "{}", said.err);
    let cast = fs::read_to_string(path("a.cast")).unwrap();
    assert!(cast.starts_with("{\"version\":3,\"term\":{\"cols\":70,\"rows\":20,"), "{cast}");
    assert!(cast.contains("\"m\", \"there\"]") && cast.ends_with("\"x\", \"0\"]\n"));
    let still = fs::read_to_string(path("a/still.txt")).unwrap();
    assert!(still.contains("ring-deadlock") && still.lines().count() == 20, "{still}");
    let again = record(&[]);
    assert_eq!(again.status, 2);
    assert!(again.err.contains("exists") && again.err.contains("--force"), "{}", again.err);
    assert_eq!(fs::read_to_string(path("a.cast")).unwrap(), cast);
    // Stills are replaced in a folder that was named for them only.
    let still = record(&["--force"]);
    assert_eq!(still.status, 2);
    assert!(
        still.err.contains("a.keys:6:1") && still.err.contains("still.txt` exists"),
        "{}",
        still.err
    );
    let named = folder.display().to_string();
    assert_eq!(record(&["--force", "--stills", &named]).status, 0);
    assert_eq!(fs::read_to_string(path("a.cast")).unwrap(), cast);
    // The environment has no say.
    let mut other = program(&["record", "ring-deadlock", "--keys", &path("a.keys"), "-o", "-"]);
    other.args(["--stills", &path("others")]);
    other.env("NO_COLOR", "1").env("TERM", "dumb").env("LANG", "C").env("COLORFGBG", "0;15");
    let other = other.output().unwrap();
    assert!(String::from_utf8(other.stdout).unwrap() == cast);
    assert!(folder.join("others/a/still.txt").exists());
    let older =
        ["--force", "--stills", &named, "--record-format", "v2", "--record-idle-limit", "1.5"];
    let older = record(&older);
    assert_eq!(older.status, 0, "{}", older.err);
    let cast = fs::read_to_string(path("a.cast")).unwrap();
    assert!(cast.starts_with("{\"version\":2,\"width\":70,\"height\":20,\"idle_time_limit\":1.5,"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_wrong_with_a_script_is_said_with_its_place() {
    let cases = [
        ("", 2, "this script has no commands"),
        ("wiat 2s\nkey spcae\n", 2, "standard input:2:5"),
        ("scenario no-such\nwait 1s\n", 2, "no such file and no such built-in scenario"),
        ("key space\nuntil cycle 9\n", 2, "the run stands at cycle"),
    ];
    for (text, status, wanted) in cases {
        let said = run_with(&["record", "--keys", "-", "-o", "-"], text);
        assert_eq!(said.status, status, "{text}: {}", said.err);
        assert!(said.err.contains(wanted), "{text}: {}", said.err);
    }
    let folder = folder("record-wrong");
    let output = folder.join("a.cast").display().to_string();
    let arguments = ["record", "--keys", "-", "-o", &output];
    let said = run_with(&arguments, "key space\nuntil cycle 9\n");
    assert!(said.status == 2 && !folder.join("a.cast").exists(), "{}", said.err);
    let said = run(&["record", "--keys", "no-such.keys", "-o", &output]);
    assert!(said.status == 2 && said.err.contains("no-such.keys"), "{}", said.err);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_full_disk_is_told() {
    let said = run(&["record", "--demo", "deadlock", "-o", "/dev/full", "--force"]);
    assert_eq!(said.status, 74, "{}", said.err);
    assert!(said.err.contains("No space left"), "{}", said.err);
}

#[test]
fn a_session_saved_in_a_film_goes_on_in_another() {
    let folder = folder("record-session");
    let path = |name: &str| folder.join(name).display().to_string();
    let saved = path("a.session.ron");
    let keys = "key space\nkey g\ntype \"500\\n\"\nkey W\nkey backspace x80 every 1ms\n\
                type \"a.session.ron\\n\"\nwait 0.2s\n";
    let said = run_with(&["record", "mesh-8x8", "--keys", "-", "-o", &path("a.cast")], keys);
    assert_eq!(said.status, 0, "{}", said.err);
    let keys = "wait 0.1s\nshot b.txt\n";
    let said = run_with(&["record", &saved, "--keys", "-", "-o", &path("b.cast")], keys);
    assert_eq!(said.status, 0, "{}", said.err);
    let still = fs::read_to_string(path("b.txt")).unwrap();
    assert!(still.contains("PAUSED") && still.contains("cycle 500 "), "{still}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_never_comes_is_refused_with_its_line_and_nothing_hangs() {
    let rare = ["--set", "network=Mesh(radix: [2, 2])", "--rate", "0.000001"];
    for keys in [
        "key space\ntype \":events deadlock\\n\"\nkey > x9\n",
        "wait 1s\n\ntype \":goto 99999999999\\n\"\n",
    ] {
        let arguments = [&["record", "mesh-8x8", "--keys", "-", "-o", "-"], &rare[..]].concat();
        let said = run_with(&arguments, keys);
        assert_eq!(said.status, 2, "{keys}: {}", said.err);
        let (place, most) = ("standard input:3:1", "this is more than 16,777,216 cycles away");
        assert!(said.err.contains(place) && said.err.contains(most), "{keys}: {}", said.err);
    }
    let session = |live: u64| {
        let scenario = builtin::find("mesh-8x8").unwrap().text;
        let scenario = scenario.replace("[8, 8]", "[2, 2]");
        format!("Session(\n    scenario:\n{scenario}    ,\n    live: {live},\n)\n")
    };
    let folder = folder("record-session");
    let keys = folder.join("a.keys").display().to_string();
    fs::write(&keys, KEYS).unwrap();
    let path = folder.join("far.ron").display().to_string();
    for (live, says) in [
        (1 << 25, "its newest cycle is 33,554,432; a film begins at 16,777,216 at most"),
        (u64::MAX / 2, "`live` must be 0 to 1099511627776"),
    ] {
        fs::write(&path, session(live)).unwrap();
        let said = run(&["record", &path, "--keys", &keys, "-o", "-"]);
        assert_eq!(said.status, 2, "{}", said.err);
        assert!(said.err.contains(says) && said.err.contains("far.ron"), "{}", said.err);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_script_writes_below_its_folder_and_replaces_nothing() {
    let folder = folder("record-fence");
    let film = folder.join("film");
    fs::create_dir_all(&film).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    for mine in ["precious.txt", "film/mine.session.ron", "film/mine.txt"] {
        fs::write(path(mine), "mine").unwrap();
    }
    let before = |cast: &str| {
        assert!(!folder.join(cast).exists(), "{cast}");
        for mine in ["precious.txt", "film/mine.session.ron", "film/mine.txt"] {
            assert_eq!(fs::read_to_string(path(mine)).unwrap(), "mine", "{mine}");
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    };
    let (outside, saving) = (path("new.txt"), "wait 0.1s\nkey W\nkey backspace x80 every 1ms\n");
    let cases = [
        (format!("wait 0.1s\nshot {outside}\n"), 2, "outside the folder"),
        ("wait 0.1s\nshot ../precious.txt\n".to_owned(), 2, "outside the folder"),
        ("wait 0.1s\nshot x/../../new.txt\n".to_owned(), 2, "outside the folder"),
        ("wait 0.1s\nshot mine.txt\n".to_owned(), 2, "`--stills FOLDER` replaces"),
        (format!("{saving}type \"{outside}\\n\"\n"), 4, "outside the folder"),
        (format!("{saving}type \"../new.ron\\n\"\n"), 4, "outside the folder"),
        (format!("{saving}type \"mine.session.ron\\n\"\n"), 4, "replaces no file"),
        (format!("wait 0.1s\ntype \":export {outside}.csv\\n\"\n"), 2, "outside the folder"),
        (
            format!("wait 0.1s\nkey s\nkey backspace x80 every 1ms\ntype \"{outside}\\n\"\n"),
            4,
            "outside",
        ),
    ];
    for (keys, line, wanted) in &cases {
        let arguments = ["record", "mesh-8x8", "--keys", "-", "--force", "-o"];
        let said = run_with(&[&arguments[..], &[&path("film/new.cast")]].concat(), keys);
        assert_eq!(said.status, 2, "{keys}: {}", said.err);
        let place = format!("standard input:{line}:");
        assert!(said.err.contains(&place) && said.err.contains(wanted), "{keys}: {}", said.err);
        before("film/new.cast");
    }
    // Keys replace the file of a session after a question, but not those of a script.
    let saved = run_with(
        &["record", "mesh-8x8", "--keys", "-", "-o", &path("film/a.cast")],
        &format!("{saving}type \"a.session.ron\\n\"\nwait 0.2s\n"),
    );
    assert_eq!(saved.status, 0, "{}", saved.err);
    let session = path("film/a.session.ron");
    let text = fs::read_to_string(&session).unwrap();
    let said = run_with(
        &["record", &session, "--keys", "-", "--force", "-o", &path("film/b.cast")],
        "key . x5\nkey W\nkey enter\nkey enter\nwait 0.2s\n",
    );
    assert_eq!(said.status, 2, "{}", said.err);
    assert_eq!(fs::read_to_string(&session).unwrap(), text);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_flood_of_problems_is_capped() {
    let said = run_with(&["record", "--keys", "-", "-o", "-"], &"wiat 2s\n".repeat(9_999));
    assert_eq!(said.status, 2);
    assert_eq!(said.err.matches("there is no command").count(), 50);
    assert!(said.err.contains("there are 9949 more problems"), "{}", said.err);
}

#[test]
fn a_film_that_cannot_be_made_is_refused_and_a_script_is_a_beginning() {
    let folder = folder("film-forms");
    let gif = folder.join("a.GIF").display().to_string();
    let said = run(&["record", "--demo", "deadlock", "-o", &gif]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("a.GIF`: films are made as .svg or as .cast"), "{}", said.err);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    let script = run(&["record", "--demo", "deadlock", "--print-script"]);
    assert_eq!(script.status, 0, "{}", script.err);
    assert_eq!(script.out, flitscope::recording::demos::find("deadlock").unwrap().text);
    let keys = folder.join("mine.keys").display().to_string();
    fs::write(&keys, script.out).unwrap();
    let short = run(&["record", "--keys", &keys, "--print-script"]);
    assert_eq!(short.out, fs::read_to_string(&keys).unwrap());
    assert_eq!(run(&["record", "--demo", "deadlock"]).status, 2, "without a file");
    // A film and no more, until stills are asked for.
    let cast = folder.join("a.cast").display().to_string();
    let film = ["record", "--demo", "deadlock", "-o", &cast];
    assert_eq!(run(&film).status, 0);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    let stills = folder.join("stills").display().to_string();
    fs::create_dir(&stills).unwrap();
    assert_eq!(run(&[&film[..], &["--force", "--stills", &stills]].concat()).status, 0);
    assert_eq!(fs::read_dir(&stills).unwrap().count(), 3);
    fs::remove_dir_all(folder).unwrap();
}
