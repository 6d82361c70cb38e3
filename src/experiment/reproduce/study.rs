//! A paper that can be run again: what its file says.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Verdict;
use super::cases::Value;
use super::formula::{self, Written};
use crate::experiment::plot::Origin;
use crate::scenario::Problem;

type Formula = Written<formula::Formula>;
type Text = Written<formula::Text>;

/// A paper that can be run again: cases, each of which is simulated and put beside models; what is
/// shown of them, and what is claimed.
///
/// Formulas say what is worked out for a case. They know its values, the names of `lets`, and
///
/// | | |
/// |---|---|
/// | `latency`, `network_latency`, `aborts` | what is simulated, times in the scenario's unit |
/// | `rate`, `offered`, `flits` | rate, load and mean length of its scenario |
/// | `m`, `m.aborts`, `m.set_up` | what the model `m` says at its rate |
/// | `m.limit`, `m.at(rate)`, `m.reaches(latency)` | where `m` saturates; its latency at a rate; the rate of a latency |
/// | `p.x` | the figure `x` of its partner `p` |
/// | `at(x)`, `reaches(latency)` | of its curve: the latency there, and where that is reached |
/// | `mean(x)` | `x` without the bias that it has from few replications |
/// | `if(c, a, b)`, `defined(a)`, `abs(a)`, `min(a, b)`, `max(a, b)` | of numbers and texts |
/// | `quick`, `index`, `inf` | whether less is run; its place; infinity |
///
/// and in the evidence of a claim, over all that it is about,
///
/// | | |
/// |---|---|
/// | `it`, `half`, `fails` | the figure judged, half its 95 % interval, whether it is out of its range |
/// | `count`, `holding`, `failing`, `undecided` | how many there are, by verdict |
/// | `min(x)`, `max(x)`, `sum(x)`, `rms(x)`, `first(x)`, `last(x)` | of those that have an `x` |
/// | `at_min(x, t)`, `at_max(x, t)` | `t` where `x` is least or largest |
/// | `list(t, joint, key)`, `groups(key, t, joint)` | `t` of each, or of each group |
/// | `spread(x, t)` | deviations `x` of lines `t` in three figures |
/// | `crosses(x, y)`, `rises(x, y)` | where `y` changes its sign along `x`; whether it never falls |
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// What it is called on the command line.
    pub name: String,
    /// Authors, where and when.
    pub paper: String,
    /// What is run again, in a line.
    pub about: String,
    /// Formulas with names.
    #[serde(default)]
    pub lets: BTreeMap<String, Formula>,
    /// How a case is run.
    pub run: Run,
    /// The built-in scenario of a case.
    pub scenario: Text,
    /// Fields that are set in it, by path; one that is missing is left as it is.
    pub sets: Vec<(String, Text)>,
    /// The path of the field that is not needed for the models' equations: that of the rate.
    pub axis: String,
    /// Models by the name that formulas have for them: the first of these that there is.
    #[serde(default)]
    pub models: BTreeMap<String, Vec<ModelName>>,
    /// What cases of one curve have in common.
    #[serde(default)]
    pub curve: Text,
    /// Where on its curve a case lies.
    pub x: Formula,
    /// The cases.
    pub cases: Vec<Group>,
    /// What is compared figure by figure.
    pub tables: Vec<TableOf>,
    /// What is drawn.
    pub figures: Vec<FigureOf>,
    /// What is judged.
    pub claims: Vec<ClaimOf>,
}

impl Study {
    /// That something is missing which every study has.
    pub(super) fn lacks(&self, what: &str) -> Vec<Problem> {
        let (source, what) = (self.name.clone(), format!("{what} is missing in a case"));
        vec![Problem { source, place: None, what, help: None }]
    }
}

/// How much is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Fewer points and shorter runs: seconds.
    Quick,
    /// All points, long enough for the paper's digits: minutes.
    Full,
}

/// Which model is meant: the beginning of its name, and its reading.
pub type ModelName = (String, String);

/// How a case is run: see [`End::new`](crate::experiment::End::new).
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Messages counted.
    pub messages: Option<Formula>,
    /// Time simulated.
    pub cycles: Option<Formula>,
    /// Time left out; found automatically where it is not given.
    pub warm_up: Option<Formula>,
    /// Replications in the first round.
    pub replications: u32,
}

/// Cases that are written down together: a table or the values of axes, every one with every one.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// What they have in common.
    #[serde(default)]
    pub values: BTreeMap<String, Value>,
    /// A table of `scenarios/studies`, a case in each row. Those whose column `quick` is `false` are
    /// left out of quick runs.
    pub table: Option<String>,
    /// Axes; the last one's values follow each other.
    #[serde(default)]
    pub axes: Vec<Axis>,
    /// Which cases there are; all, if nothing is said.
    pub only: Option<Formula>,
    /// Fields that are set after those of the study.
    #[serde(default)]
    pub sets: Vec<(String, Text)>,
}

/// Values along an axis.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// What the values are called; several names with a space between.
    pub of: String,
    /// All of them.
    pub all: Vec<Entry>,
    /// Those of quick runs, if they are others.
    pub quick: Option<Vec<Entry>>,
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

/// A table.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct TableOf {
    /// Which it is: `tables 1 and 2`.
    pub name: String,
    /// What its figures are.
    pub title: String,
    /// Their unit.
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
    /// Which cases.
    pub of: Formula,
    /// Whether only the first case of each curve has it.
    #[serde(default)]
    pub by_curve: bool,
    /// Axes, at every place of which such a case has a line of its own.
    #[serde(default)]
    pub axes: Vec<Axis>,
    /// What it is called.
    pub name: Text,
    /// What is simulated.
    pub simulation: Formula,
    /// What the paper printed as simulated or measured, or an independent simulation found.
    pub paper: Option<Formula>,
    /// What the paper printed as computed.
    pub paper_model: Option<Formula>,
    /// What a model computes.
    pub model: Option<Formula>,
    /// How far simulation may be from the paper's figure, as a share, if it is held to it.
    pub paper_within: Option<Formula>,
    /// How far the model may be from simulation, as a share, if it is held to it.
    pub model_within: Option<Formula>,
}

/// A figure.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct FigureOf {
    /// What its files are called: `figure-1`.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The horizontal axis: name and unit.
    pub x: String,
    /// The vertical axis: name and unit.
    pub y: String,
    /// Where the vertical axis ends.
    pub y_max: Option<f64>,
    /// Which cases.
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
    /// Whether only the first case of a series has a point.
    #[serde(default)]
    pub once: bool,
    /// Whether only the first series has it.
    #[serde(default)]
    pub first_only: bool,
    /// Curves of series that come before it in the colours.
    #[serde(default)]
    pub colours: usize,
}

/// What a paper claims.
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
    /// Whether it is about curves: the first case of each stands for it.
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
    /// What it is called.
    pub name: String,
    /// What holds of it; the other one is `this`.
    pub is: Formula,
    /// All that there are are put beside it, one after the other; otherwise the first.
    #[serde(default)]
    pub every: bool,
    /// Whether it may be missing.
    #[serde(default)]
    pub optional: bool,
}

/// A figure that should lie in a range: formula, least, most.
#[derive(Clone, Deserialize, Debug)]
pub struct Judged(pub Formula, pub Formula, pub Formula);
