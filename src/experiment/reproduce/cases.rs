//! The cases of a study: points with all facts known before the simulation.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::PointId;
use super::sources::Sources;
use crate::experiment::equations::Equations;
use crate::model::Prediction;
use crate::scenario::Scenario;

/// A value of a case.
#[derive(Clone, PartialEq, serde::Deserialize, Debug)]
#[serde(untagged)]
pub enum Value {
    Number(f64),
    Text(String),
}

impl Value {
    /// Parses a cell of a table; `None` if empty.
    pub fn cell(text: &str) -> Option<Self> {
        let number = text.parse().map(Self::Number);
        (!text.is_empty()).then(|| number.unwrap_or_else(|_| Self::Text(text.to_owned())))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// Values by name; a value may be missing.
pub type Values = BTreeMap<String, Option<Value>>;

/// Selects a model by a prefix of its name and by its reading; without a reading, the first match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelName {
    /// A prefix of the model's name.
    pub name: String,
    pub reading: Option<String>,
}

/// A model for cases differing only in rate; prepared on first use.
#[derive(Debug)]
pub struct Theory {
    scenario: Arc<Scenario>,
    /// The acceptable models in order of preference; `None` for the first model that fits.
    models: Option<Vec<ModelName>>,
    found: OnceLock<Option<(&'static str, Equations)>>,
}

impl Theory {
    pub fn new(scenario: &Arc<Scenario>, models: Option<Vec<ModelName>>) -> Self {
        Self { scenario: Arc::clone(scenario), models, found: OnceLock::new() }
    }

    /// The model's name and equations, if any for this system.
    pub fn titled(&self) -> Option<&(&'static str, Equations)> {
        let find = || {
            let system = &self.scenario.system;
            let Some(models) = &self.models else { return Equations::fitting(system) };
            let mut models = models.iter();
            models.find_map(|ModelName { name, reading }| {
                Equations::find(system, name, reading.as_deref())
            })
        };
        self.found.get_or_init(find).as_ref()
    }

    pub fn equations(&self) -> Option<&Equations> {
        self.titled().map(|(_, equations)| equations)
    }
}

/// The models of cases differing only in rate, by their names in the study.
pub type Theories = BTreeMap<String, Theory>;

/// A point with all facts known before the simulation.
#[derive(Clone, Default, Debug)]
pub struct Case {
    /// The case's distinguishing values.
    pub values: Values,
    /// The simulated point; meaningless until the scenario is known.
    pub point: PointId,
    pub scenario: Option<Arc<Scenario>>,
    /// The models with possible equations for the case.
    pub theories: Arc<Theories>,
    pub curve: usize,
    /// Predictions at the case's rate, by model name.
    pub said: BTreeMap<String, OnceLock<Option<Prediction>>>,
}

impl Case {
    /// Sets the case's models.
    pub fn beside(&mut self, theories: &Arc<Theories>) {
        self.theories = Arc::clone(theories);
        self.said = theories.keys().map(|name| (name.clone(), OnceLock::new())).collect();
    }

    /// The prediction of a model at the case's rate.
    pub fn prediction(&self, model: &str) -> Option<&Prediction> {
        let predict = || {
            let rate = self.scenario.as_ref()?.system.traffic.rate.0;
            self.theories.get(model)?.equations()?.predict(rate)
        };
        self.said.get(model)?.get_or_init(predict).as_ref()
    }
}

/// The points of a study as cases.
#[derive(Debug, Default)]
pub struct Cases {
    pub quick: bool,
    pub all: Vec<Case>,
    /// Points along the axis by increasing `x`, one list for each curve.
    pub curves: Vec<Vec<(f64, PointId)>>,
    /// Scenarios and tables.
    pub sources: Arc<Sources>,
}

impl Cases {
    /// Evaluates all models in parallel.
    pub fn solve(&self) {
        let mut theories: Vec<&Arc<Theories>> =
            self.all.iter().map(|case| &case.theories).collect();
        theories.sort_by_key(|it| Arc::as_ptr(it));
        theories.dedup_by_key(|it| Arc::as_ptr(it));
        // Equations are prepared before the predictions, to avoid blocking on another thread's
        // preparation.
        theories.into_par_iter().for_each(|all| {
            all.par_iter().for_each(|(_, theory)| {
                let _ = theory.equations();
            });
        });
        self.all.par_iter().for_each(|case| {
            case.said.par_iter().for_each(|(name, _)| {
                let _ = case.prediction(name);
            });
        });
    }
}
