//! Cases, tables and figures of a study, as declared in its file.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::cases::{ModelName, Value};
use super::claim::Paper;
use super::lookup::Derived;
use super::names::{Figure, Text};
use super::selection::{Entry, Selection};
use crate::experiment::plot::Origin;
use crate::scenario::Problem;
use crate::words::Misfit;

/// The cases of a study, with the tables and figures of their results.
#[derive(Clone, Debug)]
pub struct Parts {
    pub name: String,
    /// The study's paper: authors, venue and year.
    pub paper: String,
    /// The subject, in one line.
    pub about: String,
    /// True for a reduced study: fewer cases, shorter runs.
    pub quick: bool,
    /// The paper with the claims and figures to evaluate.
    pub judged: Option<&'static Paper>,
    /// Models by name, each the first available of a list. `None`: a single `model`, the first that
    /// fits the system.
    pub models: Option<BTreeMap<String, Vec<ModelName>>>,
    /// The text identifying a curve, equal for all its cases.
    pub curve: Option<Text>,
    /// The position of a case on its curve.
    pub x: Figure,
    /// The cases, unless points result from varied fields and loads.
    pub cases: Option<Cast>,
    pub tables: Vec<TableOf>,
    pub figures: Vec<FigureOf>,
}

impl Parts {
    /// True if the study has comparisons or claims.
    pub fn judges(&self) -> bool {
        !self.tables.is_empty() || self.judged.is_some()
    }

    /// The figures of the paper.
    pub(super) fn derived(&self) -> Derived {
        self.judged.map(|paper| paper.derived).unwrap_or_default()
    }

    /// Reports a missing property of a case.
    pub(super) fn lacks(&self, what: &str) -> Vec<Problem> {
        self.in_a_case(format!("{what} is missing in a case"), None)
    }

    /// Reports a contradiction between the values of a case.
    pub(super) fn contradiction(&self, misfit: Misfit) -> Vec<Problem> {
        self.in_a_case(format!("{} in a case", misfit.what), Some(misfit.help))
    }

    fn in_a_case(&self, what: String, help: Option<String>) -> Vec<Problem> {
        let source = if self.name.is_empty() { "the study".into() } else { self.name.clone() };
        vec![Problem { source, place: None, what, help }]
    }
}

/// Cases, with the runs for each.
#[derive(Clone, Debug)]
pub struct Cast {
    /// The scenario of a case.
    pub scenario: Text,
    /// Fields to set, by path; a field with a missing value keeps its default.
    pub set: Vec<(String, Text)>,
    /// The path of the rate field, irrelevant to the models' equations.
    pub axis: String,
    /// Messages counted.
    pub messages: Option<Figure>,
    /// Time simulated.
    pub cycles: Option<Figure>,
    /// Warm-up time; detected automatically by default.
    pub warm_up: Option<Figure>,
    /// Half a 95 % interval as a share of the mean latency.
    pub precision: Option<f64>,
    /// Replications in the first round.
    pub replications: u32,
    /// The cases.
    pub groups: Vec<Group>,
}

/// Cases declared together: a table or all combinations of axis values.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Values common to all cases.
    #[serde(default)]
    pub values: BTreeMap<String, Value>,
    /// A CSV table with a case per row, by its path relative to the study. Rows with `false` in the
    /// column `quick` are omitted from quick runs.
    pub table: Option<String>,
    /// Axes; values of the last axis vary fastest.
    #[serde(default)]
    pub axes: Vec<Axis>,
    /// The cases to run.
    #[serde(default)]
    pub only: Selection,
    /// Fields set after the study's fields.
    #[serde(default)]
    pub set: Entries,
}

/// Fields and their values, in the order of the file.
#[derive(Clone, Default, Debug)]
pub struct Entries(pub Vec<(String, Text)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self::default())
    }
}

impl<'de> Visitor<'de> for Entries {
    type Value = Self;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from fields to values")
    }
    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(entry) = map.next_entry()? {
            self.0.push(entry);
        }
        Ok(self)
    }
}

/// Values along an axis.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Name of the values, or several names separated by spaces.
    pub of: String,
    pub all: Vec<Entry>,
    /// Values for quick runs, if different.
    pub quick: Option<Vec<Entry>>,
}

impl Axis {
    /// The entries of the axis.
    pub(super) fn entries(&self, quick: bool) -> &[Entry] {
        self.quick.as_ref().filter(|_| quick).unwrap_or(&self.all)
    }
}

#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct TableOf {
    pub name: String,
    pub title: String,
    pub unit: String,
    /// Number of decimals shown.
    pub decimals: usize,
    /// Source of the reference figures.
    #[serde(default)]
    pub beside: ReferenceSource,
    /// The lines of each case.
    pub lines: Vec<LineOf>,
}

/// Source of reference figures for the simulation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize, Debug)]
pub enum ReferenceSource {
    #[default]
    Paper,
    /// Another simulator of the same system, used if the paper prints no figures.
    IndependentSimulation,
}

/// A table line, repeated for every selected case.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct LineOf {
    #[serde(default)]
    pub of: Selection,
    /// True if only the first case of each curve has this line.
    #[serde(default)]
    pub by_curve: bool,
    /// Axes; a selected case has one line per combination of their values.
    #[serde(default)]
    pub axes: Vec<Axis>,
    pub name: Text,
    pub simulation: Figure,
    /// Simulated or measured figure in print, or from an independent simulation.
    pub paper: Option<Figure>,
    /// Computed figure in print.
    pub paper_model: Option<Figure>,
    pub model: Option<Figure>,
    /// Maximum relative deviation of the simulation from the paper's figure.
    pub paper_within: Option<Figure>,
    /// Maximum relative deviation of the model from the simulation.
    pub model_within: Option<Figure>,
}

#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct FigureOf {
    /// Base name of the output files: `figure-1`.
    pub name: String,
    pub title: String,
    /// The horizontal axis: name and unit.
    pub x: String,
    /// The vertical axis: name and unit.
    pub y: String,
    /// Upper limit of the vertical axis.
    pub y_max: Option<f64>,
    #[serde(default)]
    pub of: Selection,
    /// The text identifying a series, equal for all its cases.
    pub by: Text,
    /// The curves of each series.
    pub curves: Vec<CurveOf>,
}

/// A curve of a figure, for every series.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct CurveOf {
    pub origin: Origin,
    /// Legend entry.
    pub label: Text,
    /// Horizontal coordinate; cases without a value have no point.
    pub x: Figure,
    /// Vertical coordinate, likewise. Absent for a model's whole curve.
    pub y: Option<Figure>,
    /// The model of a curve over all rates; `x` is then the unit of rates.
    pub model: Option<String>,
    /// True if points are joined in the order of the cases, not of x.
    #[serde(default)]
    pub as_listed: bool,
    /// True if only the first case of a series has a point.
    #[serde(default)]
    pub once: bool,
    /// True if only the first series has this curve.
    #[serde(default)]
    pub first_only: bool,
    /// Number of curves per series that precede this one in the colour order.
    #[serde(default)]
    pub colours: usize,
}
