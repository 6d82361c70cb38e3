//! Steps that lead closer, of which rules on cubes are made.

use std::cmp::Ordering;

use super::fields::Classes;
use super::head::{Candidate, Header, OWN_BIT};
use super::prepared::Prepared;
use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::{Cube, Family, Sign};

/// The shorter way from coordinate `from` to `to` (not equal) in dimension `dimension`; equally
/// long ways are told apart by the message's random bits.
#[inline]
pub fn direction(cube: &Cube, dimension: usize, from: u16, to: u16, route_bits: u64) -> Sign {
    let plus = match cube.family() {
        Family::Torus { unidirectional: true } => true,
        Family::Torus { unidirectional: false } => {
            let k = cube.radix()[dimension];
            let ahead = if to > from { u32::from(to - from) } else { k - u32::from(from - to) };
            match (2 * ahead).cmp(&k) {
                Ordering::Less => true,
                Ordering::Greater => false,
                Ordering::Equal => route_bits >> dimension & 1 == 0,
            }
        }
        Family::Mesh | Family::Hypercube => to > from,
    };
    if plus { Sign::Plus } else { Sign::Minus }
}

/// Whether a path from `from` to `to` going `sign` uses the wrap-around channel of its ring.
#[inline]
pub fn wraps(sign: Sign, from: u16, to: u16) -> bool {
    match sign {
        Sign::Plus => to < from,
        Sign::Minus => to > from,
    }
}

/// Adds the channel along `dimension` that leads from coordinate `from` to `to` without a ring, if
/// they differ.
#[inline]
pub fn straight(
    cube: &Cube,
    at: RouterId,
    dimension: usize,
    (from, to): (u16, u16),
    vcs: u32,
    found: &mut Vec<Candidate>,
) {
    if from != to {
        let sign = if to > from { Sign::Plus } else { Sign::Minus };
        found.push(Candidate { channel: ChannelId(cube.port(at, dimension, sign)), vcs });
    }
}

/// Adds every channel that leads closer, lower dimensions first: where both ways round are equally
/// long the one that the random bits name, and then the other where both are offered.
#[expect(clippy::inline_always, reason = "measured: a seventh fewer instructions per decision")]
#[inline(always)]
pub fn minimal(
    (on, cube): (&Prepared, &Cube),
    at: RouterId,
    header: &Header,
    vcs: u32,
    found: &mut Vec<Candidate>,
) {
    let route_bits = on.route_bits(header);
    let here = cube.coordinates(at);
    let there = cube.coordinates(header.destination);
    for (dimension, (&x, &to)) in here.iter().zip(there).enumerate() {
        if x != to {
            let sign = direction(cube, dimension, x, to, route_bits);
            found.push(Candidate { channel: ChannelId(cube.port(at, dimension, sign)), vcs });
            if on.both_ways && cube.is_half_way(dimension, x, to) {
                let other = if sign == Sign::Plus { Sign::Minus } else { Sign::Plus };
                found.push(Candidate { channel: ChannelId(cube.port(at, dimension, other)), vcs });
            }
        }
    }
}

/// Adds the one candidate of dimension order: the next channel along the first dimension that is
/// not finished.
#[expect(clippy::inline_always, reason = "measured: a seventh fewer instructions per decision")]
#[inline(always)]
pub fn in_order(
    (on, cube): (&Prepared, &Cube),
    at: RouterId,
    header: &Header,
    classes: Classes,
    found: &mut Vec<Candidate>,
) {
    let route_bits = on.route_bits(header);
    let here = cube.coordinates(at);
    let there = cube.coordinates(header.destination);
    for (dimension, (&x, &to)) in here.iter().zip(there).enumerate() {
        if x == to {
            continue;
        }
        let sign = direction(cube, dimension, x, to, route_bits);
        let class = if cube.wraps() {
            let entered = cube.coordinates(header.source)[dimension];
            class(classes, sign, (entered, x, to), route_bits >> dimension)
        } else {
            0
        };
        let channel = ChannelId(cube.port(at, dimension, sign));
        found.push(Candidate { channel, vcs: on.class_vcs[class] });
        return;
    }
}

/// The VC class (0 or 1) of the next hop in a ring, for a message that entered the ring at
/// `entered`, stands at `here` and leaves at `to`; the lowest bits of `route_bits` are of this dimension.
#[inline]
fn class(
    classes: Classes,
    sign: Sign,
    (entered, here, to): (u16, u16, u16),
    route_bits: u64,
) -> usize {
    match classes {
        Classes::Random if !wraps(sign, entered, to) => (route_bits >> OWN_BIT) as usize & 1,
        Classes::Random | Classes::Destination => usize::from(!wraps(sign, here, to)),
        // It has crossed when its way from the entrance to here used the wrap-around channel.
        Classes::Dateline => usize::from(wraps(sign, entered, here)),
        Classes::Static => usize::from(wraps(sign, entered, to)),
        Classes::None => 0,
    }
}
