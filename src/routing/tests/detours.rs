//! Valiant's routing and UGAL: proofs, routes, and runs with uneven traffic.

use std::collections::BTreeSet;

use super::{generated, verdict};
use crate::engine::Engine;
use crate::ids::RouterId;
use crate::routing::dependency::{Pairs, Verdict, prove, prove_pairs};
use crate::routing::{Candidate, Classes, Relation, Rising, Routing, Stop, Threshold};
use crate::scenario;
use crate::topology::Network;
use crate::units::Cycle;

const DRAGONFLY: &str = "Dragonfly(group: 4, hosts: 2, global: 2)";

fn both(of: &Routing) -> [Routing; 2] {
    let of = Box::new(of.clone());
    [Routing::Valiant { of: of.clone() }, Routing::Ugal { of, threshold: Threshold(0) }]
}

#[test]
fn detours_are_proven_with_twice_the_classes() {
    let inner = [
        (DRAGONFLY, Routing::Hierarchical),
        (DRAGONFLY, Routing::Minimal { classes: Rising::Hops }),
        (
            "TwistedTorus(radix: [4, 4], twist: 2, hosts: 1)",
            Routing::Minimal { classes: Rising::Hops },
        ),
        ("HyperX(radix: [3, 3], hosts: 2)", Routing::Hierarchical),
    ];
    for (text, inner) in inner {
        let network = generated(text);
        let (classes, _) = verdict(&network, &inner);
        for routing in both(&inner) {
            let (needed, verdict) = verdict(&network, &routing);
            assert_eq!(needed, 2 * classes, "{text}: {routing:?}");
            assert!(matches!(verdict, Verdict::Free { .. }), "{text}: {routing:?}: {verdict:?}");
        }
    }
    // The parts of a route share no VC, so only a cycle of the inner rule is a cycle.
    let inner = Routing::Minimal { classes: Rising::Kind(7) };
    for routing in both(&inner) {
        let (needed, verdict) = verdict(&generated(DRAGONFLY), &routing);
        assert_eq!(needed, 2);
        assert!(matches!(verdict, Verdict::Cyclic { .. }), "{routing:?}: {verdict:?}");
    }
}

/// All pairs of routers with hosts, which are enumerated one by one.
fn enumerated(network: &Network) -> Pairs {
    let all = || network.host_routers();
    Pairs::of(network, all().flat_map(|from| all().map(move |to| (from, to))))
}

#[test]
fn the_parts_of_detours_have_the_dependencies_of_all_triples_of_routers() {
    let destination = Routing::dimension_order(Classes::Destination);
    let by_hops = Routing::Minimal { classes: Rising::Hops };
    let by_kind = Routing::Minimal { classes: Rising::Kind(7) };
    let networks = [
        (DRAGONFLY, vec![Routing::Hierarchical, by_hops.clone(), by_kind.clone()]),
        ("FatTree(arity: 2, levels: 3)", vec![by_hops.clone(), by_kind.clone()]),
        (
            "LeafSpine(leaves: 3, spines: 2, links: 2, hosts: 1)",
            vec![by_hops.clone(), by_kind.clone()],
        ),
        (
            "LeafSpine(leaves: 2, spines: 1, links: 1, hosts: 1)",
            vec![by_hops.clone(), by_kind.clone()],
        ),
        ("TwistedTorus(radix: [4, 4], twist: 2, hosts: 1)", vec![by_hops, by_kind]),
        ("HyperX(radix: [3, 2], hosts: 1, width: [2, 3])", vec![destination]),
    ];
    for (text, inner) in networks {
        let network = generated(text);
        for routing in inner.iter().flat_map(both) {
            let Ok(needs) = routing.serves(&network) else { panic!("{text}: {routing:?}") };
            let relation = Relation::new(routing.clone(), network.clone(), needs.needed);
            let expected = prove_pairs(&network, &relation, &enumerated(&network), false);
            assert_eq!(prove(&network, &relation), expected, "{text}: {routing:?}");
        }
    }
}

#[test]
fn the_parts_of_detours_share_the_random_bits_of_ties() {
    for network in ["Torus(radix: [4, 4])", "Torus(radix: [6])", "Mesh(radix: [3, 3])"] {
        for routing in ["Valiant(of: DimensionOrder())", "Ugal(of: DimensionOrder())"] {
            let text = format!(
                "Scenario(network: {network}, switching: Wormhole(virtual_channels: 4), routing: \
                 {routing}, traffic: (arrivals: Poisson(rate: 0.01), destinations: Uniform, lengths: \
                 Fixed(8)))"
            );
            let system = scenario::parse("test", &text, &[]).unwrap().system;
            let (network, relation) = (&system.network, &system.relation);
            let expected = prove_pairs(network, relation, &enumerated(network), false);
            assert_eq!(prove(network, relation), expected, "{text}");
        }
    }
}

#[test]
fn detours_on_many_routers_are_proven() {
    let network = generated("Dragonfly(group: 12, hosts: 4, global: 4)");
    assert_eq!(network.routers(), 588);
    for routing in both(&Routing::Hierarchical) {
        let (_, verdict) = verdict(&network, &routing);
        assert!(matches!(verdict, Verdict::Free { .. }), "{routing:?}");
    }
}

#[test]
fn each_router_with_hosts_is_the_middle_of_equally_many_routes() {
    let network = generated(DRAGONFLY);
    let [valiant, _] = both(&Routing::Hierarchical);
    let relation = Relation::new(valiant, network.clone(), 4);
    let host = |router: u32| network.hosts_at(RouterId(router))[0];
    let ways = relation.ways(host(0), host(35));
    assert_eq!(ways.len(), 36);
    let mut middles = BTreeSet::new();
    let mut found = Vec::new();
    for bits in ways {
        let header = relation.header(host(0), host(35), bits);
        let (mut stop, mut middle, mut before) = (Stop::start(RouterId(0)), RouterId(0), 0);
        while stop.at != RouterId(35) {
            relation.candidates(stop, &header, &mut found);
            let [Candidate { channel, vcs }] = found[..] else { panic!("{found:?} at {stop:?}") };
            assert!(vcs.is_power_of_two());
            if before < 2 {
                middle = stop.at;
            }
            before = vcs.trailing_zeros();
            stop = relation.stop_after(stop, &header, channel, before);
        }
        // A message over its destination has arrived there.
        middles.insert(if before < 2 { stop.at } else { middle });
    }
    assert!(middles.len() > 30, "{middles:?}");
}

#[test]
fn a_direct_route_is_offered_only_at_the_source() {
    let network = generated(DRAGONFLY);
    let [_, ugal] = both(&Routing::Hierarchical);
    let relation = Relation::new(ugal, network.clone(), 4);
    let (_, direct) = relation.selects_by_queues().unwrap();
    assert_eq!(direct, 0b1100);
    let host = |router: u32| network.hosts_at(RouterId(router))[0];
    let mut found = Vec::new();
    for bits in relation.ways(host(0), host(35)) {
        let header = relation.header(host(0), host(35), bits);
        relation.candidates(Stop::start(RouterId(0)), &header, &mut found);
        let detours = found.iter().filter(|it| it.vcs & direct == 0).count();
        assert!(found[0].vcs & direct != 0 && detours <= 1, "{found:?}");
        for first in found.clone() {
            let (start, vc) = (Stop::start(RouterId(0)), first.vcs.trailing_zeros());
            let stop = relation.stop_after(start, &header, first.channel, vc);
            if stop.at != RouterId(35) {
                relation.candidates(stop, &header, &mut found);
                assert_eq!(found.len(), 1, "{found:?} at {stop:?}");
            }
        }
    }
}

#[test]
fn classes_by_the_source_are_refused_for_the_choice_at_the_source() {
    let torus = scenario::builtin::find("torus-8x8").unwrap().text;
    let system = scenario::parse("torus-8x8", torus, &[]).unwrap().system;
    let of = |classes| Routing::dimension_order(classes);
    for routing in both(&of(Classes::Destination)) {
        let (needed, verdict) = verdict(&system.network, &routing);
        assert_eq!(needed, 4);
        assert!(matches!(verdict, Verdict::Free { .. }), "{routing:?}: {verdict:?}");
    }
    let [valiant, ugal] = both(&of(Classes::Dateline));
    assert!(matches!(verdict(&system.network, &valiant).1, Verdict::Free { .. }));
    assert!(ugal.serves(&system.network).unwrap_err().to_string().contains("Destination"));
}

/// Flits that arrive per node and cycle on a ring of 16, each node sending to the node 7 further.
fn carried(routing: &str) -> f64 {
    let text = format!(
        "Scenario(network: Torus(radix: [16]), switching: Wormhole(virtual_channels: 8, \
         buffer_flits: 8), routing: {routing}, traffic: (arrivals: Poisson(rate: 0.022), \
         destinations: Tornado, lengths: Fixed(8)))"
    );
    let system = scenario::parse("test", &text, &[]).unwrap().system;
    let mut engine = Engine::new(&system, 5, 0);
    engine.advance(Cycle(5_000));
    let before = engine.counters().flits_delivered;
    engine.advance(Cycle(25_000));
    engine.audit().unwrap();
    (engine.counters().flits_delivered - before) as f64 / (16.0 * 20_000.0)
}

#[test]
fn detours_balance_tornado_traffic() {
    // All shortest routes lead one way: 7 flits over each of the links of one direction.
    let minimal = carried("DimensionOrder()");
    assert!((0.125..=1.0 / 7.0).contains(&minimal), "{minimal}");
    // Two parts of 4 links on average, in both directions: 4 flits over each link.
    let valiant = carried("Valiant(of: DimensionOrder())");
    assert!(valiant > 0.97 * 8.0 * 0.022, "{valiant}");
    let ugal = carried("Ugal(of: DimensionOrder())");
    assert!(ugal > 1.08 / 7.0, "{ugal}");
}
