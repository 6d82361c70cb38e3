//! Intervals: Student's quantiles and what correlation costs.

use super::*;

#[test]
fn student_quantiles_are_the_tabulated_ones() {
    // Two-sided 95 %, from the tables of any textbook.
    let table = [
        (1.0, 12.706),
        (2.0, 4.303),
        (3.0, 3.182),
        (4.0, 2.776),
        (5.0, 2.571),
        (6.0, 2.447),
        (7.0, 2.365),
        (8.0, 2.306),
        (9.0, 2.262),
        (10.0, 2.228),
        (11.0, 2.201),
        (12.0, 2.179),
        (13.0, 2.160),
        (14.0, 2.145),
        (15.0, 2.131),
        (16.0, 2.120),
        (17.0, 2.110),
        (18.0, 2.101),
        (19.0, 2.093),
        (20.0, 2.086),
        (21.0, 2.080),
        (22.0, 2.074),
        (23.0, 2.069),
        (24.0, 2.064),
        (25.0, 2.060),
        (26.0, 2.056),
        (27.0, 2.052),
        (28.0, 2.048),
        (29.0, 2.045),
        (30.0, 2.042),
        (31.0, 2.040),
        (60.0, 2.000),
        (120.0, 1.980),
        (1e6, 1.960),
    ];
    for (freedom, tabulated) in table {
        let found = student_quantile(freedom);
        assert!((found - tabulated).abs() < 6e-4, "{freedom}: {found} not {tabulated}");
    }
}

#[test]
fn the_interval_of_four_values_is_the_one_computed_by_hand() {
    // Mean 5, squared deviations 9 + 1 + 1 + 9 = 20, 20/3/4 = 5/3, 3.182446 · 1.290994.
    let estimate = Estimate::of_independent(&[2.0, 4.0, 6.0, 8.0]).unwrap();
    assert!((estimate.mean - 5.0).abs() < 1e-12);
    let half_width = estimate.half_width.unwrap();
    assert!((half_width - 4.108_520).abs() < 1e-5, "{half_width}");
    let relative = estimate.relative_half_width().unwrap();
    assert!((relative - half_width / 5.0).abs() < 1e-12);
}

#[test]
fn one_value_has_no_interval_and_none_no_mean() {
    let estimate = Estimate::of_independent(&[7.0]).unwrap();
    assert_eq!(estimate, Estimate { mean: 7.0, half_width: None });
    assert_eq!(estimate.relative_half_width(), None);
    assert_eq!(Estimate::of_independent(&[]), None);
}

#[test]
fn lag_one_correlation_tells_alternation_from_drift() {
    let alternating = [1.0, -1.0, 1.0, -1.0];
    // Products −3, squares 4.
    let found = Moments::of(&alternating).unwrap().lag_one(&alternating);
    assert!((found + 0.75).abs() < 1e-12);
    // Deviations −1.5, −0.5, 0.5, 1.5: products 0.75 − 0.25 + 0.75, squares 5.
    let drift = [1.0, 2.0, 3.0, 4.0];
    let found = Moments::of(&drift).unwrap().lag_one(&drift);
    assert!((found - 0.25).abs() < 1e-12);
    let equal = [3.0; 5];
    assert_eq!(Moments::of(&equal).unwrap().lag_one(&equal).to_bits(), 0);
}
