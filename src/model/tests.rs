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
