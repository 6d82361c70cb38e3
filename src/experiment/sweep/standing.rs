//! How a study stands at a moment: all that a screen shows of it.

use std::sync::Arc;
use std::time::Duration;

use crate::experiment::Plan;
use crate::experiment::plot::Plot;
use crate::scenario::Scenario;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// It has its result: the network carries the load.
    Steady,
    /// It has its result, which is too short to tell.
    TooShort,
    /// It has its result: the load is more than the network accepts.
    Saturated,
    /// It has its result: it ended in a deadlock.
    Deadlocked,
    /// A program is at it.
    Running {
        by: String,
        /// For how long, by the clock of its machine, in whole seconds.
        since: Duration,
    },
    /// It has no result, and nobody is at it.
    Missing,
    /// What stands in the place of its result is none: which file, and what is wrong with it.
    Refused(String),
}

impl State {
    /// True if the network was found not to carry the load.
    pub fn is_beyond(&self) -> bool {
        matches!(self, Self::Saturated | Self::Deadlocked)
    }

    /// True if there is a result.
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Steady | Self::TooShort) || self.is_beyond()
    }
}

/// A point of a study, and how it stands. Its number is its place among all.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// The place of its curve.
    pub curve: usize,
    /// The load that it offers, as it was given.
    pub load: f64,
    pub state: State,
    /// The mean latency in the scenario's unit of time, and half its interval; none beyond saturation.
    pub latency: Option<(f64, Option<f64>)>,
    pub accepted: Option<f64>,
    /// What is run, with its seed.
    pub scenario: Arc<Scenario>,
    pub plan: Plan,
    /// The cycle at which its run ended, of several replications the first; of circuits in whole units of
    /// time.
    pub end: Option<u64>,
    /// The wall time that it took, in seconds.
    pub seconds: Option<f64>,
    /// The machine that it was run on; empty without a result.
    pub machine: String,
}

#[derive(Clone, Debug)]
pub struct Standing {
    pub folder: String,
    /// What its scenario is called, for people.
    pub name: String,
    /// How many rounds of points there are, where loads are searched.
    pub rounds: Option<usize>,
    /// What sets each curve apart; empty, if there is one curve.
    pub curves: Vec<String>,
    /// Between which loads each saturates, as far as that is known.
    pub brackets: Vec<Option<(f64, f64)>>,
    /// All points, by their numbers.
    pub points: Vec<Numbered>,
    /// The main figure: latency by load.
    pub plot: Arc<Plot>,
    /// How many points have results.
    pub done: usize,
    /// The share of the work that is done, by the time that points take; 0 to 1.
    pub share: f64,
    /// The wall time left for the points that there are, in seconds: with all that are at work, or with
    /// one thread if nobody is. `None` before anything is finished.
    pub left: Option<f64>,
    /// True if a point that runs has taken longer than was expected of it, as near saturation: then more
    /// time may be left.
    pub late: bool,
    /// How many points are being run.
    pub at_work: usize,
    /// True if all is done, and no other round follows.
    pub finished: bool,
    /// Files among the results that are of no point of this study, and what they are.
    pub strangers: Vec<String>,
}
