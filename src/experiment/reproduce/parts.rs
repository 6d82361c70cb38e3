//! Cases, tables and figures of a study, as its file names them.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::cases::{ModelName, Value};
use super::claim::Paper;
use super::lookup::{Derived, Lookup};
use super::names::{Figure, Text};
use crate::experiment::plot::Origin;
use crate::scenario::Problem;
use crate::words::Misfit;

/// The cases of a study, and the tables and figures made of their results.
#[derive(Clone, Debug)]
pub struct Parts {
    pub name: String,
    /// The paper that it is about: authors, where and when.
    pub paper: String,
    /// Subject in a line.
    pub about: String,
    /// True if less is run: fewer cases, shorter runs.
    pub quick: bool,
    /// The paper whose claims and figures are worked out.
    pub judged: Option<&'static Paper>,
    /// Models by the name that the study gives them: the first of these that there is.
    /// Nothing: the first that is made for the system, `model`.
    pub models: Option<BTreeMap<String, Vec<ModelName>>>,
    /// Text that is the same for cases of one curve.
    pub curve: Option<Text>,
    /// Place of a case on its curve.
    pub x: Figure,
    /// The cases, where points are not made of fields that are varied and loads.
    pub cases: Option<Cast>,
    pub tables: Vec<TableOf>,
    pub figures: Vec<FigureOf>,
}

impl Parts {
    /// True if anything is compared or judged.
    pub fn judges(&self) -> bool {
        !self.tables.is_empty() || self.judged.is_some()
    }

    /// The figures of the paper.
    pub(super) fn derived(&self) -> Derived {
        self.judged.map(|paper| paper.derived).unwrap_or_default()
    }

    /// Reports that a case lacks something.
    pub(super) fn lacks(&self, what: &str) -> Vec<Problem> {
        self.in_a_case(format!("{what} is missing in a case"), None)
    }

    /// A contradiction in the values of a case.
    pub(super) fn contradiction(&self, misfit: Misfit) -> Vec<Problem> {
        self.in_a_case(format!("{} in a case", misfit.what), Some(misfit.help))
    }

    fn in_a_case(&self, what: String, help: Option<String>) -> Vec<Problem> {
        let source = if self.name.is_empty() { "the study".into() } else { self.name.clone() };
        vec![Problem { source, place: None, what, help }]
    }
}

/// Cases, and what is run for each.
#[derive(Clone, Debug)]
pub struct Cast {
    /// The scenario of a case.
    pub scenario: Text,
    /// Fields that are set in it, by path; one that is missing is left as it is.
    pub set: Vec<(String, Text)>,
    /// The path of the field that the models' equations do not need: that of the rate.
    pub axis: String,
    /// Messages counted.
    pub messages: Option<Figure>,
    /// Time simulated.
    pub cycles: Option<Figure>,
    /// Time left out; found automatically where it is not given.
    pub warm_up: Option<Figure>,
    /// Half a 95 % interval as a share of the mean latency.
    pub precision: Option<f64>,
    /// Replications in the first round.
    pub replications: u32,
    /// The cases.
    pub groups: Vec<Group>,
}

/// Cases that are written down together: a table or the values of axes, every one with every one.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Values that all of them have.
    #[serde(default)]
    pub values: BTreeMap<String, Value>,
    /// A table as CSV, by its path from the study's own, a case in each row. Those whose column `quick` is
    /// `false` are left out of quick runs.
    pub table: Option<String>,
    /// Axes; the last one's values follow each other.
    #[serde(default)]
    pub axes: Vec<Axis>,
    /// Cases that are run.
    #[serde(default)]
    pub only: Selection,
    /// Fields that are set after those of the study.
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
    /// Name of the values, or several names with a space between.
    pub of: String,
    pub all: Vec<Entry>,
    /// Values of quick runs, if they differ.
    pub quick: Option<Vec<Entry>>,
}

impl Axis {
    /// The places along it.
    pub(super) fn entries(&self, quick: bool) -> &[Entry] {
        self.quick.as_ref().filter(|_| quick).unwrap_or(&self.all)
    }
}

/// A place on an axis: a value for each of its names.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(untagged)]
pub enum Entry {
    One(Value),
    /// One value for each name of the axis.
    Many(Vec<Value>),
}

impl Entry {
    pub fn values(&self) -> &[Value] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Many(values) => values,
        }
    }
}

/// Cases chosen by their values: of each name one value or several. Without names it is all cases.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(untagged)]
pub enum Selection {
    Values(BTreeMap<String, Entry>),
    /// A condition in the form of earlier versions, which is refused.
    Formula(String),
}

impl Default for Selection {
    fn default() -> Self {
        Self::Values(BTreeMap::new())
    }
}

impl Selection {
    /// The names of the values.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        match self {
            Self::Values(values) => Some(values.keys()),
            Self::Formula(_) => None,
        }
        .into_iter()
        .flatten()
    }

    pub fn holds(&self, case: &Lookup<'_>) -> bool {
        let is = |(name, values): (&String, &Entry)| {
            case.value(name).is_some_and(|value| values.values().contains(&value))
        };
        match self {
            Self::Values(values) => values.iter().all(is),
            Self::Formula(_) => false,
        }
    }
}

#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct TableOf {
    pub name: String,
    pub title: String,
    pub unit: String,
    /// Decimals that are worth showing.
    pub decimals: usize,
    /// Source of the figures beside simulation.
    #[serde(default)]
    pub beside: Beside,
    /// The lines of each case.
    pub lines: Vec<LineOf>,
}

/// Source of figures to compare simulation with.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize, Debug)]
pub enum Beside {
    #[default]
    Paper,
    /// Another simulator of the same system, where the paper prints no figures.
    IndependentSimulation,
}

/// A line of a table, for every case that it is made for.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct LineOf {
    #[serde(default)]
    pub of: Selection,
    /// True if only the first case of each curve has it.
    #[serde(default)]
    pub by_curve: bool,
    /// Axes, at every place of which such a case has a line of its own.
    #[serde(default)]
    pub axes: Vec<Axis>,
    pub name: Text,
    pub simulation: Figure,
    /// Simulated or measured figure in print, or that of an independent simulation.
    pub paper: Option<Figure>,
    /// Computed figure in print.
    pub paper_model: Option<Figure>,
    pub model: Option<Figure>,
    /// Greatest deviation of simulation from the paper's figure, as a share.
    pub paper_within: Option<Figure>,
    /// Greatest deviation of the model from simulation, as a share.
    pub model_within: Option<Figure>,
}

#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct FigureOf {
    /// Name of its files: `figure-1`.
    pub name: String,
    pub title: String,
    /// The horizontal axis: name and unit.
    pub x: String,
    /// The vertical axis: name and unit.
    pub y: String,
    /// End of the vertical axis.
    pub y_max: Option<f64>,
    #[serde(default)]
    pub of: Selection,
    /// Text that is the same for cases of one series.
    pub by: Text,
    /// The curves of each series.
    pub curves: Vec<CurveOf>,
}

/// A curve of a figure, for every series.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct CurveOf {
    pub origin: Origin,
    /// Entry in the legend.
    pub label: Text,
    /// Across; where it is missing a case has no point.
    pub x: Figure,
    /// Up, the same. Of a model's whole curve nothing.
    pub y: Option<Figure>,
    /// The model whose curve it is, over all rates; `x` is then a rate's unit.
    pub model: Option<String>,
    /// True if only the first case of a series has a point.
    #[serde(default)]
    pub once: bool,
    /// True if only the first series has it.
    #[serde(default)]
    pub first_only: bool,
    /// Curves of series that come before it in the colours.
    #[serde(default)]
    pub colours: usize,
}
