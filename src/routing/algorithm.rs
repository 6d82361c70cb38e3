//! The description of a routing algorithm. Each has a file of its own under
//! [`algorithms`](super::algorithms).

use std::fmt;

use super::head::{Straight, VcUse};
use super::prepared::Prepared;
use super::source_routes::Search;
use super::steps::{Position, Step};
use crate::ids::RouterId;
use crate::topology::Network;
use crate::topology::cube::Cube;
use crate::words::Misfit;

/// Help about links that lead one way only.
const MAKE_TWO_WAYS: &str = "make the links `Bidirectional`, or write `DimensionOrder`";

/// A routing algorithm with its fields. All but up*/down* are minimal.
pub trait Algorithm: fmt::Debug + Send + Sync + 'static {
    /// Its name for people, without what its fields add.
    const NAME: &'static str;
    /// Summary in a line.
    const HELP: &'static str;
    /// Choice between ways round a ring that are equally long.
    const TIES: Ties = Ties::Never;
    /// Conditions that a cube must meet.
    const LIMITS: &'static [Limit] = &[];
    /// The candidates depend on the message's source.
    const READS_SOURCE: bool = true;
    /// The candidates depend on the VC by which the head arrived, `Position::came`.
    const READS_ARRIVAL: bool = false;
    /// A head has one candidate anywhere, by whichever VC it arrived: see [`Self::straight`].
    const STRAIGHT: bool = false;
    /// Whether, on tori and hypercubes, the channels offered depend only on the way that is left, as
    /// seen from the head: not on where it is, nor on where the message started.
    const BY_OFFSET: bool = false;
    /// Use of the VCs of a class. If they are escape VCs, those beyond the classes are
    /// adaptive, and one of these is among those needed; otherwise they are shared out over the
    /// classes.
    const CLASS_USE: fn(u8) -> VcUse = VcUse::Class;

    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// The VCs with which it serves a network and what they are for, or why it does not serve it.
    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        let search = self.search();
        let follows_routes = search.is_some();
        let Some(cube) = network.grid() else {
            if let Some(Search { root, .. }) = search {
                if root.is_some() && !network.is_two_way() {
                    let what =
                        format!("{} needs links both ways, and one leads one way", self.name());
                    return Misfit::because(what, "leave out `one_way`, or write `ShortestPath()`");
                }
                return Ok(Needs::ONE);
            }
            let what = format!(
                "this routing ({}) goes by coordinates, and these switches have none",
                self.name()
            );
            return Misfit::because(what, "write `UpDown()`, or make the network a `SwitchGrid`");
        };
        if follows_routes && cube.is_one_way() {
            let what = format!("{} needs links both ways, and these lead one way", self.name());
            return Misfit::because(what, MAKE_TWO_WAYS);
        }
        Self::LIMITS.iter().try_for_each(|limit| limit.check(Self::NAME, cube))?;
        self.needs(cube)
    }

    /// Refuses, in scenarios, a field on a cube that the algorithm serves: one that is not safe there.
    fn refused_on(&self, _cube: &Cube) -> Result<(), Misfit> {
        Ok(())
    }

    /// The fewest VCs with which it serves a cube that is within its limits, and what they are for;
    /// or why it does not serve it after all.
    fn needs(&self, _cube: &Cube) -> Result<Needs, Misfit> {
        Ok(Needs::ONE)
    }

    /// The routes that it lists, where it needs no coordinates.
    fn search(&self) -> Option<Search> {
        None
    }

    /// Refines [`Self::READS_SOURCE`] for the fields of this value, on networks with rings or without.
    fn reads_source(&self, _wraps: bool) -> bool {
        Self::READS_SOURCE
    }

    /// The random bits that can change where a message to `destination` may go: those of one that
    /// started at `source`, or of any.
    fn bits_read(&self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> u64 {
        if on.both_ways { 0 } else { on.ties(source, destination) }
    }

    /// Offers what a head may take, in order of preference; nothing exactly at the destination.
    fn candidates(&self, mut step: Step<'_>) {
        step.only(self.straight(step.head));
    }

    /// True if what it offers first follows from the first dimension that is not finished, the coordinates
    /// there and the random bit of that dimension, on networks with rings or without.
    fn first_by_coordinates(&self, _wraps: bool) -> bool {
        false
    }

    /// The one candidate of a head, where [`Self::STRAIGHT`].
    fn straight(&self, _head: Position<'_>) -> Option<Straight> {
        None
    }
}

/// Imports of the files of algorithms.
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
    pub use crate::topology::cube::{Cube, Sign};
    pub(in crate::routing) use crate::words::{Misfit, words};
}

/// Choice between ways round a ring that are equally long.
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

/// A condition that an algorithm sets for cubes.
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
    fn check(self, name: &str, cube: &Cube) -> Result<(), Misfit> {
        let dimensions = cube.dimensions();
        match self {
            Self::TwoWays(what) if cube.is_one_way() => Misfit::because(what, MAKE_TWO_WAYS),
            Self::NoRings(what, help) if cube.wraps() => Misfit::because(what, help),
            Self::NoRingsForTurns(otherwise) if cube.wraps() => {
                let flat = cube.goes_both_ways_round() && dimensions == 2;
                let north_last = "write `NorthLast`, or make the network a `Mesh`";
                Misfit::because(
                    format!("{name} forbids turns, and on a torus rings close without any turn"),
                    if flat { north_last } else { otherwise },
                )
            }
            Self::Flat(networks) if cube.is_hypercube() || dimensions != 2 => {
                let found = match dimensions {
                    _ if cube.is_hypercube() => String::new(),
                    1 => ", not on 1 dimension".to_owned(),
                    more => format!(", not on {more} dimensions"),
                };
                let help = if cube.wraps() {
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
