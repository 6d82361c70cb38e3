//! Channels and credits that take time: what a lone worm then needs, and what a link then carries.

use std::sync::Arc;

use flitscope::engine::Simulator;
use flitscope::engine::Snapshot;
use flitscope::engine::wormhole::WormholeEngine;
use flitscope::ids::NodeId;
use flitscope::routing::{Classes, Routing};
use flitscope::switching::{
    Bandwidth, Ejection, Injection, LatencyTo, Preset, Release, Terminals, Wormhole,
};
use flitscope::system::System;
use flitscope::topology::cube::{Cube, Family};
use flitscope::traffic::{Destinations, Lengths, Permutation, Process, Traffic};
use flitscope::units::{Cycle, Rate};

use crate::systems::uniform;

/// The cycle, counted from the first flit's, in which the last of `length` flits is sent over a
/// channel into whose buffer flit `k` may only go when the credit of flit `k - buffer` is back.
fn last_sent(machine: &Wormhole, length: u32, buffered: bool) -> u64 {
    let sending = match machine.bandwidth {
        Bandwidth::OnDemand => 1,
        Bandwidth::Fixed => u64::from(machine.virtual_channels),
    };
    let round_trip = sending - 1 + u64::from(machine.channel_delay + machine.credit_delay);
    let mut sent: Vec<u64> = Vec::new();
    for flit in 0..length as usize {
        let after = sent.last().map_or(0, |&last| last + sending);
        let slot = flit.checked_sub(machine.buffer_flits as usize).filter(|_| buffered);
        sent.push(after.max(slot.map_or(0, |behind| sent[behind] + round_trip)));
    }
    sent[length as usize - 1]
}

/// Sends lone messages of `length` flits along a mesh of four routers, and compares each with the
/// exact time of its path.
fn check_lone_worms(machine: Wormhole, length: u32) {
    let network = Arc::new(Cube::network(Family::Mesh, &[4]));
    let routing = Routing::dimension_order(Classes::None);
    let traffic = Traffic::random(
        Process::Poisson,
        Rate(1e-6),
        Destinations::Uniform,
        Lengths::Fixed(length),
    );
    let system = System::new(network, routing, machine, traffic);
    let mut engine = WormholeEngine::new(&system, 3, 0);
    let (mut batch, mut last_done, mut seen) = (Vec::new(), 0, 0);
    let name = format!("{machine:?}, {length} flits");
    while seen < 12 {
        engine.advance(engine.now() + 5_000_000);
        engine.take_deliveries(&mut batch);
        for (at, delivery) in batch.iter().enumerate() {
            let alone = delivery.born.0 >= last_done
                && batch.get(at + 1).is_none_or(|next| next.born.0 >= delivery.done.0);
            last_done = last_done.max(delivery.done.0);
            if !alone {
                continue;
            }
            seen += 1;
            let ends = if machine.terminals == Terminals::Channels { 2 } else { 0 };
            let hops = u64::from(delivery.source.0.abs_diff(delivery.destination.0)) + ends;
            let sending = match machine.bandwidth {
                Bandwidth::OnDemand => 1,
                Bandwidth::Fixed => u64::from(machine.virtual_channels),
            };
            // One VC, as terminals may have, has all of its channel.
            let single = match (machine.terminals, machine.injection) {
                (Terminals::Direct, _) => 0,
                (Terminals::Channels, Injection::OneMessage) => 2,
                (Terminals::Channels, _) => 1,
            };
            let way = hops * u64::from(machine.channel_delay) + (hops - single) * (sending - 1);
            let counted = u64::from(machine.latency_to == LatencyTo::EndOfCycle);
            // Where a single channel leads into the sink there is no buffer on the way.
            let expected = last_sent(&machine, length, hops > 1) + way + counted;
            assert_eq!(delivery.latency(), expected, "{hops} hops, {name}");
            assert_eq!(machine.transfer(length, hops as u32), expected, "{hops} hops, {name}");
            if machine.buffer_flits >= machine.round_trip() && sending == 1 {
                let full_rate = u64::from(length) - 1 + way + counted;
                assert_eq!(delivery.latency(), full_rate, "{name}");
            }
        }
    }
    engine.audit().expect("every law holds");
}

#[test]
fn a_lone_worm_is_exact_for_all_delays_buffers_and_rules() {
    let ends = [
        (Terminals::Direct, Injection::OneFlitPerCycle, Ejection::Unlimited),
        (Terminals::Channels, Injection::OneMessage, Ejection::Shared),
        (Terminals::Channels, Injection::OneFlitPerCycle, Ejection::PerWorm),
        (Terminals::Channels, Injection::OneMessage, Ejection::OneFlitPerCycle),
    ];
    for (channel_delay, credit_delay) in
        [(1, 0), (1, 1), (1, 5), (2, 0), (3, 1), (4, 4), (10, 10), (64, 1), (64, 64)]
    {
        for release in [Release::Drained, Release::Sent] {
            for bandwidth in [Bandwidth::OnDemand, Bandwidth::Fixed] {
                for (terminals, injection, ejection) in ends {
                    let round_trip = channel_delay + credit_delay;
                    for buffer_flits in [1, 2, round_trip - 1, round_trip, 300] {
                        let virtual_channels = if bandwidth == Bandwidth::Fixed { 3 } else { 1 };
                        let machine = Wormhole {
                            channel_delay,
                            credit_delay,
                            release,
                            bandwidth,
                            terminals,
                            injection,
                            ejection,
                            latency_to: if buffer_flits == 2 {
                                LatencyTo::EndOfCycle
                            } else {
                                LatencyTo::Arrival
                            },
                            ..Wormhole::new(virtual_channels, buffer_flits.max(1))
                        };
                        for length in [1, 2, 37] {
                            check_lone_worms(machine, length);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_machine_of_finite_buffers_counts_length_plus_delays() {
    for (channel_delay, credit_delay, buffer_flits) in [(10, 10, 20), (10, 1, 11), (1, 1, 2)] {
        let machine = Wormhole {
            channel_delay,
            credit_delay,
            buffer_flits,
            ..Wormhole::preset(Preset::FiniteBuffers1997, 1)
        };
        assert_eq!(machine.buffer_bound(), None);
        let shape = Family::Torus { unidirectional: false };
        let network = Arc::new(Cube::network(shape, &[3]));
        let routing = Routing::dimension_order(Classes::None);
        let system = System::new(network, routing, machine, uniform(1e-7, 200));
        let mut engine = WormholeEngine::new(&system, 1, 0);
        let mut batch = Vec::new();
        engine.advance(Cycle(100_000_000));
        engine.take_deliveries(&mut batch);
        assert!(batch.len() > 20);
        for delivery in batch {
            assert_eq!(delivery.hops, 3);
            assert_eq!(delivery.latency(), 200 + 3 * u64::from(channel_delay));
        }
    }
}

/// A full link carries what its buffer and the round trip allow, and no more.
#[test]
fn a_short_buffer_bounds_what_a_link_carries() {
    for (channel_delay, credit_delay) in [(1, 1), (5, 0), (4, 4), (10, 7), (64, 64)] {
        for buffer_flits in [1, 3, 8, 200] {
            let machine = Wormhole {
                channel_delay,
                credit_delay,
                release: Release::Sent,
                terminals: Terminals::Channels,
                injection: Injection::OneMessage,
                ejection: Ejection::Shared,
                ..Wormhole::new(1, buffer_flits)
            };
            let network = Arc::new(Cube::network(Family::Mesh, &[2]));
            let routing = Routing::dimension_order(Classes::None);
            let system = System::new(network, routing, machine, uniform(0.15, 16));
            let mut engine = WormholeEngine::new(&system, 1, 0);
            engine.advance(Cycle(1000));
            let link = system.network.outputs(system.network.router_of(NodeId(0)))[0];
            let before = engine.crossed(link);
            engine.advance(Cycle(21_000));
            let rate = (engine.crossed(link) - before) as f64 / 20_000.0;
            let bound = machine.buffer_bound().unwrap_or(1.0);
            assert!((rate - bound).abs() < 0.011, "{rate} of {bound}: {machine:?}");
            engine.audit().unwrap();
        }
    }
}

/// Several short worms stand one behind the other in a long buffer, and are delivered in order.
#[test]
fn a_long_buffer_holds_worms_one_behind_the_other_and_in_order() {
    let machine = Wormhole {
        buffer_flits: 65_535,
        channel_delay: 7,
        credit_delay: 7,
        ..Wormhole::preset(Preset::FiniteBuffers1997, 1)
    };
    let network = Arc::new(Cube::network(Family::Mesh, &[3, 3]));
    let routing = Routing::dimension_order(Classes::None);
    let traffic = Traffic {
        destinations: Destinations::Hotspot { nodes: vec![NodeId(8)], percent: 90.0 },
        ..uniform(0.04, 5)
    };
    let system = System::new(network, routing, machine, traffic);
    let mut engine = WormholeEngine::new(&system, 4, 0);
    let (mut batch, mut next) = (Vec::new(), std::collections::HashMap::new());
    let (mut most, mut delivered) = (0, 0);
    let mut snapshot = Snapshot::default();
    for now in 1..200 {
        engine.advance(Cycle(100 * now));
        engine.audit().unwrap();
        engine.observe(&mut snapshot);
        let mut worms = vec![0; snapshot.vcs.len()];
        for vc in &snapshot.path {
            worms[vc.index()] += 1;
        }
        most = most.max(worms.into_iter().max().unwrap());
        engine.take_deliveries(&mut batch);
        delivered += batch.len();
        for delivery in &batch {
            let pair = (delivery.source, delivery.destination);
            let after = next.insert(pair, delivery.serial);
            assert!(after.is_none_or(|before| before < delivery.serial), "{pair:?} out of order");
        }
    }
    assert!(most > 100 && delivered > 1000, "{most} worms in one buffer, {delivered} delivered");
}

/// The picture says of each VC how many of its flits are still on their way to it.
#[test]
fn flits_in_flight_are_seen_on_their_way() {
    let machine = Wormhole {
        channel_delay: 20,
        credit_delay: 3,
        ..Wormhole::preset(Preset::FiniteBuffers1997, 1)
    };
    let network = Arc::new(Cube::network(Family::Mesh, &[4]));
    let routing = Routing::dimension_order(Classes::None);
    let system = System::new(network, routing, machine, uniform(0.001, 8));
    let mut engine = WormholeEngine::new(&system, 1, 0);
    let mut snapshot = Snapshot::default();
    let (mut flying, mut standing) = (0, 0);
    for now in 1..5000 {
        engine.advance(Cycle(now));
        engine.observe(&mut snapshot);
        for vc in &snapshot.vcs {
            assert!(vc.in_flight <= vc.flits && vc.in_flight <= 20);
            flying += vc.in_flight;
            standing += vc.flits - vc.in_flight;
        }
    }
    // Nearly all of a lone worm's time is spent on the way.
    assert!(flying > 20 * standing && flying > 1000, "{flying} on the way, {standing} not");
}

/// Along a line of four, node 0 sends to node 3 and node 1 to node 2, all the time: the first link of node 0
/// leads on, that of node 1 is the last one of its messages.
#[test]
fn the_vc_of_the_last_link_is_free_one_cycle_earlier_than_others() {
    let network = Arc::new(Cube::network(Family::Mesh, &[4]));
    let traffic = Traffic::random(
        Process::Poisson,
        Rate(0.25),
        Destinations::Permutation(Permutation::BitComplement),
        Lengths::Fixed(4),
    );
    let routing = Routing::dimension_order(Classes::None);
    let system = System::new(network, routing, Wormhole::new(1, 4), traffic);
    let mut engine = WormholeEngine::new(&system, 1, 0);
    let (mut batch, mut starts) = (Vec::new(), [const { Vec::new() }; 4]);
    for until in 1..5_000 {
        engine.advance(Cycle(until));
        engine.take_deliveries(&mut batch);
        for delivery in &batch {
            starts[delivery.source.index()].push(delivery.entered);
        }
    }
    let gap = |node: usize| starts[node].windows(2).map(|two: &[Cycle]| two[1] - two[0]).min();
    assert_eq!([gap(0), gap(1)], [Some(5), Some(4)]);
}

/// With several messages under way a younger one sets out before an older one whose VC is taken.
#[test]
fn messages_of_a_source_overtake_each_other_unless_one_leaves_at_a_time() {
    let overtaken = |injection: Injection| {
        let network = Arc::new(Cube::network(Family::Mesh, &[4, 4]));
        let traffic = Traffic::random(
            Process::Poisson,
            Rate(0.03),
            Destinations::Uniform,
            Lengths::Fixed(12),
        );
        let machine = Wormhole { injection, ..Wormhole::new(1, 4) };
        let routing = Routing::dimension_order(Classes::None);
        let mut engine =
            WormholeEngine::new(&System::new(network, routing, machine, traffic), 1, 0);
        let (mut batch, mut starts) = (Vec::new(), vec![Vec::new(); 16]);
        engine.advance(Cycle(5_000));
        engine.take_deliveries(&mut batch);
        for delivery in &batch {
            starts[delivery.source.index()].push((
                delivery.serial,
                delivery.born,
                delivery.entered,
            ));
        }
        for all in &mut starts {
            all.sort_unstable();
        }
        // Those of one cycle have no order.
        let overtakes = |two: &[(u64, Cycle, Cycle)]| two[0].1 < two[1].1 && two[1].2 < two[0].2;
        starts.iter().any(|all| all.windows(2).any(overtakes))
    };
    assert!(overtaken(Injection::OneFlitPerCycle) && !overtaken(Injection::OneMessage));
}
