//! West-first (Glass and Ni 1992) on meshes of two dimensions: hops west come first and alone, then
//! the rest in any order. x grows east, y grows north.

use crate::routing::algorithm::prelude::*;

/// West-first.
#[derive(Clone, Copy)]
pub struct WestFirst;

impl Algorithm for WestFirst {
    const HELP: &'static str = "Goes west until done, then the rest in any order (turn model).";

    fn name(self) -> &'static str {
        "west-first"
    }

    fn defined_on(self, family: Family, radix: &[u32]) -> Result<(), Undefined> {
        let otherwise = "write `DimensionOrder` or `MinimalAdaptive`";
        Undefined::if_rings(self.name(), family, radix, otherwise)?;
        Undefined::unless_flat(self.name(), "meshes", family, radix)
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
        straight(cube, at, 0, (here[0], there[0]), on.class_vcs[0], found);
        if there[0] >= here[0] {
            straight(cube, at, 1, (here[1], there[1]), on.class_vcs[0], found);
        }
    }
}
