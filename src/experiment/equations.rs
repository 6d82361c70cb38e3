//! A model's equations of one system, at any rate.

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
    /// Rates by the bits of the latency that they have.
    reached: Mutex<BTreeMap<u64, f64>>,
}

impl Equations {
    /// The model of `system` whose name begins so, in this reading, or the first of that name, behind its
    /// whole name; `None` where it has no equations.
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

    /// Those of the first model that is made for systems like this; `None` where none is, or it has no
    /// equations.
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

    /// What it says at a rate.
    pub fn predict(&self, rate: f64) -> Option<Prediction> {
        self.prepared.predict(Rate(rate)).ok()
    }

    /// The mean latency at a rate, in the scenario's unit of time; `None` from saturation on.
    pub fn latency(&self, rate: f64) -> Option<f64> {
        Some(self.unit.of(self.predict(rate)?.latency_mean))
    }

    /// The rate at which it saturates.
    pub fn limit(&self) -> f64 {
        self.limit.get_or_init(|| self.prepared.saturation_rate()).0
    }

    /// The rate at which the latency is `limit`, or else that at which it saturates.
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

    /// `points` rates up to saturation, closer together towards it, with the latency at each.
    pub fn curve(&self, points: u32) -> impl Iterator<Item = (f64, f64)> {
        (1..=points).filter_map(move |at| {
            let left = 1.0 - f64::from(at) / f64::from(points + 1);
            let rate = self.limit() * (1.0 - left * left);
            Some((rate, self.latency(rate)?))
        })
    }
}
