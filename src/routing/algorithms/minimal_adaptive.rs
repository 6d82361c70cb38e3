//! Minimal fully adaptive routing: any free adaptive VC of a minimal channel, lower dimensions
//! first, otherwise the escape VC of dimension order.

use std::sync::Arc;

use crate::routing::algorithm::prelude::*;
use crate::routing::algorithms::Routing;
use crate::routing::fields::LeaveEscape;

words! {
    /// The escape routing that prevents deadlock.
    #[derive(Eq)]
    pub enum Escape {
        /// Dimension order with destination classes.
        Destination,
        /// Dimension order with dateline classes.
        Dateline,
        /// No escape channels: deadlock is possible.
        None,
    }
}

/// Minimal adaptive routing.
#[derive(Clone, Copy, Debug)]
pub struct MinimalAdaptive {
    /// The escape rule.
    pub escape: Escape,
    /// True if heads may leave the escape VCs again.
    pub leave_escape: LeaveEscape,
}

impl Routing {
    /// Minimal adaptive routing whose heads may leave the escape VCs.
    pub const fn minimal_adaptive(escape: Escape) -> Self {
        Self::MinimalAdaptive { escape, leave_escape: LeaveEscape(true) }
    }

    /// Minimal adaptive routing whose heads never leave the escape VCs.
    pub const fn final_escape(escape: Escape) -> Self {
        Self::MinimalAdaptive { escape, leave_escape: LeaveEscape(false) }
    }
}

impl Algorithm for MinimalAdaptive {
    const NAME: &'static str = "minimal adaptive";
    const HELP: &'static str = "Takes any channel that leads closer, else the escape VC of \
                                dimension order.";
    const CHOOSES: bool = true;
    const TIES: Ties = Ties::Choosable;
    const BY_OFFSET: bool = true;
    const CLASS_USE: fn(u8) -> VcUse = VcUse::Escape;

    fn name(&self) -> &'static str {
        match self.escape {
            Escape::Destination => "minimal adaptive, destination escape",
            Escape::Dateline => "minimal adaptive, dateline escape",
            Escape::None => "minimal adaptive, no escape",
        }
    }

    fn needs(&self, cube: &Cube) -> Result<Needs, Misfit> {
        Ok(match self.escape {
            Escape::None => Needs::ONE,
            Escape::Destination | Escape::Dateline if cube.wraps() => {
                Needs::new(3, "rings need two escape VCs, and one more must be adaptive")
            }
            Escape::Destination | Escape::Dateline => {
                Needs::new(2, "one VC is the escape, and one more must be adaptive")
            }
        })
    }

    fn on(&self, _: &Network) -> Result<Option<OnNetwork>, Misfit> {
        let stays = !self.leave_escape.0 && self.escape != Escape::None;
        Ok(stays.then(|| -> OnNetwork { Arc::new(FinalEscape(*self)) }))
    }

    fn reads_source(&self, wraps: bool) -> bool {
        wraps && self.escape == Escape::Dateline
    }

    fn bits_read(&self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> u64 {
        // The escape direction depends on the bits even if both ways are offered.
        if self.escape == Escape::None && on.both_ways { 0 } else { on.ties(source, destination) }
    }

    fn first_by_coordinates(&self, _: bool) -> bool {
        true
    }

    #[inline]
    fn candidates(&self, mut step: Step<'_>) {
        step.minimal(step.on.adaptive_vcs);
        self.escape(step);
    }
}

impl MinimalAdaptive {
    /// Offers the escape VC.
    #[inline]
    fn escape(self, mut step: Step<'_>) {
        let classes = match self.escape {
            Escape::Destination => Classes::Destination,
            Escape::Dateline => Classes::Dateline,
            Escape::None => return,
        };
        step.only(step.in_order(classes));
    }
}

/// Minimal adaptive routing whose heads never leave the escape VCs.
#[derive(Clone, Copy, Debug)]
struct FinalEscape(MinimalAdaptive);

impl Algorithm for FinalEscape {
    const NAME: &'static str = MinimalAdaptive::NAME;
    const HELP: &'static str = MinimalAdaptive::HELP;
    const CHOOSES: bool = true;
    const TIES: Ties = Ties::Choosable;
    const READS_ARRIVAL: bool = true;
    const CLASS_USE: fn(u8) -> VcUse = VcUse::Escape;

    fn name(&self) -> &'static str {
        match self.0.escape {
            Escape::Destination => "minimal adaptive, final destination escape",
            Escape::Dateline => "minimal adaptive, final dateline escape",
            Escape::None => Self::NAME,
        }
    }

    fn needs(&self, cube: &Cube) -> Result<Needs, Misfit> {
        self.0.needs(cube)
    }

    fn reads_source(&self, wraps: bool) -> bool {
        self.0.reads_source(wraps)
    }

    fn bits_read(&self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> u64 {
        self.0.bits_read(on, source, destination)
    }

    fn candidates(&self, mut step: Step<'_>) {
        let adaptive_vcs = step.on.adaptive_vcs;
        if step.came.is_none_or(|came| adaptive_vcs >> came.vc() & 1 == 1) {
            step.minimal(adaptive_vcs);
        }
        self.0.escape(step);
    }
}
