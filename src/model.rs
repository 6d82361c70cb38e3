//! Predictions of queueing theory.
//!
//! Models are independent of engines: each takes a [`System`] and returns a latency, named terms
//! and a saturation rate, or the reason for having none.

pub mod adaptive_hypercube;
pub mod adaptive_torus;
mod assumptions;
pub mod bound;
pub mod budget;
pub mod cancellation;
pub mod channel_flow;
pub mod circuit;
pub mod comparison;
pub mod deterministic_torus;
pub mod effect;
pub mod finite_buffers;
mod fixed_point;
mod injection;
pub mod link_paces;
pub mod mesh;
pub mod one_way_torus;
mod order;
pub mod path;
pub mod queue;
mod registry;
pub mod spread;
mod square;
pub mod stated_error;
mod unsolved;
pub mod zero_load;

use crate::ids::ChannelId;
use crate::system::System;
use crate::traffic::Traffic;
use crate::units::Rate;
use effect::Effect;
use fixed_point::{NoSolution, largest_rate};
use link_paces::LinkPaces;
use path::PathForecast;
use queue::Moments;
pub use registry::{models_for, models_without_equations};
use spread::Spread;
use stated_error::StatedError;

pub use unsolved::Unsolved;

/// An assumption of a model violated by a system.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// The assumption: "uniform destinations".
    pub assumes: String,
    /// The violation: "4 % of the messages go to a hotspot".
    pub found: String,
    /// True if messages take longer than predicted because of the violation, false if shorter;
    /// `None` if undecidable.
    pub slower: Option<bool>,
    /// The parts of a latency that depend on the assumption, and the error due to the violation.
    pub effect: Effect,
}

impl Mismatch {
    /// Sets `slower`.
    #[must_use]
    fn making(self, slower: bool) -> Self {
        Self { slower: Some(slower), ..self }
    }
}

/// A solution.
#[derive(Clone, PartialEq, Debug)]
pub struct Prediction {
    /// Mean latency in cycles, generation to consumption of the tail.
    pub latency_mean: f64,
    /// Named parts in order, in cycles, with the mean latency as their sum.
    pub terms: Vec<Term>,
    /// Links of the mean message's route, if the model computes the number.
    pub hops_mean: Option<f64>,
    /// Rounds of the fixed point; 1 for explicit equations.
    pub iterations: u32,
    /// Figures specific to circuits; `None` for worms.
    pub circuits: Option<Circuits>,
    /// Latency distribution, if the model computes one.
    pub spread: Option<Spread>,
}

/// Predictions specific to circuits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Circuits {
    /// Mean time from generation to the acknowledgement of the complete path, in cycles.
    pub set_up_cycles: f64,
    /// Aborted attempts per message.
    pub aborts: f64,
    /// Probability that a link is busy when checked.
    pub conflict: f64,
    /// The share of time during which a link is reserved.
    pub link_utilisation: f64,
    /// The share of time during which a controller is busy.
    pub controller_utilisation: f64,
    /// Mean wait at a controller, in cycles.
    pub controller_wait_cycles: f64,
}

impl Prediction {
    /// Sum of the terms of `part`, in cycles; `None` without such terms. All parts add up to the
    /// mean latency.
    pub fn part(&self, part: Part) -> Option<f64> {
        let of_part = self.terms.iter().filter(|term| term.part == part);
        of_part.map(|term| term.cycles).reduce(|sum, cycles| sum + cycles)
    }
}

/// A part of a latency, also measurable in a simulation, message by message.
#[derive(Clone, Copy, PartialEq, Eq, serde::Serialize, strum::IntoStaticStr, Debug)]
#[serde(into = "&'static str")]
#[strum(serialize_all = "lowercase")]
pub enum Part {
    /// The wait from generation to the head's first move; over a circuit, to the start of the data.
    #[strum(serialize = "source wait")]
    SourceWait,
    /// Time in the network beyond the transfer without other messages: waiting for channels held by
    /// others, and slower moves on shared channels. Over a circuit, the release.
    Blocking,
    /// Time in the network without other messages, from the head's first move; over a circuit, the
    /// time of the data.
    Transfer,
}

impl Part {
    /// The parts in chronological order for a message.
    pub const ALL: [Self; 3] = [Self::SourceWait, Self::Blocking, Self::Transfer];

    /// Display name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A term of a prediction.
#[derive(Clone, PartialEq, serde::Serialize, Debug)]
pub struct Term {
    /// Name of the term: "source waiting".
    pub name: &'static str,
    /// The part of the latency containing the term.
    pub part: Part,
    /// Duration in cycles.
    pub cycles: f64,
}

/// Predictions for one channel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChannelForecast {
    pub channel: ChannelId,
    /// Position of the channel in the order of computation: 1 without successors, else 1 more than
    /// the highest possible successor.
    pub rank: u32,
    /// Number of preceding channels of worms; 0 for injection channels.
    pub inputs: u32,
    /// Messages per cycle.
    pub flow: f64,
    /// Time for a worm at the head of the channel's buffer to leave: contention for the next
    /// channel and its holding time.
    pub service: Moments,
    /// Mean cycles from the head of the preceding buffer to the head of this channel's buffer, at
    /// zero load 0; for an injection channel, the mean wait at the source.
    pub wait_mean: f64,
    /// Part of the wait due to contention for the channel.
    pub contention_mean: f64,
    /// Part of the wait spent behind other worms in the channel's buffer.
    pub buffering_mean: f64,
    /// Probability that the channel's buffer is full; `None` for channels without a buffer.
    pub full: Option<f64>,
    /// Mean holding time of the channel by a worm, in cycles, if the model computes the value.
    pub held_mean: Option<f64>,
}

impl ChannelForecast {
    /// Probability that the head of the channel's buffer is occupied; the channel saturates at 1.
    pub fn busy(&self) -> f64 {
        self.flow * self.service.mean
    }
}

/// A model in one of its readings. A new model needs a file with an implementation of this trait
/// and of [`Prepared`], and a line in [`models_for`].
pub trait Model: std::fmt::Debug + Send + Sync {
    /// The model's name as printed by `predict`: "adaptive torus (Quaglia, Ciciani, Colajanni
    /// 2002)", and the reading of the paper.
    fn title(&self) -> [&'static str; 2];

    /// True if the model is intended for networks and machines like `system`, and offered for them.
    fn covers(&self, system: &System) -> bool;

    /// True if the model's paper treats networks and machines like `system`: if the model has no
    /// equations for `system`, the reason is shown.
    fn concerns(&self, system: &System) -> bool {
        self.covers(system)
    }

    /// True if the model's messages travel as worms rather than over circuits.
    fn worms(&self) -> bool {
        true
    }

    /// The violation of each assumption by `system`, or `None`, in order. Requires a system with
    /// the model's switching technique.
    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>>;

    /// The delays and rates of links that the equations know.
    fn link_paces(&self) -> LinkPaces {
        LinkPaces::Equal
    }

    /// Expected error on systems like `system` without violated assumptions, as measured by
    /// [`effect`].
    fn usual_error(&self, system: &System) -> f64;

    /// Expected error of the prediction for `system` at `share` of the saturation rate.
    fn stated_error(&self, _system: &System, _share: f64) -> StatedError {
        StatedError::NotMeasured("this model, on too few systems".to_owned())
    }

    /// Expected error of the saturation rate.
    fn stated_saturation(&self, _system: &System) -> StatedError {
        StatedError::NotMeasured("this model, on too few systems".to_owned())
    }

    /// The equations for `system`, which must use the model's switching technique.
    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved>;

    /// The model's name.
    fn name(&self) -> &'static str {
        self.title()[0]
    }

    /// Reading of the paper.
    fn reading(&self) -> &'static str {
        self.title()[1]
    }

    /// Violated assumptions; none if the model applies. Predictions may exist in spite of
    /// violations, and are then drawn dashed.
    fn mismatches(&self, system: &System) -> Vec<Mismatch> {
        let circuits = assumptions::worms(system).filter(|_| self.worms());
        match circuits.or_else(|| assumptions::random(system)) {
            Some(broken) => vec![broken],
            None => self.assumptions(system).into_iter().flatten().collect(),
        }
    }

    /// Expected error on `system`: the usual error plus the effect of each violated assumption.
    fn expected_error(&self, system: &System) -> f64 {
        let broken = self.mismatches(system);
        self.usual_error(system) + broken.iter().map(|it| it.effect.error).sum::<f64>()
    }

    /// The equations for `system` (regardless of its own rate), up to the maximum rate of its
    /// sources, with all values independent of the rate computed. Callers interested in several
    /// rates should keep the result.
    fn prepare(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        if self.worms() && system.wormhole().is_none() {
            let why = "its equations are for worms, and here messages use circuits";
            return Err(Unsolved::NotCovered(why.into()));
        }
        let pace = self.link_paces().uncovered(&system.network);
        if let Some(why) = pace.or_else(|| uncovered(&system.traffic)) {
            return Err(Unsolved::NotCovered(why.into()));
        }
        Ok(injection::limited(self.equations(system)?, system.injection_rate_max()))
    }

    /// The prediction for `system` at `rate` (regardless of the system's own rate).
    fn predict(&self, system: &System, rate: Rate) -> Result<Prediction, Unsolved> {
        self.prepare(system)?.predict(rate)
    }

    /// The largest rate with a solution, by bisection; `None` if the model is undefined.
    fn saturation_rate(&self, system: &System) -> Option<Rate> {
        Some(self.prepare(system).ok()?.saturation_rate())
    }
}

/// The equations of a model for one system; solved in microseconds to milliseconds.
pub trait Prepared: std::fmt::Debug + Send + Sync {
    /// The solution at `rate` messages per node and cycle.
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution>;

    /// A rate with certain overload of some queue.
    fn overflow(&self) -> f64;

    /// Relative width at which the search for the saturation rate stops.
    fn rate_tolerance(&self) -> f64 {
        1e-13
    }

    /// True if the saturation rate is above `rate`. An iteration without convergence does not count
    /// as saturation.
    fn is_below_saturation(&self, rate: f64) -> bool {
        self.solve(rate) != Err(NoSolution::Saturated)
    }

    /// The prediction at `rate`.
    fn predict(&self, rate: Rate) -> Result<Prediction, Unsolved> {
        self.solve(rate.0).map_err(|why| why.at(rate))
    }

    /// The largest rate with a solution, by bisection.
    fn saturation_rate(&self) -> Rate {
        let below = |rate| self.is_below_saturation(rate);
        Rate(largest_rate(self.overflow(), self.rate_tolerance(), below))
    }

    /// The maximum rate of each source, if the equations have no solution only because of this
    /// limit.
    fn injection_limit(&self) -> Option<Rate> {
        None
    }

    /// The largest rate with a solution, unless the search is cancelled or exceeds its [`budget`].
    fn saturation(&self) -> Result<Rate, Unsolved> {
        let rate = self.saturation_rate();
        cancellation::check_cancelled().map(|()| rate)
    }

    /// The flits per cycle over each channel at `rate`, by channel id, if the model distinguishes
    /// channels; for circuits, the share of time during which the link is reserved.
    fn utilisation(&self, _rate: Rate) -> Option<Vec<f64>> {
        None
    }

    /// The flits per cycle over a link at `rate`, if the model has one figure for all links: exact
    /// under the assumed traffic, and the mean under any traffic.
    fn utilisation_mean(&self, _rate: Rate) -> Option<f64> {
        None
    }

    /// Predictions for every used channel, by channel id, if the model distinguishes channels and
    /// has a solution.
    fn channels(&self, _rate: Rate) -> Option<Vec<ChannelForecast>> {
        None
    }

    /// Predictions for every path, if the model distinguishes paths and has a solution.
    fn paths(&self, _rate: Rate) -> Option<Vec<PathForecast>> {
        None
    }
}

/// The reason why no model covers a traffic.
pub fn uncovered(traffic: &Traffic) -> Option<&'static str> {
    if traffic.script.is_some() {
        return Some("its messages are random, and here every message is given");
    }
    if traffic.closed_loop.is_some() {
        return Some("its messages are random, and here they follow from deliveries");
    }
    let classes = !traffic.classes.is_empty();
    classes.then_some("its messages are alike, and here they have classes")
}

/// The three common parts of a latency.
fn terms(source_waiting: f64, blocking: f64, transfer: f64) -> Vec<Term> {
    vec![
        Term { name: "source waiting", part: Part::SourceWait, cycles: source_waiting },
        Term { name: "blocking on the way", part: Part::Blocking, cycles: blocking },
        Term { name: "transfer", part: Part::Transfer, cycles: transfer },
    ]
}

/// The additional time due to links shared by classes of VCs: a form of blocking, absent for a
/// message without others.
fn sharing(cycles: f64) -> Term {
    Term { name: "sharing of links", part: Part::Blocking, cycles }
}

/// A prediction from terms, with the mean number of links of a route if known.
fn prediction(terms: Vec<Term>, hops_mean: impl Into<Option<f64>>, iterations: u32) -> Prediction {
    let latency_mean = terms.iter().map(|term| term.cycles).sum();
    Prediction {
        latency_mean,
        terms,
        hops_mean: hops_mean.into(),
        iterations,
        circuits: None,
        spread: None,
    }
}

#[cfg(test)]
mod tests;
