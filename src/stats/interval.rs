//! Means with Student intervals at 95 %.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean with the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95 % interval; `None` while there are too few data for one.
    pub half_width: Option<f64>,
}

impl Estimate {
    /// The mean of independent values with its Student interval (n − 1 degrees of freedom; no
    /// interval for a single value). `None` without values.
    pub fn of_independent(values: &[f64]) -> Option<Self> {
        let moments = Moments::of(values)?;
        Some(Self { mean: moments.mean, half_width: moments.half_width() })
    }

    /// The half width as a share of the mean: the precision reached. `None` without an interval or
    /// around a mean of 0.
    pub fn relative_half_width(&self) -> Option<f64> {
        if self.mean == 0.0 { None } else { self.half_width.map(|half| half / self.mean.abs()) }
    }
}

/// The 90 % quantile of the normal distribution, for the test of correlation.
const CORRELATION_QUANTILE: f64 = 1.28;

/// Number, mean and squared deviations of a few values.
pub(super) struct Moments {
    count: usize,
    mean: f64,
    /// Sum of squared deviations from the mean.
    squares: f64,
}

impl Moments {
    /// Of `values`; `None` if there are none.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares = values.iter().map(|x| (x - mean) * (x - mean)).sum();
        Some(Self { count: values.len(), mean, squares })
    }

    /// Half the width of the 95 % Student interval of the mean, the values being independent.
    pub(super) fn half_width(&self) -> Option<f64> {
        let freedom = self.count.checked_sub(1).filter(|&freedom| freedom > 0)? as f64;
        Some(student_quantile(freedom) * (self.squares / freedom / self.count as f64).sqrt())
    }

    /// The same for values in the order of time, from which this was made: where each is correlated
    /// with the next, as the lag-one correlation r tells that one in ten independent sequences
    /// exceeds, the variance is multiplied by (1 + r)/(1 − r), that of a mean of a first-order
    /// autoregressive sequence.
    pub(super) fn half_width_in_time(&self, values: &[f64]) -> Option<f64> {
        let half_width = self.half_width()?;
        let correlation = self.lag_one(values);
        if correlation > CORRELATION_QUANTILE / (self.count as f64).sqrt() {
            Some(half_width * ((1.0 + correlation) / (1.0 - correlation)).sqrt())
        } else {
            Some(half_width)
        }
    }

    /// Correlation of each of `values`, from which this was made, with the next; 0 if all equal.
    pub(super) fn lag_one(&self, values: &[f64]) -> f64 {
        if self.squares == 0.0 {
            return 0.0;
        }
        let products = values
            .windows(2)
            .map(|pair| (pair[0] - self.mean) * (pair[1] - self.mean))
            .sum::<f64>();
        products / self.squares
    }
}

/// The 97.5 % quantile of Student's distribution with `freedom` (above 0) degrees of freedom.
pub(super) fn student_quantile(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).expect("freedom is above 0").inverse_cdf(0.975)
}

#[cfg(test)]
mod tests {
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
}
