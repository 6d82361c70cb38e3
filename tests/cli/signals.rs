//! Ctrl-C: a headless run prints what it has, marked partial.
#![cfg(unix)]

use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use super::program::{SIMULATE, keys, objects, program};

/// Sends a signal by the system's own command.
fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Starts a run that would take hours, and interrupts it once it has measured something.
fn interrupted(format: &str, name: &str) -> (i32, String, String) {
    let endless = ["simulate", "papers/adaptive-torus-4x4", "--cycles", "1000000000000"];
    let child = program(&[&endless[..], &["--format", format]].concat()).spawn().unwrap();
    sleep(Duration::from_millis(600));
    signal(&child, name);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn an_interrupted_run_prints_what_it_has() {
    let (status, out, err) = interrupted("json", "-INT");
    assert_eq!(status, 130, "{err}");
    let expected: Vec<&str> = SIMULATE.iter().copied().chain(["partial"]).collect();
    assert_eq!(keys(&out), expected);
    let row = &objects(&out)[0];
    assert_eq!(row["partial"], true);
    assert!(row["messages"].as_u64().unwrap() > 0);
    assert!(err.contains("partial"));
}

#[test]
fn tables_and_csv_are_marked_too() {
    let (status, out, _) = interrupted("table", "-TERM");
    assert_eq!(status, 143);
    assert!(out.contains("PARTIAL"), "{out}");
    let (_, out, _) = interrupted("csv", "-INT");
    let mut lines = out.lines();
    assert!(lines.next().unwrap().ends_with(",version,partial"), "{out}");
    assert!(lines.next().unwrap().ends_with(",true"), "{out}");
}
