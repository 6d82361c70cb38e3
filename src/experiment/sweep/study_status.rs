//! The state of a study at a moment, with all data for the screen.

use std::sync::Arc;
use std::time::Duration;

use crate::experiment::Plan;
use crate::experiment::plot::Plot;
use crate::scenario::Scenario;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// Finished: the network carries the load.
    Steady,
    /// Finished, but too short for a verdict.
    TooShort,
    /// Finished: the load exceeds the network's saturation.
    Saturated,
    /// Finished in a deadlock.
    Deadlocked,
    /// Running in some program.
    Running {
        by: String,
        /// Elapsed time by the clock of the running machine, in whole seconds.
        since: Duration,
    },
    /// Neither finished nor running.
    Missing,
    /// A foreign file replaces the result: file name and problem.
    Refused(String),
}

impl State {
    /// True if the network does not carry the load.
    pub fn is_beyond(&self) -> bool {
        matches!(self, Self::Saturated | Self::Deadlocked)
    }

    /// True if a result exists.
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Steady | Self::TooShort) || self.is_beyond()
    }
}

/// A point of a study with its state. The index among all points is the point's number.
#[derive(Clone, Debug)]
pub struct NumberedPoint {
    /// The index of the point's curve.
    pub curve: usize,
    /// The offered load, as given.
    pub load: f64,
    pub state: State,
    /// The mean latency in the scenario's unit of time, and half its interval; `None` beyond
    /// saturation.
    pub latency: Option<(f64, Option<f64>)>,
    /// The 99th percentile of the latency, in the same unit; `None` beyond saturation.
    pub latency_p99: Option<f64>,
    pub accepted: Option<f64>,
    /// The scenario, with its seed.
    pub scenario: Arc<Scenario>,
    pub plan: Plan,
    /// The last cycle of the run, or of the first replication; whole units of time for circuits.
    pub end: Option<u64>,
    /// The wall time of the run, in seconds.
    pub seconds: Option<f64>,
    /// The machine of the run; empty without a result.
    pub machine: String,
}

#[derive(Clone, Debug)]
pub struct StudyStatus {
    pub folder: String,
    /// The scenario's name, for people.
    pub name: String,
    /// The number of rounds, if loads are searched.
    pub rounds: Option<usize>,
    /// The fields in which each curve differs, in words; empty for a single curve.
    pub curves: Vec<String>,
    /// The loads around each curve's saturation, as far as known.
    pub brackets: Vec<Option<(f64, f64)>>,
    /// All points, in order of number.
    pub points: Vec<NumberedPoint>,
    /// The main figure: latency by load.
    pub plot: Arc<Plot>,
    /// The number of points with results.
    pub done: usize,
    /// The finished share of the work, weighted by run times; 0 to 1.
    pub share: f64,
    /// The estimated remaining wall time of existing points, in seconds: at the current
    /// concurrency, or with one thread if idle. `None` before any point is finished.
    pub left: Option<f64>,
    /// True if a running point has exceeded its estimated time, for example near saturation: the
    /// remaining time may be longer.
    pub late: bool,
    /// The number of running points.
    pub at_work: usize,
    /// True if all points are done and no further round follows.
    pub finished: bool,
    /// Foreign files among the results, with descriptions.
    pub strangers: Vec<String>,
}
