//! The first two moments of a random time, and the few things that are done with them.

/// The moments of a time that is never negative. Two suffice for everything the models of finite
/// queues ask of a service or a wait.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moments {
    /// The mean, in cycles.
    pub mean: f64,
    /// The mean square, in cycles².
    pub square: f64,
}

impl Moments {
    /// No time at all.
    pub const NONE: Self = Self { mean: 0.0, square: 0.0 };

    /// Of a time with this mean and variance.
    pub fn with_variance(mean: f64, variance: f64) -> Self {
        Self { mean, square: variance + mean * mean }
    }

    /// The variance, never below 0.
    pub fn variance(&self) -> f64 {
        (self.square - self.mean * self.mean).max(0.0)
    }

    /// The squared coefficient of variation: variance over squared mean.
    pub fn variation(&self) -> f64 {
        (self.square / (self.mean * self.mean) - 1.0).max(0.0)
    }

    /// Of the sum of two independent times: means and variances add.
    #[must_use]
    pub fn and_then(self, other: Self) -> Self {
        Self {
            mean: self.mean + other.mean,
            square: self.square + other.square + 2.0 * self.mean * other.mean,
        }
    }

    /// Of what is left of this time without an independent part of it, as far as moments can say:
    /// neither mean nor variance falls below 0.
    #[must_use]
    pub fn without(self, part: Self) -> Self {
        let variance = (self.variance() - part.variance()).max(0.0);
        Self::with_variance((self.mean - part.mean).max(0.0), variance)
    }

    /// Adds a time that occurs with probability `share` to a mixture: raw moments average.
    pub fn mix(&mut self, share: f64, other: Self) {
        self.mean += share * other.mean;
        self.square += share * other.square;
    }

    /// Of a time that is this one with probability `share`, and none otherwise.
    #[must_use]
    pub fn thinned(self, share: f64) -> Self {
        Self { mean: share * self.mean, square: share * self.square }
    }

    /// Of a time `factor` times as long.
    #[must_use]
    pub fn stretched(self, factor: f64) -> Self {
        Self { mean: factor * self.mean, square: factor * factor * self.square }
    }
}

#[cfg(test)]
mod tests {
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
}
