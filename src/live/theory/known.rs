//! A model and its predictions for one scenario, computed part by part.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{LinkUse, Theory};
use crate::model::comparison::Reference;
use crate::model::{ChannelForecast, Prediction, Prepared, Unsolved, bound, budget};
use crate::scenario::Scenario;
use crate::session::short_run::ShortRun;
use crate::units::Rate;

const CURVE_POINTS: u32 = 48;
/// Number of points of a curve computed before publication.
const CURVE_PIECE: u32 = 8;
/// Number of short runs at equidistant rates, up to the rate of certain overload.
const SHORT_RUNS: u32 = 12;
/// Maximum latency for further short runs, as a multiple of the first.
const STEEP: f64 = 4.0;

/// The model's predictions at one rate.
#[derive(Clone, Debug)]
struct Answer {
    prediction: Result<Prediction, Unsolved>,
    utilisation: Option<Arc<LinkUse>>,
    channels: Option<Arc<Vec<ChannelForecast>>>,
}

/// Parts of the predictions for all rates, in the order of computation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Another short run, if heads choose among channels.
    ShortRun,
    Saturation,
    /// Points of the curve.
    Curve {
        from: u32,
    },
}

/// A computed part.
#[expect(clippy::large_enum_variant, reason = "only one value exists at a time")]
enum Found {
    Nothing,
    ShortRun(ShortRun),
    Saturation(Result<Rate, Unsolved>),
    Curve(Vec<(f64, f64)>),
}

#[derive(Debug)]
pub(super) struct Known {
    pub(super) scenario: Arc<Scenario>,
    pub(super) reference: Option<Reference>,
    /// The last requested rate with its prediction.
    answer: Option<(Rate, Answer)>,
    /// The next part to compute, if any is missing.
    pub(super) next: Option<Part>,
    /// Maximum steps of work for all parts, and the remaining steps.
    steps: u64,
    steps_left: u64,
    short_runs: Arc<Vec<ShortRun>>,
    saturation: Option<Result<Rate, Unsolved>>,
    curve: Arc<Vec<(f64, f64)>>,
    /// Reason for a curve that ends before saturation.
    cut: Option<Unsolved>,
    /// The equations of the bound, from the computation of saturation on, if there are any.
    bound: Option<bound::Equations>,
    /// True if the proof has been started.
    pub(super) proof: bool,
}

impl Known {
    /// Starts with at most `steps` of work in all; includes short runs if work continues `beside`
    /// the simulation.
    pub(super) fn new(scenario: &Arc<Scenario>, steps: u64, beside: bool) -> Self {
        let system = &scenario.system;
        let reference = Reference::of(system);
        let first =
            if beside && ShortRun::suits(system) { Part::ShortRun } else { Part::Saturation };
        Self {
            scenario: Arc::clone(scenario),
            next: reference.is_some().then_some(first),
            reference,
            answer: None,
            steps,
            steps_left: steps,
            short_runs: Arc::default(),
            saturation: None,
            curve: Arc::default(),
            cut: None,
            bound: None,
            proof: false,
        }
    }

    /// The model's prediction at `rate`, with the parts computed up to now.
    pub(super) fn theory(&mut self, rate: Rate) -> Option<Theory> {
        let Reference { model, mismatches, equations } = self.reference.as_ref()?;
        let equations = equations.as_deref();
        if self.answer.as_ref().is_none_or(|it| it.0 != rate) {
            let prediction = equations.map_err(Clone::clone).and_then(|it| it.predict(rate));
            let utilisation = equations.ok().and_then(|it| LinkUse::of(it, rate)).map(Arc::new);
            let channels = equations.ok().and_then(|it| it.channels(rate)).map(Arc::new);
            self.answer = (prediction != Err(Unsolved::GivenUp))
                .then_some((rate, Answer { prediction, utilisation, channels }));
        }
        let Answer { prediction, utilisation, channels } = self.answer.clone()?.1;
        let saturation = self.saturation.clone().and_then(Result::ok);
        let unfinished = self.saturation.clone().and_then(Result::err).or(self.cut.clone());
        let system = &self.scenario.system;
        let stated_error = saturation
            .filter(|_| prediction.is_ok())
            .map(|saturation| model.stated_error(system, rate.0 / saturation.0));
        Some(Theory {
            name: model.name(),
            reading: model.reading(),
            rate,
            prediction,
            mismatches: mismatches.clone(),
            utilisation,
            channels,
            at_work: self.next.is_some(),
            unfinished,
            short_runs: Arc::clone(&self.short_runs),
            saturation,
            stated_error,
            stated_saturation: model.stated_saturation(system),
            curve: Arc::clone(&self.curve),
            bound: self.bound.as_ref().and_then(|it| Some(it.solve(rate).ok()?.worst().cycles)),
        })
    }

    /// Computes the next missing part, unless cancelled.
    pub(super) fn compute_next(&mut self, given_up: &AtomicBool) {
        let Some(Reference { equations: Ok(prepared), .. }) = &self.reference else {
            self.bound = bound::Equations::of(&self.scenario.system).ok();
            self.next = None;
            return;
        };
        let prepared = &**prepared;
        let (before, steps) = (self.steps_left, self.steps);
        let part = || match self.next {
            None => Found::Nothing,
            Some(Part::ShortRun) => {
                let rate = prepared.overflow() * (self.short_runs.len() + 1) as f64;
                let rate = Rate(rate / f64::from(SHORT_RUNS));
                ShortRun::at(&self.scenario, rate, given_up).map_or(Found::Nothing, Found::ShortRun)
            }
            Some(Part::Saturation) => Found::Saturation(prepared.saturation()),
            Some(Part::Curve { from }) => {
                let end = self.saturation.as_ref().and_then(|it| it.as_ref().ok());
                end.map_or(Found::Nothing, |end| Found::Curve(curve(prepared, *end, from)))
            }
        };
        let (found, taken) = budget::within(before, part);
        if given_up.load(Ordering::Relaxed) {
            return;
        }
        self.steps_left -= taken;
        let over = Unsolved::OverBudget { steps };
        match found {
            Found::Nothing => self.next = None,
            Found::ShortRun(run) => {
                let latency = |run: &ShortRun| run.summary.latency.map_or(0.0, |it| it.mean);
                let first = self.short_runs.first().map_or(f64::INFINITY, latency);
                let last =
                    run.deadlock || run.falls_short().is_some() || latency(&run) > STEEP * first;
                Arc::make_mut(&mut self.short_runs).push(run);
                if last || self.short_runs.len() >= SHORT_RUNS as usize {
                    self.next = Some(Part::Saturation);
                }
            }
            Found::Saturation(found) => {
                self.saturation = Some(found.map_err(|_| over));
                self.bound = bound::Equations::of(&self.scenario.system).ok();
                self.next = Some(Part::Curve { from: 1 });
            }
            Found::Curve(points) => {
                Arc::make_mut(&mut self.curve).extend(points);
                let Some(Part::Curve { from }) = self.next else { return };
                let from = from + CURVE_PIECE;
                self.next = (from <= CURVE_POINTS).then_some(Part::Curve { from });
                if self.steps_left == 0 {
                    (self.cut, self.next) = (Some(over), None);
                }
            }
        }
    }
}

/// A piece of the model's latency–load curve from point `from` on; points are denser near
/// saturation.
fn curve(prepared: &dyn Prepared, Rate(end): Rate, from: u32) -> Vec<(f64, f64)> {
    (from..from + CURVE_PIECE)
        .take_while(|&point| point <= CURVE_POINTS)
        .filter_map(|point| {
            let left = 1.0 - f64::from(point) / f64::from(CURVE_POINTS + 1);
            let rate = end * (1.0 - left * left);
            Some((rate, prepared.predict(Rate(rate)).ok()?.latency_mean))
        })
        .collect()
}
