//! Tests of `short_run`.

use super::*;
use crate::scenario::parse;

fn scenario(routing: &str, rate: &str) -> Arc<Scenario> {
    let text = format!(
        "Scenario(
            network: Torus(radix: [4, 4]),
            switching: Wormhole(virtual_channels: 4),
            routing: {routing},
            traffic: (arrivals: Poisson(rate: {rate}), destinations: Uniform, lengths: Fixed(8)),
        )"
    );
    Arc::new(parse("test", &text, &[]).unwrap())
}

#[test]
fn a_short_run_is_the_beginning_of_the_run_with_that_seed() {
    let never = AtomicBool::new(false);
    let scenario = scenario("MinimalAdaptive(escape: Destination)", "0.02");
    assert!(ShortRun::suits(&scenario.system));
    let short = ShortRun::at(&scenario, Rate(0.02), &never).unwrap();
    assert_eq!(ShortRun::at(&scenario, Rate(0.02), &never), Some(short.clone()));
    let latency = short.summary.latency.unwrap();
    let half = latency.half_width.unwrap();
    assert!(half < 0.05 * latency.mean, "{latency:?}");
    assert_eq!((short.falls_short(), short.deadlock), (None, false));
    let parts = short.parts().map(|(_, cycles)| cycles.unwrap());
    assert!((parts.iter().sum::<f64>() - latency.mean).abs() < 1e-6, "{parts:?}");
    // A load different from the scenario's, beyond the capacity.
    let beyond = ShortRun::at(&scenario, Rate(0.16), &never).unwrap();
    assert!(beyond.falls_short().is_some_and(|share| share < 0.95), "{beyond:?}");
    assert_eq!(beyond.saturated(), Some(true));
    assert_eq!(ShortRun::at(&scenario, Rate(0.02), &AtomicBool::new(true)), None);
}

#[test]
fn none_is_made_where_messages_have_one_way_or_set_up_circuits() {
    assert!(!ShortRun::suits(&scenario("DimensionOrder()", "0.02").system));
    let circuits = "Scenario(
        network: Hypercube(dimensions: 4),
        switching: Circuit(conflict: Hold, service: 0.001),
        routing: DimensionOrder,
        traffic: (
            arrivals: Poisson(rate: 0.1),
            destinations: Uniform,
            lengths: Exponential(mean: 1.0),
        ),
    )";
    assert!(!ShortRun::suits(&parse("test", circuits, &[]).unwrap().system));
}
