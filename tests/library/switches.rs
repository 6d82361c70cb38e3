//! Switch graphs: their ways, the proof over them, and messages that take them.
//!
//! The figures for the 3x3 torus and the 4x4 mesh are those of the networks of 002, section 7.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use flitscope::engine::Delivery;
use flitscope::engine::Simulator;
use flitscope::engine::wormhole::WormholeEngine;
use flitscope::ids::{ChannelId, NodeId, RouterId};
use flitscope::random::{Purpose, Streams};
use flitscope::routing::dependency::{Proof, Verdict, prove};
use flitscope::routing::route_search::{Finder, Levels};
use flitscope::routing::source_routes::Routes;
use flitscope::routing::{Classes, Paths, Relation, Routing, Stop};
use flitscope::switching::{Ejection, Injection, Release, Terminals, Wormhole};
use flitscope::system::System;
use flitscope::topology::Network;
use flitscope::topology::cube::{Cube, Family};
use flitscope::topology::switches::{Switches, random};
use flitscope::traffic::destinations::DestinationDraw;
use flitscope::traffic::{Destinations, Lengths, Locality, Permutation, Process, Traffic};
use flitscope::units::{Cycle, Rate};
use strum::VariantArray;

const TORUS: Family = Family::Torus { unidirectional: false };

fn hosts(switches: u32, each: usize) -> Vec<u32> {
    (0..switches).flat_map(|switch| std::iter::repeat_n(switch, each)).collect()
}

fn torus_3x3() -> Arc<Network> {
    Arc::new(Switches::grid(TORUS, &[3, 3], &hosts(9, 4)))
}

fn up_down(paths: Paths) -> Routing {
    Routing::UpDown { roots: RouterId(0).into(), paths }
}

fn relation(network: &Arc<Network>, routing: Routing) -> Relation {
    Relation::new(routing, Arc::clone(network), 1)
}

/// The links of one way, by asking the relation at every switch.
fn way(
    network: &Network,
    relation: &Relation,
    from: NodeId,
    to: NodeId,
    route_bits: u64,
) -> Vec<ChannelId> {
    let header = relation.header(from, to, route_bits);
    let (mut at, mut links, mut offered) = (header.source, Vec::new(), Vec::new());
    loop {
        relation.candidates(Stop::start(at), &header, &mut offered);
        let Some(candidate) = offered.first() else { break };
        assert_eq!((offered.len(), candidate.vcs), (1, 1));
        assert_eq!(network.channel(candidate.channel).from, at);
        links.push(candidate.channel);
        at = network.channel(candidate.channel).to;
    }
    assert_eq!(at, header.destination);
    links
}

/// Flow per link in messages of one host, and the mean number of links between switches.
fn flows(network: &Network, relation: &Relation) -> (Vec<f64>, f64) {
    let mut flows = vec![0.0; network.channels().len()];
    let mut hops = 0.0;
    let nodes = network.nodes();
    for from in (0..nodes).map(NodeId::new) {
        for to in (0..nodes).map(NodeId::new).filter(|&to| to != from) {
            let ways = relation.ways(from, to);
            for &route_bits in &ways {
                let share = 1.0 / (ways.len() * (nodes - 1)) as f64;
                for channel in way(network, relation, from, to, route_bits) {
                    flows[channel.index()] += share;
                    hops += share / nodes as f64;
                }
            }
        }
    }
    (flows, hops)
}

fn levels_of(proof: &Proof) -> u32 {
    let Verdict::Free { numbering } = &proof.verdict else { panic!("{:?}", proof.verdict) };
    numbering.0.iter().max().unwrap() + 1
}

fn link_between(network: &Network, from: u32, to: u32) -> ChannelId {
    let leads_there = |link: &&ChannelId| network.channel(**link).to == RouterId(to);
    *network.outputs(RouterId(from)).iter().find(leads_there).unwrap()
}

fn routes_in_all(network: &Network, routes: &Routes) -> u32 {
    let routers = || (0..network.routers()).map(RouterId::new);
    routers().flat_map(|from| routers().map(move |to| routes.count(from, to))).sum()
}

#[test]
fn the_3x3_torus_has_the_ways_of_the_paper() {
    let network = torus_3x3();
    assert_eq!((network.links(), network.nodes()), (36, 36));
    let levels = Levels::new(&network, &RouterId(0).into());
    let found: Vec<u32> = (0..9).map(|switch| levels.level(RouterId(switch))).collect();
    assert_eq!(found, [0, 1, 1, 1, 2, 2, 1, 2, 2]);
    let relation = relation(&network, up_down(Paths::Split));
    let routes = relation.routes().unwrap();
    assert_eq!(routes_in_all(&network, routes), 99);
    assert_eq!(routes.longest(), 2);
    let switches = || (0..9).map(RouterId);
    let pairs = switches().flat_map(|from| switches().map(move |to| (from, to)));
    let two = pairs.filter(|&(from, to)| match routes.count(from, to) {
        1 => false,
        2 => true,
        more => panic!("{more} ways"),
    });
    assert_eq!(two.count(), 18);
    let (flows, hops) = flows(&network, &relation);
    assert!((hops + 2.0 - 3.37143).abs() < 5e-6, "{hops}");
    // By flow, the pairs of switches joined by links that carry it.
    for (flow, links) in [
        (1.82857, [(0, 1), (0, 2), (0, 3), (0, 6), (1, 2), (3, 6)]),
        (1.37143, [(1, 4), (1, 7), (3, 4), (3, 5), (4, 5), (4, 7)]),
        (0.91429, [(2, 5), (2, 8), (5, 8), (6, 7), (6, 8), (7, 8)]),
    ] {
        for (a, b) in links {
            for (from, to) in [(a, b), (b, a)] {
                let channel = link_between(&network, from, to);
                let here = flows[channel.index()];
                assert!((here - flow).abs() < 5e-6, "{from}-{to}: {here}");
            }
        }
    }
}

#[test]
fn a_way_per_pair_of_hosts_carries_what_the_split_carries_and_the_first_way_does_not() {
    let network = torus_3x3();
    let of = |paths| flows(&network, &relation(&network, up_down(paths))).0;
    let (split, host, first) = (of(Paths::Split), of(Paths::Host), of(Paths::First));
    assert!(split.iter().zip(&host).all(|(split, host)| (split - host).abs() < 1e-12));
    let most = first.iter().copied().fold(0.0, f64::max);
    assert!((most - 2.28571).abs() < 5e-6, "{most}");
}

#[test]
fn dependencies_have_the_levels_of_the_paper() {
    let network = torus_3x3();
    // Two levels more, those of injection and ejection, are not in the graph of links.
    for (paths, ranks) in [(Paths::Split, 10), (Paths::First, 5)] {
        let proof = prove(&network, &relation(&network, up_down(paths)));
        assert_eq!(levels_of(&proof) + 2, ranks, "{paths:?}");
    }
    let mesh = Arc::new(Switches::grid(Family::Mesh, &[4, 4], &hosts(16, 1)));
    let rule = relation(&mesh, Routing::dimension_order(Classes::None));
    assert_eq!(levels_of(&prove(&mesh, &rule)) + 2, 8);
    let (flows, hops) = flows(&mesh, &rule);
    assert_eq!(mesh.links() + 2 * mesh.nodes(), 80);
    assert!((hops - 2.666_67).abs() < 5e-6, "{hops}");
    let most = flows.iter().copied().fold(0.0, f64::max);
    assert!((most - 1.066_67).abs() < 5e-6, "{most}");
}

/// Links of shortest legal ways from `from` to everywhere, by a search of its own: over (switch, has
/// gone down), one step after the other.
fn shortest(network: &Network, levels: &Levels, from: RouterId) -> Vec<u32> {
    let mut far = vec![[u32::MAX; 2]; network.routers()];
    far[from.index()][0] = 0;
    let mut queue = VecDeque::from([(from, 0usize)]);
    while let Some((at, gone_down)) = queue.pop_front() {
        for &channel in network.outputs(at) {
            let to = network.channel(channel).to;
            let (here, there) = ((levels.level(at), at), (levels.level(to), to));
            let goes_up = there < here;
            let then = usize::from(!goes_up);
            if (goes_up && gone_down == 1) || far[to.index()][then] != u32::MAX {
                continue;
            }
            far[to.index()][then] = far[at.index()][gone_down] + 1;
            queue.push_back((to, then));
        }
    }
    far.iter().map(|far| far[0].min(far[1])).collect()
}

#[test]
fn up_down_is_free_of_deadlock_on_300_random_graphs_and_its_ways_are_legal_and_shortest() {
    let mut stream = Streams::new(300, 0, Purpose::Lengths).next_node();
    let (mut pairs, mut longer) = (0, 0);
    for graph in 0..300u64 {
        let switches = 2 + stream.below(13);
        let most = switches * (switches - 1) / 2;
        let wanted = (switches - 1 + stream.below(2 * switches)).min(most) as usize;
        let links = random::links(switches, wanted, 20, graph);
        assert_eq!(links.len(), wanted);
        let network =
            Arc::new(Switches::network(switches as usize, &links, &hosts(switches, 1), None));
        let root = RouterId(stream.below(switches));
        let levels = Levels::new(&network, &root.into());
        let relation =
            relation(&network, Routing::UpDown { roots: root.into(), paths: Paths::Split });
        let routes = relation.routes().unwrap();
        for from in (0..switches).map(RouterId) {
            let legal = shortest(&network, &levels, from);
            let any = network.distances(from);
            for to in (0..switches).map(RouterId) {
                pairs += 1;
                longer += usize::from(legal[to.index()] > any[to.index()]);
                let mut seen: Vec<&[_]> = Vec::new();
                for number in 0..routes.count(from, to) {
                    let hops = routes.route(from, to, number);
                    assert_eq!(hops.len() as u32, legal[to.index()], "graph {graph}");
                    assert_eq!(routes.drawn(from, to, routes.bits_for(from, to, number)), hops);
                    let mut at = from;
                    let mut down = false;
                    for hop in hops {
                        let channel = network.channel(hop.channel);
                        assert_eq!((channel.from, hop.from), (at, at));
                        assert!(!(down && levels.up(at, channel.to)), "up after down");
                        down |= !levels.up(at, channel.to);
                        at = channel.to;
                    }
                    assert_eq!(at, to);
                    assert!(!seen.contains(&hops));
                    seen.push(hops);
                }
                assert!(!seen.is_empty());
            }
        }
        let proof = prove(&network, &relation);
        assert!(
            matches!(proof.verdict, Verdict::Free { .. }),
            "graph {graph}: {:?}",
            proof.verdict
        );
        assert_eq!((proof.virtual_channels_used, proof.alternatives), (1, false));
    }
    assert!(pairs > 15_000 && longer > 200, "{pairs} {longer}");
}

#[test]
fn a_listing_holds_every_shortest_route_or_says_that_they_are_too_many() {
    // From corner to corner of a square of 4, as many as one can choose 3 of 6 steps to go east.
    let square = |k: u32| Switches::grid(Family::Mesh, &[k, k], &hosts(k * k, 1));
    let network = square(4);
    let list = |first| Finder::new(&network, None, first).table().expect("so few can be listed");
    let (all, first) = (list(false), list(true));
    assert_eq!(
        (all.count(RouterId(0), RouterId(15)), first.count(RouterId(0), RouterId(15))),
        (20, 1)
    );
    let last = all.route(RouterId(0), RouterId(15), 19);
    assert_eq!((last.len(), all.longest()), (6, 6));
    assert_eq!(routes_in_all(&network, &first), 16 * 16);
    let network = square(16);
    assert!(Finder::new(&network, None, false).table().is_none());
    assert!(Finder::new(&network, None, true).table().is_some());
}

#[test]
fn shortest_paths_on_a_ring_of_five_have_a_cycle_and_up_down_has_none() {
    let links = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)];
    let network = Arc::new(Switches::network(5, &links, &hosts(5, 2), None));
    let proof = prove(&network, &relation(&network, Routing::shortest_path(Paths::Split)));
    let Verdict::Cyclic { cycle } = proof.verdict else { panic!("{:?}", proof.verdict) };
    assert_eq!(cycle.len(), 5);
    for (at, vc) in cycle.iter().enumerate() {
        let next = cycle[(at + 1) % 5];
        let (here, there) = (ChannelId(vc.0), ChannelId(next.0));
        assert_eq!(network.channel(here).to, network.channel(there).from);
    }
    let proof = prove(&network, &relation(&network, up_down(Paths::Split)));
    assert!(matches!(proof.verdict, Verdict::Free { .. }));
}

/// A machine in the manner of 002: source routing without virtual channels, buffers that several
/// worms may share.
fn machine(buffer_flits: u32) -> Wormhole {
    Wormhole {
        release: Release::Sent,
        injection: Injection::OneMessage,
        ejection: Ejection::Shared,
        terminals: Terminals::Channels,
        ..Wormhole::new(1, buffer_flits)
    }
}

fn traffic(rate: f64, destinations: Destinations, lengths: Lengths) -> Traffic {
    Traffic::random(Process::Poisson, Rate(rate), destinations, lengths)
}

fn run(system: &System, cycles: u64) -> (WormholeEngine, Vec<Delivery>) {
    let mut engine = WormholeEngine::new(system, 5, 0);
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    for slice in 1..=cycles / 100 {
        engine.advance(Cycle(slice * 100));
        engine.audit().unwrap();
        engine.take_deliveries(&mut batch);
        all.append(&mut batch);
    }
    assert_eq!(engine.deadlock(), None);
    (engine, all)
}

#[test]
fn messages_take_their_ways_and_nothing_is_lost() {
    let campus = Switches::network(
        5,
        &[(0, 1), (1, 2), (2, 3), (3, 0), (2, 4)],
        &[0, 0, 1, 3, 3, 3, 4, 0],
        None,
    );
    for (network, routing) in [
        (torus_3x3(), up_down(Paths::Split)),
        (torus_3x3(), up_down(Paths::Host)),
        (torus_3x3(), Routing::dimension_order(Classes::None)),
        (Arc::new(campus), Routing::UpDown { roots: RouterId(2).into(), paths: Paths::First }),
    ] {
        let lengths = Lengths::Exponential { mean: 20.0 };
        let traffic = traffic(0.01, Destinations::Uniform, lengths);
        let system = System::new(Arc::clone(&network), routing, machine(16), traffic);
        let (engine, deliveries) = run(&system, 20_000);
        assert!(deliveries.len() > 1000);
        let mut local = 0;
        for delivery in &deliveries {
            let (from, to) = (delivery.source, delivery.destination);
            assert_ne!(from, to);
            let links = way(&system.network, &system.relation, from, to, 0).len();
            // All ways of a pair are equally long; the terminals' channels count.
            assert_eq!(delivery.hops as usize, links + 2);
            local += usize::from(links == 0);
        }
        assert!(local > 50, "hosts of one switch talk to each other");
        let again = run(&system, 20_000).0;
        assert_eq!(engine.fingerprint(), again.fingerprint());
    }
}

#[test]
fn every_way_of_a_pair_is_taken_as_often() {
    let network = torus_3x3();
    let mut relation_shares: HashMap<Vec<ChannelId>, u32> = HashMap::new();
    let relation = relation(&network, up_down(Paths::Split));
    // Switches 4 and 8: hosts 16 and 32.
    let mut pair = (0..9).flat_map(|a| (0..9).map(move |b| (RouterId(a), RouterId(b))));
    let routes = relation.routes().unwrap();
    let (a, b) = pair.rfind(|&(a, b)| routes.count(a, b) == 2).unwrap();
    let (from, to) = (NodeId(4 * a.0), NodeId(4 * b.0));
    for serial in 0..4000 {
        let route_bits = flitscope::random::route_bits(1, from.0, serial);
        *relation_shares.entry(way(&network, &relation, from, to, route_bits)).or_default() += 1;
    }
    assert_eq!(relation_shares.len(), 2);
    assert!(relation_shares.values().all(|&count| (1850..2150).contains(&count)));
}

#[test]
fn an_uncontended_worm_takes_its_length_and_a_cycle_per_channel_after_the_first() {
    let network = torus_3x3();
    let traffic = traffic(1e-5, Destinations::Uniform, Lengths::Fixed(40));
    let system = System::new(network, up_down(Paths::Split), machine(16), traffic);
    let (_, deliveries) = run(&system, 400_000);
    let alone = |d: &&Delivery| {
        let meets = |other: &Delivery| other.born <= d.done && d.born <= other.done;
        deliveries.iter().filter(|other| meets(other)).count() == 1
    };
    let mut seen = 0;
    for delivery in deliveries.iter().filter(alone) {
        seen += 1;
        let latency = delivery.done - delivery.born;
        assert_eq!(latency, 40 + u64::from(delivery.hops) - 1);
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn patterns_among_hosts_go_by_hops_between_switches_and_by_numbers() {
    let mesh = Arc::new(Switches::grid(Family::Mesh, &[4, 2], &hosts(8, 2)));
    let near = Destinations::Local(Locality::Sphere { radius: 1, percent: 90.0 });
    assert_eq!(near.check(&mesh), Ok(()));
    let far = Destinations::Local(Locality::Sphere { radius: 3, percent: 90.0 });
    assert!(far.check(&mesh).is_err());
    let ring: Vec<(u32, u32)> = (0..8).map(|at| (at, (at + 1) % 8)).collect();
    let ring = Arc::new(Switches::network(8, &ring, &hosts(8, 2), None));
    let reversal = Destinations::Permutation(Permutation::BitReversal);
    assert_eq!(reversal.check(&ring), Ok(()));
    for (network, destinations) in [(mesh, near), (ring, reversal)] {
        let local = matches!(destinations, Destinations::Local(_));
        let traffic = traffic(0.01, destinations, Lengths::Fixed(10));
        let system = System::new(network, up_down(Paths::Split), machine(8), traffic);
        let (_, deliveries) = run(&system, 10_000);
        assert!(deliveries.len() > 300);
        let within = deliveries.iter().filter(|d| d.hops <= 3).count() as f64;
        for delivery in deliveries.iter().filter(|_| !local) {
            assert_eq!(delivery.destination.0, delivery.source.0.reverse_bits() >> 28);
        }
        let share = within / deliveries.len() as f64;
        assert!(!local || (0.85..0.95).contains(&share), "{share}");
        assert!(local || (system.sending_share() - 0.75).abs() < 1e-12);
    }
}

/// Every permutation on a grid of switches is that of the cube of the same shape: each host sends to the
/// host in its own place at the switch to which the node of the cube sends, whatever the order of hosts.
#[test]
fn permutations_on_a_grid_are_those_of_its_switches_and_hosts_keep_their_places() {
    let by_turns: Vec<u32> = (0..3).flat_map(|_| 0..16).collect();
    for seats in [hosts(16, 1), hosts(16, 3), by_turns] {
        for family in [Family::Mesh, TORUS] {
            let grid = Switches::grid(family, &[4, 4], &seats);
            let cube = Cube::network(family, &[4, 4]);
            for &permutation in Permutation::VARIANTS {
                let pattern = Destinations::Permutation(permutation);
                assert_eq!(pattern.check(&grid), Ok(()));
                let among_hosts = DestinationDraw::new(&pattern, &grid);
                let among_nodes = DestinationDraw::new(&pattern, &cube);
                for host in (0..grid.nodes()).map(NodeId::new) {
                    let switch = grid.router_of(host);
                    let image = |(node, _): &(NodeId, f64)| grid.hosts_at(RouterId(node.0));
                    let expected = among_nodes.shares(NodeId(switch.0));
                    let expected = expected.first().map(image);
                    let expected = expected.map(|there| there[grid.seat(host) as usize]);
                    let found = among_hosts.shares(host).first().map(|&(to, _)| to);
                    assert_eq!(found, expected, "{permutation:?}, host {host:?}");
                }
                let share = seats.len() / 16 * among_nodes.rates().senders();
                assert_eq!(among_hosts.rates().senders(), share, "{permutation:?}");
            }
        }
    }
}

#[test]
fn tornado_and_neighbour_among_hosts_take_as_many_hops_as_on_the_torus() {
    for (permutation, links) in [(Permutation::Tornado, 6), (Permutation::Neighbour, 2)] {
        let torus = Switches::grid(TORUS, &[8, 8], &hosts(64, 2));
        let traffic = traffic(0.002, Destinations::Permutation(permutation), Lengths::Fixed(10));
        let system = System::new(Arc::new(torus), up_down(Paths::Split), machine(8), traffic);
        let between = |delivery: &Delivery| {
            let [from, to] = [delivery.source, delivery.destination];
            system.network.distance(system.network.router_of(from), system.network.router_of(to))
        };
        let (_, deliveries) = run(&system, 2_000);
        assert!(deliveries.len() > 100 && deliveries.iter().all(|it| between(it) == links));
    }
}

#[test]
fn names_are_those_of_switches_and_hosts() {
    let network = torus_3x3();
    assert_eq!(network.name(), "3x3 torus of switches, 36 hosts");
    let with = Arc::unwrap_or_clone(network).with_terminal_channels();
    let host = NodeId(12);
    assert_eq!(with.node_name(host), "h12");
    assert_eq!(with.channel_name(with.injection_of(host).unwrap()), "h12→s3");
    assert_eq!(with.channel_name(with.ejection_of(host).unwrap()), "s3→h12");
    let link = link_between(&with, 3, 5);
    assert_eq!(with.channel_name(link), "s3→s5");
    assert_eq!((with.terminals_at(RouterId(3)), with.seat(NodeId(14))), (4, 2));
}
