//! Formulas and texts of a small study.

use super::*;
use crate::experiment::reproduce::tests::{read, replications};

/// Formulas and texts about the three cases of a study, of 10, 20 and 80 cycles.
#[test]
fn formulas_come_to_what_they_say() {
    let text = r#"Study(
        name: "three",
        paper: "",
        about: "",
        lets: {"double": "2 * latency", "none": "if(0, 1)"},
        cycles: 4000,
        warm_up: 0,
        replications: 2,
        scenario: "papers/adaptive-torus-{k}x{k}",
        set: {"traffic.arrivals.rate": "{load * model.limit:.6}", "traffic.lengths": "{none}"},
        models: {"model": ["nothing", "adaptive torus: calibrated"]},
        curve: "{k}",
        x: "load",
        cases: [(
            values: {"k": 4},
            axes: [(of: "load", all: [0.1, 0.5, 0.9, 0.99])],
            only: "load < 0.95",
        )],
        tables: [],
        figures: [],
        claims: [(
            says: "each takes more than the one before",
            of: "1",
            beside: [(name: "before", is: "index == this.index - 1")],
            each: [("latency / before.latency", "1", "inf")],
            evidence: "{list('{it:.1}')}",
        )],
    )"#;
    let study = read(text);
    let content = study.content();
    let mut results = Results::none(3);
    for (at, latency) in [10.0, 20.0, 80.0].into_iter().enumerate() {
        results.add(PointId(at), &replications(latency, 0.0));
    }
    let judged = content.judge(&content.claims[0], &results);
    assert_eq!((judged.verdict(), judged.evidence.as_str()), (Verdict::Holds, "2.0, 4.0"));
    let cases = study.cases();
    let items = [0, 1, 2].map(Item::alone);
    let scope = Scope { cases, results: &results, item: &items[1], items: &items };
    let text = |text: &str| scope.text(&Text::try_from(text).unwrap());
    for (asked, expected) in [
        ("{1 + 2 * 3 ^ 2 - 4 / 2}", "17"),
        ("{-2 ^ 2} {!(1 > 2 & 3 > 2 | 0)} {(1 <= 1) + (2 != 2)}", "-4 1 1"),
        ("{load} {double} {latency / 3:.2} {0.123:+.1%} %", "0.5 40 6.67 +12.3 %"),
        ("{if(load == 0.5, 'half of {k}', 'not half')}", "half of 4"),
        ("{list('{latency} at {load}', '; ', -load)}", "80 at 0.9; 20 at 0.5; 10 at 0.1"),
        ("{groups(latency > 15, '{count} {max(latency)}', ', ')}", "1 10, 2 80"),
        (
            "{min(latency)} {sum(latency)} {max(3, 4)} {first(load)} {last(load)}",
            "10 110 4 0.1 0.9",
        ),
        ("{at_max(latency, 'at {load}')} {at_min(latency, load)}", "at 0.9 0.1"),
        ("{reaches(40):.3} {at(0.7):.3}", "0.700 50.000"),
        (
            "{crosses(load, latency - 15):.3} {rises(load, latency)}{rises(-load, latency)}",
            "0.300 10",
        ),
        ("{rms(latency):.3} {abs(-1.5)} {defined(first(model))}", "47.958 1.5 1"),
        ("{model.at(model.reaches(20)):.2}", "20.00"),
        (
            "{spread(latency / 20 - 1, '{load}')}",
            "3 lines, root mean square 175.59 %, worst +300.00 % (0.9)",
        ),
    ] {
        assert_eq!(text(asked).as_deref(), Some(expected), "{asked}");
    }
    // What is missing makes missing what is worked out from it.
    let nothing = Results::none(3);
    let unknown = Scope { results: &nothing, ..scope };
    let formula = |text: &str| Formula::try_from(text).unwrap();
    for asked in ["latency", "1 + double", "if(0, 1)", "reaches(40)", "rms(latency)"] {
        assert_eq!(unknown.number(&formula(asked)), None, "{asked}");
    }
    assert!(!unknown.holds(&formula("latency > 0")) && unknown.holds(&formula("!(latency > 0)")));
}
