//! What a routing algorithm says of itself. Each has a file of its own under
//! [`algorithms`](super::algorithms).

use super::head::{Straight, VcUse};
use super::prepared::Prepared;
use super::source_routes::Search;
use super::steps::{Position, Step};
use crate::ids::RouterId;
use crate::topology::cube::Family;
use crate::words::Misfit;

/// Links that lead one way only, and what to do about them.
const ONE_WAY: Family = Family::Torus { unidirectional: true };
const MAKE_TWO_WAYS: &str = "make the links `Bidirectional`, or write `DimensionOrder`";

/// A routing algorithm with its fields. All but up*/down* are minimal.
pub trait Algorithm: Copy {
    /// Its name for people, without what its fields add.
    const NAME: &'static str;
    /// What it does, in a line.
    const HELP: &'static str;
    /// What it can do where both ways round a ring are equally long.
    const TIES: Ties = Ties::Never;
    /// What a cube must be like for it.
    const LIMITS: &'static [Limit] = &[];
    /// Whether the candidates depend on where the message started.
    const READS_SOURCE: bool = true;
    /// Whether a head has one candidate anywhere: see [`Self::straight`].
    const STRAIGHT: bool = false;
    /// Whether, on tori and hypercubes, the channels offered depend only on the way that is left, as
    /// seen from the head: not on where it is, nor on where the message started.
    const BY_OFFSET: bool = false;
    /// What the VCs of a class are for. Where they are escape VCs, those beyond the classes are
    /// adaptive, and one of these is among those needed; otherwise they are shared out over the
    /// classes.
    const CLASS_USE: fn(u8) -> VcUse = VcUse::Class;

    fn name(self) -> &'static str {
        Self::NAME
    }

    /// Whether it is defined on cubes of this family and radix; if not, why.
    fn defined_on(self, family: Family, radix: &[u32]) -> Result<(), Misfit> {
        if self.search().is_some() && family == ONE_WAY {
            let what = format!("{} needs links both ways, and these lead one way", self.name());
            return Misfit::because(what, MAKE_TWO_WAYS);
        }
        Self::LIMITS.iter().try_for_each(|limit| limit.check(Self::NAME, family, radix))
    }

    /// Whether a field of it is to be had on cubes of this family, on which the algorithm is defined.
    fn refused_on(self, _family: Family) -> Result<(), Misfit> {
        Ok(())
    }

    /// The fewest VCs with which it can run on a cube of this family and radix, and what they are
    /// for.
    fn needs(self, _family: Family, _radix: &[u32]) -> Needs {
        Needs::ONE
    }

    /// The routes that it lists, where it needs no coordinates.
    fn search(self) -> Option<Search> {
        None
    }

    /// As [`Self::READS_SOURCE`], with these fields on networks with rings or without.
    fn reads_source(self, _wraps: bool) -> bool {
        Self::READS_SOURCE
    }

    /// The random bits that can change where a message to `destination` may go: those of one that
    /// started at `source`, or of any.
    fn bits_read(self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> u64 {
        if on.both_ways { 0 } else { on.ties(source, destination) }
    }

    /// Offers what a head may take, in order of preference; nothing exactly at the destination.
    fn candidates(self, mut step: Step<'_>) {
        step.only(self.straight(step.head));
    }

    /// Whether what it offers first follows from the first dimension that is not finished, the coordinates
    /// there and the random bit of that dimension, on networks with rings or without.
    fn first_by_coordinates(self, _wraps: bool) -> bool {
        false
    }

    /// The one candidate of a head, where [`Self::STRAIGHT`].
    fn straight(self, _head: Position<'_>) -> Option<Straight> {
        None
    }
}

/// What the file of an algorithm uses.
pub mod prelude {
    pub use super::{Algorithm, Limit, Needs, Ties};
    pub use crate::ids::RouterId;
    pub use crate::routing::fields::{Classes, Paths};
    pub(in crate::routing) use crate::routing::head::OWN_BIT;
    pub use crate::routing::head::{Straight, VcUse};
    pub use crate::routing::prepared::Prepared;
    pub use crate::routing::source_routes::Search;
    pub use crate::routing::steps::{Position, Step};
    pub(in crate::routing) use crate::routing::steps::{direction, wraps};
    pub use crate::topology::cube::{Cube, Family, Sign};
    pub(in crate::routing) use crate::words::{Misfit, words};
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

/// What an algorithm demands of cubes.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// Links lead both ways; without them, this is wrong.
    TwoWays(&'static str),
    /// There are no rings: this is wrong with them, and that is the help.
    NoRings(&'static str, &'static str),
    /// There are no rings, on behalf of a rule that forbids turns; the help where north-last is none.
    NoRingsForTurns(&'static str),
    /// It has two dimensions (a hypercube has bits); these networks are right.
    Flat(&'static str),
}

impl Limit {
    /// Checks it for a rule.
    fn check(self, name: &str, family: Family, radix: &[u32]) -> Result<(), Misfit> {
        match self {
            Self::TwoWays(what) if family == ONE_WAY => Misfit::because(what, MAKE_TWO_WAYS),
            Self::NoRings(what, help) if family.wraps() => Misfit::because(what, help),
            Self::NoRingsForTurns(otherwise) if family.wraps() => {
                let flat = family.goes_both_ways_round() && radix.len() == 2;
                let north_last = "write `NorthLast`, or make the network a `Mesh`";
                Misfit::because(
                    format!("{name} forbids turns, and on a torus rings close without any turn"),
                    if flat { north_last } else { otherwise },
                )
            }
            Self::Flat(networks) if family == Family::Hypercube || radix.len() != 2 => {
                let found = match (family, radix.len()) {
                    (Family::Hypercube, _) => String::new(),
                    (Family::Mesh | Family::Torus { .. }, 1) => ", not on 1 dimension".to_owned(),
                    (Family::Mesh | Family::Torus { .. }, n) => format!(", not on {n} dimensions"),
                };
                let help = if family.wraps() {
                    "write `DimensionOrder` or `MinimalAdaptive`"
                } else {
                    "write `NegativeFirst` or `MinimalAdaptive`"
                };
                let what = format!("{name} is defined on {networks} of 2 dimensions{found}");
                Misfit::because(what, help)
            }
            Self::TwoWays(_) | Self::NoRings(..) | Self::NoRingsForTurns(_) | Self::Flat(_) => {
                Ok(())
            }
        }
    }
}
