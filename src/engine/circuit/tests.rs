//! Tests of circuits with exact results.
//!
//! Single messages, laws after every step, partial runs and copies, and cycles of waits are tested.

mod graphs;

use std::sync::Arc;

use super::engine::{CircuitEngine, TICKS_PER_CYCLE, ticks, transmission_ticks};
use crate::engine::{CircuitState, Delivery, Simulator, Snapshot};
use crate::routing::{Classes, Escape, HalfWay, Routing};
use crate::switching::Circuit;
use crate::switching::circuit::{Conflict, Duplex, Remedy};
use crate::system::System;
use crate::topology::cube::{Cube, Family};
use crate::traffic::sources::{Generated, Sources};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::{Cycle, Rate};

const ONE_WAY: Family = Family::Torus { unidirectional: true };
const TWO_WAYS: Family = Family::Torus { unidirectional: false };
const UNIFORM: Lengths = Lengths::Uniform { min: 1_000, max: 19_000 };

fn system(family: Family, radix: &[u32], machine: Circuit, rate: f64, lengths: Lengths) -> System {
    let routing = match (machine.conflict, machine.on_deadlock) {
        (Conflict::Adaptive { .. }, _) => Routing::minimal_adaptive(Escape::None),
        (Conflict::Hold, Remedy::Lanes) => Routing::dimension_order(Classes::Dateline),
        _ => Routing::dimension_order(Classes::None),
    };
    let traffic = Traffic::random(Process::Poisson, Rate(rate), Destinations::Uniform, lengths);
    System::new(Arc::new(Cube::network(family, radix)), routing, machine, traffic)
        .with_half_way(HalfWay::Random)
}

fn machine(conflict: Conflict, duplex: Duplex) -> Circuit {
    Circuit { duplex, ..Circuit::new(conflict) }
}

/// Machines and networks of every kind, at loads from light to beyond saturation.
fn all() -> Vec<System> {
    let (drop, adaptive) = (Conflict::Drop { back_off: 0.7 }, Conflict::Adaptive { back_off: 0.3 });
    let mut systems = Vec::new();
    for rate in [0.05, 0.3, 2.0] {
        for duplex in [Duplex::Half, Duplex::Full] {
            for conflict in [Conflict::Hold, drop, adaptive] {
                let machine = machine(conflict, duplex);
                systems.push(system(Family::Hypercube, &[2; 4], machine, rate, UNIFORM));
                systems.push(system(TWO_WAYS, &[4, 4], machine, rate, Lengths::Fixed(10_000)));
                systems.push(system(Family::Mesh, &[3, 3], machine, rate, UNIFORM));
            }
        }
        let hold = machine(Conflict::Hold, Duplex::Full);
        systems.push(system(ONE_WAY, &[4, 4], hold, rate, UNIFORM));
        let lanes = Circuit { on_deadlock: Remedy::Lanes, ..hold };
        systems.push(system(ONE_WAY, &[4, 4], lanes, rate, UNIFORM));
        systems.push(system(TWO_WAYS, &[5, 5], lanes, rate, UNIFORM));
        systems.extend(graphs::all(rate));
        let instant = Circuit { verify: 0.0, connect: 0.0, release: 0.0, acknowledge: 0.0, ..hold };
        systems.push(system(
            ONE_WAY,
            &[4, 4],
            instant,
            rate,
            Lengths::Exponential { mean: 10_000.0 },
        ));
    }
    systems
}

#[test]
fn a_lone_message_takes_exactly_the_sum_of_its_services() {
    let mut seen = [0u32; 9];
    for conflict in
        [Conflict::Hold, Conflict::Drop { back_off: 1.0 }, Conflict::Adaptive { back_off: 1.0 }]
    {
        for duplex in [Duplex::Half, Duplex::Full] {
            // Delays of whole cycles: times of deliveries are then exact.
            let cycles = |cycles: u64| cycles as f64 / 1024.0;
            let times = Circuit {
                verify: cycles(3),
                connect: cycles(5),
                release: cycles(11),
                acknowledge: cycles(7),
                ..machine(conflict, duplex)
            };
            // A message per 4000 units of time: conflicts are rare.
            let lone = system(Family::Hypercube, &[2; 8], times, 1e-6, Lengths::Fixed(10_000));
            let mut engine = CircuitEngine::new(&lone, 5, 0);
            let mut deliveries = Vec::new();
            engine.advance(Cycle(2_000_000 * 1024));
            engine.take_deliveries(&mut deliveries);
            assert!(deliveries.len() > 300);
            let alone = |at: usize| {
                let clear = |other: &Delivery| {
                    let one = &deliveries[at];
                    *other == *one || other.done < one.born || other.born > one.done
                };
                deliveries.iter().all(clear)
            };
            for (at, delivery) in deliveries.iter().enumerate().filter(|&(at, _)| alone(at)) {
                let hops = u64::from(delivery.hops);
                assert_eq!(delivery.latency(), hops * (3 + 5) + 7 + 1024 + hops * 11, "{at}");
                assert_eq!(delivery.network_latency(), 1024 + hops * 11);
                // Link i is held from its grant to its release.
                let held: u64 =
                    (1..=hops).map(|link| (hops - link) * (3 + 5) + 5 + 7 + 1024 + link * 11).sum();
                assert_eq!(delivery.held, held);
                assert_eq!(delivery.aborts, 0);
                seen[delivery.hops as usize] += 1;
            }
        }
    }
    assert!(seen[1..=7].iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn the_laws_hold_after_every_few_events_and_nobody_is_lost() {
    for (number, system) in all().iter().enumerate() {
        let mut engine = CircuitEngine::new(system, number as u64, 0);
        let mut delivered = 0;
        let mut deliveries = Vec::new();
        for step in 1..=150 {
            engine.advance(Cycle(step * 151));
            if let Err(violation) = engine.audit() {
                panic!("{violation} in {:?}", system.switching);
            }
            engine.take_deliveries(&mut deliveries);
            delivered += deliveries.len() as u64;
            assert!(deliveries.is_sorted_by_key(|delivery| delivery.done));
        }
        assert_eq!(engine.counters().delivered, delivered);
        assert!(delivered > 0, "{:?}", system.switching);
        let lanes = matches!(system.circuit().unwrap().on_deadlock, Remedy::Lanes);
        if lanes || system.network.is_hypercube() {
            assert_eq!(engine.counters().deadlocks, 0, "{:?}", system.switching);
        }
    }
}

#[test]
fn slices_copies_and_looks_change_nothing() {
    for (number, system) in all().iter().enumerate() {
        let mut whole = CircuitEngine::new(system, 3, number as u32);
        let mut sliced = whole.clone();
        let mut copied = CircuitEngine::new(system, 4, 0);
        copied.advance(Cycle(3_000));
        whole.advance(Cycle(9_000));
        let mut snapshot = Snapshot::default();
        let mut at = 0;
        for width in (1..).map(|n| n * n % 97 + 1) {
            at = (at + width).min(9_000);
            sliced.advance(Cycle(at));
            sliced.observe(&mut snapshot);
            if at == 9_000 {
                break;
            }
        }
        assert_eq!(sliced.fingerprint(), whole.fingerprint(), "{:?}", system.switching);
        copied.clone_from(&sliced);
        assert_eq!(copied.fingerprint(), whole.fingerprint());
        for engine in [&mut whole, &mut copied] {
            engine.set_rate(Rate(0.1));
            engine.advance(Cycle(15_000));
        }
        assert_eq!(copied.fingerprint(), whole.fingerprint());
        assert_eq!(copied.counters(), whole.counters());
        sliced.advance(Cycle(15_000));
        assert_ne!(sliced.fingerprint(), whole.fingerprint(), "the rate tells");
    }
}

#[test]
fn the_messages_are_those_of_a_wormhole_run_drawn_more_finely() {
    let circuits = system(
        Family::Hypercube,
        &[2; 4],
        machine(Conflict::Drop { back_off: 1.0 }, Duplex::Half),
        0.2,
        UNIFORM,
    );
    let mut engine = CircuitEngine::new(&circuits, 9, 2);
    engine.advance(Cycle(400 * 1024));
    let mut deliveries = Vec::new();
    engine.take_deliveries(&mut deliveries);
    // Worms with the same lengths in flits: a cycle is 1/10 000 of a unit of time.
    let traffic = Traffic { rate: Rate(0.2 / 10_000.0), ..circuits.traffic.clone() };
    let mut sources = Sources::new(&traffic, &circuits.network, 9, 2);
    let mut messages = std::collections::HashMap::new();
    while sources.next_arrival() <= 4_000_000 {
        if let Some(Generated::Asks(message)) = sources.generate(4_000_000) {
            messages.insert((message.source, message.serial), message);
        }
    }
    assert!(deliveries.len() > 1_000);
    for delivery in &deliveries {
        let message = messages[&(delivery.source, delivery.serial)];
        assert_eq!(message.destination, delivery.destination);
        assert_eq!(message.length, delivery.length);
        // Each is rounded down to a cycle: 10 000 cycles of worms are 1 024 cycles of circuits.
        let born = message.born as f64 * 1024.0 / 10_000.0;
        assert!((born - delivery.born.0 as f64).abs() <= 1.2, "{born} {}", delivery.born);
    }
}

#[test]
fn one_link_with_one_sender_is_a_queue_with_general_service() {
    // Two nodes in a one-way ring: every message has a single hop, over a link of its source.
    let free = Circuit {
        verify: 0.0,
        connect: 0.0,
        release: 0.0,
        acknowledge: 0.0,
        ..machine(Conflict::Hold, Duplex::Full)
    };
    let variances =
        [(Lengths::Fixed(10_000), 0.0), (UNIFORM, 0.27), (Lengths::Exponential { mean: 1e4 }, 1.0)];
    for (lengths, variance) in variances {
        let rate = 0.6;
        let mut engine = CircuitEngine::new(&system(ONE_WAY, &[2], free, rate, lengths), 1, 0);
        let mut means = Vec::new();
        let mut deliveries = Vec::new();
        engine.advance(Cycle(200 * 1024));
        engine.take_deliveries(&mut deliveries);
        for batch in 0..20 {
            engine.advance(Cycle((200 + 4_000 * (batch + 1)) * 1024));
            engine.take_deliveries(&mut deliveries);
            let sum: u64 = deliveries.iter().map(Delivery::latency).sum();
            means.push(sum as f64 / deliveries.len() as f64 / 1024.0);
        }
        let mean = means.iter().sum::<f64>() / 20.0;
        let spread = means.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 19.0;
        let expected = 1.0 + rate * (1.0 + variance) / (2.0 * (1.0 - rate));
        // Student's t for 99.9 % and 19 degrees of freedom.
        let interval = 3.88 * (spread / 20.0).sqrt();
        assert!((mean - expected).abs() < interval + 0.001, "{mean} {expected} ± {interval}");
        assert!(interval < 0.1 * expected);
    }
}

#[test]
fn a_ring_of_waits_stops_the_run_at_once_and_is_shown() {
    let hold = machine(Conflict::Hold, Duplex::Full);
    let stop = Circuit { on_deadlock: Remedy::Stop, ..hold };
    let mut snapshot = Snapshot::default();
    for seed in 0..8 {
        let mut engine =
            CircuitEngine::new(&system(ONE_WAY, &[8, 8], stop, 0.05, UNIFORM), seed, 0);
        engine.advance(Cycle(2_000 * 1024));
        let deadlock = engine.deadlock().expect("rings deadlock").clone();
        assert!(engine.now() < Cycle(2_000 * 1024) && engine.now() == deadlock.found);
        let [set] = &deadlock.sets[..] else { panic!("{deadlock:?}") };
        assert_eq!((set.closed, set.closers.len(), set.knot), (deadlock.found, 1, false));
        assert!(set.circle.len() >= 2 && set.circle.len() == set.worms.len());
        for (wait, next) in set.circle.iter().zip(set.circle.iter().cycle().skip(1)) {
            assert_eq!(wait.holder, Some(next.worm));
            assert!(set.worms.contains(&wait.worm));
        }
        engine.audit().expect("a stopped run keeps the laws");
        engine.observe(&mut snapshot);
        assert_eq!(engine.find_deadlock().as_ref(), Some(&deadlock));
        for wait in &set.circle {
            let view = snapshot.circuits.iter().find(|view| view.worm == wait.worm).unwrap();
            assert_eq!((view.state, view.wants), (CircuitState::Waiting, Some(wait.wants)));
            let holder = snapshot.vcs[wait.wants.index()].holder;
            assert_eq!(Some(snapshot.worms[holder as usize - 1].id), wait.holder);
        }
        let print = engine.fingerprint();
        engine.advance(Cycle(4_000 * 1024));
        assert_eq!(engine.fingerprint(), print, "for good");
    }
    // With aborts, the same system continues and counts them.
    let mut engine = CircuitEngine::new(&system(ONE_WAY, &[8, 8], hold, 0.05, UNIFORM), 0, 0);
    engine.advance(Cycle(2_000 * 1024));
    let counters = engine.counters();
    assert!(engine.deadlock().is_none() && counters.deadlocks > 20);
    assert_eq!(counters.aborts, counters.deadlocks);
}

#[test]
fn snapshots_show_every_circuit_and_its_links() {
    let mut snapshot = Snapshot::default();
    let mut states = std::collections::HashSet::new();
    for (number, system) in all().iter().enumerate() {
        let mut engine = CircuitEngine::new(system, number as u64, 1);
        for step in 1..=40 {
            engine.advance(Cycle(step * 201));
            engine.observe(&mut snapshot);
            let held: u32 = snapshot.circuits.iter().map(|view| view.path_len).sum();
            assert_eq!(held as usize, snapshot.path.len());
            assert_eq!(snapshot.path.len(), snapshot.path_flits.len());
            let with_links = snapshot.circuits.iter().filter(|view| view.path_len > 0).count();
            assert_eq!(with_links, snapshot.worms.len());
            assert_eq!(snapshot.controllers.len(), system.network.routers());
            for view in &snapshot.circuits {
                states.insert(format!("{:?}", view.state));
                let stands =
                    matches!(view.state, CircuitState::Transmitting | CircuitState::Releasing);
                assert_eq!(view.set_up.is_some(), stands);
                assert!(view.consumed <= view.length);
            }
            let mut crossings = Vec::new();
            engine.crossings(&mut crossings);
            for (channel, crossed) in crossings.into_iter().enumerate() {
                assert!(crossed <= snapshot.cycle.0, "channel {channel}");
            }
        }
    }
    assert_eq!(states.len(), 6, "{states:?}");
}

#[test]
fn times_are_ticks_to_the_nearest() {
    assert_eq!(transmission_ticks(10_000), 1 << 32);
    assert_eq!(transmission_ticks(1_000), ticks(0.1));
    assert_eq!(ticks(1.0 / 1024.0), TICKS_PER_CYCLE);
}
