//! Compares virtual waits with their formula, and corrected runs with plain ones.

use std::sync::Arc;

use super::*;
use crate::session::pairs::tests::scenario;
use crate::stats::{Steadiness, WarmUp};

fn queues(scenario: &Scenario) -> Option<VirtualQueues> {
    VirtualQueues::new(&scenario.system, scenario.seed, 0)
}

/// Asserts that the mean waits at the sources and along routes are those of the formula, within 3 %.
#[track_caller]
fn assert_waits(name: &str, settings: &[(&str, &str)]) {
    let scenario = scenario(name, settings);
    let mut queues = queues(&scenario).unwrap();
    let (mut sums, mut messages) = ([0.0; 4], 0.0);
    for step in 1..=2000 {
        assert!(queues.advance(Cycle(step * 500), &scenario.system));
        for waits in &mut queues.waits {
            for waits in waits.each.drain(..).flatten() {
                sums.iter_mut().zip(waits).for_each(|(sum, wait)| *sum += f64::from(wait));
                messages += 1.0;
            }
        }
    }
    for (sum, expected) in sums.into_iter().zip(queues.means()) {
        let found = sum / messages;
        assert!((found / expected - 1.0).abs() < 0.03, "{found} not {expected}");
    }
}

#[test]
fn waits_are_those_of_pollaczek_and_khinchine() {
    let dimension_order = ("routing", "DimensionOrder()");
    assert_waits("mesh-8x8", &[("traffic.arrivals.load", "0.25")]);
    let lengths = ("traffic.lengths", "Uniform(min: 4, max: 28)");
    assert_waits("mesh-8x8", &[("traffic.arrivals.load", "0.2"), lengths]);
    assert_waits("torus-8x8", &[dimension_order, ("traffic.arrivals.load", "0.3")]);
    let hotspot = ("traffic.destinations", "Hotspot(nodes: [(3, 3)], percent: 5)");
    assert_waits("torus-8x8", &[dimension_order, ("traffic.arrivals.load", "0.15"), hotspot]);
}

#[test]
fn systems_without_fixed_routes_or_poisson_arrivals_have_none() {
    let suits =
        |settings: &[(&str, &str)]| queues(&scenario("mesh-8x8", settings)).map(|_| ()).is_some();
    assert!(suits(&[]));
    assert!(!suits(&[("routing", "WestFirst()")]));
    assert!(!suits(&[("traffic.arrivals", "Geometric(load: 0.2)")]));
    // A queue is used for more than 90 % of the time.
    assert!(!suits(&[("traffic.arrivals.load", "0.49")]));
}

/// Runs with and without control variates, until the same cycle.
fn runs(replication: u32) -> [Session; 2] {
    let scenario = scenario("mesh-8x8", &[("traffic.arrivals.load", "0.2")]);
    let seed = scenario.seed;
    let mut runs =
        [(); 2].map(|()| Session::new(Arc::clone(&scenario), seed, replication, WarmUp::Automatic));
    runs[1].control_variates();
    for run in &mut runs {
        run.advance(Cycle(60_000));
    }
    runs
}

#[test]
fn the_run_is_the_same_and_its_mean_varies_less() {
    let (mut plain, mut corrected) = (Vec::new(), Vec::new());
    for replication in 0..12 {
        let [without, with] = runs(replication);
        assert_eq!(without.fingerprint(), with.fingerprint());
        let (without, with) = (without.summary(), with.summary());
        assert_eq!(without.latency_variance_left, None);
        let left = with.latency_variance_left.unwrap();
        assert!(left < 0.5, "{left}");
        assert_eq!(with.steadiness, Steadiness::Steady);
        let parts = with.source_wait_mean().unwrap() + with.blocking_mean().unwrap();
        let latency = with.latency.unwrap().mean;
        assert!((parts + with.transfer_mean.unwrap() - latency).abs() < 1e-9);
        plain.push(without.latency.unwrap().mean);
        corrected.push(latency);
    }
    let variance = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>()
    };
    let ratio = variance(&corrected) / variance(&plain);
    assert!(ratio < 0.5, "{ratio}");
}

#[test]
fn a_change_of_the_load_ends_the_correction() {
    let [_, mut run] = runs(0);
    run.set_rate(crate::units::Rate(run.rate().0 / 2.0));
    run.advance(Cycle(200_000));
    let summary = run.summary();
    assert_eq!(summary.steadiness, Steadiness::Steady);
    assert_eq!(summary.latency_variance_left, None);
}
