//! The limit imposed on every model by the sources: saturation cannot exceed their maximum rate.

use std::sync::OnceLock;

use super::fixed_point::NoSolution;
use super::path::PathForecast;
use super::{ChannelForecast, Prediction, Prepared, Unsolved};
use crate::units::Rate;

/// Relative distance below the limit at which equations must still have a solution for the limit to
/// be the cause of saturation.
const NEAR: f64 = 1e-9;

/// Equations without a solution from the rate `most` on, the maximum rate of the sources.
pub(super) fn limited(equations: Box<dyn Prepared>, most: Rate) -> Box<dyn Prepared> {
    if equations.overflow() <= most.0 {
        return equations;
    }
    Box::new(Limited { equations, most, reached: OnceLock::new() })
}

/// The equations of a model valid beyond the maximum rate of the sources.
#[derive(Debug)]
struct Limited {
    equations: Box<dyn Prepared>,
    most: Rate,
    reached: OnceLock<bool>,
}

impl Limited {
    /// True if the sources, not the network, are the cause of saturation.
    fn is_reached(&self) -> bool {
        let below = || self.equations.is_below_saturation(self.most.0 * (1.0 - NEAR));
        *self.reached.get_or_init(below)
    }
}

impl Prepared for Limited {
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        if rate < self.most.0 { self.equations.solve(rate) } else { Err(NoSolution::Saturated) }
    }

    fn overflow(&self) -> f64 {
        self.most.0
    }

    fn rate_tolerance(&self) -> f64 {
        self.equations.rate_tolerance()
    }

    fn is_below_saturation(&self, rate: f64) -> bool {
        rate < self.most.0 && self.equations.is_below_saturation(rate)
    }

    fn predict(&self, rate: Rate) -> Result<Prediction, Unsolved> {
        if rate.0 < self.most.0 {
            self.equations.predict(rate)
        } else {
            Err(Unsolved::Saturated { rate })
        }
    }

    fn saturation_rate(&self) -> Rate {
        if self.is_reached() { self.most } else { self.equations.saturation_rate() }
    }

    /// The saturation rate of the equations, up to the limit. An error beyond the budget leaves
    /// open whether the limit is reached.
    fn saturation(&self) -> Result<Rate, Unsolved> {
        let found = self.equations.saturation()?;
        let reached = *self.reached.get_or_init(|| found.0 >= self.most.0 * (1.0 - NEAR));
        Ok(if reached { self.most } else { found })
    }

    fn injection_limit(&self) -> Option<Rate> {
        self.is_reached().then_some(self.most)
    }

    fn utilisation(&self, rate: Rate) -> Option<Vec<f64>> {
        self.equations.utilisation(rate)
    }

    fn utilisation_mean(&self, rate: Rate) -> Option<f64> {
        self.equations.utilisation_mean(rate)
    }

    fn channels(&self, rate: Rate) -> Option<Vec<ChannelForecast>> {
        self.equations.channels(rate)
    }

    fn paths(&self, rate: Rate) -> Option<Vec<PathForecast>> {
        self.equations.paths(rate)
    }
}

#[cfg(test)]
mod tests;
