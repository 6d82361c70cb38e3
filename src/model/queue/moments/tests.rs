//! Tests of the moments of sums and mixtures.

use super::*;

#[test]
fn independent_parts_come_and_go() {
    let (a, b) = (Moments::with_variance(3.0, 2.0), Moments::with_variance(5.0, 7.0));
    let sum = a.and_then(b);
    assert!((sum.mean - 8.0).abs() < 1e-12 && (sum.variance() - 9.0).abs() < 1e-12);
    let left = sum.without(b);
    assert!((left.mean - 3.0).abs() < 1e-12 && (left.variance() - 2.0).abs() < 1e-12);
    assert_eq!(a.without(sum), Moments::NONE);
}

#[test]
fn mixtures_average_raw_moments() {
    let mut mixture = Moments::NONE;
    mixture.mix(0.25, Moments::with_variance(2.0, 0.0));
    mixture.mix(0.75, Moments::with_variance(6.0, 0.0));
    // 5, and the variance of a coin between 2 and 6.
    assert!((mixture.mean - 5.0).abs() < 1e-12 && (mixture.variance() - 3.0).abs() < 1e-12);
    assert!((mixture.stretched(2.0).variance() - 12.0).abs() < 1e-12);
    assert_eq!(mixture.thinned(1.0), mixture);
}

#[test]
fn arrivals_within_a_time_are_those_of_known_times() {
    let fixed = Moments::with_variance(4.0, 0.0);
    let exponential = Moments::with_variance(4.0, 16.0);
    for rate in [1e-12, 0.01, 0.25, 3.0_f64] {
        let known = [-(-4.0 * rate).exp_m1(), 4.0 * rate / (1.0 + 4.0 * rate)];
        for (moments, known) in [fixed, exponential].iter().zip(known) {
            assert!((moments.arrival(rate) / known - 1.0).abs() < 1e-9, "{moments:?} {rate}");
        }
    }
}
