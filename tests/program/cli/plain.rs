//! `--plain`: a run as lines of text.

use super::program::{program, run};

#[test]
fn lines_say_what_the_run_does_and_end_where_asked() {
    let said = run(&["--plain", "mesh-8x8", "--every", "500", "--cycles", "1200"]);
    assert_eq!(said.status, 0, "{}", said.err);
    let lines: Vec<&str> = said.out.lines().collect();
    assert!(lines[0].starts_with("mesh-8x8: 8x8 mesh, "), "{}", said.out);
    let starts = ["running, cycle 500, ", "running, cycle 1,000, ", "ended, cycle 1,200, "];
    assert_eq!(lines.len(), 1 + starts.len(), "{}", said.out);
    for (line, start) in lines[1..].iter().zip(starts) {
        assert!(line.starts_with(start), "{line}");
        for word in ["offered ", "accepted ", "latency ", "predicted ", "blocked ", "no deadlock"] {
            assert!(line.contains(word), "{word}: {line}");
        }
    }
    assert!(!said.out.contains('\u{1b}') && said.out.is_ascii());
    // Bit for bit the same, with a line in every cycle too.
    let fine = run(&["--plain", "mesh-8x8", "--every", "1", "--cycles", "1200"]);
    assert_eq!(fine.out.lines().count(), 1_201);
    assert_eq!(fine.out.lines().last(), lines.last().copied());
}

#[test]
fn lines_do_not_wait_for_a_model_that_takes_long() {
    let large = ["--plain", "mesh-8x8", "--set", "network=Mesh(radix: [32, 32])"];
    let said = run(&[&large[..], &["--every", "500", "--cycles", "500"]].concat());
    assert_eq!(said.status, 0, "{}", said.err);
    let stopped = "predicted nothing, stopped after 1000000 steps of work: beyond the budget; \
                   `predict` goes on, ";
    assert!(said.out.contains(stopped), "{}", said.out);
}

#[test]
fn saturation_is_said_within_the_stated_time() {
    let asked = ["hotspot-torus-16x16", "--load", "0.34", "--every", "1024", "--cycles", "16384"];
    let said = run(&[&["--plain"], &asked[..]].concat());
    assert_eq!(said.status, 0, "{}", said.err);
    let first = said.out.lines().find(|line| line.contains("SATURATED: accepts "));
    // Fifteen looks, 1 024 cycles apart, are the fewest that the verdict needs.
    assert!(first.is_some_and(|line| line.starts_with("running, cycle 15,360, ")), "{first:?}");
    assert!(first.is_some_and(|line| line.contains(" % of what is offered, ")), "{first:?}");
}

#[test]
fn a_deadlock_ends_it() {
    let said = run(&["--plain", "ring-deadlock"]);
    assert_eq!(said.status, 3, "{}", said.err);
    let last = said.out.lines().last().unwrap_or_default();
    assert!(last.starts_with("deadlocked, cycle ") && last.contains("deadlock of "), "{last}");
}

#[test]
fn the_pace_is_kept() {
    let begun = std::time::Instant::now();
    let asked = ["--plain", "mesh-8x8", "--every", "100", "--cycles", "300", "--pace", "500"];
    let said = run(&asked);
    // The last line is not waited for.
    assert!(begun.elapsed().as_millis() >= 400, "{:?}: {}", begun.elapsed(), said.out);
    assert_eq!(said.status, 0);
}

#[test]
fn circuits_are_told_in_their_unit() {
    let name = "papers/circuit-hold-8-slow";
    let said = run(&["--plain", name, "--every", "2", "--cycles", "4"]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("running, time 2.000 T, ") && said.out.contains("circuits, no "));
    assert!(said.out.contains("ended, time 4.000 T, "), "{}", said.out);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let said = run(&["mesh-8x8", "--every", "5"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("--plain"), "{}", said.err);
    assert_eq!(run(&["--plain", "--every", "0"]).status, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_it() {
    let mut child = program(&["--plain", "mesh-8x8", "--pace", "1000"]).spawn().unwrap();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("running") {
        line.clear();
        std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    }
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
