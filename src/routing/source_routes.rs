//! Source routes: a list of routes for every pair of routers. No route visits a router twice.

use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;

/// Maximum number of hops in a table, over all routes: 192 MiB.
pub const HOPS_MAX: usize = 1 << 24;
/// Maximum number of routers for a table.
pub const ROUTERS_MAX: usize = 1024;

/// One hop of a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hop {
    /// The router at the start of the hop.
    pub from: RouterId,
    /// The link of the hop.
    pub channel: ChannelId,
    /// The class of VCs of the hop.
    pub class: u8,
}

/// The choice among several routes of a pair of routers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Drawn for every message, all with equal probability.
    Drawn,
    /// By the sum of the indices of the two hosts at their routers.
    Hosts,
    /// By the index of the destination at its router.
    Destination,
}

/// The routes of all pairs of routers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Routes {
    choice: Choice,
    routers: usize,
    hops: Vec<Hop>,
    /// Route `r` is `hops[starts[r]..starts[r + 1]]`.
    starts: Vec<u32>,
    /// The first route from `s` to `d` and the number of routes, at `d × routers + s`.
    pairs: Vec<(u32, u32)>,
}

impl Routes {
    /// A list without routes.
    pub fn none(routers: usize) -> Self {
        let pairs = vec![(0, 0); routers * routers];
        Self { choice: Choice::Drawn, routers, hops: Vec::new(), starts: vec![0], pairs }
    }

    /// The same list with another choice among several routes.
    #[must_use]
    pub fn chosen(self, choice: Choice) -> Self {
        Self { choice, ..self }
    }

    /// Adds a route; the routes of a pair follow each other.
    pub fn add(&mut self, source: RouterId, destination: RouterId, route: &[Hop]) {
        let next = self.starts.len() as u32 - 1;
        let pair = self.pair(source, destination);
        let (first, count) = &mut self.pairs[pair];
        if *count == 0 {
            *first = next;
        }
        debug_assert!(*first + *count == next, "the routes of a pair follow each other");
        *count += 1;
        self.hops.extend_from_slice(route);
        self.starts.push(self.hops.len() as u32);
    }

    /// Adds the routes of other pairs.
    pub fn extend(&mut self, other: &Self) {
        for destination in (0..self.routers).map(RouterId::new) {
            for source in (0..self.routers).map(RouterId::new) {
                for number in 0..other.count(source, destination) {
                    self.add(source, destination, other.route(source, destination, number));
                }
            }
        }
    }

    /// The number of routers.
    pub fn routers(&self) -> usize {
        self.routers
    }

    /// Pairs of routers with hosts and without a route.
    pub fn missing(&self, network: &Network) -> Vec<(RouterId, RouterId)> {
        let pairs = network
            .host_routers()
            .flat_map(|from| network.host_routers().map(move |to| (from, to)));
        pairs.filter(|&(from, to)| from != to && self.count(from, to) == 0).collect()
    }

    /// True if the list has its maximum of hops or more.
    pub fn is_full(&self) -> bool {
        self.hops.len() > HOPS_MAX
    }

    /// The choice among several routes of a pair of routers.
    #[inline]
    pub fn choice(&self) -> Choice {
        self.choice
    }

    /// The route of a message between two routers, if the indices of its hosts there determine the
    /// route.
    #[inline]
    pub fn settled(&self, routers: [RouterId; 2], seats: [u32; 2]) -> Option<u32> {
        let number = match self.choice {
            Choice::Drawn => return None,
            Choice::Hosts => seats[0] + seats[1],
            Choice::Destination => seats[1],
        };
        number.checked_rem(self.count(routers[0], routers[1]))
    }

    fn pair(&self, source: RouterId, destination: RouterId) -> usize {
        destination.index() * self.routers + source.index()
    }

    /// The number of routes from one router to another.
    #[inline]
    pub fn count(&self, source: RouterId, destination: RouterId) -> u32 {
        self.pairs[self.pair(source, destination)].1
    }

    /// The hops of route `route`, below [`Self::count`].
    #[inline]
    pub fn route(&self, source: RouterId, destination: RouterId, route: u32) -> &[Hop] {
        let at = (self.pairs[self.pair(source, destination)].0 + route) as usize;
        &self.hops[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Maximum number of hops of a route.
    pub fn longest(&self) -> u32 {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
    }

    /// The route selected by a message's route bits, each route equally likely; empty without
    /// routes.
    #[inline]
    pub fn drawn(&self, source: RouterId, destination: RouterId, route_bits: u64) -> &[Hop] {
        let count = u64::from(self.count(source, destination));
        if count == 0 {
            return &[];
        }
        self.route(source, destination, (((route_bits >> 32) * count) >> 32) as u32)
    }

    /// The route bits that select route `route` of a pair, their lower half 0.
    pub fn bits_for(&self, source: RouterId, destination: RouterId, route: u32) -> u64 {
        let count = u64::from(self.count(source, destination));
        (u64::from(route) << 32).div_ceil(count) << 32
    }
}
