//! Forecasts of the models for a scenario, at its rate.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, available_parallelism};

use super::Outcome;
use crate::model::comparison::Reference;
use crate::model::path::PathForecast;
use crate::model::stated_error::StatedError;
use crate::model::{
    ChannelForecast, Mismatch, Model, Prediction, Prepared, Unsolved, budget, models_for,
    models_without_equations,
};
use crate::scenario::Scenario;
use crate::session::verdict::{self, Claim, RunStatus};
use crate::units::Rate;

/// The forecast of one reading of one model.
#[derive(Clone, Debug)]
pub struct Forecast {
    pub model: &'static str,
    /// The reading of the model's paper.
    pub reading: &'static str,
    /// The violated assumptions; empty if the model applies.
    pub mismatches: Vec<Mismatch>,
    pub prediction: Result<Prediction, Unsolved>,
    /// The saturation rate; `None` if undefined, or beyond the budget.
    pub saturation: Option<Rate>,
    /// The reason for an unknown, but defined, saturation rate.
    pub unfinished: Option<Unsolved>,
    /// The stated error of the latency, if any.
    pub stated_error: Option<StatedError>,
    /// The stated error of the saturation rate.
    pub stated_saturation: StatedError,
    /// Flits per cycle of each channel at the scenario's rate, if known.
    utilisation: Option<Vec<f64>>,
    prepared: Option<Arc<dyn Prepared>>,
}

impl Forecast {
    /// Evaluates a model in at most `steps` of work.
    fn of(model: &dyn Model, scenario: &Scenario, steps: u64) -> Self {
        let system = &scenario.system;
        let work = || Self::with(model, model.mismatches(system), model.prepare(system), scenario);
        budget::within(steps, work).0
    }

    fn with(
        model: &dyn Model,
        mismatches: Vec<Mismatch>,
        equations: Result<Box<dyn Prepared>, Unsolved>,
        scenario: &Scenario,
    ) -> Self {
        let system = &scenario.system;
        let rate = system.traffic.rate;
        let (prepared, prediction, utilisation, limit) = match equations {
            Ok(prepared) => {
                let (prediction, utilisation) =
                    (prepared.predict(rate), prepared.utilisation(rate));
                let limit = prepared.saturation();
                (Some(Arc::from(prepared)), prediction, utilisation, Some(limit))
            }
            Err(why) => (None, Err(why), None, None),
        };
        let (saturation, unfinished) = match limit {
            Some(Ok(rate)) => (Some(rate), None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        let share = |saturation: Rate| rate.0 / saturation.0;
        let stated_error = saturation
            .filter(|_| prediction.is_ok())
            .map(|saturation| model.stated_error(system, share(saturation)));
        Self {
            model: model.name(),
            reading: model.reading(),
            mismatches,
            prediction,
            saturation,
            unfinished,
            stated_error,
            stated_saturation: model.stated_saturation(system),
            utilisation,
            prepared,
        }
    }

    /// Forecasts of single channels at the rate of `scenario`, by channel id; `None` without a
    /// channel model.
    pub fn channels(&self, scenario: &Scenario) -> Option<Vec<ChannelForecast>> {
        self.prepared.as_ref()?.channels(scenario.system.traffic.rate)
    }

    /// Forecasts of single paths at the rate of `scenario`; `None` without a model of paths.
    pub fn paths(&self, scenario: &Scenario) -> Option<Vec<PathForecast>> {
        self.prepared.as_ref()?.paths(scenario.system.traffic.rate)
    }

    /// Evaluates every reading of every model for `scenario`, the default first, and last the
    /// models without equations for the scenario. Each is passed to `told` as soon as all before
    /// are done. Evaluates as many concurrently as cores exist.
    pub fn each<E>(
        scenario: &Scenario,
        mut told: impl FnMut(Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut models = models_for(&scenario.system);
        models.extend(models_without_equations(&scenario.system));
        let next = AtomicUsize::new(0);
        let (send, come) = channel();
        let cores = available_parallelism().map_or(1, usize::from).min(models.len());
        let work = |send: &Sender<(usize, Self)>| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(model) = models.get(at) else { return };
                // The receiver may have been dropped.
                let _ = send.send((at, Self::of(&**model, scenario, budget::ALONE)));
            }
        };
        std::thread::scope(|scope| {
            let begin = |_: &usize| {
                let (send, work) = (send.clone(), &work);
                Builder::new().spawn_scoped(scope, move || work(&send)).is_ok()
            };
            if (0..cores).filter(begin).count() == 0 {
                work(&send);
            }
            drop(send);
            let mut waiting = BTreeMap::new();
            for at in 0..models.len() {
                while !waiting.contains_key(&at) {
                    let Ok((at, forecast)) = come.recv() else { return Ok(()) };
                    waiting.insert(at, forecast);
                }
                waiting.remove(&at).map_or(Ok(()), &mut told)?;
            }
            Ok(())
        })
    }

    /// All forecasts.
    pub fn all(scenario: &Scenario) -> Vec<Self> {
        let mut all = Vec::new();
        let told = |forecast| {
            all.push(forecast);
            Ok(())
        };
        Self::each::<Infallible>(scenario, told).unwrap_or_else(|never| match never {});
        all
    }

    /// The forecast of the scenario's [reference](Reference), in at most `steps` of work.
    pub fn reference(scenario: &Scenario, steps: u64) -> Option<Self> {
        let work = || {
            let Reference { model, mismatches, equations } = Reference::of(&scenario.system)?;
            Some(Self::with(&*model, mismatches, equations, scenario))
        };
        budget::within(steps, work).0
    }

    /// True if the evaluation exceeded its budget.
    pub fn is_stopped(&self) -> bool {
        let stopped = |why: &Unsolved| matches!(why, Unsolved::OverBudget { .. });
        self.prediction.as_ref().err().or(self.unfinished.as_ref()).is_some_and(stopped)
    }

    /// True if the scenario meets every assumption of the model.
    pub fn applies(&self) -> bool {
        let covered = !matches!(self.prediction, Err(Unsolved::NotCovered(_)));
        covered && self.mismatches.is_empty()
    }

    /// The maximum rate of a source, if sources saturate before the network.
    pub fn injection_limit(&self) -> Option<Rate> {
        self.prepared.as_ref()?.injection_limit()
    }

    /// True if the rate is beyond the model's saturation; `None` without an answer.
    pub fn saturated(&self) -> Option<bool> {
        Unsolved::saturated(&self.prediction)
    }

    /// The contradiction by a run at the same rate, with a likely reason, in words; `None` if both
    /// agree or either is inconclusive.
    pub fn refuted(&self, run: &Outcome) -> Option<String> {
        let claim = Claim {
            system: &run.scenario.system,
            rate: run.rate,
            prediction: &self.prediction,
            mismatches: &self.mismatches,
            saturation: self.saturation,
            stated_error: self.stated_error.as_ref(),
            stated_saturation: &self.stated_saturation,
            utilisation: self.utilisation.as_deref(),
        };
        let status = if run.deadlock.is_some() { RunStatus::Locked } else { RunStatus::Ended };
        verdict::refuted(&claim, &run.summary, status, || run.evidence.clone())
    }

    /// The violated assumptions and the cause of a missing answer, in words. A refusal due to a
    /// listed assumption is omitted.
    pub fn reasons(&self) -> Vec<String> {
        let is_listed = |why: &Unsolved| {
            let names = |it: &Mismatch| why.to_string().ends_with(&format!(", not {}", it.found));
            matches!(why, Unsolved::NotCovered(_)) && self.mismatches.iter().any(names)
        };
        let unsolved = self.prediction.as_ref().err().filter(|why| !is_listed(why));
        let mut reasons: Vec<String> = Vec::new();
        for reason in self.mismatches.iter().map(in_words).chain(unsolved.map(unsolved_in_words)) {
            // Several assumptions may be broken by the same part of a system.
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons
    }

    /// The reasons against the prediction in one text, if any.
    pub fn why_not(&self) -> Option<String> {
        let reasons = self.reasons();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// The reason for a missing answer, in words, with the command that continues the search.
pub fn unsolved_in_words(why: &Unsolved) -> String {
    match why {
        Unsolved::OverBudget { steps } if *steps < budget::ALONE => {
            format!("{why}; `predict` goes on")
        }
        Unsolved::OverBudget { .. }
        | Unsolved::Saturated { .. }
        | Unsolved::NotSettled { .. }
        | Unsolved::GivenUp
        | Unsolved::OtherTransfer { .. }
        | Unsolved::NotCovered(_) => why.to_string(),
    }
}

/// A violated assumption, in words.
fn in_words(mismatch: &Mismatch) -> String {
    format!("it assumes {}, but here: {}", mismatch.assumes, mismatch.found)
}
