//! Rules with routes that are not shortest: proofs, the limit of their routes, and hops in runs.

use std::collections::HashMap;

use flitscope::engine::Engine;
use flitscope::ids::RouterId;
use flitscope::routing::dependency::{Method, Verdict, graph, prove};
use flitscope::routing::{
    Detours, HalfWay, Header, Relation, ReversalClasses, Reversals, Routing, Stop, Turns,
};
use flitscope::switching::circuit::{Circuit, Conflict};
use flitscope::switching::{Release, Stages, Switching, Wormhole};
use flitscope::system::System;
use flitscope::topology::Network;
use flitscope::topology::cube::{Cube, Family, Sign};
use flitscope::traffic::{Destinations, Lengths, Process, Traffic};
use flitscope::units::{Cycle, Rate};
use proptest::prelude::*;

use super::shapes::{TORUS, assert_cycle, networks, second_opinion, system};

const TURNS: [Turns; 3] = [Turns::WestFirst, Turns::NorthLast, Turns::NegativeFirst];

/// The safe rules with this number of detours.
pub fn safe_rules(detours: u32) -> impl Iterator<Item = Routing> {
    let detours = Detours(detours);
    let turns = TURNS.into_iter().map(move |turns| Routing::TurnModel { turns, detours });
    let reversals = [0, 1, 2].map(Reversals).into_iter().flat_map(move |reversals| {
        let classes = ReversalClasses::ByReversals;
        [
            Routing::StaticReversal { classes, reversals, detours },
            Routing::DynamicReversal { reversals, detours },
        ]
    });
    turns.chain(reversals)
}

/// Rules that can deadlock.
pub fn unsafe_rules() -> impl Iterator<Item = Routing> {
    let (classes, reversals) = (ReversalClasses::Shared, Reversals(2));
    [0, 2].map(Detours).into_iter().flat_map(move |detours| {
        [
            Routing::TurnModel { turns: Turns::Any, detours },
            Routing::StaticReversal { classes, reversals, detours },
        ]
    })
}

fn meshes(nodes: u32) -> impl Iterator<Item = (Family, Vec<u32>)> {
    let is_open = |(family, _): &(Family, Vec<u32>)| !matches!(family, Family::Torus { .. });
    networks(nodes).into_iter().filter(is_open)
}

#[test]
fn safe_rules_are_proven_and_others_are_not() {
    let (mut proven, mut refuted) = (0, 0);
    for (family, radix) in meshes(24) {
        let rules = [0, 1, 3].into_iter().flat_map(safe_rules).map(|it| (it, true));
        for (routing, is_safe) in rules.chain(unsafe_rules().map(|it| (it, false))) {
            if routing.serves(&Cube::network(family, &radix)).is_err() {
                continue;
            }
            let (network, relation) = system(&routing, HalfWay::Random, family, &radix, 1);
            let proof = prove(&network, &relation);
            let graph = graph(&network, &relation).unwrap();
            let cyclic = petgraph::algo::is_cyclic_directed(&second_opinion(&graph));
            let name = format!("{routing:?} on {family:?} {radix:?}: {:?}", proof.verdict);
            match &proof.verdict {
                Verdict::Free { numbering } => {
                    assert!(!cyclic && (is_safe || radix.len() == 1), "{name}");
                    graph.check(numbering).expect("numbers grow along every edge");
                    proven += usize::from(is_safe);
                }
                Verdict::Cyclic { cycle } => {
                    assert!(cyclic && !is_safe, "{name}");
                    assert_cycle(&graph, cycle);
                    refuted += 1;
                }
                Verdict::SharedBuffers | Verdict::Stranded { .. } | Verdict::TooLarge { .. } => {
                    panic!("{name}")
                }
            }
            let escapes = matches!(routing, Routing::DynamicReversal { .. });
            assert_eq!(proof.method == Method::Duato, escapes, "{name}");
        }
    }
    assert!(proven > 800 && refuted > 80, "{proven} {refuted}");
}

/// The hops of the longest route from a stop.
fn longest(
    network: &Network,
    relation: &Relation,
    header: &Header,
    stop: Stop,
    known: &mut HashMap<Stop, u32>,
) -> u32 {
    if stop.at == header.destination {
        return 0;
    }
    if let Some(&hops) = known.get(&stop) {
        // Messages never return to a stop.
        assert!(hops != u32::MAX);
        return hops;
    }
    known.insert(stop, u32::MAX);
    let mut found = Vec::new();
    relation.candidates(stop, header, &mut found);
    let cube = network.cube().unwrap();
    let left = |at: RouterId| cube.distance(at, header.destination);
    let closer = |link| left(network.channel(link).to) < left(stop.at);
    // A route never ends early, and hops that lead closer come first.
    assert!(!found.is_empty());
    let ways: Vec<bool> = found.iter().map(|it| closer(it.channel)).collect();
    let adaptive = found.len() - usize::from(relation.escape_vcs() != 0);
    assert!(ways[..adaptive].is_sorted_by(|one, other| one >= other));
    let mut most = 0;
    for &candidate in &found {
        assert_eq!(network.channel(candidate.channel).from, stop.at);
        for (_, to) in relation.stops_after(stop, header, candidate) {
            most = most.max(1 + longest(network, relation, header, to, known));
        }
    }
    known.insert(stop, most);
    most
}

#[test]
fn routes_are_at_most_twice_the_detours_longer_than_the_shortest() {
    for (family, radix) in
        [(Family::Mesh, &[4, 3][..]), (Family::Mesh, &[3, 2, 2]), (Family::Hypercube, &[2, 2, 2])]
    {
        for detours in [0, 1, 3] {
            for routing in safe_rules(detours).chain(unsafe_rules()) {
                let limit = match routing {
                    Routing::TurnModel { detours, .. }
                    | Routing::StaticReversal { detours, .. }
                    | Routing::DynamicReversal { detours, .. } => detours.0,
                    _ => unreachable!("these rules have detours"),
                };
                let Ok(needs) = routing.serves(&Cube::network(family, radix)) else { continue };
                let (network, relation) = system(&routing, HalfWay::Random, family, radix, 0);
                let cube = network.cube().unwrap();
                let mut most = 0;
                for from in (0..network.routers()).map(RouterId::new) {
                    for to in (0..network.routers()).map(RouterId::new) {
                        let header = Header::new(from, to, 0);
                        let start = Stop::start(from);
                        let mut known = HashMap::new();
                        let hops = longest(&network, &relation, &header, start, &mut known);
                        let more = hops - cube.distance(from, to);
                        assert!(more <= 2 * limit, "{routing:?} {from:?} {to:?} {hops}");
                        most = most.max(more);
                    }
                }
                // Without reversals the last class, dimension order, is the only one.
                let first = needs.needed == 1
                    && matches!(routing, Routing::StaticReversal { classes, .. }
                        if classes == ReversalClasses::ByReversals);
                assert_eq!(most > 0, limit > 0 && !first, "{routing:?}");
            }
        }
    }
}

/// The limit is reached where there is room for it.
#[test]
fn a_message_goes_round_the_others_within_its_turns() {
    let routing = Routing::TurnModel { turns: Turns::WestFirst, detours: Detours(1) };
    let (network, relation) = system(&routing, HalfWay::Random, Family::Mesh, &[5, 4], 0);
    let cube = network.cube().unwrap();
    let ways = |stop: Stop, header: &Header| {
        let mut found = Vec::new();
        relation.candidates(stop, header, &mut found);
        found.iter().map(|it| cube.direction(it.channel)).collect::<Vec<_>>()
    };
    // From (1, 1) to (3, 1): east, or round by north, south or west.
    let header = Header::new(RouterId(6), RouterId(8), 0);
    let start = Stop::start(header.source);
    let all = [(0, Sign::Plus), (0, Sign::Minus), (1, Sign::Plus), (1, Sign::Minus)];
    assert_eq!(ways(start, &header), all);
    let after = |stop: Stop, dimension, sign| {
        let link = cube.channel_from(stop.at, dimension, sign).unwrap();
        relation.stop_after(stop, &header, link, 0)
    };
    let north = after(start, 1, Sign::Plus);
    assert_eq!((north.count, ways(north, &header)), (1, vec![(0, Sign::Plus)]));
    let east = after(north, 0, Sign::Plus);
    assert_eq!((east.count, ways(east, &header)), (1, vec![(0, Sign::Plus), (1, Sign::Minus)]));
    // West is possible only before all others.
    let east = after(start, 0, Sign::Plus);
    assert_eq!(ways(east, &header), [(0, Sign::Plus), (1, Sign::Plus), (1, Sign::Minus)]);
    let west = after(start, 0, Sign::Minus);
    assert_eq!(ways(west, &header), [(0, Sign::Plus)]);
    // Nothing but west while the destination is there.
    let back = Header::new(RouterId(8), RouterId(6), 0);
    assert_eq!(ways(Stop::start(RouterId(8)), &back), [(0, Sign::Minus)]);
}

#[test]
fn the_class_of_a_hop_is_the_number_of_reversals() {
    let rules = safe_rules(1).filter(|it| matches!(it, Routing::StaticReversal { .. }));
    for (routing, reversals) in rules.zip(0..) {
        let (network, relation) = system(&routing, HalfWay::Random, Family::Mesh, &[4, 3], 0);
        assert_eq!(relation.virtual_channels(), reversals + 1);
        let cube = network.cube().unwrap();
        let mut turned = vec![false; reversals as usize + 1];
        let mut found = Vec::new();
        for (from, to) in (0..12).flat_map(|a| (0..12).map(move |b| (RouterId(a), RouterId(b)))) {
            let header = Header::new(from, to, 0);
            // The stop with the last direction and the number of reversals, by definition.
            let mut open = vec![(Stop::start(from), None, 0)];
            while let Some((stop, last, made)) = open.pop() {
                if stop.at == to {
                    continue;
                }
                relation.candidates(stop, &header, &mut found);
                for &candidate in &found {
                    let (dimension, sign) = cube.direction(candidate.channel);
                    let reverses = last.is_some_and(|(before, way)| {
                        dimension < before || dimension == before && sign != way
                    });
                    let made = made + u32::from(reverses);
                    assert_eq!(candidate.vcs, 1 << made);
                    turned[made as usize] = true;
                    let stops = relation.stops_after(stop, &header, candidate);
                    open.extend(stops.map(|(_, to)| (to, Some((dimension, sign)), made)));
                }
            }
        }
        assert!(turned.iter().all(|it| *it));
    }
    let rings = Cube::network(TORUS, &[4, 4]);
    assert!(safe_rules(1).all(|routing| routing.serves(&rings).is_err()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// No message makes more hops than its rule permits, nor waits for ever, on any machine.
    #[test]
    fn hops_in_runs_are_limited(
        radix in prop::collection::vec(2u32..=5, 2..=2),
        which in 0usize..9,
        detours in 0u32..4,
        machine in 0usize..3,
        seed in any::<u64>(),
    ) {
        let routing = safe_rules(detours).nth(which).unwrap();
        let (network, relation) = system(&routing, HalfWay::Random, Family::Mesh, &radix, 0);
        let vcs = relation.virtual_channels();
        // Circuits have a single VC.
        let machine = if vcs > 1 { machine % 2 } else { machine };
        let switching: Switching = match machine {
            0 => Wormhole::new(vcs, 1).into(),
            1 => {
                let pipelined = Wormhole::pipelined(vcs, Stages::after(1));
                // Duato's theorem permits one message in a buffer.
                Wormhole { release: Release::Credit, ..pipelined }.into()
            }
            _ => Circuit::new(Conflict::Drop { back_off: 0.5 }).into(),
        };
        // A circuit transmits 10,000 flits per unit of time.
        let (length, end) = if machine == 2 { (10_000, 1_000_000) } else { (6, 3_000) };
        // Rates of circuits are those of the unit of time.
        let rate = Rate(if machine == 2 { 0.3 } else { 0.5 / f64::from(length) });
        let lengths = Lengths::Fixed(length);
        let traffic = Traffic::random(Process::Poisson, rate, Destinations::Uniform, lengths);
        let system = System::new(network.clone(), routing, switching, traffic);
        let mut engine = Engine::new(&system, seed, 0);
        let mut batch = Vec::new();
        let cube = network.cube().unwrap();
        // Pipelined routers have channels to and from their terminals.
        let others = if machine == 1 { 2 } else { 0 };
        for part in 1..=20 {
            engine.advance(Cycle(end / 20 * part));
            engine.audit().unwrap();
            batch.clear();
            engine.take_deliveries(&mut batch);
            for delivery in &batch {
                let [from, to] =
                    [delivery.source, delivery.destination].map(|node| network.router_of(node));
                let more = delivery.hops - others - cube.distance(from, to);
                prop_assert!(more <= 2 * detours && more % 2 == 0, "{:?}", delivery);
            }
        }
        prop_assert_eq!(engine.deadlock(), None);
        prop_assert!(engine.counters().delivered > 50);
    }
}
