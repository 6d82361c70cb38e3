//! The first two moments of a random time, and operations on them.

/// The moments of a nonnegative time. Two moments suffice for all services and waits in the models
/// of finite queues.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moments {
    /// The mean, in cycles.
    pub mean: f64,
    /// The mean square, in cycles².
    pub square: f64,
}

impl Moments {
    /// Zero time.
    pub const NONE: Self = Self { mean: 0.0, square: 0.0 };

    /// The moments of a time with given mean and variance.
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

    /// The probability of a Poisson arrival at this rate within a gamma-distributed time with these
    /// moments: 1 less the time's Laplace transform.
    pub fn arrival(&self, rate: f64) -> f64 {
        let spread = self.variation();
        let at = spread * self.mean * rate;
        let exponent = if at < 1e-9 { self.mean * rate } else { at.ln_1p() / spread };
        -(-exponent).exp_m1()
    }

    /// The sum of two independent times: means and variances add.
    #[must_use]
    pub fn and_then(self, other: Self) -> Self {
        Self {
            mean: self.mean + other.mean,
            square: self.square + other.square + 2.0 * self.mean * other.mean,
        }
    }

    /// The rest of this time without an independent part, as far as defined by moments: neither
    /// mean nor variance falls below 0.
    #[must_use]
    pub fn without(self, part: Self) -> Self {
        let variance = (self.variance() - part.variance()).max(0.0);
        Self::with_variance((self.mean - part.mean).max(0.0), variance)
    }

    /// Adds a time of probability `share` to a mixture: raw moments average.
    pub fn mix(&mut self, share: f64, other: Self) {
        self.mean += share * other.mean;
        self.square += share * other.square;
    }

    /// A mixture of this time with probability `share`, and zero otherwise.
    #[must_use]
    pub fn thinned(self, share: f64) -> Self {
        Self { mean: share * self.mean, square: share * self.square }
    }

    /// A time scaled by `factor`.
    #[must_use]
    pub fn stretched(self, factor: f64) -> Self {
        Self { mean: factor * self.mean, square: factor * factor * self.square }
    }
}

#[cfg(test)]
mod tests;
