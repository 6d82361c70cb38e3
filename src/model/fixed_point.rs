//! Fixed points by iteration, and the largest rate with a solution.

use super::{Unsolved, budget, cancellation};
use crate::units::Rate;

/// Reason for having no solution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NoSolution {
    /// A queue is overloaded, or messages are aborted without end.
    Saturated,
    /// The iteration neither converged nor overflowed.
    NotSettled {
        /// Rounds made.
        iterations: u32,
        /// The largest change of an unknown in the last round.
        residual: f64,
    },
    /// Cancelled.
    GivenUp,
}

impl NoSolution {
    /// Converts the reason to a model's error at `rate`.
    pub fn at(self, rate: Rate) -> Unsolved {
        match self {
            Self::Saturated => Unsolved::Saturated { rate },
            Self::GivenUp => cancellation::reason().unwrap_or(Unsolved::GivenUp),
            Self::NotSettled { iterations, residual } => {
                Unsolved::NotSettled { iterations, residual }
            }
        }
    }
}

/// Step size and end of an iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Search {
    /// Share of the difference to its new value by which a round moves an unknown: 1 for the full
    /// difference.
    pub step: f64,
    /// Maximum change of an unknown at convergence.
    pub tolerance: f64,
    /// True if `tolerance` is relative to the largest new value.
    pub relative: bool,
    /// Rounds after which the search is given up.
    pub rounds_max: u32,
}

impl Search {
    /// Starts at the given unknowns.
    pub fn from<const N: usize>(self, unknowns: [f64; N]) -> FixedPoint<N> {
        FixedPoint { unknowns, rounds: 0, residual: f64::INFINITY, search: self }
    }

    /// Iterates until convergence; returns the second result of `renew` in the last round, and the
    /// number of rounds. The first result of `renew` contains the new values of the unknowns.
    pub fn solve<const N: usize, T>(
        self,
        start: [f64; N],
        mut renew: impl FnMut([f64; N]) -> Result<([f64; N], T), NoSolution>,
    ) -> Result<(T, u32), NoSolution> {
        let mut point = self.from(start);
        loop {
            let (renewed, found) = renew(point.unknowns)?;
            if point.settled(renewed)? {
                return Ok((found, point.rounds));
            }
        }
    }
}

/// An iteration in progress.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FixedPoint<const N: usize> {
    /// The unknowns for the next round.
    pub unknowns: [f64; N],
    /// Rounds made.
    pub rounds: u32,
    /// The largest change of an unknown in the last round.
    pub residual: f64,
    search: Search,
}

impl<const N: usize> FixedPoint<N> {
    /// Moves the unknowns towards their new values. True if they have converged. Returns an error
    /// after the last round.
    pub fn settled(&mut self, renewed: [f64; N]) -> Result<bool, NoSolution> {
        let Search { step, tolerance, relative, rounds_max } = self.search;
        budget::charge(N);
        if cancellation::is_cancelled() {
            return Err(NoSolution::GivenUp);
        }
        self.rounds += 1;
        self.residual = 0.0;
        let mut scale = if relative { 0.0 } else { 1.0f64 };
        for (old, new) in self.unknowns.iter_mut().zip(renewed) {
            let change = new - *old;
            // Unlike `f64::max`, keeps NaN, which never converges.
            if change.is_nan() || change.abs() > self.residual {
                self.residual = change.abs();
            }
            if relative {
                scale = scale.max(new.abs());
            }
            *old = if step < 1.0 { *old + step * change } else { new };
        }
        if self.residual <= tolerance * scale {
            return Ok(true);
        }
        if self.rounds < rounds_max {
            return Ok(false);
        }
        Err(NoSolution::NotSettled { iterations: self.rounds, residual: self.residual })
    }
}

/// Share of the rate without a solution below which the search stops.
const LEAST: f64 = 1e-9;

/// The largest rate with a solution below `overflow`, by bisection to a width of `tolerance` of the
/// rate; 0 if not even [`LEAST`] of `overflow` has a solution. Requires that no rate above some
/// limit, nor `overflow`, has a solution.
pub fn largest_rate(overflow: f64, tolerance: f64, mut solved: impl FnMut(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, overflow);
    while high - low > tolerance * high && high > LEAST * overflow {
        let rate = f64::midpoint(low, high);
        if solved(rate) {
            low = rate;
        } else {
            high = rate;
        }
    }
    low
}

#[cfg(test)]
mod tests;
