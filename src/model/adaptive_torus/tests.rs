//! Tests of the model's coverage, violated assumptions, and readings.

use super::*;
use crate::ids::NodeId;
use crate::model::{models_for, models_without_equations};
use crate::routing::Classes;
use crate::switching::Release;
use crate::topology::cube::{Cube, Family};
use crate::traffic::destinations::Locality;
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::Rate;
use std::sync::Arc;

const ADAPTIVE: Routing = Routing::minimal_adaptive(Escape::Destination);

fn system(family: Family, radix: &[u32], routing: Routing) -> System {
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.001), Destinations::Uniform, Lengths::Fixed(12));
    let switching = Wormhole::new(4, 2);
    System::new(Arc::new(Cube::network(family, radix)), routing, switching, traffic)
}

const TORUS: Family = Family::Torus { unidirectional: false };

#[test]
fn another_machine_is_a_mismatch() {
    let mut system = system(TORUS, &[8, 8], ADAPTIVE);
    assert_eq!(AdaptiveTorus::default().mismatches(&system), []);
    system.switching =
        Wormhole { credit_delay: 0, release: Release::Sent, ..Wormhole::new(4, 2) }.into();
    let found = AdaptiveTorus::default().mismatches(&system);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].found, "credit_delay: 0, release: Sent");
    // Buffers are not rules, but affect the pace of messages.
    system.switching = Wormhole::new(4, 1).into();
    let found = AdaptiveTorus::default().mismatches(&system);
    assert_eq!(found.len(), 1);
    assert!(found[0].found.starts_with("buffers of 1 flit"), "{}", found[0].found);
}

#[test]
fn the_readings_are_offered_calibrated_first() {
    let readings: Vec<&str> = models_for(&system(TORUS, &[8, 8], ADAPTIVE))
        .iter()
        .filter(|model| model.name().starts_with("adaptive torus"))
        .map(|model| model.reading())
        .collect();
    assert_eq!(readings, ["calibrated", "corrected", "printed", "exponential-hold"]);
    assert_eq!(Reading::default(), Reading::Calibrated);
}

#[test]
fn other_networks_are_not_covered_and_say_so() {
    let cases: [(Family, &[u32], &str); 4] = [
        (TORUS, &[4, 4, 4], "4x4x4 torus"),
        (TORUS, &[8], "8 torus"),
        (Family::Mesh, &[8, 8], "8x8 mesh"),
        (Family::Torus { unidirectional: true }, &[8, 8], "8x8 one-way torus"),
    ];
    for (family, radix, name) in cases {
        let system = system(family, radix, ADAPTIVE);
        let model = AdaptiveTorus(Reading::Calibrated);
        match model.predict(&system, Rate(0.001)) {
            Err(Unsolved::NotCovered(why)) => assert!(why.ends_with(name), "{why}"),
            other => panic!("{name}: {other:?}"),
        }
        assert_eq!(model.saturation_rate(&system), None);
        assert_eq!(model.mismatches(&system), []);
        assert!(models_for(&system).iter().all(|other| other.name() != model.name()));
        let shown = models_without_equations(&system);
        let count = shown.iter().filter(|other| other.name() == model.name()).count();
        assert_eq!(count, usize::from(family == TORUS), "{name}");
    }
}

#[test]
fn broken_assumptions_are_told_and_leave_the_prediction_alone() {
    let model = AdaptiveTorus(Reading::Calibrated);
    let fitting = system(TORUS, &[8, 8], ADAPTIVE);
    assert_eq!(model.mismatches(&fitting), []);
    let dateline = Routing::minimal_adaptive(Escape::Dateline);
    assert_eq!(model.mismatches(&system(TORUS, &[8, 8], dateline)), []);
    let free = Routing::minimal_adaptive(Escape::None);
    assert_eq!(model.mismatches(&system(TORUS, &[8, 8], free)).len(), 1);

    let order = Routing::dimension_order(Classes::Destination);
    let mut broken = system(TORUS, &[8, 8], order);
    broken.traffic.destinations =
        Destinations::Hotspot { nodes: vec![NodeId(3), NodeId(9)], percent: 4.0 };
    broken.traffic.process = Process::Geometric;
    broken.traffic.lengths = Lengths::Geometric { mean: 12.0 };
    let found: Vec<String> = model.mismatches(&broken).into_iter().map(|m| m.found).collect();
    assert_eq!(
        found,
        [
            "e-cube, destination classes",
            "4 % of the messages go to 2 hot nodes",
            "at most 1 message per node and cycle (geometric gaps)",
            "geometric lengths with a mean of 12 flits",
        ]
    );
    assert_eq!(
        model.predict(&broken, Rate(0.005)),
        model.predict(&fitting, Rate(0.005)),
        "only radix, rate and mean length count"
    );
}

/// Compared with simulations of 60 000 messages.
#[test]
fn destinations_by_distance_have_the_path_length_of_their_pattern() {
    let decreasing = |ratio| Locality::Decreasing { ratio };
    let cases = [
        (8, decreasing(0.5), 0.01, 14.87),
        (8, Locality::Sphere { radius: 1, percent: 100.0 }, 0.02, 14.31),
        (12, decreasing(0.8), 0.01, 19.60),
    ];
    let model = AdaptiveTorus::default();
    for (radix, pattern, rate, simulated) in cases {
        let mut system = system(TORUS, &[radix, radix], ADAPTIVE);
        let uniform = model.predict(&system, Rate(0.0)).unwrap();
        system.traffic.destinations = Destinations::Local(pattern);
        assert_eq!(model.mismatches(&system), []);
        let found = model.predict(&system, Rate(rate)).unwrap();
        let off = found.latency_mean / simulated - 1.0;
        assert!(off.abs() < 0.1, "{pattern:?}: {} for {simulated}", found.latency_mean);
        assert!(found.hops_mean < uniform.hops_mean, "{pattern:?}");
    }
}

/// Compared with simulations of 100 000 messages at a low, a medium and a high rate of the paper's figures.
#[test]
fn other_sizes_are_as_near_to_simulation_as_the_papers() {
    let simulated = [
        ([6, 6], [14.39, 14.69, 15.63]),
        ([5, 5], [13.72, 13.95, 14.69]),
        ([8, 4], [14.39, 14.70, 15.64]),
        ([12, 6], [16.06, 16.56, 18.07]),
    ];
    for (sides, latencies) in simulated {
        let system = system(TORUS, &sides, ADAPTIVE);
        for (rate, simulated) in [0.001, 0.002, 0.005].into_iter().zip(latencies) {
            let found = AdaptiveTorus::default().predict(&system, Rate(rate)).unwrap().latency_mean;
            let off = found / simulated - 1.0;
            let within = if rate > 0.002 { 0.12 } else { 0.06 };
            assert!(off.abs() < within, "{sides:?} at {rate}: {found} for {simulated}");
        }
    }
}

#[test]
fn a_path_length_between_whole_numbers_lies_between_theirs() {
    let mut system = system(TORUS, &[16, 16], ADAPTIVE);
    let model = AdaptiveTorus::default();
    let (mut before, mut saturated) = (f64::INFINITY, 0.0);
    // The nearer the destinations, the faster the messages and the later the network saturates.
    for step in 0..=20 {
        let ratio = 0.995 - 0.045 * f64::from(step);
        system.traffic.destinations = Destinations::Local(Locality::Decreasing { ratio });
        let prepared = model.prepare(&system).unwrap();
        let latency = prepared.predict(Rate(0.005)).unwrap().latency_mean;
        let saturation = prepared.saturation_rate().0;
        // Continuous where the hops of one dimension are a whole number.
        assert!(
            latency < before && (before.is_infinite() || latency > 0.85 * before),
            "{ratio}: {latency}, {before}"
        );
        assert!(saturation > saturated * 0.999_9, "{ratio}: {saturation}, {saturated}");
        (before, saturated) = (latency, saturation);
    }
}
