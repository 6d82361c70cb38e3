//! Rings without classes lock up, the lock is found and is a real cycle; safe rules never do.

use flitscope::engine::wormhole::WormholeEngine;
use flitscope::engine::{Engine, Snapshot};
use flitscope::routing::{Classes, Escape, Routing};
use flitscope::units::Cycle;

use crate::systems::{torus, uniform};

#[test]
fn a_ring_without_classes_deadlocks_in_a_real_cycle() {
    let routing = Routing::DimensionOrder { classes: Classes::None };
    let system = torus(&[4, 4], routing, 1, 2, uniform(0.03, 16));
    let mut engine = WormholeEngine::new(&system, 1, 0);
    engine.advance(Cycle(200_000));
    let deadlock = engine.deadlock().expect("one VC on a ring deadlocks soon").clone();
    assert!(deadlock.formed <= deadlock.found && engine.now() == deadlock.found);
    assert!(deadlock.cycle.len() >= 2 && !deadlock.knot);
    for (at, wait) in deadlock.cycle.iter().enumerate() {
        let next = deadlock.cycle[(at + 1) % deadlock.cycle.len()].worm;
        assert_eq!(wait.holder, Some(next));
        assert!(deadlock.worms.contains(&wait.worm));
        assert_eq!(system.network.channel(flitscope::ids::ChannelId(wait.wants.0)).from, wait.at);
    }
    // It never moves again, and the engine stays where it is.
    engine.audit().unwrap();
    let mut snapshot = Snapshot::default();
    engine.observe(&mut snapshot);
    assert_eq!(snapshot.deadlock.as_ref(), Some(&deadlock));
    for worm in &deadlock.worms {
        assert!(snapshot.worms.iter().any(|view| view.id == *worm));
    }
    let before = engine.fingerprint();
    engine.advance(Cycle(300_000));
    assert_eq!(engine.fingerprint(), before);
}

#[test]
fn adaptive_routing_without_escape_deadlocks_in_a_knot() {
    let routing = Routing::MinimalAdaptive { escape: Escape::None };
    let system = torus(&[4, 4], routing, 1, 1, uniform(0.05, 16));
    let mut engine = WormholeEngine::new(&system, 3, 0);
    engine.advance(Cycle(500_000));
    let deadlock = engine.deadlock().expect("one adaptive VC deadlocks");
    let mut snapshot = Snapshot::default();
    engine.observe(&mut snapshot);
    // A knot is closed: whatever a member wants is held by a member.
    for wait in snapshot.waits.iter().filter(|wait| deadlock.worms.contains(&wait.worm)) {
        assert!(deadlock.worms.contains(&wait.holder.unwrap()));
    }
    let alternatives = deadlock
        .worms
        .iter()
        .any(|worm| snapshot.waits.iter().filter(|wait| wait.worm == *worm).count() > 1);
    assert_eq!(deadlock.knot, alternatives);
}

#[test]
fn safe_rules_go_on_under_overload() {
    let safe = [
        Routing::DimensionOrder { classes: Classes::Destination },
        Routing::DimensionOrder { classes: Classes::Dateline },
        Routing::DimensionOrder { classes: Classes::Static },
        Routing::MinimalAdaptive { escape: Escape::Destination },
        Routing::MinimalAdaptive { escape: Escape::Dateline },
    ];
    for radix in [[4, 4], [5, 3]] {
        for routing in safe {
            let system = torus(&radix, routing, 3, 1, uniform(0.06, 16));
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
