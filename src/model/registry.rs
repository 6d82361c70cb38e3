//! The list of models, and their order of display.

use strum::VariantArray;

use super::Model;
use super::adaptive_hypercube::AdaptiveHypercube;
use super::adaptive_torus::{self, AdaptiveTorus};
use super::channel_flow::ChannelFlow;
use super::circuit::{self, CircuitSwitching};
use super::deterministic_torus::DeterministicTorus;
use super::finite_buffers::{self, FiniteBuffers};
use super::mesh::Mesh;
use super::one_way_torus::OneWayTorus;
use super::zero_load::ZeroLoad;
use crate::system::System;

/// The models with equations for `system`, ordered by [expected error](Model::expected_error);
/// empty if no model has equations for its network.
pub fn models_for(system: &System) -> Vec<Box<dyn Model>> {
    let mut models = registered(system);
    models.retain(|model| model.covers(system));
    let mut ranked: Vec<(f64, Box<dyn Model>)> =
        models.into_iter().map(|model| (model.expected_error(system), model)).collect();
    // Stable: specialised models remain before general ones.
    ranked.sort_by(|one, two| one.0.total_cmp(&two.0));
    ranked.into_iter().map(|(_, model)| model).collect()
}

/// The models of papers about networks like `system` but without equations for `system`, each in
/// its default reading: [`Model::prepare`] returns the reason.
pub fn models_without_equations(system: &System) -> Vec<Box<dyn Model>> {
    let mut models = registered(system);
    models.retain(|model| model.concerns(system) && !model.covers(system));
    models.dedup_by_key(|model| model.name());
    models
}

/// All models in all of their readings, the default of each first.
fn registered(system: &System) -> Vec<Box<dyn Model>> {
    let mut models: Vec<Box<dyn Model>> = vec![Box::new(Mesh), Box::new(OneWayTorus)];
    models.extend(boxed(adaptive_torus::Reading::VARIANTS, AdaptiveTorus));
    models.push(Box::new(AdaptiveHypercube));
    models.push(Box::new(ChannelFlow::of(system)));
    models.extend(boxed(DeterministicTorus::VARIANTS, |it| it));
    models.extend(boxed(finite_buffers::Reading::VARIANTS, FiniteBuffers));
    models.extend(boxed(circuit::Reading::VARIANTS, CircuitSwitching));
    models.push(Box::new(ZeroLoad));
    models
}

/// A model in each of its readings.
fn boxed<R: Copy, M: Model + 'static>(
    readings: &[R],
    model: fn(R) -> M,
) -> impl Iterator<Item = Box<dyn Model>> {
    readings.iter().map(move |&reading| Box::new(model(reading)) as Box<dyn Model>)
}
