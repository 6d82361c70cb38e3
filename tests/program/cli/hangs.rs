//! `shrink` and `check --mend`: files that deadlock no less, and files that cannot.

use super::program::{objects, run};

#[test]
fn a_reduced_deadlock_is_a_scenario_that_deadlocks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hang.ron");
    let name = file.to_str().unwrap();
    let said = run(&["shrink", "ring-deadlock", "-o", name, "--format", "json", "--quiet"]);
    assert_eq!((said.status, said.err.as_str()), (0, ""));
    let row = objects(&said.out).remove(0);
    assert_eq!(
        (&row["complete"], &row["routers"], &row["messages"]),
        (&true.into(), &4.into(), &4.into())
    );
    let said = run(&["simulate", name, "--format", "json"]);
    assert_eq!(said.status, 3, "{}", said.err);
    // The file is not replaced without being told to.
    let said = run(&["shrink", "ring-deadlock", "-o", name]);
    assert!(said.status == 2 && said.err.contains("--force"), "{}", said.err);
    // A session is reduced too, and so is a reduced deadlock.
    let session = folder.path().join("session.ron");
    let session = session.to_str().unwrap();
    assert_eq!(run(&["check", "switch-ring-deadlock", "--witness", session]).status, 1);
    let said = run(&["shrink", session, "-o", name, "--force"]);
    assert!(
        said.status == 0 && said.out.contains("no message, flit, router or link"),
        "{}",
        said.err
    );
    let said = run(&["shrink", name, "-o", name, "--force", "--format", "json"]);
    let row = objects(&said.out).remove(0);
    assert_eq!(row["messages"], row["messages_before"]);
}

#[test]
fn failures_remain_that_a_deadlock_needs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hang.ron");
    let name = file.to_str().unwrap();
    let said = run(&["shrink", "hangs/stale-tables", "-o", name]);
    let minimal = "no message, flit, failure, router or link can be removed";
    assert!(said.status == 0 && said.out.contains(minimal), "{} {}", said.out, said.err);
    let said = run(&["shrink", name, "-o", name, "--force", "--format", "json"]);
    let row = objects(&said.out).remove(0);
    assert_eq!((&row["failures"], &row["failures_before"]), (&1.into(), &1.into()));
    assert_eq!(row["messages"], row["messages_before"]);
    let said = run(&["simulate", name, "--format", "json"]);
    assert_eq!(said.status, 3, "{}", said.err);
}

#[test]
fn what_cannot_be_reduced_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hang.ron");
    let name = file.to_str().unwrap();
    for (scenario, cycles, why) in [
        ("mesh-8x8", "2000", "no deadlock was found until cycle 2000"),
        ("papers/circuit-hold-8", "2000", "circuits have no tables"),
        ("nosuch", "2000", "nosuch"),
    ] {
        let said = run(&["shrink", scenario, "-o", name, "--cycles", cycles]);
        assert!(said.status == 2 && said.err.contains(why), "{scenario}: {}", said.err);
        assert!(!file.exists());
    }
}

#[test]
fn mended_routes_are_proven_from_their_file() {
    let folder = tempfile::tempdir().unwrap();
    for (scenario, by) in [
        ("switch-ring-deadlock", "routes"),
        ("switch-ring-deadlock", "layers"),
        ("ring-deadlock", "routes"),
        ("ring-deadlock", "layers"),
    ] {
        let file = folder.path().join(format!("{scenario}-{by}.csv"));
        let name = file.to_str().unwrap();
        let check =
            ["check", scenario, "--mend", name, "--mend-by", by, "--format", "json", "--quiet"];
        let said = run(&check);
        assert_eq!(said.status, 0, "the mended routes are written and proven: {}", said.err);
        let rows = objects(&said.out);
        assert!(rows[0]["deadlock_free"] != true && rows[1]["deadlock_free"] == true, "{scenario}");
        assert!(rows[1]["mended_changed"].as_u64() > Some(0), "{scenario}");
        assert_eq!(rows[1]["mended_turns"].as_array().unwrap().is_empty(), by == "layers");
        // The file alone, with the virtual channels that it names.
        let said = run(&["check", scenario, "--routes", name, "--quiet"]);
        assert_eq!(said.status, 0, "{scenario} {by}: {}", said.err);
        assert_eq!(run(&check).status, 2, "the file exists");
    }
    let none = folder.path().join("none.csv");
    let said = run(&["check", "mesh-8x8", "--mend", none.to_str().unwrap()]);
    assert!(said.status == 0 && said.err.contains("no cycle") && !none.exists(), "{}", said.err);
    assert_eq!(run(&["check", "mesh-8x8", "--force"]).status, 2);
}

#[test]
fn replies_get_virtual_channels_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mended.csv");
    let name = file.to_str().unwrap();
    let said = run(&["check", "request-reply-deadlock", "--mend", name, "--format", "json"]);
    assert!(said.status == 1 && said.err.contains("message_classes=Split([1, 1])"), "{}", said.err);
    let rows = objects(&said.out);
    assert_eq!(rows[1]["deadlock_free"], true);
    assert!(!file.exists());
}
