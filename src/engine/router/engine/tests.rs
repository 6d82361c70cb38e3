//! Tests of the router: lone messages by formula, published latencies, laws and deadlocks.

mod allocators;
mod bubble;
mod precedence;
mod stages;

use super::super::records::{NONE, Stage};
use super::*;
use crate::engine::{Delivery, Snapshot};
use crate::scenario::parse;
use crate::units::Cycle;

/// The stages by default, with one cycle for the route.
const STAGES: &str = "pipeline: Stages(route: 1)";

fn system(
    network: &str,
    routing: &str,
    (machine, buffers): (&str, [u32; 2]),
    load: f64,
    length: u32,
) -> System {
    let [vcs, flits] = buffers;
    let text = format!(
        "Scenario(network: {network}, routing: {routing}, switching: Wormhole(virtual_channels: {vcs}, \
         buffer_flits: {flits}, {machine}), traffic: (arrivals: Geometric(load: {load}), destinations: Uniform, to_itself: true, \
         lengths: Fixed({length})))"
    );
    parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system
}

/// The mean latency and the accepted load of a run, after a warm-up.
fn measured(system: &System, cycles: u64) -> [f64; 2] {
    let mut engine = RouterEngine::new(system, 1, 0);
    engine.run_until(cycles / 5);
    let before = engine.common.counters.flits_consumed;
    engine.common.deliveries.clear();
    engine.run_until(cycles);
    let flits = engine.common.counters.flits_consumed - before;
    let all = &engine.common.deliveries;
    let sum: u64 = all.iter().map(Delivery::latency).sum();
    let node_cycles = system.network.nodes() as f64 * (cycles - cycles / 5) as f64;
    [sum as f64 / all.len() as f64, flits as f64 / node_cycles]
}

#[test]
fn a_lone_message_takes_as_long_as_its_stages() {
    for (route, vc, switch, traverse) in
        [(0, 1, 1, 1), (1, 1, 1, 1), (2, 1, 3, 1), (3, 2, 1, 2), (0, 3, 2, 3)]
    {
        let stages = Stages { vc, switch, traverse, ..Stages::after(route) };
        let machine = format!("pipeline: {stages:?}").replace('{', "(").replace('}', ")");
        let system =
            system("Mesh(radix: [4, 4])", "DimensionOrder()", (&machine, [2, 16]), 0.0005, 5);
        let mut engine = RouterEngine::new(&system, 7, 0);
        engine.run_until(20_000);
        let router = u64::from(route + vc + switch + traverse);
        let mut exact = 0;
        for it in &engine.common.deliveries {
            let links = u64::from(it.hops) - 2;
            let cycles = 2 + (links + 1) * router + links + 1 + u64::from(it.length) - 1;
            assert!(it.latency() >= cycles, "{stages:?}: {it:?}, not {cycles} cycles");
            exact += usize::from(it.latency() == cycles);
        }
        assert!(exact > engine.common.deliveries.len() * 9 / 10, "{stages:?}: {exact}");
    }
}

#[test]
fn latencies_and_throughput_are_those_of_booksim2() {
    let mesh = "Mesh(radix: [8, 8])";
    let lookahead = "pipeline: Stages()";
    for (buffers, length, machine, load, latency, accepted) in [
        ([1, 8], 1, STAGES, 0.103_906, 39.294, 0.104),
        ([1, 8], 4, STAGES, 0.158_594, 43.783, 0.158_9),
        ([2, 8], 4, STAGES, 0.246_094, 42.912, 0.247_3),
        ([2, 8], 4, lookahead, 0.267_969, 36.987, 0.269_1),
    ] {
        let system = system(mesh, "DimensionOrder()", (machine, buffers), load, length);
        let found = measured(&system, 15_000);
        assert!((found[0] / latency - 1.0).abs() < 0.02, "{found:?}, not {latency}");
        assert!((found[1] / accepted - 1.0).abs() < 0.03, "{found:?}, not {accepted}");
    }
    for (buffers, length, load, accepted) in
        [([1, 8], 1, 0.2375, 0.1418), ([1, 8], 4, 0.3625, 0.2262), ([2, 8], 4, 0.5625, 0.3608)]
    {
        let system = system(mesh, "DimensionOrder()", (STAGES, buffers), load, length);
        let found = measured(&system, 10_000);
        assert!((found[1] / accepted - 1.0).abs() < 0.03, "{found:?}, not {accepted}");
    }
}

#[test]
fn every_law_holds_in_every_cycle_however_the_run_is_cut() {
    for (network, routing, buffers, load, length) in [
        ("Mesh(radix: [3, 3])", "DimensionOrder()", [1, 2], 0.4, 3),
        ("Torus(radix: [4, 4])", "DimensionOrder()", [2, 3], 0.6, 4),
        ("Torus(radix: [4, 4])", "MinimalAdaptive(escape: Destination)", [3, 4], 0.5, 5),
        ("Mesh(radix: [4, 2])", "NegativeHop()", [4, 1], 0.3, 2),
        // Flits and credits are under way for longer than a wheel has buckets.
        ("Mesh(radix: [3, 3], delays: [1, 150])", "DimensionOrder()", [2, 9], 0.3, 4),
    ] {
        let release = ["Sent", "Drained", "Credit"][length as usize % 3];
        let allocators = ["Islip(iterations: 1)", "Separable", "Wavefront", "Islip(iterations: 3)"];
        let allocator = allocators[buffers[1] as usize % 4];
        let machine = format!(
            "pipeline: Stages(route: {}, allocator: {allocator}), release: {release}, credit_delay: {}",
            length % 2,
            length % 3
        );
        let system = system(network, routing, (&machine, buffers), load, length);
        let mut stepped = RouterEngine::new(&system, 3, 0);
        let mut copy = stepped.clone();
        for cycle in 1..800 {
            stepped.advance(Cycle(cycle));
            stepped.audit().unwrap_or_else(|violation| panic!("{network} {routing}: {violation}"));
            // The order of lists has no effect.
            let State { sending, waiting, bidding, .. } = &mut stepped.state;
            for list in [sending, waiting, bidding] {
                list.reverse();
            }
            if cycle == 300 {
                copy.clone_from(&stepped);
            }
        }
        copy.advance(stepped.now());
        let mut straight = RouterEngine::new(&system, 3, 0);
        straight.advance(stepped.now());
        assert_eq!(straight.fingerprint(), stepped.fingerprint());
        assert_eq!(copy.fingerprint(), stepped.fingerprint());
        let mut seen = Snapshot::default();
        stepped.observe(&mut seen);
        let flits: u64 = seen.vcs.iter().map(|vc| u64::from(vc.flits)).sum();
        let counters = stepped.counters();
        assert_eq!(flits, counters.flits_injected - counters.flits_consumed);
        assert!(stepped.deadlock().is_none() && counters.delivered > 50, "{network}: {counters:?}");
    }
}

#[test]
fn replies_follow_their_requests() {
    let text = "Scenario(network: Mesh(radix: [3, 3]), routing: DimensionOrder(), \
         switching: Wormhole(virtual_channels: 2, pipeline: Stages(route: 1), \
         message_classes: Split([1, 1])), \
         traffic: (arrivals: Poisson(load: 0.3), destinations: Uniform, lengths: Fixed(1), \
         message_classes: [(name: \"request\"), (name: \"reply\", to: \"request\", after: 3, \
         lengths: Fixed(4))]))";
    let system = parse("test", text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system;
    let mut engine = RouterEngine::new(&system, 5, 0);
    for cycle in 1..3000 {
        engine.advance(Cycle(cycle));
        engine.audit().unwrap();
    }
    let replies = engine.common.deliveries.iter().filter(|it| it.message_class == 1);
    let trips: Vec<u64> = replies.map(Delivery::round_trip).collect();
    // A request and a reply of neighbours, at 4 cycles for each of two routers.
    assert!(trips.len() > 100 && trips.iter().all(|&cycles| cycles >= 11 + 3 + 14), "{trips:?}");
}

#[test]
fn replies_leave_before_requests_under_their_rule_only() {
    let starts = |rule: &str| {
        let text = format!(
            "Scenario(network: Mesh(radix: [4, 4]), routing: DimensionOrder(), \
             switching: Wormhole(virtual_channels: 2, buffer_flits: 8, pipeline: Stages(route: 1), \
             message_classes: Split([1, 1]), injection: {rule}), traffic: (arrivals: Geometric(load: 0.9), \
             destinations: Uniform, message_classes: [(name: \"request\", lengths: Fixed(4)), \
             (name: \"reply\", to: \"request\", after: 3, lengths: Fixed(4))]))"
        );
        let system = parse("test", &text, &[]).unwrap().system;
        let mut engine = RouterEngine::new(&system, 1, 0);
        let mut fed = vec![NONE; system.network.nodes()];
        let (mut before, mut after) = (0, 0);
        for cycle in 1..3_000 {
            engine.run_until(cycle);
            let state = &engine.state;
            for (fed, node) in fed.iter_mut().zip(&state.nodes) {
                let is_start = node.feeds != NONE && *fed != node.feeds;
                *fed = node.feeds;
                if !is_start {
                    continue;
                }
                let class = |worm: u32| state.worms[worm as usize].header.message_class;
                let waiting = node.queues.iter().flat_map(|queue| {
                    let named = |worm: u32| (worm != NONE).then_some(worm);
                    let next = move |&it: &u32| named(state.worms[it as usize].next);
                    std::iter::successors(named(queue.first), next)
                });
                let (mut replies, mut others) = (false, false);
                for worm in waiting {
                    *(if class(worm) == 1 { &mut replies } else { &mut others }) = true;
                }
                match class(state.holds[node.feeds as usize].worm) {
                    0 if replies => before += 1,
                    1 if others => after += 1,
                    _ => {}
                }
            }
        }
        engine.audit().unwrap();
        [before, after]
    };
    let [before, after] = starts("RepliesFirst");
    assert!(before == 0 && after > 100, "{before} requests before replies, {after} replies");
    let [before, _] = starts("OneMessage");
    assert!(before > 100, "{before} requests before replies");
}

#[test]
fn damage_is_found() {
    let system = system("Torus(radix: [4, 4])", "DimensionOrder()", (STAGES, [2, 3]), 0.6, 4);
    let mut engine = RouterEngine::new(&system, 3, 0);
    engine.advance(Cycle(500));
    engine.audit().unwrap();
    let state = &engine.state;
    let held = state.buffers.iter().position(|it| it.owner != NONE).unwrap();
    let filled =
        state.holds.iter().position(|it| it.inside > 0 && it.left > 0 && it.up != NONE).unwrap();
    let channel = held >> state.shift;
    let bidding = state.bidding[0] as usize;
    let node = state.nodes.iter().position(|it| it.first() != NONE).unwrap();
    let damages: &[&dyn Fn(&mut State)] = &[
        &|it| it.ports[channel].free |= 1 << (held & ((1 << it.shift) - 1)),
        &|it| it.ports[channel].crossed += 1,
        &|it| it.ports[bidding].listed = false,
        &|it| it.ports[bidding].bids ^= 1,
        &|it| it.buffers[held].credits += 1,
        &|it| it.buffers[held].owner = NONE,
        &|it| it.buffers[held].stage = Stage::Waiting,
        &|it| it.holds[filled].inside -= 1,
        &|it| it.holds[filled].left -= 1,
        &|it| it.holds[filled].flying += 1,
        &|it| it.holds[filled].up = NONE,
        &|it| it.nodes[node].queues[1].first = NONE,
        &|it| it.nodes[node].listed = false,
        &|it| it.waiting.clear(),
        &|it| it.bidding.clear(),
    ];
    for (number, damage) in damages.iter().enumerate() {
        let mut damaged = engine.clone();
        damage(&mut damaged.state);
        assert!(damaged.audit().is_err(), "damage {number}");
    }
}

#[test]
fn rings_without_classes_deadlock_and_others_do_not() {
    let ring = |classes, vcs| {
        let routing = format!("DimensionOrder(classes: {classes})");
        system("Torus(radix: [4], links: Unidirectional)", &routing, (STAGES, [vcs, 2]), 0.9, 8)
    };
    for (classes, vcs, deadlocks) in [("None", 1, true), ("Dateline", 2, false)] {
        let mut engine = RouterEngine::new(&ring(classes, vcs), 1, 0);
        engine.advance(Cycle(20_000));
        engine.audit().unwrap();
        assert_eq!(engine.deadlock().is_some(), deadlocks, "{classes}");
        let Some(found) = engine.deadlock() else { continue };
        assert!(found.sets[0].worms.len() >= 2 && found.closed() < engine.now());
        let delivered = engine.counters().delivered;
        engine.common.deadlock = None;
        engine.machine.on_deadlock = OnDeadlock::Continue;
        engine.advance(Cycle(30_000));
        assert!(engine.counters().delivered == delivered, "a deadlocked ring delivers");
    }
}
