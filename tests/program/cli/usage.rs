//! Help, and every kind of wrong input: status 2 and a message that names the place.

use super::program::{run, run_with};

#[test]
fn help_and_version_are_no_failure() {
    for arguments in [&["--help"][..], &["help"], &["-h"]] {
        let said = run(arguments);
        assert_eq!(said.status, 0);
        for command in [
            "tour",
            "simulate",
            "sweep",
            "predict",
            "check",
            "record",
            "scenarios",
            "guide",
            "completions",
        ] {
            assert!(said.out.contains(&format!("\n  {command} ")), "{command}");
        }
        assert!(!said.out.contains("bench-case"));
        assert!(said.err.is_empty());
    }
    let help = run(&["simulate", "--help"]);
    for option in ["rate", "load", "seed", "set", "messages", "precision", "cycles", "warm-up"] {
        assert!(help.out.contains(&format!("--{option} ")), "{option}");
    }
    assert_eq!(run(&["--version"]).out, concat!("flitscope ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn wrong_arguments_are_named() {
    let cases: &[(&[&str], &str)] = &[
        (&["simulat", "mesh-8x8"], "did you mean `simulate`?"),
        (&["simulate"], "<SCENARIO>"),
        (&["simulate", "mesh-8x8", "--frobnicate"], "--frobnicate"),
        (&["simulate", "mesh-8x8", "--messages", "0"], "--messages"),
        (&["simulate", "mesh-8x8", "--messages", "many"], "--messages"),
        (&["simulate", "mesh-8x8", "--precision", "1.5"], "--precision"),
        (&["simulate", "mesh-8x8", "--precision", "NaN"], "--precision"),
        (&["simulate", "mesh-8x8", "--cycles", "-1"], "-1"),
        (&["simulate", "mesh-8x8", "--cycles", "10", "--warm-up", "100"], "below 10"),
        (&["simulate", "mesh-8x8", "--warm-up", "10000000000"], "leaves nothing to count"),
        (
            &["simulate", "mesh-8x8", "--rank", "routing", "--cycles", "9", "--warm-up", "9"],
            "a warm-up of 9",
        ),
        (
            &["predict", "mesh-8x8", "--beside-run", "--cycles", "9", "--warm-up", "10"],
            "a warm-up of 10",
        ),
        (&["sweep", "mesh-8x8", "--cycles", "9", "--warm-up", "10"], "--> --warm-up 10"),
        (&["simulate", "mesh-8x8", "--jobs", "0"], "--jobs"),
        (&["simulate", "mesh-8x8", "--replications", "0"], "--replications"),
        (&["simulate", "mesh-8x8", "--format", "xml"], "--format"),
        (&["simulate", "mesh-8x8", "--set", "seed"], "--set"),
        (&["simulate", "mesh-8x8", "--rate", "0.01", "--load", "0.1"], "--load"),
        (&["--rate", "0.01", "simulate", "mesh-8x8"], "simulate"),
        (&["--color", "12"], "--color"),
        (&["--fps", "0"], "--fps"),
        (&["--record", "a.cast"], "not a terminal"),
        (&["--record-format", "v1"], "v1"),
        (&["--record-idle-limit", "0"], "--record-idle-limit"),
        (&["record", "-o", "a.cast"], "--keys"),
        (&["sweep"], "<SCENARIO|STUDY>"),
        (&["sweep", "mesh-8x8", "--loads", "0.1:0.2"], "0.02:0.3:9"),
        (&["sweep", "mesh-8x8", "--loads", "0.1", "--load", "0.1"], "--load"),
        (&["sweep", "run", "a", "--point", "3-1"], "`3,7-9`"),
        (&["sweep", "run", "a", "--shard", "3/2"], "`1/4`"),
        (&["sweep", "status", "no-such-folder"], "a folder that `flitscope sweep` has begun"),
        (&["record", "--demo", "deadlok", "-o", "-"], "deadlock"),
        (&["record", "--demo", "deadlock"], "--output"),
        (&["record", "--demo", "deadlock", "-o", "-", "--size", "80"], "120x40"),
        (&["completions", "cmd"], "cmd"),
        (&["scenarios", "mesh-8x9"], "did you mean `mesh-8x8`?"),
        (&["guide", "scren"], "a similar value exists: 'screen'"),
        (&["bench-case", "9x9"], "9x9"),
    ];
    for (arguments, named) in cases {
        let said = run(arguments);
        assert_eq!(said.status, 2, "{arguments:?}: {}", said.err);
        assert!(said.err.contains(named), "{arguments:?}: {}", said.err);
        assert!(said.out.is_empty(), "{arguments:?}");
        assert!(!said.err.contains('\u{1b}'), "colours in a pipe: {}", said.err);
    }
}

#[test]
fn scenarios_that_cannot_be_run_say_where() {
    let deep = "[".repeat(100_000);
    let wrong_field = "Scenario(\n  netwrk: 1,\n)";
    let cases: &[(&str, &str, &[&str])] = &[
        ("src", "", &["src", "directory"]),
        ("nosuch", "", &["nosuch", "no such file"]),
        ("tests/broken/empty.ron", "", &["tests/broken/empty.ron", "empty"]),
        ("-", "", &["standard input", "empty"]),
        ("tests/broken/rubbish.ron", "", &["tests/broken/rubbish.ron"]),
        ("-", &deep, &["standard input"]),
        ("-", wrong_field, &["standard input:2:3", "netwrk", "^^^^^^"]),
        ("tests/broken/unknown-field.ron", "", &["tests/broken/unknown-field.ron:"]),
        ("tests/broken/rate-0.ron", "", &["tests/broken/rate-0.ron:", "above 0"]),
        ("tests/broken/rate-negative.ron", "", &["tests/broken/rate-negative.ron:"]),
        ("tests/broken/rate-nan.ron", "", &["tests/broken/rate-nan.ron:", "NaN"]),
        ("tests/broken/rate-too-high.ron", "", &["tests/broken/rate-too-high.ron:", "at most 1"]),
        ("tests/broken/hotspot-outside.ron", "", &["tests/broken/hotspot-outside.ron:"]),
    ];
    for (name, input, named) in cases {
        for command in ["simulate", "sweep", "predict", "check"] {
            let said = run_with(&[command, name], input);
            assert_eq!(said.status, 2, "{command} {name}: {}", said.err);
            for part in *named {
                assert!(said.err.contains(part), "{command} {name} {part}: {}", said.err);
            }
            assert!(said.err.len() < 20_000);
            assert_eq!(said.out.is_empty(), command != "check", "{command} {name}");
        }
    }
}

#[test]
fn a_scenario_is_named_without_a_command_too() {
    let said = run(&["tests/broken/rate-0.ron"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("tests/broken/rate-0.ron:"), "{}", said.err);
}

#[test]
fn all_problems_of_all_scenarios_are_told_at_once() {
    let said = run(&["simulate", "src", "mesh-8x8", "tests/broken/several.ron", "nosuch"]);
    assert_eq!(said.status, 2);
    assert!(said.err.matches("error: ").count() >= 4, "{}", said.err);
    assert!(said.out.is_empty());
}

#[test]
fn overrides_are_checked_where_they_were_written() {
    let cases: &[(&[&str], &str)] = &[
        (&["--rate", "0"], "--rate 0"),
        (&["--rate", "-1"], "--rate -1"),
        (&["--rate", "NaN"], "--rate NaN"),
        (&["--rate=-inf"], "--rate -inf"),
        (&["--rate", "0.5"], "--rate 0.5"),
        (&["--load", "1.5"], "--load 1.5"),
        (&["--seed", "x"], "--seed x"),
        (&["--set", "traffic.arivals.rate=0.1"], "--set traffic.arivals.rate=0.1"),
        (&["--set", "routing.escape=Nine"], "--set routing.escape=Nine"),
    ];
    for (options, named) in cases {
        let arguments = [&["simulate", "papers/adaptive-torus-8x8"], *options].concat();
        let said = run(&arguments);
        assert_eq!(said.status, 2, "{options:?}: {}", said.err);
        assert!(said.err.contains(named), "{options:?}: {}", said.err);
    }
}
