//! Messages recorded from random sources and replayed as a script give the run that drew them.

use std::collections::BTreeMap;

use flitscope::engine::wormhole::WormholeEngine;
use flitscope::engine::{Delivery, Engine, Simulator, Snapshot};
use flitscope::ids::NodeId;
use flitscope::scenario::{builtin, parse};
use flitscope::switching::{Forwarding, Injection};
use flitscope::system::System;
use flitscope::traffic::Traffic;
use flitscope::traffic::script::Draft;
use flitscope::traffic::sources::{Generated, Message, Sources};
use flitscope::units::{Cycle, Rate};
use proptest::prelude::*;

use super::links::{changes, toggles};
use crate::systems::{any_system, default_system};

/// The messages that a system draws in the cycles before `end`.
fn recorded(system: &System, seed: u64, end: u64) -> Vec<Message> {
    let mut sources = Sources::new(&system.traffic, &system.network, seed, 0);
    let mut messages = Vec::new();
    while sources.next_arrival() < end {
        let Some(Generated::Asks(message)) = sources.generate(end) else { panic!("none waits") };
        sources.leave(message.source, 0);
        messages.push(message);
    }
    messages
}

/// The same system with messages of a script, sorted by source instead of birth.
fn scripted(system: &System, messages: &[Message]) -> Option<System> {
    let mut draft = Draft::default();
    let mut messages = messages.to_vec();
    messages.sort_by_key(|it| it.source);
    for it in &messages {
        draft.add(it.born, [it.source, it.destination], it.length, 0);
    }
    let traffic = Traffic::scripted(draft.finish().unwrap());
    (!messages.is_empty()).then(|| system.clone().with_traffic(traffic))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn replayed_messages_make_the_run_that_drew_them(
        system in prop_oneof![default_system(), any_system()],
        seed in any::<u64>(),
        toggles in toggles(),
        end in 100u64..700,
        cut in 1u64..500,
    ) {
        let messages = recorded(&system, seed, end);
        let Some(script) = scripted(&system, &messages) else { return Ok(()) };
        let mut drawn = WormholeEngine::new(&system, seed, 0);
        let mut replayed = Engine::new(&script, seed, 0);
        let mut kept = replayed.clone();
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let (mut seen, mut again) = (Snapshot::default(), Snapshot::default());
        for cycle in 1..=end {
            for change in changes(&drawn, &system, &toggles, cycle) {
                drawn.apply(change);
                replayed.apply(change);
            }
            drawn.advance(Cycle(cycle));
            replayed.advance(Cycle(cycle));
            // A rate means nothing to given messages.
            replayed.set_rate(Rate(0.3));
            drawn.take_deliveries(&mut left);
            replayed.take_deliveries(&mut right);
            prop_assert_eq!(&left, &right, "in cycle {}", cycle);
            if replayed.is_complete() {
                let after = messages.iter().filter(|it| it.born >= cycle).count();
                prop_assert_eq!((after, drawn.counters().generated), (0, messages.len() as u64));
                break;
            }
            prop_assert_eq!(drawn.now(), replayed.now());
            if cycle % 37 == 0 {
                replayed.audit().unwrap();
                drawn.observe(&mut seen);
                replayed.observe(&mut again);
                prop_assert_eq!(&seen, &again);
            }
            if cycle == cut {
                kept.clone_from(&replayed);
            }
        }
        prop_assert_eq!(drawn.deadlock(), replayed.deadlock());
        if toggles.is_empty() && kept.now().0 > 0 {
            kept.advance(Cycle(end));
            prop_assert_eq!(kept.fingerprint(), replayed.fingerprint());
        }
    }
}

/// A message of a random script: earliest birth, ends, delay, and the distances back to those awaited.
type Given = (u64, (usize, usize), u32, Vec<usize>);

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn messages_that_await_others_are_born_in_time_however_the_run_is_cut(
        system in any_system(),
        seed in any::<u64>(),
        given in prop::collection::vec(
            (0u64..200, (0usize..64, 1usize..64), 0u32..40, prop::collection::vec(1usize..30, 0..4)),
            1..80,
        ),
        step in 1u64..90,
    ) {
        // Lengths tell the messages apart; whole messages fit into the buffers.
        let most = match system.wormhole().unwrap().forwarding {
            Forwarding::Wormhole => u32::MAX,
            Forwarding::CutThrough | Forwarding::StoreAndForward => system.wormhole().unwrap().buffer_flits,
        };
        let given: Vec<Given> = given.into_iter().take(most.min(80) as usize).collect();
        let discards = matches!(system.wormhole().unwrap().injection, Injection::Independent { .. });
        prop_assume!(!discards);
        let nodes = system.network.nodes();
        let mut draft = Draft::default();
        let awaited = |at: usize| given[at].3.iter().filter_map(move |back| at.checked_sub(*back));
        for (at, (born, (from, ahead), delay, _)) in given.iter().enumerate() {
            let from = from % nodes;
            let to = (from + 1 + (ahead - 1) % (nodes - 1)) % nodes;
            draft.add(*born, [from, to].map(NodeId::new), at as u32 + 1, *delay);
            awaited(at).for_each(|other| draft.await_message(other));
        }
        let system = system.with_traffic(Traffic::scripted(draft.finish().unwrap()));
        let mut straight = Engine::new(&system, seed, 0);
        straight.advance(Cycle(1_000_000));
        let mut all = Vec::new();
        straight.take_deliveries(&mut all);
        if straight.deadlock().is_none() {
            prop_assert!(straight.is_complete() && all.len() == given.len());
        }
        let by_length: BTreeMap<usize, Delivery> =
            all.iter().map(|it| (it.length as usize - 1, *it)).collect();
        for (&at, delivery) in &by_length {
            let arrivals = awaited(at).map(|other| by_length[&other].done.0);
            let ready = arrivals.max().map_or(0, |latest| latest + u64::from(given[at].2));
            prop_assert_eq!(delivery.born.0, given[at].0.max(ready));
        }
        let mut cut = Engine::new(&system, seed, 0);
        let (mut again, mut kept, mut some) = (Vec::new(), cut.clone(), Vec::new());
        while cut.now() < straight.now() {
            // An older copy goes the same way.
            kept.clone_from(&cut);
            let until = cut.now() + step;
            cut.advance(until);
            cut.audit().unwrap();
            kept.advance(cut.now());
            prop_assert_eq!(kept.fingerprint(), cut.fingerprint());
            cut.take_deliveries(&mut some);
            again.append(&mut some);
        }
        prop_assert_eq!(cut.fingerprint(), straight.fingerprint());
        prop_assert_eq!(again, all);
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
        let messages = recorded(&system, 7, 2_000);
        let mut drawn = WormholeEngine::new(&system, 7, 0);
        let mut replayed = Engine::new(&scripted(&system, &messages).unwrap(), 7, 0);
        drawn.advance(Cycle(2_000));
        replayed.advance(Cycle(2_000));
        let (mut left, mut right) = (Vec::new(), Vec::new());
        drawn.take_deliveries(&mut left);
        replayed.take_deliveries(&mut right);
        assert!(left == right, "{}", scenario.name);
        replayed.advance(Cycle(400_000));
        let counters = replayed.counters();
        let all = counters.delivered + counters.discarded == messages.len() as u64;
        assert!(
            all && replayed.is_complete() || replayed.deadlock().is_some(),
            "{}: {counters:?}",
            scenario.name
        );
        assert!(replayed.now() < Cycle(400_000) || !replayed.is_complete(), "{}", scenario.name);
    }
    assert!(seen > 10, "{seen} scenarios");
}
