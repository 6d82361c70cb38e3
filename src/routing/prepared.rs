//! The state of a rule on one network: VCs of each class, relevant random bits, routes.

use std::sync::Arc;

use super::head::{Candidate, ClassVcs, Header};
use super::source_routes::{Hop, Routes};
use crate::ids::RouterId;
use crate::topology::Network;
use crate::topology::cube::Cube;

/// A rule's network and VCs.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) network: Arc<Network>,
    /// VCs of each class, escape class or hop class.
    pub(super) class_vcs: ClassVcs,
    pub(super) adaptive_vcs: u32,
    /// VCs of dimension order along lines: those of all its classes.
    pub(super) line_vcs: u32,
    /// True if both ways round a ring are offered when equally long.
    pub(super) both_ways: bool,
    /// The relevant random bits.
    pub(super) bits: u64,
    /// The routes of source routing.
    pub(super) routes: Option<Arc<Routes>>,
}

impl Prepared {
    /// The coordinates used by the rule.
    #[inline]
    pub fn cube(&self) -> &Cube {
        self.network.grid().expect("a rule that uses coordinates has a network with coordinates")
    }

    /// The relevant random bits of a message.
    #[inline]
    pub fn route_bits(&self, header: &Header) -> u64 {
        header.route_bits & self.bits
    }

    /// The class of a VC.
    #[inline]
    pub fn class_of(&self, vc: u32) -> usize {
        self.class_vcs.iter().position(|vcs| vcs >> vc & 1 != 0).unwrap_or_default()
    }

    /// Adds the next hop of the message's source route.
    #[inline]
    pub fn follow(&self, at: RouterId, header: &Header, found: &mut Vec<Candidate>) {
        let Some(routes) = &self.routes else { return };
        let route = routes.drawn(header.source, header.destination, header.route_bits);
        if let Some(&Hop { channel, class, .. }) = route.iter().find(|hop| hop.from == at) {
            found.push(Candidate { channel, vcs: self.class_vcs[usize::from(class)] });
        }
    }

    /// The random bits that select the way round a ring for messages to `destination`, from
    /// `source` or from any source.
    pub fn ties(&self, source: Option<RouterId>, destination: RouterId) -> u64 {
        let Some(cube) = self.network.grid() else { return 0 };
        let bits = self.dimensions(source, destination, |dimension, from, to| match from {
            Some(from) => cube.is_half_way(dimension, from, to),
            None => cube.is_ring(dimension) && cube.radix()[dimension].is_multiple_of(2),
        });
        if cube.goes_both_ways_round() { bits } else { 0 }
    }

    /// A bit for each dimension that satisfies a predicate on the source, if known, and the
    /// destination.
    pub fn dimensions(
        &self,
        source: Option<RouterId>,
        destination: RouterId,
        holds: impl Fn(usize, Option<u16>, u16) -> bool,
    ) -> u64 {
        let cube = self.cube();
        let there = cube.coordinates(destination).iter().enumerate();
        there.fold(0, |bits, (dimension, &to)| {
            let from = source.map(|source| cube.coordinates(source)[dimension]);
            bits | u64::from(holds(dimension, from, to)) << dimension
        })
    }
}
