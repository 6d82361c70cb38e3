//! Faults of the disk, injected where the program meets it: whatever fails, each file is the old one
//! or the new one, whole, and the message names it.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// What a command leaves in the folder `out`, by name.
type Files = BTreeMap<String, Vec<u8>>;

/// A command that writes.
struct Case {
    name: &'static str,
    arguments: &'static [&'static str],
    /// What it replaces.
    replaces: &'static [&'static str],
}

impl Case {
    /// The arguments, with leave to replace what is there; manual pages do so unasked.
    fn command(&self) -> Vec<&'static str> {
        let force = !self.replaces.is_empty() && self.arguments[0] != "man";
        [self.arguments, if force { &["--force"] } else { &[] }].concat()
    }
}

const KEYS: &str = "size 60x16\nwait 0.2s\nshot a.svg\ntype \":export c.csv\\n\"\n\
                    type \":save b.session.ron\\n\"\ntype \":picture d/e.txt\\n\"\nwait 0.1s\n";
const FILM: [&str; 8] =
    ["record", "mesh-8x8", "--keys", "k.keys", "-o", "out/a.cast", "--stills", "out"];
const MESSAGES: [&str; 6] =
    ["simulate", "mesh-8x8", "--cycles=2000", "--quiet", "--messages-to", "out/a.csv"];
const LINES: [&str; 6] =
    ["simulate", "mesh-8x8", "--cycles=2000", "--quiet", "--messages-to", "out/a.jsonl"];
const LINKS: [&str; 6] =
    ["simulate", "mesh-8x8", "--cycles=2000", "--quiet", "--links-to", "out/a.csv"];
const SWEEP: [&str; 8] = [
    "sweep",
    "mesh-8x8",
    "--loads=0.05,0.1",
    "--cycles=500",
    "--jobs=1",
    "--quiet",
    "--out",
    "out/study",
];
const CASES: [Case; 9] = [
    Case { name: "a film and what its keys write", arguments: &FILM, replaces: &[] },
    Case {
        name: "a film in the place of another",
        arguments: &FILM,
        replaces: &["a.cast", "a.svg"],
    },
    Case { name: "manual pages", arguments: &["man", "--out", "out"], replaces: &[] },
    Case {
        name: "manual pages in the place of others",
        arguments: &["man", "--out", "out"],
        replaces: &["flitscope.1", "flitscope-sweep.1"],
    },
    Case { name: "messages", arguments: &MESSAGES, replaces: &[] },
    Case { name: "messages in the place of others", arguments: &LINES, replaces: &["a.jsonl"] },
    Case { name: "channels", arguments: &LINKS, replaces: &["a.csv"] },
    Case { name: "a study", arguments: &SWEEP, replaces: &[] },
    Case {
        name: "a study in the place of somebody's files",
        arguments: &SWEEP,
        replaces: &["study/table.csv", "study/latency.svg"],
    },
];

/// A folder for the case as it is before.
fn before(case: &Case) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("k.keys"), KEYS).unwrap();
    for name in case.replaces {
        let path = folder.path().join("out").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("the old {name}\n")).unwrap();
    }
    folder
}

/// A file but for the seconds that a run took, which no other run takes again.
fn timeless(content: &[u8]) -> Vec<u8> {
    const SECONDS: &str = "wall_seconds";
    let Ok(text) = str::from_utf8(content) else { return content.to_vec() };
    let column = text.lines().next().unwrap_or("").split(',').position(|name| name == SECONDS);
    let line = |line: &str| {
        let mut cells: Vec<&str> = line.split(',').collect();
        for (at, cell) in cells.iter_mut().enumerate() {
            // The checksum of a result is that of its seconds too.
            let named = [SECONDS, "checksum"].map(|name| format!("\"{name}\":"));
            if Some(at) == column || named.iter().any(|name| cell.starts_with(name)) {
                *cell = "";
            }
        }
        cells.join(",")
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n").into_bytes()
}

fn files(folder: &Path) -> Files {
    let mut found = Files::new();
    let mut open = vec![folder.join("out")];
    while let Some(inside) = open.pop() {
        for entry in fs::read_dir(inside).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder.join("out")).unwrap().display().to_string();
                found.insert(name, timeless(&fs::read(path).unwrap()));
            }
        }
    }
    found
}

/// Runs a case under another command.
fn under(wrapper: &[&str], folder: &Path, case: &Case) -> Output {
    let all = [wrapper, &[env!("CARGO_BIN_EXE_flitscope")], &case.command()].concat();
    let mut command = Command::new(all[0]);
    command.args(&all[1..]).current_dir(folder).env("FLITSCOPE_CONFIG", "");
    command.output().unwrap()
}

/// Runs a case under a command that makes something fail, and judges what is left; says whether it
/// failed.
fn suffers(wrapper: &[&str], case: &Case, whole: &Files, what: &str) -> bool {
    let folder = before(case);
    let old = files(folder.path());
    let done = under(wrapper, folder.path(), case);
    let (left, said) = (files(folder.path()), String::from_utf8_lossy(&done.stderr).into_owned());
    let told = format!("{}, {what}: {} {said}", case.name, done.status);
    let killed = done.status.signal().is_some();
    for (name, content) in &left {
        let known = old.get(name) == Some(content) || whole.get(name) == Some(content);
        // A killed program leaves its drafts, and the claim to what it was at work on.
        let left = [".part", "claims/"].iter().any(|part| name.contains(part));
        assert!(known || killed && left, "{name} is a mixture: {told}");
    }
    assert!(old.keys().all(|name| left.contains_key(name)), "what stood there is gone: {told}");
    if done.status.success() {
        assert!(left == *whole, "it says that all is well: {told}");
    } else if !killed {
        assert_eq!(done.status.code(), Some(74), "{told}");
        // Threads share the count of calls, so the one that fails may print instead.
        let places = [": out", "standard output"].iter().any(|place| said.contains(place));
        let named = places || whole.keys().any(|name| said.contains(name.as_str()));
        assert!(named, "neither file nor folder is named: {told}");
    }
    !done.status.success()
}

/// What a case writes where nothing fails.
fn whole(case: &Case) -> Files {
    let folder = before(case);
    let done = under(&["env"], folder.path(), case);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    files(folder.path())
}

#[test]
fn where_there_is_no_room_files_are_old_or_new() {
    let mut failed = 0;
    for case in &CASES {
        let whole = whole(case);
        assert!(!whole.is_empty());
        // The most blocks of a file: the write that goes beyond is short, the next one fails, or
        // is the end of the program.
        for blocks in ["0", "1", "2", "5", "9", "17", "40", "90", "1000"] {
            for trap in ["trap '' XFSZ; ", ""] {
                let script = format!("{trap}ulimit -f {blocks}; exec \"$@\"");
                let what = format!("files of {blocks} blocks, {trap}");
                failed += u32::from(suffers(&["sh", "-c", &script, "sh"], case, &whole, &what));
            }
        }
    }
    assert!(failed > 80, "{failed}");
}

#[test]
fn in_a_folder_that_may_only_be_read_nothing_changes() {
    for case in &CASES {
        let (whole, folder) = (whole(case), before(case));
        let old = files(folder.path());
        let out = folder.path().join("out");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(&out, Permissions::from_mode(0o555)).unwrap();
        // Whoever may do all may write there all the same, and does it as somebody else.
        let bound = fs::write(out.join("probe"), "").is_err()
            || fs::remove_file(out.join("probe")).is_err();
        let wrapper: &[&str] = if bound {
            &["env"]
        } else {
            &[
                "setpriv",
                "--bounding-set=-all",
                "--inh-caps=-all",
                "--reuid=65534",
                "--clear-groups",
            ]
        };
        let done = under(wrapper, folder.path(), case);
        fs::set_permissions(&out, Permissions::from_mode(0o755)).unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        let told = format!("{}: {} {said}", case.name, done.status);
        assert_eq!(done.status.code(), Some(74), "{told}");
        let named = whole.keys().any(|name| said.contains(name.as_str())) || said.contains(": out");
        assert!(named, "{told}");
        assert!(files(folder.path()) == old, "something has changed: {told}");
    }
}

#[test]
fn two_who_write_the_same_at_once_leave_what_one_of_them_wrote() {
    let begin = |case: &Case, folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flitscope"));
        command.args(case.command()).current_dir(folder).env("FLITSCOPE_CONFIG", "");
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    for case in &CASES {
        let whole = whole(case);
        for _ in 0..3 {
            let folder = before(case);
            let both = [begin(case, folder.path()), begin(case, folder.path())];
            let both = both.map(|child| child.wait_with_output().unwrap());
            let said = both.each_ref().map(|done| String::from_utf8_lossy(&done.stderr));
            let told = format!("{}: {said:?}", case.name);
            let left = files(folder.path());
            for name in left.keys().chain(whole.keys()) {
                assert!(left.get(name) == whole.get(name), "{name} is a mixture: {told}");
            }
            assert!(both.iter().any(|done| done.status.success()), "{told}");
            // Who comes second to a name that must be new says so.
            for (done, said) in both.iter().zip(&said) {
                assert!(done.status.success() || said.contains("exists"), "{told}");
            }
        }
    }
}

/// Calls to the system that change files, and errors that they may have.
const CALLS: [(&str, &[&str]); 6] = [
    ("openat", &["ENOSPC", "EACCES", "EROFS", "EMFILE", "EIO"]),
    ("fchmod", &["EPERM", "EIO"]),
    ("write", &["ENOSPC", "EIO", "EDQUOT"]),
    ("fsync", &["EIO", "ENOSPC"]),
    ("renameat", &["EIO", "EACCES", "ENOSPC", "EROFS"]),
    ("mkdir", &["ENOSPC", "EACCES"]),
];

#[test]
#[ignore = "takes minutes, and strace"]
#[expect(clippy::print_stdout, reason = "its figures are for the person who runs it")]
fn whichever_call_fails_files_are_old_or_new() {
    let mut faults = 0;
    // Those of studies read much as well, and share it: what fails there is no matter of a file alone.
    for case in CASES.iter().filter(|case| !case.arguments.contains(&SWEEP[0])) {
        let whole = whole(case);
        for (call, errors) in CALLS {
            // Which of the calls are about the files.
            let folder = before(case);
            let (trace, log) = (format!("trace={call}"), folder.path().join("log"));
            let log = log.to_str().unwrap();
            under(&["strace", "-f", "-y", "-e", &trace, "-o", log], folder.path(), case);
            let log = fs::read_to_string(log).unwrap();
            let calls = log.lines().filter(|line| line.contains(&format!(" {call}(")));
            let about = |line: &str| line.contains("/out/") || line.contains("\"out");
            let about: Vec<usize> =
                (1..).zip(calls).filter(|(_, line)| about(line)).map(|(at, _)| at).collect();
            for at in about {
                let faulty = errors.iter().map(|error| format!("error={error}"));
                for fault in faulty.chain(["signal=KILL".to_owned()]) {
                    let inject = format!("inject={call}:{fault}:when={at}");
                    let wrapper = ["strace", "-f", "-e", &trace, "-e", &inject, "-o", "/dev/null"];
                    suffers(&wrapper, case, &whole, &inject);
                    faults += 1;
                }
            }
        }
    }
    println!("{faults} faults");
    assert!(faults > 500, "{faults}");
}
