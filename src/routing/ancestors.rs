//! Ancestors in a tree of routers, with up links away from the hosts.

use super::roots::Roots;
use super::route_search::Levels;
use crate::ids::RouterId;
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
