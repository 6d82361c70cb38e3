//! Object-safe interface of routing algorithms.

use std::fmt;

use super::algorithm::{Algorithm, Needs, OnNetwork, Ties};
use super::head::{Candidate, Header, Stop, Straight, VcUse};
use super::prepared::Prepared;
use super::source_routes::Search;
use super::steps::{Position, Step};
use crate::ids::RouterId;
use crate::topology::Network;
use crate::topology::cube::Cube;
use crate::words::Misfit;

/// The lattice on networks without coordinates.
static NO_LATTICE: Cube = Cube::NONE;

/// Interface described at [`Algorithm`].
pub trait Rule: fmt::Debug + Send + Sync {
    fn name(&self) -> &'static str;
    fn serves(&self, network: &Network) -> Result<Needs, Misfit>;
    fn on(&self, network: &Network) -> Option<OnNetwork>;
    fn refused_on(&self, cube: &Cube) -> Result<(), Misfit>;
    fn ties(&self) -> Ties;
    fn is_minimal(&self) -> bool;
    fn chooses(&self) -> bool;
    fn settles_routes(&self, wraps: bool) -> bool;
    fn search(&self) -> Option<Search>;
    fn class_use(&self, class: u8) -> VcUse;
    fn reads_source(&self, wraps: bool) -> bool;
    fn bits_read(&self, on: &Prepared, from: Option<RouterId>, to: RouterId) -> u64;
    fn first_by_coordinates(&self, wraps: bool) -> bool;
    fn goes_by_offset(&self) -> bool;
    fn goes_straight(&self) -> bool;
    fn reads_arrival(&self) -> bool;
    /// The single candidate of a head not at its destination. Argument and result fit in registers.
    fn straight(&self, on: &Prepared, at: RouterId, header: &Header) -> Straight;
    fn candidates(&self, on: &Prepared, stop: Stop, header: &Header, found: &mut Vec<Candidate>);
}

impl<A: Algorithm> Rule for A {
    fn name(&self) -> &'static str {
        Algorithm::name(self)
    }

    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        Algorithm::serves(self, network)
    }

    fn on(&self, network: &Network) -> Option<OnNetwork> {
        Algorithm::on(self, network)
    }

    fn refused_on(&self, cube: &Cube) -> Result<(), Misfit> {
        Algorithm::refused_on(self, cube)
    }

    fn ties(&self) -> Ties {
        A::TIES
    }

    fn is_minimal(&self) -> bool {
        A::MINIMAL
    }

    fn chooses(&self) -> bool {
        A::CHOOSES
    }

    fn settles_routes(&self, wraps: bool) -> bool {
        Algorithm::settles_routes(self, wraps)
    }

    fn search(&self) -> Option<Search> {
        Algorithm::search(self)
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
        A::READS_ARRIVAL
    }

    fn straight(&self, on: &Prepared, at: RouterId, header: &Header) -> Straight {
        let head = Position { on, cube: on.cube(), at, came: None, header };
        Algorithm::straight(self, head).expect("the head is not at its destination")
    }

    fn candidates(&self, on: &Prepared, stop: Stop, header: &Header, found: &mut Vec<Candidate>) {
        let Stop { at, came } = stop;
        let head =
            Position { on, cube: on.network.grid().unwrap_or(&NO_LATTICE), at, came, header };
        Algorithm::candidates(self, Step { head, found });
    }
}
