//! Tests of `waits`.

use super::*;
use crate::scenario::parse;

/// Runs a network far beyond saturation, with most messages waiting at their sources.
#[test]
fn messages_at_their_sources_are_not_looked_at() {
    let text = "Scenario(
        network: Torus(radix: [4, 4]),
        switching: Wormhole(preset: Hops1993, virtual_channels: 2, channel_delay: 9),
        routing: NorthLast(classes: TwoNetwork),
        traffic: (arrivals: Geometric(rate: 0.1), destinations: Uniform, lengths: Fixed(4)),
    )";
    let system = parse("test", text, &[]).unwrap().system;
    let mut engine = WormholeEngine::new(&system, 1, 0);
    let mut met = 0;
    for cycles in 1..60 {
        engine.run_until(100 * cycles);
        let sorted = |mut waits: Vec<Wait>| {
            waits.sort_by_key(|wait| wait.worm.0);
            waits
        };
        let (rows, waits) = (0..engine.state.worms.len() as u32, engine.waits());
        let all = sorted(rows.filter_map(|worm| waits.in_a_buffer(worm)).collect());
        let wait = |worm| waits.in_a_buffer(worm);
        assert_eq!(sorted(engine.in_network().filter_map(wait).collect()), all);
        met += all.len();
    }
    assert!(met > 0, "heads wait in buffers");
    let (rows, looked) = (engine.state.worms.len(), engine.in_network().count());
    assert!(rows > 4_000 && looked < 300, "{looked} of {rows} rows");
}
