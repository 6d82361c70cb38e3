//! What is to be done next in a folder: what is missing, or another round.

use std::ops::Range;

use super::folder::{Folder, OpenError};
use super::{Results, rounds};

/// What is to be run next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// These points of the rounds so far, which have no result.
    Missing(Vec<usize>),
    /// The points of a round that was made now.
    Round(Range<usize>),
    /// Nothing: the study is finished.
    Done,
}

impl Folder {
    /// Makes the next round, if all points so far have their results and the study asks for more.
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
