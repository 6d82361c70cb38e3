//! The next step in a folder: missing points, or another round.

use std::ops::Range;

use super::folder::{Folder, OpenError};
use super::{Results, rounds};

/// The next points to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// The points of existing rounds without a result.
    Missing(Vec<usize>),
    /// The points of a newly planned round.
    Round(Range<usize>),
    /// None: the study is finished.
    Done,
}

impl Folder {
    /// Plans the next round, if all existing points have results and the study needs more.
    pub fn plan(&mut self) -> Result<Next, OpenError> {
        let results = Results::of(self, false);
        let found = results.found.iter().enumerate();
        let missing: Vec<usize> =
            found.filter(|(_, found)| found.row().is_none()).map(|(at, _)| at).collect();
        if !missing.is_empty() {
            return Ok(Next::Missing(missing));
        }
        let mut points = self.study.next_round(|curve, from_above| results.seen(curve, from_above));
        if points.is_empty() && self.study.parts.judges() {
            points = self.study.undecided(&results.judged());
        }
        if points.is_empty() {
            return Ok(Next::Done);
        }
        rounds::write(self.path(), &self.study, &points)?;
        self.damaged_round = None;
        let first = self.study.points.len();
        self.study.add(&points).map_err(OpenError::Study)?;
        Ok(Next::Round(first..self.study.points.len()))
    }
}

#[cfg(test)]
mod tests;
