//! Tests of arbiters that serve old messages, or those of a class, before others.

use std::collections::BTreeMap;

use super::super::super::rules::Other;
use super::*;

fn system(allocation: &str, vcs: u32) -> System {
    let text = format!(
        "Scenario(network: Mesh(radix: [4, 4]), routing: DimensionOrder(), switching: Wormhole(\
         virtual_channels: {vcs}, buffer_flits: 8, pipeline: Stages(), allocation: {allocation}), traffic: (\
         arrivals: Geometric(load: 0.9), destinations: Uniform, lengths: Fixed(3), \
         message_classes: [(name: \"a\"), (name: \"b\"), (name: \"c\")]))"
    );
    parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system
}

/// The birth and the class of a message.
type Flit = (u64, u8);

fn front(engine: &RouterEngine, slot: u32) -> Flit {
    let state = &engine.state;
    let worm = state.holds[state.buffers[slot as usize].front as usize].worm;
    flit(engine, worm)
}

fn flit(engine: &RouterEngine, worm: u32) -> Flit {
    let worm = &engine.state.worms[worm as usize];
    (worm.born, worm.header.message_class)
}

/// The heads that compete for each free VC, with a single VC per channel.
fn competing_heads(engine: &RouterEngine) -> BTreeMap<u32, Vec<Flit>> {
    let state = &engine.state;
    let (mut competing, mut candidates) = (BTreeMap::<u32, Vec<Flit>>::new(), Vec::new());
    let is_ready = |slot: &&u32| state.buffers[**slot as usize].ready <= engine.internal;
    for &slot in state.waiting.iter().filter(is_ready) {
        engine.candidates_of(slot, &mut candidates);
        let wanted = state.slot(candidates[0].channel.index(), 0);
        if state.is_free(wanted) {
            competing.entry(wanted).or_default().push(front(engine, slot));
        }
    }
    competing
}

/// The flits that compete for each channel, if none competes for two channels.
fn competing_flits(engine: &RouterEngine) -> BTreeMap<u32, Vec<Flit>> {
    let state = &engine.state;
    let mut competing = BTreeMap::<u32, Vec<Flit>>::new();
    let mut unclear = Vec::new();
    for (channel, port) in state.ports.iter().enumerate() {
        for v in (0..state.vcs).filter(|v| port.bids >> v & 1 == 1) {
            let slot = state.slot(channel, v);
            let buffer = &state.buffers[slot as usize];
            let wanted = buffer.out >> state.shift;
            if !port.bids.is_power_of_two() {
                unclear.push(wanted);
            } else if buffer.ready <= engine.internal {
                competing.entry(wanted).or_default().push(front(engine, slot));
            }
        }
    }
    competing.retain(|channel, _| !unclear.contains(channel));
    competing
}

/// Conflicts over VCs and over channels, and of each those won by a message of other than the least
/// `rank`.
fn conflicts(allocation: &str, rank: fn(Flit) -> u64) -> [[u32; 2]; 2] {
    let mut conflicts = [[0; 2]; 2];
    for (vcs, conflicts) in [1, 2].into_iter().zip(&mut conflicts) {
        let mut engine = RouterEngine::new(&system(allocation, vcs), 1, 0);
        let mut count = |flits: Vec<Flit>, winner: Flit| {
            let least = flits.iter().copied().map(rank).min().unwrap();
            conflicts[0] += u32::from(flits.len() > 1);
            conflicts[1] += u32::from(rank(winner) != least);
        };
        for _ in 0..2_000 {
            engine.arrive::<Other>();
            engine.generate();
            engine.inject();
            let heads = if vcs == 1 { competing_heads(&engine) } else { BTreeMap::new() };
            engine.allocate_vcs::<Other>();
            for (slot, flits) in heads {
                let owner = engine.state.buffers[slot as usize].owner;
                count(flits, flit(&engine, engine.state.holds[owner as usize].worm));
            }
            let flits = if vcs == 2 { competing_flits(&engine) } else { BTreeMap::new() };
            engine.cross::<Other>();
            for (channel, flits) in flits {
                count(flits, flit(&engine, engine.state.ports[channel as usize].served));
            }
            engine.now += 1;
            engine.internal += 1;
        }
    }
    conflicts
}

#[test]
fn arbiters_serve_the_oldest_message_or_the_highest_class() {
    let by_age = |(born, _): Flit| born;
    let by_class = |(_, class): Flit| [5, 9, 0][usize::from(class)];
    for (allocation, rank) in
        [("OldestFirst", by_age as fn(Flit) -> u64), ("Classes([4, 0, 9])", by_class)]
    {
        for [all, others] in conflicts(allocation, rank) {
            assert!(all > 500 && others == 0, "{allocation}: {others} of {all}");
        }
        for [all, others] in conflicts("RoundRobin", rank) {
            assert!(others > all / 10, "{others} of {all}");
        }
    }
}

#[test]
fn a_class_that_goes_first_waits_least() {
    let latencies = |allocation: &str| {
        let mut engine = RouterEngine::new(&system(allocation, 1), 1, 0);
        engine.run_until(20_000);
        [0, 1, 2].map(|class| {
            let all = engine.common.deliveries.iter().filter(|it| it.message_class == class);
            let waits: Vec<u64> = all.map(|it| it.done.0 - it.entered.0).collect();
            waits.iter().sum::<u64>() as f64 / waits.len() as f64
        })
    };
    let [a, b, c] = latencies("Classes([4, 0, 9])");
    assert!(c < 0.97 * a && a < 0.95 * b, "{a} {b} {c}");
    let [a, b, c] = latencies("RoundRobin");
    assert!((a / b - 1.0).abs() < 0.05 && (b / c - 1.0).abs() < 0.05, "{a} {b} {c}");
}
