//! Tests of the distribution against known distributions.

use super::*;

fn part(share: f64, least: f64, mean: f64, variance: f64) -> Part {
    Part { share, least, beyond: Moments::with_variance(mean, variance) }
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
fn what_rounding_leaves_of_no_variance_is_none() {
    for (mean, rounded) in [(0.0, 1e-13), (30.0, 1e-11), (1e-14, 1e-13)] {
        let spread = Spread::of(vec![part(0.5, 10.0, mean, rounded), part(0.5, 10.0, 20.0, 100.0)]);
        let last = spread.quantile(0.99);
        assert!(last > 30.0 && last < 90.0, "{mean}, {rounded}: {last}");
    }
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
