//! Rings without classes lock up, the lock is found and is a real cycle; safe rules never do.

use std::sync::Arc;

use flitscope::engine::Simulator;
use flitscope::engine::wormhole::WormholeEngine;
use flitscope::engine::{Snapshot, WaitKind};
use flitscope::routing::{Classes, Escape, Routing};
use flitscope::switching::{Bandwidth, OnDeadlock, Preset, Release, Wormhole};
use flitscope::system::System;
use flitscope::topology::cube::{Cube, Family};
use flitscope::units::Cycle;

use crate::systems::{torus, uniform};

/// Worms that close up behind a head that stands still leave what others wait for.
#[test]
fn rings_lock_in_the_same_cycle_whether_worms_move_as_a_whole_or_flit_by_flit() {
    let routing = Routing::dimension_order(Classes::None);
    let mut locked = 0;
    for (radix, buffer_flits, length) in [(3, 1, 9), (4, 2, 20), (6, 4, 9), (6, 6, 20)] {
        for (release, credit_delay, bandwidth, virtual_channels) in [
            (Release::Sent, 0, Bandwidth::OnDemand, 1),
            (Release::Sent, 0, Bandwidth::Fixed, 2),
            (Release::Sent, 1, Bandwidth::OnDemand, 1),
            (Release::Sent, 3, Bandwidth::OnDemand, 1),
            (Release::Drained, 0, Bandwidth::OnDemand, 1),
        ] {
            let machine = Wormhole {
                credit_delay,
                release,
                bandwidth,
                on_deadlock: OnDeadlock::Continue,
                ..Wormhole::new(virtual_channels, buffer_flits)
            };
            let ring = Cube::network(Family::Torus { unidirectional: true }, &[radix]);
            let traffic = uniform(0.2 / f64::from(length), length);
            let system = System::new(Arc::new(ring), routing.clone(), machine, traffic);
            for seed in 0..4 {
                let mut whole = WormholeEngine::new(&system, seed, 0);
                let mut flits = whole.clone();
                flits.set_free_runs(false);
                for now in (1..600).map(Cycle) {
                    whole.advance(now);
                    flits.advance(now);
                    let (left, right) = (whole.find_deadlock(), flits.find_deadlock());
                    assert_eq!(left.is_some(), right.is_some(), "{machine:?}, {seed}, by {now}");
                    if left.is_some() {
                        locked += 1;
                        break;
                    }
                }
            }
        }
    }
    assert!(locked > 20, "{locked} of 80 lock");
}

#[test]
fn a_ring_without_classes_deadlocks_in_a_real_cycle() {
    let routing = Routing::dimension_order(Classes::None);
    let system = torus(&[4, 4], routing, 1, 2, uniform(0.03, 16));
    let mut engine = WormholeEngine::new(&system, 1, 0);
    engine.advance(Cycle(200_000));
    let deadlock = engine.deadlock().expect("one VC on a ring deadlocks soon").clone();
    assert!(deadlock.closed() <= deadlock.found && engine.now() == deadlock.found);
    let set = &deadlock.sets[0];
    assert!(set.circle.len() >= 2 && !set.knot);
    for (at, wait) in set.circle.iter().enumerate() {
        let next = set.circle[(at + 1) % set.circle.len()].worm;
        assert_eq!(wait.holder, Some(next));
        assert!(set.worms.contains(&wait.worm));
        assert_eq!(system.network.channel(flitscope::ids::ChannelId(wait.wants.0)).from, wait.at);
    }
    // It never moves again, and the engine stays where it is.
    engine.audit().unwrap();
    let mut snapshot = Snapshot::default();
    engine.observe(&mut snapshot);
    assert_eq!(snapshot.deadlock.as_ref(), Some(&deadlock));
    for worm in deadlock.worms() {
        assert!(snapshot.worms.iter().any(|view| view.id == worm));
    }
    let before = engine.fingerprint();
    engine.advance(Cycle(300_000));
    assert_eq!(engine.fingerprint(), before);
}

#[test]
fn adaptive_routing_without_escape_deadlocks_in_a_knot() {
    let routing = Routing::minimal_adaptive(Escape::None);
    let system = torus(&[4, 4], routing, 1, 1, uniform(0.05, 16));
    let mut engine = WormholeEngine::new(&system, 3, 0);
    engine.advance(Cycle(500_000));
    let deadlock = engine.deadlock().expect("one adaptive VC deadlocks");
    let mut snapshot = Snapshot::default();
    engine.observe(&mut snapshot);
    // A knot is closed: whatever a member wants is held by a member.
    for wait in snapshot.waits.iter().filter(|wait| deadlock.holds(wait.worm)) {
        assert!(deadlock.holds(wait.holder.unwrap()));
    }
    assert!(deadlock.sets.iter().any(|set| set.knot));
}

#[test]
fn safe_rules_go_on_under_overload() {
    let safe = [
        Routing::dimension_order(Classes::Destination),
        Routing::dimension_order(Classes::Dateline),
        Routing::dimension_order(Classes::Static),
        Routing::minimal_adaptive(Escape::Destination),
        Routing::minimal_adaptive(Escape::Dateline),
    ];
    for radix in [[4, 4], [5, 3]] {
        for routing in safe.clone() {
            let system = torus(&radix, routing.clone(), 3, 1, uniform(0.06, 16));
            let mut engine = WormholeEngine::new(&system, 5, 0);
            engine.advance(Cycle(100_000));
            assert_eq!(engine.deadlock(), None, "{routing:?} on {radix:?}");
            let delivered = engine.counters().delivered;
            engine.audit().unwrap();
            engine.advance(Cycle(101_000));
            assert!(engine.counters().delivered > delivered);
        }
    }
}

/// Machines on which a ring without classes locks up in different ways.
fn machines() -> [Wormhole; 9] {
    let sent = Wormhole { release: Release::Sent, ..Wormhole::new(1, 3) };
    [
        Wormhole::new(1, 2),
        sent,
        Wormhole { credit_delay: 0, ..sent },
        Wormhole { virtual_channels: 2, bandwidth: Bandwidth::Fixed, ..sent },
        Wormhole::preset(Preset::MeshTorus1997, 1),
        Wormhole { channel_delay: 5, ..Wormhole::new(1, 2) },
        Wormhole { channel_delay: 3, credit_delay: 4, ..sent },
        Wormhole { channel_delay: 9, bandwidth: Bandwidth::Fixed, ..sent },
        Wormhole { buffer_flits: 7, ..Wormhole::preset(Preset::FiniteBuffers1997, 1) },
    ]
}

fn ring(switching: Wormhole, load: f64, length: u32) -> System {
    let network = Arc::new(Cube::network(Family::Torus { unidirectional: true }, &[5]));
    let routing = Routing::dimension_order(Classes::None);
    System::new(network, routing, switching, uniform(load / f64::from(length), length))
}

/// What the engine looks up is there, on every machine: also without debug assertions, under Miri.
#[test]
fn rows_that_are_named_are_there() {
    for machine in machines() {
        let system = ring(Wormhole { on_deadlock: OnDeadlock::Abort, ..machine }, 0.6, 7);
        let mut engine = WormholeEngine::new(&system, 3, 0);
        let mut snapshot = Snapshot::default();
        for now in [90, 180, 270, 360].map(Cycle) {
            engine.advance(now);
            engine.observe(&mut snapshot);
            engine.audit().unwrap();
        }
        assert!(engine.counters().delivered > 0, "{machine:?}");
    }
}

#[test]
fn every_machine_locks_up_and_is_found_to() {
    let mut kinds = Vec::new();
    for machine in machines() {
        for length in [1, 2, 16] {
            let system = ring(machine, 0.9, length);
            let mut engine = WormholeEngine::new(&system, 1, 0);
            engine.advance(Cycle(100_000));
            let name = format!("{machine:?}, {length} flits");
            let Some(deadlock) = engine.deadlock() else {
                // Nothing is wrong only while messages still arrive.
                let delivered = engine.counters().delivered;
                engine.advance(Cycle(101_000));
                assert!(engine.counters().delivered > delivered, "{name}: stands unnoticed");
                continue;
            };
            kinds.extend(deadlock.circles().map(|wait| wait.kind));
            engine.audit().unwrap();
        }
    }
    assert!(kinds.contains(&WaitKind::Vc) && kinds.contains(&WaitKind::Room), "{kinds:?}");
}

#[test]
fn a_victim_leaves_and_comes_again_and_all_goes_on() {
    for machine in machines() {
        let system = ring(Wormhole { on_deadlock: OnDeadlock::Abort, ..machine }, 0.9, 16);
        let mut engine = WormholeEngine::new(&system, 1, 0);
        let mut batch = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for now in (1..=200).map(|step| Cycle(step * 256)) {
            engine.advance(now);
            engine.audit().unwrap();
            engine.take_deliveries(&mut batch);
            for delivery in &batch {
                assert!(seen.insert((delivery.source, delivery.serial)), "delivered twice");
            }
        }
        let counters = engine.counters();
        assert_eq!((engine.now(), engine.deadlock()), (Cycle(200 * 256), None));
        assert!(counters.aborts > 0 && counters.flits_aborted > 0, "{machine:?}");
        let delivered = counters.delivered;
        engine.advance(Cycle(201 * 256 + 1000));
        assert!(engine.counters().delivered > delivered, "{machine:?} stands still");
    }
}

#[test]
fn a_deadlock_may_be_left_alone() {
    let machine = Wormhole { on_deadlock: OnDeadlock::Continue, ..Wormhole::new(1, 2) };
    let system = ring(machine, 0.9, 16);
    let mut engine = WormholeEngine::new(&system, 1, 0);
    engine.advance(Cycle(50_000));
    assert_eq!((engine.now(), engine.deadlock()), (Cycle(50_000), None));
    engine.audit().unwrap();
}
