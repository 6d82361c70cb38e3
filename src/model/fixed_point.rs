//! Fixed points, renewed round by round until they stay, and the largest rate that has a solution.

use super::{Unsolved, budget, wanted};
use crate::units::Rate;

/// Why equations have no solution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NoSolution {
    /// A queue has more to do than time, or messages are aborted without end.
    Saturated,
    /// The iteration neither settled nor overflowed.
    NotSettled {
        /// Rounds made.
        iterations: u32,
        /// The largest change of an unknown in the last round.
        residual: f64,
    },
    /// Nobody wants it any longer.
    GivenUp,
}

impl NoSolution {
    /// The same, as a model answers at `rate`.
    pub fn at(self, rate: Rate) -> Unsolved {
        match self {
            Self::Saturated => Unsolved::Saturated { rate },
            Self::GivenUp => wanted::end().unwrap_or(Unsolved::GivenUp),
            Self::NotSettled { iterations, residual } => {
                Unsolved::NotSettled { iterations, residual }
            }
        }
    }
}

/// How far a round of an iteration moves, and when it ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Search {
    /// The part of the way to its new value by which a round moves an unknown: 1 is all of it.
    pub step: f64,
    /// It has settled when no unknown is renewed by more than this.
    pub tolerance: f64,
    /// True if that is a part of the largest new value.
    pub relative: bool,
    /// Rounds after which it is given up.
    pub rounds_max: u32,
}

impl Search {
    /// Starts at these unknowns.
    pub fn from<const N: usize>(self, unknowns: [f64; N]) -> FixedPoint<N> {
        FixedPoint { unknowns, rounds: 0, residual: f64::INFINITY, search: self }
    }

    /// What `renew` says beside the new values of the unknowns in the round in which they settle,
    /// and the number of rounds.
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

/// An iteration under way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FixedPoint<const N: usize> {
    /// The unknowns to work the next round out with.
    pub unknowns: [f64; N],
    /// Rounds made.
    pub rounds: u32,
    /// The largest change of an unknown in the last round.
    pub residual: f64,
    search: Search,
}

impl<const N: usize> FixedPoint<N> {
    /// Takes what follows from the unknowns and moves them; whether they have settled. Fails after
    /// the last round.
    pub fn settled(&mut self, renewed: [f64; N]) -> Result<bool, NoSolution> {
        let Search { step, tolerance, relative, rounds_max } = self.search;
        budget::charge(N);
        if wanted::no_longer() {
            return Err(NoSolution::GivenUp);
        }
        self.rounds += 1;
        self.residual = 0.0;
        let mut scale = if relative { 0.0 } else { 1.0f64 };
        for (old, new) in self.unknowns.iter_mut().zip(renewed) {
            let change = new - *old;
            // Not `f64::max`: what is no number never settles.
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

/// The part of the rate without a solution below which none is looked for.
const LEAST: f64 = 1e-9;

/// The largest rate below `overflow` that has a solution, by bisection to a width of `tolerance`
/// of the rate; 0 where not even [`LEAST`] of `overflow` has one. Solutions end once and for all at
/// some rate; `overflow` is one that has none.
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
