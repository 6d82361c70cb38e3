//! Latency distribution: a mixture of gamma distributions, each above a minimum latency.
//!
//! For every part of the messages, the minimum latency, the mean m beyond the minimum and its
//! variance v are given; the gamma distribution with these moments has shape m²/v and scale v/m.

use statrs::function::gamma::checked_gamma_lr;

use super::queue::Moments;

/// Maximum number of distinct parts: with more, parts with similar means are merged.
const PARTS_MAX: usize = 64;

/// Variance in cycles² below which a time counts as constant, to allow for rounding in differences
/// of moments.
const CERTAIN: f64 = 1e-6;

/// A part of all messages.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// The share of the messages.
    pub share: f64,
    /// The minimum latency in cycles.
    pub least: f64,
    /// The latency beyond the minimum.
    pub beyond: Moments,
}

/// The distribution of latencies in cycles.
#[derive(Clone, PartialEq, Debug)]
pub struct Spread(Vec<Part>);

impl Spread {
    /// The distribution for these parts of the messages.
    pub fn of(mut parts: Vec<Part>) -> Self {
        parts.sort_by(|a, b| a.beyond.mean.total_cmp(&b.beyond.mean));
        let together = |all: &[Part]| {
            let share: f64 = all.iter().map(|it| it.share).sum();
            let mut sum = Part { share, least: 0.0, beyond: Moments::NONE };
            for part in all {
                sum.least += part.share / share * part.least;
                sum.beyond.mix(part.share / share, part.beyond);
            }
            sum
        };
        Self(parts.chunks(parts.len().div_ceil(PARTS_MAX).max(1)).map(together).collect())
    }

    /// The share of messages with a latency of at most `cycles`.
    pub fn below(&self, cycles: f64) -> f64 {
        let part = |part: &Part| {
            let (beyond, variance) = (cycles - part.least, part.beyond.variance());
            if variance <= CERTAIN || part.beyond.mean <= 0.0 {
                return if beyond >= part.beyond.mean { part.share } else { 0.0 };
            }
            let mean = part.beyond.mean;
            let below = checked_gamma_lr(mean * mean / variance, beyond.max(0.0) * mean / variance);
            part.share * below.unwrap_or(0.0)
        };
        self.0.iter().map(part).sum()
    }

    /// The `share` quantile of the latency in cycles.
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
