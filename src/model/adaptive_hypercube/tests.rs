//! The equations against sums over all messages and channels, and the model's coverage.

use super::*;
use crate::model::models_for;
use crate::routing::{Escape, Routing};
use crate::switching::Wormhole;
use crate::topology::cube::{self, Family};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use std::sync::Arc;

fn system(dimensions: usize) -> System {
    let network = cube::Cube::network(Family::Hypercube, &vec![2; dimensions]);
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.001), Destinations::Uniform, Lengths::Fixed(12));
    let routing = Routing::minimal_adaptive(Escape::Destination);
    System::new(Arc::new(network), routing, Wormhole::new(4, 2), traffic)
}

/// The latency from sums over all destinations of one node and over their hops.
fn second_opinion(dimensions: u32, rate: f64) -> f64 {
    let destinations = 1..1u32 << dimensions;
    let share = 1.0 / f64::from((1u32 << dimensions) - 1);
    let d = f64::from(dimensions);
    let (mut p, mut w) = (0.0f64, 0.0f64);
    for _ in 0..10_000 {
        // The wait before each of the last `hops` hops, and after it.
        let before = |left: u32| if left == 1 { w } else { p.powf(f64::from(left)) * w };
        let after = |left: u32| (1..left).map(before).sum::<f64>();
        let (mut load, mut moment, mut load_beside, mut moment_beside) = (0.0, 0.0, 0.0, 0.0);
        for destination in destinations.clone() {
            let hops = destination.count_ones();
            for left in 1..=hops {
                let hold = 13.0 + after(left);
                let (flow, square) = (rate * share / d, hold * hold + after(left).powi(2));
                let part = if left == hops { 1.0 } else { (d - 2.0) / (d - 1.0) };
                load += flow * hold;
                moment += flow * square;
                load_beside += part * flow * hold;
                moment_beside += part * flow * square;
            }
        }
        let new = moment_beside / (1.0 - load_beside);
        if (load - p).abs() + (new - w).abs() < 1e-12 {
            let source = moment / (1.0 - load);
            let latency = |destination: u32| {
                let hops = destination.count_ones();
                let first = if hops == 1 { 1.0 } else { p.powf(f64::from(hops)) };
                11.0 + f64::from(hops) + first * source + after(hops)
            };
            return destinations.map(latency).sum::<f64>() * share;
        }
        (p, w) = (f64::midpoint(p, load), f64::midpoint(w, new));
    }
    panic!("not settled")
}

#[test]
fn sums_over_all_destinations_give_the_same_latency() {
    for dimensions in [2, 4, 6] {
        let system = system(dimensions);
        let saturation = AdaptiveHypercube.saturation_rate(&system).unwrap().0;
        for load in [0.0, 0.2, 0.6, 0.9] {
            let rate = load * saturation;
            let found = AdaptiveHypercube.predict(&system, Rate(rate)).unwrap().latency_mean;
            let wanted = second_opinion(dimensions as u32, rate);
            assert!((found - wanted).abs() < 1e-6, "{dimensions} at {load}: {found}, {wanted}");
        }
        let above = Rate(1.001 * saturation);
        let found = AdaptiveHypercube.predict(&system, above);
        assert_eq!(found, Err(Unsolved::Saturated { rate: above }));
    }
}

#[test]
fn hypercubes_are_covered_and_nothing_else() {
    assert_eq!(AdaptiveHypercube.mismatches(&system(6)), []);
    let models = models_for(&system(6));
    assert!(models.iter().any(|model| model.name() == AdaptiveHypercube.name()));
    assert!(!AdaptiveHypercube.covers(&system(1)));
    let mut ordered = system(6);
    let routing = Routing::dimension_order(crate::routing::Classes::None);
    ordered = System::new(
        Arc::clone(&ordered.network),
        routing,
        Wormhole::new(4, 2),
        ordered.traffic.clone(),
    );
    assert_eq!(AdaptiveHypercube.mismatches(&ordered).len(), 1);
}

/// Simulated means of 100 000 messages at 0.6 and 2.4 messages in 1000 cycles, as the paper's low rates.
#[test]
fn low_rates_are_near_simulation() {
    for (rate, simulated) in [(0.000_6, 14.17), (0.002_4, 14.56)] {
        let found = AdaptiveHypercube.predict(&system(6), Rate(rate)).unwrap().latency_mean;
        assert!((found / simulated - 1.0).abs() < 0.06, "{rate}: {found}, {simulated}");
    }
}
