//! Messages recorded from random sources and replayed give the run that drew them.

use flitscope::engine::wormhole::WormholeEngine;
use flitscope::engine::{Engine, Simulator, Snapshot};
use flitscope::scenario::{builtin, parse};
use flitscope::system::System;
use flitscope::traffic::sources::{Arrival, Generated, Sources};
use flitscope::units::{Cycle, Rate};
use proptest::prelude::*;

use super::links::{changes, toggles};
use crate::systems::{any_system, circuit_system, default_system};

/// The messages that a system draws in the cycles before `end`.
fn recorded(system: &System, seed: u64, end: u64) -> Vec<Arrival> {
    let mut sources = Sources::new(&system.traffic, &system.network, seed, 0);
    let mut arrivals = Vec::new();
    while sources.next_arrival() < end {
        let Some(Generated::Asks(message)) = sources.generate(end) else { panic!("none waits") };
        sources.leave(message.source);
        arrivals.push(Arrival {
            born: message.born,
            source: message.source,
            destination: message.destination,
            length: message.length,
            serial: message.serial,
        });
    }
    arrivals
}

/// Gives blocks of `size` until a run can come to cycle `until`.
fn feed(engine: &mut Engine, arrivals: &[Arrival], size: usize, until: u64) {
    while engine.sources().known_until() < until {
        let from = engine.sources().added() as usize;
        let to = arrivals.len().min(from + size);
        engine.give(arrivals[from..to].into(), to == arrivals.len()).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn replayed_messages_make_the_run_that_drew_them(
        system in prop_oneof![default_system(), any_system()],
        seed in any::<u64>(),
        sizes in prop::collection::vec(1usize..60, 1..5),
        toggles in toggles(),
        end in 100u64..700,
    ) {
        let arrivals = recorded(&system, seed, end);
        let mut drawn = WormholeEngine::new(&system, seed, 0);
        let mut replayed = Engine::replaying(&system, seed, 0).unwrap();
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let (mut seen, mut again) = (Snapshot::default(), Snapshot::default());
        for (cycle, &size) in (1..=end).zip(sizes.iter().cycle()) {
            for change in changes(&drawn, &system, &toggles, cycle) {
                drawn.apply(change);
                replayed.apply(change);
            }
            // No further than what is known.
            let known = replayed.sources().known_until().min(cycle);
            replayed.advance(Cycle(cycle));
            prop_assert!(replayed.now().0 == known || replayed.deadlock().is_some());
            feed(&mut replayed, &arrivals, size, cycle);
            replayed.advance(Cycle(cycle));
            drawn.advance(Cycle(cycle));
            prop_assert_eq!(drawn.now(), replayed.now());
            drawn.take_deliveries(&mut left);
            replayed.take_deliveries(&mut right);
            prop_assert_eq!(&left, &right, "in cycle {}", cycle);
            if cycle % 37 == 0 {
                replayed.audit().unwrap();
                drawn.observe(&mut seen);
                replayed.observe(&mut again);
                prop_assert_eq!(&seen, &again);
            }
        }
        prop_assert_eq!(drawn.counters(), replayed.counters());
        prop_assert_eq!(drawn.deadlock(), replayed.deadlock());
    }

    #[test]
    fn a_replay_that_is_cut_copied_and_taken_back_is_the_same(
        system in any_system(),
        seed in any::<u64>(),
        sizes in (1usize..40, 1usize..400),
        cut in 1u64..500,
    ) {
        let arrivals = recorded(&system, seed, 500);
        let mut straight = Engine::replaying(&system, seed, 0).unwrap();
        straight.give(arrivals.as_slice().into(), true).unwrap();
        let mut cut_up = Engine::replaying(&system, seed, 0).unwrap();
        let mut kept = cut_up.clone();
        for cycle in 1..=600 {
            straight.advance(Cycle(cycle));
            feed(&mut cut_up, &arrivals, sizes.0, cycle);
            cut_up.advance(Cycle(cycle));
            prop_assert_eq!(straight.fingerprint(), cut_up.fingerprint(), "by cycle {}", cycle);
            // A rate means nothing to it.
            cut_up.set_rate(Rate(0.3));
            if cycle == cut {
                kept.clone_from(&cut_up);
            }
        }
        // Not of the same ties.
        let other = Engine::replaying(&system, seed ^ 1, 0).unwrap();
        prop_assert_ne!(other.fingerprint(), straight.fingerprint());
        feed(&mut kept, &arrivals, sizes.1, u64::MAX);
        kept.advance(Cycle(600));
        prop_assert_eq!(kept.fingerprint(), straight.fingerprint());
        prop_assert!(kept.sources().are_at_end() || kept.deadlock().is_some());
        prop_assert!(kept.sources().added() == arrivals.len() as u64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn circuits_replay_nothing_and_drawn_messages_are_not_given(system in circuit_system()) {
        let refused = Engine::replaying(&system, 1, 0).unwrap_err().to_string();
        prop_assert!(refused.contains("circuits cannot replay messages"), "{}", refused);
        let refused = Engine::new(&system, 1, 0).give([].into(), true).unwrap_err().to_string();
        prop_assert!(refused.contains("drawn at random"), "{}", refused);
    }
}

#[test]
fn replays_of_the_scenarios_of_the_papers_deliver_every_message() {
    let mut seen = 0;
    for scenario in builtin::ALL.iter() {
        let Ok(parsed) = parse(scenario.name, scenario.text, &[]) else { continue };
        let system = parsed.system;
        if system.wormhole().is_none() || system.network.nodes() > 64 {
            continue;
        }
        seen += 1;
        let arrivals = recorded(&system, 7, 2_000);
        let mut drawn = WormholeEngine::new(&system, 7, 0);
        let mut replayed = Engine::replaying(&system, 7, 0).unwrap();
        replayed.give(arrivals.as_slice().into(), true).unwrap();
        drawn.advance(Cycle(2_000));
        replayed.advance(Cycle(2_000));
        assert_eq!(drawn.counters(), replayed.counters(), "{}", scenario.name);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        drawn.take_deliveries(&mut left);
        replayed.take_deliveries(&mut right);
        assert_eq!(left, right, "{}", scenario.name);
        replayed.advance(Cycle(400_000));
        let counters = replayed.counters();
        let all = counters.delivered + counters.discarded == arrivals.len() as u64;
        let ended = all && replayed.sources().are_at_end();
        assert!(ended || replayed.deadlock().is_some(), "{}: {counters:?}", scenario.name);
    }
    assert!(seen > 10, "{seen} scenarios");
}
