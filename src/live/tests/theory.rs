//! Tests of predictions during a run: the fast parts are first.

use super::*;
use crate::model::{Unsolved, budget};
use crate::scenario::parse;

fn scenario(routing: &str) -> Arc<Scenario> {
    let text = format!(
        "Scenario(
            network: Torus(radix: [4, 4]),
            switching: Wormhole(virtual_channels: 4),
            routing: {routing},
            traffic: (arrivals: Poisson(load: 0.1), destinations: Uniform, lengths: Fixed(12)),
        )"
    );
    Arc::new(parse("test", &text, &[]).unwrap())
}

fn updates(routing: &str, model_steps: u64) -> [Arc<Theory>; 2] {
    let options = Options { running: false, model_steps, ..Options::default() };
    let live = Live::start(scenario(routing), options).unwrap();
    let first = wait(&live, |update| update.theory.is_some()).theory.unwrap();
    // The work may have ended before the first update was taken, without any further update.
    let last = if first.at_work {
        let ended = |update: &Update| update.theory.as_ref().is_some_and(|it| !it.at_work);
        wait(&live, ended).theory.unwrap()
    } else {
        Arc::clone(&first)
    };
    [first, last]
}

#[test]
fn the_prediction_comes_first_and_short_runs_before_saturation() {
    // Heads choose, so that there are short simulations.
    let [first, last] = updates("MinimalAdaptive()", budget::ALONE);
    assert!(first.prediction.is_ok());
    let rates: Vec<f64> = last.short_runs.iter().map(|run| run.rate.0).collect();
    assert!(rates.len() > 2 && rates.is_sorted(), "{rates:?}");
    let saturation = last.saturation.unwrap().0;
    assert!(rates[0] < saturation && rates[rates.len() - 1] > 0.7 * saturation, "{rates:?}");
    assert_eq!((last.curve.len(), last.unfinished.clone()), (48, None));
}

#[test]
fn work_beyond_its_budget_is_stopped() {
    let [first, last] = updates("DimensionOrder()", 100);
    let stopped = Unsolved::OverBudget { steps: 100 };
    assert_eq!((&first.prediction, &last.prediction), (&Err(stopped.clone()), &Err(stopped)));
    assert_eq!((last.saturation, last.curve.len()), (None, 0));
}
