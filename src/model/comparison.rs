//! The model whose figures stand beside those of a run: the one with the smallest expected error of those
//! that reckon with the transfer that the machine has.

use super::zero_load::{Alone, alone, transfer_over};
use super::{Mismatch, Model, Part, Prepared, Unsolved, models_for};
use crate::routing::Routing;
use crate::switching::Wormhole;
use crate::system::System;
use crate::units::Rate;

/// The part by which a transfer may be off: models that average over distances are off by less.
const TRANSFER: f64 = 0.05;
/// The share of the rate at which a queue overflows at which hardly any message meets another.
const RARE: f64 = 1e-6;

/// A model and its equations for one system.
#[derive(Debug)]
pub struct Reference {
    pub model: Box<dyn Model>,
    /// The assumptions that the system breaks.
    pub mismatches: Vec<Mismatch>,
    /// Its equations, or why nothing can be compared with them.
    pub equations: Result<Box<dyn Prepared>, Unsolved>,
}

impl Reference {
    /// The reference for `system`: of those that cannot be compared, where there is no other, the first;
    /// `None` where no model has equations for its network.
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

/// That a model reckons with another transfer than `system` has, where it breaks an assumption on which
/// transfers depend.
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
    let alone = match system.relation.routing() {
        // Longer than the shortest: as long as the model says.
        Routing::UpDown { .. } => between(system, machine, prediction.hops_mean?),
        Routing::DimensionOrder { .. }
        | Routing::O1Turn
        | Routing::MinimalAdaptive { .. }
        | Routing::PositiveHop
        | Routing::NegativeHop
        | Routing::NorthLast { .. }
        | Routing::WestFirst
        | Routing::NegativeFirst
        | Routing::OddEven
        | Routing::ShortestPath { .. } => {
            let Alone { transfer, .. } = alone(system, machine).ok()?;
            transfer
        }
    };
    let off = (reckoned / alone - 1.0).abs();
    (off > TRANSFER).then_some(Unsolved::OtherTransfer { reckoned, alone })
}

/// The transfer over a mean number of links, of ways that differ little in length.
fn between(system: &System, machine: &Wormhole, links: f64) -> f64 {
    let (whole, ends) = (links.floor(), machine.terminal_hops());
    let [below, above] =
        [0, 1].map(|more| transfer_over(system, machine, whole as u32 + ends + more));
    below + (links - whole) * (above - below)
}

#[cfg(test)]
mod tests;
