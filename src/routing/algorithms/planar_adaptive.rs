//! Planar-adaptive (Chien and Kim 1992, *Planar-adaptive routing: low-cost adaptive networks for
//! multiprocessors*) on cubes: a message is adaptive in the plane of two successive dimensions,
//! until the first of them is finished; then in the plane of the second and the third, and so on.
//!
//! Without rings three VCs per channel suffice for any number of dimensions, and two for two
//! dimensions, of which x needs one and y both: a dimension has a VC as the first of a plane and two
//! VCs as the second, for messages that go up the first dimension and for those that go down. On
//! tori each VC becomes two, or three ([`PlanarClasses::SeamsCrossed`]).
//!
//! *Proof.* In a plane, a VC of the second dimension is used only by messages that go up the first
//! dimension, or only by those that go down. Without rings such messages never return to a column,
//! and keep their direction within a column. So no cycle of dependencies lies in a plane, and
//! messages pass from plane to plane in ascending order. A message that goes straight along the last
//! dimension belongs to the messages that go up; with the VCs of both, such messages would connect
//! the two networks of the last plane, and cycles could close.
//!
//! *On tori* a seam is the wrap-around channel of a dimension. The VCs of a plane and a direction are
//! doubled: a message uses class 0 while a seam of the plane is ahead, then class 1. In class 0 the
//! seam of the second dimension comes before that of the first, and no hop along the second dimension
//! comes between the two. Class 1 has no seam, so the proof above holds for it, and class 0 never
//! follows class 1. In class 0 the seam of the first dimension is the last hop, so messages never
//! return to a column; within a column a cycle would need the seam of the second dimension, which in
//! class 0 is followed only by hops along the first. This scheme is our own, as the paper was not
//! at hand. With a class for each number of seams crossed, every minimal route of a plane is open.

use crate::routing::algorithm::prelude::*;

words! {
    /// The VC classes of planar-adaptive routing. "Seam" is the wrap-around channel of a dimension.
    #[derive(Eq)]
    pub enum PlanarClasses {
        /// In the second dimension of a plane, messages that go up the first dimension and messages
        /// that go down have VCs of their own. On tori class 0 is used while a seam is ahead and
        /// class 1 afterwards, and the seam of the second dimension is crossed first.
        ByDirection,
        /// They share the VCs. Can deadlock.
        Shared,
        /// As [`Self::ByDirection`], but on tori the class is the number of seams crossed, in any
        /// order: three classes.
        SeamsCrossed,
        /// As [`Self::ByDirection`], but on tori each dimension has dateline classes of its own,
        /// in any order. Can deadlock.
        SeparateDateline,
    }
}

/// Planar-adaptive.
#[derive(Clone, Copy, Debug)]
pub struct PlanarAdaptive {
    /// The VC classes.
    pub classes: PlanarClasses,
}

/// The VCs of a dimension as the second of a plane, for messages that go up the first and down.
const UP: usize = 0;
const DOWN: usize = 1;
/// The VC of the first dimension of a plane, unless that is the first of all, which needs none of its
/// own.
const FIRST: usize = 2;

impl Algorithm for PlanarAdaptive {
    const NAME: &'static str = "planar-adaptive";
    const HELP: &'static str = "Takes any channel that leads closer within the plane of the first \
                                unfinished dimension and the next.";
    const CHOOSES: bool = true;
    const TIES: Ties = Ties::Settled;

    fn name(&self) -> &'static str {
        match self.classes {
            PlanarClasses::ByDirection => Self::NAME,
            PlanarClasses::Shared => "planar-adaptive, shared VCs",
            PlanarClasses::SeamsCrossed => "planar-adaptive, class counts seams crossed",
            PlanarClasses::SeparateDateline => "planar-adaptive, separate datelines",
        }
    }

    fn needs(&self, cube: &Cube) -> Result<Needs, Misfit> {
        let (kinds, why) = match cube.dimensions() {
            0 | 1 => (1, Needs::ONE.why),
            2 => (2, "messages to the left and to the right have VCs of their own in y"),
            3.. => (3, "a dimension needs one VC as the first of a plane, and two as the second"),
        };
        let seams = self.seam_classes(cube);
        let why = match seams {
            1 => why,
            3 => "a route in a plane crosses none, one or two of the wrap-around channels",
            _ => "each use of a dimension in its planes needs two classes of VCs for rings",
        };
        Ok(Needs::new(kinds * seams as u32, why))
    }

    #[inline]
    fn candidates(&self, mut step: Step<'_>) {
        let (here, there) = (step.here(), step.there());
        let Some(open) = here.iter().zip(there).position(|(from, to)| from != to) else { return };
        let last = here.len() - 1;
        // The last plane remains that of a message until its end.
        let first = open.min(last.saturating_sub(1));
        let x = Leg::new(&step, first);
        let y = if last == 0 { Leg::FINISHED } else { Leg::new(&step, first + 1) };
        let (mut may_x, mut may_y) = (x.open, y.open);
        if matches!(self.classes, PlanarClasses::ByDirection | PlanarClasses::Shared) {
            may_x &= !(y.ahead && x.meets_seam(&step, first));
            may_y &= !(x.ahead && y.crossed);
        }
        let (class_x, class_y) = self.seam_class(step.cube, x, y);
        if may_x {
            let vcs = self.vcs(&step, (first > 0).then_some(FIRST), class_x);
            step.offer(first, x.sign, vcs);
        }
        if may_y {
            let kind = if x.sign == Sign::Minus { DOWN } else { UP };
            let vcs = self.vcs(&step, Some(kind), class_y);
            step.offer(first + 1, y.sign, vcs);
        }
    }
}

impl PlanarAdaptive {
    /// The number of classes for the seams of a plane; 1 without rings.
    #[inline]
    fn seam_classes(self, cube: &Cube) -> usize {
        match self.classes {
            _ if !cube.wraps() => 1,
            PlanarClasses::SeamsCrossed if cube.dimensions() > 1 => 3,
            PlanarClasses::ByDirection
            | PlanarClasses::Shared
            | PlanarClasses::SeamsCrossed
            | PlanarClasses::SeparateDateline => 2,
        }
    }

    /// The classes of a hop along each dimension of a plane.
    #[inline]
    fn seam_class(self, cube: &Cube, x: Leg, y: Leg) -> (usize, usize) {
        let both = |class: usize| (class, class);
        match self.classes {
            _ if !cube.wraps() => both(0),
            PlanarClasses::ByDirection | PlanarClasses::Shared => {
                both(usize::from(!x.ahead && !y.ahead))
            }
            PlanarClasses::SeamsCrossed => both(usize::from(x.crossed) + usize::from(y.crossed)),
            PlanarClasses::SeparateDateline => (usize::from(x.crossed), usize::from(y.crossed)),
        }
    }

    /// The VCs of a class, for one use of a dimension or for all.
    #[inline]
    fn vcs(self, step: &Step<'_>, kind: Option<usize>, class: usize) -> u32 {
        let seams = self.seam_classes(step.cube);
        let all = &step.on.class_vcs;
        let of = |kind: usize| all[kind * seams + class];
        match kind {
            None if step.here().len() == 1 => of(UP),
            None => of(UP) | of(DOWN) | if step.here().len() > 2 { of(FIRST) } else { 0 },
            Some(UP | DOWN) if self.classes == PlanarClasses::Shared => of(UP) | of(DOWN),
            Some(kind) => of(kind),
        }
    }
}
