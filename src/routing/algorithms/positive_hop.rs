//! Positive-hop (Gopal; Boppana and Chalasani 1993): fully adaptive, and the class of a hop is the
//! number of hops made before it. Classes rise with every hop, so no cycle of dependencies can
//! close.
//!
//! The scheme is fully adaptive in the paper's sense (any minimal path), so half way round a ring
//! both ways are offered ([`HalfWay::Adaptive`](crate::routing::HalfWay::Adaptive)). Drawing the
//! way instead and keeping a VC until its buffer is empty raises latency by 1 to 6 % on the 16x16
//! torus.
//!
//! In the variation of the paper's first footnote a message may use any class up to this number
//! ([`HopClasses::UpTo`]). Its graph has cycles, and the paper concludes that worms can deadlock. Its
//! lemma is a sufficient condition only: after i hops a message waits for all classes up to i, the VC
//! of class i is occupied by a message with more hops, and the blocked message with the most hops
//! would have to wait for one with more still. So there is no deadlock while the buffer of a VC holds
//! one message. With two, a head may wait behind the tail of a message with fewer hops, and the
//! argument fails. It fails too without the class of the hops made ([`HopClasses::Below`]): messages
//! on class 0 all round a ring wait for each other.

use crate::routing::algorithm::prelude::*;

words! {
    /// The VC classes of positive-hop.
    #[derive(Eq)]
    pub enum HopClasses {
        /// The class of a hop is the number of hops before it.
        Taken,
        /// Any class up to this number. There are cycles of dependencies, but no deadlock while the
        /// buffer of a VC holds one message.
        UpTo,
        /// Any class below this number, and class 0 at first. Can deadlock.
        Below,
    }
}

impl HopClasses {
    /// The default, one class for each number of hops.
    pub const fn taken() -> Self {
        Self::Taken
    }

    /// True for [`Self::Taken`].
    pub fn is_taken(&self) -> bool {
        *self == Self::Taken
    }
}

/// Positive-hop.
#[derive(Clone, Copy, Debug)]
pub struct PositiveHop {
    /// The VC classes.
    pub classes: HopClasses,
}

impl Algorithm for PositiveHop {
    const NAME: &'static str = "positive-hop";
    const HELP: &'static str = "Takes any channel that leads closer; the class is the number of \
                                hops taken.";
    const CHOOSES: bool = true;
    const TIES: Ties = Ties::Choosable;
    const BY_OFFSET: bool = true;
    const CLASS_USE: fn(u8) -> VcUse = VcUse::Hop;

    fn name(&self) -> &'static str {
        match self.classes {
            HopClasses::Taken => Self::NAME,
            HopClasses::UpTo => "positive-hop, any class up to the hops",
            HopClasses::Below => "positive-hop, any class below the hops",
        }
    }

    fn needs(&self, cube: &Cube) -> Result<Needs, Misfit> {
        Ok(Needs::new(cube.diameter(), "one class for each hop of the longest path"))
    }

    #[inline]
    fn candidates(&self, mut step: Step<'_>) {
        // Every part of a minimal path is minimal, so a message has taken the least number of hops.
        let class = step.cube.distance(step.header.source, step.at) as usize & 31;
        let class_vcs = &step.on.class_vcs;
        let classes = match self.classes {
            HopClasses::Taken => &class_vcs[class..=class],
            HopClasses::UpTo => &class_vcs[..=class],
            HopClasses::Below => &class_vcs[..class.max(1)],
        };
        let vcs = classes.iter().fold(0, |all, vcs| all | vcs);
        step.minimal(vcs);
    }
}
