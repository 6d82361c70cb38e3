//! Nothing is lost, doubled or reordered, in any cycle of any system.

use std::collections::{HashMap, HashSet};

use flitscope::engine::Engine;
use flitscope::engine::messages::Activity;
use flitscope::engine::{Delivery, HeadState, Snapshot, WaitKind};
use flitscope::ids::MessageId;
use flitscope::units::{Cycle, Rate};
use proptest::prelude::*;

use crate::systems::any_router;

/// What eyes see must agree with what the laws say.
fn check_snapshot(snapshot: &Snapshot) {
    let held = snapshot.vcs.iter().filter(|vc| vc.holder != 0).count();
    // A worm on a detour can pass a VC twice.
    let mut held_by_worms = HashSet::new();
    let mut flits = vec![0; snapshot.vcs.len()];
    for (at, worm) in snapshot.worms.iter().enumerate() {
        let first = worm.path_first as usize;
        let inside = &snapshot.path_flits[first..first + worm.path_len as usize];
        for (vc, &here) in snapshot.path_of(worm).iter().zip(inside) {
            let holds = snapshot.vcs[vc.index()].holder as usize == at + 1;
            assert!(holds || here > 0, "neither the VC nor a flit in it");
            held_by_worms.extend(holds.then_some(*vc));
            flits[vc.index()] += here;
        }
        assert_eq!(worm.at_source + inside.iter().sum::<u32>() + worm.consumed, worm.length);
    }
    assert_eq!(held, held_by_worms.len(), "every VC held is on exactly one worm's path");
    assert!(snapshot.vcs.iter().zip(flits).all(|(vc, flits)| vc.flits == flits));
    for wait in snapshot.waits.iter().filter(|wait| wait.kind == WaitKind::Vc) {
        let (channel, v) = snapshot.split(wait.wants);
        assert_eq!(snapshot.holder(channel, v).map(|worm| worm.id), wait.holder);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    #[test]
    fn every_law_holds_in_every_cycle(
        system in any_router(),
        seed in any::<u64>(),
        change in 50u64..400,
        factor in 0.1f64..3.0,
    ) {
        let mut engine = Engine::new(&system, seed, 0);
        let mut batch: Vec<Delivery> = Vec::new();
        let mut last: HashMap<u32, u64> = HashMap::new();
        let mut seen = 0u64;
        let mut snapshot = Snapshot::default();
        for cycle in 1..=600 {
            if cycle == change {
                engine.set_rate(Rate((system.traffic.rate.0 * factor).min(system.rate_max().0)));
            }
            engine.advance(Cycle(cycle));
            engine.audit().unwrap();
            engine.take_deliveries(&mut batch);
            for delivery in &batch {
                seen += 1;
                prop_assert!(delivery.born <= delivery.entered && delivery.entered < delivery.done);
                prop_assert!(delivery.source != delivery.destination || system.traffic.to_itself);
                prop_assert!(
                    delivery.network_latency() >= u64::from(delivery.hops + delivery.length - 1)
                );
                // A serial number is delivered once: remembered by source as a set of serials.
                let key = last.entry(delivery.source.0).or_default();
                if delivery.serial < 64 {
                    prop_assert!(*key >> delivery.serial & 1 == 0, "delivered twice");
                    *key |= 1 << delivery.serial;
                }
            }
            if cycle % 97 == 0 {
                engine.observe(&mut snapshot);
                check_snapshot(&snapshot);
            }
            if engine.deadlock().is_some() {
                break;
            }
        }
        prop_assert_eq!(seen, engine.counters().delivered);
    }

    #[test]
    fn the_longest_wait_told_is_the_longest_seen(system in any_router(), seed in any::<u64>()) {
        let mut engine = Engine::new(&system, seed, 0);
        let (mut messages, mut batch) = (Vec::new(), Vec::new());
        let mut longest: HashMap<MessageId, u64> = HashMap::new();
        for cycle in (1..=400).map(Cycle) {
            engine.advance(cycle);
            engine.take_deliveries(&mut batch);
            for delivery in batch.iter().filter(|_| engine.counters().aborts == 0) {
                let seen = longest.get(&delivery.name()).copied().unwrap_or_default();
                prop_assert_eq!(u64::from(delivery.longest_wait), seen, "{:?}", delivery);
                prop_assert!(delivery.waited_for().is_none() || seen > 0);
            }
            engine.messages(&mut messages);
            for message in &messages {
                if let Activity::Worm(HeadState::Blocked(since)) = message.activity {
                    let longest = longest.entry(message.name).or_default();
                    *longest = (*longest).max(cycle - since);
                }
            }
        }
    }
}
