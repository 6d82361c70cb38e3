//! Source routes: for every pair of routers the routes from one to the other, each a list of links
//! that a message follows to its end.
//!
//! A route is one of the shortest of those that a rule of turns allows: any, or only up and then
//! down ([`Levels`]). They are found by a search over (router, phase), phase 0 as long as a message
//! has only gone up. All routes of a pair are listed in the order of the routers that they visit. No
//! route visits a router twice: what lies between could be left out.

use std::collections::VecDeque;

use super::fields::Paths;
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;

/// The most hops that a table may hold, over all its routes: 128 MiB of them.
pub const HOPS_MAX: usize = 1 << 24;
/// The most routers of a network for which there is a table.
pub const ROUTERS_MAX: usize = 1024;

/// One hop of a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hop {
    /// The router that it leaves.
    pub from: RouterId,
    /// The link that it takes.
    pub channel: ChannelId,
}

/// The routes of all pairs of routers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Routes {
    settled_by_hosts: bool,
    routers: usize,
    hops: Vec<Hop>,
    /// Route `r` is `hops[starts[r]..starts[r + 1]]`.
    starts: Vec<u32>,
    /// The routes from `s` to `d` are those from `pairs[d × routers + s]` to `pairs[… + 1]`.
    pairs: Vec<u32>,
}

/// The routes that a rule lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// The top of what they go up and then down, where they do.
    pub root: Option<RouterId>,
    /// The choice among several routes between two routers.
    pub paths: Paths,
}

impl Search {
    /// Lists the routes on a network of [`ROUTERS_MAX`] routers at most, the root among them; `None`
    /// if they have more than [`HOPS_MAX`] hops in all.
    pub fn routes(self, network: &Network) -> Option<Routes> {
        let routes = Finder::new(network, self.root, self.paths == Paths::First).table()?;
        Some(Routes { settled_by_hosts: self.paths == Paths::Host, ..routes })
    }
}

/// A search for the routes that a rule of turns allows.
#[derive(Clone, Debug)]
pub struct Finder<'a> {
    network: &'a Network,
    /// `None`: every link may follow every other.
    levels: Option<Levels>,
    /// Only the first route of each pair is kept.
    first_only: bool,
    /// Links by the router that they leave, in the order of the routers that they enter.
    neighbours: Vec<Vec<(RouterId, ChannelId)>>,
}

/// The directions of links, up or down, under up*/down* routing (Schroeder et al. 1991, *Autonet*;
/// 002, section 7).
///
/// Breadth-first search from a root gives every switch a level. A link is taken *up* when it leads to
/// a switch that comes earlier in the order of (level, number), else *down*. A route may go up and
/// then down, never up again. No cycle of dependencies can close: links up follow the order to the
/// front, links down to the back, and no route goes on from the second kind to the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels(Vec<u32>);

impl Levels {
    /// The levels as seen from `root`.
    pub fn new(network: &Network, root: RouterId) -> Self {
        Self(network.distances(root))
    }

    /// The level of a switch: its distance from the root in hops.
    pub fn level(&self, switch: RouterId) -> u32 {
        self.0[switch.index()]
    }

    /// True if a link from `from` to `to` leads up.
    pub fn up(&self, from: RouterId, to: RouterId) -> bool {
        (self.level(to), to) < (self.level(from), from)
    }
}

/// Distances of all states from one destination.
struct Towards {
    /// Hops to the destination from (router, phase), at `2 × router + phase`; `u32::MAX` if none.
    hops: Vec<u32>,
    queue: VecDeque<usize>,
}

impl<'a> Finder<'a> {
    /// Looks for the shortest routes on `network`, of [`ROUTERS_MAX`] routers at most: those that go up and
    /// then down as seen from `root`, or, without a root, all. Paths must lead from every router to every
    /// other, with a root over links that lead both ways.
    pub fn new(network: &'a Network, root: Option<RouterId>, first_only: bool) -> Self {
        assert!(network.routers() <= ROUTERS_MAX);
        let neighbours = (0..network.routers())
            .map(|router| {
                let outputs = network.outputs(RouterId::new(router)).iter();
                let mut list: Vec<_> =
                    outputs.map(|&channel| (network.channel(channel).to, channel)).collect();
                list.sort_unstable();
                list
            })
            .collect();
        let levels = root.map(|root| Levels::new(network, root));
        Self { network, levels, first_only, neighbours }
    }

    /// The phase in which a message is after a hop; `None` if it may not take it.
    fn phase_after(&self, phase: usize, from: RouterId, to: RouterId) -> Option<usize> {
        match &self.levels {
            None => Some(0),
            Some(levels) => match (phase, levels.up(from, to)) {
                (0, true) => Some(0),
                (_, true) => None,
                (_, false) => Some(1),
            },
        }
    }

    /// Finds how far every state is from `destination`, by a search against the hops.
    fn towards(&self, destination: RouterId, towards: &mut Towards) {
        towards.hops.fill(u32::MAX);
        for phase in 0..2 {
            let state = 2 * destination.index() + phase;
            towards.hops[state] = 0;
            towards.queue.push_back(state);
        }
        while let Some(state) = towards.queue.pop_front() {
            let (to, phase) = (RouterId::new(state / 2), state % 2);
            for &link in self.network.inputs(to) {
                let from = self.network.channel(link).from;
                for before in 0..2 {
                    let earlier = 2 * from.index() + before;
                    if towards.hops[earlier] == u32::MAX
                        && self.phase_after(before, from, to) == Some(phase)
                    {
                        towards.hops[earlier] = towards.hops[state] + 1;
                        towards.queue.push_back(earlier);
                    }
                }
            }
        }
    }

    /// The hops that lead closer to the destination from a state, and the states after them.
    fn onward(
        &self,
        towards: &'a Towards,
        state: usize,
    ) -> impl Iterator<Item = (Hop, usize)> + '_ {
        let (from, phase) = (RouterId::new(state / 2), state % 2);
        let left = towards.hops[state];
        self.neighbours[from.index()].iter().filter_map(move |&(to, channel)| {
            let next = 2 * to.index() + self.phase_after(phase, from, to)?;
            let closer = left != u32::MAX && towards.hops[next].checked_add(1) == Some(left);
            closer.then_some((Hop { from, channel }, next))
        })
    }

    /// Lists the routes; `None` if they have more than [`HOPS_MAX`] hops in all.
    pub fn table(&self) -> Option<Routes> {
        let routers = self.network.routers();
        let mut towards = Towards { hops: vec![u32::MAX; 2 * routers], queue: VecDeque::new() };
        let mut table = Routes {
            settled_by_hosts: false,
            routers,
            hops: Vec::new(),
            starts: vec![0],
            pairs: vec![0],
        };
        let mut route = Vec::new();
        for destination in (0..routers).map(RouterId::new) {
            self.towards(destination, &mut towards);
            for source in 0..routers {
                self.list(&towards, 2 * source, &mut route, &mut table)?;
                table.pairs.push(table.starts.len() as u32 - 1);
            }
        }
        Some(table)
    }

    /// Lists all routes on from a state, behind the hops that lead to it. As deep as a route is long.
    fn list(
        &self,
        towards: &Towards,
        state: usize,
        route: &mut Vec<Hop>,
        table: &mut Routes,
    ) -> Option<()> {
        if towards.hops[state] == 0 {
            table.hops.extend_from_slice(route);
            table.starts.push(table.hops.len() as u32);
            return (table.hops.len() <= HOPS_MAX).then_some(());
        }
        let kept = if self.first_only { 1 } else { usize::MAX };
        for (hop, next) in self.onward(towards, state).take(kept) {
            route.push(hop);
            self.list(towards, next, route, table)?;
            route.pop();
        }
        Some(())
    }
}

impl Routes {
    /// True if the two hosts of a message settle which of several routes it takes
    /// ([`Paths::Host`]).
    #[inline]
    pub fn settled_by_hosts(&self) -> bool {
        self.settled_by_hosts
    }

    fn pair(&self, source: RouterId, destination: RouterId) -> usize {
        destination.index() * self.routers + source.index()
    }

    /// The number of routes from one router to another: one, without a hop, from each to itself.
    #[inline]
    pub fn count(&self, source: RouterId, destination: RouterId) -> u32 {
        let pair = self.pair(source, destination);
        self.pairs[pair + 1] - self.pairs[pair]
    }

    /// The hops of route `route`, below [`Self::count`].
    #[inline]
    pub fn route(&self, source: RouterId, destination: RouterId, route: u32) -> &[Hop] {
        let at = (self.pairs[self.pair(source, destination)] + route) as usize;
        &self.hops[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The most hops of any route.
    pub fn longest(&self) -> u32 {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
    }

    /// The route that a message's route bits select, each route equally likely.
    #[inline]
    pub fn drawn(&self, source: RouterId, destination: RouterId, route_bits: u64) -> &[Hop] {
        let count = u64::from(self.count(source, destination));
        self.route(source, destination, (((route_bits >> 32) * count) >> 32) as u32)
    }

    /// The route bits that select route `route` of a pair, their lower half 0.
    pub fn bits_for(&self, source: RouterId, destination: RouterId, route: u32) -> u64 {
        let count = u64::from(self.count(source, destination));
        (u64::from(route) << 32).div_ceil(count) << 32
    }
}
