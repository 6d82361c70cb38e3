//! Object-safe interface of routing algorithms, used by the relation.

use std::fmt;
use std::sync::Arc;

use super::around::Around;
use super::fields::Threshold;
use super::head::{Candidate, Header, Stop, Straight, VcUse};
use super::prepared::Prepared;
use super::source_routes::Routes;
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;
use crate::topology::cube::Cube;
use crate::words::Misfit;

/// A rule with its tables for one network.
pub type OnNetwork = Arc<dyn Rule>;

/// The answers of an algorithm, described at [`Algorithm`](super::Algorithm).
pub trait Rule: fmt::Debug + Send + Sync {
    fn name(&self) -> &'static str;
    fn serves(&self, network: &Network) -> Result<Needs, Misfit>;
    fn on(&self, network: &Network) -> Result<Option<OnNetwork>, Misfit>;
    fn prepared(&self, on: &Prepared) -> Option<OnNetwork>;
    fn parts(&self) -> Option<[OnNetwork; 2]>;
    fn refused_on(&self, cube: &Cube) -> Result<(), Misfit>;
    fn ties(&self) -> Ties;
    fn is_minimal(&self) -> bool;
    fn chooses(&self) -> bool;
    fn settles_routes(&self, wraps: bool) -> bool;
    fn routes(&self, network: &Network) -> Option<Result<Routes, Misfit>>;
    fn around(&self) -> Option<Around>;
    fn class_use(&self, class: u8) -> VcUse;
    fn reads_source(&self, wraps: bool) -> bool;
    fn bits_read(&self, on: &Prepared, from: Option<RouterId>, to: RouterId) -> u64;
    fn outcomes(&self, on: &Prepared, from: Option<RouterId>, to: RouterId) -> Vec<u64>;
    fn selects_by_queues(&self) -> Option<Threshold>;
    fn first_by_coordinates(&self, wraps: bool) -> bool;
    fn goes_by_offset(&self) -> bool;
    fn goes_straight(&self) -> bool;
    fn reads_arrival(&self) -> bool;
    fn count_max(&self) -> u8;
    fn count_after(&self, on: &Prepared, stop: Stop, header: &Header, link: ChannelId) -> u8;
    /// The single candidate of a head not at its destination. Argument and result fit in registers.
    fn straight(&self, on: &Prepared, at: RouterId, header: &Header) -> Straight;
    fn candidates(&self, on: &Prepared, stop: Stop, header: &Header, found: &mut Vec<Candidate>);
}

/// Choice between equally long ways round a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// No equally long ways exist on the algorithm's networks.
    Never,
    /// A message decides before its first hop.
    Settled,
    /// Both ways may also be offered to the head: the classes do not depend on the way.
    Choosable,
}

/// The VCs needed by a routing algorithm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needs {
    /// The minimum number of virtual channels on this network.
    pub needed: u32,
    pub why: &'static str,
}

impl Needs {
    /// One VC is enough.
    pub const ONE: Self = Self { needed: 1, why: "one VC moves any message" };

    /// Creates the needs from the number of VCs and their purpose; at least one VC, even in a network
    /// of a single router.
    pub const fn new(needed: u32, why: &'static str) -> Self {
        Self { needed: if needed == 0 { 1 } else { needed }, why }
    }
}
