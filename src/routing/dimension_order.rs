//! Dimension order (e-cube) on tori, meshes and hypercubes, with the class rules that keep rings
//! free of deadlock.

use super::{CLASS_BIT, Candidate, ClassVcs, Classes, Header};
use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::{Cube, Family, Sign};

/// The shorter way from coordinate `from` to `to` (not equal) in dimension `dimension`; equally
/// long ways are told apart by the message's dice.
#[inline]
pub fn way(cube: &Cube, dimension: usize, from: u16, to: u16, dice: u64) -> Sign {
    match cube.family() {
        Family::Torus { unidirectional: true } => Sign::Plus,
        Family::Torus { unidirectional: false } => {
            let k = cube.radix()[dimension];
            let ahead = if to > from { u32::from(to - from) } else { k - u32::from(from - to) };
            let plus = match (2 * ahead).cmp(&k) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Greater => false,
                std::cmp::Ordering::Equal => dice >> dimension & 1 == 0,
            };
            if plus { Sign::Plus } else { Sign::Minus }
        }
        Family::Mesh | Family::Hypercube => {
            if to > from {
                Sign::Plus
            } else {
                Sign::Minus
            }
        }
    }
}

/// Whether both ways from coordinate `from` to `to` are equally long.
#[inline]
pub fn half_way(cube: &Cube, dimension: usize, from: u16, to: u16) -> bool {
    cube.family() == Family::Torus { unidirectional: false }
        && 2 * u32::from(from.abs_diff(to)) == cube.radix()[dimension]
}

/// Whether a path from `from` to `to` going `sign` uses the wrap-around channel of its ring.
#[inline]
pub(super) fn wraps(sign: Sign, from: u16, to: u16) -> bool {
    match sign {
        Sign::Plus => to < from,
        Sign::Minus => to > from,
    }
}

/// The VC class (0 or 1) of the next hop in a ring, for a message that entered the ring at
/// `entered`, stands at `here` and leaves at `to`; the lowest bits of `dice` are of this dimension.
#[inline]
fn class(classes: Classes, sign: Sign, (entered, here, to): (u16, u16, u16), dice: u64) -> usize {
    match classes {
        Classes::Random if !wraps(sign, entered, to) => (dice >> CLASS_BIT) as usize & 1,
        Classes::Random | Classes::Destination => usize::from(!wraps(sign, here, to)),
        // It has crossed when its way from the entrance to here used the wrap-around channel.
        Classes::Dateline => usize::from(wraps(sign, entered, here)),
        Classes::Static => usize::from(wraps(sign, entered, to)),
        Classes::None => 0,
    }
}

/// Adds the one candidate of dimension order at `at`; none at the destination.
#[expect(clippy::inline_always, reason = "measured: a seventh fewer instructions per decision")]
#[inline(always)]
pub fn candidate(
    cube: &Cube,
    at: RouterId,
    header: &Header,
    dice: u64,
    classes: Classes,
    class_vcs: &ClassVcs,
    candidates: &mut Vec<Candidate>,
) {
    let here = cube.coordinates(at);
    let there = cube.coordinates(header.destination);
    for (dimension, (&x, &to)) in here.iter().zip(there).enumerate() {
        if x == to {
            continue;
        }
        let sign = way(cube, dimension, x, to, dice);
        let class = if cube.wraps() {
            let entered = cube.coordinates(header.source)[dimension];
            class(classes, sign, (entered, x, to), dice >> dimension)
        } else {
            0
        };
        let channel = ChannelId(cube.port(at, dimension, sign));
        candidates.push(Candidate { channel, vcs: class_vcs[class] });
        return;
    }
}
