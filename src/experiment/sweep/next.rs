//! What is to be done next in a folder: what is missing, or another round.

use std::ops::Range;

use super::folder::{Folder, Found, OpenError};
use super::search::{Bracket, Seen};
use super::{Point, Results, Study, rounds};

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
        let found = self.found();
        let missing = found.iter().enumerate().filter(|(_, found)| found.row().is_none());
        let missing: Vec<usize> = missing.map(|(at, _)| at).collect();
        if !missing.is_empty() {
            return Ok(Next::Missing(missing));
        }
        let points = self.study.next_round(|curve| seen(&self.study, &found, curve));
        if points.is_empty() {
            return Ok(Next::Done);
        }
        rounds::write(self.path(), &self.study, &points)?;
        let first = self.study.points.len();
        self.study.add(&points).map_err(OpenError::Study)?;
        Ok(Next::Round(first..self.study.points.len()))
    }
}

impl Results<'_> {
    /// Between which loads a curve saturates.
    pub(super) fn bracket(&self, curve: usize) -> Bracket {
        Bracket::of(&seen(self.study, &self.found, curve))
    }
}

/// What has been seen of a curve, by growing loads.
fn seen(study: &Study, found: &[Found], curve: usize) -> Vec<Seen> {
    let points = study.points.iter().zip(found).filter(|(point, _)| point.curve == curve);
    let seen = |(point, found): (&Point, &Found)| Some(Seen::new(point.load, found.row()?));
    let mut seen: Vec<Seen> = points.filter_map(seen).collect();
    seen.sort_by(|one, other| one.load.total_cmp(&other.load));
    seen
}

#[cfg(test)]
mod tests;
