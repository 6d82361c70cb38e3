//! Scenarios with networks in files: problems of both, and texts that name no files.

use crate::scenario::{self, Override, Problem, Scenario};

const EDGES: &str =
    "from,to,delay,one_way,colour\na,b,10,,red\nb,a,3,true,\nhost,h0,b\nhost,h1,a\n";

const TEXT: &str = "// Two routers.\nScenario(\n    network: File(\"fabric.csv\"), // beside\n    \
    routing: ShortestPath(),\n    traffic: (arrivals: Poisson(rate: 0.01), destinations: Uniform, \
    lengths: Fixed(12)),\n)\n";

fn read(text: &str, edges: &str, set: &[Override]) -> Result<Scenario, Vec<Problem>> {
    let load = |name: &str| match name {
        "fabric.csv" => Ok(edges.as_bytes().to_vec()),
        _ => Err("there is no such file".to_owned()),
    };
    scenario::parse_with("a.ron", text, set, &load)
}

#[test]
fn the_text_then_contains_the_network() {
    let scenario = read(TEXT, EDGES, &[]).unwrap();
    let alone = scenario::parse("b.ron", &scenario.text, &[]).unwrap();
    assert_eq!(alone.system.network, scenario.system.network);
    assert_eq!(scenario.system.network.links(), 3);
    assert!(scenario.text.starts_with("// Two routers.\n") && scenario.text.contains("// beside"));
    assert_eq!(scenario.notes, ["fabric.csv: `colour` is ignored"]);
    assert_eq!(scenario.remarks()[0], scenario.notes[0]);
    let other = scenario.with_field("seed", "7").unwrap();
    assert_eq!(other.notes, scenario.notes);
}

#[test]
fn json_and_overrides_name_files_too() {
    let expected = read(TEXT, EDGES, &[]).unwrap().system.network;
    let json = r#"{"$comment": "Two routers.", "network": {"File": "fabric.csv"}, "routing": "ShortestPath",
        "traffic": {"arrivals": {"Poisson": {"rate": 0.01}}, "destinations": "Uniform",
        "lengths": {"Fixed": 12}}}"#;
    let scenario = read(json, EDGES, &[]).unwrap();
    assert_eq!(scenario.description, "Two routers.");
    let alone = scenario::parse("b.ron", &scenario.text, &[]).unwrap();
    assert_eq!(alone.description, "Two routers.");
    assert_eq!(alone.system.network, expected);
    let (path, value) = ("network".to_owned(), "File(\"fabric.csv\")".to_owned());
    let set = Override { label: format!("--set network={value}"), path, value };
    let text = TEXT.replace("File(\"fabric.csv\")", "Torus(radix: [4, 4])");
    let scenario = read(&text, EDGES, &[set]).unwrap();
    assert_eq!(scenario.with_field("seed", "7").unwrap().system.network, expected);
}

#[test]
fn other_fields_of_a_scenario_may_name_files() {
    let base =
        scenario::parse("a.ron", &TEXT.replace("File(\"fabric.csv\")", "Mesh(radix: [3, 3])"), &[]);
    let load = |name: &str| match name {
        "fabric.csv" => Ok(EDGES.as_bytes().to_vec()),
        _ => Err("there is no such file".to_owned()),
    };
    let (path, value) = ("network".to_owned(), "File(\"fabric.csv\")".to_owned());
    let set = || Override { label: "set".into(), path: path.clone(), value: value.clone() };
    let base = base.unwrap();
    assert!(base.with([set()]).unwrap_err()[0].what.contains("no files are read here"));
    let other = base.with_files([set()], &load).unwrap();
    assert_eq!(other.system.network.links(), 3);
    assert_eq!(other.notes, ["fabric.csv: `colour` is ignored"]);
}

#[test]
fn problems_of_a_file_have_its_name_and_places() {
    let problems =
        read(TEXT, &EDGES.replace("10", "x").replace("3,true", "0,true"), &[]).unwrap_err();
    let places: Vec<(&str, usize, usize)> = problems
        .iter()
        .map(|it| {
            (it.source.as_str(), it.place.as_ref().unwrap().line, it.place.as_ref().unwrap().column)
        })
        .collect();
    assert_eq!(places, [("fabric.csv", 2, 5), ("fabric.csv", 3, 5)]);
    let problems = read(&TEXT.replace("fabric.csv", "other.csv"), EDGES, &[]).unwrap_err();
    assert_eq!(problems[0].source, "a.ron");
    assert!(problems[0].what.contains("`other.csv` cannot be read: there is no such file"));
    let problems = scenario::parse("a.ron", TEXT, &[]).unwrap_err();
    assert!(problems[0].what.contains("no files are read here"), "{problems:?}");
}
