//! The description of a routing algorithm. Each algorithm has its own file under
//! [`algorithms`](super::algorithms).

use std::fmt;

use super::around::Around;
use super::fields::Threshold;
use super::head::{Candidate, Header, Stop, Straight, VcUse, subsets};
use super::prepared::Prepared;
use super::route_search::MAKE_TWO_WAYS;
use super::rule::{Needs, OnNetwork, Ties};
use super::source_routes::Routes;
use super::steps::{Position, Step};
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;
use crate::topology::cube::Cube;
use crate::words::{Field, Misfit};

/// A routing algorithm with its fields.
pub trait Algorithm: fmt::Debug + Send + Sync + 'static {
    /// Display name, without fields.
    const NAME: &'static str;
    /// Summary in one line.
    const HELP: &'static str;
    /// Choice between equally long ways round a ring.
    const TIES: Ties = Ties::Never;
    /// True if all routes are shortest routes.
    const MINIMAL: bool = true;
    /// True if heads may be offered a choice of channels or classes.
    const CHOOSES: bool = false;
    /// Fields accepted in place of those of the rule.
    const ALSO: &'static [Field] = &[];
    /// Conditions on cubes.
    const LIMITS: &'static [Limit] = &[];
    /// True if the candidates depend on the message's source.
    const READS_SOURCE: bool = true;
    /// True if the candidates depend on the VC of the head's arrival, `Position::came`.
    const READS_ARRIVAL: bool = false;
    /// True if every head has a single candidate, regardless of its arrival: see
    /// [`Self::straight`].
    const STRAIGHT: bool = false;
    /// True if, on tori and hypercubes, the channels offered depend only on the remaining route
    /// relative to the head, and neither on the head's position nor on the source.
    const BY_OFFSET: bool = false;
    /// Use of the VCs of a class. With escape VCs, the VCs beyond the classes are adaptive, and one
    /// adaptive VC is among the VCs needed; otherwise all VCs are distributed over the classes.
    const CLASS_USE: fn(u8) -> VcUse = VcUse::Class;

    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// The VCs needed on a network and their purpose, or the reason why the network is unsuitable.
    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        let Some(cube) = network.grid() else {
            let what = "this routing goes by coordinates, and these switches have none";
            return Misfit::because(what, "write `UpDown()`, or make the network a `SwitchGrid`");
        };
        Self::LIMITS.iter().try_for_each(|limit| limit.check(Self::NAME, cube))?;
        self.needs(cube)
    }

    /// Rejects, in scenarios, field values that are unsafe on an otherwise suitable cube.
    fn refused_on(&self, _cube: &Cube) -> Result<(), Misfit> {
        Ok(())
    }

    /// The minimum number of VCs and their purpose on a cube that satisfies all conditions, or the
    /// reason why the cube is unsuitable.
    fn needs(&self, _cube: &Cube) -> Result<Needs, Misfit> {
        Ok(Needs::ONE)
    }

    /// The rule with its tables for a network, if it needs any. This rule then answers for the
    /// network in place of the algorithm.
    ///
    /// # Errors
    /// The reason why the network is unsuitable.
    fn on(&self, _network: &Network) -> Result<Option<OnNetwork>, Misfit> {
        Ok(None)
    }

    /// The rule with tables for the VCs of each class, if it needs any.
    fn prepared(&self, _on: &Prepared) -> Option<OnNetwork> {
        None
    }

    /// The rules of the two parts of a route by way of any router with hosts, if the routes of a prepared
    /// rule are of this kind. The parts share no VC.
    fn parts(&self) -> Option<[OnNetwork; 2]> {
        None
    }

    /// The routes of all pairs of routers on a network that the algorithm serves, for source
    /// routing.
    ///
    /// # Errors
    /// The reason why there are none for some pair, or too many.
    fn routes(&self, _network: &Network) -> Option<Result<Routes, Misfit>> {
        None
    }

    /// The search for other routes on what remains of a network after failures; `None` if the algorithm
    /// goes by coordinates, which know no failures.
    fn around(&self) -> Option<Around> {
        None
    }

    /// Refines [`Self::MINIMAL`] for the present fields.
    fn is_minimal(&self) -> bool {
        Self::MINIMAL
    }

    /// Refines [`Self::CHOOSES`] for the present fields.
    fn chooses(&self) -> bool {
        Self::CHOOSES
    }

    /// Refines [`Self::READS_ARRIVAL`] for the present fields.
    fn reads_arrival(&self) -> bool {
        Self::READS_ARRIVAL
    }

    /// The highest count that a head carries of hops that the rule limits, for rules that depend on
    /// the arrival; 0 if heads carry none.
    fn count_max(&self) -> u8 {
        0
    }

    /// The count of a head after a hop over `link`, offered at its position.
    fn count_after(&self, head: Position<'_>, _link: ChannelId) -> u8 {
        head.count
    }

    /// True if source, destination and [`Prepared::ties`] determine the channels and classes of a
    /// message, and no cycle of dependencies exists, on networks with or without rings.
    fn settles_routes(&self, _wraps: bool) -> bool {
        !self.chooses()
    }

    /// Refines [`Self::READS_SOURCE`] for the present fields, on networks with or without rings.
    fn reads_source(&self, _wraps: bool) -> bool {
        Self::READS_SOURCE
    }

    /// The random bits that affect the route of messages to `destination`, from `source` or from
    /// any source.
    fn bits_read(&self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> u64 {
        let settled = Self::TIES != Ties::Never && !on.both_ways;
        if settled { on.ties(source, destination) } else { 0 }
    }

    /// All relevant values of the random bits of messages to `destination`, from `source` or from
    /// any source, equally likely.
    fn outcomes(&self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> Vec<u64> {
        subsets(self.bits_read(on, source, destination) & on.bits).collect()
    }

    /// The threshold of a choice at the source, by the queues there, between a direct route and a
    /// detour. The candidates of the direct route have the upper half of the classes.
    fn selects_by_queues(&self) -> Option<Threshold> {
        None
    }

    /// Offers candidates to a head, in order of preference; none only at the destination.
    fn candidates(&self, mut step: Step<'_>) {
        step.only(self.straight(step.head));
    }

    /// True if the first candidate depends only on the first unfinished dimension, its coordinates
    /// and its random bit, on networks with or without rings.
    fn first_by_coordinates(&self, _wraps: bool) -> bool {
        false
    }

    /// The single candidate of a head, if [`Self::STRAIGHT`].
    fn straight(&self, _head: Position<'_>) -> Option<Straight> {
        None
    }
}

/// Imports of the files of algorithms.
pub mod prelude {
    pub use super::{Algorithm, Limit};
    pub use crate::ids::{ChannelId, RouterId};
    pub use crate::routing::around::{Around, Search};
    pub use crate::routing::fields::{Classes, Distance, Paths};
    pub(in crate::routing) use crate::routing::head::OWN_BIT;
    pub use crate::routing::head::{Candidate, Straight, VcUse};
    pub use crate::routing::prepared::Prepared;
    pub use crate::routing::roots::Roots;
    pub use crate::routing::rule::{Needs, OnNetwork, Ties};
    pub use crate::routing::source_routes::Routes;
    pub use crate::routing::steps::{Leg, Position, Step};
    pub use crate::topology::Network;
    pub use crate::topology::cube::{Cube, Sign};
    pub(in crate::routing) use crate::words::{Kind, Misfit, words};
}

/// A condition on cubes.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// Bidirectional links are required, for this reason.
    TwoWays(&'static str),
    /// Rings are excluded, for this reason and with this help.
    NoRings(&'static str, &'static str),
    /// Rings are excluded because of forbidden turns; with this help if north-last is unsuitable.
    NoRingsForTurns(&'static str),
    /// Two dimensions are required (hypercubes have bits); these networks are suitable.
    Flat(&'static str),
}

impl Limit {
    /// Checks the condition for an algorithm.
    pub(super) fn check(self, name: &str, cube: &Cube) -> Result<(), Misfit> {
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

/// The lattice on networks without coordinates.
static NO_LATTICE: Cube = Cube::NONE;

/// The position of a head at a stop.
#[inline]
fn position<'a>(on: &'a Prepared, stop: Stop, header: &'a Header) -> Position<'a> {
    let Stop { at, came, count } = stop;
    Position { on, cube: on.network.grid().unwrap_or(&NO_LATTICE), at, came, count, header }
}

impl<A: Algorithm> super::rule::Rule for A {
    fn name(&self) -> &'static str {
        Algorithm::name(self)
    }

    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        Algorithm::serves(self, network)
    }

    fn on(&self, network: &Network) -> Result<Option<OnNetwork>, Misfit> {
        Algorithm::on(self, network)
    }

    fn prepared(&self, on: &Prepared) -> Option<OnNetwork> {
        Algorithm::prepared(self, on)
    }

    fn parts(&self) -> Option<[OnNetwork; 2]> {
        Algorithm::parts(self)
    }

    fn refused_on(&self, cube: &Cube) -> Result<(), Misfit> {
        Algorithm::refused_on(self, cube)
    }

    fn ties(&self) -> Ties {
        A::TIES
    }

    fn is_minimal(&self) -> bool {
        Algorithm::is_minimal(self)
    }

    fn chooses(&self) -> bool {
        Algorithm::chooses(self)
    }

    fn settles_routes(&self, wraps: bool) -> bool {
        Algorithm::settles_routes(self, wraps)
    }

    fn routes(&self, network: &Network) -> Option<Result<Routes, Misfit>> {
        Algorithm::routes(self, network)
    }

    fn around(&self) -> Option<Around> {
        Algorithm::around(self)
    }

    fn class_use(&self, class: u8) -> VcUse {
        A::CLASS_USE(class)
    }

    fn reads_source(&self, wraps: bool) -> bool {
        Algorithm::reads_source(self, wraps)
    }

    fn bits_read(&self, on: &Prepared, from: Option<RouterId>, to: RouterId) -> u64 {
        Algorithm::bits_read(self, on, from, to)
    }

    fn outcomes(&self, on: &Prepared, from: Option<RouterId>, to: RouterId) -> Vec<u64> {
        Algorithm::outcomes(self, on, from, to)
    }

    fn selects_by_queues(&self) -> Option<Threshold> {
        Algorithm::selects_by_queues(self)
    }

    fn first_by_coordinates(&self, wraps: bool) -> bool {
        Algorithm::first_by_coordinates(self, wraps)
    }

    fn goes_by_offset(&self) -> bool {
        A::BY_OFFSET
    }

    fn goes_straight(&self) -> bool {
        A::STRAIGHT
    }

    fn reads_arrival(&self) -> bool {
        Algorithm::reads_arrival(self)
    }

    fn straight(&self, on: &Prepared, at: RouterId, header: &Header) -> Straight {
        let head = Position { on, cube: on.cube(), at, came: None, count: 0, header };
        Algorithm::straight(self, head).expect("the head is not at its destination")
    }

    fn candidates(&self, on: &Prepared, stop: Stop, header: &Header, found: &mut Vec<Candidate>) {
        Algorithm::candidates(self, Step { head: position(on, stop, header), found });
    }

    fn count_max(&self) -> u8 {
        Algorithm::count_max(self)
    }

    fn count_after(&self, on: &Prepared, stop: Stop, header: &Header, link: ChannelId) -> u8 {
        Algorithm::count_after(self, position(on, stop, header), link)
    }
}
