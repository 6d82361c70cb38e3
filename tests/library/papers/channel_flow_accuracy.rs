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
const CUBE: &str = "Hypercube(dimensions: 6)";
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

/// The rate at which the simulation saturates, to 3 %.
fn saturation(scenario: &Arc<Scenario>) -> f64 {
    let model = ChannelFlow::of(&scenario.system).prepare(&scenario.system).unwrap();
    let (mut low, mut high) = (0.2 * model.overflow(), 1.1 * model.overflow());
    while high / low > 1.03 {
        let rate = (low * high).sqrt();
        let found = run(scenario, rate, 40_000);
        let lost = found.accepted.unwrap() < 0.97 * found.offered;
        *if found.steadiness.is_saturated() || lost { &mut high } else { &mut low } = rate;
    }
    (low * high).sqrt()
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

/// All of it takes a minute and a half, so it is left to the long run.
#[test]
#[ignore = "long: .ci/long runs it"]
fn the_table_of_errors_in_the_guide_is_what_is_found() {
    let guide = include_str!("../../../src/guide/theory.md").lines();
    let mut rows = guide.skip_while(|line| !line.starts_with("| mesh 4x4 | uniform"));
    let hot = "Hotspot(nodes: [(3, 3)], percent: 4)";
    let bursts = "Bursts(rate: 0.001, burst: 8, peak: 4)";
    let systems: &[Fields] = &[
        ["Mesh(radix: [4, 4])", "Uniform", "1", "4", SIXTEEN, POISSON],
        [MESH, "Uniform", "1", "4", SIXTEEN, POISSON],
        [MESH, "Uniform", "1", "16", SIXTEEN, POISSON],
        [MESH, "Uniform", "1", "1", SIXTEEN, POISSON],
        [MESH, "Uniform", "2", "4", SIXTEEN, POISSON],
        [MESH, "Uniform", "4", "4", SIXTEEN, POISSON],
        [MESH, "Uniform", "4", "16", SIXTEEN, POISSON],
        [MESH, "Transpose", "1", "4", SIXTEEN, POISSON],
        [MESH, "Transpose", "2", "4", SIXTEEN, POISSON],
        [MESH, hot, "1", "4", SIXTEEN, POISSON],
        [MESH, hot, "4", "4", SIXTEEN, POISSON],
        ["Mesh(radix: [16, 16])", "Uniform", "1", "4", SIXTEEN, POISSON],
        ["Mesh(radix: [16, 16])", "Uniform", "4", "4", SIXTEEN, POISSON],
        ["Torus(radix: [4, 4])", "Uniform", "2", "4", SIXTEEN, POISSON],
        [TORUS, "Uniform", "2", "4", SIXTEEN, POISSON],
        [TORUS, "Uniform", "4", "4", SIXTEEN, POISSON],
        [TORUS, "Transpose", "2", "4", SIXTEEN, POISSON],
        ["Torus(radix: [16, 16])", "Uniform", "2", "4", SIXTEEN, POISSON],
        [CUBE, "Uniform", "1", "4", SIXTEEN, POISSON],
        [CUBE, "Uniform", "2", "4", SIXTEEN, POISSON],
        [CUBE, "Uniform", "4", "16", SIXTEEN, POISSON],
        [MESH, "Uniform", "1", "4", "Geometric(mean: 16)", POISSON],
        [MESH, "Uniform", "2", "4", "Geometric(mean: 16)", POISSON],
        [MESH, "Uniform", "1", "4", "Uniform(min: 4, max: 28)", POISSON],
        [MESH, "Uniform", "1", "4", SIXTEEN, bursts],
        [MESH, "Uniform", "2", "4", SIXTEEN, bursts],
    ];
    for &fields in systems {
        let scenario = Arc::new(scenario(fields));
        let saturates = saturation(&scenario);
        let predicted = ChannelFlow::of(&scenario.system).saturation_rate(&scenario.system);
        let errors = [0.25, 0.5, 0.75].map(|load| {
            let found = error(&scenario, load * saturates, 100_000);
            found.map_or("–".into(), |error| format!("{:+.1}", 100.0 * error))
        });
        let ratio = predicted.unwrap().0 / saturates;
        let [_, _, vcs, buffer, ..] = fields;
        let row = format!("| {vcs} | {buffer} | {ratio:.2} | {} |", errors.join(" | "));
        let told = rows.next().unwrap_or_default();
        assert!(
            told.ends_with(&row.replace('-', "−")),
            "{fields:?}: {row}, but the guide says {told}"
        );
    }
}
