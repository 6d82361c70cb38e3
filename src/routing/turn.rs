//! Turn rules on meshes: enough turns are forbidden that no cycle can close, and any way round
//! among the others may be taken. x grows east, y grows north; x is offered first.

use std::cmp::Ordering;

use super::{Candidate, Header};
use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::{Cube, Sign};

/// Offers the channel along `dimension` that leads from coordinate `from` to `to`, if they differ.
#[inline]
fn offer(
    cube: &Cube,
    at: RouterId,
    dimension: usize,
    (from, to): (u16, u16),
    vcs: u32,
    candidates: &mut Vec<Candidate>,
) {
    if from != to {
        let sign = if to > from { Sign::Plus } else { Sign::Minus };
        candidates.push(Candidate { channel: ChannelId(cube.port(at, dimension, sign)), vcs });
    }
}

/// West-first (Glass and Ni 1992) on a mesh of two dimensions: hops west come first and alone.
#[inline(never)]
pub fn west_first(
    cube: &Cube,
    at: RouterId,
    header: &Header,
    vcs: u32,
    candidates: &mut Vec<Candidate>,
) {
    let (here, there) = (cube.coordinates(at), cube.coordinates(header.destination));
    offer(cube, at, 0, (here[0], there[0]), vcs, candidates);
    if there[0] >= here[0] {
        offer(cube, at, 1, (here[1], there[1]), vcs, candidates);
    }
}

/// Negative-first (Glass and Ni 1992) on a mesh or hypercube of any dimension: first the hops to
/// lower coordinates, in any order, then those to higher ones, in any order.
#[inline(never)]
pub fn negative_first(
    cube: &Cube,
    at: RouterId,
    header: &Header,
    vcs: u32,
    candidates: &mut Vec<Candidate>,
) {
    let (here, there) = (cube.coordinates(at), cube.coordinates(header.destination));
    let negative = here.iter().zip(there).any(|(here, there)| there < here);
    for (dimension, (&from, &to)) in here.iter().zip(there).enumerate() {
        if negative == (to < from) {
            offer(cube, at, dimension, (from, to), vcs, candidates);
        }
    }
}

/// Odd-even, minimal (Chiu 2000, algorithm ROUTE) on a mesh of two dimensions.
///
/// No message turns from east to north or south in an even column, none from north or south to west
/// in an odd one. A message that is bound east must therefore not be led into an even column of its
/// destination while it still has to go north or south.
#[inline(never)]
pub fn odd_even(
    cube: &Cube,
    at: RouterId,
    header: &Header,
    vcs: u32,
    candidates: &mut Vec<Candidate>,
) {
    let (here, there) = (cube.coordinates(at), cube.coordinates(header.destination));
    let started = cube.coordinates(header.source)[0];
    let (x, y) = ((here[0], there[0]), (here[1], there[1]));
    let odd = |column: u16| column % 2 == 1;
    let (may_x, may_y) = match x.1.cmp(&x.0) {
        Ordering::Equal => (false, true),
        // Bound east: in the column where it started no turn from east is made.
        Ordering::Greater => (y.0 == y.1 || odd(x.1) || x.1 - x.0 > 1, odd(x.0) || x.0 == started),
        // Bound west: what goes north or south here turns west later in this same column.
        Ordering::Less => (true, !odd(x.0)),
    };
    if may_x {
        offer(cube, at, 0, x, vcs, candidates);
    }
    if may_y {
        offer(cube, at, 1, y, vcs, candidates);
    }
}
