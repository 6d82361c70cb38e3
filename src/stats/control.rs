//! Control variates: means corrected by the deviations of other means from their known expectations.
//!
//! Batch means of the figures are regressed on batch means of the controls. The deviation of each control from its
//! expectation over the whole run, times its coefficient, is subtracted from the means (Lavenberg & Welch 1981, "A
//! perspective on the use of control variables to increase the efficiency of Monte Carlo simulations",
//! *Management Science* 27(3), 322–335). The interval follows from the residuals, widened for the estimated
//! coefficients.

use super::interval::{Batches, VALUES_MIN, half_width_in_time, joined};

/// Figures corrected together: latency, wait at the source, blocking, transfer.
const FIGURES: usize = 4;
/// Number of controls of a message.
pub const CONTROLS: usize = 6;

/// The largest remaining share of the variance at which controls are used. A small gain may be due to chance, and
/// coefficients of skewed data bias the mean.
const WORTHWHILE: f64 = 0.8;
/// The least part of a control's squared deviations that others do not explain.
const OWN_PART: f64 = 1e-6;
/// The part of squared deviations that may be due to rounding: a transfer time that depends only on
/// hops and length is explained completely.
const ROUNDING: f64 = 1e-12;

/// Corrections of means by control variates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Controlled {
    /// To be subtracted from the mean of each figure, in its unit.
    pub(super) shifts: [f64; FIGURES],
    /// Half widths of the 95 % intervals of the corrected means.
    pub(super) half_widths: [f64; FIGURES],
    /// The variance of the corrected mean of the first figure, as a share of the variance without correction.
    pub(super) variance_left: f64,
}

/// A control without the parts that earlier controls explain.
struct Basis {
    /// Deviations of the batch means from their mean.
    values: Vec<f64>,
    squares: f64,
    /// The mean over the run less the expectation.
    deviation: f64,
}

/// Corrects the means of `figures` by `controls` with the given expectations, both in batches of the same messages.
/// Joins `group` batches at a time. `None` with too few batches, or if the controls explain little.
pub(super) fn controlled(
    figures: &Batches<[u64; FIGURES]>,
    controls: &Batches<[u64; CONTROLS]>,
    expectations: [f64; CONTROLS],
    group: usize,
) -> Option<Controlled> {
    debug_assert_eq!((figures.size, figures.whole.len()), (controls.size, controls.whole.len()));
    let basis = basis(controls, expectations, group);
    let plain = means(figures, 0, group);
    let (count, used) = (plain.len() as f64, basis.len() as f64);
    if plain.len() < 2 * VALUES_MIN || basis.is_empty() {
        return None;
    }
    let wider =
        ((count - 2.0) / (count - used - 2.0) * (count - 1.0) / (count - used - 1.0)).sqrt();
    let mut found = Controlled {
        shifts: [0.0; FIGURES],
        half_widths: [0.0; FIGURES],
        variance_left: f64::INFINITY,
    };
    for figure in 0..FIGURES {
        let mut rest = centred(&means(figures, figure, group));
        let whole = dot(&rest, &rest);
        for control in &basis {
            let coefficient = dot(&control.values, &rest) / control.squares;
            found.shifts[figure] += coefficient * control.deviation;
            subtract(&mut rest, coefficient, &control.values);
        }
        if dot(&rest, &rest) > ROUNDING * whole {
            found.half_widths[figure] = half_width_in_time(&rest, 1)? * wider;
        }
    }
    let left = found.half_widths[0] / half_width_in_time(&plain, 1)?;
    found.variance_left = left * left;
    (found.variance_left < WORTHWHILE).then_some(found)
}

/// The controls that vary, made orthogonal over the batches one after the other (modified Gram–Schmidt).
fn basis(
    controls: &Batches<[u64; CONTROLS]>,
    expectations: [f64; CONTROLS],
    group: usize,
) -> Vec<Basis> {
    let mut basis: Vec<Basis> = Vec::with_capacity(CONTROLS);
    let messages = controls.values() as f64;
    for (control, expectation) in expectations.into_iter().enumerate() {
        let mut values = centred(&means(controls, control, group));
        let whole = dot(&values, &values);
        let sum = controls.sum(|batch| batch[control]);
        let mut deviation = sum as f64 / messages - expectation;
        for earlier in &basis {
            let coefficient = dot(&earlier.values, &values) / earlier.squares;
            subtract(&mut values, coefficient, &earlier.values);
            deviation -= coefficient * earlier.deviation;
        }
        let squares = dot(&values, &values);
        if squares > OWN_PART * whole {
            basis.push(Basis { values, squares, deviation });
        }
    }
    basis
}

/// The means of one entry over `group` batches at a time.
fn means<const N: usize>(batches: &Batches<[u64; N]>, entry: usize, group: usize) -> Vec<f64>
where
    [u64; N]: Default,
{
    let mean = |batch: &[u64; N]| batch[entry] as f64 / batches.size as f64;
    joined(&batches.whole.iter().map(mean).collect::<Vec<f64>>(), group.max(1))
}

/// The deviations of values from their mean.
fn centred(values: &[f64]) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| value - mean).collect()
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn subtract(from: &mut [f64], times: f64, values: &[f64]) {
    from.iter_mut().zip(values).for_each(|(from, value)| *from -= times * value);
}

#[cfg(test)]
mod tests;
