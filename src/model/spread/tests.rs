//! The distribution against those that are known.

use super::*;

/// Beyond the least a gamma time.
fn part(share: f64, least: f64, mean: f64, variance: f64) -> Part {
    let all = Moments::with_variance(mean, variance);
    Part { share, least, beyond: Delay::sometimes(all, 1.0) }
}

#[test]
fn moments_of_sums_and_mixtures_are_those_of_their_parts() {
    // Exponential times of mean 2: cumulants 2, 4, 16. Three of them.
    let one = Delay::of_cumulants(2.0, 4.0, 16.0);
    assert!((one.square - 8.0).abs() < 1e-12 && (one.cube - 48.0).abs() < 1e-12, "{one:?}");
    let three = one.and_then(one).and_then(one);
    assert!((three.variance() - 12.0).abs() < 1e-9 && (three.third() - 48.0).abs() < 1e-9);
    // There with a probability of a quarter.
    let mut mixed = Delay::default();
    mixed.mix(0.25, one);
    let sometimes = Delay::sometimes(Moments { mean: 0.5, square: 2.0 }, 0.25);
    assert!((mixed.cube - sometimes.cube).abs() < 1e-9, "{mixed:?} {sometimes:?}");
    // A constant time cannot be there sometimes only.
    let constant = Delay::sometimes(Moments { mean: 3.0, square: 9.0 }, 0.5);
    assert!((constant.cube - 27.0).abs() < 1e-9, "{constant:?}");
}

#[test]
fn what_is_seldom_late_has_a_shorter_tail_than_a_gamma_time() {
    // Up to 16 cycles late with a probability of 0.3, evenly spread.
    let (mean, square, cube) = (2.4, 25.6, 307.2);
    let late = |beyond: Delay| Spread::of(vec![Part { share: 1.0, least: 20.0, beyond }]);
    let found = late(Delay { mean, square, cube }).quantile(0.99);
    let gamma = late(Delay::sometimes(Moments { mean, square }, 1.0)).quantile(0.99);
    let truly = 20.0 + 16.0 * (1.0 - 0.01 / 0.3);
    assert!((found / truly - 1.0).abs() < 0.07 && gamma / truly > 1.1, "{truly} {found} {gamma}");
    assert!(late(Delay { mean, square, cube }).below(19.9).abs() < 1e-12);
}

#[test]
fn an_exponential_time_has_its_quantiles() {
    let spread = Spread::of(vec![part(1.0, 20.0, 10.0, 100.0)]);
    for share in [0.1f64, 0.5, 0.95, 0.99] {
        let expected = 20.0 - 10.0 * (1.0 - share).ln();
        let found = spread.quantile(share);
        assert!((found / expected - 1.0).abs() < 1e-5, "{share}: {found}, {expected}");
        assert!((spread.below(found) - share).abs() < 1e-5);
    }
    assert!(spread.below(19.0).abs() < 1e-12);
}

#[test]
fn parts_without_variance_are_steps() {
    let spread = Spread::of(vec![part(0.25, 10.0, 0.0, 0.0), part(0.75, 10.0, 30.0, 0.0)]);
    for (at, share) in [(9.0, 0.0), (10.0, 0.25), (39.0, 0.25), (40.0, 1.0)] {
        assert!((spread.below(at) - share).abs() < 1e-12, "{at}");
    }
    assert!((spread.quantile(0.2) - 10.0).abs() < 1e-4);
    assert!((spread.quantile(0.9) - 40.0).abs() < 1e-3);
}

#[test]
fn many_parts_keep_their_mean_together() {
    let all = |n: u32| part(0.001, f64::from(n % 7), f64::from(n), f64::from(n));
    let spread = Spread::of((0..1000).map(all).collect());
    assert!(spread.0.len() <= PARTS_MAX);
    let mean: f64 = spread.0.iter().map(|it| it.share * (it.least + it.beyond.mean)).sum();
    let expected: f64 = (0..1000).map(|n| 0.001 * f64::from(n % 7 + n)).sum();
    assert!((mean / expected - 1.0).abs() < 1e-9, "{mean}, {expected}");
}
