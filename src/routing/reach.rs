//! Shortest routes through layers of virtual channels, from one source router.

use super::layer_order::Order;
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;

/// Marks an unreached channel or router.
const NEVER: u16 = u16::MAX;
/// Hops counted for an unreached router.
const APART: u64 = 1 << 32;

/// A link reached by a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub link: ChannelId,
    /// Hops to the end of the link.
    pub hops: u16,
    /// The lowest layer in which routes of these hops arrive.
    pub layer: u8,
}

/// Shortest routes from one source router to all routers with hosts.
#[derive(Clone, Debug)]
pub(super) struct Reach<'n> {
    network: &'n Network,
    orders: &'n [Order],
    /// Hops to the end of channel `c` in layer `l`, at `c × layers + l`. A channel has an entry
    /// only for a layer lower than those reached with fewer hops.
    hops: Vec<u16>,
    /// The lowest layer of each channel so far.
    lowest: Vec<u8>,
    /// Hops to each router.
    to: Vec<u16>,
    front: Vec<(ChannelId, u8)>,
    next: Vec<(ChannelId, u8)>,
    /// Routers with hosts.
    ends: usize,
    /// Links reached, by the routers at their ends.
    arrivals: Vec<Arrival>,
    /// The first of the links into a router, and the end of all.
    first: Vec<u32>,
}

impl<'n> Reach<'n> {
    pub fn new(network: &'n Network, orders: &'n [Order]) -> Self {
        let (links, routers) = (network.links(), network.routers());
        Self {
            network,
            orders,
            hops: vec![NEVER; links * orders.len()],
            lowest: vec![u8::MAX; links],
            to: vec![NEVER; routers],
            front: Vec::new(),
            next: Vec::new(),
            ends: network.host_routers().count(),
            arrivals: Vec::with_capacity(links),
            first: vec![0; routers + 1],
        }
    }

    /// Searches from a source router.
    pub fn search(&mut self, source: RouterId) {
        self.hops.fill(NEVER);
        self.lowest.fill(u8::MAX);
        self.to.fill(NEVER);
        self.front.clear();
        self.to[source.index()] = 0;
        let mut left = self.ends - usize::from(self.network.terminals_at(source) > 0);
        // The lowest layer is the best: any continuation of a higher layer remains possible.
        for &link in self.network.outputs(source) {
            self.enter(link, 0, 1, &mut left);
        }
        std::mem::swap(&mut self.front, &mut self.next);
        let mut count = 1;
        while left > 0 && !self.front.is_empty() {
            count += 1;
            for index in 0..self.front.len() {
                let (link, layer) = self.front[index];
                for &next in self.network.outputs(self.network.channel(link).to) {
                    let same = self.orders[usize::from(layer)].allows(link, next);
                    self.enter(next, layer + u8::from(!same), count, &mut left);
                }
            }
            self.front.clear();
            std::mem::swap(&mut self.front, &mut self.next);
        }
        self.list_arrivals();
    }

    /// Lists the links reached, in the order of their numbers, with the lowest layer for each number of hops.
    fn list_arrivals(&mut self) {
        self.arrivals.clear();
        for router in 0..self.network.routers() {
            self.first[router] = self.arrivals.len() as u32;
            for &link in self.network.inputs(RouterId::new(router)) {
                let lowest = self.lowest[link.index()];
                if lowest == u8::MAX {
                    continue;
                }
                let by_layer = &self.hops[link.index() * self.orders.len()..][..self.orders.len()];
                let mut before = NEVER;
                for (layer, &hops) in (0..).zip(by_layer).skip(usize::from(lowest)) {
                    if hops != NEVER && hops != before {
                        before = hops;
                        self.arrivals.push(Arrival { link, hops, layer });
                    }
                }
            }
        }
        self.first[self.network.routers()] = self.arrivals.len() as u32;
    }

    fn enter(&mut self, link: ChannelId, layer: u8, hops: u16, left: &mut usize) {
        if usize::from(layer) >= self.orders.len() || layer >= self.lowest[link.index()] {
            return;
        }
        self.lowest[link.index()] = layer;
        self.hops[link.index() * self.orders.len() + usize::from(layer)] = hops;
        self.next.push((link, layer));
        let end = self.network.channel(link).to;
        if self.to[end.index()] == NEVER {
            self.to[end.index()] = hops;
            *left -= usize::from(self.network.terminals_at(end) > 0);
        }
    }

    /// The sum of the hops from a source router to all routers with hosts.
    pub fn hops_from(&mut self, source: RouterId) -> u64 {
        self.search(source);
        let hops = |at: RouterId| self.hops_to(at).map_or(APART, u64::from);
        self.network.host_routers().map(hops).sum()
    }

    /// The hops to a router; `None` if no route leads there.
    pub fn hops_to(&self, router: RouterId) -> Option<u16> {
        Some(self.to[router.index()]).filter(|&hops| hops != NEVER)
    }

    /// Links by which the last search arrived at a router.
    #[inline]
    pub fn arrivals(&self, router: RouterId) -> &[Arrival] {
        let [first, end] = [router.index(), router.index() + 1].map(|at| self.first[at] as usize);
        &self.arrivals[first..end]
    }

    /// The router at which a link starts.
    #[inline]
    pub fn start(&self, link: ChannelId) -> RouterId {
        self.network.channel(link).from
    }

    /// The highest layer of a link before `next`, which is used in a layer up to `highest`; `None` if
    /// no layer is left.
    #[inline]
    pub fn highest_before(&self, link: ChannelId, next: ChannelId, highest: u8) -> Option<u8> {
        let same = self.orders[usize::from(highest)].allows(link, next);
        highest.checked_sub(u8::from(!same))
    }

    /// Fills `layers` with the layers of a route that starts in layer `first`, each as low as
    /// possible. False if they do not suffice.
    pub fn layers(&self, route: &[ChannelId], first: u8, layers: &mut Vec<u8>) -> bool {
        layers.clear();
        let mut layer = first;
        for (index, &link) in route.iter().enumerate() {
            if index > 0 && !self.orders[usize::from(layer)].allows(route[index - 1], link) {
                layer += 1;
            }
            if usize::from(layer) >= self.orders.len() {
                return false;
            }
            layers.push(layer);
        }
        true
    }
}
