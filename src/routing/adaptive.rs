//! Minimal fully adaptive routing: every channel that leads closer, lower dimensions preferred.

use super::dimension_order::way;
use super::{Candidate, Header};
use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::Cube;

/// Adds a candidate with the VCs `vcs` for every dimension in which `at` is not yet at the
/// destination's coordinate.
#[inline]
pub fn minimal(
    cube: &Cube,
    at: RouterId,
    header: &Header,
    vcs: u32,
    candidates: &mut Vec<Candidate>,
) {
    let here = cube.coordinates(at);
    let there = cube.coordinates(header.destination);
    for (dimension, (&x, &to)) in here.iter().zip(there).enumerate() {
        if x != to {
            let sign = way(cube, dimension, x, to, header.dice);
            candidates.push(Candidate { channel: ChannelId(cube.port(at, dimension, sign)), vcs });
        }
    }
}
