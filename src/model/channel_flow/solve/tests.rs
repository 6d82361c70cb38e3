//! Tests of lags and lost turns, and of the latencies at zero load.

use super::*;
use crate::ids::RouterId;
use crate::scenario::parse;

/// Checks each stream over a link of a network with fixed routes.
fn streams(network: &str, vcs: u32, check: impl Fn(bool, f64, &Crossing)) {
    let rate = 0.012;
    let text = format!(
        "Scenario(network: {network}, switching: Wormhole(virtual_channels: {vcs}), \
         routing: DimensionOrder(), traffic: (arrivals: Poisson(rate: {rate}), \
         destinations: Uniform, lengths: Fixed(16)))"
    );
    let system = parse("test", &text, &[]).unwrap().system;
    let sources = ChannelFlow::of(&system).prepare_sources(&system).unwrap();
    let Sources { model, ref machine, ref flows, ref inputs, ref arrivals, .. } = sources;
    let state = Sweep { model, machine, flows, inputs, arrivals, rate }.solve().unwrap();
    let links = (0..flows.servers.len()).filter(|&output| flows.is_link(output));
    let places: Vec<usize> = links.flat_map(|output| inputs.places(output)).collect();
    assert!(!places.is_empty(), "{network}");
    for place in places {
        let input = inputs.all[place];
        check(input.from_source, rate * 16.0 * input.share, &state.crossings[place]);
    }
}

#[test]
fn messages_that_have_shared_a_channel_lag_and_share_the_next_for_less() {
    streams("Mesh(radix: [6, 6])", 4, |from_source, _, it| {
        assert_eq!(it.lag > 0.0, !from_source, "{it:?}");
        assert_eq!(it.sharing < it.alone, !from_source && it.alone > 0.0, "{it:?}");
        assert!(it.sharing <= it.alone && (it.sharing > 0.0 || it.alone <= 0.0), "{it:?}");
    });
    streams("Mesh(radix: [6, 6])", 1, |_, _, it| assert_eq!((it.lag, it.sharing), (0.0, 0.0)));
}

#[test]
fn turns_are_lost_where_a_source_sends_elsewhere_too() {
    streams("Torus(radix: [6, 6])", 4, |from_source, flits, it| {
        assert_eq!(it.turns > flits * (1.0 + 1e-9), from_source, "{it:?}");
    });
    // Messages to a single channel.
    streams("Mesh(radix: [2])", 4, |_, flits, it| assert!((it.turns - flits).abs() < 1e-12));
}

/// Route lengths derived from steps alone would have four times the true variance in this torus.
#[test]
fn without_load_latencies_are_spread_as_distances_are() {
    for routing in ["DimensionOrder()", "DimensionOrder(classes: Destination)"] {
        let text = format!(
            "Scenario(network: Torus(radix: [10, 10]), switching: Wormhole(virtual_channels: 4), \
             routing: {routing}, traffic: (arrivals: Poisson(rate: 0.000001), \
             destinations: Uniform, lengths: Fixed(8)))"
        );
        let system = parse("test", &text, &[]).unwrap().system;
        let network = &system.network;
        let routers = (1..network.routers()).map(RouterId::new);
        let mut distances: Vec<u32> = routers.map(|it| network.distance(RouterId(0), it)).collect();
        distances.sort_unstable();
        let sources = ChannelFlow::of(&system).prepare_sources(&system).unwrap();
        let spread = sources.solve(0.000_001).unwrap().spread.unwrap();
        for percent in [50, 75, 90, 95, 99] {
            let latency = 7.0 + f64::from(distances[distances.len() * percent / 100]);
            let found = spread.quantile(percent as f64 / 100.0);
            assert!((found - latency).abs() < 1.5, "{routing}: {found} for {latency}");
        }
    }
}
