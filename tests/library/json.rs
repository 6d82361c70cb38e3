//! Scenarios in JSON: the schema, the same systems as in RON, and the same mistakes with their places.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use flitscope::experiment::sweep::Study;
use flitscope::scenario::{self, Problem, Scenario, builtin, json, json_schema, parse, render};
use flitscope::session::Session;
use flitscope::stats::WarmUp;
use flitscope::units::Cycle;
use serde_json::Value;

use crate::schema::accepts;

/// Calls `visit` with every schema in a schema.
fn each<'s>(schema: &'s Value, visit: &mut impl FnMut(&'s Value)) {
    visit(schema);
    let members = schema["properties"].as_object().into_iter().flat_map(|all| all.values());
    let others = ["anyOf", "prefixItems"].map(|key| schema[key].as_array().into_iter().flatten());
    for inner in members.chain(others.into_iter().flatten()).chain(schema.get("items")) {
        each(inner, visit);
    }
}

#[test]
fn the_schema_says_of_every_value_what_it_may_be() {
    let schema = json_schema();
    let mut count = 0;
    each(&schema, &mut |schema| {
        count += 1;
        let typed = ["type", "const", "anyOf"].iter().any(|key| schema.get(key).is_some());
        let items = schema["type"] != "array" || schema.get("items").is_some();
        assert!(typed && items, "{schema}");
    });
    assert!(count > 200, "{count}");
}

fn after(scenario: Scenario, cycles: u64) -> u64 {
    let mut run = Session::new(Arc::new(scenario), 1, 0, WarmUp::Cycles(0));
    run.advance(Cycle(cycles));
    run.fingerprint()
}

#[test]
fn every_shipped_scenario_is_the_same_in_json_and_fits_the_schema() {
    let schema = json_schema();
    for builtin in builtin::ALL.iter() {
        let text = json(builtin.text).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert!(accepts(&schema, &value), "{text}");
        let ron = parse(builtin.name, builtin.text, &[]).unwrap();
        let read = parse(builtin.name, &text, &[]);
        let read = read.unwrap_or_else(|problems| panic!("{}\n{text}", render(&problems)));
        assert_eq!((&read.title, &read.description), (&ron.title, &ron.description));
        assert_eq!(read.seed, ron.seed);
        assert_eq!(after(read, 40), after(ron, 40), "{}", builtin.name);
    }
}

#[test]
fn fields_are_set_to_values_in_json() {
    use scenario::{ron_value, ron_values};
    let hot = r#"{"Hotspot": {"nodes": [[3, 3]], "percent": 4}}"#;
    let ron = ron_value("traffic.destinations", hot);
    assert_eq!(ron.as_deref(), Some("Hotspot(nodes: [(3, 3)], percent: 4)"));
    assert_eq!(ron_value("routing", "\"OddEven\"").as_deref(), Some("OddEven"));
    assert_eq!(ron_value("title", "\"OddEven\"").as_deref(), Some("\"OddEven\""));
    for ron in ["8", "[4, 4]", "OddEven()", "File(\"a.csv\")", "\"never closed"] {
        assert_eq!(ron_value("network.radix", ron), None, "{ron}");
    }
    let listed = r#"["DimensionOrder", {"MinimalAdaptive": {"escape": "Destination"}}]"#;
    let ron = ron_values("routing", listed);
    assert_eq!(ron.as_deref(), Some("[DimensionOrder, MinimalAdaptive(escape: Destination)]"));
    let pairs = r#"[["DimensionOrder", 2], ["OddEven", 3]]"#;
    let ron = ron_values("routing, switching.virtual_channels", pairs);
    assert_eq!(ron.as_deref(), Some("[(DimensionOrder, 2), (OddEven, 3)]"));
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let schema = json_schema();
    let text = json(builtin::find("torus-8x8").unwrap().text).unwrap();
    for (right, wrong) in [
        ("\"radix\": [8, 8]", "\"radix\": [8, 0]"),
        ("\"radix\": [8, 8]", "\"radix\": \"8x8\""),
        ("\"radix\"", "\"size\""),
        ("\"network\"", "\"topology\""),
        ("\"destinations\": \"Uniform\"", "\"destinations\": \"Random\""),
        ("\"destinations\": \"Uniform\"", "\"destinations\": {\"Hotspot\": {\"nodes\": [[0, 0]]}}"),
        ("\"destinations\": \"Uniform\"", "\"destinations\": {\"Decreasing\": {\"ratio\": 1}}"),
        ("\"destinations\": \"Uniform\"", "\"destinations\": {\"Pairs\": [[0, 1, \"two\"]]}"),
    ] {
        let changed = text.replacen(right, wrong, 1);
        assert_ne!(changed, text, "{right}");
        assert!(!accepts(&schema, &serde_json::from_str(&changed).unwrap()), "{wrong}");
        assert!(parse("x.json", &changed, &[]).is_err(), "{wrong}");
    }
}

/// The text that a problem underlines.
fn marked(problem: &Problem) -> String {
    let place = problem.place.as_ref().unwrap();
    place.text.chars().skip(place.column - 1).take(place.length).collect()
}

/// Texts whose mistake is a pair of parentheses in the place of brackets: both are arrays in JSON.
const PARENTHESES: [&str; 2] = ["radix-not-a-list.ron", "hotspot-not-a-list.ron"];

#[test]
fn broken_scenarios_have_the_same_problems_in_json() {
    let mut compared = 0;
    for entry in std::fs::read_dir("tests/broken").unwrap() {
        let path = entry.unwrap().path();
        let ron = std::fs::read_to_string(&path).unwrap();
        if PARENTHESES.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        // Without a name twice, which is no difference but cannot be printed.
        let Some(text) = json(&ron) else { continue };
        let expected = parse("x", &ron, &[]).unwrap_err();
        // Names and texts are both in quotes in JSON.
        if render(&expected).contains("quotes") {
            continue;
        }
        let found = parse("x", &text, &[]).err().unwrap_or_else(|| panic!("{path:?}\n{text}"));
        let lines: Vec<&str> = text.lines().collect();
        for (one, other) in expected.iter().zip(&found) {
            let place = other.place.as_ref().unwrap();
            assert_eq!(lines.get(place.line - 1), Some(&place.text.as_str()), "{path:?}");
            // JSON has no infinite numbers.
            let is_number = |text: &str| text.parse().is_ok_and(f64::is_finite);
            if is_number(&marked(one)) {
                assert_eq!(marked(one), marked(other), "{path:?}");
            }
        }
        let all = format!("{}\n{}", render(&expected), render(&found));
        assert_eq!(expected.len(), found.len(), "{path:?}\n{all}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

const MESH: &str = r#"{
  "title": "A mesh",
  "network": {"Mesh": {"radix": [8, 8]}},
  "switching": {"Wormhole": {"virtual_channels": 2}},
  "routing": "DimensionOrder",
  "traffic": {
    "arrivals": {"Poisson": {"rate": 0.01}},
    "destinations": {"Hotspot": {"nodes": [[3, 3]], "percent": 4}},
    "lengths": {"Fixed": 12}
  },
  "seed": 7
}
"#;

#[test]
fn mistakes_in_json_are_shown_in_json() {
    parse("mesh.json", MESH, &[]).unwrap_or_else(|problems| panic!("{}", render(&problems)));
    let mut all = String::new();
    for (right, wrong) in [
        ("\"radix\": [8, 8]", "\"radix\": [8, 8],"),
        ("\"title\"", "// a comment\n  \"title\""),
        ("\"title\"", "title"),
        ("\"A mesh\"", "'A mesh'"),
        ("\"title\": ", "\"title\" "),
        ("0.01", "0,01"),
        ("12", "1 024"),
        ("0.01", "01"),
        ("0.01", "NaN"),
        ("0.01", "null"),
        ("0.01", "\"0.01\""),
        ("  \"seed\": 7\n}\n", "  \"seed\": 7\n"),
        ("\"seed\": 7", "\"seed\": -7"),
        ("\"seed\"", "\"the seed\""),
        ("\"seed\": 7", "\"title\": \"twice\""),
        ("\"virtual_channels\"", "\"virtual_chanels\""),
        ("\"virtual_channels\": 2", "\"virtual_channels\": 40"),
        ("\"DimensionOrder\"", "\"WestFirstt\""),
        ("\"DimensionOrder\"", "{\"classes\": \"None\"}"),
        ("{\"Fixed\": 12}", "12"),
        ("{\"Fixed\": 12}", "{\"Fixed\": [12, 13]}"),
        ("{\"Fixed\": 12}", "{\"Uniform\": [4, 20]}"),
        ("{\"Mesh\": {\"radix\": [8, 8]}}", "{\"Mesh\": [8, 8]}"),
        ("{\"Mesh\": {\"radix\": [8, 8]}}", "{\"Torus\": {\"links\": \"Unidirectional\"}}"),
        ("[[3, 3]]", "[[3, 9]]"),
        ("[[3, 3]]", "[[3, 3], [3, 3]]"),
        ("\"rate\": 0.01", "\"rate\": 0.01, \"load\": 0.1"),
        ("\"rate\": 0.01", ""),
        ("\n}\n", "\n}\n}"),
    ] {
        let text = MESH.replacen(right, wrong, 1);
        assert_ne!(text, MESH, "{right}");
        let problems = parse("mesh.json", &text, &[]).err().unwrap_or_else(|| panic!("{wrong}"));
        writeln!(all, "## {}\n{}", wrong.replace('\n', "~"), render(&problems)).unwrap();
    }
    insta::assert_snapshot!("json", all);
}

#[test]
fn a_study_and_a_session_may_be_json() {
    let study = r#"{"scenario": "papers/adaptive-torus-4x4", "cycles": 20000,
        "vary": {"routing, switching.virtual_channels":
            [["DimensionOrder", 2], [{"MinimalAdaptive": {"escape": "Destination"}}, 3]]},
        "loads": {"Range": {"from": 0.1, "to": 0.3, "points": 2}}}"#;
    assert!(flitscope::experiment::sweep::is_study(study));
    let told = parse("study.json", study, &[]).unwrap_err();
    assert_eq!(told[0].what, "this is a study, not a scenario");
    let read = |text: &str| Study::read("study.json", text, Path::new(""), &[]);
    let ron = r#"Study(scenario: "papers/adaptive-torus-4x4",
        vary: {"routing, switching.virtual_channels":
            [(DimensionOrder, 2), (MinimalAdaptive(escape: Destination), 3)]},
        loads: Range(from: 0.1, to: 0.3, points: 2), cycles: 20000)"#;
    let prints = |study: &Study| -> Vec<String> {
        study.points.iter().map(|point| point.task.fingerprint.clone()).collect()
    };
    let (one, other) = (read(study).unwrap(), read(ron).unwrap());
    assert_eq!(prints(&one), prints(&other));
    assert_eq!(one.text("x"), other.text("x"));
    // The places of mistakes are those of the JSON.
    let problems = read(&study.replace("\"Destination\"", "\"Datelin\"")).unwrap_err();
    assert_eq!(
        (problems[0].place.as_ref().unwrap().line, marked(&problems[0])),
        (3, "\"Datelin\"".into())
    );
    let problems = read(&study.replace(", 2]", ", 99]")).unwrap_err();
    assert_eq!((problems[0].place.as_ref().unwrap().line, marked(&problems[0])), (3, "99".into()));
    let session = format!(
        r#"{{"scenario": {MESH}, "journal": [{{"Rate": {{"cycle": 4, "rate": 0.02}}}}],
        "bookmarks": [3], "cycle": 9, "overrides": [["switching.buffer_flits", "2"]]}}"#
    );
    assert!(scenario::is_session(&session));
    let saved = flitscope::session::saved::parse("session.json", &session).unwrap();
    assert_eq!((saved.journal.len(), saved.cycle), (1, Cycle(9)));
    // A session of a scenario in JSON is written in RON.
    assert_eq!(flitscope::session::saved::parse("x", &saved.text()).unwrap().text(), saved.text());
    let described = session.replacen('{', "{\"$comment\": \"A mesh.\\nIt is small.\", ", 1);
    let saved = flitscope::session::saved::parse("session.json", &described).unwrap();
    assert_eq!(saved.scenario.description, "A mesh.\nIt is small.");
    let again = flitscope::session::saved::parse("again.json", &saved.json().unwrap()).unwrap();
    assert_eq!(again.json(), saved.json());
    let wrong = session.replace("\"Mesh\": {\"radix\": [8", "\"Mesh\": {\"radix\": [0");
    let problems = flitscope::session::saved::parse("session.json", &wrong).unwrap_err();
    assert_eq!((problems[0].place.as_ref().unwrap().line, marked(&problems[0])), (3, "0".into()));
}

#[test]
fn every_shipped_study_is_read_from_json() {
    for name in flitscope::experiment::reproduce::STUDIES {
        let (path, ron) = builtin::study(&format!("studies/{name}")).unwrap();
        let folder = Path::new("scenarios").join(&path);
        let read = |text: &str| Study::read(&path, text, folder.parent().unwrap(), &[]);
        let text = json(ron).unwrap();
        let study = read(&text).unwrap_or_else(|problems| panic!("{}", render(&problems)));
        assert_eq!(study.points.len(), read(ron).unwrap().points.len());
    }
}

#[test]
fn the_schema_takes_of_broken_scenarios_only_those_that_break_a_rule_across_fields() {
    let schema = json_schema();
    let (mut taken, mut refused) = (Vec::new(), 0);
    let files = std::fs::read_dir("tests/broken").unwrap().map(|entry| entry.unwrap().path());
    for path in files {
        let Some(text) = json(&std::fs::read_to_string(&path).unwrap()) else { continue };
        // A mistake of notation may be lost on the way.
        let Err(problems) = parse("x.json", &text, &[]) else { continue };
        match serde_json::from_str(&text) {
            Ok(value) if accepts(&schema, &value) => {
                taken.push(format!(
                    "{}: {}",
                    path.file_stem().unwrap().display(),
                    problems[0].what
                ));
            }
            Ok(_) | Err(_) => refused += 1,
        }
    }
    taken.sort();
    insta::assert_snapshot!("taken_by_the_schema", taken.join("\n"));
    assert!(refused > 50, "{refused}");
}
