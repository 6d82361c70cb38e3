//! The cases of a study: points with what is known of each before anything is simulated.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::PointId;
use super::formula::{Formula, Written};
use crate::experiment::equations::Equations;
use crate::model::Prediction;
use crate::scenario::Scenario;

#[derive(Clone, PartialEq, serde::Deserialize, Debug)]
#[serde(untagged)]
pub enum Value {
    Number(f64),
    Text(String),
}

impl Value {
    /// What stands in a cell of a table; `None` where it is empty.
    pub fn cell(text: &str) -> Option<Self> {
        let number = text.parse().map(Self::Number);
        (!text.is_empty()).then(|| number.unwrap_or_else(|_| Self::Text(text.to_owned())))
    }
}

/// Values by name; a value may be missing.
pub type Values = BTreeMap<String, Option<Value>>;

#[derive(Clone, Debug)]
pub struct Theory {
    pub equations: Arc<Equations>,
    /// What it says at the case's rate.
    pub prediction: Option<Prediction>,
}

#[derive(Clone, Default, Debug)]
pub struct Case {
    /// What sets it apart from others, and what is printed of it.
    pub values: Values,
    /// What is simulated; without a meaning while the scenario is not known.
    pub point: PointId,
    /// What is run.
    pub scenario: Option<Arc<Scenario>>,
    /// The models that have equations for it, by the study's names for them.
    pub theories: BTreeMap<String, Theory>,
    /// Its curve.
    pub curve: usize,
}

#[derive(Debug, Default)]
pub struct Cases {
    /// Formulas with names.
    pub lets: BTreeMap<String, Written<Formula>>,
    /// Whether less is run.
    pub quick: bool,
    /// In the study's order.
    pub all: Vec<Case>,
    /// Points along the axis by growing `x`, one list for each curve.
    pub curves: Vec<Vec<(f64, PointId)>>,
}
