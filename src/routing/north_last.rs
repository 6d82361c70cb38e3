//! North-last on meshes and tori of two dimensions: x and south in any order, north only when x is
//! finished (Glass and Ni 1992), with the VC classes that a torus needs.
//!
//! The adopted classes split messages in two networks (after Boppana and Chalasani 1993, whose text
//! leaves the rule open). *North-bound* messages take x alone and then north, each with destination
//! classes. The others, which go south or stay in their row, use class 0 while a seam is ahead and
//! class 1 afterwards; they cross the seam of x before that of y, and in class 0 do not go on along x
//! after its seam. Why no cycle can close: class 1 holds no seam and never leads back to class 0;
//! within class 0 y never grows, as its seam is taken only when class 1 follows, so a cycle would
//! lie in one row and need the seam of x, after which only south or class 1 remain; north channels
//! lead to north channels only.

use super::dimension_order::{way, wraps};
use super::{Candidate, ClassVcs, Header, NorthLastClasses};
use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::{Cube, Sign};

/// One dimension of a message's path, as seen from where it is.
#[derive(Clone, Copy)]
struct Leg {
    /// Which way it goes, if it goes at all.
    sign: Sign,
    /// Hops remain.
    open: bool,
    /// The seam is among them.
    ahead: bool,
    /// The seam has been crossed.
    crossed: bool,
}

impl Leg {
    #[inline]
    fn new(cube: &Cube, at: RouterId, header: &Header, dice: u64, dimension: usize) -> Self {
        let from = cube.coordinates(header.source)[dimension];
        let here = cube.coordinates(at)[dimension];
        let to = cube.coordinates(header.destination)[dimension];
        // A path keeps its way: where it still goes on, that is how it came.
        let start = if here == to { from } else { here };
        let sign = if start == to { Sign::Plus } else { way(cube, dimension, start, to, dice) };
        Self {
            sign,
            open: here != to,
            ahead: here != to && wraps(sign, here, to),
            crossed: here != from && wraps(sign, from, here),
        }
    }

    /// Whether the whole path has the seam.
    fn seam(self) -> bool {
        self.ahead || self.crossed
    }
}

/// Adds the candidates of north-last at `at`, x first; none at the destination.
#[inline(never)]
pub fn candidates(
    cube: &Cube,
    at: RouterId,
    header: &Header,
    dice: u64,
    classes: NorthLastClasses,
    class_vcs: &ClassVcs,
    candidates: &mut Vec<Candidate>,
) {
    let x = Leg::new(cube, at, header, dice, 0);
    let y = Leg::new(cube, at, header, dice, 1);
    let north = y.open && y.sign == Sign::Plus;
    let mut may_x = x.open;
    let mut may_y = y.open && !(north && x.open);
    let (class_x, class_y) = if cube.wraps() {
        if !north && two_networks(classes) {
            if x.ahead {
                // South from row 0 is the seam.
                may_y &= cube.coordinates(at)[1] != 0;
            } else if y.ahead {
                may_x &= !x.crossed;
            }
        }
        class(classes, north, x, y)
    } else {
        (0, 0)
    };
    for (dimension, leg, may, class) in [(0, x, may_x, class_x), (1, y, may_y, class_y)] {
        if may {
            let channel = ChannelId(cube.port(at, dimension, leg.sign));
            candidates.push(Candidate { channel, vcs: class_vcs[class] });
        }
    }
}

#[inline]
fn two_networks(classes: NorthLastClasses) -> bool {
    matches!(classes, NorthLastClasses::TwoNetwork | NorthLastClasses::TwoNetworkDateline)
}

/// The classes of a hop along x and of one along y.
#[inline]
fn class(classes: NorthLastClasses, north: bool, x: Leg, y: Leg) -> (usize, usize) {
    let both = |class: usize| (class, class);
    match classes {
        NorthLastClasses::TwoNetwork if north => (usize::from(!x.ahead), usize::from(!y.ahead)),
        NorthLastClasses::TwoNetworkDateline if north => {
            (usize::from(x.crossed), usize::from(!y.ahead))
        }
        NorthLastClasses::TwoNetwork
        | NorthLastClasses::TwoNetworkDateline
        | NorthLastClasses::NoSeamAhead => both(usize::from(!x.ahead && !y.ahead)),
        NorthLastClasses::SeparateDateline => (usize::from(x.crossed), usize::from(y.crossed)),
        NorthLastClasses::SeparateDestination => (usize::from(!x.ahead), usize::from(!y.ahead)),
        NorthLastClasses::SeparateStatic => (usize::from(x.seam()), usize::from(y.seam())),
        NorthLastClasses::AfterFirstSeam => both(usize::from(x.crossed || y.crossed)),
        NorthLastClasses::AnySeam => both(usize::from(x.seam() || y.seam())),
        NorthLastClasses::SeamsCrossed => both(usize::from(x.crossed) + usize::from(y.crossed)),
    }
}
