//! What is known of a study: the results that there are, and the models beside them.

use rayon::prelude::*;

use super::folder::{Folder, Found};
use super::{Study, SweepRow};
use crate::experiment::equations::Equations;

/// What is known of a study.
#[derive(Debug)]
pub struct Results<'a> {
    /// The study.
    pub study: &'a Study,
    /// What there is of each point.
    pub found: Vec<Found>,
    /// For each curve the first model that is made for such systems, by its name.
    pub(super) models: Vec<Option<(&'static str, Equations)>>,
}

impl<'a> Results<'a> {
    /// The results in a folder, beside models where `models` says so, which may take a while.
    pub fn of(folder: &'a Folder, models: bool) -> Self {
        let (study, found) = (&folder.study, folder.found());
        let first = |curve| study.points.iter().find(|point| point.curve == curve);
        let model = |curve: usize| {
            first(curve).filter(|_| models).and_then(|point| {
                let system = &point.task.job.scenario.system;
                Equations::fitting(system)
            })
        };
        let models = (0..study.curves.len()).into_par_iter().map(model).collect();
        Self { study, found, models }
    }

    /// The rows that there are, by their points.
    pub fn rows(&self) -> Vec<SweepRow> {
        self.found.iter().filter_map(|found| found.row().cloned()).collect()
    }

    /// The points without a result, those in whose place something else stands left out.
    pub fn missing(&self) -> impl Iterator<Item = usize> {
        let points = self.found.iter().enumerate();
        points.filter(|(_, found)| **found == Found::Missing).map(|(at, _)| at)
    }

    /// What is wrong with the files that stand in the place of results.
    pub fn refused(&self) -> impl Iterator<Item = &str> {
        self.found.iter().filter_map(|found| match found {
            Found::Refused(why) => Some(why.as_str()),
            Found::Row(_) | Found::Missing => None,
        })
    }

    /// The points of a curve, with what there is of each.
    pub(super) fn curve(&self, curve: usize) -> impl Iterator<Item = (usize, &Found)> {
        let points = self.study.points.iter().zip(&self.found).enumerate();
        points
            .filter(move |(_, (point, _))| point.curve == curve)
            .map(|(at, (_, found))| (at, found))
    }
}
