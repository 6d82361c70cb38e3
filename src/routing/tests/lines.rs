//! Rules on tori with rings along some dimensions and lines along others, or with single routers.

use super::*;
use crate::routing::algorithms::minimal_adaptive::Escape;
use crate::routing::algorithms::north_last::NorthLastClasses;
use crate::routing::{HalfWay, Header, PlanarClasses, Stop, VcUse};
use crate::topology::cube::{Dimension, Family};

const TORUS: Family = Family::Torus { unidirectional: false };

/// Rings and lines of these lengths in every combination; single routers too.
fn mixed() -> Vec<Arc<Network>> {
    let dimension = |radix: u32, wraps: bool| Dimension { wraps, ..Dimension::new(radix) };
    let mut all = Vec::new();
    for (x, y) in (1..=6).flat_map(|x| (1..=6).map(move |y| (x, y))).filter(|&(x, y)| x * y > 1) {
        for (rings, lines) in [(true, false), (false, true)] {
            all.push(vec![dimension(x, rings), dimension(y, lines)]);
        }
    }
    for wraps in 1..7 {
        let [x, y, z] = [0, 1, 2].map(|at| wraps >> at & 1 == 1);
        all.push(vec![dimension(4, x), dimension(3, y), dimension(4, z)]);
        all.push(vec![dimension(2, x), dimension(5, y), dimension(2, z)]);
        all.push(vec![dimension(3, x), dimension(1, y), dimension(4, z)]);
    }
    all.iter().map(|dimensions| Arc::new(Cube::with_dimensions(TORUS, dimensions))).collect()
}

fn rules() -> Vec<Routing> {
    let classes = [Classes::Destination, Classes::Dateline, Classes::Static, Classes::Random];
    let mut all: Vec<Routing> = classes.into_iter().map(Routing::dimension_order).collect();
    all.extend([Escape::Destination, Escape::Dateline].map(Routing::minimal_adaptive));
    let north_last = [
        NorthLastClasses::TwoNetwork,
        NorthLastClasses::TwoNetworkDateline,
        NorthLastClasses::SeamsCrossed,
    ];
    all.extend(north_last.map(|classes| Routing::NorthLast { classes }));
    all.extend([
        Routing::POSITIVE_HOP,
        Routing::NegativeHop,
        Routing::WestFirst,
        Routing::NegativeFirst,
        Routing::OddEven,
        Routing::O1Turn,
        Routing::PlanarAdaptive { classes: PlanarClasses::ByDirection },
        Routing::PlanarAdaptive { classes: PlanarClasses::SeamsCrossed },
        Routing::Minimal { classes: Rising::Hops },
    ]);
    all
}

fn half_ways(routing: &Routing) -> impl Iterator<Item = HalfWay> {
    let all = [HalfWay::Random, HalfWay::Positive, HalfWay::Adaptive];
    let choosable = routing.may_choose_ways();
    all.into_iter().filter(move |&it| it != HalfWay::Adaptive || choosable)
}

#[test]
fn every_rule_is_proven_on_rings_and_lines_or_refuses_them() {
    let mut proven = 0;
    for network in mixed() {
        for routing in rules() {
            let Ok(needs) = routing.serves(&network) else { continue };
            for half_way in half_ways(&routing) {
                let vcs = needs.needed + 1;
                let relation = Relation::new(routing.clone(), Arc::clone(&network), vcs)
                    .with_half_way(half_way);
                let found = prove(&network, &relation).verdict;
                let name = format!("{routing:?} {half_way:?} on the {}", network.name());
                assert!(matches!(found, Verdict::Free { .. }), "{name}: {found:?}");
                proven += 1;
            }
        }
    }
    assert!(proven > 1000, "{proven}");
}

#[test]
fn candidates_are_minimal_and_the_first_is_listed() {
    for network in mixed() {
        for routing in rules() {
            let Ok(needs) = routing.serves(&network) else { continue };
            for half_way in half_ways(&routing) {
                let relation = Relation::new(routing.clone(), Arc::clone(&network), needs.needed)
                    .with_half_way(half_way);
                walk(&network, &relation);
            }
        }
    }
}

/// Follows every candidate of messages between all pairs.
fn walk(network: &Network, relation: &Relation) {
    let routers = || (0..network.routers()).map(RouterId::new);
    let (mut found, cube) = (Vec::new(), network.grid().unwrap());
    for (source, destination) in routers().flat_map(|a| routers().map(move |b| (a, b))) {
        for route_bits in relation.outcomes(Some(source), destination).collect::<Vec<_>>() {
            let header = Header::new(source, destination, route_bits);
            let (mut open, mut seen) = (vec![source], vec![false; network.routers()]);
            while let Some(at) = open.pop() {
                if std::mem::replace(&mut seen[at.index()], true) || at == destination {
                    continue;
                }
                relation.candidates(Stop::start(at), &header, &mut found);
                assert!(!found.is_empty());
                if relation.lists_first() {
                    assert_eq!(relation.first(at, &header).channel, found[0].channel);
                    assert_eq!(relation.first(at, &header).vcs, found[0].vcs);
                }
                for &Candidate { channel, vcs } in &found {
                    let link = network.channel(channel);
                    assert!(vcs != 0 && vcs >> relation.virtual_channels() == 0);
                    assert_eq!(link.from, at);
                    let left = cube.distance(link.to, destination);
                    assert_eq!(left + 1, cube.distance(at, destination));
                    open.push(link.to);
                }
            }
        }
    }
}

#[test]
fn dimension_order_has_all_channels_of_a_line() {
    let network = Arc::new(Cube::with_dimensions(
        TORUS,
        &[Dimension::new(4), Dimension { wraps: false, ..Dimension::new(4) }],
    ));
    let routing = Routing::dimension_order(Classes::Destination);
    let relation = Relation::new(routing, Arc::clone(&network), 4);
    assert_eq!(relation.vc_use(0), VcUse::Class(0));
    let first = |source: u32, destination: u32| {
        let (source, destination) = (RouterId(source), RouterId(destination));
        relation.first(source, &Header::new(source, destination, 0)).vcs
    };
    // From (0, 0) to (1, 0), to (3, 0) by the wrap-around link, and to (0, 1).
    assert_eq!((first(0, 1), first(0, 3), first(0, 4)), (0b1100, 0b11, 0b1111));
}

#[test]
fn runs_on_rings_and_lines_deliver_everything() {
    for network in [
        "Torus(radix: [4, 4], wrap: [true, false])",
        "Torus(radix: [5, 3], wrap: [false, true], delays: [3, 1])",
        "Torus(radix: [2, 4, 1])",
        "Mesh(radix: [1, 7])",
        "SwitchGrid(kind: Torus, radix: [2, 3], wrap: [true, false], hosts: 2)",
        "SwitchGrid(kind: Torus, radix: [1], hosts: 3)",
        "Mesh(radix: [3, 2], hosts: 2, delays: [2, 40])",
    ] {
        for routing in ["DimensionOrder()", "MinimalAdaptive()", "PositiveHop()", "ShortestPath()"]
        {
            let hosts = if network.contains("hosts") {
                "terminals: Channels, ejection: PerWorm, "
            } else {
                ""
            };
            let text = format!(
                "Scenario(network: {network}, switching: Wormhole({hosts}virtual_channels: 6), \
                 routing: {routing}, traffic: (arrivals: Poisson(rate: 0.01), destinations: \
                 Uniform, lengths: Fixed(6)))"
            );
            let system = match scenario::parse("test", &text, &[]) {
                Ok(scenario) => scenario.system,
                Err(problems) => panic!("{network} {routing}: {problems:?}"),
            };
            let mut engine = Engine::new(&system, 5, 0);
            engine.advance(Cycle(30_000));
            engine.audit().unwrap();
            let counters = engine.counters();
            assert!(counters.delivered > 300, "{network} {routing}: {}", counters.delivered);
            assert!(counters.delivered + 20 > counters.generated, "{network} {routing}");
            if routing != "ShortestPath()" {
                let proof = prove(&system.network, &system.relation);
                assert!(matches!(proof.verdict, Verdict::Free { .. }), "{network} {routing}");
            }
            Flows::of(&system).unwrap();
        }
    }
}

#[test]
fn a_single_router_has_a_vc_with_any_routing() {
    for routing in
        ["Minimal", "PositiveHop", "DimensionOrder", "Layered()", "UpDown", "NegativeHop"]
    {
        let text = format!(
            "Scenario(network: Mesh(radix: [1], hosts: 3), routing: {routing}, switching: \
             Wormhole(bandwidth: Fixed, terminals: Channels, ejection: PerWorm), traffic: \
             (arrivals: Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(6)))"
        );
        let system = match scenario::parse("test", &text, &[]) {
            Ok(scenario) => scenario.system,
            Err(problems) => panic!("{routing}: {problems:?}"),
        };
        let mut engine = Engine::new(&system, 5, 0);
        engine.advance(Cycle(1000));
        engine.audit().unwrap();
        assert!(engine.counters().delivered > 10, "{routing}");
    }
}
