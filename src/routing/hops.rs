//! Hop schemes: how many hops, and how many negative hops, a message has taken.
//!
//! Gopal's schemes in the form of Boppana and Chalasani (1993): the class of a hop is the number of
//! hops (positive-hop), or of hops from colour 1 to colour 0 (negative-hop), made *before* it.
//! Nodes are coloured by the parity of the sum of their coordinates. Classes never fall along a
//! path; under negative-hop they rise with every second hop, and between two rises the colour does.
//! So (class, colour) increases and no cycle of dependencies can close.
//!
//! The schemes are fully adaptive in the paper's sense (any minimal path), so half way round a ring
//! both ways are offered ([`HalfWay::Adaptive`](super::HalfWay::Adaptive)). Drawing the way instead
//! and keeping a VC until its buffer is empty raises latency by 1 to 6 % on the 16x16 torus.

use crate::ids::RouterId;
use crate::topology::cube::{Cube, Family};

/// Hops of a minimal path from `from` to `to`. A message at `to` that started at `from` has taken
/// just as many, since every part of a minimal path is minimal.
#[inline]
pub fn taken(cube: &Cube, from: RouterId, to: RouterId) -> usize {
    let (from, to) = (cube.coordinates(from), cube.coordinates(to));
    let pairs = from.iter().zip(to).zip(cube.radix());
    match cube.family() {
        Family::Mesh | Family::Hypercube => {
            pairs.map(|((&a, &b), _)| usize::from(a.abs_diff(b))).sum()
        }
        Family::Torus { unidirectional: false } => pairs
            .map(|((&a, &b), &k)| {
                let apart = usize::from(a.abs_diff(b));
                apart.min(k as usize - apart)
            })
            .sum(),
        Family::Torus { unidirectional: true } => pairs
            .map(|((&a, &b), &k)| {
                let (a, b) = (usize::from(a), usize::from(b));
                if b >= a { b - a } else { b + k as usize - a }
            })
            .sum(),
    }
}

/// Hops from colour 1 to colour 0 on a minimal path from `from` to `to`.
#[inline]
pub fn negative(cube: &Cube, from: RouterId, to: RouterId) -> usize {
    // Colours alternate: a path from colour 1 begins with a negative hop, one from colour 0 has
    // its first negative hop second.
    usize::midpoint(taken(cube, from, to), colour(cube, from))
}

/// The colour of a node: the parity of the sum of its coordinates.
#[inline]
pub fn colour(cube: &Cube, router: RouterId) -> usize {
    let sum = cube.coordinates(router).iter().fold(0u16, |sum, &x| sum ^ x);
    usize::from(sum & 1)
}
