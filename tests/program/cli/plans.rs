//! `check --plan`: fabrics with all kinds of differences, formats, statuses, and wrong files.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::program::{Said, keys, objects, program};

const PLAN: &str = "from,to,count\nleaf-1,spine-1,2\nleaf-1,spine-2,2\nleaf-2,spine-1,2\nleaf-2,spine-2,2\n\
                    host,n01 HCA-1,leaf-1\nhost,n02 HCA-1,leaf-1\nhost,n03 HCA-1,leaf-2\nhost,n04 HCA-1,leaf-2\n";

/// A cable at another spine, two missing, two slow ones, and another host.
const FOUND: &str = "from,to,count,rate\nleaf-1,spine-1,3,\nleaf-1,spine-2,1,\nleaf-2,spine-1,2,2\n\
                     host,n01 HCA-1,leaf-1\nhost,n02 HCA-1,leaf-1\nhost,n03 HCA-1,leaf-2\nhost,n05 HCA-1,leaf-2\n";

fn said(folder: &Path, arguments: &[&str]) -> Said {
    let output = program(arguments).current_dir(folder).output().unwrap();
    Said {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A folder with these files, the plan and a fabric in another format that agrees.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let agreeing = fs::read_to_string("tests/networks/two-cables.ibnetdiscover").unwrap();
    let known = [("plan.csv", PLAN), ("found.csv", FOUND), ("good.topo", &agreeing)];
    for (name, text) in known.iter().chain(files) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn differences_and_their_effect_are_listed() {
    let folder = folder(&[]);
    let folder = folder.path();
    let found = said(folder, &["check", "found.csv", "--plan", "plan.csv"]);
    assert_eq!(found.status, 1, "{}", found.err);
    insta::assert_snapshot!(found.out);
    assert!(found.err.contains("the fabric differs from its plan"), "{}", found.err);
    let same = said(folder, &["check", "good.topo", "--plan", "plan.csv", "-q"]);
    assert_eq!((same.status, same.err.as_str()), (0, ""), "{}", same.out);
    assert!(same.out.starts_with("good.topo: as planned in plan.csv\n"), "{}", same.out);
    let both = ["check", "good.topo", "found.csv", "--plan", "plan.csv", "-q", "--format", "csv"];
    let both = said(folder, &both);
    assert_eq!((both.status, both.out.lines().count()), (1, 3), "{}", both.out);
}

#[test]
fn rows_have_every_difference() {
    let hub =
        |count: &str| -> Vec<String> { (0..100).map(|at| format!("hub,r{at}{count}\n")).collect() };
    let plan = hub("").concat();
    let plan = format!("from,to\n{plan}host,a,hub\nhost,b,r0\n");
    let fabric = hub(",2").concat();
    let fabric = format!("from,to,count\n{fabric}host,a,hub\nhost,b,r0\n");
    let folder = folder(&[("star.csv", &plan), ("double.csv", &fabric)]);
    let folder = folder.path();
    let text = said(folder, &["check", "double.csv", "--plan", "star.csv"]);
    assert!(text.out.contains("and 80 more") && text.out.lines().count() < 40, "{}", text.out);
    let json = said(folder, &["check", "double.csv", "--plan", "star.csv", "--format", "json"]);
    let row = &objects(&json.out)[0];
    let differences = row["differences"].as_array().unwrap();
    assert_eq!((differences.len(), &row["agrees"]), (100, &Value::from(false)));
    let [first, number] = [&differences[0]["what"], &differences[99]["found"]];
    assert_eq!((first.as_str(), number), (Some("hub - r0: 2 cables, planned: 1"), &Value::from(2)));
    assert_eq!(keys(&json.out).len(), row.as_object().unwrap().len());
    let crossed = PLAN.replace("leaf-1,spine-1,2", "leaf-1,spine-1,1");
    let crossed = crossed.replace("leaf-2,spine-2,2", "leaf-2,spine-2,1");
    let crossed = crossed.replace("spine-2,2", "spine-2,3").replace("spine-1,2", "spine-1,3");
    fs::write(folder.join("crossed.csv"), crossed).unwrap();
    let json = said(folder, &["check", "crossed.csv", "--plan", "plan.csv", "--format", "json"]);
    let crossed = &objects(&json.out)[0]["differences"][0];
    let names = ["kind", "router", "other", "planned_router", "planned_other"];
    assert_eq!(
        names.map(|name| crossed[name].as_str().unwrap()),
        ["crossed cables", "leaf-1", "spine-2", "leaf-2", "spine-1"]
    );
}

#[test]
fn a_fabric_in_parts_is_compared() {
    // Each leaf has a spine of its own.
    let apart = PLAN.replace("leaf-1,spine-2,2\n", "").replace("leaf-2,spine-1,2\n", "");
    let folder = folder(&[("apart.csv", &apart)]);
    let folder = folder.path();
    let found = said(folder, &["check", "apart.csv", "--plan", "plan.csv", "--format", "json"]);
    assert_eq!(found.status, 1, "{}", found.err);
    let row = &objects(&found.out)[0];
    assert_eq!((&row["unreachable_pairs"], &row["host_pairs"]), (&8.into(), &12.into()));
    assert_eq!((&row["routing"], &row["capacity_load"]), (&Value::Null, &Value::Null));
    assert!(row["plan_capacity_load"].is_number() && row["plan_deadlock_free"] == true, "{row}");
    let alone = said(folder, &["check", "apart.csv"]);
    assert_eq!(alone.status, 2, "{}", alone.err);
}

#[test]
fn plans_are_scenarios_too() {
    let folder = folder(&[]);
    let folder = folder.path();
    let written = said(folder, &["network", "fat-tree-64", "--to", "json"]);
    fs::write(folder.join("tree.json"), written.out).unwrap();
    for sides in [["tree.json", "fat-tree-64"], ["fat-tree-64", "tree.json"], ["mesh-8x8"; 2]] {
        let same = said(folder, &["check", sides[0], "--plan", sides[1]]);
        assert_eq!(same.status, 0, "{}{}", same.out, same.err);
    }
    let other = said(folder, &["check", "mesh-8x8", "--plan", "torus-8x8", "--format", "json"]);
    let row = &objects(&other.out)[0];
    assert_eq!((other.status, row["differences"].as_array().unwrap().len()), (1, 16), "{row}");
    let capacities = [&row["capacity_load"], &row["plan_capacity_load"]].map(Value::as_f64);
    assert!(capacities[0] < capacities[1], "{capacities:?}");
}

#[test]
fn runs_without_a_screen_have_remarks_on_the_plan() {
    let folder = folder(&[]);
    let folder = folder.path();
    let watched = ["found.csv", "--plan", "plan.csv", "--plain", "--cycles", "1000"];
    for arguments in [&watched[..3], &watched] {
        let said = said(folder, arguments);
        assert_eq!(said.status, 0, "{}", said.err);
        let told =
            "found.csv: compared with plan.csv: missing link: spine-2 - leaf-2: 0 of 2 cables\n";
        assert!(said.err.contains(told), "{}", said.err);
    }
    let apart = PLAN.replace("leaf-1,spine-2,2\n", "").replace("leaf-2,spine-1,2\n", "");
    fs::write(folder.join("apart.csv"), apart).unwrap();
    let refused = said(folder, &["apart.csv", "--plan", "plan.csv"]);
    assert_eq!(refused.status, 2, "{}", refused.err);
    assert!(refused.err.contains("`flitscope check apart.csv --plan plan.csv`"), "{}", refused.err);
}

#[test]
fn hostile_names_are_escaped() {
    let name = "a\u{1b}[31m\u{202e}";
    let plan = format!("from,to\n{name},b\nhost,x{name},{name}\nhost,y,b\n");
    let found = format!("from,to\n{name},c{name}\nhost,x{name},{name}\nhost,z,c{name}\n");
    let folder = folder(&[("p.csv", &plan), ("f.csv", &found)]);
    for format in ["table", "csv", "json"] {
        let check = ["check", "f.csv", "--plan", "p.csv", "--format", format];
        let said = said(folder.path(), &check);
        let is_plain = |letter: char| letter == '\n' || flitscope::text::shows(letter);
        assert!((said.out.clone() + &said.err).chars().all(is_plain), "{}{}", said.out, said.err);
        assert_eq!(
            (said.status, said.out.contains("u{202e}")),
            (1, true),
            "{}{}",
            said.out,
            said.err
        );
    }
}

#[test]
fn files_that_cannot_be_compared_are_refused() {
    let capitals = PLAN.replace("leaf", "Leaf").replace("spine", "Spine");
    let other = PLAN.replace("leaf", "x").replace("spine", "y");
    let files = [("capitals.csv", capitals.as_str()), ("other.csv", &other), ("bad.csv", "from\n")];
    let folder = folder(&files);
    let folder = folder.path();
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["capitals.csv", "--plan", "plan.csv"],
            &["capitals.csv", "`Leaf-1` is most like `leaf-1`"],
        ),
        (
            &["other.csv", "--plan", "plan.csv"],
            &["other.csv", "are `x-1` and `leaf-1`", "by the names"],
        ),
        (&["found.csv", "--plan", "bad.csv"], &["bad.csv"]),
        (&["bad.csv", "--plan", "plan.csv"], &["bad.csv"]),
        (&["found.csv", "--plan", "no.csv"], &["no.csv", "no such file"]),
        (&["found.csv", "--plan", "plan.csv", "--pairs", "p.csv"], &["--pairs"]),
        (&["found.csv", "--plan", "plan.csv", "--routes", "r.csv"], &["--routes"]),
        (&["found.csv", "--plan"], &["--plan"]),
    ];
    for (arguments, named) in cases {
        let said = said(folder, &[&["check"], *arguments].concat());
        assert_eq!((said.status, said.out.as_str()), (2, ""), "{arguments:?}: {}", said.err);
        for part in *named {
            assert!(said.err.contains(part), "{arguments:?}: {part}: {}", said.err);
        }
    }
}

#[test]
fn the_routing_of_a_fabric_may_deadlock() {
    let ring = "from,to\na,b\nb,c\nc,d\nd,a\n";
    let folder = folder(&[("ring.csv", ring)]);
    let rule = ["--set", "routing=ShortestPath()", "--set", "switching.virtual_channels=1"];
    let ring = [&["check", "ring.csv", "--plan", "ring.csv"], &rule[..]].concat();
    let cyclic = said(folder.path(), &ring);
    assert_eq!(cyclic.status, 1, "{}", cyclic.out);
    assert!(cyclic.out.contains("one can occur") && cyclic.err.contains("cycle"), "{}", cyclic.err);
}
