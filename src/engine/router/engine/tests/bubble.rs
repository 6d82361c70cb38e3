//! Tests of bubble flow control: rings that never deadlock, and their proofs.

use super::*;
use crate::routing::dependency::{Method, Verdict};

/// A torus of one VC class with messages of one to three flits, beyond its capacity.
fn torus(network: &str, routing: &str, forwarding: &str, [vcs, flits]: [u32; 2]) -> System {
    let text = format!(
        "Scenario(network: Torus({network}), routing: {routing}, switching: Wormhole(pipeline: Stages(route: 1), \
         forwarding: {forwarding}, virtual_channels: {vcs}, buffer_flits: {flits}), \
         traffic: (arrivals: Geometric(load: 0.9), destinations: Uniform, lengths: Uniform(min: 1, max: 3)))"
    );
    parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system
}

/// Tori with VCs and flits per buffer.
const TORI: [(&str, [u32; 2]); 10] = [
    ("radix: [4]", [1, 6]),
    ("radix: [5], links: Unidirectional", [1, 6]),
    ("radix: [4, 4]", [1, 6]),
    ("radix: [8, 8]", [1, 6]),
    ("radix: [4, 4], links: Unidirectional", [1, 7]),
    ("radix: [5, 3]", [1, 8]),
    ("radix: [6, 4], wrap: [true, false]", [1, 6]),
    ("radix: [4, 3, 3]", [1, 6]),
    ("radix: [7, 5]", [2, 6]),
    ("radix: [8, 8], links: Unidirectional", [2, 6]),
];

/// Messages that wait at a node.
const WAITING_MAX: u32 = 32;

const ORDER: &str = "DimensionOrder(classes: None)";

/// Runs a torus for some cycles, with audits.
fn run(network: &str, buffers: [u32; 2], cycles: u64) {
    let system = torus(network, ORDER, "Bubble", buffers);
    let mut engine = RouterEngine::new(&system, 1, 0);
    // Queues beyond the capacity of the network would grow without bound.
    engine.common.sources = engine.common.sources.that_discard_beyond(WAITING_MAX);
    let mut delivered = 0;
    for cycle in (1..=cycles / 1_000).map(|it| it * 1_000) {
        engine.advance(Cycle(cycle));
        engine.audit().unwrap_or_else(|violation| panic!("{network}: {violation}"));
        let now = engine.counters().delivered;
        assert!(now > delivered && engine.deadlock().is_none(), "{network}: {cycle}");
        delivered = now;
        engine.common.deliveries.clear();
    }
}

#[test]
fn tori_of_one_vc_class_never_stop_with_bubbles_and_deadlock_without() {
    for (network, buffers) in TORI {
        run(network, buffers, 10_000);
        let without = torus(network, ORDER, "CutThrough", buffers);
        let mut engine = RouterEngine::new(&without, 1, 0);
        engine.advance(Cycle(200_000));
        engine.audit().unwrap();
        assert!(engine.deadlock().is_some(), "{network}");
        engine.common.deadlock = None;
        engine.machine.on_deadlock = OnDeadlock::Continue;
        let stuck = engine.find_deadlock().unwrap().worms().count() as u64;
        engine.advance(Cycle(engine.now + 20_000));
        let left = engine.counters().generated - engine.counters().delivered;
        assert!(left >= stuck, "{network}: {left} of {stuck}");
    }
}

#[test]
#[ignore = "100 million cycles"]
fn tori_with_bubbles_run_for_a_hundred_million_cycles() {
    for (network, buffers) in TORI {
        run(network, buffers, 10_000_000);
    }
}

#[test]
fn every_law_holds_in_every_cycle_with_whole_messages() {
    for (network, forwarding, buffers) in [
        ("radix: [4, 4]", "Bubble", [1, 6]),
        ("radix: [3, 2]", "Bubble", [2, 9]),
        ("radix: [4, 4], links: Unidirectional", "Bubble", [1, 7]),
        ("radix: [4, 3]", "CutThrough", [1, 3]),
    ] {
        let mut engine = RouterEngine::new(&torus(network, ORDER, forwarding, buffers), 5, 0);
        for cycle in 1..1_500 {
            engine.advance(Cycle(cycle));
            engine.audit().unwrap_or_else(|violation| panic!("{network}: {violation}"));
        }
        assert!(engine.counters().delivered > 50, "{network} {forwarding}");
    }
}

#[test]
fn the_dependencies_between_rings_decide() {
    let proof = |routing, forwarding| torus("radix: [4, 4]", routing, forwarding, [1, 6]).proof();
    let with = proof(ORDER, "Bubble");
    assert_eq!(with.method, Method::Bubble);
    assert!(matches!(with.verdict, Verdict::Free { .. }) && with.dependencies > 0, "{with:?}");
    let without = proof(ORDER, "CutThrough");
    assert!(without.can_deadlock(), "{without:?}");
    // Routes from X to Y and from Y to X close a cycle of rings.
    let turning = proof("ShortestPath(paths: Split)", "Bubble");
    assert_eq!(turning.method, Method::Bubble);
    assert!(matches!(turning.verdict, Verdict::Cyclic { .. }), "{turning:?}");
    assert!(!turning.can_deadlock(), "a ring need not be full");
}

#[test]
fn bubbles_need_rings_one_class_and_two_slots() {
    for (field, by, said) in [
        ("network", "Mesh(radix: [4, 4])", "there are none"),
        ("routing", "DimensionOrder(classes: Dateline)", "divides them into classes"),
        (
            "switching",
            "Wormhole(forwarding: Bubble, pipeline: Stages(), buffer_flits: 5)",
            "half a buffer of 5",
        ),
        (
            "switching",
            "Wormhole(forwarding: Bubble, buffer_flits: 6)",
            "a rule of routers with a pipeline",
        ),
    ] {
        let mut given = [
            ("network", "Torus(radix: [4, 4])"),
            ("routing", ORDER),
            ("switching", "Wormhole(forwarding: Bubble, pipeline: Stages(), buffer_flits: 6)"),
        ];
        given.iter_mut().filter(|it| it.0 == field).for_each(|it| it.1 = by);
        let fields: Vec<String> =
            given.iter().map(|(name, value)| format!("{name}: {value}, ")).collect();
        let text = format!(
            "Scenario({}traffic: (arrivals: Geometric(load: 0.1), destinations: Uniform, lengths: Fixed(3)))",
            fields.concat()
        );
        let problems = parse("test", &text, &[]).unwrap_err();
        assert!(format!("{problems:?}").contains(said), "{said}: {problems:?}");
    }
}
