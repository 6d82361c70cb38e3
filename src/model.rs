//! What theory predicts. A model knows nothing of engines: it reads a [`System`] and answers with a
//! latency, named terms and a saturation rate, or says why not.

pub mod adaptive_torus;
mod assumptions;
pub mod bound;
pub mod budget;
pub mod channel_flow;
pub mod circuit;
pub mod comparison;
pub mod deterministic_torus;
pub mod effect;
pub mod finite_buffers;
mod fixed_point;
mod injection;
pub mod mesh;
pub mod one_way_torus;
mod order;
pub mod queue;
mod registry;
pub mod spread;
mod square;
pub mod stated;
mod unsolved;
pub mod wanted;
pub mod zero_load;

use crate::ids::ChannelId;
use crate::system::System;
use crate::units::Rate;
use effect::Effect;
use fixed_point::{NoSolution, largest_rate};
use queue::Moments;
pub use registry::{models_for, models_without_equations};
use spread::Spread;
use stated::StatedError;

pub use unsolved::Unsolved;

/// An assumption of a model that a system breaks.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// What the model assumes: "uniform destinations".
    pub assumes: String,
    /// What it found: "4 % of the messages go to a hotspot".
    pub found: String,
    /// Whether messages take longer for it than the model reckons with, where one can tell.
    pub slower: Option<bool>,
    /// The parts of a latency that depend on the assumption, and the error that breaking it costs.
    pub effect: Effect,
}

impl Mismatch {
    /// The same; messages take longer for it, or less long.
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
    /// The parts that add up to it, in cycles, in order, by name.
    pub terms: Vec<Term>,
    /// Links of the mean message's route that the model reckons with, where it says.
    pub hops_mean: Option<f64>,
    /// Rounds of the fixed point; 1 where the equations need none.
    pub iterations: u32,
    /// What there is to say of circuits; `None` of worms.
    pub circuits: Option<Circuits>,
    /// How latencies are spread, where the model says.
    pub spread: Option<Spread>,
}

/// What a model of circuits says beside the latency.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Circuits {
    /// Mean time from generation to the acknowledgement of the complete path, in cycles.
    pub set_up_cycles: f64,
    /// Attempts that end in an abort, per message.
    pub aborts: f64,
    /// The share of the looks at a link that find it busy.
    pub conflict: f64,
    /// The share of the time for which a link is held.
    pub link_utilisation: f64,
    /// The share of the time for which a controller is busy.
    pub controller_utilisation: f64,
    /// Mean wait at a controller, in cycles.
    pub controller_wait_cycles: f64,
}

impl Prediction {
    /// Cycles of the terms that belong to `part`; `None` where the model has none. The parts add up
    /// to the mean latency.
    pub fn part(&self, part: Part) -> Option<f64> {
        let of_part = self.terms.iter().filter(|term| term.part == part);
        of_part.map(|term| term.cycles).reduce(|sum, cycles| sum + cycles)
    }
}

/// A part of a latency that a simulation can measure as well, message by message.
#[derive(Clone, Copy, PartialEq, Eq, serde::Serialize, strum::IntoStaticStr, Debug)]
#[serde(into = "&'static str")]
#[strum(serialize_all = "lowercase")]
pub enum Part {
    /// From generation to the head's first move; to the start of the data over a circuit.
    #[strum(serialize = "source wait")]
    SourceWait,
    /// In the network beyond what it would take alone there: waiting for channels that others
    /// hold, and moving slower on channels that are shared. The release of a circuit.
    Blocking,
    /// What a message takes alone in the network, from its head's first move; the data over a circuit.
    Transfer,
}

impl Part {
    /// The parts, in the order in which a message meets them.
    pub const ALL: [Self; 3] = [Self::SourceWait, Self::Blocking, Self::Transfer];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A term of a prediction.
#[derive(Clone, PartialEq, serde::Serialize, Debug)]
pub struct Term {
    /// What it is: "source waiting".
    pub name: &'static str,
    /// Which part of the latency it belongs to.
    pub part: Part,
    /// Cycles.
    pub cycles: f64,
}

/// What a model says of one channel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChannelForecast {
    pub channel: ChannelId,
    /// Its place in the order of computation: 1 where nothing follows, else 1 more than the
    /// highest that can follow.
    pub rank: u32,
    /// Channels from which worms come to it; 0 for injection channels.
    pub inputs: u32,
    /// Messages per cycle.
    pub flow: f64,
    /// What a worm at the head of the channel's buffer needs until it has left: contention for the
    /// next channel and its hold.
    pub service: Moments,
    /// Mean cycles from the head of the buffer before to the head of this channel's buffer, at
    /// zero load 0; of an injection channel, mean wait at the source.
    pub wait_mean: f64,
    /// The part of it that is contention for the channel.
    pub contention_mean: f64,
    /// The part of it that is spent behind others in the channel's buffer.
    pub buffering_mean: f64,
    /// Probability that the channel's buffer is full; `None` where there is no buffer to wait for.
    pub full: Option<f64>,
    /// Mean cycles for which a worm holds the channel, where the model knows.
    pub held_mean: Option<f64>,
}

impl ChannelForecast {
    /// The share of time in which the head of the channel's buffer is taken; the channel saturates
    /// at 1.
    pub fn busy(&self) -> f64 {
        self.flow * self.service.mean
    }
}

/// A model in one of its readings. A new one is a file that implements this and [`Prepared`], and a
/// line in [`models_for`].
pub trait Model: std::fmt::Debug + Send + Sync {
    /// The model's name, as `predict` prints it: "adaptive torus (Quaglia, Ciciani, Colajanni 2002)",
    /// and which reading of the paper.
    fn title(&self) -> [&'static str; 2];

    /// True if it is made for networks and machines like those of `system`, and is offered there.
    fn covers(&self, system: &System) -> bool;

    /// True if its paper is about networks and machines of the kind of `system`: where it has no
    /// equations there, the reason is shown.
    fn concerns(&self, system: &System) -> bool {
        self.covers(system)
    }

    /// True if its messages travel as worms; otherwise they set up circuits.
    fn worms(&self) -> bool {
        true
    }

    /// Its assumptions, one by one: how `system`, where messages travel as it says, breaks each.
    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>>;

    /// The error to reckon with on systems like `system` where no assumption is broken, as
    /// [`effect`] measures it.
    fn usual_error(&self, system: &System) -> f64;

    /// How far its prediction for `system` may be off at this share of the rate at which it saturates.
    fn stated_error(&self, _system: &System, _share: f64) -> StatedError {
        StatedError::NotMeasured("this model, on too few systems".to_owned())
    }

    /// How far the rate at which it saturates may be off.
    fn stated_saturation(&self, _system: &System) -> StatedError {
        StatedError::NotMeasured("this model, on too few systems".to_owned())
    }

    /// The equations for `system`, where messages travel as it says.
    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved>;

    /// The model's name.
    fn name(&self) -> &'static str {
        self.title()[0]
    }

    /// Which reading of the paper.
    fn reading(&self) -> &'static str {
        self.title()[1]
    }

    /// The assumptions that `system` breaks; none where the model applies. A prediction may exist
    /// all the same, and is then drawn dashed.
    fn mismatches(&self, system: &System) -> Vec<Mismatch> {
        match assumptions::worms(system).filter(|_| self.worms()) {
            Some(circuits) => vec![circuits],
            None => self.assumptions(system).into_iter().flatten().collect(),
        }
    }

    /// The error to reckon with on `system`: its usual one, and what each broken assumption adds.
    fn expected_error(&self, system: &System) -> f64 {
        let broken = self.mismatches(system);
        self.usual_error(system) + broken.iter().map(|it| it.effect.error).sum::<f64>()
    }

    /// The equations for `system`, with everything worked out that does not depend on the rate
    /// (the system's own rate is not looked at), up to the rate that its sources can send. What takes
    /// more than one rate keeps this.
    fn prepare(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        if self.worms() && system.wormhole().is_none() {
            let why = "its equations are about worms, and here messages use circuits";
            return Err(Unsolved::NotCovered(why.into()));
        }
        Ok(injection::limited(self.equations(system)?, system.injection_rate_max()))
    }

    /// The prediction for `system` at `rate` (the system's own rate is not looked at).
    fn predict(&self, system: &System, rate: Rate) -> Result<Prediction, Unsolved> {
        self.prepare(system)?.predict(rate)
    }

    /// The largest rate with a solution, by bisection; `None` where the model is not defined.
    fn saturation_rate(&self, system: &System) -> Option<Rate> {
        Some(self.prepare(system).ok()?.saturation_rate())
    }
}

/// The equations of a model for one system: answers in microseconds to milliseconds.
pub trait Prepared: std::fmt::Debug + Send + Sync {
    /// The solution at `rate` messages per node and cycle.
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution>;

    /// A rate at which some queue overflows for certain.
    fn overflow(&self) -> f64;

    /// Relative width at which the search for the saturation rate stops.
    fn rate_tolerance(&self) -> f64 {
        1e-13
    }

    /// True if the search for the saturation rate goes on above `rate`. A rate at which an iteration
    /// does not settle is not one at which it saturates.
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

    /// The most that each source can send, where only that keeps the equations from a solution.
    fn injection_limit(&self) -> Option<Rate> {
        None
    }

    /// The largest rate with a solution, unless the search for it is given up or beyond its [`budget`].
    fn saturation(&self) -> Result<Rate, Unsolved> {
        let rate = self.saturation_rate();
        wanted::still().map(|()| rate)
    }

    /// The flits that cross each channel per cycle at `rate`, by channel id, where the model knows
    /// channels; of circuits the share of the time for which its link is held.
    fn utilisation(&self, _rate: Rate) -> Option<Vec<f64>> {
        None
    }

    /// The flits that cross a link per cycle at `rate`, where the model knows one figure for all
    /// links: what each carries under the traffic that the model assumes, and the mean under any.
    fn utilisation_mean(&self, _rate: Rate) -> Option<f64> {
        None
    }

    /// What holds on every channel that is used, by channel id, where the model knows it and there
    /// is a solution.
    fn channels(&self, _rate: Rate) -> Option<Vec<ChannelForecast>> {
        None
    }
}

/// The three parts of a latency as all models name them.
fn terms(source_waiting: f64, blocking: f64, transfer: f64) -> Vec<Term> {
    vec![
        Term { name: "source waiting", part: Part::SourceWait, cycles: source_waiting },
        Term { name: "blocking on the way", part: Part::Blocking, cycles: blocking },
        Term { name: "transfer", part: Part::Transfer, cycles: transfer },
    ]
}

/// What messages take longer because classes of VCs share links: part of the blocking, since a
/// message alone would not take it.
fn sharing(cycles: f64) -> Term {
    Term { name: "sharing of links", part: Part::Blocking, cycles }
}

/// A prediction of these terms, with the mean number of links of a route where the model knows it.
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
