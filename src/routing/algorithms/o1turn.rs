//! O1TURN (Seo, Ali, Lim, Rafique and Thottethodi 2005, *Near-optimal worst-case throughput routing
//! for two-dimensional mesh networks*): every message draws the order x first or y first, and uses
//! only the VCs of this order. Each order alone is deadlock-free, and no message changes between
//! the VCs of the two orders.

use crate::routing::algorithm::prelude::*;

/// O1TURN.
#[derive(Clone, Copy, Debug)]
pub struct O1Turn;

impl Algorithm for O1Turn {
    const NAME: &'static str = "O1TURN";
    const HELP: &'static str = "Draws for each message which dimension is finished first.";
    const LIMITS: &'static [Limit] = &[
        Limit::NoRings(
            "O1TURN has no classes of VCs for rings, and a torus has rings",
            "write `DimensionOrder` or `MinimalAdaptive`",
        ),
        Limit::Flat("meshes"),
    ];
    const READS_SOURCE: bool = false;
    const STRAIGHT: bool = true;

    fn needs(&self, _: &Cube) -> Result<Needs, Misfit> {
        Ok(Needs::new(2, "each order of the dimensions has a class of VCs"))
    }

    fn bits_read(&self, _: &Prepared, _: Option<RouterId>, _: RouterId) -> u64 {
        1 << OWN_BIT
    }

    #[inline]
    fn straight(&self, head: Position<'_>) -> Option<Straight> {
        let first = (head.route_bits() >> OWN_BIT & 1) as usize;
        head.along(first, first).or_else(|| head.along(1 - first, first))
    }
}
