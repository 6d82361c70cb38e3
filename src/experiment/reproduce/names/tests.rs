//! What a study's file gets wrong, with its place.

use std::path::Path;

use crate::experiment::sweep::Study;
use crate::scenario::{Problem, render};

fn read(text: &str) -> Result<Study, Vec<Problem>> {
    Study::read("a.ron", text, Path::new(""), &[])
}

const STUDY: &str = r#"Study(
    name: "a-study",
    paper: "",
    about: "",
    lets: {"double": "2 * latency", "apart": "latency / slow.latency"},
    cycles: 1000,
    replications: 2,
    scenario: "mesh-8x8",
    set: {"traffic.arrivals.rate": "{load}"},
    axis: "traffic.arrivals.rate",
    models: {"mesh": ["mesh: corrected"]},
    x: "load",
    cases: [(axes: [(of: "load", all: [0.001])])],
    tables: [],
    figures: [],
    claims: [(
        says: "",
        of: "1",
        beside: [(name: "slow", is: "index == this.index")],
        each: [("apart", "0", "mesh.at(load)")],
        evidence: "{list('{double}')}",
    )],
)"#;

#[test]
fn an_unknown_name_has_its_place_and_the_nearest_that_there_is() {
    assert!(read(STUDY).is_ok());
    // What is replaced by what, the name that is wrong then, and what is said.
    for (part, by, name, told) in [
        ("2 * latency", "2 * latncy", "latncy", ["figure of a case called", "`latency`"]),
        ("{load}", "{if(1, loda)}", "loda", ["figure of a case called", "`load`"]),
        ("this.index", "thi.index", "thi", ["model or case beside called", "`this`"]),
        ("mesh.at(", "mesh.art(", "art", ["figure of a model called", "`at`"]),
        ("mesh.at(load)", "mash.limit", "mash", ["model or case beside called", "`mesh`"]),
        ("list(", "lits(", "lits", ["function called", "`list`"]),
        ("mesh.at(load)", "abs(load, 1)", "abs", ["`abs` takes 1 arguments, not 2", ""]),
        ("2 * latency", "2 * * latency", "", ["a.ron:", "does not go on with"]),
        ("axis:", "axs:", "axs", ["no field `axs`", "did you mean `axis`?"]),
        ("says:", "sys:", "", ["a.ron:", "did you mean `says`?"]),
        ("cycles: 1000", "cycles: -1", "-1", ["must be 0 to", "write 0 or more"]),
        ("replications: 2", "seeds: [1, 2]", "[1, 2]", ["besides `cases`", "remove one"]),
        (
            "\"2 * latency\"",
            "\"1 + apart + double\"",
            "",
            ["`double` is worked out from itself", ""],
        ),
        ("tables: []", "tables: [", "", ["a.ron:", ""]),
    ] {
        assert_eq!(STUDY.matches(part).count(), 1, "{part}");
        let text = STUDY.replace(part, by);
        let said = render(&read(&text).unwrap_err());
        assert!(told.iter().all(|told| said.contains(told)), "{by}: {told:?} in\n{said}");
        let at = text.find(by).unwrap() + by.find(name).unwrap();
        let line = text[..at].matches('\n').count();
        let column = at - text[..at].rfind('\n').unwrap();
        let place = format!("a.ron:{}:{column}\n", line + 1);
        assert!(name.is_empty() || said.contains(&place), "{place} in\n{said}");
    }
    let several = STUDY.replace("2 * latency", "one + two");
    assert_eq!(read(&several).unwrap_err().len(), 2);
}

#[test]
fn a_scenario_that_there_is_not_is_told_as_a_problem() {
    for (part, by, told) in [
        ("mesh-8x8", "mesh-9x8", "no such built-in scenario"),
        ("\"{load}\"", "\"{-load}\"", "traffic.arrivals.rate=-0.001"),
        ("x: \"load\"", "x: \"if(0, 1)\"", "a place on a curve is missing"),
    ] {
        let text = render(&read(&STUDY.replace(part, by)).unwrap_err());
        assert!(text.contains(told), "{told} in\n{text}");
    }
}
