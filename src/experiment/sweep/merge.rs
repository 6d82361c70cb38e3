//! Merges results of several folders, for machines without a common file system.

use std::io;
use std::path::Path;

use super::folder::{Folder, OpenError};
use super::next_step::Next;
use super::{Found, SweepRow};

/// Counts of merged results.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MergeCounts {
    /// The number of copied results.
    pub taken: usize,
    /// The number of points with results in both folders.
    pub known: usize,
    /// The number of results in the other folder without a point in this study.
    pub foreign: usize,
}

/// The reason for failing to merge results.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A folder cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A result could not be copied.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Two folders have different results of one point: at least one result is not from this
    /// program.
    #[error("point {point}: {ours} in this folder and {theirs} in {folder} are different results")]
    Differ {
        /// The number of the point.
        point: usize,
        /// The fingerprint of the final state in this folder.
        ours: String,
        /// The fingerprint of the final state in the other folder.
        theirs: String,
        folder: String,
    },
}

impl Folder {
    /// Begins the study of another folder in this place, without results.
    pub fn begin_like(path: &Path, other: &Self) -> Result<Self, OpenError> {
        Self::begin(path, &other.study, false)
    }

    /// Copies every valid result of `other` missing in this folder. If `other` has later rounds of
    /// the same search, plans these rounds here too, as far as the results permit.
    pub fn merge(&mut self, other: &Self) -> Result<MergeCounts, MergeError> {
        let mut counts = MergeCounts::default();
        let mut from = 0;
        loop {
            for at in from..self.study.points.len() {
                self.merge_point(at, other, &mut counts)?;
            }
            from = self.study.points.len();
            if other.study.rounds() <= self.study.rounds() {
                break;
            }
            let Next::Round(_) = self.plan()? else { break };
        }
        counts.foreign = other.results_beside(self)?;
        Ok(counts)
    }

    fn merge_point(
        &self,
        at: usize,
        other: &Self,
        counts: &mut MergeCounts,
    ) -> Result<(), MergeError> {
        let point = &self.study.points[at];
        let Found::Row(theirs) = other.found_of(at, point) else { return Ok(()) };
        let found = self.found_of(at, point);
        if let Some(ours) = found.row() {
            counts.known += 1;
            let state = |row: &SweepRow| row.text("fingerprint").to_owned();
            if state(ours) == state(&theirs) {
                return Ok(());
            }
            let folder = crate::text::line(&other.path().display().to_string());
            return Err(MergeError::Differ {
                point: at,
                ours: state(ours),
                theirs: state(&theirs),
                folder,
            });
        }
        if found.is_missing() {
            self.copy(&point.task.fingerprint, other)?;
            counts.taken += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
