//! One simulated point of a study: what is run, and what is kept of the outcome.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::experiment::{Job, Outcome, Plan};
use crate::random::mix;
use crate::scenario::{self, Override, Scenario, builtin};
use crate::session::Session;
use crate::stats::Estimate;
use crate::units::Cycle;

/// Cycles of a point that are simulated to tell whether a result kept is one of this simulator.
const PROBE: Cycle = Cycle(512);

/// A point of a study, by the order in which they were added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointId(pub(super) usize);

/// What is run for one point.
#[derive(Clone, Debug)]
pub struct Point {
    /// The built-in scenario with the fields that are set in it, for people.
    pub name: String,
    /// What is run, and how.
    pub job: Job,
}

impl Point {
    /// The built-in scenario `builtin` with `fields` (path and value) set in it.
    ///
    /// # Panics
    ///
    /// If there is no such scenario or it does not take such fields: a mistake in the study, which
    /// the tests of all studies find.
    pub fn new(builtin: &str, fields: &[(&str, String)], plan: Plan) -> Self {
        let found = builtin::find(builtin)
            .unwrap_or_else(|| panic!("a study needs the built-in scenario {builtin}"));
        let overrides: Vec<Override> = fields
            .iter()
            .map(|(path, value)| Override {
                path: (*path).to_owned(),
                value: value.clone(),
                label: format!("{path}={value}"),
            })
            .collect();
        let scenario = scenario::parse(builtin, found.text, &overrides)
            .unwrap_or_else(|problems| panic!("{}", scenario::render(&problems)));
        let labels: Vec<&str> = overrides.iter().map(|it| it.label.as_str()).collect();
        let name = format!("{builtin} {}", labels.join(" ")).trim_end().to_owned();
        Self { name, job: Job { scenario: Arc::new(scenario), plan } }
    }

    /// The scenario, checked.
    pub fn scenario(&self) -> &Scenario {
        &self.job.scenario
    }

    /// What a result must have been made from to be one of this point: the text, the fields set in
    /// it, the way it is run, the program's version, and the state that the first cycles of the run
    /// lead to. 16 hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        let Job { scenario, plan } = &self.job;
        let mut probe = Session::new(Arc::clone(scenario), scenario.seed, 0, plan.warm_up);
        probe.advance(PROBE);
        let texts = [&scenario.text, &self.name, &format!("{plan:?}"), env!("CARGO_PKG_VERSION")];
        let hash = texts
            .iter()
            .flat_map(|text| text.bytes().chain([0]))
            .fold(probe.fingerprint(), |hash, byte| mix(hash, u64::from(byte)));
        format!("{hash:016x}")
    }
}

/// What is kept of the runs of a point, all replications together.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Measured {
    /// Messages per node and cycle.
    pub rate: f64,
    /// Offered load, flits per node and cycle.
    pub offered: f64,
    /// Accepted load, flits per node and cycle.
    pub accepted: Option<f64>,
    /// Mean share of cycles in which a router-to-router channel moves a flit.
    pub channel_utilisation: Option<f64>,
    /// Mean latency, generation to consumption of the tail, in cycles.
    pub latency: Option<f64>,
    /// Half the width of its 95 % interval.
    pub latency_half_width: Option<f64>,
    /// Mean latency from the head's first move (of a circuit from the acknowledgement), in cycles.
    pub network_latency: Option<f64>,
    /// Mean channels crossed.
    pub hops: Option<f64>,
    /// Mean times a message was aborted on its way.
    pub aborts: Option<f64>,
    /// Half the width of its 95 % interval.
    pub aborts_half_width: Option<f64>,
    /// Messages counted.
    pub messages: u64,
    /// Cycles simulated, warm-up included.
    pub cycles: u64,
    /// Flits moved over router-to-router channels, warm-up included.
    pub flit_hops: u64,
    /// Whether it was found saturated.
    pub saturated: bool,
    /// Whether it was stopped by a deadlock.
    pub deadlock: bool,
    /// Wall time in seconds, all runs added up.
    pub wall_seconds: f64,
    /// A hash of the final states, 16 hexadecimal digits.
    pub fingerprint: String,
}

impl Measured {
    /// The mean latency with its interval, in cycles.
    pub fn latency(&self) -> Option<Estimate> {
        Some(Estimate { mean: self.latency?, half_width: self.latency_half_width })
    }

    /// The mean times a message was aborted, with their interval.
    pub fn aborts(&self) -> Option<Estimate> {
        Some(Estimate { mean: self.aborts?, half_width: self.aborts_half_width })
    }
}

impl From<&Outcome> for Measured {
    fn from(outcome: &Outcome) -> Self {
        let summary = &outcome.summary;
        Self {
            rate: outcome.rate.0,
            offered: summary.offered,
            accepted: summary.accepted,
            channel_utilisation: summary.channel_utilisation_mean,
            latency: summary.latency.map(|latency| latency.mean),
            latency_half_width: summary.latency.and_then(|latency| latency.half_width),
            network_latency: summary.network_latency_mean,
            hops: summary.hops_mean,
            aborts: summary.aborts_mean,
            aborts_half_width: summary.aborts_half_width,
            messages: summary.messages,
            cycles: outcome.cycles,
            flit_hops: outcome.counters.flit_hops,
            saturated: summary.steadiness.is_saturated(),
            deadlock: outcome.deadlock.is_some(),
            wall_seconds: outcome.wall.as_secs_f64(),
            fingerprint: format!("{:016x}", outcome.fingerprint),
        }
    }
}

/// What is known of the points of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Results(Vec<Option<Measured>>);

impl Results {
    /// Of so many points, with nothing known.
    pub fn none(points: usize) -> Self {
        Self(vec![None; points])
    }

    /// Takes what came out of a point.
    pub fn set(&mut self, point: PointId, measured: Measured) {
        self.0[point.0] = Some(measured);
    }

    /// What came out of a point; `None` while it has not been run.
    pub fn get(&self, point: PointId) -> Option<&Measured> {
        self.0[point.0].as_ref()
    }

    /// The mean latency at a point, in cycles.
    pub fn latency(&self, point: PointId) -> Option<Estimate> {
        self.get(point)?.latency()
    }

    /// Points.
    pub fn points(&self) -> usize {
        self.0.len()
    }

    /// Points that have not been run.
    pub fn missing(&self) -> usize {
        self.0.iter().filter(|measured| measured.is_none()).count()
    }
}
