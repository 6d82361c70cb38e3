//! Planar-adaptive (Chien and Kim 1992, *Planar-adaptive routing: low-cost adaptive networks for
//! multiprocessors*) on meshes and hypercubes: a message is adaptive in the plane of two successive
//! dimensions, until the first of them is finished; then in the plane of the second and the third,
//! and so on.
//!
//! Three VCs per channel suffice for any number of dimensions, and two for two dimensions, of which
//! x needs one and y both: a dimension has a VC as the first of a plane and two VCs as the second,
//! for messages that go up the first dimension and for those that go down.
//!
//! *Proof.* In a plane, a VC of the second dimension is used only by messages that go up the first
//! dimension, or only by those that go down. These never return to a column that they have left,
//! and within a column each of them keeps its direction. So no cycle of dependencies lies in a
//! plane, and messages pass from plane to plane in ascending order. A message that goes straight
//! along the last dimension belongs to the messages that go up; if it could use the VCs of both, it
//! would connect the two networks of the last plane, and cycles could close.

use crate::routing::algorithm::prelude::*;

words! {
    /// The VC classes of planar-adaptive routing.
    #[derive(Eq)]
    pub enum PlanarClasses {
        /// In the second dimension of a plane, messages that go up the first dimension and messages
        /// that go down have VCs of their own.
        ByDirection,
        /// They share the VCs. Can deadlock.
        Shared,
    }
}

/// Planar-adaptive.
#[derive(Clone, Copy, Debug)]
pub struct PlanarAdaptive {
    /// The VC classes.
    pub classes: PlanarClasses,
}

/// The class of the first dimension of a plane, unless it is the first of all, which needs no class.
const FIRST: usize = 2;

impl Algorithm for PlanarAdaptive {
    const NAME: &'static str = "planar-adaptive";
    const HELP: &'static str = "Takes any channel that leads closer within the plane of the first \
                                unfinished dimension and the next.";
    const CHOOSES: bool = true;
    const LIMITS: &'static [Limit] = &[Limit::NoRings(
        "planar-adaptive routing has no classes of VCs for rings, and a torus has rings",
        "write `MinimalAdaptive`, or make the network a `Mesh`",
    )];

    fn name(&self) -> &'static str {
        match self.classes {
            PlanarClasses::ByDirection => Self::NAME,
            PlanarClasses::Shared => "planar-adaptive, shared VCs",
        }
    }

    fn needs(&self, cube: &Cube) -> Result<Needs, Misfit> {
        Ok(match cube.dimensions() {
            0 | 1 => Needs::ONE,
            2 => Needs::new(2, "messages to the left and to the right have VCs of their own in y"),
            3.. => Needs::new(
                3,
                "a dimension needs one VC as the first of a plane, and two as the second",
            ),
        })
    }

    #[inline]
    fn candidates(&self, mut step: Step<'_>) {
        let (here, there) = (step.here(), step.there());
        let Some(first) = here.iter().zip(there).position(|(from, to)| from != to) else { return };
        let last = here.len() - 1;
        if first < last {
            self.offer(&mut step, first, (first > 0).then_some(FIRST));
            self.offer(&mut step, first + 1, Some(usize::from(there[first] < here[first])));
        } else {
            // The source is where the last plane begins, as all routes are minimal.
            let before = last.checked_sub(1);
            let class = before.map(|it| usize::from(there[it] < step.started()[it]));
            self.offer(&mut step, last, class);
        }
    }
}

impl PlanarAdaptive {
    /// Offers the channel along a dimension, if unfinished, with the VCs of a class, or with all.
    #[inline]
    fn offer(self, step: &mut Step<'_>, dimension: usize, class: Option<usize>) {
        let all = &step.on.class_vcs;
        let vcs = match class {
            None => step.on.line_vcs,
            Some(class) => match self.classes {
                PlanarClasses::Shared if class != FIRST => all[0] | all[1],
                PlanarClasses::Shared | PlanarClasses::ByDirection => all[class],
            },
        };
        step.only(step.along(dimension, 0).map(|straight| Straight { vcs, ..straight }));
    }
}
