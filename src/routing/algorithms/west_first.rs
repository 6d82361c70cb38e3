//! West-first (Glass and Ni 1992) on two-dimensional meshes: hops west first, then all others in
//! any order. x grows east, y grows north.

use crate::routing::algorithm::prelude::*;

/// West-first.
#[derive(Clone, Copy, Debug)]
pub struct WestFirst;

impl Algorithm for WestFirst {
    const NAME: &'static str = "west-first";
    const HELP: &'static str = "Goes west until done, then the rest in any order (turn model).";
    const CHOOSES: bool = true;
    const LIMITS: &'static [Limit] = &[
        Limit::NoRingsForTurns("write `DimensionOrder` or `MinimalAdaptive`"),
        Limit::Flat("meshes"),
    ];
    const READS_SOURCE: bool = false;

    #[inline]
    fn candidates(&self, mut step: Step<'_>) {
        step.only(step.along(0, 0));
        if step.there()[0] >= step.here()[0] {
            step.only(step.along(1, 0));
        }
    }
}
