//! Ctrl-C: a headless run prints what it has, marked partial.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::program::{SIMULATE, keys, objects, program};

/// Sends a signal by the system's own command.
fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Waits until the program catches signals and has begun to simulate on other threads.
fn wait_until_running(child: &Child) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let path = format!("/proc/{}/status", child.id());
    let field = |status: &str, name: &str, radix: u32| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| u64::from_str_radix(rest.trim(), radix).ok()).unwrap_or(0)
    };
    loop {
        let status = std::fs::read_to_string(&path).unwrap_or_default();
        // Bit 1 is SIGINT, the first to be listened to; bit 14 is SIGTERM.
        let caught = field(&status, "SigCgt:", 16);
        if caught & (1 << 1) != 0 && caught & (1 << 14) != 0 && field(&status, "Threads:", 10) > 1 {
            break;
        }
        assert!(Instant::now() < deadline, "it never began: {status}");
        sleep(Duration::from_millis(5));
    }
    // A moment to measure something.
    sleep(Duration::from_millis(500));
}

/// Starts a run that would take hours, and interrupts it once it has begun.
fn interrupted(format: &str, name: &str) -> (i32, String, String) {
    let endless = ["simulate", "papers/adaptive-torus-4x4", "--cycles", "1000000000000"];
    let child = program(&[&endless[..], &["--format", format]].concat()).spawn().unwrap();
    wait_until_running(&child);
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
    assert!(lines.next().unwrap().ends_with(",latency_variance_left,partial"), "{out}");
    assert!(lines.next().unwrap().ends_with(",true"), "{out}");
}

#[test]
fn a_reduction_tells_its_phase_and_ends_before_its_first_deadlock() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hang.ron");
    let endless = ["shrink", "mesh-8x8", "--cycles", "1000000000000", "-o"];
    let child = program(&[&endless[..], &[file.to_str().unwrap()]].concat()).spawn().unwrap();
    wait_until_running(&child);
    sleep(Duration::from_secs(6));
    signal(&child, "-INT");
    let begun = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert_eq!(output.status.code(), Some(130));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("shrinking mesh-8x8: running until the deadlock"), "{err}");
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

/// A run that ends at once, of a system for which the model takes very long.
const SLOW: [&str; 5] =
    ["simulate", "mesh-8x8", "--set", "network=Mesh(radix: [32, 32])", "--cycles=10"];

#[test]
fn results_do_not_wait_for_a_model_and_a_signal_does_not_either() {
    for (name, status) in [("-INT", 130), ("-TERM", 143)] {
        let mut child = program(&SLOW).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut said = String::new();
        while !said.contains("at work; what it says follows") {
            assert!(out.read_line(&mut said).unwrap() > 0, "{said}");
        }
        assert!(said.contains("simulated            10 cycles"), "{said}");
        signal(&child, name);
        out.read_to_string(&mut said).unwrap();
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        // The model stops by itself before long: the signal may come too late.
        assert!([Some(status), Some(0)].contains(&output.status.code()), "{err}");
        let given_up = err.contains("the model had no answer yet");
        assert!(given_up || said.contains("beyond the budget; `predict` goes on"), "{said} {err}");
        assert!(!err.contains("partial") && !said.contains("PARTIAL"), "{said}");
    }
}

#[test]
fn a_signal_does_not_wait_until_a_large_network_is_built() {
    let large = "--set=network=Torus(radix: [1024, 1024])";
    for (name, status) in [("-INT", 130), ("-TERM", 143)] {
        let child = program(&["simulate", "torus-8x8", large, "--cycles=1000000"]).spawn().unwrap();
        wait_until_running(&child);
        signal(&child, name);
        let begun = Instant::now();
        let output = child.wait_with_output().unwrap();
        // Building it takes several seconds.
        assert!(begun.elapsed() < Duration::from_secs(2), "{name}: {:?}", begun.elapsed());
        assert_eq!(output.status.code(), Some(status));
        assert!(output.stdout.is_empty(), "nothing was measured yet");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "flitscope: interrupted\n");
    }
}

#[test]
fn what_was_checked_is_printed_before_the_next_is() {
    let slow = "--set=network=Hypercube(dimensions: 12)";
    for format in ["table", "json", "csv"] {
        let mut child = program(&["check", "mesh-8x8", "nosuch", "--format", format]);
        let plain = child.output().unwrap();
        let plain = String::from_utf8(plain.stdout).unwrap();
        let rows = if format == "csv" { 3 } else { plain.lines().count() };
        assert_eq!(plain.lines().count(), rows, "{plain}");
        assert_eq!(plain.matches("deadlock_free,").count(), usize::from(format == "csv"));
    }
    // The first is refused at once, the second takes long.
    let mut child = program(&["check", "nosuch", "mesh-8x8", slow]).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    out.read_line(&mut said).unwrap();
    assert!(said.contains("nosuch: not a scenario"), "{said}");
    signal(&child, "-INT");
    let status = child.wait().unwrap();
    assert!(!status.success());
}
