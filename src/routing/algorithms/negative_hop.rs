//! Negative-hop (Gopal; Boppana and Chalasani 1993): fully adaptive; nodes are coloured 0 and 1
//! like a chessboard, and the class of a hop is the number of hops from colour 1 to colour 0 made
//! *before* it.
//!
//! Along a path, classes never decrease and increase with every second hop; between two increases
//! of the class, the colour increases. The pair (class, colour) therefore increases with every hop,
//! and no cycle of dependencies is possible. Both ways round a ring are offered as under
//! [`positive_hop`](super::positive_hop).

use crate::routing::algorithm::prelude::*;

/// Negative-hop.
#[derive(Clone, Copy, Debug)]
pub struct NegativeHop;

impl Algorithm for NegativeHop {
    const NAME: &'static str = "negative-hop";
    const HELP: &'static str = "Takes any channel that leads closer; the class is the number of \
                                hops taken from colour 1 to colour 0 of a chessboard.";
    const CHOOSES: bool = true;
    const TIES: Ties = Ties::Choosable;
    const BY_OFFSET: bool = true;
    const CLASS_USE: fn(u8) -> VcUse = VcUse::Hop;

    fn needs(&self, cube: &Cube) -> Result<Needs, Misfit> {
        let odd = |k: &u32| k % 2 == 1;
        let mut dimensions = cube.radix().iter().enumerate();
        if let Some((_, k)) = dimensions.find(|&(at, k)| cube.is_ring(at) && odd(k)) {
            let what = format!(
                "negative-hop colours the nodes like a chessboard, and a ring of {k} nodes, an odd \
                 number, cannot be coloured so"
            );
            return Misfit::because(what, "make every radix even, or write `PositiveHop`");
        }
        let diameter = cube.diameter();
        let odd_mesh = !cube.wraps() && cube.radix().iter().all(odd);
        // Some longest path starts at colour 1: its hops 1, 3, 5... are negative. If all corners
        // have colour 0, the longest paths start at colour 0; paths from colour 1 are at least a
        // hop shorter.
        let negative = if odd_mesh { diameter.saturating_sub(1) / 2 } else { diameter / 2 };
        Ok(Needs::new(negative + 1, "one class for each count of negative hops"))
    }

    #[inline]
    fn candidates(&self, mut step: Step<'_>) {
        let (cube, source) = (step.cube, step.header.source);
        // Colours alternate: the first hop of a path from colour 1 is negative; on a path from
        // colour 0, the second.
        let class = u32::midpoint(cube.distance(source, step.at), colour(cube, source));
        step.minimal(step.on.class_vcs[class as usize & 31]);
    }
}

/// The colour of a node: the parity of the sum of its coordinates.
#[inline]
fn colour(cube: &Cube, router: RouterId) -> u32 {
    let sum = cube.coordinates(router).iter().fold(0u16, |sum, &x| sum ^ x);
    u32::from(sum & 1)
}
