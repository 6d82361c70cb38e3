//! Selects the model for comparison with a run.
//!
//! The model has the smallest expected error among models with the transfer time of the machine.

use super::zero_load::alone;
use super::{Mismatch, Model, Part, Prepared, Unsolved, models_for};
use crate::system::System;
use crate::units::Rate;

/// Tolerance of transfer times, relative: models that average over distances deviate by less.
const TRANSFER: f64 = 0.05;
/// Rate of almost no conflicts between messages, as a share of the rate of certain overload.
const RARE: f64 = 1e-6;

/// A model and its equations for one system.
#[derive(Debug)]
pub struct Reference {
    pub model: Box<dyn Model>,
    /// The assumptions violated by the system.
    pub mismatches: Vec<Mismatch>,
    /// The model's equations, or the reason for having no comparable predictions.
    pub equations: Result<Box<dyn Prepared>, Unsolved>,
}

impl Reference {
    /// The reference for `system`: the first comparable model, or else the first model; `None` if
    /// no model has equations for the network.
    pub fn of(system: &System) -> Option<Self> {
        let mut first = None;
        for model in models_for(system) {
            let mismatches = model.mismatches(system);
            let equations = model.prepare(system).and_then(|equations| {
                let off = other_transfer(system, &mismatches, &*equations);
                off.map_or(Ok(equations), Err)
            });
            let comparable = !matches!(equations, Err(Unsolved::OtherTransfer { .. }));
            let found = Self { model, mismatches, equations };
            if comparable {
                return Some(found);
            }
            first = first.or(Some(found));
        }
        first
    }
}

/// Returns an error if the model's transfer time differs from the system's because of a violated
/// assumption that affects transfers.
fn other_transfer(
    system: &System,
    mismatches: &[Mismatch],
    equations: &dyn Prepared,
) -> Option<Unsolved> {
    let machine = system.wormhole()?;
    if !mismatches.iter().any(|it| it.effect.parts.contains(&Part::Transfer)) {
        return None;
    }
    let prediction = equations.predict(Rate(RARE * equations.overflow())).ok()?;
    let reckoned = prediction.part(Part::Transfer)?;
    let alone = alone(system, machine).ok()?.transfer;
    let off = (reckoned / alone - 1.0).abs();
    (off > TRANSFER).then_some(Unsolved::OtherTransfer { reckoned, alone })
}

#[cfg(test)]
mod tests;
