//! Circuit scenarios as people meet them: what is refused and why, what is proven, what beyond
//! saturation becomes of a run.

use std::sync::Arc;

use flitscope::routing::dependency::Verdict;
use flitscope::scenario::{Override, Scenario, builtin, parse, render};
use flitscope::session::Session;
use flitscope::stats::WarmUp;
use flitscope::switching::circuit::{Conflict, Duplex, Remedy};
use flitscope::units::{CYCLES_PER_TIME, Cycle, Rate};

const HOLD: &str = "papers/circuit-hold-8";
const ADAPTIVE: &str = "papers/circuit-adaptive-8";
const TORUS: &str = "papers/circuit-torus-hold-8x8";

fn read(name: &str, fields: &[(&str, &str)]) -> Result<Scenario, String> {
    let fields: Vec<Override> = fields
        .iter()
        .map(|(path, value)| Override {
            path: (*path).to_owned(),
            value: (*value).to_owned(),
            label: format!("--set {path}={value}"),
        })
        .collect();
    parse(name, builtin::find(name).unwrap().text, &fields).map_err(|problems| render(&problems))
}

#[test]
fn what_cannot_be_is_said_with_its_place_and_its_remedy() {
    for (name, fields, said) in [
        (HOLD, &[("switching.verify", "-0.1")][..], &["-0.1", "write 0 or more"][..]),
        (HOLD, &[("switching.release", "1e9")], &["0 to 100 units of time", "write 100 or less"]),
        (
            HOLD,
            &[("switching.conflict", "Drop(back_off: 0)")],
            &["back-off must be 0.0001 to 100 units of time, not 0"],
        ),
        (HOLD, &[("switching.conflict", "Dropp")], &["did you mean `Drop`?"]),
        (HOLD, &[("switching.conflict", "Hold(back_off: 1)")], &["`Hold` has no fields"]),
        (HOLD, &[("switching", "Circuit()")], &["needs the field `conflict`"]),
        (HOLD, &[("switching.buffer_flits", "2")], &["buffer_flits"]),
        (
            HOLD,
            &[("routing", "MinimalAdaptive()")],
            &["routing without choices", "such as dimension order"],
        ),
        (HOLD, &[("switching.failed", "[(0, 3)]")], &["no link joins", "the routers of a link"]),
        (HOLD, &[("switching.failed", "[(0, 256)]")], &["must be 0 to 255"]),
        (
            HOLD,
            &[("network", "Mesh(radix: [3])"), ("switching.failed", "[(0, 1)]")],
            &["no path joins", "remove a link"],
        ),
        (
            HOLD,
            &[("network", "FatTree(arity: 2, levels: 2)"), ("routing", "Layered()")],
            &["needs 2 classes", "`routing: Layered(layers: 1)`"],
        ),
        (
            HOLD,
            &[("network", "FatTree(arity: 2, levels: 2)"), ("routing", "NearestCommonAncestor()")],
            &["without choices", "`routing: UpDown()`"],
        ),
        (
            HOLD,
            &[
                ("network", "FatTree(arity: 2, levels: 2)"),
                ("routing", "UpDown()"),
                ("switching.on_deadlock", "Lanes"),
            ],
            &["wrap-around link in dimension order", "there is none in"],
        ),
        (HOLD, &[("routing", "DimensionOrder(classes: Dateline)")], &["leave this field out"]),
        (HOLD, &[("switching.on_deadlock", "Lanes")], &["wrap-around link", "8-cube has none"]),
        (HOLD, &[("traffic.lengths", "Geometric(mean: 4)")], &["no choice `Geometric`"]),
        (HOLD, &[("traffic.lengths", "Fixed(0)")], &["0.0001 to 100", "not 0"]),
        (HOLD, &[("traffic.lengths", "Uniform(min: 2, max: 1)")], &["write 2 or more"]),
        (HOLD, &[("traffic.lengths", "Exponential(mean: 50)")], &["write 5 or less"]),
        (HOLD, &[("traffic.arrivals", "Geometric(rate: 0.1)")], &["write `Poisson`"]),
        (HOLD, &[("traffic.arrivals.rate", "5000")], &["messages per node and unit of time"]),
        (ADAPTIVE, &[("routing", "DimensionOrder()")], &["`routing: MinimalAdaptive`"]),
        (
            ADAPTIVE,
            &[("switching.on_deadlock", "Stop")],
            &["these give", "leave `on_deadlock` out"],
        ),
        (
            ADAPTIVE,
            &[("network", "Torus(radix: [8], links: Unidirectional)")],
            &["another link that leads closer", "there is none"],
        ),
        (
            TORUS,
            &[
                ("network", "Torus(radix: [8, 8])"),
                ("switching.duplex", "Half"),
                ("switching.on_deadlock", "Lanes"),
            ],
            &["meet head on", "write `duplex: Full`"],
        ),
    ] {
        let complaint = read(name, fields).expect_err(said[0]);
        let complaint: String = complaint.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in said {
            assert!(complaint.contains(words), "{fields:?}: no `{words}` in\n{complaint}");
        }
    }
}

#[test]
fn what_is_left_out_is_as_stated() {
    let scenario = read(HOLD, &[("switching", "Circuit(conflict: Drop, connect: 0.5)")]).unwrap();
    let machine = *scenario.system.circuit().unwrap();
    assert_eq!(machine.conflict, Conflict::Drop { back_off: 1.5 });
    assert_eq!((machine.verify, machine.connect, machine.release), (0.001, 0.5, 0.001));
    assert_eq!(machine.duplex, Duplex::Half);
    let scenario = read(TORUS, &[("switching", "Circuit(conflict: Hold, service: 0.2)")]).unwrap();
    let machine = *scenario.system.circuit().unwrap();
    assert_eq!((machine.verify, machine.acknowledge), (0.2, 0.2));
    assert_eq!(machine.duplex, Duplex::Full);
    assert_eq!(machine.on_deadlock, Remedy::Abort { back_off: 1.5 });
    assert_eq!(scenario.system.time_unit().name, "mean transmission times");
    assert!((scenario.system.load().0 - 0.04).abs() < 1e-12);
    let half = read(TORUS, &[("traffic.lengths", "Fixed(0.5)")]).unwrap();
    assert_eq!(half.system.time_unit().name, "time units");
}

#[test]
fn a_proof_is_given_where_there_is_one_and_the_ring_of_links_where_not() {
    let two_ways = ("network", "Torus(radix: [6, 4])");
    let mesh = ("network", "Mesh(radix: [4, 4])");
    let cases = [
        (HOLD, vec![], true),
        (HOLD, vec![("switching.duplex", "Full")], true),
        ("papers/circuit-drop-8", vec![], true),
        (ADAPTIVE, vec![], true),
        (TORUS, vec![], false),
        (TORUS, vec![("switching.on_deadlock", "Lanes")], true),
        (TORUS, vec![two_ways], false),
        (TORUS, vec![two_ways, ("switching.on_deadlock", "Lanes")], true),
        (TORUS, vec![mesh], true),
        // Two circuits that meet head on.
        (TORUS, vec![mesh, ("switching.duplex", "Half")], false),
    ];
    for (name, fields, free) in cases {
        let system = read(name, &fields).unwrap().system;
        match system.proof().verdict {
            Verdict::Free { .. } => assert!(free, "{name} {fields:?}"),
            Verdict::Cyclic { cycle } => {
                assert!(!free && cycle.len() >= 2, "{name} {fields:?}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn beyond_saturation_runs_go_on_and_are_called_saturated() {
    for (name, rate) in [(HOLD, 0.4), ("papers/circuit-drop-8", 1.2), (ADAPTIVE, 1.0), (TORUS, 0.2)]
    {
        let scenario = read(name, &[("traffic.arrivals.rate", &rate.to_string())]).unwrap();
        let nodes = scenario.system.network.nodes() as f64;
        let mut session = Session::new(Arc::new(scenario), 1, 0, WarmUp::Automatic);
        let mut delivered = 0;
        for step in 1..=6 {
            session.advance(Cycle(step * 25 * CYCLES_PER_TIME));
            let now = session.counters().delivered;
            assert!(now > delivered, "{name} is stuck at {step}");
            delivered = now;
        }
        session.audit().unwrap();
        let summary = session.summary();
        assert!(summary.steadiness.is_saturated(), "{name}");
        assert!((summary.offered - rate).abs() < 1e-3 * rate);
        assert!(summary.accepted.unwrap() < 0.99 * rate, "{name}: {summary:?}");
        assert!(session.counters().generated as f64 > 0.9 * rate * nodes * 150.0);
    }
}

#[test]
fn a_change_of_the_rate_counts_from_its_cycle_on() {
    let scenario = Arc::new(read(HOLD, &[]).unwrap());
    let mut session = Session::new(scenario, 1, 0, WarmUp::Automatic);
    session.advance(Cycle(100 * CYCLES_PER_TIME));
    let before = session.counters().generated;
    session.set_rate(Rate(0.025));
    session.advance(Cycle(300 * CYCLES_PER_TIME));
    let after = (session.counters().generated - before) as f64;
    // 25.6 and 6.4 per unit of time; six standard deviations.
    assert!((before as f64 - 2560.0).abs() < 310.0, "{before}");
    assert!((after - 1280.0).abs() < 220.0, "{after}");
}

/// Over seeds it strays about as far as its interval says.
#[test]
fn the_interval_of_the_accepted_load_is_as_wide_as_it_strays() {
    let runs = (1..=12).map(|seed| {
        let load = [("traffic.arrivals.load", "0.1"), ("network.dimensions", "5")];
        let mut session =
            Session::new(Arc::new(read(HOLD, &load).unwrap()), seed, 0, WarmUp::Automatic);
        session.advance(Cycle(1_500 * CYCLES_PER_TIME));
        let summary = session.summary();
        (summary.accepted.unwrap(), summary.half_widths.accepted.unwrap())
    });
    let runs: Vec<(f64, f64)> = runs.collect();
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| runs.iter().map(of).sum::<f64>() / 12.0;
    let (accepted, half) = (mean(&|it| it.0), mean(&|it| it.1));
    let strays = 1.96 * mean(&|it| (it.0 - accepted).powi(2) * 12.0 / 11.0).sqrt();
    assert!((0.3..3.0).contains(&(half / strays)), "{half} {strays}");
}

/// Circuits on graphs are proven, or a cycle is found with which a run deadlocks.
#[test]
fn circuits_that_wait_on_graphs_are_proven_or_deadlock() {
    let tree = "FatTree(arity: 2, levels: 3)";
    let ring = "Switches(links: [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], hosts: 2)";
    let fly = "Butterfly(arity: 2, levels: 3)";
    for (network, routing, duplex, free) in [
        (tree, "UpDown(roots: Hosts)", "Full", true),
        (tree, "NearestCommonAncestor(up: Destination)", "Full", true),
        (tree, "UpDown(roots: Hosts)", "Half", false),
        (fly, "ShortestPath()", "Full", true),
        (ring, "UpDown()", "Full", true),
        (ring, "Layered(layers: 1)", "Full", true),
        (ring, "ShortestPath()", "Full", false),
        ("SwitchGrid(kind: Mesh, radix: [3, 3], hosts: 2)", "DimensionOrder()", "Full", true),
        ("SwitchGrid(kind: Torus, radix: [4, 4], hosts: 2)", "DimensionOrder()", "Full", false),
    ] {
        let fields = [
            ("network", network),
            ("routing", routing),
            ("switching.duplex", duplex),
            ("switching.on_deadlock", "Stop"),
            ("traffic.arrivals.rate", "2"),
        ];
        let scenario = read(HOLD, &fields).unwrap_or_else(|why| panic!("{why}"));
        let proof = scenario.system.proof();
        assert_eq!(matches!(proof.verdict, Verdict::Free { .. }), free, "{network} {routing}");
        assert_eq!(proof.can_deadlock(), !free, "{network} {routing}");
        let mut session = Session::new(Arc::new(scenario), 1, 0, WarmUp::Automatic);
        session.advance(Cycle(300 * CYCLES_PER_TIME));
        session.audit().unwrap();
        assert_eq!(session.deadlock().is_some(), !free, "{network} {routing} {duplex}");
    }
}

/// A routing that knows the coordinates only cannot avoid a failed link; others are computed without it.
#[test]
fn failed_links_stop_the_messages_that_check_counts() {
    for (name, routing, pairs) in [
        // Of 256 x 255 ordered pairs, those whose e-cube route crosses the link: 128 each way.
        (HOLD, "DimensionOrder()", 256),
        // Neighbours over the link have no other minimal way.
        (ADAPTIVE, "MinimalAdaptive()", 2),
        (ADAPTIVE, "Minimal()", 0),
        (HOLD, "UpDown()", 0),
    ] {
        let scenario =
            read(name, &[("switching.failed", "[(0, 1)]"), ("routing", routing)]).unwrap();
        let found = flitscope::flows::Undelivered::of(&scenario.system).unwrap();
        assert_eq!((found.pairs, found.of), (pairs, 256 * 255), "{routing}");
        let remark = scenario.remarks().concat();
        let said = if pairs == 0 { "delivers all of them" } else { "delivers none of them" };
        assert!(remark.contains(said), "{remark}");
        let mut session = Session::new(Arc::new(scenario), 1, 0, WarmUp::Automatic);
        session.advance(Cycle(100 * CYCLES_PER_TIME));
        session.audit().unwrap();
    }
}
