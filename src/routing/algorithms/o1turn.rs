//! O1TURN (Seo, Ali, Lim, Rafique and Thottethodi 2005, *Near-optimal worst-case throughput routing
//! for two-dimensional mesh networks*): every message draws whether it goes along x first or along y
//! first, and keeps to the VCs of that order. Each order is free of deadlock by itself, and no
//! message changes from the VCs of one to those of the other.

use crate::routing::algorithm::prelude::*;

/// O1TURN.
#[derive(Clone, Copy)]
pub struct O1Turn;

impl Algorithm for O1Turn {
    const HELP: &'static str = "Draws for each message which dimension is finished first.";

    fn name(self) -> &'static str {
        "O1TURN"
    }

    fn defined_on(self, family: Family, radix: &[u32]) -> Result<(), Undefined> {
        if family.wraps() {
            let what = "O1TURN has no classes of VCs for rings, and a torus has rings";
            return Undefined::because(what, "write `DimensionOrder` or `MinimalAdaptive`");
        }
        Undefined::unless_flat(self.name(), "meshes", family, radix)
    }

    fn needs(self, _: Family, _: &[u32]) -> Needs {
        Needs::new(2, "each order of the dimensions has a class of VCs")
    }

    fn reads_source(self, _: bool) -> bool {
        false
    }

    fn bits_read(self, _: &Prepared, _: Option<RouterId>, _: RouterId) -> u64 {
        1 << OWN_BIT
    }

    fn candidates(
        self,
        on: &Prepared,
        cube: &Cube,
        at: RouterId,
        header: &Header,
        found: &mut Vec<Candidate>,
    ) {
        let (here, there) = (cube.coordinates(at), cube.coordinates(header.destination));
        let first = (on.route_bits(header) >> OWN_BIT & 1) as usize;
        let next = if here[first] == there[first] { 1 - first } else { first };
        straight(cube, at, next, (here[next], there[next]), on.class_vcs[first], found);
    }
}
