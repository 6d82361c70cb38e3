//! Routes make sense: every candidate leaves where the head is and leads closer, nothing ends before
//! the destination, and what a rule should offer it does.

use std::collections::VecDeque;

use flitscope::ids::RouterId;
use flitscope::routing::{
    Candidate, Classes, HalfWay, Header, HopClasses, NorthLastClasses, Relation, Routing, Stop,
    VcUse,
};
use flitscope::topology::Network;
use flitscope::topology::cube::{Cube, Family, Sign};

use super::shapes::{ONE_WAY, PLANAR, TORUS, routings, system};

/// Distances to `to`, by a search over channels that knows nothing of coordinates.
fn distances(network: &Network, to: RouterId) -> Vec<u32> {
    let mut distance = vec![u32::MAX; network.routers()];
    distance[to.index()] = 0;
    let mut queue = VecDeque::from([to]);
    while let Some(at) = queue.pop_front() {
        for &channel in network.inputs(at) {
            let from = network.channel(channel).from;
            if distance[from.index()] == u32::MAX {
                distance[from.index()] = distance[at.index()] + 1;
                queue.push_back(from);
            }
        }
    }
    distance
}

/// Every state (header, router) that a message may come to, with what it is offered.
fn every_state(
    network: &Network,
    relation: &Relation,
    mut each: impl FnMut(&Header, RouterId, &[u32], &[Candidate]),
) {
    let dimensions = network.cube().expect("all are cubes").dimensions();
    let mut candidates = Vec::new();
    for destination in (0..network.routers()).map(RouterId::new) {
        let distance = distances(network, destination);
        for source in (0..network.routers()).map(RouterId::new) {
            for route_bits in 0..1u64 << (2 * dimensions) {
                let low = route_bits & ((1 << dimensions) - 1);
                let header = Header::new(source, destination, low | route_bits >> dimensions << 32);
                let mut reached = vec![false; network.routers()];
                let mut open = vec![source];
                while let Some(at) = open.pop() {
                    if std::mem::replace(&mut reached[at.index()], true) {
                        continue;
                    }
                    relation.candidates(Stop::start(at), &header, &mut candidates);
                    each(&header, at, &distance, &candidates);
                    open.extend(candidates.iter().map(|c| network.channel(c.channel).to));
                }
            }
        }
    }
}

const SHAPES: [(Family, &[u32]); 10] = [
    (TORUS, &[4, 4]),
    (TORUS, &[5, 3]),
    (TORUS, &[2, 6]),
    (TORUS, &[2, 3, 2]),
    (ONE_WAY, &[4, 3]),
    (ONE_WAY, &[4, 2]),
    (Family::Mesh, &[5, 4]),
    (Family::Mesh, &[3, 2, 3]),
    (Family::Mesh, &[9]),
    (Family::Hypercube, &[2, 2, 2, 2]),
];

#[test]
fn every_candidate_leaves_here_and_leads_closer() {
    for (family, radix) in SHAPES {
        for routing in routings() {
            if routing.serves(&Cube::network(family, radix)).is_err() {
                continue;
            }
            for half_way in [HalfWay::Random, HalfWay::Positive, HalfWay::Adaptive] {
                if half_way == HalfWay::Adaptive && !routing.may_choose_ways() {
                    continue;
                }
                let (network, relation) = system(&routing, half_way, family, radix, 1);
                let name = format!("{} {half_way:?} on {family:?} {radix:?}", routing.name());
                every_state(&network, &relation, |header, at, distance, candidates| {
                    assert_eq!(candidates.is_empty(), at == header.destination, "{name}");
                    for candidate in candidates {
                        let channel = network.channel(candidate.channel);
                        assert_eq!(channel.from, at, "{name}");
                        let (here, there) = (distance[at.index()], distance[channel.to.index()]);
                        assert_eq!(there + 1, here, "{name}");
                        assert!(candidate.vcs != 0);
                        assert!(candidate.vcs >> relation.virtual_channels() == 0);
                    }
                });
            }
        }
    }
}

#[test]
fn hop_rules_offer_all_that_leads_closer_in_the_class_of_the_hops_made() {
    for routing in [Routing::POSITIVE_HOP, Routing::NegativeHop] {
        for (family, radix) in SHAPES {
            if routing.serves(&Cube::network(family, radix)).is_err() {
                continue;
            }
            let (network, relation) = system(&routing, HalfWay::Adaptive, family, radix, 0);
            let cube = network.cube().unwrap();
            let colour =
                |at: RouterId| cube.coordinates(at).iter().map(|&x| u32::from(x)).sum::<u32>() % 2;
            let mut used = 0;
            every_state(&network, &relation, |header, at, distance, candidates| {
                let closer = network.outputs(at).iter().filter(|&&channel| {
                    distance[network.channel(channel).to.index()] < distance[at.index()]
                });
                assert_eq!(candidates.len(), closer.count());
                let hops = distance[header.source.index()] - distance[at.index()];
                // Walk it: colours alternate, and a hop from 1 to 0 is a negative one.
                let negative = (0..hops).filter(|hop| (colour(header.source) + hop) % 2 == 1);
                let class =
                    if routing == Routing::POSITIVE_HOP { hops } else { negative.count() as u32 };
                for candidate in candidates {
                    assert_eq!(candidate.vcs, 1 << class);
                    used |= candidate.vcs;
                }
            });
            // No VC of those said to be needed is left over.
            assert_eq!(used.trailing_ones(), relation.virtual_channels(), "{family:?} {radix:?}");
            assert_eq!(relation.vc_use(0), VcUse::Hop(0));
        }
    }
}

#[test]
fn north_comes_last_and_is_alone() {
    for family in [TORUS, Family::Mesh] {
        for classes in super::shapes::NORTH_LAST {
            let routing = Routing::NorthLast { classes };
            let (network, relation) = system(&routing, HalfWay::Random, family, &[6, 5], 0);
            let cube = network.cube().unwrap();
            let mut choices = 0;
            every_state(&network, &relation, |header, at, _, candidates| {
                let x = |router: RouterId| cube.coordinates(router)[0];
                let north = candidates.iter().any(|c| cube.direction(c.channel) == (1, Sign::Plus));
                assert!(!north || candidates.len() == 1 && x(at) == x(header.destination));
                choices += usize::from(candidates.len() == 2);
            });
            assert!(choices > 100);
        }
    }
}

#[test]
fn o1turn_keeps_to_the_order_that_it_drew_and_to_its_vcs() {
    let (network, relation) = system(&Routing::O1Turn, HalfWay::Random, Family::Mesh, &[5, 4], 1);
    let cube = network.cube().unwrap();
    let mut turned = [0; 2];
    every_state(&network, &relation, |header, at, _, candidates| {
        let order = (header.route_bits >> 32 & 1) as usize;
        let Some(candidate) = candidates.first() else { return };
        assert_eq!((candidates.len(), candidate.vcs), (1, [0b011, 0b100][order]));
        let (here, there) = (cube.coordinates(at), cube.coordinates(header.destination));
        let (dimension, _) = cube.direction(candidate.channel);
        assert!(dimension == order || here[order] == there[order]);
        turned[order] += usize::from(dimension != order);
    });
    assert!(turned[0] > 100 && turned[1] > 100, "{turned:?}");
    let node = flitscope::ids::NodeId;
    assert_eq!(relation.ways(node(0), node(19)).len(), 2);
    assert!(Routing::O1Turn.serves(&Cube::network(TORUS, &[4, 4])).is_err());
    assert!(Routing::O1Turn.serves(&Cube::network(Family::Mesh, &[4, 4, 4])).is_err());
}

#[test]
fn planar_adaptive_keeps_to_its_planes_and_to_the_vcs_of_its_direction() {
    let [planar, ..] = PLANAR;
    for (radix, vcs) in [(&[5, 4][..], 2), (&[3, 4, 3], 3)] {
        let (network, relation) = system(&planar, HalfWay::Random, Family::Mesh, radix, 0);
        assert_eq!(relation.virtual_channels(), vcs);
        let cube = network.cube().unwrap();
        let mut choices = 0;
        every_state(&network, &relation, |header, at, _, candidates| {
            let [from, here, there] =
                [header.source, at, header.destination].map(|router| cube.coordinates(router));
            let Some(first) = (0..radix.len()).find(|&it| here[it] != there[it]) else { return };
            // The last plane remains that of a message until its end.
            let plane = first.min(radix.len() - 2);
            let expected: Vec<(usize, u32)> = [plane, plane + 1]
                .into_iter()
                .filter(|&it| here[it] != there[it])
                .map(|it| match (it, it == plane) {
                    (0, _) => (it, (1 << vcs) - 1),
                    (_, true) => (it, 0b100),
                    (_, false) => (it, if there[plane] < from[plane] { 0b10 } else { 0b01 }),
                })
                .collect();
            let found: Vec<(usize, u32)> =
                candidates.iter().map(|it| (cube.direction(it.channel).0, it.vcs)).collect();
            assert_eq!(found, expected);
            choices += usize::from(found.len() == 2);
        });
        assert!(choices > 100);
    }
}

/// On tori every minimal hop of the plane is offered with the classes of the seams crossed; with two
/// classes some are held back while both seams are ahead.
#[test]
fn planar_adaptive_on_tori_crosses_the_seam_of_the_second_dimension_first() {
    let [planar, _, crossed, _] = PLANAR;
    let needed = |routing: &Routing, radix: &[u32]| {
        routing.serves(&Cube::network(TORUS, radix)).unwrap().needed
    };
    let all: [&[u32]; 3] = [&[6], &[6, 5], &[4, 5, 4]];
    assert_eq!(all.map(|radix| needed(&planar, radix)), [2, 4, 6]);
    assert_eq!(all.map(|radix| needed(&crossed, radix)), [2, 6, 9]);
    for radix in all {
        let (network, full) = system(&crossed, HalfWay::Random, TORUS, radix, 0);
        let (_, relation) = system(&planar, HalfWay::Random, TORUS, radix, 0);
        let cube = network.cube().unwrap();
        let (mut open, mut held_back) = (Vec::new(), 0);
        every_state(&network, &full, |header, at, distance, candidates| {
            let [here, there] = [at, header.destination].map(|router| cube.coordinates(router));
            let Some(first) = (0..radix.len()).find(|&it| here[it] != there[it]) else { return };
            let plane = first.min(radix.len().saturating_sub(2));
            let offered: Vec<usize> =
                candidates.iter().map(|it| cube.direction(it.channel).0).collect();
            let unfinished =
                (plane..radix.len().min(plane + 2)).filter(|&it| here[it] != there[it]);
            assert_eq!(offered, unfinished.collect::<Vec<_>>());
            relation.candidates(Stop::start(at), header, &mut open);
            assert!(open.len() <= candidates.len());
            held_back += usize::from(open.len() < candidates.len());
            for candidate in &open {
                assert!(candidates.iter().any(|it| it.channel == candidate.channel));
                let to = network.channel(candidate.channel).to;
                assert_eq!(distance[to.index()] + 1, distance[at.index()]);
            }
        });
        assert_eq!(held_back > 0, radix.len() > 1, "{radix:?}");
    }
}

#[test]
fn turn_rules_turn_as_they_may() {
    let turns = |routing: Routing| {
        let (network, relation) = system(&routing, HalfWay::Random, Family::Mesh, &[6, 6], 0);
        let graph = flitscope::routing::dependency::graph(&network, &relation).unwrap();
        let cube = network.cube().unwrap();
        let mut turns = Vec::new();
        for from in (0..graph.vertices()).map(flitscope::ids::VcId::new) {
            for to in graph.successors(from) {
                // One VC: the VC is the channel.
                let channels = [from, to].map(|vc| flitscope::ids::ChannelId(vc.0));
                let column = cube.coordinates(network.channel(channels[1]).from)[0];
                let turn = channels.map(|channel| match cube.direction(channel) {
                    (0, Sign::Plus) => 'E',
                    (0, Sign::Minus) => 'W',
                    (_, Sign::Plus) => 'N',
                    (_, Sign::Minus) => 'S',
                });
                if turn[0] != turn[1] {
                    turns.push((turn, column % 2));
                }
            }
        }
        turns.sort_unstable();
        turns.dedup();
        turns
    };
    let any = |turn: &str, turns: &[([char; 2], u16)]| {
        turns.iter().any(|(found, _)| turn.chars().eq(*found))
    };
    let six = |allowed: [&str; 6], routing: Routing| {
        let turns = turns(routing.clone());
        assert!(allowed.iter().all(|turn| any(turn, &turns)), "{routing:?}: {turns:?}");
        let mut kinds: Vec<[char; 2]> = turns.iter().map(|(turn, _)| *turn).collect();
        kinds.dedup();
        assert_eq!(kinds.len(), 6, "{routing:?}: {kinds:?}");
    };
    six(["WN", "WS", "EN", "ES", "NE", "SE"], Routing::WestFirst);
    six(["WS", "SW", "EN", "NE", "WN", "SE"], Routing::NegativeFirst);
    let classes = NorthLastClasses::TwoNetwork;
    six(["EN", "ES", "WN", "WS", "SE", "SW"], Routing::NorthLast { classes });
    let odd_even = turns(Routing::OddEven);
    for (turn, odd) in odd_even {
        match turn {
            ['E', 'N' | 'S'] => assert_eq!(odd, 1),
            ['N' | 'S', 'W'] => assert_eq!(odd, 0),
            _ => {}
        }
    }
}

#[test]
fn more_virtual_channels_are_shared_out_over_the_classes() {
    let shares = |routing: Routing, radix: &[u32], more: u32| -> Vec<VcUse> {
        let (_, relation) = system(&routing, HalfWay::Random, TORUS, radix, more);
        (0..relation.virtual_channels()).map(|v| relation.vc_use(v)).collect()
    };
    let class = [VcUse::Class(0), VcUse::Class(1)];
    let order = Routing::dimension_order(Classes::Dateline);
    assert_eq!(shares(order, &[4, 4], 1), [class[0], class[0], class[1]]);
    let hop = VcUse::Hop;
    assert_eq!(shares(Routing::NegativeHop, &[4, 4], 2), [hop(0), hop(0), hop(1), hop(1), hop(2)]);
    let none = Routing::dimension_order(Classes::None);
    assert_eq!(shares(none, &[4, 4], 1), [VcUse::Open; 2]);
    let needed = |radix: &[u32], family| {
        Routing::NegativeHop.serves(&Cube::network(family, radix)).unwrap().needed
    };
    assert_eq!(needed(&[16, 16], TORUS), 9);
    assert_eq!(needed(&[3, 3], Family::Mesh), 2);
    assert_eq!(Routing::POSITIVE_HOP.serves(&Cube::network(TORUS, &[16, 16])).unwrap().needed, 16);
}

/// A message never holds a VC of a class above the hops made before it, and always waits for the class
/// of the hops made. So the VC of this class is with a message that has more hops, and no set of
/// messages can wait for each other while a buffer holds one message.
#[test]
fn any_class_up_to_the_hops_includes_the_class_of_the_hops_made() {
    let up_to = Routing::PositiveHop { classes: HopClasses::UpTo };
    for (family, radix) in SHAPES {
        let (network, exact) = system(&Routing::POSITIVE_HOP, HalfWay::Adaptive, family, radix, 0);
        let (_, relation) = system(&up_to, HalfWay::Adaptive, family, radix, 0);
        every_state(&network, &relation, |header, at, distance, candidates| {
            let hops = distance[header.source.index()] - distance[at.index()];
            let mut taken = Vec::new();
            exact.candidates(Stop::start(at), header, &mut taken);
            assert_eq!(candidates.len(), taken.len());
            for (candidate, taken) in candidates.iter().zip(taken) {
                assert_eq!(candidate.channel, taken.channel);
                assert_eq!(taken.vcs, 1 << hops);
                assert_eq!(candidate.vcs, (2 << hops) - 1);
            }
        });
    }
}
