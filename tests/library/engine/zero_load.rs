//! A lone worm's time is known exactly.

use std::sync::Arc;

use flitscope::engine::Engine;
use flitscope::ids::{NodeId, RouterId};
use flitscope::routing::{Classes, Escape, NorthLastClasses, PlanarClasses, Routing};
use flitscope::switching::{
    Bandwidth, Ejection, Forwarding, Injection, Preset, Release, Stages, Terminals, Wormhole,
};
use flitscope::system::System;
use flitscope::topology::Network;
use flitscope::topology::cube::{Cube, Family};
use flitscope::traffic::{Destinations, Lengths, Process, Traffic};
use flitscope::units::{Cycle, Rate};

const ROUTINGS: [Routing; 15] = [
    Routing::dimension_order(Classes::Destination),
    Routing::dimension_order(Classes::Dateline),
    Routing::dimension_order(Classes::Static),
    Routing::dimension_order(Classes::None),
    Routing::minimal_adaptive(Escape::Destination),
    Routing::minimal_adaptive(Escape::None),
    Routing::dimension_order(Classes::Random),
    Routing::POSITIVE_HOP,
    Routing::NegativeHop,
    Routing::NorthLast { classes: NorthLastClasses::TwoNetwork },
    Routing::NorthLast { classes: NorthLastClasses::SeamsCrossed },
    Routing::WestFirst,
    Routing::NegativeFirst,
    Routing::OddEven,
    Routing::PlanarAdaptive { classes: PlanarClasses::ByDirection },
];

/// Shortest distances from `from`, by breadth-first search over the channels: it knows nothing of
/// coordinates or routing.
fn distances(network: &Network, from: RouterId) -> Vec<u32> {
    let mut distance = vec![u32::MAX; network.routers()];
    distance[from.index()] = 0;
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        for &channel in network.outputs(at) {
            let to = network.channel(channel).to;
            if distance[to.index()] == u32::MAX {
                distance[to.index()] = distance[at.index()] + 1;
                queue.push_back(to);
            }
        }
    }
    distance
}

/// Runs until every pair of nodes has been seen at least once with nobody else in the network.
/// `machine` may have more VCs than the routing needs; `expected` says the time of a path of links.
fn check_pairs(
    family: Family,
    radix: &[u32],
    routing: &Routing,
    machine: Wormhole,
    length: u32,
    expected: impl Fn(u64, &Wormhole) -> u64,
) {
    let network = Arc::new(Cube::network(family, radix));
    let needed = routing.serves(&network).unwrap().needed;
    let nodes = network.nodes();
    // So seldom that messages are alone all but once in thousands; those are told apart below.
    let rate = Rate(1e-5 / nodes as f64);
    let lengths = Lengths::Fixed(length);
    let traffic = Traffic::random(Process::Poisson, rate, Destinations::Uniform, lengths);
    let switching = Wormhole { virtual_channels: needed.max(machine.virtual_channels), ..machine };
    let ends = if switching.terminals == Terminals::Channels { 2 } else { 0 };
    let system = System::new(Arc::clone(&network), routing.clone(), switching, traffic);
    let mut engine = Engine::new(&system, 11, 0);
    let distance: Vec<Vec<u32>> =
        (0..nodes).map(|node| distances(&network, network.router_of(NodeId::new(node)))).collect();
    let mut seen = vec![false; nodes * nodes];
    let mut batch = Vec::new();
    let mut now = 0;
    let mut last_done = 0;
    while !(0..nodes * nodes).all(|pair| seen[pair] || pair % nodes == pair / nodes) {
        now += 10_000_000;
        engine.advance(Cycle(now));
        engine.take_deliveries(&mut batch);
        for (at, delivery) in batch.iter().enumerate() {
            let alone = delivery.born.0 >= last_done
                && batch.get(at + 1).is_none_or(|next| next.born.0 >= delivery.done.0);
            last_done = last_done.max(delivery.done.0);
            if !alone {
                continue;
            }
            let (from, to) = (delivery.source.index(), delivery.destination.index());
            let hops = distance[from][network.router_of(delivery.destination).index()];
            let expected = expected(u64::from(hops), &switching);
            assert_eq!(
                (delivery.hops, delivery.latency()),
                (hops + ends, expected),
                "{routing:?} on {family:?} {radix:?}: {from} -> {to}, {switching:?}"
            );
            let transfer = switching.transfer(length, hops + ends);
            assert_eq!(delivery.network_latency(), transfer, "{switching:?}");
            seen[from * nodes + to] = true;
        }
    }
}

#[test]
fn a_lone_worm_takes_length_plus_distance_less_one() {
    let networks: [(Family, &[u32]); 9] = [
        (Family::Torus { unidirectional: false }, &[5]),
        (Family::Torus { unidirectional: false }, &[4, 3]),
        (Family::Torus { unidirectional: false }, &[2, 4]),
        (Family::Torus { unidirectional: false }, &[2, 3, 2]),
        (Family::Torus { unidirectional: true }, &[4]),
        (Family::Torus { unidirectional: true }, &[3, 3]),
        (Family::Mesh, &[4, 3]),
        (Family::Mesh, &[2, 2, 3]),
        (Family::Hypercube, &[2, 2, 2]),
    ];
    for (family, radix) in networks {
        for routing in ROUTINGS {
            if routing.serves(&Cube::network(family, radix)).is_err() {
                continue;
            }
            for (buffer_flits, length) in [(2, 12), (1, 12), (7, 1), (3, 5)] {
                let machine = Wormhole::new(1, buffer_flits);
                check_pairs(family, radix, &routing, machine, length, |hops, _| {
                    // With one slot and its credit back only in the next cycle, a flit crosses every
                    // second cycle - unless there is no buffer on the way at all.
                    let spacing = if buffer_flits == 1 && hops > 1 { 2 } else { 1 };
                    hops + u64::from(length - 1) * spacing
                });
            }
        }
    }
}

/// Every machine that takes `length + channels - 1` transfers' time, one flit a buffer and up.
#[test]
fn a_lone_worm_is_exact_on_every_machine() {
    let base = [
        Wormhole { credit_delay: 0, ..Wormhole::new(1, 1) },
        Wormhole { credit_delay: 0, release: Release::Sent, ..Wormhole::new(3, 3) },
        Wormhole { release: Release::Sent, ..Wormhole::new(2, 2) },
        Wormhole::preset(Preset::MeshTorus1997, 1),
        Wormhole::preset(Preset::Hops1993, 1),
    ];
    let mut machines = Vec::new();
    for machine in base {
        for bandwidth in [Bandwidth::OnDemand, Bandwidth::Fixed] {
            let injection = Injection::OneMessage;
            machines.push(Wormhole { bandwidth, ..machine });
            machines.push(Wormhole { bandwidth, injection, ..machine });
            for ejection in [Ejection::PerWorm, Ejection::Shared, Ejection::OneFlitPerCycle] {
                let terminals = Terminals::Channels;
                if bandwidth == Bandwidth::OnDemand {
                    machines.push(Wormhole { injection, ejection, terminals, ..machine });
                }
            }
        }
    }
    let routing = Routing::dimension_order(Classes::Dateline);
    for machine in machines.into_iter().filter(|machine| {
        machine.bandwidth == Bandwidth::OnDemand || machine.terminals == Terminals::Direct
    }) {
        for (family, radix) in
            [(Family::Torus { unidirectional: false }, [4, 3]), (Family::Mesh, [3, 3])]
        {
            for length in [1, 7] {
                check_pairs(family, &radix, &routing, machine, length, |links, machine| {
                    let ends = if machine.terminals == Terminals::Channels { 2 } else { 0 };
                    let cycles = match machine.bandwidth {
                        Bandwidth::OnDemand => 1,
                        Bandwidth::Fixed => u64::from(machine.virtual_channels),
                    };
                    (u64::from(length) + links + ends - 1) * cycles
                });
            }
        }
    }
}

#[test]
fn a_stored_message_crosses_every_channel_as_a_whole() {
    let routing = Routing::dimension_order(Classes::Destination);
    let torus = Family::Torus { unidirectional: false };
    let store = Wormhole { forwarding: Forwarding::StoreAndForward, ..Wormhole::new(2, 9) };
    let channels = Wormhole {
        terminals: Terminals::Channels,
        injection: Injection::OneMessage,
        ejection: Ejection::PerWorm,
        release: Release::Sent,
        ..store
    };
    let fixed = Wormhole { bandwidth: Bandwidth::Fixed, ..store };
    for length in [1, 9] {
        let whole = u64::from(length);
        check_pairs(torus, &[4, 3], &routing, store, length, |links, _| links * whole);
        check_pairs(torus, &[4, 3], &routing, channels, length, |links, _| (links + 2) * whole);
        check_pairs(torus, &[4, 3], &routing, fixed, length, |links, _| 2 * links * whole);
        let cut = Wormhole { forwarding: Forwarding::CutThrough, ..store };
        check_pairs(torus, &[4, 3], &routing, cut, length, |links, _| links + whole - 1);
    }
}

#[test]
fn a_worm_may_be_longer_than_any_recursion() {
    // Its flits fill a thousand buffers one behind the other, and all of them move in every cycle.
    let traffic =
        Traffic::random(Process::Poisson, Rate(1e-9), Destinations::Uniform, Lengths::Fixed(3000));
    let network = Arc::new(Cube::network(Family::Torus { unidirectional: true }, &[2000]));
    let routing = Routing::dimension_order(Classes::Dateline);
    let switching = Wormhole::preset(Preset::MeshTorus1997, 2);
    let mut engine = Engine::new(&System::new(network, routing, switching, traffic), 1, 0);
    let mut batch = Vec::new();
    while engine.counters().delivered < 2 {
        let until = engine.now() + 10_000;
        engine.advance(until);
        engine.take_deliveries(&mut batch);
        for delivery in &batch {
            assert_eq!(delivery.latency(), u64::from(delivery.hops) + 2999);
        }
    }
    engine.audit().unwrap();
}

#[test]
fn a_lone_message_passes_the_stages_of_every_router() {
    let of = |route, vc, switch, traverse| Stages { vc, switch, traverse, ..Stages::after(route) };
    for (stages, buffer_flits, length, [channel_delay, credit_delay]) in [
        (of(0, 1, 1, 1), 8, 5, [1, 0]),
        (of(1, 1, 1, 1), 8, 1, [1, 0]),
        (of(3, 0, 2, 2), 16, 9, [2, 1]),
        (of(0, 0, 0, 0), 8, 3, [1, 0]),
        // Too few slots for the round trip of a credit.
        (of(2, 1, 1, 1), 4, 21, [1, 0]),
        (of(0, 3, 1, 0), 1, 4, [3, 2]),
        (of(0, 1, 1, 0), 3, 11, [1, 4]),
        (Stages { speculative: true, ..of(1, 1, 1, 1) }, 8, 6, [1, 0]),
        (Stages { speculative: true, ..of(0, 3, 2, 1) }, 12, 3, [2, 0]),
        (Stages { speculative: true, ..of(0, 4, 3, 1) }, 2, 5, [1, 0]),
        (Stages { speculative: true, ..of(0, 4, 3, 1) }, 7, 22, [1, 0]),
        (Stages { speculative: true, input_speedup: 2, ..of(2, 1, 2, 1) }, 9, 3, [1, 1]),
    ] {
        let machine = Wormhole {
            buffer_flits,
            channel_delay,
            credit_delay,
            ..Wormhole::pipelined(2, stages)
        };
        for (family, radix) in [(Family::Mesh, &[3, 3]), (Family::Mesh, &[2, 2])] {
            let routing = Routing::dimension_order(Classes::None);
            check_pairs(family, radix, &routing, machine, length, |links, _| {
                let [delay, credit] = [channel_delay, credit_delay].map(u64::from);
                let Stages { route, vc, switch, traverse, speculative, .. } = stages;
                let crossing = u64::from(switch + traverse);
                let allocation = if speculative { vc.max(switch) } else { vc + switch };
                let router = u64::from(route + allocation + traverse);
                let slowest = (crossing + 2 * delay + 1 + credit).max(4 + credit);
                let slots = u64::from(buffer_flits);
                let late = if speculative { u64::from(vc.min(switch)) - 1 } else { 0 };
                let mut sent = vec![0];
                for flit in 1..length as usize {
                    let follows = sent[flit - 1] + 1 + if flit == 1 { late } else { 0 };
                    let credit = flit.checked_sub(slots as usize).map(|at| sent[at] + slowest);
                    sent.push(follows.max(credit.unwrap_or(0)));
                }
                let flits = sent[sent.len() - 1];
                2 + (links + 1) * router + links * delay + 1 + flits
            });
        }
    }
}
