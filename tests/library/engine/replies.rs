//! Requests and replies: every delivered request is answered once, and rooms at nodes are neither
//! exceeded nor forgotten.

use std::collections::BTreeMap;
use std::sync::Arc;

use flitscope::engine::wormhole::WormholeEngine;
use flitscope::engine::{Delivery, Simulator};
use flitscope::ids::{MessageId, NodeId};
use flitscope::routing::dependency::Verdict;
use flitscope::routing::{Classes, Routing};
use flitscope::switching::{
    Ejection, Forwarding, Injection, MessageVcs, OnDeadlock, PerClass, Release, Terminals, Wormhole,
};
use flitscope::system::System;
use flitscope::topology::cube::{Cube, Family};
use flitscope::traffic::classes::{Feedback, MessageClass, MessageClasses, Origin};
use flitscope::traffic::{Destinations, Lengths, Process, Traffic};
use flitscope::units::{Cycle, Rate};
use proptest::prelude::*;

use crate::systems::{any_system, weighted};

fn class(name: &str, flits: u32, origin: Origin) -> MessageClass {
    MessageClass { name: name.into(), lengths: Lengths::Fixed(flits), origin }
}

/// Requests of a number of flits, and a chain of replies.
fn chain(flits: &[u32], after: u32, room: Option<u32>) -> MessageClasses {
    let classes = (0u8..).zip(flits).map(|(number, &flits)| {
        let origin = match number.checked_sub(1) {
            None => Origin::Arrivals { weight: 1.0 },
            Some(to) => Origin::Reply { to, after, room },
        };
        class(&format!("class {number}"), flits, origin)
    });
    MessageClasses(classes.collect())
}

prop_compose! {
    /// Any system, with messages of two or three classes, on shared or separate VCs.
    fn replying_system()(
        system in any_system(),
        flits in prop::collection::vec(1u32..9, 2..4),
        (after, room) in (0u32..30, prop::option::weighted(0.7, 1u32..4)),
        (split, overlap) in (any::<bool>(), any::<bool>()),
        closed in prop::option::weighted(0.3, (1u32..6, 0u32..10)),
        length in 1u32..4,
        two_kinds in any::<bool>(),
    ) -> System {
        let mut machine = *system.wormhole().expect("a machine of worms");
        if matches!(machine.injection, Injection::Independent { .. }) {
            machine.injection = Injection::OneFlitPerCycle;
        }
        let whole = machine.forwarding != Forwarding::Wormhole;
        let fits = |&flits: &u32| if whole { flits.min(machine.buffer_flits) } else { flits };
        let flits: Vec<u32> = flits.iter().map(fits).collect();
        let room = room.filter(|_| machine.terminals == Terminals::Channels);
        let mut classes = chain(&flits, after, room);
        if two_kinds {
            let origin = Origin::Arrivals { weight: 0.5 };
            classes.0.push(class("alone", fits(&length), origin));
        }
        let routing = system.relation.routing().clone();
        let placement = routing.on(&system.network).expect("a fitting rule");
        let needed = placement.needs.needed;
        let each = needed.max(machine.virtual_channels / classes.count() as u32).max(1);
        if overlap && placement.has_one_class() {
            let ranges = (0..classes.count() as u32).map(|it| (it, it + 1));
            let ranges = PerClass::new(&ranges.collect::<Vec<_>>()).expect("few classes");
            machine.message_classes = MessageVcs::Ranges(ranges);
            machine.virtual_channels = classes.count() as u32 + 1;
        } else if split && each as usize * classes.count() <= 32 {
            let counts = PerClass::new(&vec![each; classes.count()]).expect("few classes");
            machine.message_classes = MessageVcs::Split(counts);
            machine.virtual_channels = each * classes.count() as u32;
        }
        let closed_loop =
            closed.map(|(window, think)| Feedback::ClosedLoop { window, think });
        let traffic = Traffic { classes, closed_loop, ..system.traffic.clone() };
        let half_way = system.relation.half_way();
        let network = Arc::clone(&system.network);
        let system = System::new(network, routing, machine, traffic).with_half_way(half_way);
        let rate = Rate(system.traffic.rate.0.min(system.rate_max().0));
        let traffic = Traffic { rate, ..system.traffic.clone() };
        system.with_traffic(traffic)
    }
}

/// Replies that must arrive: node, destination, class, birth and birth of the request.
type Expected = BTreeMap<(u32, u32, u8, u64, u64), u32>;

fn account(system: &System, expected: &mut Expected, delivery: &Delivery) {
    let classes = &system.traffic.classes;
    let Delivery { source, destination, message_class, born, began, done, .. } = *delivery;
    match classes.0[usize::from(message_class)].origin {
        Origin::Arrivals { .. } => assert_eq!(born, began),
        Origin::Reply { .. } => {
            let key = (source.0, destination.0, message_class, born.0, began.0);
            let count = expected.get_mut(&key).expect("a request was delivered before");
            *count -= 1;
            if *count == 0 {
                expected.remove(&key);
            }
        }
    }
    if let Some((reply, Origin::Reply { after, .. })) =
        classes.reply_to(message_class).map(|(number, class)| (number, class.origin))
    {
        let born = done.0 + u64::from(after);
        *expected.entry((destination.0, source.0, reply, born, began.0)).or_default() += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_request_is_answered_once_and_rooms_are_kept(
        system in replying_system(),
        seed in any::<u64>(),
    ) {
        let mut engine = WormholeEngine::new(&system, seed, 0);
        let (mut batch, mut expected) = (Vec::new(), Expected::new());
        for cycle in 1..=500 {
            engine.advance(Cycle(cycle));
            engine.audit().unwrap();
            engine.take_deliveries(&mut batch);
            for delivery in &batch {
                account(&system, &mut expected, delivery);
            }
        }
        if let Some(Feedback::ClosedLoop { window, .. }) = system.traffic.closed_loop {
            let present = engine.counters().generated - engine.counters().delivered;
            prop_assert!(present <= u64::from(window) * system.rates().senders() as u64);
        }
    }

    #[test]
    fn runs_do_not_depend_on_stops_shuffles_or_bulk_motion(
        system in replying_system(),
        seed in any::<u64>(),
        stop in 1u64..500,
        shuffle in 1u64..,
    ) {
        let mut straight = WormholeEngine::new(&system, seed, 0);
        straight.advance(Cycle(600));
        let mut stopped = WormholeEngine::new(&system, seed, 0);
        stopped.set_shuffle(shuffle);
        stopped.advance(Cycle(stop));
        let mut copy = WormholeEngine::new(&system, 0, 0);
        copy.clone_from(&stopped);
        copy.set_free_runs(false);
        for engine in [&mut stopped, &mut copy] {
            engine.advance(Cycle(600));
            prop_assert_eq!(engine.fingerprint(), straight.fingerprint());
        }
    }

    #[test]
    fn deadlocks_are_those_sets_of_messages_that_never_move_again(
        system in replying_system(),
        seed in any::<u64>(),
    ) {
        let machine = *system.wormhole().expect("a machine of worms");
        let with = |on_deadlock| {
            let (network, traffic) = (Arc::clone(&system.network), system.traffic.clone());
            let routing = system.relation.routing().clone();
            System::new(network, routing, Wormhole { on_deadlock, ..machine }, traffic)
                .with_half_way(system.relation.half_way())
        };
        let mut engine = WormholeEngine::new(&with(OnDeadlock::Stop), seed, 0);
        engine.advance(Cycle(2_000));
        let is_open = system.traffic.closed_loop.is_none();
        if is_open {
            engine.set_rate(Rate(1e-12));
        }
        // Without new requests, messages arrive until none is left or all are stuck.
        for _ in 0..if is_open { 100 } else { 1 } {
            let before = engine.counters();
            if engine.deadlock().is_some() || before.generated == before.delivered {
                break;
            }
            engine.advance(Cycle(engine.now().0 + 20_000));
            let moves = engine.counters().delivered > before.delivered;
            prop_assert!(moves || engine.deadlock().is_some(), "nothing arrives");
        }
        let Some(deadlock) = engine.deadlock().cloned() else { return Ok(()) };
        let proof = system.proof();
        let is_free = matches!(proof.verdict, Verdict::Free { .. });
        prop_assert!(!is_free || proof.method.needs_room(), "{proof:?}");
        let stuck: Vec<MessageId> =
            deadlock.worms().map(|worm| engine.name_of(worm).expect("a message")).collect();
        let found = engine.now();
        let mut same = WormholeEngine::new(&with(OnDeadlock::Continue), seed, 0);
        if is_open && found.0 > 2_000 {
            same.advance(Cycle(2_000));
            same.set_rate(Rate(1e-12));
        }
        same.advance(Cycle(found.0 + 5_000));
        for name in stuck {
            prop_assert!(same.find(name, None).is_some(), "{name:?} has moved on");
        }
    }
}

/// Two nodes of a line, or more, that ask each other as often as they can.
fn asking(radix: &[u32], split: bool, injection: Injection, room: u32) -> System {
    let classes = chain(&[1, 5], 3, Some(room));
    let counts = PerClass::new(&[1, 1]).expect("two classes");
    let machine = Wormhole {
        terminals: Terminals::Channels,
        ejection: Ejection::PerWorm,
        injection,
        message_classes: if split { MessageVcs::Split(counts) } else { MessageVcs::Shared },
        ..Wormhole::new(if split { 2 } else { 1 }, 4)
    };
    let traffic = Traffic::random(
        Process::Poisson,
        Rate(1.0 / 6.0),
        Destinations::Uniform,
        Lengths::Fixed(1),
    );
    let network = Arc::new(Cube::network(Family::Mesh, radix));
    let routing = Routing::dimension_order(Classes::None);
    System::new(network, routing, machine, Traffic { classes, ..traffic })
}

#[test]
fn requests_and_replies_on_shared_vcs_deadlock_and_on_separate_vcs_do_not() {
    let radices: [&[u32]; 4] = [&[2], &[3], &[4], &[2, 2]];
    for radix in radices {
        for room in [1, 2, 4] {
            for (split, injection) in [
                (false, Injection::OneFlitPerCycle),
                (false, Injection::OneMessage),
                (true, Injection::OneMessage),
                (true, Injection::OneFlitPerCycle),
            ] {
                let system = asking(radix, split, injection, room);
                let proof = system.proof();
                let is_safe = split && injection == Injection::OneFlitPerCycle;
                assert_eq!(proof.can_deadlock(), !is_safe, "{radix:?} {injection:?}: {proof:?}");
                let mut engine = WormholeEngine::new(&system, 1, 0);
                engine.advance(Cycle(50_000));
                let is_locked = engine.deadlock().is_some();
                assert_eq!(is_locked, !is_safe, "{radix:?}, {split}, {injection:?}, room {room}");
            }
        }
    }
}

#[test]
fn rooms_for_all_requests_outstanding_are_never_full() {
    for (window, is_free) in [(4, true), (5, false)] {
        let system = asking(&[2], false, Injection::OneFlitPerCycle, 4);
        let closed_loop = Some(Feedback::ClosedLoop { window, think: 0 });
        let traffic = Traffic { closed_loop, ..system.traffic.clone() };
        let system = system.with_traffic(traffic);
        let proof = system.proof();
        assert_eq!(matches!(proof.verdict, Verdict::Free { .. }), is_free, "window {window}");
        assert!(!proof.can_deadlock(), "a window may be too small to close a cycle");
    }
}

/// One node that asks another, with a window.
fn one_asks(window: u32, [request, reply]: [u32; 2]) -> WormholeEngine {
    let classes = chain(&[request, reply], 7, None);
    let destinations = weighted(&[(1, 6, 1.0)]);
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.01), destinations, Lengths::Fixed(request));
    let closed_loop = Some(Feedback::ClosedLoop { window, think: 5 });
    let network = Arc::new(Cube::network(Family::Mesh, &[8]));
    let routing = Routing::dimension_order(Classes::None);
    let machine = Wormhole { release: Release::Sent, ..Wormhole::new(1, 4) };
    let traffic = Traffic { classes, closed_loop, ..traffic };
    WormholeEngine::new(&System::new(network, routing, machine, traffic), 1, 0)
}

#[test]
fn one_node_that_asks_reaches_its_window_by_the_round_trip() {
    let mut alone = one_asks(1, [2, 6]);
    let mut batch = Vec::new();
    alone.advance(Cycle(1_000));
    alone.take_deliveries(&mut batch);
    let reply = batch.iter().find(|it| it.message_class == 1).expect("a reply");
    assert_eq!((reply.source, reply.destination), (NodeId(6), NodeId(1)));
    // Up to the birth of the next request.
    let round_trip = reply.round_trip() + 5;
    for window in 1..=round_trip as u32 / 6 {
        let mut engine = one_asks(window, [2, 6]);
        engine.advance(Cycle(100 * round_trip));
        engine.take_deliveries(&mut batch);
        let first = engine.now();
        engine.advance(Cycle(first.0 + 100 * round_trip));
        engine.take_deliveries(&mut batch);
        let answered = batch.iter().filter(|it| it.message_class == 1).count();
        assert_eq!(answered, 100 * window as usize, "window {window}");
    }
}
