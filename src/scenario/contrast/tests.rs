//! Tests of comparisons of scenarios.

use super::*;
use crate::scenario::{Override, builtin, parse};

fn set(name: &str, settings: &[(&str, &str)]) -> Scenario {
    let overrides: Vec<Override> = settings
        .iter()
        .map(|&(path, value)| Override {
            path: path.into(),
            value: value.into(),
            label: format!("--set {path}={value}"),
        })
        .collect();
    parse(name, builtin::find(name).unwrap().text, &overrides).unwrap()
}

fn told(one: &Scenario, two: &Scenario) -> Vec<(String, String, String)> {
    let tell = |it: Difference| {
        let [one, two] = it.values;
        (it.field, one, two)
    };
    differences(one, two).into_iter().map(tell).collect()
}

const TORUS: &str = "papers/adaptive-torus-8x8";

#[test]
fn what_differs_is_told_by_field_and_briefly() {
    let base = set(TORUS, &[]);
    assert!(
        told(&base, &set(TORUS, &[("seed", "7"), ("traffic.arrivals.rate", "0.001")])).is_empty()
    );
    let owned =
        |it: [(&str, &str, &str); 1]| it.map(|(a, b, c)| (a.into(), b.into(), c.into())).to_vec();
    assert_eq!(
        told(&base, &set(TORUS, &[("routing", "DimensionOrder()")])),
        owned([("routing", "MinimalAdaptive", "DimensionOrder")])
    );
    assert_eq!(
        told(&base, &set(TORUS, &[("routing.escape", "Dateline")])),
        owned([("routing.escape", "Destination", "Dateline")])
    );
    let deep = set(TORUS, &[("switching.buffer_flits", "9")]);
    assert_eq!(told(&base, &deep), owned([("switching.buffer_flits", "2", "9")]));
    assert_eq!(names(&differences(&base, &deep)), ["buffer_flits 2", "buffer_flits 9"]);
    let hot = set(TORUS, &[("traffic.destinations", "Hotspot(nodes: [(3, 3)], percent: 5)")]);
    assert_eq!(told(&base, &hot), owned([("traffic.destinations", "Uniform", "Hotspot")]));
    let hotter = set(TORUS, &[("traffic.destinations", "Hotspot(nodes: [(4, 3)], percent: 5)")]);
    assert_eq!(told(&hot, &hotter), owned([("traffic.destinations.nodes", "[27]", "[28]")]));
    let hold = set("papers/circuit-hold-8", &[]);
    let drop = set("papers/circuit-hold-8", &[("switching.conflict", "Drop(back_off: 1.5)")]);
    assert_eq!(told(&hold, &drop), owned([("switching.conflict", "Hold", "Drop")]));
    assert_eq!(names(&differences(&hold, &drop)), ["Hold", "Drop"]);
}

#[test]
fn the_same_network_is_asked_for_and_the_same_messages_are_sent() {
    let base = set(TORUS, &[]);
    let other = set(TORUS, &[("seed", "9"), ("traffic.arrivals.rate", "0.001")]);
    let run = beside(&base, &other).unwrap();
    assert_eq!((run.seed, run.system.traffic.rate), (base.seed, base.system.traffic.rate));
    assert!(same_messages(&base, &run));
    assert!(!same_messages(&base, &set(TORUS, &[("traffic.lengths", "Fixed(3)")])));
    for (network, routing) in
        [("Mesh(radix: [8, 8])", "DimensionOrder()"), ("Torus(radix: [4, 4])", "DimensionOrder()")]
    {
        let other = set(TORUS, &[("network", network), ("routing", routing)]);
        let refused = beside(&base, &other).unwrap_err().to_string();
        assert!(refused.contains("not the same network as"), "{refused}");
    }
    // Channels of terminals do not matter.
    let machine = "Wormhole(preset: MeshTorus1997, virtual_channels: 4)";
    let channels = set(TORUS, &[("switching", machine), ("routing", "DimensionOrder()")]);
    beside(&base, &channels).unwrap();
    let fast = set(TORUS, &[("traffic.arrivals.rate", "0.08")]);
    let long =
        set(TORUS, &[("traffic.lengths", "Fixed(1000)"), ("traffic.arrivals.rate", "0.0001")]);
    let refused = beside(&fast, &long).unwrap_err().to_string();
    assert!(refused.contains("at most 0.001"), "{refused}");
}

#[test]
fn values_are_written_as_a_scenario_says_them() {
    let base = set(TORUS, &[]);
    let transposed = set(TORUS, &[("traffic.destinations", "Transpose")]);
    assert_eq!(
        told(&base, &transposed),
        [("traffic.destinations".into(), "Uniform".into(), "Transpose".into())]
    );
    let short = set("papers/circuit-hold-8", &[("traffic.lengths", "Fixed(0.5)")]);
    let shorter = set("papers/circuit-hold-8", &[("traffic.lengths", "Fixed(0.25)")]);
    assert_eq!(
        told(&short, &shorter),
        [("traffic.lengths".into(), "Fixed(0.5)".into(), "Fixed(0.25)".into())]
    );
}

#[test]
fn what_a_field_is_where_it_is_left_out_is_what_the_machine_has() {
    let machine = |fields: &str| {
        set(TORUS, &[("switching", &format!("Wormhole({fields})"))]).system.switching
    };
    let plain = machine("");
    for field in crate::switching::Wormhole::FIELDS {
        if let crate::words::Need::Default(value) = field.need {
            assert_eq!(machine(&format!("{}: {value}", field.name)), plain, "{}", field.name);
        }
    }
    let circuit = |fields: &str| {
        let value = format!("Circuit(conflict: Hold, {fields})");
        set("papers/circuit-hold-8", &[("switching", &value)]).system.switching
    };
    assert_eq!(circuit("service: 0.001, on_deadlock: Abort(back_off: 1.5)"), circuit(""));
}

#[test]
fn worms_take_as_many_cycles_as_the_data_over_circuits() {
    let circuits = set("papers/circuit-adaptive-8", &[]);
    let field = |path: &str, value: &str| Override {
        path: path.into(),
        value: value.into(),
        label: String::new(),
    };
    let switching = field("switching", "Wormhole(virtual_channels: 4)");
    let converted = as_worms(&circuits, std::slice::from_ref(&switching));
    let told: Vec<(&str, &str)> = converted.iter().map(|it| (&*it.path, &*it.value)).collect();
    // 1024 cycles in a unit of time.
    assert_eq!(
        told,
        [
            ("traffic.lengths", "Uniform(min: 102, max: 1946)"),
            ("traffic.arrivals.rate", "0.0001953125")
        ]
    );
    let worms = circuits.with(converted.into_iter().chain([switching.clone()])).unwrap();
    let beside = beside(&circuits, &worms).unwrap();
    assert_eq!(beside.system.traffic.rate, Rate(0.2 / 1024.0));
    // Given fields stay, and other lengths are refused as before.
    let given = field("traffic.lengths", "Fixed(64)");
    let all = [switching.clone(), given];
    let converted = as_worms(&circuits, &all);
    assert_eq!(converted.len(), 1);
    let short = circuits.with(converted.into_iter().chain(all)).unwrap();
    assert!(super::beside(&circuits, &short).unwrap_err().what.contains("units of time differ"));
    // Nothing changes where circuits stay circuits, or worms worms.
    let drop = field("switching", "Circuit(conflict: Drop(back_off: 1.5))");
    assert!(as_worms(&circuits, &[drop]).is_empty());
    assert!(as_worms(&set(TORUS, &[]), &[switching]).is_empty());
}

#[test]
fn tables_differ_by_the_rows_that_the_other_lacks() {
    let row = |(at, to): (u32, u32), turn: u32| {
        let next = if at ^ to == 3 { at ^ turn } else { to };
        format!("{at},{to},{next}")
    };
    let pairs = || (0..4).flat_map(|at| (0..4).map(move |to| (at, to))).filter(|(a, b)| a != b);
    let x_first: Vec<String> = pairs().map(|pair| row(pair, 1)).collect();
    let with = |rows: &[String]| {
        let routing = format!("Table(routes: \"at,destination,next\n{}\n\")", rows.join("\n"));
        set("hangs/x-first-and-y-first", &[("routing", &routing)])
    };
    let one = with(&x_first);
    let mut other = x_first.clone();
    other.reverse();
    assert!(told(&one, &with(&other)).is_empty(), "the order of rows does not matter");
    other[11 - 2] = row((0, 3), 2);
    let expected = |values: [&str; 2]| {
        vec![("routing.routes".to_owned(), values[0].to_owned(), values[1].to_owned())]
    };
    assert_eq!(told(&one, &with(&other)), expected(["1 of 12 rows", "1 of 12 rows"]));
    assert_eq!(names(&differences(&one, &with(&other))), ["routes 1 of 12 rows"; 2]);
    other.push(row((0, 3), 1));
    assert_eq!(told(&one, &with(&other)), expected(["0 of 12 rows", "1 of 13 rows"]));
}
