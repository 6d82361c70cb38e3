//! Repairs of next hops: an order of all links, in which the next hops of every destination ascend.

use std::collections::HashMap;

use super::acyclic::{Acyclic, Edge};
use super::given::Trees;
use super::places::{Places, orders};
use super::{Entries, Mended, Unmended, turns_without, vertex};
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;

/// The most dependencies examined to restore entries.
const RESTORED_MAX: usize = 20_000_000;

type Hops = Vec<Option<ChannelId>>;

pub(super) fn mended(network: &Network, given: &Trees) -> Result<Mended, Unmended> {
    let mut weights: HashMap<Edge, u32> = HashMap::new();
    for (&destination, next) in given.destinations.iter().zip(&given.next) {
        for edge in Trees::edges(network, destination, next).unwrap_or_default() {
            *weights.entry(edge).or_default() += 1;
        }
    }
    let tables = orders(network, 1, &weights).into_iter().filter_map(|places| {
        let ends = given.destinations.iter().zip(&given.next);
        let next: Option<Vec<Hops>> =
            ends.map(|(&to, next)| repaired(network, &places, to, next)).collect();
        let trees = Trees { next: next?, ..given.clone() };
        Some((changes(given, &trees), trees))
    });
    let best = tables.min_by_key(|(changed, _)| *changed);
    let (changed, mut trees) = best.ok_or(Unmended::NoOrder)?;
    if changed * network.routers() <= RESTORED_MAX {
        restore(network, given, &mut trees);
    }
    let edges = |trees: &Trees| {
        let ends = trees.destinations.iter().zip(&trees.next);
        let edges = ends.filter_map(|(&to, next)| Trees::edges(network, to, next));
        edges.flatten().collect::<Vec<Edge>>()
    };
    let turns = turns_without(weights.into_keys(), edges(&trees).into_iter(), 1);
    Ok(Mended {
        rows: trees.rows(|_| None),
        entries: Entries::Hops,
        changed: changes(given, &trees),
        all: given.len(),
        turns,
        virtual_channels: 1,
    })
}

fn changes(given: &Trees, other: &Trees) -> usize {
    let pairs = given.next.iter().flatten().zip(other.next.iter().flatten());
    pairs.filter(|(one, other)| one != other).count()
}

/// The next hops to a destination that ascend in an order and keep as many entries as possible; `None` if
/// they do not connect all routers with hosts.
fn repaired(
    network: &Network,
    places: &Places,
    destination: RouterId,
    given: &Hops,
) -> Option<Hops> {
    let mut search = Search::new(network, &places.graph, destination, given);
    while search.settled < network.routers() {
        search.keep();
        if !search.change() {
            break;
        }
    }
    let is_connected =
        network.host_routers().all(|at| at == destination || search.next[at.index()].is_some());
    if is_connected {
        return Some(search.next);
    }
    Some(places.tree.as_ref()?.next(network, destination))
}

/// Next hops to a destination, set from the destination outwards.
struct Search<'a> {
    network: &'a Network,
    graph: &'a Acyclic,
    destination: RouterId,
    given: &'a Hops,
    next: Hops,
    /// The number of routers with a next hop, and the destination.
    settled: usize,
    /// Routers whose neighbours may follow.
    ready: Vec<RouterId>,
}

impl<'a> Search<'a> {
    fn new(
        network: &'a Network,
        graph: &'a Acyclic,
        destination: RouterId,
        given: &'a Hops,
    ) -> Self {
        let next = vec![None; network.routers()];
        Self { network, graph, destination, given, next, settled: 1, ready: vec![destination] }
    }

    /// True if a message may take a link to a router that already has a next hop.
    fn fits(&self, link: ChannelId) -> bool {
        let to = self.network.channel(link).to;
        let ascends = |next| self.graph.allows((vertex(link, 0, 1), vertex(next, 0, 1)));
        to == self.destination || self.next[to.index()].is_some_and(ascends)
    }

    fn is_open(&self, at: RouterId) -> bool {
        at != self.destination && self.next[at.index()].is_none()
    }

    fn settle(&mut self, at: RouterId, link: ChannelId) {
        self.next[at.index()] = Some(link);
        self.settled += 1;
        self.ready.push(at);
    }

    /// Keeps all given entries that lead to settled routers in ascending order.
    fn keep(&mut self) {
        while let Some(at) = self.ready.pop() {
            for &link in self.network.inputs(at) {
                let from = self.network.channel(link).from;
                if self.is_open(from) && self.given[from.index()] == Some(link) && self.fits(link) {
                    self.settle(from, link);
                }
            }
        }
    }

    /// Changes the entry after which most given entries can be kept; false if none can be changed.
    fn change(&mut self) -> bool {
        let mut best: Option<((usize, ChannelId), RouterId)> = None;
        for at in (0..self.network.routers()).map(RouterId::new).filter(|&at| self.is_open(at)) {
            for &link in self.network.outputs(at).iter().filter(|&&link| self.fits(link)) {
                let key = (self.kept_before(at, link), link);
                let is_better = best.is_none_or(|((kept, known), _)| {
                    (key.0, std::cmp::Reverse(key.1)) > (kept, std::cmp::Reverse(known))
                });
                if is_better {
                    best = Some((key, at));
                }
            }
        }
        if let Some(((_, link), at)) = best {
            self.settle(at, link);
        }
        best.is_some()
    }

    /// The number of given entries that lead over a router, if it continues with a link.
    fn kept_before(&self, at: RouterId, link: ChannelId) -> usize {
        let (mut kept, mut ahead) = (0, vec![(at, link)]);
        while let Some((at, next)) = ahead.pop() {
            for &link in self.network.inputs(at) {
                let from = self.network.channel(link).from;
                let ascends = self.graph.allows((vertex(link, 0, 1), vertex(next, 0, 1)));
                if self.is_open(from) && self.given[from.index()] == Some(link) && ascends {
                    kept += 1;
                    ahead.push((from, link));
                }
            }
        }
        kept
    }
}

/// Restores given entries, one by one, where no cycle closes.
fn restore(network: &Network, given: &Trees, trees: &mut Trees) {
    let mut graph = Acyclic::new(network.links());
    let edges = |destination: RouterId, next: &Hops| Trees::edges(network, destination, next);
    for (&destination, next) in trees.destinations.iter().zip(&trees.next) {
        let added = graph.add_all(&edges(destination, next).unwrap_or_default());
        debug_assert!(added, "repaired routes have no cycle");
    }
    for (place, &destination) in given.destinations.iter().enumerate() {
        for at in 0..network.routers() {
            let old = given.next[place][at];
            if old.is_none() || trees.next[place][at] == old {
                continue;
            }
            let now = edges(destination, &trees.next[place]).unwrap_or_default();
            let kept = std::mem::replace(&mut trees.next[place][at], old);
            graph.remove_all(&now);
            let restored = edges(destination, &trees.next[place]);
            if !restored.is_some_and(|restored| graph.add_all(&restored)) {
                trees.next[place][at] = kept;
                graph.add_all(&now);
            }
        }
    }
}
