//! Source routes on graphs of switches, such as fat trees: all routes between every pair of
//! routers.
//!
//! A route is a shortest route permitted by a turn rule: any route, or only up and then down
//! ([`Levels`]). Routes are found by a search over (router, phase), with phase 0 while a message
//! has only used up links. The routes of a pair are sorted by the routers visited. No route visits
//! a router twice, because the loop could be omitted.

use std::collections::VecDeque;

use super::fields::Paths;
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;

/// Maximum number of hops in a table, over all routes: 128 MiB.
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

/// The set of routes of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// The root of up*/down* routes, if restricted to such routes.
    pub root: Option<RouterId>,
    /// The choice among several routes between two routers.
    pub paths: Paths,
}

impl Search {
    /// Lists the routes on a network of at most [`ROUTERS_MAX`] routers, including the root; `None`
    /// if they have more than [`HOPS_MAX`] hops in total.
    pub fn routes(self, network: &Network) -> Option<Routes> {
        let routes = Finder::new(network, self.root, self.paths == Paths::First).table()?;
        Some(Routes { settled_by_hosts: self.paths == Paths::Host, ..routes })
    }
}

/// A search for the routes permitted by a turn rule.
#[derive(Clone, Debug)]
pub struct Finder<'a> {
    network: &'a Network,
    /// Levels for up*/down* routes; `None` if all turns are permitted.
    levels: Option<Levels>,
    /// True if only the first route of each pair is kept.
    first_only: bool,
    /// Links by start router, sorted by end router.
    neighbours: Vec<Vec<(RouterId, ChannelId)>>,
}

/// The directions of links, up or down, under up*/down* routing (Schroeder et al. 1991, *Autonet*;
/// 002, section 7).
///
/// Breadth-first search from a root assigns a level to every switch. A link is *up* if its end
/// precedes its start in the order of (level, number), otherwise *down*. A route may use up links
/// and then down links, but never up links again. No cycle of dependencies is possible: up links
/// decrease in the order, down links increase, and no route continues from a down link to an up
/// link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels(Vec<u32>);

impl Levels {
    /// Computes the levels for `root`.
    pub fn new(network: &Network, root: RouterId) -> Self {
        Self(network.distances(root))
    }

    /// The level of a switch: its distance from the root in hops.
    pub fn level(&self, switch: RouterId) -> u32 {
        self.0[switch.index()]
    }

    /// True if a link from `from` to `to` is an up link.
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
    /// Prepares a search for the shortest routes on `network`, of at most [`ROUTERS_MAX`] routers:
    /// those up and then down relative to `root`, or, without a root, all. Every router must be
    /// reachable from every other, with a root over bidirectional links.
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

    /// The phase of a message after a hop; `None` if the hop is not permitted.
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

    /// Computes the distance of every state from `destination`, by a search against the hops.
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

    /// The hops closer to the destination from a state, and the states after these hops.
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

    /// Lists the routes; `None` if they have more than [`HOPS_MAX`] hops in total.
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

    /// Lists all continuations from a state after the hops so far. The recursion is as deep as a
    /// route is long.
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
    /// True if the two hosts of a message determine its route among several ([`Paths::Host`]).
    #[inline]
    pub fn settled_by_hosts(&self) -> bool {
        self.settled_by_hosts
    }

    fn pair(&self, source: RouterId, destination: RouterId) -> usize {
        destination.index() * self.routers + source.index()
    }

    /// The number of routes from one router to another; a single empty route from each router to
    /// itself.
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

    /// Maximum number of hops of a route.
    pub fn longest(&self) -> u32 {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
    }

    /// The route selected by a message's route bits, each route equally likely.
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
