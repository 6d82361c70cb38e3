//! Messages recorded from random sources and replayed as a script give the run that drew them.

use std::collections::BTreeMap;

use flitscope::engine::{Delivery, Engine, Snapshot};
use flitscope::ids::NodeId;
use flitscope::scenario::{builtin, parse};
use flitscope::switching::{Forwarding, Injection, OnDeadlock};
use flitscope::system::System;
use flitscope::traffic::Traffic;
use flitscope::traffic::classes::MessageClasses;
use flitscope::traffic::script::{Draft, Event};
use flitscope::traffic::sources::{Generated, Message, Sources};
use flitscope::units::{Cycle, Rate};
use proptest::prelude::*;

use super::links::{changes, toggles};
use crate::systems::{any_router, default_system};

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
        draft.add(it.born, [it.source, it.destination], it.length);
    }
    let traffic = Traffic::scripted(draft.finish().unwrap(), MessageClasses::default());
    (!messages.is_empty()).then(|| system.clone().with_traffic(traffic))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn replayed_messages_make_the_run_that_drew_them(
        system in prop_oneof![default_system(), any_router()],
        seed in any::<u64>(),
        toggles in toggles(),
        end in 100u64..700,
        cut in 1u64..500,
    ) {
        let messages = recorded(&system, seed, end);
        let Some(script) = scripted(&system, &messages) else { return Ok(()) };
        let mut drawn = Engine::new(&system, seed, 0);
        let mut replayed = Engine::new(&script, seed, 0);
        let mut kept = replayed.clone();
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let (mut seen, mut again) = (Snapshot::default(), Snapshot::default());
        for cycle in 1..=end {
            for change in changes(&*drawn, &system, &toggles, cycle) {
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

/// A condition: the distance back to the message awaited, the event and the delay.
type Condition = (usize, Event, u32);

/// A message of a random script: earliest birth, ends, and conditions.
type Given = (u64, (usize, usize), Vec<Condition>);

fn given(events: &'static [Event]) -> impl Strategy<Value = Vec<Given>> {
    let condition = (1usize..30, prop::sample::select(events), 0u32..40);
    let conditions = prop::collection::vec(condition, 0..4);
    prop::collection::vec((0u64..200, (0usize..64, 1usize..64), conditions), 1..80)
}

/// The messages of a random script that a system can carry, in a scenario; lengths tell the messages
/// apart. A redundant condition may be added to every condition.
fn system_of(system: &System, given: &[Given], redundant: Option<Event>) -> System {
    let nodes = system.network.nodes();
    let mut draft = Draft::default();
    for (at, (born, (from, ahead), conditions)) in given.iter().enumerate() {
        let from = from % nodes;
        let to = (from + 1 + (ahead - 1) % (nodes - 1)) % nodes;
        draft.add(*born, [from, to].map(NodeId::new), at as u32 + 1);
        for &(back, event, delay) in conditions {
            let Some(other) = at.checked_sub(back) else { continue };
            draft.await_event(other, event, delay);
            if let Some(event) = redundant {
                draft.await_event(other, event, delay);
            }
        }
    }
    system
        .clone()
        .with_traffic(Traffic::scripted(draft.finish().unwrap(), MessageClasses::default()))
}

/// The messages that fit into the buffers of a system; none if messages may be discarded.
fn fitting(system: &System, mut given: Vec<Given>) -> Vec<Given> {
    let machine = system.wormhole().unwrap();
    let most = match machine.forwarding {
        Forwarding::Wormhole => 80,
        Forwarding::CutThrough | Forwarding::StoreAndForward => machine.buffer_flits as usize,
        Forwarding::Bubble => machine.buffer_flits as usize / 2,
    };
    let discards = matches!(machine.injection, Injection::Independent { .. });
    given.truncate(if discards { 0 } else { most });
    given
}

/// The end of runs in which messages are blocked forever.
const END: Cycle = Cycle(1_000_000);

/// The deliveries of a run to its end, and the engine there.
fn to_end(system: &System, seed: u64) -> (Vec<Delivery>, Engine) {
    let mut engine = Engine::new(system, seed, 0);
    engine.advance(END);
    let mut all = Vec::new();
    engine.take_deliveries(&mut all);
    (all, engine)
}

const ALL: &[Event] = &[Event::Started, Event::Sent, Event::Delivered];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn messages_that_await_others_are_born_in_time_however_the_run_is_cut(
        system in any_router(),
        seed in any::<u64>(),
        given in given(ALL),
        step in 1u64..90,
    ) {
        let given = fitting(&system, given);
        prop_assume!(!given.is_empty());
        let system = system_of(&system, &given, None);
        let (all, straight) = to_end(&system, seed);
        let on_deadlock = system.wormhole().unwrap().on_deadlock;
        // No search for deadlocks ends a run under `Continue`.
        if straight.deadlock().is_none() && on_deadlock != OnDeadlock::Continue {
            prop_assert!(straight.is_complete() && all.len() == given.len());
        }
        let by_length: BTreeMap<usize, Delivery> =
            all.iter().map(|it| (it.length as usize - 1, *it)).collect();
        // A message aborted after its first start enters again.
        let aborts = on_deadlock == OnDeadlock::Abort;
        for (&at, delivery) in &by_length {
            let [mut earliest, mut latest] = [given[at].0; 2];
            for &(back, event, delay) in &given[at].2 {
                let Some(other) = at.checked_sub(back) else { continue };
                let Some(Delivery { entered, length, done, .. }) = by_length.get(&other) else {
                    prop_assert!(event < Event::Delivered);
                    latest = u64::MAX;
                    continue;
                };
                let [from, to] = match event {
                    Event::Started => [entered.0 + 1; 2],
                    Event::Sent => [entered.0 + u64::from(*length), done.0],
                    Event::Delivered => [done.0; 2],
                };
                let from = if aborts && event < Event::Delivered { 0 } else { from };
                earliest = earliest.max(from + u64::from(delay));
                latest = latest.max(to + u64::from(delay));
            }
            prop_assert!((earliest..=latest).contains(&delivery.born.0), "{delivery:?}");
        }
        let mut cut = Engine::new(&system, seed, 0);
        let (mut again, mut kept, mut some) = (Vec::new(), cut.clone(), Vec::new());
        while cut.now() < straight.now() {
            // An older copy goes the same way.
            kept.clone_from(&cut);
            let until = END.min(cut.now() + step);
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

    /// Runs with departures awaited move flit by flit, and others move worms as a whole.
    #[test]
    fn conditions_that_are_met_earlier_change_nothing(
        system in any_router(),
        seed in any::<u64>(),
        given in given(&[Event::Delivered]),
    ) {
        let given = fitting(&system, given);
        prop_assume!(!given.is_empty());
        let (all, plain) = to_end(&system_of(&system, &given, None), seed);
        for redundant in [Event::Started, Event::Sent] {
            let (again, engine) = to_end(&system_of(&system, &given, Some(redundant)), seed);
            prop_assert_eq!(&again, &all);
            prop_assert_eq!(engine.counters(), plain.counters());
        }
    }
}

#[test]
fn replays_of_the_scenarios_of_the_papers_deliver_every_message() {
    let mut seen = 0;
    for scenario in builtin::ALL.iter() {
        let Ok(parsed) = parse(scenario.name, scenario.text, &[]) else { continue };
        let system = parsed.system;
        let is_plain = system.wormhole().is_some() && system.traffic.classes.is_empty();
        if !is_plain || system.network.nodes() > 64 {
            continue;
        }
        seen += 1;
        let messages = recorded(&system, 7, 2_000);
        let mut drawn = Engine::new(&system, 7, 0);
        let mut replayed = Engine::new(&scripted(&system, &messages).unwrap(), 7, 0);
        drawn.advance(Cycle(2_000));
        replayed.advance(Cycle(2_000));
        let (mut left, mut right) = (Vec::new(), Vec::new());
        drawn.take_deliveries(&mut left);
        replayed.take_deliveries(&mut right);
        assert!(left == right, "{}", scenario.name);
        replayed.advance(Cycle(400_000));
        let counters = replayed.counters();
        let gone = counters.delivered + counters.discarded + counters.lost;
        let all = gone == messages.len() as u64;
        assert!(
            all && replayed.is_complete() || replayed.deadlock().is_some(),
            "{}: {counters:?}",
            scenario.name
        );
        assert!(replayed.now() < Cycle(400_000) || !replayed.is_complete(), "{}", scenario.name);
    }
    assert!(seen > 10, "{seen} scenarios");
}
