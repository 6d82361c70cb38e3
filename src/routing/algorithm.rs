//! What a routing algorithm says of itself. Each has a file of its own under
//! [`algorithms`](super::algorithms).

use super::head::{Candidate, Header, VcUse};
use super::prepared::Prepared;
use super::source_routes::Search;
use crate::ids::RouterId;
use crate::topology::cube::{Cube, Family};

/// A routing algorithm with its fields. All but up*/down* are minimal.
pub trait Algorithm: Copy {
    /// What it does, in a line.
    const HELP: &'static str;
    /// What it can do where both ways round a ring are equally long.
    const TIES: Ties = Ties::Never;

    /// Its name for people.
    fn name(self) -> &'static str;

    /// Whether it is defined on cubes of this family and radix; if not, why.
    fn defined_on(self, _family: Family, _radix: &[u32]) -> Result<(), Undefined> {
        Ok(())
    }

    /// Why it is not to be had on a cube of this family although it is defined there: the field
    /// that is to blame, and what is wrong with it.
    fn refused_on(self, _family: Family) -> Option<(&'static str, Undefined)> {
        None
    }

    /// The fewest VCs with which it can run on a cube of this family and radix, and what they are
    /// for.
    fn needs(self, _family: Family, _radix: &[u32]) -> Needs {
        Needs::ONE
    }

    /// What the VCs of a class are for. Where they are escape VCs, those beyond the classes are
    /// adaptive, and one of these is among those needed; otherwise they are shared out over the
    /// classes.
    fn class_use(self, class: u8) -> VcUse {
        VcUse::Class(class)
    }

    /// The routes that it lists, where it needs no coordinates.
    fn search(self) -> Option<Search> {
        None
    }

    /// Whether the candidates depend on where the message started.
    fn reads_source(self, _wraps: bool) -> bool {
        true
    }

    /// The random bits that can change where a message to `destination` may go: those of one that
    /// started at `source`, or of any.
    fn bits_read(self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> u64 {
        if on.both_ways { 0 } else { on.ties(source, destination) }
    }

    /// Adds what a head at router `at` may take, in order of preference; nothing exactly at the
    /// destination.
    fn candidates(
        self,
        on: &Prepared,
        cube: &Cube,
        at: RouterId,
        header: &Header,
        found: &mut Vec<Candidate>,
    );
}

/// What the file of an algorithm uses.
pub mod prelude {
    pub use super::{Algorithm, Needs, Ties, Undefined};
    pub use crate::ids::{ChannelId, RouterId};
    pub use crate::routing::fields::{Classes, Paths};
    pub(in crate::routing) use crate::routing::head::OWN_BIT;
    pub use crate::routing::head::{Candidate, Header, VcUse};
    pub use crate::routing::prepared::Prepared;
    pub use crate::routing::source_routes::Search;
    pub(in crate::routing) use crate::routing::steps::{self, direction, straight, wraps};
    pub use crate::topology::cube::{Cube, Family, Sign};
    pub(in crate::routing) use crate::words::words;
}

/// What an algorithm can do where both ways round a ring are equally long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// There is no such place on its networks.
    Never,
    /// A message settles the way before its first hop.
    Settled,
    /// Both ways may also be offered to its head: the classes do not depend on the way.
    Choosable,
}

/// The VCs that a routing rule needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needs {
    /// The fewest virtual channels that serve the rule on this network.
    pub needed: u32,
    /// What needs them.
    pub why: &'static str,
}

impl Needs {
    /// One VC is enough.
    pub const ONE: Self = Self { needed: 1, why: "one VC moves any message" };

    /// `needed` VCs, and what for.
    pub const fn new(needed: u32, why: &'static str) -> Self {
        Self { needed, why }
    }
}

/// Why a rule is not defined on a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// What is wrong.
    pub what: String,
    /// What to write instead.
    pub help: &'static str,
}

impl Undefined {
    /// Refuses, for a reason.
    pub fn because<T>(what: impl Into<String>, help: &'static str) -> Result<T, Self> {
        Err(Self { what: what.into(), help })
    }

    /// Refuses links that lead one way only, for a reason.
    pub fn if_one_way(what: impl Into<String>, family: Family) -> Result<(), Self> {
        if family == (Family::Torus { unidirectional: true }) {
            return Self::because(
                what,
                "make the links `Bidirectional`, or write `DimensionOrder`",
            );
        }
        Ok(())
    }

    /// Refuses what does not have two dimensions (a hypercube has bits); `networks` says what is
    /// right.
    pub fn unless_flat(
        name: &str,
        networks: &str,
        family: Family,
        radix: &[u32],
    ) -> Result<(), Self> {
        let found = match (family, radix.len()) {
            (Family::Hypercube, _) => String::new(),
            (Family::Mesh | Family::Torus { .. }, 2) => return Ok(()),
            (Family::Mesh | Family::Torus { .. }, 1) => ", not on 1 dimension".to_owned(),
            (Family::Mesh | Family::Torus { .. }, n) => format!(", not on {n} dimensions"),
        };
        let help = if family.wraps() {
            "write `DimensionOrder` or `MinimalAdaptive`"
        } else {
            "write `NegativeFirst` or `MinimalAdaptive`"
        };
        Self::because(format!("{name} is defined on {networks} of 2 dimensions{found}"), help)
    }

    /// Refuses rings on behalf of a rule that forbids turns; `otherwise` is the help where
    /// north-last is none.
    pub fn if_rings(
        name: &str,
        family: Family,
        radix: &[u32],
        otherwise: &'static str,
    ) -> Result<(), Self> {
        if !family.wraps() {
            return Ok(());
        }
        let what = format!("{name} forbids turns, and on a torus rings close without any turn");
        let flat = family.goes_both_ways_round() && radix.len() == 2;
        let north_last = "write `NorthLast`, or make the network a `Mesh`";
        Self::because(what, if flat { north_last } else { otherwise })
    }
}
