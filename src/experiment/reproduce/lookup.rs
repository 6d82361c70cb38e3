//! Finds figures of a case by name: values, simulated results, and predictions of models.

use super::cases::{Case, Cases, Value, Values};
use super::names::{Figure, fill};
use super::{PointId, Replication, Results};
use crate::experiment::equations::Equations;
use crate::system::System;

/// Computes a number for a case; `None` if undefined or results are missing.
pub type Number = fn(&Lookup<'_>) -> Option<f64>;
/// Computes a text for a case.
pub type Line = fn(&Lookup<'_>) -> Option<String>;

/// The named figures available in every study.
pub const FIGURES: [(&str, Number); 8] = [
    ("rate", |it| Some(it.system()?.traffic.rate.0)),
    ("offered", |it| Some(it.system()?.load().0)),
    ("flits", |it| Some(it.system()?.traffic.lengths.mean())),
    ("latency", |it| it.time(it.simulated(|one| one.latency))),
    ("network_latency", |it| it.time(it.simulated(|one| one.network_latency))),
    ("aborts", |it| it.simulated(|one| one.aborts)),
    ("messages", |it| it.simulated(|one| Some(one.messages as f64))),
    ("utilisation", |it| it.simulated(|one| one.utilisation)),
];

/// The figures of a model besides latency: `mesh.limit`.
pub const OF_MODELS: [&str; 3] = ["limit", "aborts", "set_up"];

/// Figures specific to a paper's study.
#[derive(Clone, Copy, Default, Debug)]
pub struct Derived {
    pub numbers: &'static [(&'static str, Number)],
    pub texts: &'static [(&'static str, Line)],
}

/// Access to the figures of a case.
#[derive(Clone, Copy, Debug)]
pub struct Lookup<'a> {
    cases: &'a Cases,
    derived: Derived,
    /// The simulated results, if any yet.
    results: Option<&'a Results>,
    /// Values overriding the case's values.
    own: Option<&'a Values>,
    /// The index of the case.
    pub place: usize,
}

impl<'a> Lookup<'a> {
    pub fn new(cases: &'a Cases, derived: Derived, place: usize) -> Self {
        Self { cases, derived, results: None, own: None, place }
    }

    #[must_use]
    pub fn with_results(self, results: &'a Results) -> Self {
        Self { results: Some(results), ..self }
    }

    #[must_use]
    pub fn with_values(self, own: &'a Values) -> Self {
        Self { own: Some(own), ..self }
    }

    /// Access to another case.
    #[must_use]
    pub fn at_case(self, place: usize) -> Self {
        Self { own: None, place, ..self }
    }

    pub fn value(&self, name: &str) -> Option<Value> {
        let case = self.case();
        let own = self.own.and_then(|own| own.get(name));
        if let Some(value) = own.or_else(|| case.values.get(name)) {
            return value.clone();
        }
        let Derived { numbers, texts } = self.derived;
        if let Some((_, text)) = texts.iter().find(|(known, _)| *known == name) {
            return text(self).map(Value::Text);
        }
        let derived = numbers.iter().find(|(known, _)| *known == name);
        let number = if let Some((_, number)) = derived {
            number(self)
        } else if let Some((model, figure)) = name.split_once('.') {
            self.of_model(model, figure)
        } else if case.theories.contains_key(name) {
            self.time(Some(case.prediction(name)?.latency_mean))
        } else {
            FIGURES.iter().find(|(known, _)| *known == name)?.1(self)
        };
        number.map(Value::Number)
    }

    /// The number with this name; `None` if missing or a text.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Value::Number(number) => Some(number),
            Value::Text(_) => None,
        }
    }

    pub fn text(&self, name: &str) -> Option<String> {
        self.value(name).map(|value| value.to_string())
    }

    pub fn figure(&self, figure: &Figure) -> Option<f64> {
        match figure {
            Figure::Number(number) => Some(*number),
            Figure::Name(name) => self.number(name),
        }
    }

    /// A text with values in place of the names in braces; `None` if a value is missing.
    pub fn fill(&self, text: &str) -> Option<String> {
        fill(text, |name| self.text(name))
    }

    /// True if the named value equals the text.
    pub fn is(&self, name: &str, text: &str) -> bool {
        matches!(self.value(name), Some(Value::Text(found)) if found == text)
    }

    pub fn equals(&self, name: &str, number: f64) -> bool {
        self.number(name) == Some(number)
    }

    /// True if both cases agree in the named values.
    pub fn same(&self, other: &Self, names: &[impl AsRef<str>]) -> bool {
        let same = |name: &str| self.value(name).is_some_and(|it| other.value(name) == Some(it));
        names.iter().all(|name| same(name.as_ref()))
    }

    /// The relative deviation of one figure from another.
    pub fn deviation(&self, of: &str, from: &str) -> Option<f64> {
        Some(self.number(of)? / self.number(from)? - 1.0)
    }

    /// The relative deviation of a model's latency from simulation; infinite if the model has no
    /// solution.
    pub fn above(&self, model: &str) -> Option<f64> {
        self.number(model).map_or(Some(f64::INFINITY), |_| self.deviation(model, "latency"))
    }

    pub fn is_quick(&self) -> bool {
        self.cases.quick
    }

    /// The latency at `x` on the curve of the case.
    pub fn at(&self, x: f64) -> Option<f64> {
        self.results?.latency_at(self.curve(), x)
    }

    /// The position on the case's curve with a latency of `limit` cycles.
    pub fn reaches(&self, limit: f64) -> Option<f64> {
        self.results?.reaches(self.curve(), limit)
    }

    pub fn equations(&self, model: &str) -> Option<&'a Equations> {
        self.case().theories.get(model)?.equations()
    }

    /// The VCs of a link; `None` for circuits.
    pub fn virtual_channels(&self) -> Option<u32> {
        Some(self.system()?.wormhole()?.virtual_channels)
    }

    /// The saturation rate of a model for another scenario.
    pub fn limit_of(&self, scenario: &str, model: &str, reading: &str) -> Option<f64> {
        let scenario = self.cases.sources.parse(scenario, &[]).ok()?;
        Some(Equations::find(&scenario.system, model, Some(reading))?.1.limit())
    }

    fn of_model(&self, model: &str, figure: &str) -> Option<f64> {
        let circuits = || self.case().prediction(model)?.circuits;
        match figure {
            "limit" => Some(self.equations(model)?.limit()),
            "aborts" => Some(circuits()?.aborts),
            "set_up" => self.time(Some(circuits()?.set_up_cycles)),
            _ => None,
        }
    }

    fn case(&self) -> &'a Case {
        &self.cases.all[self.place]
    }

    fn system(&self) -> Option<&'a System> {
        Some(&self.case().scenario.as_ref()?.system)
    }

    fn simulated(&self, figure: fn(&Replication) -> Option<f64>) -> Option<f64> {
        self.results?.mean(self.case().point, figure)
    }

    /// Converts cycles to the scenario's unit of time.
    fn time(&self, cycles: Option<f64>) -> Option<f64> {
        Some(self.system()?.time_unit().of(cycles?))
    }

    fn curve(&self) -> &'a [(f64, PointId)] {
        self.cases.curves.get(self.case().curve).map_or(&[], Vec::as_slice)
    }
}
