//! Links with delays and rates of their own, links side by side, and links that lead one way.

use std::num::NonZeroU16;
use std::sync::Arc;

use flitscope::capacity::Capacity;
use flitscope::engine::Simulator;
use flitscope::engine::wormhole::WormholeEngine;
use flitscope::ids::NodeId;
use flitscope::routing::{Paths, Routing};
use flitscope::switching::{Bandwidth, Ejection, Release, Terminals, Wormhole};
use flitscope::system::System;
use flitscope::topology::attributes::Attributes;
use flitscope::topology::switches::{Cable, Switches};
use flitscope::traffic::{Destinations, Permutation};
use flitscope::units::Cycle;

use crate::systems::uniform;

fn cable(from: u32, to: u32, delay: u16, cycles_per_flit: u8) -> Cable {
    let attributes = Attributes { delay: NonZeroU16::new(delay), cycles_per_flit, kind: 0 };
    Cable { attributes, ..Cable::from((from, to)) }
}

/// The cycle after the one in which the last of `length` flits is consumed, when the first is sent in cycle 0
/// over links of these delays, cycles per flit and credit delays, into buffers of `slots` flits.
fn alone(links: &[(u64, u64, u64)], length: usize, slots: usize) -> u64 {
    let mut sent = vec![vec![0u64; length]; links.len()];
    for flit in 0..length {
        for (hop, &(_, each, credit)) in links.iter().enumerate() {
            let came = if hop == 0 {
                0
            } else {
                let (delay, each, _) = links[hop - 1];
                sent[hop - 1][flit] + each - 1 + delay
            };
            let ready = if flit == 0 { 0 } else { sent[hop][flit - 1] + each };
            let slot = match (sent.get(hop + 1), flit.checked_sub(slots)) {
                (Some(next), Some(before)) => next[before] + credit,
                (None, _) | (_, None) => 0,
            };
            sent[hop][flit] = came.max(ready).max(slot);
        }
    }
    let &(delay, each, _) = links.last().unwrap();
    sent[links.len() - 1][length - 1] + each - 1 + delay
}

#[test]
fn a_lone_worm_over_links_of_their_own_takes_what_flit_by_flit_reckoning_says() {
    let chains: [&[(u16, u8)]; 6] = [
        &[(1, 1), (1, 1), (1, 1)],
        &[(7, 1), (0, 1), (3, 1)],
        &[(0, 3), (0, 1), (0, 2)],
        &[(200, 1), (1, 4), (4096, 1)],
        &[(130, 64), (0, 1), (127, 5)],
        &[(4096, 64), (1, 1), (1, 1)],
    ];
    let mut deep_enough = 0;
    for chain in chains {
        for (channel_delay, credit_delay) in [(1, 1), (3, 2)] {
            for bandwidth in [Bandwidth::OnDemand, Bandwidth::Fixed] {
                for release in [Release::Drained, Release::Sent] {
                    for slots in [1, 3, 1000] {
                        let vcs = if bandwidth == Bandwidth::Fixed { 2 } else { 1 };
                        let machine = Wormhole {
                            channel_delay,
                            credit_delay,
                            bandwidth,
                            release,
                            ..Wormhole::new(vcs, slots)
                        };
                        deep_enough += check_chain(chain, machine);
                    }
                }
            }
        }
    }
    assert!(deep_enough > 50, "{deep_enough}");
}

/// Sends lone messages along a chain of switches. Answers for how many nothing but the links' delays and
/// rates counted.
fn check_chain(chain: &[(u16, u8)], machine: Wormhole) -> usize {
    let links: Vec<Cable> =
        (0..).zip(chain).map(|(at, &(delay, each))| cable(at, at + 1, delay, each)).collect();
    let hosts: Vec<u32> = (0..=chain.len() as u32).collect();
    let network = Arc::new(Switches::network(hosts.len(), &links, &hosts, None));
    let length = 9;
    let routing = Routing::shortest_path(Paths::First);
    let system = System::new(network, routing, machine, uniform(1e-8, length));
    let mut engine = WormholeEngine::new(&system, 3, 0);
    let mut batch = Vec::new();
    let (mut seen, mut unlimited, mut last_done) = (0, 0, 0);
    while seen < 6 {
        engine.advance(engine.now() + 300_000_000);
        engine.take_deliveries(&mut batch);
        for (at, delivery) in batch.iter().enumerate() {
            let until = batch.get(at + 1).map_or(u64::MAX, |next| next.born.0);
            let meets_nobody = delivery.born.0 >= last_done && until >= delivery.done.0;
            last_done = last_done.max(delivery.done.0);
            if !meets_nobody {
                continue;
            }
            seen += 1;
            let (from, to) = (delivery.source.0, delivery.destination.0);
            let mut way: Vec<(u64, u64, u64)> = (from.min(to)..from.max(to))
                .map(|link| {
                    let (delay, each) = chain[link as usize];
                    let credit = u64::from(delay) + u64::from(machine.credit_delay);
                    let fixed = machine.bandwidth == Bandwidth::Fixed;
                    let vcs = if fixed { u64::from(machine.virtual_channels) } else { 1 };
                    let delay = if delay == 0 { machine.channel_delay } else { delay.into() };
                    (u64::from(delay), vcs * u64::from(each), credit)
                })
                .collect();
            if from > to {
                way.reverse();
            }
            let name = format!("{from} to {to} over {chain:?}, {machine:?}");
            let expected = alone(&way, length as usize, machine.buffer_flits as usize);
            assert_eq!(delivery.latency(), expected, "{name}");
            assert!(delivery.transfer(&system.switching) <= expected, "{name}");
            if machine.buffer_flits >= length {
                assert_eq!(delivery.transfer(&system.switching), expected, "{name}");
                unlimited += 1;
            }
        }
    }
    engine.audit().expect("every law holds");
    unlimited
}

#[test]
fn a_slow_link_carries_a_flit_in_as_many_cycles_and_links_side_by_side_carry_more() {
    // Two switches with four hosts each: all traffic from one side to the other crosses the links between.
    let hosts = [0, 0, 0, 0, 1, 1, 1, 1];
    for (cycles_per_flit, count, expected) in
        [(1, 1, 0.25), (4, 1, 0.0625), (4, 2, 0.125), (2, 4, 0.5), (1, 4, 1.0)]
    {
        let attributes = Attributes { cycles_per_flit, ..Attributes::default() };
        let between = Cable { attributes, count, ..Cable::from((0, 1)) };
        let network = Arc::new(Switches::network(2, &[between], &hosts, None));
        let machine = Wormhole {
            terminals: Terminals::Channels,
            ejection: Ejection::PerWorm,
            ..Wormhole::new(4, 8)
        };
        // Node n sends to node 7 - n.
        let destinations = Destinations::Permutation(Permutation::BitComplement);
        let traffic = flitscope::traffic::Traffic { destinations, ..uniform(0.9, 1) };
        let routing =
            Routing::UpDown { roots: flitscope::ids::RouterId(0).into(), paths: Paths::Split };
        let system = System::new(network, routing, machine, traffic);
        let capacity = Capacity::of(&system).unwrap().load.0;
        assert!((capacity - expected).abs() < 1e-9, "{capacity} {expected}");
        let mut engine = WormholeEngine::new(&system, 1, 0);
        engine.advance(Cycle(20_000));
        let accepted = engine.counters().flits_consumed as f64 / 20_000.0 / 8.0;
        assert!(accepted <= expected.min(0.9) + 0.001, "{accepted} {expected}");
        assert!(accepted >= 0.9 * expected.min(0.9), "{accepted} {expected}");
        engine.audit().unwrap();
    }
}

#[test]
fn shortest_paths_go_round_a_ring_of_links_that_lead_one_way() {
    let ring: Vec<Cable> =
        (0..5).map(|at| Cable { one_way: true, ..cable(at, (at + 1) % 5, 2, 1) }).collect();
    let network = Arc::new(Switches::network(5, &ring, &[0, 1, 2, 3, 4], None));
    assert!(!network.is_two_way() && network.links() == 5);
    let routing = Routing::shortest_path(Paths::Split);
    let system = System::new(Arc::clone(&network), routing, Wormhole::new(1, 4), uniform(1e-3, 2));
    let mut engine = WormholeEngine::new(&system, 1, 0);
    let mut batch = Vec::new();
    engine.advance(Cycle(50_000));
    engine.take_deliveries(&mut batch);
    assert!(batch.len() > 200);
    for delivery in batch {
        let [from, to] = [delivery.source, delivery.destination].map(|node: NodeId| node.0);
        assert_eq!(delivery.hops, (to + 5 - from) % 5);
    }
    let up_down =
        Routing::UpDown { roots: flitscope::ids::RouterId(0).into(), paths: Paths::Split };
    assert!(up_down.serves(&network).unwrap_err().what.contains("needs bidirectional links"));
}
