//! Tests of `budget`.

use super::*;
use crate::model::{Unsolved, models_for};
use crate::scenario::parse;
use crate::units::Rate;

/// A network with fixed routes.
const FIXED: &str = "Scenario(
    network: Torus(radix: [4, 4]),
    switching: Wormhole(virtual_channels: 4),
    routing: DimensionOrder(classes: Destination),
    traffic: (arrivals: Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(12)),
)";

/// Circuits, worms over long buffers, and heads that choose.
const OTHERS: [&str; 3] = [
    "Scenario(
        network: Hypercube(dimensions: 6),
        switching: Circuit(conflict: Drop(back_off: 1.5), service: 0.001),
        routing: DimensionOrder,
        traffic: (
            arrivals: Poisson(rate: 0.1),
            destinations: Uniform,
            lengths: Uniform(min: 0.1, max: 1.9),
        ),
    )",
    "Scenario(
        network: SwitchGrid(kind: Torus, radix: [3, 3], hosts: 4),
        switching: Wormhole(preset: FiniteBuffers1997, buffer_flits: 50, channel_delay: 10),
        routing: UpDown(root: 0, paths: Split),
        traffic: (
            arrivals: Poisson(load: 0.16),
            destinations: Uniform,
            lengths: Exponential(mean: 200),
        ),
    )",
    "Scenario(
        network: Torus(radix: [4, 4]),
        switching: Wormhole(virtual_channels: 4),
        routing: MinimalAdaptive(escape: Destination),
        traffic: (arrivals: Poisson(rate: 0.001), destinations: Uniform, lengths: Fixed(12)),
    )",
];

#[test]
fn an_answer_stops_after_the_same_work_and_is_the_same_within_it() {
    for text in OTHERS.iter().chain([&FIXED]) {
        let system = parse("test", text, &[]).unwrap().system;
        let rate = system.traffic.rate;
        for model in models_for(&system) {
            let answer = || model.predict(&system, rate);
            let (whole, steps) = within(u64::MAX, answer);
            assert_eq!(within(u64::MAX, answer), (whole.clone(), steps), "{model:?}");
            assert_eq!(within(steps + 1, answer), (whole.clone(), steps), "{model:?}");
            if model.name() == "channel flow" && whole.is_ok() {
                assert!(steps > 0);
                let stopped = within(steps / 2, answer).0;
                assert_eq!(stopped, Err(Unsolved::OverBudget { steps: steps / 2 }));
            }
        }
    }
}

#[test]
fn a_search_for_saturation_beyond_its_budget_has_no_rate() {
    let system = parse("test", FIXED, &[]).unwrap().system;
    let models = models_for(&system);
    let flow = models.iter().find(|it| it.name() == "channel flow").unwrap();
    let prepared = flow.prepare(&system).unwrap();
    let (found, steps) = within(u64::MAX, || prepared.saturation());
    assert_eq!(found, Ok(prepared.saturation_rate()));
    let one = within(u64::MAX, || prepared.predict(Rate(0.01))).1;
    assert!(steps > 4 * one, "{steps} steps, {one} of them for one rate");
    let stopped = within(2 * one, || prepared.saturation()).0;
    assert_eq!(stopped, Err(Unsolved::OverBudget { steps: 2 * one }));
}

#[test]
fn a_rate_that_was_asked_for_is_not_solved_again() {
    let system = parse("test", FIXED, &[]).unwrap().system;
    let models = models_for(&system);
    let flow = models.iter().find(|it| it.name() == "channel flow").unwrap();
    let prepared = flow.prepare(&system).unwrap();
    assert!(within(u64::MAX, || prepared.predict(Rate(0.01))).1 > 0);
    assert_eq!(within(u64::MAX, || prepared.utilisation(Rate(0.01)).unwrap()).1, 0);
    assert_eq!(within(u64::MAX, || prepared.predict(Rate(0.01))).1, 0);
    assert!(within(u64::MAX, || prepared.predict(Rate(0.011))).1 > 0);
}
