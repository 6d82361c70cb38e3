//! One simulated point of a study: its job and its stored replications.
//!
//! Figures are also computed from many points, with the uncertainty due to the replications.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use super::sources::Sources;
use super::{PointId, Uncertain};
use crate::experiment::{Job, Plan};
use crate::random::mix;
use crate::scenario::{Override, Problem, Scenario};

/// Maximum factor on the replications of the first round, applied if needed for a verdict.
pub const LONGER: f64 = 4.0;
/// Rounds of replications up to the maximum.
pub const ROUNDS: u32 = 3;

/// A point to simulate.
#[derive(Clone, Debug)]
pub struct Point {
    /// The scenario and its set fields, for people.
    pub name: String,
    /// The scenario and the plan.
    pub job: Job,
}

impl Point {
    /// A scenario with `fields` (path and value), or the problems of either.
    pub fn new(
        sources: &Sources,
        scenario: &str,
        fields: Vec<(String, String)>,
        plan: Plan,
    ) -> Result<Self, Vec<Problem>> {
        let field = |(path, value)| Override { label: format!("{path}={value}"), path, value };
        let overrides: Vec<Override> = fields.into_iter().map(field).collect();
        let scenario = Arc::new(sources.parse(scenario, &overrides)?);
        Ok(Self { name: Self::named(&scenario), job: Job { scenario, plan } })
    }

    /// The name of a scenario with its set fields.
    pub fn named(scenario: &Scenario) -> String {
        let labels: Vec<&str> = scenario.overrides.iter().map(|it| it.label.as_str()).collect();
        format!("{} {}", scenario.name, labels.join(" ")).trim_end().to_owned()
    }

    /// The job of a round, from 0: replications under a seed derived only from the batch's seed,
    /// the point and the round. All points, and all batches, are therefore independent. Every round
    /// after the first doubles the replications.
    pub fn job(&self, seed: u64, round: u32) -> Job {
        let Job { scenario, plan } = &self.job;
        let named = self.name.bytes().fold(seed, |hash, byte| mix(hash, u64::from(byte)));
        // Keeps 32 bits: scenario files accept only whole numbers preserved by every JSON reader.
        let seed = mix(named, u64::from(round)) >> 32;
        let replications = plan.replications << round.saturating_sub(1);
        Job {
            scenario: Arc::new(Scenario { seed, ..Scenario::clone(scenario) }),
            plan: Plan { replications, ..*plan },
        }
    }
}

/// The statistics kept from one replication.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Replication {
    /// Messages counted.
    pub messages: u64,
    /// Mean latency, generation to consumption of the tail, in cycles.
    pub latency: Option<f64>,
    /// Mean latency from the head's first move (of a circuit from the acknowledgement), in cycles.
    pub network_latency: Option<f64>,
    /// Mean number of aborts per message.
    pub aborts: Option<f64>,
    /// Mean flits per cycle over a channel between routers.
    pub utilisation: Option<f64>,
}

/// The results of a study's points.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// The replications of each point; empty until the point was run.
    points: Vec<Vec<Replication>>,
    /// Points used since the start of [`Self::uncertain`].
    used: RefCell<BTreeSet<PointId>>,
    /// The omitted replication, as point and index of the replication.
    left_out: Cell<Option<(PointId, usize)>>,
}

impl Results {
    /// Empty results for this many points.
    pub fn none(points: usize) -> Self {
        Self {
            points: vec![Vec::new(); points],
            used: RefCell::default(),
            left_out: Cell::default(),
        }
    }

    /// Adds replications of a point.
    pub fn add(&mut self, point: PointId, replications: &[Replication]) {
        self.points[point.0].extend_from_slice(replications);
    }

    /// The mean of a figure at a point, all messages weighted equally; `None` until the point was
    /// run or if no message was counted.
    pub(super) fn mean(
        &self,
        point: PointId,
        figure: fn(&Replication) -> Option<f64>,
    ) -> Option<f64> {
        self.used.borrow_mut().insert(point);
        let left_out = self.left_out.get().filter(|(at, _)| *at == point).map(|(_, place)| place);
        let (mut sum, mut messages) = (0.0, 0.0);
        for (place, one) in self.points.get(point.0)?.iter().enumerate() {
            if let Some(figure) = figure(one).filter(|_| left_out != Some(place)) {
                sum += figure * one.messages as f64;
                messages += one.messages as f64;
            }
        }
        (messages > 0.0).then(|| sum / messages)
    }

    /// The mean latency at a point, in cycles.
    pub fn latency(&self, point: PointId) -> Option<f64> {
        self.mean(point, |one| one.latency)
    }

    /// The position on a curve (points by increasing x) at which the latency first reaches `limit`
    /// cycles, interpolated linearly in the logarithm between two points. Monotone in `limit`.
    /// `None` if a point is missing, the limit is never reached, or one omitted replication
    /// prevents reaching the limit: chance would decide.
    pub fn reaches(&self, points: &[(f64, PointId)], limit: f64) -> Option<f64> {
        let whole = self.crossing(points, limit)?;
        if self.left_out.get().is_some() {
            return Some(whole);
        }
        let left_out = points.iter().flat_map(|&(_, point)| {
            let count = self.points[point.0].len();
            // A single replication cannot be omitted.
            (0..count).filter(move |_| count > 1).map(move |place| (point, place))
        });
        let mut certain = true;
        for one in left_out {
            self.left_out.set(Some(one));
            certain &= self.crossing(points, limit).is_some();
        }
        self.left_out.set(None);
        certain.then_some(whole)
    }

    /// The position at which the curve of the current results reaches `limit`.
    fn crossing(&self, points: &[(f64, PointId)], limit: f64) -> Option<f64> {
        let latency = |&(x, point): &(f64, PointId)| Some((x, self.latency(point)?));
        let latencies: Vec<(f64, f64)> = points.iter().map(latency).collect::<Option<_>>()?;
        let above = latencies.iter().position(|&(_, latency)| latency >= limit)?;
        let (below, above) = (latencies.get(above.checked_sub(1)?)?, latencies[above]);
        let share = (limit / below.1).ln() / (above.1 / below.1).ln();
        Some(below.0 + share * (above.0 - below.0))
    }

    /// The latency at `x`, interpolated linearly between neighbouring points. `None` outside, or if
    /// a point is missing.
    pub fn latency_at(&self, points: &[(f64, PointId)], x: f64) -> Option<f64> {
        let after = points.iter().position(|&(at, _)| at >= x)?;
        let (x_after, point) = points[after];
        let y_after = self.latency(point)?;
        if x_after <= x {
            return Some(y_after);
        }
        let (x_before, point) = *points.get(after.checked_sub(1)?)?;
        let y_before = self.latency(point)?;
        Some(y_before + (y_after - y_before) * (x - x_before) / (x_after - x_before))
    }

    /// A figure computed from all results, with its uncertainty from each point used: the jackknife
    /// over the replications of each point, variances added because points are independent, and
    /// degrees of freedom by Welch and Satterthwaite. `None` while results are missing.
    ///
    /// The jackknife's bias estimate is not applied: if omitting a replication makes a curve cross
    /// a limit between other points, the shift is no bias, and subtracting the shift would give
    /// figures beyond every measured curve.
    pub fn uncertain(&self, figure: impl Fn(&Self) -> Option<f64>) -> Option<Uncertain> {
        self.used.borrow_mut().clear();
        let whole = figure(self);
        let points = self.used.take();
        let whole = whole?;
        let mut uncertain = Uncertain::certain(whole, points);
        let (mut variance, mut squares) = (0.0, 0.0);
        for (&point, share) in &mut uncertain.variances {
            let count = self.points[point.0].len();
            let without: Option<Vec<f64>> = (0..count)
                .map(|place| {
                    self.left_out.set(Some((point, place)));
                    figure(self)
                })
                .collect();
            self.left_out.set(None);
            let Some(without) = without.filter(|_| count > 1) else {
                uncertain.error = None;
                return Some(uncertain);
            };
            let freedom = (count - 1) as f64;
            let mean = without.iter().sum::<f64>() / count as f64;
            let own =
                without.iter().map(|x| (x - mean).powi(2)).sum::<f64>() * freedom / count as f64;
            *share = own;
            variance += own;
            squares += own * own / freedom;
        }
        uncertain.error = Some(variance.sqrt());
        if squares > 0.0 {
            uncertain.freedom = variance * variance / squares;
        }
        Some(uncertain)
    }

    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// The number of points not yet run.
    pub fn missing(&self) -> usize {
        self.points.iter().filter(|replications| replications.is_empty()).count()
    }
}
