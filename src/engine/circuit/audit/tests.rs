//! Checks that the audit detects any damage to the tables, and names the law.

use std::sync::Arc;

use super::*;
use crate::engine::Change;
use crate::engine::tests::damage::{Broken, Damage, count, damage, or};
use crate::routing::{Classes, Routing};
use crate::switching::circuit::{Circuit, Conflict};
use crate::system::System;
use crate::topology::cube::{Cube, Family};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::{Cycle, Rate};

fn busy(conflict: Conflict, until: u64) -> CircuitEngine {
    let traffic = Traffic::random(
        Process::Poisson,
        Rate(0.7),
        Destinations::Uniform,
        Lengths::Uniform { min: 1_000, max: 19_000 },
    );
    let network = Arc::new(Cube::network(Family::Mesh, &[3, 3]));
    let routing = Routing::dimension_order(Classes::None);
    // Long services, so that jobs queue.
    let machine = Circuit { verify: 0.02, connect: 0.05, release: 0.03, ..Circuit::new(conflict) };
    let mut engine = CircuitEngine::new(&System::new(network, routing, machine, traffic), 5, 0);
    engine.advance(Cycle(until));
    engine
}

const DAMAGES: &[(&str, Damage<CircuitEngine>)] = &[
    damage!("a message that is not", calls, |it| std::mem::take(&mut it.live)),
    damage!("a message that was", calls, |it| !std::mem::replace(&mut it.live, true)),
    damage!("it waits", calls, |it| it.live && it.state != CircuitState::Waiting && {
        it.state = CircuitState::Waiting;
        true
    }),
    damage!("it is sent", calls, |it| it.live && it.state != CircuitState::Transmitting && {
        it.state = CircuitState::Transmitting;
        true
    }),
    damage!("it sets up", calls, |it| it.live && it.state == CircuitState::Transmitting && {
        it.state = CircuitState::SettingUp;
        true
    }),
    damage!("a later birth", calls, |it| it.live && {
        it.born += 1;
        true
    }),
    damage!("it goes elsewhere", calls, |it| it.live && it.is_blocked() && {
        it.destination ^= 1;
        true
    }),
    damage!("it comes from elsewhere", calls, |it| {
        it.source ^= 1;
        it.live && it.first != NONE && it.state != CircuitState::Releasing
    }),
    damage!("it wants something else", calls, |it| {
        it.wants ^= 1;
        it.live && it.state == CircuitState::Waiting
    }),
    damage!("nobody behind in a queue", calls, |it| it.live && or(&mut it.next, NONE)),
    damage!("no first lane", calls, |it| it.live && or(&mut it.first, NONE)),
    damage!("no last lane", calls, |it| it.live && or(&mut it.last, NONE)),
    damage!("a lane more", calls, |it| {
        it.held += 1;
        it.live
    }),
    damage!("a lane of nobody", lanes, |it| or(&mut it.owner, NONE)),
    damage!("a lane is held", lanes, |it| it.owner == NONE && or(&mut it.owner, 0)),
    damage!("a lane of another channel", lanes, |it| {
        it.channel ^= 1;
        it.before != NONE && it.after != NONE
    }),
    damage!("no lane before", lanes, |it| it.owner != NONE && or(&mut it.before, NONE)),
    damage!("no lane after", lanes, |it| it.owner != NONE && or(&mut it.after, NONE)),
    damage!("nobody waits for a lane", lanes, |it| or(&mut it.waiting.head, NONE)),
    damage!("a controller rests", controllers, |it| or(&mut it.serving, NONE)),
    damage!("a controller serves", controllers, |it| it.serving == NONE && or(&mut it.serving, 0)),
    damage!("a controller serves another", controllers, |it| {
        let others = it.serving != NONE && it.serving > 0;
        it.serving -= u32::from(others);
        others
    }),
    damage!("a service is late", controllers, |it| {
        it.tick = 0;
        it.serving != NONE
    }),
    damage!("nobody queues at a controller", controllers, |it| or(&mut it.queue.head, NONE)),
    damage!("one more queues", controllers, |it| {
        it.queue.length += 1;
        true
    }),
    count!("a message present more", common.present),
    count!("a message delivered more", common.counters.delivered),
    count!("a tick of a message more", present_ticks),
    count!("a tick of latency more", latency_ticks),
];

#[test]
fn every_damage_breaks_a_law() {
    let mut broken = Broken::default();
    for conflict in [Conflict::Hold, Conflict::Drop { back_off: 0.7 }] {
        for until in [4_000, 9_000, 17_000] {
            let whole = busy(conflict, until);
            whole.check_circuits().unwrap();
            broken.try_all(&whole, DAMAGES, |it| it.check_circuits().err().into_iter().collect());
        }
    }
    insta::assert_snapshot!(broken.told(DAMAGES));
}

#[test]
fn a_closed_link_that_could_be_taken_or_is_forgotten_breaks_a_law() {
    for conflict in [Conflict::Hold, Conflict::Drop { back_off: 0.7 }] {
        // Early, when some links are held and some are free.
        let mut whole = busy(conflict, 300);
        for link in 0..12 {
            whole.apply(Change::LinkDown(ChannelId(link)));
        }
        whole.check_circuits().unwrap();
        let shut = whole.lanes.iter().position(|lane| lane.owner == CLOSED).expect("one is free");
        let open = whole.lanes.iter().rposition(|lane| lane.owner == NONE).expect("one is free");
        let mut damaged = whole.clone();
        damaged.lanes[shut].owner = NONE;
        let law = damaged.check_circuits().unwrap_err();
        assert!(law.contains("free") || law.contains("open and closed"), "{law}");
        damaged.clone_from(&whole);
        damaged.lanes[open].owner = CLOSED;
        assert!(damaged.check_circuits().unwrap_err().contains("open and closed"));
        damaged.clone_from(&whole);
        damaged.common.down.clear();
        assert!(damaged.check_circuits().unwrap_err().contains("open and closed"));
    }
}
