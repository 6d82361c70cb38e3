//! How latencies are spread: a mixture over sources of shifted gamma times.
//!
//! Of every source the least latency is known and of what is beyond it the mean m, the variance v and the
//! skewness g. The shifted gamma time with these (Pearson's type III) has shape 4/g² and scale g√v/2, and
//! what it has below the least latency is at that.

use statrs::function::gamma::checked_gamma_lr;

use super::queue::Moments;

/// The most parts that are told apart: sources beyond it are put together with those of like means.
const PARTS_MAX: usize = 64;

/// The first three moments of a random time that is never negative.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Delay {
    /// The mean, in cycles.
    pub mean: f64,
    /// The mean square, in cycles².
    pub square: f64,
    /// The mean cube, in cycles³.
    pub cube: f64,
}

impl Delay {
    /// Of a time with these cumulants: the mean, the variance, and the mean cube of the difference from the
    /// mean.
    pub fn of_cumulants(mean: f64, variance: f64, third: f64) -> Self {
        let square = variance + mean * mean;
        Self { mean, square, cube: third + mean * (3.0 * variance + mean * mean) }
    }

    /// Of a time with these moments over all that there is with a probability only, and then is a gamma time.
    pub fn sometimes(all: Moments, probability: f64) -> Self {
        let Moments { mean, square } = all;
        if mean <= 0.0 {
            return Self::default();
        }
        // No more certain than the moments allow.
        let probability = probability.clamp((mean * mean / square).min(1.0), 1.0);
        let mean_then = mean / probability;
        let spread = square / (mean * mean_then);
        let cube = mean * mean_then * mean_then * spread * (2.0 * spread - 1.0);
        Self { mean, square, cube }
    }

    /// The variance, never below 0.
    pub fn variance(&self) -> f64 {
        (self.square - self.mean * self.mean).max(0.0)
    }

    /// The mean cube of the difference from the mean, in cycles³.
    pub fn third(&self) -> f64 {
        self.cube - self.mean * (3.0 * self.square - 2.0 * self.mean * self.mean)
    }

    /// Of the sum of two independent times.
    #[must_use]
    pub fn and_then(self, other: Self) -> Self {
        let square = self.square + 2.0 * self.mean * other.mean + other.square;
        let mixed = self.square * other.mean + self.mean * other.square;
        Self { mean: self.mean + other.mean, square, cube: self.cube + 3.0 * mixed + other.cube }
    }

    /// Adds a time that occurs with probability `share` to a mixture.
    pub fn mix(&mut self, share: f64, other: Self) {
        self.mean += share * other.mean;
        self.square += share * other.square;
        self.cube += share * other.cube;
    }
}

/// Bounds of a skewness: below, a gamma time is as good as a normal one.
const SKEWS: (f64, f64) = (0.02, 50.0);

/// A part of all messages.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// The share of the messages.
    pub share: f64,
    /// The least latency in cycles.
    pub least: f64,
    /// The latency beyond it.
    pub beyond: Delay,
}

/// The distribution of latencies in cycles.
#[derive(Clone, PartialEq, Debug)]
pub struct Spread(Vec<Part>);

impl Spread {
    /// Of these parts of the messages.
    pub fn of(mut parts: Vec<Part>) -> Self {
        parts.sort_by(|a, b| a.beyond.mean.total_cmp(&b.beyond.mean));
        let together = |all: &[Part]| {
            let share: f64 = all.iter().map(|it| it.share).sum();
            let mut sum = Part { share, least: 0.0, beyond: Delay::default() };
            for part in all {
                sum.least += part.share / share * part.least;
                sum.beyond.mix(part.share / share, part.beyond);
            }
            sum
        };
        Self(parts.chunks(parts.len().div_ceil(PARTS_MAX).max(1)).map(together).collect())
    }

    /// The share of messages whose latency is at most this.
    pub fn below(&self, cycles: f64) -> f64 {
        let part = |part: &Part| {
            let (beyond, variance) = (cycles - part.least, part.beyond.variance());
            let mean = part.beyond.mean;
            if variance <= 0.0 {
                return if beyond >= mean { part.share } else { 0.0 };
            }
            let deviation = variance.sqrt();
            let skew = (part.beyond.third() / (variance * deviation)).clamp(SKEWS.0, SKEWS.1);
            let (shape, scale) = (4.0 / (skew * skew), deviation * skew / 2.0);
            let at = beyond - (mean - shape * scale);
            if beyond < 0.0 || at <= 0.0 {
                return 0.0;
            }
            part.share * checked_gamma_lr(shape, at / scale).unwrap_or(0.0)
        };
        self.0.iter().map(part).sum()
    }

    /// The latency in cycles that this share of the messages does not exceed.
    pub fn quantile(&self, share: f64) -> f64 {
        let all = || self.0.iter();
        let mut low = all().map(|it| it.least).fold(f64::INFINITY, f64::min);
        let mut high = all().map(|it| it.least + it.beyond.mean).fold(low + 1.0, f64::max);
        while self.below(high) < share && high < f64::MAX / 2.0 {
            high *= 2.0;
        }
        while high - low > 1e-6 * high {
            let middle = f64::midpoint(low, high);
            *if self.below(middle) < share { &mut low } else { &mut high } = middle;
        }
        high
    }
}

#[cfg(test)]
mod tests;
