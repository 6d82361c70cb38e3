//! What is said of saturation.

use super::*;
use crate::stats::{Offered, Statistics, Steadiness, WarmUp};
use crate::units::Rate;

fn summary(steadiness: Steadiness, accepted: f64) -> Summary {
    let offered = Offered { nodes: 64, links: 256, rate: 0.125, length_mean: 4.0, circuits: false };
    let summary = Statistics::new(offered, WarmUp::Automatic, 0).summary(0);
    Summary { steadiness, accepted: Some(accepted), ..summary }
}

#[test]
fn only_a_saturated_run_says_so_and_never_that_it_accepts_all() {
    let said = |steadiness, accepted| announced(&summary(steadiness, accepted));
    let saturated = said(Steadiness::Saturated, 0.172).unwrap();
    assert_eq!(saturated, "SATURATED: accepts 34 % of what is offered");
    let nearly = said(Steadiness::Saturated, 0.4999).unwrap();
    assert_eq!(nearly, "SATURATED: accepts 99 % of what is offered");
    let before = said(Steadiness::Saturated, 0.5001).unwrap();
    assert_eq!(before, "SATURATED: accepts less than is offered");
    assert_eq!(said(Steadiness::Steady, 0.172), None);
    assert_eq!(said(Steadiness::TooShort, 0.172), None);
}

#[test]
fn a_model_is_refuted_only_by_a_run_that_knows() {
    let steady = Ok(Prediction {
        latency_mean: 50.0,
        terms: Vec::new(),
        hops_mean: None,
        iterations: 1,
        circuits: None,
        spread: None,
    });
    let saturated = Err(Unsolved::Saturated { rate: Rate(0.125) });
    let silent = Err(Unsolved::NotCovered("nothing is known".to_owned()));
    let said = |model, steadiness, accepted| refuted(model, &summary(steadiness, accepted));
    assert_eq!(
        said(&saturated, Steadiness::Steady, 0.4999).unwrap(),
        "it says saturated, the run accepts 0.4999 of 0.5000"
    );
    assert_eq!(
        said(&steady, Steadiness::Saturated, 0.172).unwrap(),
        "it says a steady state, the run accepts 0.1720 of 0.5000"
    );
    assert_eq!(said(&saturated, Steadiness::Saturated, 0.172), None);
    assert_eq!(said(&steady, Steadiness::Steady, 0.5), None);
    for model in [&saturated, &steady] {
        assert_eq!(said(model, Steadiness::TooShort, 0.172), None);
    }
    for steadiness in [Steadiness::Steady, Steadiness::Saturated] {
        assert_eq!(said(&silent, steadiness, 0.172), None);
    }
}
