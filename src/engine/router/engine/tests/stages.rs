//! Tests of one router: the earliest cycle of every stage, for all delays of the stages.
//!
//! A probe asks for the stage of a head after each cycle. A stage is tight if it starts in the cycle
//! of its formula, and not before.

use std::iter;

use super::super::super::records::NONE;
use super::*;
use crate::engine::HeadStage;
use crate::ids::NodeId;
use crate::traffic::Traffic;
use crate::traffic::classes::MessageClasses;
use crate::traffic::script::Draft;

/// Every pipeline with stages of up to three cycles, with and without speculation.
fn pipelines() -> impl Iterator<Item = Stages> {
    (0..512).map(|at| Stages {
        vc: at >> 2 & 3,
        switch: at >> 4 & 3,
        traverse: at >> 6 & 3,
        speculative: at >> 8 == 1,
        ..Stages::after(at & 3)
    })
}

/// A message: the cycle of generation, source, destination and length.
type Given = (u64, u32, u32, u32);

/// A mesh of three by three routers that carries some messages.
fn harness(stages: Stages, more: &str, [vcs, flits]: [u32; 2], messages: &[Given]) -> RouterEngine {
    let machine = format!("pipeline: {stages:?}, {more}").replace('{', "(").replace('}', ")");
    let mesh = "Mesh(radix: [3, 3])";
    let system = system(mesh, "DimensionOrder()", (&machine, [vcs, flits]), 0.1, 1);
    let mut draft = Draft::default();
    for &(born, source, destination, length) in messages {
        draft.add(born, [source, destination].map(NodeId), length);
    }
    let traffic = Traffic::scripted(draft.finish().unwrap(), MessageClasses::default());
    RouterEngine::new(&system.with_traffic(traffic), 1, 0)
}

/// The stages of the head of the message from a node in each cycle, with its router.
fn probe(engine: &mut RouterEngine, source: u32, cycles: u64) -> Vec<Option<(u32, HeadStage)>> {
    let mut seen = Vec::new();
    for _ in 0..cycles {
        engine.step();
        engine.audit().unwrap();
        let state = &engine.state;
        let row = state.live().find(|(_, worm)| worm.source == source && worm.head != NONE);
        seen.push(row.and_then(|(_, worm)| {
            let stage = state.stage_of(worm, engine.stages, engine.now)?;
            Some((state.router_of(worm), stage))
        }));
    }
    seen
}

/// Consecutive cycles of a head in a router and a stage.
fn spent(router: u32, stage: HeadStage, cycles: u32) -> impl Iterator<Item = (u32, HeadStage)> {
    iter::repeat_n((router, stage), cycles as usize)
}

/// The stages of a lone head in a router and on the channel behind, of one cycle.
fn alone(stages: Stages, router: u32) -> impl Iterator<Item = (u32, HeadStage)> {
    let guesses = stages.speculates();
    let allocation = if guesses { stages.allocation() } else { stages.switch };
    spent(router, HeadStage::Route, stages.route)
        .chain(spent(router, HeadStage::Vc, if guesses { 0 } else { stages.vc }))
        .chain(spent(router, HeadStage::Switch, allocation))
        .chain(spent(router, HeadStage::Traverse, stages.traverse))
        .chain(spent(router, HeadStage::Channel, 1))
}

#[test]
fn a_lone_head_is_in_every_stage_for_its_cycles() {
    for stages in pipelines() {
        let mut engine = harness(stages, "", [2, 8], &[(0, 3, 5, 1)]);
        let seen = probe(&mut engine, 3, 70);
        let expected = spent(3, HeadStage::Channel, 2)
            .chain([3, 4, 5].into_iter().flat_map(|router| alone(stages, router)));
        let seen: Vec<_> = seen.into_iter().flatten().collect();
        assert_eq!(seen, expected.collect::<Vec<_>>(), "{stages:?}");
    }
}

/// The cycles in which flits are sent from a router to another.
fn sends(engine: &mut RouterEngine, [from, to]: [u32; 2], cycles: u64) -> Vec<u64> {
    let ports = &engine.state.ports[..engine.state.links];
    let channel = ports.iter().position(|port| [port.from, port.to] == [from, to]).unwrap();
    let mut seen = Vec::new();
    for cycle in 0..cycles {
        let before = engine.state.ports[channel].crossed;
        engine.step();
        engine.audit().unwrap();
        if engine.state.ports[channel].crossed > before {
            seen.push(cycle);
        }
    }
    seen
}

/// The cycle in which a lone head that arrives in `cycle` gets the crossbar.
fn crossbar(stages: Stages, cycle: u64) -> u64 {
    let vc = if stages.speculates() { 0 } else { stages.vc };
    cycle + u64::from(stages.route + vc)
}

/// The cycle in which a flit arrives over a link of one cycle, with the crossbar allocated in
/// `cycle` to a head.
fn arrival(stages: Stages, cycle: u64) -> u64 {
    let allocation = if stages.speculates() { stages.allocation() } else { stages.switch };
    cycle + u64::from(allocation + stages.traverse) + 1
}

/// The cycles in which three flits get the crossbar, the head in `first`.
fn three(stages: Stages, first: u64) -> [u64; 3] {
    let second = first + if stages.speculates() { u64::from(stages.vc) } else { 1 };
    [first, second, second + 1]
}

#[test]
fn a_message_follows_another_through_a_vc_as_soon_as_the_vc_is_free() {
    for stages in pipelines() {
        for release in ["Sent", "Credit"] {
            let messages = [(0, 3, 5, 3), (0, 3, 5, 3)];
            let more = format!("release: {release}");
            let mut engine = harness(stages, &more, [1, 16], &messages);
            let first = three(stages, crossbar(stages, 2));
            // The credit of a tail returns in two cycles, to the node as to the router, and a head takes
            // two cycles from its node.
            let [front, free] = if release == "Sent" {
                [first[2] + 1; 2]
            } else {
                let next = three(stages, crossbar(stages, arrival(stages, first[0])));
                [first[2] + 4, next[2] + 2]
            };
            let request = free.max(front + u64::from(stages.route));
            let route = Stages { route: 0, ..stages };
            let second = three(stages, crossbar(route, request));
            assert_eq!(
                sends(&mut engine, [3, 4], 90),
                [first, second].concat(),
                "{stages:?} {release}"
            );
        }
    }
}

#[test]
fn a_slot_is_used_again_after_the_round_trip_of_its_credit() {
    for (at, stages) in pipelines().enumerate() {
        let (credit_delay, credit) = (at as u32 % 4, at as u32 % 3);
        let stages = Stages { credit, ..stages };
        let more = format!("credit_delay: {credit_delay}");
        let mut engine = harness(stages, &more, [1, 1], &[(0, 3, 5, 6)]);
        let seen = sends(&mut engine, [4, 5], 200);
        let gaps: Vec<u64> = seen.windows(2).map(|pair| pair[1] - pair[0]).collect();
        // The last flits are not delayed by the route and the VC of the head, but by the two cycles
        // from their node to the first buffer.
        let trip = u64::from(stages.round_trip(1, credit_delay));
        let last = trip.max(u64::from(3 + credit + credit_delay));
        assert_eq!((gaps.len(), gaps[4]), (5, last), "{stages:?} {credit_delay}: {gaps:?}");
        assert!(gaps.iter().all(|&gap| gap >= trip), "{stages:?} {credit_delay}: {gaps:?}");
    }
}

#[test]
fn of_two_heads_for_an_output_one_crosses_a_cycle_later() {
    for stages in pipelines() {
        let meet = arrival(stages, crossbar(stages, 2));
        let mut engine = harness(stages, "", [2, 8], &[(0, 3, 5, 1), (meet - 2, 4, 5, 1)]);
        let at = crossbar(stages, meet);
        assert_eq!(sends(&mut engine, [4, 5], 90), [at, at + 1], "{stages:?}");
        let waits = engine.common.deliveries.iter().map(|it| it.head_waits.unwrap());
        let waited: u32 = waits.map(|it| it.vc + it.crossbar + it.credit).sum();
        assert_eq!(waited, 1, "{stages:?}: {:?}", engine.common.deliveries);
    }
}

#[test]
fn a_held_output_serves_messages_one_after_the_other() {
    for stages in pipelines().filter(|it| it.vc < 2) {
        let meet = arrival(stages, crossbar(stages, 2));
        let messages = [(0, 3, 5, 4), (meet - 2, 4, 5, 4)];
        let tails = [false, true].map(|hold_for_packet| {
            let stages = Stages { hold_for_packet, ..stages };
            let forwarding = ["CutThrough", "Wormhole"][stages.switch as usize % 2];
            let more = format!("forwarding: {forwarding}");
            let mut engine = harness(stages, &more, [2, 8], &messages);
            let seen = sends(&mut engine, [4, 5], 90);
            assert_eq!((seen.len(), seen[7] - seen[0]), (8, 7), "{stages:?}: {seen:?}");
            let done: Vec<u64> = engine.common.deliveries.iter().map(|it| it.done.0).collect();
            done[1] - done[0]
        });
        assert_eq!(tails[1], 4, "{stages:?}");
        assert!(tails[0] < 4, "{stages:?}: {tails:?}");
    }
}

/// The cycle in which a flit departs that requests the crossbar in the internal cycle `at`.
fn departure(stages: Stages, at: u64) -> u64 {
    let allocation = if stages.speculates() { stages.allocation() } else { stages.switch };
    (at + u64::from(allocation + stages.traverse)).div_ceil(u64::from(stages.internal_speedup))
}

#[test]
fn a_faster_router_passes_its_stages_in_internal_cycles() {
    for (stages, internal_speedup) in pipelines().zip((2..=4).cycle()) {
        let stages = Stages { internal_speedup, ..stages };
        let mut engine = harness(stages, "", [2, 8], &[(0, 3, 5, 1)]);
        for _ in 0..90 {
            engine.step();
            engine.audit().unwrap();
        }
        let steps = u64::from(internal_speedup);
        // From the node to the first buffer, over two links, and to the node.
        let crossed = |arrival: u64| departure(stages, crossbar(stages, arrival * steps));
        let done = crossed(crossed(crossed(2) + 1) + 1) + 1;
        assert_eq!(engine.common.deliveries[0].done.0, done, "{stages:?}");
        assert_eq!(engine.machine.transfer(1, 4), done, "{stages:?}");
    }
}

#[test]
fn outputs_of_the_crossbar_take_a_flit_each_and_the_channel_sends_them_in_turn() {
    for (stages, output_speedup) in pipelines().zip((1..=4).cycle()) {
        let meet = arrival(stages, crossbar(stages, 2));
        // Messages from another router and from the node of this one, for the same output.
        let messages = [(0, 3, 5, 6), (meet - 2, 4, 5, 6)];
        let stages = Stages { output_speedup, ..stages };
        let mut engine = harness(stages, "", [2, 8], &messages);
        let ports = &engine.state.ports[..engine.state.ejections];
        let find = |from: u32, to: u32| {
            ports.iter().position(|port| [port.from, port.to] == [from, to]).unwrap()
        };
        let (inputs, output) = ([find(3, 4), find(4, 4)], find(4, 5));
        let [link, node] = inputs.map(|at| ports[at].input % output_speedup);
        let (mut most, mut consumed) = (0, 0);
        for _ in 0..90 {
            let before = engine.state.ports[output].crossed;
            engine.step();
            engine.audit().unwrap();
            most = most.max(engine.state.ports[output].crossed - before);
            let after = engine.common.counters.flits_consumed;
            assert!(after <= consumed + 1, "{stages:?}");
            consumed = after;
        }
        assert_eq!((most, consumed), (if link == node { 1 } else { 2 }, 12), "{stages:?}");
    }
}
