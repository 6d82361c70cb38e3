//! Flows against routes followed one by one, and capacity against runs.

use std::collections::{BTreeMap, BTreeSet};

use flitscope::capacity::{Bottleneck, Capacity, Kind, Resource};
use flitscope::engine::Engine;
use flitscope::flows::Flows;
use flitscope::ids::{ChannelId, NodeId, RouterId};
use flitscope::routing::{Classes, Escape, Header, Paths, Routing, Stop};
use flitscope::switching::{Bandwidth, Forwarding, Injection, Release, Wormhole};
use flitscope::system::System;
use flitscope::topology::cube::{Cube, Family};
use flitscope::traffic::classes::{MessageClass, MessageClasses, Origin};
use flitscope::traffic::{Destinations, Lengths, Locality, Offset, Traffic};
use flitscope::units::{Cycle, Load};
use proptest::prelude::*;

use crate::systems::{any_router, circuit_system, uniform, weighted};

/// The messages over every channel, found by following each pair of nodes and outcome: even parts on
/// every channel offered, and on every continuation behind a channel.
fn by_pairs(system: &System) -> Vec<f64> {
    let (network, relation) = (&system.network, &system.relation);
    let draw = system.draw();
    let mut flows = vec![0.0; network.channels().len()];
    for source in (0..network.nodes()).map(NodeId::new) {
        for (destination, share) in draw.shares(source) {
            let ways = relation.ways(source, destination);
            for &bits in &ways {
                let share = share * draw.rates().at(source) / ways.len() as f64;
                if let Some(injection) = network.injection_of(source) {
                    flows[injection.index()] += share;
                }
                if let Some(ejection) = network.ejection_of(destination) {
                    flows[ejection.index()] += share;
                }
                let header =
                    Header::new(network.router_of(source), network.router_of(destination), bits);
                let mut here = BTreeMap::from([(Stop::start(header.source), share)]);
                let mut candidates = Vec::new();
                while !here.is_empty() {
                    for (stop, share) in std::mem::take(&mut here) {
                        relation.candidates(stop, &header, &mut candidates);
                        let mut ways: BTreeMap<ChannelId, BTreeSet<Stop>> = BTreeMap::new();
                        for &candidate in &candidates {
                            let stops = relation.stops_after(stop, &header, candidate);
                            let stops = stops.map(|(_, stop)| stop);
                            ways.entry(candidate.channel).or_default().extend(stops);
                        }
                        for (&channel, stops) in &ways {
                            let share = share / ways.len() as f64;
                            flows[channel.index()] += share;
                            for &stop in stops {
                                let arrived = stop.at == header.destination;
                                let stop = if arrived { Stop::start(stop.at) } else { stop };
                                *here.entry(stop).or_default() += share / stops.len() as f64;
                            }
                        }
                    }
                }
            }
        }
    }
    flows
}

fn flows_agree(system: &System) {
    let flows = Flows::of(system).unwrap();
    for (at, expected) in by_pairs(system).into_iter().enumerate() {
        let found = flows.over(ChannelId::new(at)).all();
        let routing = system.relation.routing();
        assert!(
            (found - expected).abs() < 1e-9,
            "channel {at}: {found}, not {expected}, {routing:?}"
        );
    }
}

/// The least that a message takes of a resource of its channel, as a part of the most: those that end there
/// take less, so that a channel that is overrun may carry more of them.
fn least_of_most(system: &System, resource: Resource) -> f64 {
    let machine = system.wormhole().unwrap();
    let sending = match machine.bandwidth {
        Bandwidth::OnDemand => 1.0,
        Bandwidth::Fixed => f64::from(machine.virtual_channels),
    };
    let most = match resource {
        Resource::Link => return 1.0,
        Resource::VirtualChannels => {
            let stored = f64::from(machine.forwarding == Forwarding::StoreAndForward);
            sending + stored + f64::from(machine.channel_delay) / system.length_mean()
        }
        Resource::Buffers => f64::from(machine.round_trip()) / f64::from(machine.buffer_flits),
    };
    (sending / most).min(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn flows_are_those_of_routes_followed_one_by_one(system in any_router()) {
        flows_agree(&system);
    }

    #[test]
    fn flows_of_circuits_are_those_of_routes_followed_one_by_one(system in circuit_system()) {
        flows_agree(&system);
        let capacity = Capacity::of(&system).unwrap();
        prop_assert!(capacity.load.0 > 0.0);
    }

    /// Sources that others do not hold up may send more than their part, so that the load accepted says
    /// little: messages that the bottleneck does not carry have to stay behind.
    #[test]
    fn above_the_capacity_messages_stay_behind(system in any_router(), seed in any::<u64>()) {
        let capacity = Capacity::of(&system).unwrap();
        let estimate = capacity.estimate.map_or(0.0, |estimate| estimate.load.0);
        prop_assert!(estimate <= capacity.load.0);
        let rate = system.rate_for(Load(1.4 * capacity.load.0));
        let independent = matches!(
            system.wormhole().unwrap().injection,
            Injection::Independent { .. }
        );
        prop_assume!(rate.0 <= system.rate_max().0 && !independent);
        let mut engine = Engine::new(&system, seed, 0);
        engine.set_rate(rate);
        let end = 20_000;
        engine.advance(Cycle(end));
        prop_assume!(engine.deadlock().is_none());
        let totals = engine.counters();
        let behind = (totals.generated - totals.delivered) as f64;
        // The part that the bottleneck cannot carry of the messages that need it, less six standard
        // deviations of their number.
        let needed = |gamma: f64| {
            let through = gamma * 1.4 * capacity.load.0 * end as f64 / system.length_mean();
            let bursts = 1.0 + system.traffic.process.variation();
            let chance = (through * (bursts + system.traffic.lengths.variation())).sqrt();
            through * (0.4 / 1.4) - 6.0 * chance
        };
        let least = if let Bottleneck::Channel(channel, resource) = capacity.bottleneck {
            let all = needed(capacity.gamma[channel.index()]);
            all.max(0.0) * least_of_most(&system, resource)
        } else {
            0.0
        };
        prop_assert!(
            behind >= least,
            "{behind} of {} stay behind, not {least}: {:?}", totals.generated, capacity.bottleneck
        );
    }
}

#[test]
fn flows_of_few_senders_and_of_weights_are_those_of_routes_followed_one_by_one() {
    let torus =
        std::sync::Arc::new(Cube::network(Family::Torus { unidirectional: false }, &[5, 4]));
    let few = Some(vec![NodeId(2), NodeId(7), NodeId(13)]);
    let hot = Destinations::Hotspot { nodes: vec![NodeId(13)], percent: 30.0 };
    let near = Destinations::Local(Locality::Decreasing { ratio: 0.5 });
    let weights = weighted(&[(0, 7, 3.0), (0, 2, 1.0), (7, 0, 0.5), (19, 4, 0.1)]);
    for (destinations, senders) in [
        (Destinations::Uniform, few.clone()),
        (hot, few.clone()),
        (near, few),
        (weights.clone(), None),
        (weights, Some(vec![NodeId(0), NodeId(19)])),
    ] {
        for routing in [
            Routing::dimension_order(Classes::Destination),
            Routing::minimal_adaptive(Escape::Dateline),
            Routing::UpDown { roots: RouterId(0).into(), paths: Paths::Host },
        ] {
            let traffic = Traffic {
                destinations: destinations.clone(),
                senders: senders.clone(),
                ..uniform(0.01, 4)
            };
            let machine = Wormhole::new(3, 4);
            let system = System::new(std::sync::Arc::clone(&torus), routing, machine, traffic);
            flows_agree(&system);
            let capacity = Capacity::of(&system).unwrap();
            let fastest = system.rates().most() * system.rates().senders() as f64 / 20.0;
            assert!(capacity.load.0 <= 1.0 / fastest + 1e-12, "{:?}", capacity.load);
        }
    }
}

/// Node 0 sends nine of ten messages of two sources over the same link, and the link carries a flit
/// per cycle.
#[test]
fn a_fast_source_limits_the_load_of_all() {
    let mesh = std::sync::Arc::new(Cube::network(Family::Mesh, &[4]));
    let traffic =
        Traffic { destinations: weighted(&[(0, 3, 9.0), (3, 0, 1.0)]), ..uniform(0.01, 4) };
    let routing = Routing::dimension_order(Classes::None);
    let machine = Wormhole { release: Release::Sent, ..Wormhole::new(2, 8) };
    let system = System::new(mesh, routing, machine, traffic);
    let capacity = Capacity::of(&system).unwrap();
    // One flit per cycle of node 0, and a ninth of node 3, over four nodes.
    assert!((capacity.load.0 - (1.0 + 1.0 / 9.0) / 4.0).abs() < 1e-12, "{:?}", capacity.load);
    assert!((system.load_at(system.rate_max()).0 - capacity.load.0).abs() < 1e-12);
    assert!((capacity.hops_mean - 3.0).abs() < 1e-12);
}

#[test]
fn slow_links_are_the_busiest() {
    let text = "Scenario(network: Switches(links: [(0, 1, (cycles_per_flit: 10)), (1, 2)], hosts: [0, 1, 2, 2, 2, 2]), \
                routing: ShortestPath(), switching: Wormhole(terminals: Channels, ejection: PerWorm), \
                traffic: (arrivals: Poisson(load: 0.01), destinations: Uniform, lengths: Fixed(4)))";
    let system = flitscope::scenario::parse("test", text, &[]).unwrap().system;
    let capacity = Capacity::of(&system).unwrap();
    let [(busiest, used), ..] = capacity.busiest(&system.network, 1)[..] else { panic!("none") };
    assert_eq!(system.network.channel_name(busiest), "s0→s1");
    // Each of six hosts sends a fifth of its flits to the host at the first switch, and that all its own.
    assert!((used - 10.0).abs() < 1e-12 && capacity.load.0 <= 0.1, "{used} {:?}", capacity.load);
}

#[test]
fn a_link_into_a_hot_node_of_a_hypercube_limits_it() {
    let network = std::sync::Arc::new(Cube::network(Family::Hypercube, &[2; 8]));
    let hot = Destinations::Hotspot { nodes: vec![NodeId(13)], percent: 3.0 };
    let traffic = Traffic { destinations: hot, ..uniform(0.05, 4) };
    let routing = Routing::dimension_order(Classes::Destination);
    let system = System::new(network, routing, Wormhole::new(2, 6), traffic);
    let capacity = Capacity::of(&system).unwrap();
    let [(busiest, gamma), ..] = capacity.busiest(&system.network, 3)[..] else {
        panic!("links are used")
    };
    // Half of 256 nodes' 3 %, and an even share, come to node 13 along dimension 7.
    assert!((gamma - 4.327).abs() < 1e-3, "{gamma}");
    assert!((capacity.load.0 - 1.0 / gamma).abs() < 1e-12);
    assert_eq!(capacity.kind, Kind::Proven);
    assert_eq!(capacity.bottleneck, Bottleneck::Channel(busiest, Resource::Link));
    assert_eq!(system.network.channel(busiest).to, RouterId(13));
    assert!(capacity.is_below(Load(0.235)) && !capacity.is_below(Load(0.23)));
}

/// Node 0 asks node 3, which replies with five times as many flits over the links back.
#[test]
fn replies_load_the_links_back() {
    let class = |name: &str, flits, origin| MessageClass {
        name: name.into(),
        lengths: Lengths::Fixed(flits),
        origin,
    };
    // Replies per cycle: a link takes a flit per cycle; the only VC is free a cycle after the tail.
    for (machine, replies) in [
        (Wormhole { release: Release::Sent, ..Wormhole::new(2, 8) }, 1.0 / 5.0),
        (Wormhole::new(1, 8), 1.0 / 6.0),
    ] {
        let classes = MessageClasses(vec![
            class("request", 1, Origin::Arrivals { weight: 1.0 }),
            class("reply", 5, Origin::Reply { to: 0, after: 2, room: None }),
        ]);
        let mesh = std::sync::Arc::new(Cube::network(Family::Mesh, &[4]));
        let asks = Traffic { destinations: weighted(&[(0, 3, 1.0)]), ..uniform(0.2, 1) };
        let routing = Routing::dimension_order(Classes::None);
        let system = System::new(mesh, routing, machine, Traffic { classes, ..asks });
        let capacity = Capacity::of(&system).unwrap();
        // With 6 flits of both messages, over four nodes.
        let load = replies * 6.0 / 4.0;
        assert!((capacity.load.0 - load).abs() < 1e-12, "{:?}, not {load}", capacity.load);
        let [(busiest, gamma), ..] = capacity.busiest(&system.network, 3)[..] else {
            panic!("links are used")
        };
        let link = system.network.channel(busiest);
        assert!(link.from > link.to, "{link:?}");
        assert!((gamma - 5.0 / 6.0 * 4.0).abs() < 1e-12, "{gamma}");
        let mut engine = Engine::new(&system, 1, 0);
        engine.advance(Cycle(100_000));
        let mut batch = Vec::new();
        engine.take_deliveries(&mut batch);
        let answered = batch.iter().filter(|it| it.message_class == 1).count() as f64 / 100_000.0;
        assert!((answered / replies - 1.0).abs() < 0.02, "{answered}, not {replies}");
    }
}

/// The VC of the second hop is busy all the time, and the others half of the time.
#[test]
fn vcs_by_hops_are_not_taken_for_those_of_the_first_hop() {
    let torus = Cube::network(Family::Torus { unidirectional: false }, &[4]);
    let destinations = Destinations::Offset(Offset(vec![2]));
    let traffic = Traffic { destinations, ..uniform(0.4, 2) };
    let machine = Wormhole { bandwidth: Bandwidth::Fixed, ..Wormhole::new(3, 4) };
    let system = System::new(std::sync::Arc::new(torus), Routing::POSITIVE_HOP, machine, traffic);
    let capacity = Capacity::of(&system).unwrap();
    let mut engine = Engine::new(&system, 1, 0);
    engine.advance(Cycle(20_000));
    let accepted = engine.counters().flits_delivered as f64 / 4.0 / 20_000.0;
    assert!((0.66..capacity.load.0).contains(&accepted), "{accepted}: {:?}", capacity.load);
}
