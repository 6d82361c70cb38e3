//! North-last on two-dimensional meshes and tori: x and south in any order, north only after x
//! (Glass and Ni 1992), with the VC classes required on a torus.
//!
//! The adopted classes divide messages into two networks (after Boppana and Chalasani 1993, who
//! leave the rule open). *Northbound* messages use only x and then north, both with destination
//! classes. All others, which travel south or stay in their row, use class 0 before a seam and
//! class 1 afterwards; they cross the seam of x before the seam of y, and in class 0 do not
//! continue along x after its seam. Proof that no cycle is possible: class 1 contains no seam and
//! is never followed by class 0; within class 0 y never increases, because its seam is used only
//! before class 1, so a cycle would be contained in one row and need the seam of x, after which
//! only south or class 1 remain; north channels are followed only by north channels.

use crate::routing::algorithm::prelude::*;

words! {
    /// The VC classes of north-last on a torus. "Seam" is the wrap-around channel of a dimension.
    /// Only [`Self::TwoNetwork`], [`Self::TwoNetworkDateline`] and [`Self::SeamsCrossed`] are free
    /// of deadlock; the others are plausible but can deadlock, as a demonstration.
    #[derive(Eq)]
    pub enum NorthLastClasses {
        /// Northbound messages finish x and then y with destination classes. Other messages use
        /// class 0 while a seam is ahead, cross the seam of x first, and in class 0 do not return
        /// to x after it.
        TwoNetwork,
        /// As [`Self::TwoNetwork`], but northbound messages take x with dateline classes.
        TwoNetworkDateline,
        /// Dateline classes, separately in each dimension.
        SeparateDateline,
        /// Destination classes, separately in each dimension.
        SeparateDestination,
        /// Static classes, separately in each dimension.
        SeparateStatic,
        /// Class 1 as soon as no seam of either dimension is ahead.
        NoSeamAhead,
        /// Class 1 after the first seam, in either dimension.
        AfterFirstSeam,
        /// Class 1 on the whole path if the path has a seam.
        AnySeam,
        /// The class is the number of seams crossed: three classes.
        SeamsCrossed,
    }
}

/// North-last.
#[derive(Clone, Copy, Debug)]
pub struct NorthLast {
    /// The VC classes on tori. Meshes have no ring and use one class.
    pub classes: NorthLastClasses,
}

impl Algorithm for NorthLast {
    const NAME: &'static str = "north-last";
    const HELP: &'static str = "Goes along x and south in any order, north when x is finished \
                                (turn model).";
    const CHOOSES: bool = true;
    const TIES: Ties = Ties::Settled;
    const LIMITS: &'static [Limit] = &[
        Limit::TwoWays(
            "north-last turns between four directions, and channels here lead north and east only",
        ),
        Limit::Flat("meshes and tori"),
    ];

    fn name(&self) -> &'static str {
        match self.classes {
            NorthLastClasses::TwoNetwork => "north-last, two networks",
            NorthLastClasses::TwoNetworkDateline => "north-last, two networks, dateline",
            NorthLastClasses::SeparateDateline => "north-last, separate datelines",
            NorthLastClasses::SeparateDestination => "north-last, separate destination classes",
            NorthLastClasses::SeparateStatic => "north-last, separate static classes",
            NorthLastClasses::NoSeamAhead => "north-last, class 1 when no seam is ahead",
            NorthLastClasses::AfterFirstSeam => "north-last, class 1 after the first seam",
            NorthLastClasses::AnySeam => "north-last, class 1 where the path has a seam",
            NorthLastClasses::SeamsCrossed => "north-last, class counts seams crossed",
        }
    }

    fn needs(&self, cube: &Cube) -> Result<Needs, Misfit> {
        Ok(if !cube.wraps() {
            Needs::ONE
        } else if self.classes == NorthLastClasses::SeamsCrossed {
            Needs::new(3, "a path crosses none, one or two of the wrap-around channels")
        } else {
            Needs::new(2, "rings need two classes of VCs")
        })
    }

    fn reads_source(&self, wraps: bool) -> bool {
        wraps
    }

    /// Candidates along x come first.
    #[inline]
    fn candidates(&self, mut step: Step<'_>) {
        let (x, y) = (Leg::new(&step, 0), Leg::new(&step, 1));
        let north = y.open && y.sign == Sign::Plus;
        let mut may_x = x.open;
        let mut may_y = y.open && !(north && x.open);
        let (class_x, class_y) = if step.cube.wraps() {
            if !north && two_networks(self.classes) {
                if x.ahead {
                    // South from row 0 is the seam.
                    may_y &= step.here()[1] != 0;
                } else if y.ahead {
                    may_x &= !x.crossed;
                }
            }
            class(self.classes, north, x, y)
        } else {
            (0, 0)
        };
        for (dimension, leg, may, class) in [(0, x, may_x, class_x), (1, y, may_y, class_y)] {
            if may {
                step.offer(dimension, leg.sign, step.on.class_vcs[class]);
            }
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
