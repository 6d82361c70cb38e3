//! Channel flow against the program's own simulation.

use std::sync::Arc;

use flitscope::model::Model;
use flitscope::model::channel_flow::ChannelFlow;
use flitscope::scenario::{Scenario, parse};
use flitscope::session::Session;
use flitscope::stats::{Summary, WarmUp};
use flitscope::units::{Cycle, Rate};

/// A network, destinations, VCs, flits per buffer, lengths and arrivals.
type Fields = [&'static str; 6];

const POISSON: &str = "Poisson(rate: 0.001)";
const MESH: &str = "Mesh(radix: [8, 8])";
const TORUS: &str = "Torus(radix: [8, 8])";
const SIXTEEN: &str = "Fixed(16)";

fn scenario([network, destinations, vcs, buffer, lengths, arrivals]: Fields) -> Scenario {
    let text = format!(
        "Scenario(
            network: {network},
            switching: Wormhole(virtual_channels: {vcs}, buffer_flits: {buffer}),
            routing: DimensionOrder(classes: Destination),
            traffic: (arrivals: {arrivals}, destinations: {destinations}, lengths: {lengths}),
        )"
    );
    parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{text} {problems:?}"))
}

fn run(scenario: &Arc<Scenario>, rate: f64, cycles: u64) -> Summary {
    let mut session = Session::new(Arc::clone(scenario), 1, 0, WarmUp::Cycles(cycles / 6));
    session.set_rate(Rate(rate));
    session.advance(Cycle(cycles));
    session.summary()
}

/// Model over simulation, less 1, at `rate`.
fn error(scenario: &Arc<Scenario>, rate: f64, cycles: u64) -> Option<f64> {
    let predicted = ChannelFlow::of(&scenario.system).predict(&scenario.system, Rate(rate)).ok()?;
    Some(predicted.latency_mean / run(scenario, rate, cycles).latency.unwrap().mean - 1.0)
}

/// The rates are 25, 50 and 75 % of those at which the simulation saturates.
#[test]
fn errors_stay_within_what_the_guide_says() {
    let cases: [(Fields, f64, [f64; 3]); 3] = [
        ([MESH, "Uniform", "1", "4", SIXTEEN, POISSON], 0.01627, [0.02, 0.03, 0.12]),
        ([MESH, "Uniform", "4", "4", SIXTEEN, POISSON], 0.02627, [0.02, 0.04, 0.08]),
        ([TORUS, "Uniform", "2", "4", SIXTEEN, POISSON], 0.02182, [0.02, 0.05, 0.13]),
    ];
    for (fields, saturation, within) in cases {
        let scenario = Arc::new(scenario(fields));
        let predicted = ChannelFlow::default().saturation_rate(&scenario.system).unwrap().0;
        assert!((0.8..1.1).contains(&(predicted / saturation)), "{fields:?}: {predicted}");
        for (load, within) in [0.25, 0.5, 0.75].into_iter().zip(within) {
            let found = error(&scenario, load * saturation, 60_000).unwrap();
            assert!(found.abs() < within, "{fields:?} at {load}: {found}");
        }
    }
}

/// Streams that are larger from merge to merge, up to four fifths of what the simulation carries.
#[test]
fn the_way_to_a_hotspot_is_predicted_near_saturation() {
    let text = format!(
        "Scenario(
            network: Mesh(radix: [12, 12]),
            switching: Wormhole(virtual_channels: 1, buffer_flits: 64),
            routing: DimensionOrder(classes: Destination),
            traffic: (arrivals: {POISSON}, destinations: Hotspot(nodes: [72], percent: 8), lengths: {SIXTEEN}),
        )"
    );
    let scenario = parse("test", &text, &[]);
    let scenario = Arc::new(scenario.unwrap_or_else(|problems| panic!("{text} {problems:?}")));
    let found = error(&scenario, 0.0055, 100_000).unwrap();
    assert!(found.abs() < 0.1, "{found}");
}
