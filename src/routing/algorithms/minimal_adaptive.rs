//! Minimal fully adaptive routing: any free adaptive VC that leads closer, the first dimension
//! preferred, else the escape VC of dimension order.

use crate::ids::RouterId;
use crate::routing::algorithm::{Algorithm, Needs, Ties, Undefined};
use crate::routing::fields::{Classes, words};
use crate::routing::head::{Candidate, Header, VcUse};
use crate::routing::prepared::Prepared;
use crate::routing::steps;
use crate::topology::cube::Family;

words! {
    /// How the adaptive routing escapes from deadlock.
    Escape {
        /// Dimension order with destination classes.
        Destination,
        /// Dimension order with dateline classes.
        Dateline,
        /// No escape channels: deadlock is possible.
        None,
    }
}

/// Minimal adaptive routing.
#[derive(Clone, Copy)]
pub struct MinimalAdaptive {
    /// The escape rule.
    pub escape: Escape,
}

impl Algorithm for MinimalAdaptive {
    const HELP: &'static str = "takes any channel that leads closer, else the escape VC of \
                                dimension order";
    const TIES: Ties = Ties::Choosable;

    fn name(self) -> &'static str {
        match self.escape {
            Escape::Destination => "minimal adaptive, destination escape",
            Escape::Dateline => "minimal adaptive, dateline escape",
            Escape::None => "minimal adaptive, no escape",
        }
    }

    fn defined_on(self, _: Family, _: &[u32]) -> Result<(), Undefined> {
        Ok(())
    }

    fn needs(self, family: Family, _: &[u32]) -> Needs {
        match self.escape {
            Escape::None => Needs::ONE,
            Escape::Destination | Escape::Dateline if family.wraps() => {
                Needs::new(3, "rings need two escape VCs, and one more must be adaptive")
            }
            Escape::Destination | Escape::Dateline => {
                Needs::new(2, "one VC is the escape, and one more must be adaptive")
            }
        }
    }

    fn is_adaptive(self) -> bool {
        true
    }

    fn class_use(self, class: u8) -> VcUse {
        VcUse::Escape(class)
    }

    fn reads_source(self, wraps: bool) -> bool {
        wraps && self.escape == Escape::Dateline
    }

    fn bits_read(self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> u64 {
        // Where both ways are offered, only the escape still goes by the bits.
        let settled = !on.both_ways || self.escape != Escape::None;
        if settled { on.ties(source, destination) } else { 0 }
    }

    #[inline(never)]
    fn candidates(self, on: &Prepared, at: RouterId, header: &Header, found: &mut Vec<Candidate>) {
        steps::minimal(on, at, header, on.adaptive_vcs, found);
        let classes = match self.escape {
            Escape::Destination => Classes::Destination,
            Escape::Dateline => Classes::Dateline,
            Escape::None => return,
        };
        steps::in_order(on, at, header, classes, found);
    }
}
