//! The current results of a study, and the models for comparison.

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::folder::{Folder, Found};
use super::{Point, Study, SweepRow};
use crate::experiment::equations::Equations;
use crate::experiment::reproduce::{PointId, Report, Results as Judged, Theories};

/// The current results of a study.
#[derive(Debug)]
pub struct Results<'a> {
    pub study: &'a Study,
    /// The state of each point.
    pub found: Vec<Found>,
    pub(super) models: Models,
    report: OnceLock<Option<Report>>,
    /// The names of the designs, computed when they are needed.
    pub(super) names: OnceLock<Vec<String>>,
}

/// The models for each curve of a study; empty if not requested.
#[derive(Clone, Debug, Default)]
pub struct Models(Vec<Arc<Theories>>);

impl Models {
    /// The models requested by the study, not yet prepared.
    pub fn of(study: &Study) -> Self {
        let of_curve = |curve| {
            let point = study.points.iter().find(|point| point.curve == curve);
            let case = point.and_then(|point| {
                study.cases().all.iter().find(|case| case.point == PointId(point.place))
            });
            case.map_or_else(Arc::default, |case| Arc::clone(&case.theories))
        };
        Self((0..study.curves.len()).map(of_curve).collect())
    }

    /// Prepares the models, which may take a while.
    #[must_use]
    pub fn prepared(self) -> Self {
        self.0.par_iter().for_each(|all| {
            all.par_iter().for_each(|(_, theory)| {
                let _ = theory.titled();
            });
        });
        self
    }
}

/// A model for comparison with a curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside<'r> {
    /// The model's name in the study.
    pub name: &'r str,
    pub title: &'static str,
    pub equations: &'r Equations,
}

impl<'a> Results<'a> {
    /// The results in a folder, with models if `models` is set, which may take a while.
    pub fn of(folder: &'a Folder, models: bool) -> Self {
        let (study, found) = (&folder.study, folder.found());
        let models = if models { Models::of(study).prepared() } else { Models::default() };
        Self::with_models(study, found, models)
    }

    /// Results with these models.
    pub(super) fn with_models(study: &'a Study, found: Vec<Found>, models: Models) -> Self {
        Self { study, found, models, report: OnceLock::new(), names: OnceLock::new() }
    }

    /// The models of a curve.
    pub(super) fn models(&self, curve: usize) -> impl Iterator<Item = Beside<'_>> {
        self.models.0.get(curve).into_iter().flat_map(|all| all.iter()).filter_map(
            |(name, theory)| {
                let (title, equations) = theory.titled()?;
                Some(Beside { name, title, equations })
            },
        )
    }

    /// The results of all places, for verdicts.
    pub fn judged(&self) -> Judged {
        let mut known = Judged::none(self.study.places());
        for (point, found) in self.study.points.iter().zip(&self.found) {
            if let Some(row) = found.row() {
                known.add(PointId(point.place), &row.replications());
            }
        }
        known
    }

    /// The outcome of the study's own tables, figures and claims, if any.
    pub fn report(&self) -> Option<&Report> {
        let parts = &self.study.parts;
        let some = || parts.judges() || !parts.figures.is_empty();
        let report = || {
            some()
                .then(|| Report::new(parts, self.study.content(), self.study.seed, &self.judged()))
        };
        self.report.get_or_init(report).as_ref()
    }

    /// Finished runs of a study in rounds, and the estimated number of runs in later rounds.
    pub fn whole(&self) -> [usize; 2] {
        if !self.study.has_rounds() {
            return [0; 2];
        }
        let runs = |at: usize| self.study.points[at].task.job.plan.replications as usize;
        let found = self.found.iter().enumerate();
        let done = found.filter(|(_, found)| found.row().is_some()).map(|(at, _)| runs(at)).sum();
        let ahead = self.study.ahead(|curve| self.seen(curve, false));
        [done, ahead * self.study.points.first().map_or(0, |_| runs(0))]
    }

    /// The existing rows, in order of points.
    pub fn rows(&self) -> Vec<SweepRow> {
        let told = |curve| {
            let known = self.bracket(curve).ends().is_some();
            (known, self.metastable(curve))
        };
        let told: Vec<_> = (0..self.study.curves.len()).map(told).collect();
        let row = |(point, found): (&Point, &Found)| {
            let row = found.row()?.clone();
            let (known, loads) = told[point.curve];
            let holds = loads.is_some_and(|loads| loads.holds(point.load));
            let varied = self.study.varied(point.curve);
            Some(row.with_metastable(known.then_some(holds)).with_varied(varied))
        };
        self.study.points.iter().zip(&self.found).filter_map(row).collect()
    }

    /// The points to run: without a result, or with a damaged file.
    pub fn missing(&self) -> impl Iterator<Item = usize> {
        let points = self.found.iter().enumerate();
        points.filter(|(_, found)| found.is_missing()).map(|(at, _)| at)
    }

    /// The points whose files are damaged, each with the file and its damage.
    pub fn damaged(&self) -> impl Iterator<Item = (usize, &str)> {
        let points = self.found.iter().enumerate();
        points.filter_map(|(at, found)| match found {
            Found::Damaged(why) => Some((at, why.as_str())),
            Found::Row(_) | Found::Missing | Found::Refused(_) => None,
        })
    }

    /// The problems of foreign files in place of results.
    pub fn refused(&self) -> impl Iterator<Item = &str> {
        self.found.iter().filter_map(|found| match found {
            Found::Refused(why) => Some(why.as_str()),
            Found::Row(_) | Found::Missing | Found::Damaged(_) => None,
        })
    }

    /// The points of a curve, with their state.
    pub(super) fn curve(&self, curve: usize) -> impl Iterator<Item = (usize, &Found)> {
        let points = self.study.points.iter().zip(&self.found).enumerate();
        points
            .filter(move |(_, (point, _))| point.curve == curve)
            .map(|(at, (_, found))| (at, found))
    }
}
