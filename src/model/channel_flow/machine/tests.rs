//! Tests of the recovery of lags.

use super::caught_up;
use crate::model::queue::Moments;

/// A wait that is exponential with the given probability, and zero otherwise.
fn wait(probability: f64, mean: f64) -> Moments {
    Moments { mean: probability * mean, square: 2.0 * probability * mean * mean }
}

#[test]
fn nothing_is_caught_up_with_where_no_head_waits() {
    for lag in [0.0, 7.0] {
        assert!(caught_up(&Moments::NONE, lag).abs() < 1e-12);
    }
}

#[test]
fn of_a_short_lag_nothing_is_left_where_the_head_waits_and_of_a_long_one_most() {
    let found = |lag| caught_up(&wait(0.3, 20.0), lag);
    assert!((found(1e-6) - 0.3).abs() < 1e-6, "{}", found(1e-6));
    assert!(found(1e4) < 0.002, "{}", found(1e4));
    // The mean of the lesser of an exponential wait and a lag equal to its mean is 1 − 1/e of the
    // mean.
    let expected = 0.3 * (1.0 - (-1.0_f64).exp());
    assert!((found(20.0) / expected - 1.0).abs() < 0.06, "{} for {expected}", found(20.0));
}
