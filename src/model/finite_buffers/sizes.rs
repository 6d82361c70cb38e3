//! Statistics of worm sizes.
//!
//! These are two moments, the number of links occupied by a worm, and the number of worms in a
//! buffer.
//!
//! | Symbol | Code | Meaning | Equation |
//! |---|---|---|---|
//! | L | [`moments`] | worm size, flits | – |
//! | F(x) | [`shorter`] | probability of a worm shorter than x flits | 002 (2), (3) |
//! | ϑ(k) | [`fitting`] | probability that exactly k whole worms fit in Δ flits | 002 (8) |
//!
//! Exponential sizes are continuous, as in the paper; on the flit grid of the engine they are
//! geometric, and with a mean of 200 flits the two differ by less than a flit. Sizes given as
//! geometric are treated exactly: L² has the mean 2m² − m, and the number of worms that end within
//! Δ flits has the distribution of successes in Δ trials with probability 1/m.

use statrs::distribution::{Binomial, Discrete, Poisson};

use crate::model::queue::moments::Moments;
use crate::traffic::Lengths;

/// Probabilities below this limit are omitted from [`fitting`], at either end.
const RARE: f64 = 1e-9;
/// Maximum number of worms in a buffer of the model.
pub(super) const WORMS_MAX: usize = 10_000;

/// The moments of a worm's size in flits, equal to the moments of its passing time.
pub(super) fn moments(lengths: Lengths) -> Moments {
    let mean = lengths.mean();
    let variance = match lengths {
        Lengths::Fixed(_) => 0.0,
        Lengths::Exponential { .. } => mean * mean,
        Lengths::Geometric { .. } => mean * mean - mean,
        Lengths::Uniform { min, max } => {
            let sizes = f64::from(max - min) + 1.0;
            (sizes * sizes - 1.0) / 12.0
        }
    };
    Moments::with_variance(mean, variance)
}

/// F: the probability that a worm has fewer than `flits` flits (a whole number).
pub(super) fn shorter(lengths: Lengths, flits: f64) -> f64 {
    if flits <= 0.0 {
        return 0.0;
    }
    match lengths {
        Lengths::Fixed(size) => f64::from(u8::from(f64::from(size) < flits)),
        Lengths::Exponential { mean } => -(-flits / mean).exp_m1(),
        Lengths::Geometric { mean } if mean <= 1.0 => f64::from(u8::from(flits > 1.0)),
        Lengths::Geometric { mean } => -((flits - 1.0) * (-1.0 / mean).ln_1p()).exp_m1(),
        Lengths::Uniform { min, max } => {
            let (min, max) = (f64::from(min), f64::from(max));
            ((flits - min) / (max - min + 1.0)).clamp(0.0, 1.0)
        }
    }
}

/// Eq. (8): the number of whole worms in `flits` flits, as (number, probability), in ascending
/// order, without rare numbers. `None` above [`WORMS_MAX`].
pub(super) fn fitting(lengths: Lengths, flits: f64) -> Option<Vec<(usize, f64)>> {
    let whole = flits.floor();
    let mean = whole / lengths.mean();
    // More than 12 standard deviations below the limit, under any distribution.
    if mean + 12.0 * mean.sqrt() > WORMS_MAX as f64 {
        return None;
    }
    let probabilities = match lengths {
        Lengths::Fixed(size) => return Some(vec![((whole / f64::from(size)) as usize, 1.0)]),
        Lengths::Geometric { mean } if mean <= 1.0 => return Some(vec![(whole as usize, 1.0)]),
        Lengths::Exponential { mean: size } => {
            let law = Poisson::new(flits / size).ok()?;
            until_rare(flits / size, |k| law.pmf(k))
        }
        Lengths::Geometric { mean: size } => {
            let law = Binomial::new(1.0 / size, whole as u64).ok()?;
            until_rare(mean, |k| law.pmf(k))
        }
        Lengths::Uniform { min, max } => of_uniform(min as usize, max as usize, whole as usize),
    };
    let mut below = 0.0;
    let common = |p: &f64| {
        below += p;
        below >= RARE
    };
    let first = probabilities.iter().position(common).unwrap_or(probabilities.len());
    let kept = &probabilities[first..];
    let sum: f64 = kept.iter().sum();
    Some(kept.iter().enumerate().map(|(k, p)| (first + k, p / sum)).collect())
}

/// A distribution from 0 up to a rare tail beyond `mean`.
fn until_rare(mean: f64, pmf: impl Fn(u64) -> f64) -> Vec<f64> {
    let mut all = Vec::new();
    let mut left = 1.0;
    for k in 0.. {
        let here = pmf(k);
        all.push(here);
        left -= here;
        if k as f64 >= mean && left < RARE {
            break;
        }
    }
    all
}

/// Convolution on the flit grid: with Fₖ(x) the probability that k worms have x flits or fewer,
/// Fₖ₊₁(x) is the mean of Fₖ over x − max to x − min, a difference of two running sums.
fn of_uniform(min: usize, max: usize, flits: usize) -> Vec<f64> {
    let sizes = (max - min + 1) as f64;
    // Fₖ at 0 to `flits`; zero worms always fit.
    let mut fits = vec![1.0; flits + 1];
    let mut sums = vec![0.0; flits + 2];
    let mut all = Vec::new();
    loop {
        let now = fits[flits];
        for (x, fit) in fits.iter().enumerate() {
            sums[x + 1] = sums[x] + fit;
        }
        for (x, fit) in fits.iter_mut().enumerate() {
            // Sums of Fₖ over 0 to x − min, less the sums over 0 to x − max − 1.
            let upper = if x >= min { sums[x - min + 1] } else { 0.0 };
            let lower = if x > max { sums[x - max] } else { 0.0 };
            *fit = ((upper - lower) / sizes).clamp(0.0, 1.0);
        }
        all.push((now - fits[flits]).max(0.0));
        if fits[flits] < RARE {
            return all;
        }
    }
}

#[cfg(test)]
mod tests;
