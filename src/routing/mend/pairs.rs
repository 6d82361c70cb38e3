//! Repairs of routes of pairs: an order of all virtual channels, in which all routes ascend.

use std::collections::HashMap;

use super::acyclic::{Acyclic, Edge};
use super::given::PairList;
use super::places::{Places, orders};
use super::{Entries, Mended, Unmended, turns_without, vertex};
use crate::ids::{ChannelId, RouterId};
use crate::routing::rows::{Contents, GivenRoute, Rows};
use crate::topology::Network;

pub(super) fn mended(network: &Network, given: &PairList) -> Result<Mended, Unmended> {
    let classes = given.classes;
    let mut weights: HashMap<Edge, u32> = HashMap::new();
    for route in &given.routes {
        for edge in PairList::edges(&route.hops, classes) {
            *weights.entry(edge).or_default() += 1;
        }
    }
    let lists = orders(network, classes, &weights).into_iter().filter_map(|places| {
        let list = repaired(network, &places, given)?;
        Some((changes(given, &list), list))
    });
    let (_, mut list) = lists.min_by_key(|(changed, _)| *changed).ok_or(Unmended::NoOrder)?;
    restore(network, given, &mut list);
    let kept = list.iter().flat_map(|route| PairList::edges(&route.hops, classes));
    let turns = turns_without(weights.keys().copied(), kept, classes);
    Ok(Mended {
        entries: Entries::Routes,
        changed: changes(given, &list),
        all: given.routes.len(),
        turns,
        virtual_channels: classes,
        rows: Rows::new(Contents::Routes(list)),
    })
}

fn changes(given: &PairList, other: &[GivenRoute]) -> usize {
    given.routes.iter().zip(other).filter(|(one, other)| one != other).count()
}

/// The routes in an order: the given ones that ascend, and shortest ascending routes in place of others.
fn repaired(network: &Network, places: &Places, given: &PairList) -> Option<Vec<GivenRoute>> {
    let graph = &places.graph;
    let mut search = Search::new(network, given.classes);
    let mut from = None;
    let mut repaired = Vec::with_capacity(given.routes.len());
    for route in &given.routes {
        let edges = PairList::edges(&route.hops, given.classes);
        if edges.into_iter().all(|edge| graph.allows(edge)) {
            repaired.push(route.clone());
            continue;
        }
        if from.replace(route.source) != Some(route.source) {
            search.from(graph, route.source);
        }
        repaired.push(GivenRoute { hops: search.to(route.destination)?, ..route.clone() });
    }
    Some(repaired)
}

/// Shortest ascending routes from a router.
struct Search<'a> {
    network: &'a Network,
    classes: u32,
    /// The virtual channel before each reached one; itself for a first one.
    before: Vec<Option<u32>>,
    /// The first virtual channel by which each router is reached.
    first: Vec<Option<u32>>,
    found: Vec<u32>,
}

impl<'a> Search<'a> {
    fn new(network: &'a Network, classes: u32) -> Self {
        let (before, first) =
            (vec![None; network.links() * classes as usize], vec![None; network.routers()]);
        Self { network, classes, before, first, found: Vec::new() }
    }

    fn end(&self, at: u32) -> RouterId {
        self.network.channel(ChannelId(at / self.classes)).to
    }

    fn from(&mut self, graph: &Acyclic, source: RouterId) {
        self.before.fill(None);
        self.first.fill(None);
        self.found.clear();
        self.enter(source, None, graph);
        let mut next = 0;
        while let Some(&at) = self.found.get(next) {
            next += 1;
            let end = self.end(at);
            self.first[end.index()].get_or_insert(at);
            if end != source {
                self.enter(end, Some(at), graph);
            }
        }
    }

    /// Reaches the virtual channels of a router's links from another, or from the source.
    fn enter(&mut self, router: RouterId, from: Option<u32>, graph: &Acyclic) {
        for &link in self.network.outputs(router) {
            for class in 0..self.classes {
                let to = vertex(link, class as u8, self.classes);
                let allowed = from.is_none_or(|from| graph.allows((from, to)));
                if self.before[to as usize].is_none() && allowed {
                    self.before[to as usize] = Some(from.unwrap_or(to));
                    self.found.push(to);
                }
            }
        }
    }

    fn to(&self, destination: RouterId) -> Option<Vec<(ChannelId, u8)>> {
        let mut at = self.first[destination.index()]?;
        let mut hops = Vec::new();
        loop {
            hops.push((ChannelId(at / self.classes), (at % self.classes) as u8));
            match self.before[at as usize] {
                Some(before) if before != at => at = before,
                Some(_) | None => break,
            }
        }
        hops.reverse();
        Some(hops)
    }
}

/// Restores given routes, one by one, where no cycle closes.
fn restore(network: &Network, given: &PairList, list: &mut [GivenRoute]) {
    let classes = given.classes;
    let mut graph = Acyclic::new(network.links() * classes as usize);
    for route in &*list {
        let added = graph.add_all(&PairList::edges(&route.hops, classes));
        debug_assert!(added, "repaired routes have no cycle");
    }
    for (old, route) in given.routes.iter().zip(list).filter(|(old, route)| *old != &**route) {
        let now = PairList::edges(&route.hops, classes);
        graph.remove_all(&now);
        if graph.add_all(&PairList::edges(&old.hops, classes)) {
            *route = old.clone();
        } else {
            graph.add_all(&now);
        }
    }
}
