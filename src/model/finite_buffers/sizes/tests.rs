//! Tests of the distributions of worm sizes against enumeration.

use super::*;

fn mean(law: &[(usize, f64)]) -> f64 {
    law.iter().map(|&(k, p)| k as f64 * p).sum()
}

#[test]
fn exponential_worms_end_like_a_poisson_process() {
    let law = fitting(Lengths::Exponential { mean: 200.0 }, 50.0).unwrap();
    assert!((law[0].1 - (-0.25f64).exp()).abs() < 1e-8);
    assert!((law[1].1 - 0.25 * (-0.25f64).exp()).abs() < 1e-8);
    let long = fitting(Lengths::Exponential { mean: 200.0 }, 2000.0).unwrap();
    assert!((mean(&long) - 10.0).abs() < 1e-6 && long[0].0 == 0);
    let sum: f64 = long.iter().map(|&(_, p)| p).sum();
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn geometric_worms_end_like_a_coin_falls() {
    let law = fitting(Lengths::Geometric { mean: 4.0 }, 40.0).unwrap();
    assert!((mean(&law) - 10.0).abs() < 1e-6);
    // No worm ends in 40 flits.
    assert!((law[0].1 - 0.75f64.powi(40)).abs() < 1e-9);
    assert!(
        (shorter(Lengths::Geometric { mean: 4.0 }, 3.0) - (1.0 - 0.75f64.powi(2))).abs() < 1e-12
    );
    let size = moments(Lengths::Geometric { mean: 4.0 });
    assert!((size.mean - 4.0).abs() < 1e-12 && (size.variance() - 12.0).abs() < 1e-12);
}

#[test]
fn worms_of_one_size_fit_or_do_not() {
    assert_eq!(fitting(Lengths::Fixed(200), 199.0).unwrap(), [(0, 1.0)]);
    assert_eq!(fitting(Lengths::Fixed(200), 300.0).unwrap(), [(1, 1.0)]);
    assert_eq!(fitting(Lengths::Uniform { min: 7, max: 7 }, 30.0).unwrap(), [(4, 1.0)]);
    for flits in [1.0, 6.0, 7.0, 8.0, 100.0] {
        let fixed = shorter(Lengths::Fixed(7), flits);
        let narrow = shorter(Lengths::Uniform { min: 7, max: 7 }, flits);
        assert!((fixed - narrow).abs() < f64::EPSILON, "{flits}");
    }
}

#[test]
fn convolution_counts_worms_as_enumeration_does() {
    // 1 to 3 flits in 4: 0 never; 1: a first of 2 or 3 and a second too long, or ...
    let law = fitting(Lengths::Uniform { min: 1, max: 3 }, 4.0).unwrap();
    let mut counts = [0u32; 5];
    for sizes in 0..81u32 {
        let size = |at: u32| 1 + sizes / 3u32.pow(at) % 3;
        let (mut used, mut fit) = (0, 0);
        while fit < 4 && used + size(fit) <= 4 {
            used += size(fit);
            fit += 1;
        }
        counts[fit as usize] += 1;
    }
    for &(k, p) in &law {
        assert!((p - f64::from(counts[k]) / 81.0).abs() < 1e-9, "{k}: {p} {counts:?}");
    }
    assert_eq!(law.len(), counts.iter().filter(|&&count| count > 0).count());
}

#[test]
fn more_worms_than_the_model_follows_are_refused() {
    assert!(fitting(Lengths::Fixed(4), 65_535.0).is_none());
    assert!(fitting(Lengths::Exponential { mean: 12.0 }, 65_535.0).is_some());
}
