//! Faults of the disk, injected where the program meets it: whatever fails, each file is the old one
//! or the new one, whole, and the message names it.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

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

const KEYS: &str = "size 60x16\nwait 0.2s\nshot a.svg\ntype \":export c.csv\\n\"\n\
                    type \":save b.session.ron\\n\"\ntype \":picture d/e.txt\\n\"\nwait 0.1s\n";
const FILM: [&str; 8] =
    ["record", "mesh-8x8", "--keys", "k.keys", "-o", "out/a.cast", "--stills", "out"];
const CASES: [Case; 4] = [
    Case { name: "a film and what its keys write", arguments: &FILM, replaces: &[] },
    Case {
        name: "a film in the place of another",
        arguments: &[
            "record",
            "mesh-8x8",
            "--keys",
            "k.keys",
            "-o",
            "out/a.cast",
            "--stills",
            "out",
            "--force",
        ],
        replaces: &["a.cast", "a.svg"],
    },
    Case { name: "manual pages", arguments: &["man", "--out", "out"], replaces: &[] },
    Case {
        name: "manual pages in the place of others",
        arguments: &["man", "--out", "out"],
        replaces: &["flitscope.1", "flitscope-sweep.1"],
    },
];

/// A folder for the case as it is before.
fn before(case: &Case) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("k.keys"), KEYS).unwrap();
    for name in case.replaces {
        fs::write(folder.path().join("out").join(name), format!("the old {name}\n")).unwrap();
    }
    folder
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
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

/// Runs a case under another command.
fn under(wrapper: &[&str], folder: &Path, case: &Case) -> Output {
    let all = [wrapper, &[env!("CARGO_BIN_EXE_flitscope")], case.arguments].concat();
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
        assert!(known || killed && name.contains(".part"), "{name} is a mixture: {told}");
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
        assert!(whole.len() > 3);
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
    assert!(failed > 40, "{failed}");
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
    for case in &CASES {
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
