//! The dependency graphs of the rules for tori, vertex by vertex and edge by edge, against counts
//! that two other programs agree on.

use std::collections::HashSet;

use flitscope::ids::{RouterId, VcId};
use flitscope::routing::dependency::{Method, Proof, Verdict, graph, prove};
use flitscope::routing::{Classes, HalfWay, Header, NorthLastClasses, Relation, Routing, Stop};
use flitscope::topology::Network;
use flitscope::topology::cube::{Cube, Family};

use super::shapes::{CLASSES, ONE_WAY, TORUS, assert_cycle, second_opinion, system};

/// A rule, the radix of its square torus, VCs used, edges, and whether there is no cycle.
type Row = (Routing, [u32; 3], [u64; 3], bool);

const fn order(classes: Classes) -> Routing {
    Routing::dimension_order(classes)
}

const fn north_last(classes: NorthLastClasses) -> Routing {
    Routing::NorthLast { classes }
}

/// For radix 4, 6 and 8: VCs used on links, edges.
const TABLE: [Row; 15] = [
    (order(Classes::Destination), [2; 3], [144, 360, 672], true),
    (order(Classes::Dateline), [2; 3], [144, 360, 672], true),
    (order(Classes::Static), [2; 3], [164, 448, 868], true),
    (order(Classes::Random), [2; 3], [292, 724, 1348], true),
    (order(Classes::None), [1; 3], [128, 288, 512], false),
    (Routing::NegativeHop, [3, 4, 5], [384, 1296, 3072], true),
    (Routing::POSITIVE_HOP, [4, 6, 8], [576, 2160, 5376], true),
    (north_last(NorthLastClasses::TwoNetwork), [2; 3], [204, 510, 952], true),
    (north_last(NorthLastClasses::TwoNetworkDateline), [2; 3], [222, 560, 1050], true),
    (north_last(NorthLastClasses::SeparateDateline), [2; 3], [204, 520, 980], false),
    (north_last(NorthLastClasses::SeparateDestination), [2; 3], [204, 520, 980], false),
    (north_last(NorthLastClasses::SeparateStatic), [2; 3], [258, 720, 1410], false),
    (north_last(NorthLastClasses::NoSeamAhead), [2; 3], [228, 552, 1016], false),
    (north_last(NorthLastClasses::AfterFirstSeam), [2; 3], [244, 578, 1052], false),
    (north_last(NorthLastClasses::AnySeam), [2; 3], [234, 584, 1090], false),
];

fn proof(routing: &Routing, family: Family, radix: &[u32]) -> Proof {
    let (network, relation) = system(routing, HalfWay::Random, family, radix, 0);
    let proof = prove(&network, &relation);
    let graph = graph(&network, &relation).expect("small enough");
    let cyclic = petgraph::algo::is_cyclic_directed(&second_opinion(&graph));
    match &proof.verdict {
        Verdict::Free { numbering } => {
            assert!(!cyclic);
            graph.check(numbering).expect("numbers grow along every edge");
        }
        Verdict::Cyclic { cycle } => {
            assert!(cyclic);
            assert_cycle(&graph, cycle);
        }
        other => panic!("{other:?}"),
    }
    proof
}

fn check(routing: &Routing, family: Family, k: u32, used: u32, edges: u64, free: bool) {
    let proof = proof(routing, family, &[k, k]);
    let found = (
        proof.virtual_channels_used,
        proof.dependencies,
        matches!(proof.verdict, Verdict::Free { .. }),
    );
    assert_eq!(found, (used, edges, free), "{} at radix {k}", routing.name());
    assert_eq!(proof.method, Method::DallySeitz);
}

#[test]
fn the_rules_for_tori_have_the_known_graphs() {
    let crossed = north_last(NorthLastClasses::SeamsCrossed);
    let rows = TABLE.into_iter().chain([(crossed, [3; 3], [248, 612, 1136], true)]);
    for (routing, used, edges, free) in rows {
        for (at, k) in [4, 6, 8].into_iter().enumerate() {
            check(&routing, TORUS, k, used[at], edges[at], free);
        }
    }
}

#[test]
fn static_classes_are_safe_at_odd_radix_too() {
    for k in [5, 7] {
        let proof = proof(&order(Classes::Static), TORUS, &[k, k]);
        assert!(matches!(proof.verdict, Verdict::Free { .. }));
        let (network, relation) =
            system(&order(Classes::Static), HalfWay::Random, TORUS, &[k, k], 0);
        assert_eq!(proof.dependencies as usize, edges_by_hand(&network, &relation).len());
    }
}

#[test]
fn one_way_rings_need_a_rule_for_long_paths() {
    check(&order(Classes::Dateline), ONE_WAY, 8, 2, 320, true);
    check(&order(Classes::Destination), ONE_WAY, 8, 2, 320, true);
    check(&order(Classes::Static), ONE_WAY, 8, 2, 420, false);
}

#[test]
fn the_larger_torus_of_the_papers() {
    for routing in [
        order(Classes::Random),
        order(Classes::Destination),
        Routing::NegativeHop,
        Routing::POSITIVE_HOP,
        north_last(NorthLastClasses::TwoNetwork),
        north_last(NorthLastClasses::TwoNetworkDateline),
    ] {
        let (network, relation) = system(&routing, HalfWay::Random, TORUS, &[16, 16], 0);
        let proof = prove(&network, &relation);
        assert!(matches!(proof.verdict, Verdict::Free { .. }), "{}", routing.name());
    }
}

#[test]
fn the_shortest_cycle_is_the_shortest() {
    // Without classes, a ring's own channels close the cycle: as many as it has nodes.
    for k in [4, 5, 8] {
        let proof = proof(&order(Classes::None), TORUS, &[k, 9]);
        let Verdict::Cyclic { cycle } = proof.verdict else { panic!("a ring is cyclic") };
        assert_eq!(cycle.len(), k as usize);
    }
}

/// All edges, with escape VCs those of their extended graph, found by sending every message every way, one hop at a time, with nothing shared.
fn edges_by_hand(network: &Network, relation: &Relation) -> HashSet<(VcId, VcId)> {
    struct Sender<'a> {
        network: &'a Network,
        relation: &'a Relation,
        edges: HashSet<(VcId, VcId)>,
    }
    impl Sender<'_> {
        fn send(&mut self, header: &Header, at: RouterId, last: Option<VcId>) {
            let mut candidates = Vec::new();
            self.relation.candidates(Stop::start(at), header, &mut candidates);
            for candidate in candidates {
                for v in (0..32).filter(|v| candidate.vcs >> v & 1 == 1) {
                    let vc = VcId(candidate.channel.0 * self.relation.virtual_channels() + v);
                    let to = self.network.channel(candidate.channel).to;
                    let escapes = self.relation.escape_vcs();
                    if escapes == 0 || escapes >> v & 1 == 1 {
                        self.edges.extend(last.map(|last| (last, vc)));
                        self.send(header, to, Some(vc));
                    } else {
                        // After an adaptive VC the last escape VC is still the last.
                        self.send(header, to, last);
                    }
                }
            }
        }
    }
    let mut sender = Sender { network, relation, edges: HashSet::new() };
    let ways = 1u64 << network.cube().expect("all are cubes").dimensions();
    for source in 0..network.routers() {
        for destination in 0..network.routers() {
            for low in 0..ways {
                for high in 0..ways {
                    let header = Header::new(
                        RouterId::new(source),
                        RouterId::new(destination),
                        low | high << 32,
                    );
                    sender.send(&header, header.source, None);
                }
            }
        }
    }
    sender.edges
}

#[test]
fn sending_every_message_every_way_gives_the_same_edges() {
    let mut routings: Vec<Routing> = CLASSES.map(order).to_vec();
    routings.extend([Routing::NegativeHop, Routing::POSITIVE_HOP]);
    routings.extend(super::shapes::NORTH_LAST.map(north_last));
    routings.extend([Routing::WestFirst, Routing::NegativeFirst, Routing::OddEven]);
    routings.push(Routing::O1Turn);
    routings.extend(super::shapes::PLANAR);
    routings.extend(super::shapes::ESCAPES.map(Routing::minimal_adaptive));
    let shapes: [(Family, &[u32]); 7] = [
        (TORUS, &[4, 4]),
        (TORUS, &[5, 3]),
        (TORUS, &[2, 4]),
        (ONE_WAY, &[3, 4]),
        (Family::Mesh, &[4, 5]),
        (Family::Mesh, &[3, 2, 3]),
        (Family::Hypercube, &[2, 2, 2]),
    ];
    let mut compared = 0;
    for (family, radix) in shapes {
        for routing in routings.clone() {
            if routing.serves(&Cube::network(family, radix)).is_err() {
                continue;
            }
            for half_way in [HalfWay::Random, HalfWay::Positive, HalfWay::Adaptive] {
                if half_way == HalfWay::Adaptive && !routing.may_choose_ways() {
                    continue;
                }
                let (network, relation) = system(&routing, half_way, family, radix, 0);
                let graph = graph(&network, &relation).unwrap();
                let edges: HashSet<(VcId, VcId)> = (0..graph.vertices())
                    .flat_map(|vc| {
                        let from = VcId::new(vc);
                        graph.successors(from).map(move |to| (from, to))
                    })
                    .collect();
                assert_eq!(
                    edges,
                    edges_by_hand(&network, &relation),
                    "{} {half_way:?} on {family:?} {radix:?}",
                    routing.name()
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 120, "{compared}");
}
