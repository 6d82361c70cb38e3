//! Positive-hop (Gopal; Boppana and Chalasani 1993): fully adaptive, and the class of a hop is the
//! number of hops made before it. Classes rise with every hop, so no cycle of dependencies can
//! close.
//!
//! The scheme is fully adaptive in the paper's sense (any minimal path), so half way round a ring
//! both ways are offered ([`HalfWay::Adaptive`](crate::routing::HalfWay::Adaptive)). Drawing the
//! way instead and keeping a VC until its buffer is empty raises latency by 1 to 6 % on the 16x16
//! torus.

use crate::routing::algorithm::prelude::*;

/// Positive-hop.
#[derive(Clone, Copy, Debug)]
pub struct PositiveHop;

impl Algorithm for PositiveHop {
    const NAME: &'static str = "positive-hop";
    const HELP: &'static str = "Takes any channel that leads closer; the class is the number of \
                                hops taken.";
    const CHOOSES: bool = true;
    const TIES: Ties = Ties::Choosable;
    const BY_OFFSET: bool = true;
    const CLASS_USE: fn(u8) -> VcUse = VcUse::Hop;

    fn needs(&self, cube: &Cube) -> Result<Needs, Misfit> {
        Ok(Needs::new(cube.diameter().max(1), "one class for each hop of the longest path"))
    }

    #[inline]
    fn candidates(&self, mut step: Step<'_>) {
        // Every part of a minimal path is minimal, so a message has taken the least number of hops.
        let class = step.cube.distance(step.header.source, step.at) as usize;
        step.minimal(step.on.class_vcs[class & 31]);
    }
}
