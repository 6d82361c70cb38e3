//! Tests of the messages for missing predictions.

use super::*;

#[test]
fn the_rate_that_is_too_high_is_said_in_four_digits() {
    for (rate, said) in [(0.024_999_999_999_999_998, "0.025"), (0.1 / 120.0, "0.0008333")] {
        let error = Unsolved::Saturated { rate: Rate(rate) };
        let expected = format!("the model saturates below {said} messages/node/cycle");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn no_model_applies_to_given_messages() {
    let text = "Scenario(network: Torus(radix: [4, 4]), routing: DimensionOrder(), traffic: \
        (arrivals: AllToAll(flits: 32)))";
    let system = crate::scenario::parse("a.ron", text, &[]).unwrap().system;
    let models = models_for(&system);
    assert!(!models.is_empty());
    for model in models {
        let found: Vec<String> = model.mismatches(&system).into_iter().map(|it| it.found).collect();
        assert_eq!(found, ["240 messages given one by one"], "{}", model.name());
        assert!(matches!(model.prepare(&system), Err(Unsolved::NotCovered(_))));
    }
}
