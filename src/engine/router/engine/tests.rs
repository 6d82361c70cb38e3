//! Latencies of the router: by formula for lone messages, and beside published simulations.

use super::*;
use crate::scenario::parse;

const STAGES: Stages = Stages { route: 1, vc: 1, switch: 1, traverse: 1, credit: 0 };

fn system(network: &str, routing: &str, vcs: u32, flits: u32, load: f64, length: u32) -> System {
    let text = format!(
        "Scenario(network: {network}, routing: {routing}, switching: Wormhole(virtual_channels: {vcs}, \
         buffer_flits: {flits}, terminals: Channels, ejection: Shared, injection: OneMessage), \
         traffic: (arrivals: Geometric(load: {load}), destinations: Uniform, to_itself: true, lengths: Fixed({length})))"
    );
    parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system
}

/// The mean latency and the accepted load of a run, after a warm-up.
fn measured(system: &System, stages: Stages, cycles: u64) -> (f64, f64) {
    let mut engine = RouterEngine::new(system, stages, 1, 0);
    engine.run_until(cycles / 5);
    let before = engine.common.counters.flits_consumed;
    engine.common.deliveries.clear();
    engine.run_until(cycles);
    let flits = engine.common.counters.flits_consumed - before;
    let all = &engine.common.deliveries;
    let sum: u64 = all.iter().map(|it| it.latency()).sum();
    let nodes = system.network.nodes() as f64;
    (sum as f64 / all.len() as f64, flits as f64 / nodes / (cycles - cycles / 5) as f64)
}

#[test]
fn published() {
    let rd0 = Stages { route: 0, ..STAGES };
    let cd2 = Stages { credit: 2, ..STAGES };
    let rd2 = Stages { route: 2, ..STAGES };
    for (name, vcs, flits, length, stages, k, rows) in [
        ("1vc-L1", 1, 8, 1, STAGES, 8, &[(0.005, 33.0732), (0.044531, 34.5362), (0.074219, 36.0385), (0.103906, 39.2944), (0.133594, 52.2), (0.2375, 0.141785)][..]),
        ("1vc-L4", 1, 8, 4, STAGES, 8, &[(0.005, 36.41), (0.067969, 37.9382), (0.113281, 40.178), (0.158594, 43.783), (0.203906, 56.5), (0.3625, 0.226239)]),
        ("2vc", 2, 8, 4, STAGES, 8, &[(0.005, 36.36), (0.105469, 37.7254), (0.175781, 39.4967), (0.246094, 42.9116), (0.316406, 51.2), (0.5625, 0.360767)]),
        ("2vc-rd0", 2, 8, 4, rd0, 8, &[(0.005, 30.09), (0.114844, 31.7659), (0.191406, 33.5353), (0.267969, 36.9872), (0.344531, 46.7), (0.6125, 0.381671)]),
        ("8vc-L20", 8, 8, 20, STAGES, 8, &[(0.005, 51.82), (0.100781, 61.68), (0.167969, 71.98), (0.235156, 88.47), (0.302344, 121.5), (0.5375, 0.387472)]),
        ("cd2", 2, 8, 4, cd2, 8, &[]),
        ("rd2", 2, 8, 4, rd2, 8, &[]),
    ] {
        for &(load, expected) in rows {
            let net = format!("Mesh(radix: [{k}, {k}])");
            let system = system(&net, "DimensionOrder()", vcs, flits, load, length);
            let (latency, accepted) = measured(&system, stages, 40_000);
            println!("{name} {load}: {latency:.2} {accepted:.4} expected {expected}");
        }
    }
}
