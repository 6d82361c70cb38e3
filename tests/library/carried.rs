//! Loads that dragonflies and fat trees carry, beside closed forms.

use flitscope::capacity::{Capacity, Kind};
use flitscope::engine::Engine;
use flitscope::routing::dependency::Verdict;
use flitscope::scenario::{self, Override};
use flitscope::system::System;
use flitscope::units::Cycle;

/// A built-in scenario with some fields set.
fn system(name: &str, set: &[(&str, &str)]) -> System {
    let text = scenario::builtin::find(name).unwrap().text;
    let set = set.iter().map(|&(path, value)| Override {
        path: path.to_owned(),
        value: value.to_owned(),
        label: path.to_owned(),
    });
    let read = scenario::parse(name, text, &set.collect::<Vec<_>>());
    read.unwrap_or_else(|why| panic!("{}", scenario::render(&why))).system
}

/// Flits that arrive per node and cycle after a warm-up.
fn carried(system: &System) -> f64 {
    let mut engine = Engine::new(system, 1, 0);
    engine.advance(Cycle(6_000));
    let before = engine.counters().flits_delivered;
    engine.advance(Cycle(16_000));
    engine.audit().unwrap();
    let flits = engine.counters().flits_delivered - before;
    flits as f64 / (system.network.nodes() as f64 * 10_000.0)
}

#[test]
fn detours_carry_more_from_group_to_group_than_the_direct_links() {
    let with = |routing: &str, load: &str| {
        system(
            "dragonfly-72",
            &[
                ("routing", routing),
                ("traffic.destinations", "Offset([1, 0])"),
                ("traffic.arrivals", &format!("Poisson(load: {load})")),
                ("switching.virtual_channels", "8"),
                ("switching.buffer_flits", "64"),
                ("switching.release", "Sent"),
            ],
        )
    };
    // 8 hosts of a group share the link to the next group: 1/(a·p).
    let direct = with("Hierarchical", "0.3");
    let capacity = Capacity::of(&direct).unwrap().load.0;
    assert!((capacity - 0.125).abs() < 1e-9, "{capacity}");
    let most = carried(&direct);
    assert!((0.12..=0.126).contains(&most), "{most}");
    for routing in ["Valiant(of: Hierarchical)", "Ugal(of: Hierarchical)"] {
        let detours = with(routing, "0.35");
        let capacity = Capacity::of(&detours).unwrap().load.0;
        assert!((0.5..0.6).contains(&capacity), "{routing}: {capacity}");
        let most = carried(&detours);
        assert!(most > 0.34, "{routing}: {most}");
    }
}

#[test]
fn a_dragonfly_carries_uniform_traffic_on_direct_routes() {
    // Two VCs of a class are no choice of routes.
    let capacity = Capacity::of(&system("dragonfly-72", &[])).unwrap();
    assert_eq!(capacity.kind, Kind::Proven);
    let hierarchical =
        carried(&system("dragonfly-72", &[("traffic.arrivals", "Poisson(load: 0.9)")]));
    assert!(hierarchical > 0.6, "{hierarchical}");
    let ugal = carried(&system(
        "dragonfly-72",
        &[("traffic.arrivals", "Poisson(load: 0.9)"), ("routing", "Ugal(of: Hierarchical)")],
    ));
    assert!(ugal > 0.4, "{ugal}");
}

#[test]
fn two_virtual_channels_are_enough_for_a_dragonfly() {
    let two = system(
        "dragonfly-72",
        &[("switching.virtual_channels", "2"), ("traffic.arrivals", "Poisson(load: 0.9)")],
    );
    assert!(matches!(two.proof().verdict, Verdict::Free { .. }));
    // Up*/down*, with one virtual channel, carries 0.19.
    let most = carried(&two);
    assert!(most > 2.0 * 0.19, "{most}");
}

#[test]
fn free_up_links_carry_more_than_drawn_ones() {
    let tree = |vcs: &str, up: &str, selection: &str| {
        carried(&system(
            "dragonfly-72",
            &[
                ("network", "FatTree(arity: 4, levels: 3)"),
                ("routing", &format!("NearestCommonAncestor(up: {up})")),
                ("traffic.arrivals", "Poisson(load: 0.98)"),
                ("switching.virtual_channels", vcs),
                ("switching.selection", selection),
            ],
        ))
    };
    for (vcs, least) in [("4", 0.78), ("8", 0.87)] {
        let random = tree(vcs, "Random", "Preference");
        let loaded = tree(vcs, "Free", "LeastLoaded");
        assert!(random > least && loaded > random, "{vcs} VCs: {random}, {loaded}");
    }
}
