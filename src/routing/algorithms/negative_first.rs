//! Negative-first (Glass and Ni 1992) on meshes and hypercubes of any dimension: first the hops to
//! lower coordinates, in any order, then those to higher ones, in any order.

use crate::routing::algorithm::prelude::*;

/// Negative-first.
#[derive(Clone, Copy, Debug)]
pub struct NegativeFirst;

impl Algorithm for NegativeFirst {
    const NAME: &'static str = "negative-first";
    const HELP: &'static str = "Finishes all hops to lower coordinates in any order, then all \
                                 hops to higher coordinates (turn model).";
    const CHOOSES: bool = true;
    const LIMITS: &'static [Limit] =
        &[Limit::NoRingsForTurns("write `MinimalAdaptive`, or make the network a `Mesh`")];
    const READS_SOURCE: bool = false;

    #[inline]
    fn candidates(&self, mut step: Step<'_>) {
        let (here, there) = (step.here(), step.there());
        let negative = here.iter().zip(there).any(|(here, there)| there < here);
        for (dimension, (from, to)) in here.iter().zip(there).enumerate() {
            if negative == (to < from) {
                step.only(step.along(dimension, 0));
            }
        }
    }
}
