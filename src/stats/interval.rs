//! Means with Student intervals at 95 %.
//!
//! Values are independent or, in bounded memory, the correlated data of one run.
//!
//! Consecutive values are summed into batches of equal size. At 256 batches, neighbours are joined
//! and the size doubles, so that after the start there are always 128 to 255 whole batches, each a
//! fixed share of the run (Law & Carson 1979 keep such batches as the run grows).
//! [`half_width_in_time`] allows for the correlation of the batch means.

use educe::Educe;
use get_size2::GetSize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::random::mix;

/// A mean with the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub mean: f64,
    /// Half the width of the 95 % interval; `None` if there are too few data for an interval.
    pub half_width: Option<f64>,
}

impl Estimate {
    /// The mean of independent values with its Student interval (n − 1 degrees of freedom; no
    /// interval for a single value). `None` without values.
    pub fn of_independent(values: &[f64]) -> Option<Self> {
        let moments = Moments::of(values)?;
        Some(Self { mean: moments.mean, half_width: moments.half_width() })
    }

    /// Computes [`Self::of_independent`] with the interval widened so that `many` such intervals (at
    /// least 1) are correct together at 95 % (Bonferroni).
    pub fn of_independent_among(values: &[f64], many: usize) -> Option<Self> {
        let moments = Moments::of(values)?;
        let half = |variance: f64| quantile_among(moments.count, many) * variance.sqrt();
        Some(Self { mean: moments.mean, half_width: moments.variance_of_mean().map(half) })
    }

    /// Approximate number of independent values like `values` needed for one of `many` intervals to
    /// exclude 0, assuming that the mean and the variance of `values` are exact; `None` without a
    /// variance, or beyond [`VALUES_MAX`].
    pub fn values_needed(values: &[f64], many: usize) -> Option<usize> {
        let moments = Moments::of(values)?;
        let spread =
            (moments.variance_of_mean()? * moments.count as f64).sqrt() / moments.mean.abs();
        let tells = |count: usize| quantile_among(count, many) * spread < (count as f64).sqrt();
        if !tells(VALUES_MAX) {
            return None;
        }
        let (mut short, mut enough) = (1, VALUES_MAX);
        while enough - short > 1 {
            let middle = short.midpoint(enough);
            *(if tells(middle) { &mut enough } else { &mut short }) = middle;
        }
        Some(enough)
    }

    /// The half width as a share of the mean: the precision reached. `None` without an interval or
    /// around a mean of 0.
    pub fn relative_half_width(&self) -> Option<f64> {
        if self.mean == 0.0 { None } else { self.half_width.map(|half| half / self.mean.abs()) }
    }

    /// True if the interval is too wide for a conclusion about the mean.
    pub fn is_too_wide(&self) -> bool {
        self.relative_half_width().is_some_and(|share| share > TELLING)
    }

    /// Half the width of the interval, unless the interval is too wide for display.
    pub fn shown_half_width(&self) -> Option<f64> {
        self.half_width.filter(|_| !self.is_too_wide())
    }
}

/// Maximum half width of an informative interval, as a share of the mean.
const TELLING: f64 = 0.5;

/// Maximum number of values reported as [needed](Estimate::values_needed).
pub const VALUES_MAX: usize = 1_000_000;

/// Half the width of an interval in standard errors of a mean of `count` values (at least 2), for
/// `many` intervals correct together.
fn quantile_among(count: usize, many: usize) -> f64 {
    quantile_at(count as f64 - 1.0, 1.0 - 0.025 / many.max(1) as f64)
}

/// Minimum number of values in the order of time for an interval.
pub(super) const VALUES_MIN: usize = 16;

/// Limit on the number of batches used to estimate the variance of the mean: more than about 30
/// gain nothing (Schmeiser 1982).
const BATCHES_END: usize = 32;

/// Minimum effective sample size of values in the order of time.
const EFFECTIVE_MIN: f64 = 5.0;

/// Half the width of the 95 % interval of the mean of `values`, each the mean of an equal stretch
/// of one run, in the order of time. Joins `group` neighbours at a time, enough for stretches at
/// least a mean latency long: in shorter stretches, the scatter of single messages hides slow
/// changes of the network. `None` below [`VALUES_MIN`], or for an effective sample size below five.
///
/// The variance of the mean is the greater of two: the variance for a first-order autoregressive
/// sequence, (1 + r)/(1 − r) times the variance for independent values, with r the lag-one
/// correlation corrected for its bias; and the same for 16 to 31 batches joined from `values`, with
/// r used only if positive. The first is precise, the second includes correlations at long lags.
/// Student's quantile is the quantile for the batches.
pub(super) fn half_width_in_time(values: &[f64], group: usize) -> Option<f64> {
    let values = joined(values, group.max(1));
    if values.len() < VALUES_MIN {
        return None;
    }
    let fine = Moments::of(&values)?;
    let found = fine.lag_one(&values);
    let count = values.len() as f64;
    // The expectation of the estimate is (1 + 3r)/n below r (Kendall 1954).
    let correlation = (found + (1.0 + 3.0 * found) / count).clamp(0.0, 0.999);
    let inflation = |r: f64| (1.0 + r) / (1.0 - r);
    if fine.squares > 0.0 && count / inflation(correlation) < EFFECTIVE_MIN {
        return None;
    }
    let batches = joined(&values, values.len() / BATCHES_END + 1);
    let coarse = Moments::of(&batches)?;
    let variance = (fine.variance_of_mean()? * inflation(correlation))
        .max(coarse.variance_of_mean()? * inflation(coarse.lag_one(&batches).max(0.0)));
    Some(student_quantile(coarse.count as f64 - 1.0) * variance.sqrt())
}

/// The means of `group` neighbours at a time; a rest is left out.
pub(super) fn joined(values: &[f64], group: usize) -> Vec<f64> {
    values.chunks_exact(group).map(|some| some.iter().sum::<f64>() / group as f64).collect()
}

/// Number, mean and squared deviations of a few values.
pub(super) struct Moments {
    count: usize,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Computes the moments of `values`; `None` if empty.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares = values.iter().map(|x| (x - mean) * (x - mean)).sum();
        Some(Self { count: values.len(), mean, squares })
    }

    /// The variance of the mean, the values being independent; `None` below two.
    fn variance_of_mean(&self) -> Option<f64> {
        let freedom = self.count.checked_sub(1).filter(|&freedom| freedom > 0)? as f64;
        Some(self.squares / freedom / self.count as f64)
    }

    /// Half the width of the 95 % Student interval of the mean, the values being independent.
    pub(super) fn half_width(&self) -> Option<f64> {
        let variance = self.variance_of_mean()?;
        Some(student_quantile(self.count as f64 - 1.0) * variance.sqrt())
    }

    /// Correlation of each value with the next, for the `values` given to [`Self::of`]; 0 if all
    /// are equal.
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
    quantile_at(freedom, 0.975)
}

fn quantile_at(freedom: f64, share: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).expect("freedom is above 0").inverse_cdf(share)
}

/// Number of batches of single values at which neighbours are joined.
pub(super) const BATCHES_MAX: usize = 256;

/// Contents of a batch.
pub(super) trait Collected: Default {
    /// Number of batches at which neighbours are joined.
    const BATCHES_MAX: usize;

    /// Adds the contents of the next batch.
    fn join(&mut self, next: Self);
}

impl Collected for u64 {
    const BATCHES_MAX: usize = BATCHES_MAX;

    fn join(&mut self, next: Self) {
        *self += next;
    }
}

impl<const N: usize> Collected for [u64; N]
where
    Self: Default,
{
    const BATCHES_MAX: usize = BATCHES_MAX;

    fn join(&mut self, next: Self) {
        self.iter_mut().zip(next).for_each(|(sum, more)| *sum += more);
    }
}

/// Batches of consecutive values.
#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Batches<T = u64> {
    pub(super) size: u64,
    pub(super) whole: Vec<T>,
    pub(super) partial: T,
    count: u64,
}

impl<T: Collected> Batches<T> {
    /// Starts without batches; the first ones have `size` values (at least 1).
    pub(super) fn new(size: u64) -> Self {
        let whole = Vec::with_capacity(T::BATCHES_MAX);
        Self { size: size.max(1), whole, partial: T::default(), count: 0 }
    }

    /// Counts a value already added to the partial batch.
    #[inline]
    pub(super) fn count(&mut self) {
        self.count += 1;
        if self.count == self.size {
            self.close();
        }
    }

    /// Half the width of the 95 % interval of the mean of `part`, from batches of at least `least`
    /// values; `None` with too few batches.
    pub(super) fn half_width_of(&self, part: impl Fn(&T) -> u64, least: f64) -> Option<f64> {
        let mean = |batch: &T| part(batch) as f64 / self.size as f64;
        let means: Vec<f64> = self.whole.iter().map(mean).collect();
        half_width_in_time(&means, (least / self.size as f64).ceil() as usize)
    }

    /// Means of `part` over the first eighth of the batches and over the others, if the difference
    /// is more than twice the half width of the 95 % interval of the mean of an eighth.
    pub(super) fn drift(&self, part: impl Fn(&T) -> u64, least: f64) -> Option<[f64; 2]> {
        let mean = |batch: &T| part(batch) as f64 / self.size as f64;
        let means: Vec<f64> = self.whole.iter().map(mean).collect();
        let (first, later) = means.split_at(means.len() / 8);
        let half = half_width_in_time(later, (least / self.size as f64).ceil() as usize)?;
        let (first, later) = (Moments::of(first)?.mean, Moments::of(later)?.mean);
        ((first - later).abs() > 2.0 * half * 7f64.sqrt()).then_some([first, later])
    }

    /// The sum of `part` over all values.
    pub(super) fn sum(&self, part: impl Fn(&T) -> u64) -> u64 {
        self.whole.iter().map(&part).sum::<u64>() + part(&self.partial)
    }

    /// The number of values.
    pub(super) fn values(&self) -> u64 {
        self.size * self.whole.len() as u64 + self.count
    }

    /// A hash of `part` over all batches.
    pub(super) fn fingerprint_of(&self, part: impl Fn(&T) -> u64) -> u64 {
        let start = mix(mix(self.size, self.count), part(&self.partial));
        self.whole.iter().fold(start, |hash, batch| mix(hash, part(batch)))
    }

    #[inline(never)]
    fn close(&mut self) {
        self.whole.push(std::mem::take(&mut self.partial));
        self.count = 0;
        if self.whole.len() == T::BATCHES_MAX {
            for pair in 0..T::BATCHES_MAX / 2 {
                let mut joined = std::mem::take(&mut self.whole[2 * pair]);
                joined.join(std::mem::take(&mut self.whole[2 * pair + 1]));
                self.whole[pair] = joined;
            }
            self.whole.truncate(T::BATCHES_MAX / 2);
            self.size *= 2;
        }
    }
}

impl Batches {
    #[inline]
    pub(super) fn record(&mut self, value: u64) {
        self.partial += value;
        self.count();
    }

    /// Half the width of the 95 % interval of the mean, from batches of at least `least` values.
    pub(super) fn half_width(&self, least: f64) -> Option<f64> {
        self.half_width_of(|&sum| sum, least)
    }
}

#[cfg(test)]
mod tests;
