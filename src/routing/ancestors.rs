//! Ancestors in a tree of routers, with up links away from the hosts.

use std::collections::{BTreeMap, BTreeSet};

use super::roots::Roots;
use super::route_search::Levels;
use super::source_routes::{Choice, Hop, Routes};
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;
use crate::words::Misfit;

/// Rules for networks without an order of levels.
const OTHERS: &str = "write `UpDown()` or `Layered(layers: 2)`";

/// The routers from which ways down, or up and then down, lead to each destination.
#[derive(Clone, Debug)]
pub(super) struct Ancestors {
    levels: Levels,
    /// A bit for each router reached by down links, in rows of `words`.
    below: Vec<u64>,
    /// A bit for each router reached by up links and then down links.
    reached: Vec<u64>,
    words: usize,
}

impl Ancestors {
    /// Finds the ancestors, or the reason why the network is no tree of levels.
    pub fn new(network: &Network) -> Result<Self, Misfit> {
        let levels = Levels::new(network, &Roots::Hosts);
        let level = |at: RouterId| levels.level(at);
        if let Some(flat) = network.channels()[..network.links()]
            .iter()
            .find(|link| level(link.from) == level(link.to))
        {
            let what = format!(
                "nearest common ancestor routing needs a tree, where links lead away from hosts or \
                 towards hosts, and {} and {} are equally far from theirs",
                network.router_name(flat.from),
                network.router_name(flat.to)
            );
            return Misfit::because(what, OTHERS);
        }
        let routers = network.routers();
        let words = routers.div_ceil(64);
        let mut order: Vec<RouterId> = (0..routers).map(RouterId::new).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(level(at)));
        let mut below = vec![0u64; routers * words];
        for &at in &order {
            below[at.index() * words + at.index() / 64] |= 1 << (at.index() % 64);
            for next in network.neighbours(at).filter(|&next| level(next) > level(at)) {
                join(&mut below, words, at, next);
            }
        }
        let mut reached = below.clone();
        for &at in order.iter().rev() {
            for next in network.neighbours(at).filter(|&next| level(next) < level(at)) {
                join(&mut reached, words, at, next);
            }
        }
        let tree = Self { levels, below, reached, words };
        let ends = || network.host_routers();
        let apart = |from| ends().find(|&to| !tree.leads_to(from, to)).map(|to| (from, to));
        match ends().find_map(apart) {
            None => Ok(tree),
            Some((from, to)) => {
                let what = format!(
                    "nearest common ancestor routing has no way up and then down from {} to {}",
                    network.router_name(from),
                    network.router_name(to)
                );
                Misfit::because(what, OTHERS)
            }
        }
    }

    /// The links from a router towards a destination: down if possible, otherwise up to routers
    /// above the destination.
    pub fn links<'a>(
        &'a self,
        network: &'a Network,
        at: RouterId,
        to: RouterId,
    ) -> impl Iterator<Item = ChannelId> + 'a {
        let down = self.is_above(at, to);
        network.outputs(at).iter().copied().filter(move |&link| {
            let next = network.channel(link).to;
            let falls = self.level(next) > self.level(at);
            down == falls && if down { self.is_above(next, to) } else { self.leads_to(next, to) }
        })
    }

    /// The routes with one up link at each level for every destination: the digit of its number
    /// for the level, with the host's index at its router as the lowest digit.
    pub fn routes_by_destination(&self, network: &Network) -> Routes {
        let leaves = self.leaves_in_order(network);
        let below = |at: RouterId| leaves.iter().filter(|leaf| self.is_above(at, **leaf)).count();
        let downs = |at: RouterId| {
            let lower = network.neighbours(at).filter(|&next| self.level(next) > self.level(at));
            lower.collect::<BTreeSet<_>>().len()
        };
        let all = (0..network.routers()).map(RouterId::new);
        let spans: Vec<usize> = all.map(|at| (below(at) / downs(at).max(1)).max(1)).collect();
        let mut routes = Routes::none(network.routers());
        let mut route = Vec::new();
        for (number, &to) in leaves.iter().enumerate() {
            for &from in leaves.iter().filter(|&&from| from != to) {
                for seat in 0..network.terminals_at(to) {
                    route.clear();
                    let mut at = from;
                    while at != to {
                        let leaf = network.terminals_at(at) > 0;
                        let digit = if leaf { seat } else { number / spans[at.index()] };
                        let links: Vec<ChannelId> = self.links(network, at, to).collect();
                        let channel = links[digit % links.len()];
                        route.push(Hop { from: at, channel, class: 0 });
                        at = network.channel(channel).to;
                    }
                    routes.add(from, to, &route);
                }
            }
        }
        routes.chosen(Choice::Destination)
    }

    /// The routers with hosts, those below a common ancestor next to each other.
    fn leaves_in_order(&self, network: &Network) -> Vec<RouterId> {
        let all = || (0..network.routers()).map(RouterId::new);
        let mut leaves: Vec<RouterId> = network.host_routers().collect();
        let first_below = |at: RouterId| leaves.iter().position(|leaf| self.is_above(at, *leaf));
        let first: Vec<Option<usize>> = all().map(first_below).collect();
        // The first leaf below an ancestor, from the highest level down.
        leaves.sort_by_cached_key(|&leaf| {
            let mut groups = BTreeMap::new();
            for at in all().filter(|&at| self.is_above(at, leaf)) {
                let least = groups.entry(self.level(at)).or_insert(first[at.index()]);
                *least = (*least).min(first[at.index()]);
            }
            groups.into_values().collect::<Vec<_>>()
        });
        leaves
    }

    /// The level of a router, from 0 for those farthest from hosts.
    pub fn level(&self, at: RouterId) -> u32 {
        self.levels.level(at)
    }

    /// True if down links lead from one router to another.
    #[inline]
    pub fn is_above(&self, at: RouterId, other: RouterId) -> bool {
        bit(&self.below, self.words, at, other)
    }

    /// True if up links and then down links lead from one router to another.
    #[inline]
    pub fn leads_to(&self, at: RouterId, other: RouterId) -> bool {
        bit(&self.reached, self.words, at, other)
    }
}

/// Adds the row of a router to the row of another.
fn join(rows: &mut [u64], words: usize, at: RouterId, other: RouterId) {
    for word in 0..words {
        rows[at.index() * words + word] |= rows[other.index() * words + word];
    }
}

fn bit(rows: &[u64], words: usize, at: RouterId, other: RouterId) -> bool {
    rows[at.index() * words + other.index() / 64] >> (other.index() % 64) & 1 != 0
}
