//! How long a circuit carries data: the law of the data time, with its moments and tails.

/// The law of the time for which a message keeps its complete path to send its data, in mean
/// transmission times. A message that is aborted keeps its draw. A uniform law has min < max.
pub use crate::traffic::lengths::Times as DataTime;

/// Means of an exponential time after which its tail is cut: e⁻⁷ is below one in a thousand.
const EXPONENTIAL_CUT: f64 = 7.0;

impl DataTime {
    /// E\[Z\].
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Fixed(mean) | Self::Exponential { mean } => mean,
            Self::Uniform { min, max } => f64::midpoint(min, max),
        }
    }

    /// E\[Z²\].
    pub fn second_moment(&self) -> f64 {
        self.mean() * self.mean() + self.variance()
    }

    /// Var Z.
    pub fn variance(&self) -> f64 {
        match *self {
            Self::Fixed(_) => 0.0,
            Self::Uniform { min, max } => (max - min) * (max - min) / 12.0,
            Self::Exponential { mean } => mean * mean,
        }
    }

    /// P(Z ≤ `time`).
    pub fn cumulative(&self, time: f64) -> f64 {
        match *self {
            Self::Fixed(mean) => f64::from(time >= mean),
            Self::Uniform { min, max } => ((time - min) / (max - min)).clamp(0.0, 1.0),
            Self::Exponential { mean } => -(-time.max(0.0) / mean).exp_m1(),
        }
    }

    /// P(a message met in the middle of its data is through with them after `time`): the
    /// equilibrium residual, ∫₀ᵗ (1 − F(y)) dy / E\[Z\].
    pub fn residual_cumulative(&self, time: f64) -> f64 {
        let time = time.max(0.0);
        match *self {
            Self::Fixed(mean) => (time / mean).min(1.0),
            Self::Uniform { min, max } => {
                let above = (time - min).clamp(0.0, max - min);
                let before = time.min(min);
                (before + above - above * above / (2.0 * (max - min))) / self.mean()
            }
            Self::Exponential { .. } => self.cumulative(time),
        }
    }

    /// The longest time that a table of the law reaches: its greatest value, or what is cut off an
    /// exponential tail.
    pub(super) fn longest(&self) -> f64 {
        match *self {
            Self::Fixed(mean) => mean,
            Self::Uniform { max, .. } => max,
            Self::Exponential { mean } => EXPONENTIAL_CUT * mean,
        }
    }
}

#[cfg(test)]
mod tests;
