//! Negative-first (Glass and Ni 1992) on meshes and hypercubes of any dimension: first the hops to
//! lower coordinates, in any order, then those to higher ones, in any order.

use crate::routing::algorithm::prelude::*;

/// Negative-first.
#[derive(Clone, Copy)]
pub struct NegativeFirst;

impl Algorithm for NegativeFirst {
    const HELP: &'static str = "Takes what leads to lower coordinates in any order, then what \
                                leads to higher ones (turn model).";

    fn name(self) -> &'static str {
        "negative-first"
    }

    fn defined_on(self, family: Family, radix: &[u32]) -> Result<(), Undefined> {
        let otherwise = "write `MinimalAdaptive`, or make the network a `Mesh`";
        Undefined::if_rings(self.name(), family, radix, otherwise)
    }

    fn reads_source(self, _: bool) -> bool {
        false
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
        let negative = here.iter().zip(there).any(|(here, there)| there < here);
        for (dimension, (&from, &to)) in here.iter().zip(there).enumerate() {
            if negative == (to < from) {
                straight(cube, at, dimension, (from, to), on.class_vcs[0], found);
            }
        }
    }
}
