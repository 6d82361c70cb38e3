//! Proofs of `check` for some pairs, for routers without hosts and with witnesses.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::program::{objects, program};

/// A ring of four routers in one direction; `x` has a link by `y` to `r0` and `r2`, and `y` has no host.
const RING: &str = "from,to,one_way\nx,y,true\ny,r0,true\ny,r2,true\nr0,r1,true\nr1,r2,true\n\
                    r2,r3,true\nr3,r0,true\nr0,x,true\nr1,x,true\nr2,x,true\nr3,x,true\n\
                    host,hx,x\nhost,h0,r0\nhost,h1,r1\nhost,h2,r2\nhost,h3,r3\n";

/// From `x` to `r3` by `r0`, to `r1` by `r2`: along the ring.
const ROUTES: &str = "at,destination,next\nx,r0;r1;r2;r3,y\ny,r0;r3,r0\ny,r1;r2,r2\n\
                      r0,r1;r2;r3,r1\nr1,r0;r2;r3,r2\nr2,r0;r1;r3,r3\nr3,r0;r1;r2,r0\n\
                      r0,x,x\nr1,x,x\nr2,x,x\nr3,x,x\n";

const RULES: &str = "routing: Table(routes: File(\"routes.csv\")), switching: Wormhole(virtual_channels: 1), \
                     traffic: (arrivals: Poisson(load: 0.1), destinations: Uniform, lengths: Fixed(8))";

/// A folder with the ring and its table.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("ring.csv", RING);
    put("routes.csv", ROUTES);
    put("ring.ron", &format!("Scenario(network: File(\"ring.csv\"), {RULES})"));
    folder
}

/// The row and the status of `check`.
fn checked(folder: &Path, arguments: &[&str]) -> (Value, i32) {
    let arguments = [&["check", "--format", "json"], arguments].concat();
    let output = program(&arguments).current_dir(folder).output().unwrap();
    let rows = objects(&String::from_utf8(output.stdout).unwrap());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(rows.len(), 1, "{said}");
    (rows[0].clone(), output.status.code().unwrap())
}

#[test]
fn pairs_decide_about_a_table_free_deadlocking_or_neither() {
    let folder = folder();
    let folder = folder.path();
    let all = checked(folder, &["ring.ron"]);
    assert_eq!((&all.0["deadlock_free"], all.1), (&Value::from(false), 1));
    let of_pairs = |pairs: &str| {
        fs::write(folder.join("pairs.csv"), format!("source,destination\n{pairs}")).unwrap();
        checked(folder, &["ring.ron", "--pairs", "pairs.csv"])
    };
    let short = of_pairs("h0,h1\nh1,h2\nx,r3\nr0,r3\n");
    assert_eq!((&short.0["deadlock_free"], short.1), (&Value::from(true), 0));
    let around = of_pairs("h0,h2\nh1,h3\nh2,h0\nh3,h1\n");
    assert_eq!((&around.0["deadlock_free"], around.1), (&Value::from(false), 1));
    // A cycle, but only a message at a time holds the link to `y`.
    let one = of_pairs("x,r1\nx,r3\n");
    assert_eq!((&one.0["deadlock_free"], one.1), (&Value::Null, 1));
    assert_eq!(one.0["cycle"].as_array().unwrap().len(), 4);
    let text = ["check", "ring.ron", "--pairs", "pairs.csv"];
    let output = program(&text).current_dir(folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("not proven impossible: there is a cycle that need not close"), "{text}");
}

#[test]
fn witnesses_of_some_pairs_deadlock_when_played() {
    let folder = folder();
    let folder = folder.path();
    for (pairs, certain) in [("h0,h2\nh1,h3\nh2,h0\nh3,h1\n", true), ("x,r1\nx,r3\n", false)] {
        fs::write(folder.join("pairs.csv"), format!("source,destination\n{pairs}")).unwrap();
        let witness = ["ring.ron", "--pairs", "pairs.csv", "--witness", "hang.csv", "--force"];
        let (row, _) = checked(folder, &witness);
        let found = row["witness_messages"].is_number();
        assert!(found || !certain, "{row}");
        assert_eq!(row["deadlock_free"], if found { Value::from(false) } else { Value::Null });
        if found {
            assert_eq!(played(folder, "ring.ron", "hang.csv"), Some(3));
        }
    }
}

/// The status of a run with the messages of a witness.
fn played(folder: &Path, scenario: &str, witness: &str) -> Option<i32> {
    let set = format!("traffic.arrivals=Replay(File({witness:?}))");
    let output = program(&["simulate", scenario, "--set", &set]).current_dir(folder).output();
    output.unwrap().status.code()
}

#[test]
fn witnesses_of_whole_messages_and_single_queues_deadlock_when_played() {
    let folder = folder();
    let folder = folder.path();
    let machines = [
        "forwarding: CutThrough, buffer_flits: 8, injection: OneMessage",
        "forwarding: StoreAndForward, buffer_flits: 8",
        "injection: OneMessage, buffer_flits: 2",
    ];
    for (at, machine) in machines.into_iter().enumerate() {
        let name = format!("ring-{at}.ron");
        let text = fs::read_to_string(folder.join("ring.ron")).unwrap();
        let text = text.replace("virtual_channels: 1", &format!("virtual_channels: 1, {machine}"));
        fs::write(folder.join(&name), text).unwrap();
        let witness = format!("hang-{at}.csv");
        let (row, status) = checked(folder, &[&name, "--witness", &witness]);
        assert_eq!((&row["deadlock_free"], status), (&Value::from(false), 1), "{machine}");
        assert!(row["witness_messages"].is_number(), "{machine}: {row}");
        assert_eq!(played(folder, &name, &witness), Some(3), "{machine}");
    }
}

/// The variation of a footnote of Boppana and Chalasani without its highest class, which alone keeps it safe.
#[test]
fn any_class_below_the_hops_is_refuted_and_deadlocks() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = |radix: &str, vcs: u32| {
        let text = format!(
            "Scenario(network: Torus(radix: {radix}), routing: PositiveHop(classes: Below), \
             switching: Wormhole(virtual_channels: {vcs}), \
             traffic: (arrivals: Poisson(load: 0.4), destinations: Uniform, lengths: Fixed(16)))"
        );
        fs::write(folder.join("below.ron"), text).unwrap();
    };
    // No head has a choice.
    file("[4]", 2);
    let (row, status) = checked(folder, &["below.ron"]);
    assert_eq!((&row["deadlock_free"], status), (&Value::from(false), 1), "{row}");
    file("[6, 6]", 6);
    let (row, status) = checked(folder, &["below.ron", "--witness", "hang.csv"]);
    assert_eq!((&row["deadlock_free"], status), (&Value::from(false), 1), "{row}");
    assert_eq!(played(folder, "below.ron", "hang.csv"), Some(3));
}

/// Planar-adaptive routing without VCs for the two directions of the first dimension of a plane.
#[test]
fn planar_adaptive_is_proven_and_with_shared_vcs_refuted_and_deadlocks() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = |radix: &str, classes: &str, vcs: u32| {
        let text = format!(
            "Scenario(network: Mesh(radix: {radix}), routing: PlanarAdaptive(classes: {classes}), \
             switching: Wormhole(virtual_channels: {vcs}), \
             traffic: (arrivals: Poisson(load: 0.4), destinations: Uniform, lengths: Fixed(16)))"
        );
        fs::write(folder.join("planar.ron"), text).unwrap();
    };
    for (radix, vcs) in [("[5, 5]", 2), ("[3, 4, 3]", 3)] {
        file(radix, "ByDirection", vcs);
        let (row, status) = checked(folder, &["planar.ron"]);
        assert_eq!((&row["deadlock_free"], status), (&Value::from(true), 0), "{row}");
        file(radix, "Shared", vcs);
        let hang = format!("hang-{vcs}.csv");
        let (row, status) = checked(folder, &["planar.ron", "--witness", &hang]);
        assert_eq!((&row["deadlock_free"], status), (&Value::from(false), 1), "{row}");
        assert_eq!(played(folder, "planar.ron", &hang), Some(3));
    }
}

/// Rules on tori, and with routes that are not shortest: the VCs that they need, and with others a cycle.
#[test]
fn routes_of_a_plane_of_a_torus_and_detours_are_proven_or_refuted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (network, routing, vcs, free) in [
        ("Torus(radix: [6, 6])", "PlanarAdaptive()", 4, true),
        ("Torus(radix: [4, 5, 4])", "PlanarAdaptive()", 6, true),
        ("Torus(radix: [4, 4, 4])", "PlanarAdaptive(classes: SeamsCrossed)", 9, true),
        ("Torus(radix: [6, 6])", "PlanarAdaptive(classes: Shared)", 4, false),
        ("Torus(radix: [6, 6])", "PlanarAdaptive(classes: SeparateDateline)", 4, false),
        ("Mesh(radix: [5, 5])", "TurnModel()", 1, true),
        ("Mesh(radix: [5, 5])", "TurnModel(turns: NorthLast, detours: 3)", 1, true),
        ("Hypercube(dimensions: 4)", "TurnModel(turns: NegativeFirst)", 1, true),
        ("Mesh(radix: [5, 5])", "TurnModel(turns: Any)", 1, false),
        ("Mesh(radix: [3, 4, 3])", "StaticReversal(reversals: 1)", 2, true),
        ("Mesh(radix: [5, 5])", "StaticReversal(classes: Shared)", 1, false),
        ("Hypercube(dimensions: 4)", "DynamicReversal()", 2, true),
    ] {
        let text = format!(
            "Scenario(network: {network}, routing: {routing}, \
             switching: Wormhole(virtual_channels: {vcs}), \
             traffic: (arrivals: Poisson(load: 0.4), destinations: Uniform, lengths: Fixed(16)))"
        );
        fs::write(folder.join("rule.ron"), text).unwrap();
        let (row, status) = checked(folder, &["rule.ron"]);
        // With a choice of candidates, a cycle need not close.
        assert_eq!((row["deadlock_free"] == true, status), (free, i32::from(!free)), "{row}");
        assert_eq!(row["cycle"].is_null(), free, "{routing}: {row}");
        assert_eq!(row["virtual_channels_used"], vcs, "{routing}: {row}");
    }
}

#[test]
fn routers_without_hosts_send_nothing() {
    let folder = folder();
    let folder = folder.path();
    let ring = |hosts: &str| {
        let links = "(0, 1, (one_way: true)), (1, 2, (one_way: true)), (2, 3, (one_way: true)), \
                     (3, 0, (one_way: true))";
        let text = format!(
            "Scenario(network: Switches(links: [{links}], hosts: {hosts}), routing: ShortestPath(), \
             switching: Wormhole(), traffic: (arrivals: Poisson(load: 0.1), destinations: Uniform, \
             lengths: Fixed(8)))"
        );
        fs::write(folder.join("four.ron"), text).unwrap();
        let (row, _) = checked(folder, &["four.ron"]);
        (row["deadlock_free"].clone(), row["dependencies"].clone())
    };
    assert_eq!(ring("[0, 1, 2, 3]"), (false.into(), 4.into()));
    assert_eq!(ring("[0, 2]"), (true.into(), 2.into()));
}
