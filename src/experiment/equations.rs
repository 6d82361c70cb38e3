//! The equations of a model for one system, at any rate.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::model::{Model, Prediction, Prepared, models_for};
use crate::system::System;
use crate::units::{Rate, TimeUnit};

#[derive(Debug)]
pub struct Equations {
    prepared: Box<dyn Prepared>,
    /// The unit of the scenario's times.
    pub unit: TimeUnit,
    limit: OnceLock<Rate>,
    /// Rates by the bits of their latency.
    reached: Mutex<BTreeMap<u64, f64>>,
}

impl Equations {
    /// The first model of `system` with this prefix and reading, with its full name; `None` without
    /// equations.
    pub fn find(
        system: &System,
        name: &str,
        reading: Option<&str>,
    ) -> Option<(&'static str, Self)> {
        let models = models_for(system);
        let model = models.iter().find(|it| {
            it.name().starts_with(name) && reading.is_none_or(|reading| it.reading() == reading)
        })?;
        Some((model.name(), Self::of(&**model, system)?))
    }

    /// The first model with assumptions met by the system; `None` if no model fits, or the model
    /// has no equations.
    pub fn fitting(system: &System) -> Option<(&'static str, Self)> {
        let models = models_for(system);
        let model = models.iter().find(|it| it.mismatches(system).is_empty())?;
        Some((model.name(), Self::of(&**model, system)?))
    }

    fn of(model: &dyn Model, system: &System) -> Option<Self> {
        let prepared = model.prepare(system).ok()?;
        let (limit, reached) = (OnceLock::new(), Mutex::default());
        Some(Self { prepared, unit: system.time_unit(), limit, reached })
    }

    /// The prediction at a rate.
    pub fn predict(&self, rate: f64) -> Option<Prediction> {
        self.prepared.predict(Rate(rate)).ok()
    }

    /// The mean latency at a rate, in the scenario's unit of time; `None` from saturation on.
    pub fn latency(&self, rate: f64) -> Option<f64> {
        Some(self.unit.of(self.predict(rate)?.latency_mean))
    }

    /// The saturation rate.
    pub fn limit(&self) -> f64 {
        self.limit.get_or_init(|| self.prepared.saturation_rate()).0
    }

    /// The rate with a latency of `limit`, or else the saturation rate.
    pub fn reaches(&self, limit: f64) -> f64 {
        let mut reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        *reached.entry(limit.to_bits()).or_insert_with(|| self.bisect(limit))
    }

    fn bisect(&self, limit: f64) -> f64 {
        let (mut low, mut high) = (0.0, self.limit());
        while high - low > 1e-6 * self.limit() {
            let rate = f64::midpoint(low, high);
            let below = self.latency(rate).is_some_and(|latency| latency < limit);
            if below { low = rate } else { high = rate }
        }
        low
    }

    /// `points` rates up to saturation, denser near saturation, with the latency at each.
    pub fn curve(&self, points: u32) -> impl Iterator<Item = (f64, f64)> {
        (1..=points).filter_map(move |at| {
            let left = 1.0 - f64::from(at) / f64::from(points + 1);
            let rate = self.limit() * (1.0 - left * left);
            Some((rate, self.latency(rate)?))
        })
    }
}
