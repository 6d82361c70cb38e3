//! What a study's file makes of its points: tables, figures and claims, with formulas for what is worked
//! out.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::Verdict;
use super::cases::{ModelName, Value};
use super::formula::{self, Written};
use crate::experiment::plot::Origin;
use crate::scenario::Problem;
use crate::words::Misfit;

pub(super) type Formula = Written<formula::Formula>;
pub(super) type Text = Written<formula::Text>;

/// What is made of the points of a study: how they are written down as cases, what is shown of them, and
/// what is claimed.
///
/// The guide on studies says what formulas know.
#[derive(Clone, Debug)]
pub struct Parts {
    /// What the study is called.
    pub name: String,
    /// The paper that it is about: authors, where and when.
    pub paper: String,
    /// What is run, in a line.
    pub about: String,
    /// True if less is run: fewer cases, shorter runs.
    pub quick: bool,
    pub lets: BTreeMap<String, Formula>,
    /// Models by the name that formulas have for them: the first of these that there is.
    /// Nothing: the first that is made for the system, `model`.
    pub models: Option<BTreeMap<String, Vec<ModelName>>>,
    /// What cases of one curve have in common.
    pub curve: Option<Text>,
    /// Where on its curve a case lies.
    pub x: Formula,
    /// The cases, where points are not made of fields that are varied and loads.
    pub cases: Option<Cast>,
    /// What is compared figure by figure.
    pub tables: Vec<TableOf>,
    /// What is drawn of cases.
    pub figures: Vec<FigureOf>,
    pub claims: Vec<ClaimOf>,
}

impl Parts {
    /// True if anything is compared or judged.
    pub fn judges(&self) -> bool {
        !self.tables.is_empty() || !self.claims.is_empty()
    }

    /// That something is missing which every case has.
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
    pub messages: Option<Formula>,
    /// Time simulated.
    pub cycles: Option<Formula>,
    /// Time left out; found automatically where it is not given.
    pub warm_up: Option<Formula>,
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
    /// What they have in common.
    #[serde(default)]
    pub values: BTreeMap<String, Value>,
    /// A table as CSV, by its path from the study's own, a case in each row. Those whose column `quick` is
    /// `false` are left out of quick runs.
    pub table: Option<String>,
    /// Axes; the last one's values follow each other.
    #[serde(default)]
    pub axes: Vec<Axis>,
    /// Which cases there are; all, if nothing is said.
    pub only: Option<Formula>,
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
    /// What the values are called; several names with a space between.
    pub of: String,
    pub all: Vec<Entry>,
    /// Those of quick runs, if they are others.
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
    /// Of an axis of one name.
    One(Value),
    /// Of an axis of several.
    Many(Vec<Value>),
}

#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct TableOf {
    /// Which it is: `tables 1 and 2`.
    pub name: String,
    pub title: String,
    pub unit: String,
    /// Decimals that are worth showing.
    pub decimals: usize,
    /// Where the figures beside simulation are from.
    #[serde(default)]
    pub beside: Beside,
    /// The lines of each case.
    pub lines: Vec<LineOf>,
}

/// Whose figures simulation here is put beside.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize, Debug)]
pub enum Beside {
    /// Those that the paper prints.
    #[default]
    Paper,
    /// Those of another simulator of the same system, where the paper prints none.
    IndependentSimulation,
}

/// A line of a table, for every case that it is made for.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct LineOf {
    pub of: Formula,
    /// True if only the first case of each curve has it.
    #[serde(default)]
    pub by_curve: bool,
    /// Axes, at every place of which such a case has a line of its own.
    #[serde(default)]
    pub axes: Vec<Axis>,
    pub name: Text,
    pub simulation: Formula,
    /// What the paper printed as simulated or measured, or an independent simulation found.
    pub paper: Option<Formula>,
    /// What the paper printed as computed.
    pub paper_model: Option<Formula>,
    pub model: Option<Formula>,
    /// How far simulation may be from the paper's figure, as a share, if it is held to it.
    pub paper_within: Option<Formula>,
    /// How far the model may be from simulation, as a share, if it is held to it.
    pub model_within: Option<Formula>,
}

#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct FigureOf {
    /// What its files are called: `figure-1`.
    pub name: String,
    pub title: String,
    /// The horizontal axis: name and unit.
    pub x: String,
    /// The vertical axis: name and unit.
    pub y: String,
    /// Where the vertical axis ends.
    pub y_max: Option<f64>,
    pub of: Formula,
    /// What cases of one series have in common.
    pub by: Text,
    /// The curves of each series.
    pub curves: Vec<CurveOf>,
}

/// A curve of a figure, for every series.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct CurveOf {
    /// Where its figures come from.
    pub origin: Origin,
    /// What it is, for the legend.
    pub label: Text,
    /// Across; where it is missing a case has no point.
    pub x: Formula,
    /// Up, the same. Of a model's whole curve nothing.
    pub y: Option<Formula>,
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

#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct ClaimOf {
    /// Where in the paper it stands, and what it says.
    pub says: String,
    /// The verdict that is known to be right.
    #[serde(default)]
    pub expected: Verdict,
    /// Which cases it is about. Without any it is left out.
    pub of: Formula,
    /// True if it is about curves: the first case of each stands for it.
    #[serde(default)]
    pub by_curve: bool,
    /// Cases that each is put beside; without one a case is left out.
    #[serde(default)]
    pub beside: Vec<Partner>,
    /// What is judged of each.
    #[serde(default)]
    pub each: Vec<Judged>,
    /// What is judged of all together.
    #[serde(default)]
    pub together: Vec<Judged>,
    /// The figures in a sentence.
    pub evidence: Text,
}

/// A case that another is put beside.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Partner {
    pub name: String,
    /// What holds of it; the other one is `this`.
    pub is: Formula,
    /// All that there are are put beside it, one after the other; otherwise the first.
    #[serde(default)]
    pub every: bool,
    /// True if it may be missing.
    #[serde(default)]
    pub optional: bool,
}

/// A figure that should lie in a range: formula, least, most.
#[derive(Clone, Deserialize, Debug)]
pub struct Judged(pub Formula, pub Formula, pub Formula);
