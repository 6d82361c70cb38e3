//! Tests of wrong names in a study file, with their positions.

use super::*;
use crate::scenario::Problem;

fn read(text: &str) -> Result<Study, Vec<Problem>> {
    Study::read("a.ron", text, Path::new(""), &[])
}

const NAMED: &str = r#"Study(
    name: "a-study",
    cycles: 1000,
    replications: 2,
    scenario: "mesh-8x8",
    set: {"traffic.arrivals.rate": "{load}"},
    axis: "traffic.arrivals.rate",
    models: {"mesh": ["mesh: corrected"]},
    x: "load",
    cases: [(axes: [(of: "load", all: [0.001])])],
    tables: [(name: "a", title: "", unit: "", decimals: 1, lines: [
        (of: {"load": [0.001]}, name: "at {load}", simulation: "latency", model: "mesh.limit"),
    ])],
)"#;

#[test]
fn an_unknown_name_has_its_place_and_the_nearest_that_there_is() {
    assert!(read(NAMED).is_ok());
    // The replaced text, its replacement, the wrong name, and the message.
    for (part, by, name, told) in [
        ("\"latency\"", "\"latncy\"", "latncy", ["no figure of a case", "`latency`"]),
        ("at {load}", "at {loda}", "loda", ["no figure of a case", "`load`"]),
        ("mesh.limit", "mesh.limt", "mesh.limt", ["no figure of a case", "`mesh.limit`"]),
        ("{\"load\": [", "{\"lod\": [", "lod", ["no figure of a case", "`load`"]),
        ("{load}", "{load:.3}", "load:.3", ["is a formula", "the name of a value"]),
        ("\"latency\"", "\"2 * latency\"", "2 * latency", ["is a formula", "such as `latency`"]),
        (
            "{\"load\": [0.001]}",
            "\"load == 0.001\"",
            "load == 0.001",
            ["`load == 0.001` is a formula", "name the values"],
        ),
        ("name: \"a-study\"", "lets: {\"a\": \"2\"}", "lets", ["are formulas", "a number"]),
        ("name: \"a-study\"", "claims: [(says: \"\")]", "[", ["no claims", "`tables`"]),
        ("name: \"a-study\"", "claims: \"hop\"", "\"hop\"", ["no paper", "`hops`"]),
        ("axis:", "axs:", "axs", ["no field `axs`", "did you mean `axis`?"]),
        ("simulation:", "simulaton:", "", ["a.ron:", "did you mean `simulation`?"]),
        ("cycles: 1000", "cycles: -1", "-1", ["must be 0 to", "write 0 or more"]),
        ("replications: 2", "seeds: [1, 2]", "[1, 2]", ["besides `cases`", "remove one"]),
        ("tables: [", "tables: [[", "", ["a.ron:", ""]),
    ] {
        let text = NAMED.replacen(part, by, 1);
        let said = render(&read(&text).unwrap_err());
        assert!(told.iter().all(|told| said.contains(told)), "{by}: {told:?} in\n{said}");
        let at = text.find(by).unwrap() + by.find(name).unwrap();
        let line = text[..at].matches('\n').count();
        let column = at - text[..at].rfind('\n').unwrap();
        let place = format!("a.ron:{}:{column}\n", line + 1);
        assert!(name.is_empty() || said.contains(&place), "{place} in\n{said}");
    }
    let several = NAMED.replace("at {load}", "{one} {two}");
    assert_eq!(read(&several).unwrap_err().len(), 2);
}

#[test]
fn a_scenario_that_there_is_not_is_told_as_a_problem() {
    for (part, by, told) in [
        ("mesh-8x8", "mesh-9x8", "no such built-in scenario"),
        ("all: [0.001]", "all: [-0.001]", "traffic.arrivals.rate=-0.001"),
        ("x: \"load\"", "x: \"mesh.aborts\"", "a place on a curve is missing"),
    ] {
        let text = render(&read(&NAMED.replace(part, by)).unwrap_err());
        assert!(text.contains(told), "{told} in\n{text}");
    }
}
