//! Tests of sharing a channel by two classes.

use super::in_classes;

/// C(i + j, i).
fn orders(i: i32, j: i32) -> f64 {
    (1..=i).map(|k| f64::from(j + k) / f64::from(k)).product()
}

#[test]
fn every_order_that_the_classes_have_vcs_for_counts_once() {
    let (met, unlike) = (0.4, 0.3);
    let each = (0..3).flat_map(|i| (0..=2).map(move |j| (i, j)));
    let sum: f64 = each.map(|(i, j)| orders(i, j) * f64::powi(met, i) * f64::powi(unlike, j)).sum();
    let found = in_classes([met, unlike], [3, 2]);
    assert!((found - (sum - 1.0)).abs() < 1e-12, "{found} for {}", sum - 1.0);
}

#[test]
fn one_class_is_the_chain() {
    let (met, unlike) = (0.4, 0.3);
    let alone = in_classes([met, 0.0], [4, 0]);
    assert!((alone - (met + met.powi(2) + met.powi(3))).abs() < 1e-12, "{alone}");
    // With one VC, no other message of the same class is present.
    let others = in_classes([met, unlike], [1, 3]);
    assert!((others - (unlike + unlike.powi(2) + unlike.powi(3))).abs() < 1e-12, "{others}");
}

#[test]
fn without_limits_it_is_processor_sharing() {
    let all: f64 = 0.3 + 0.2;
    let found = in_classes([0.3, 0.2], [31, 31]);
    assert!((found - all / (1.0 - all)).abs() < 1e-6, "{found}");
}
