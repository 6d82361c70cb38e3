//! Distances between all routers of a graph, for rules without coordinates.

use crate::ids::RouterId;
use crate::topology::Network;

/// Maximum number of routers for a table.
pub const ROUTERS_MAX: usize = 4096;

/// The number of hops between every two routers.
#[derive(Clone, Debug)]
pub struct Distances {
    routers: usize,
    /// `hops[d × routers + s]` leads from router `s` to router `d`; `u16::MAX` without a route.
    hops: Vec<u16>,
}

impl Distances {
    /// Measures the distances on a network of at most [`ROUTERS_MAX`] routers.
    pub fn new(network: &Network) -> Self {
        let routers = network.routers();
        assert!(routers <= ROUTERS_MAX);
        let mut hops = vec![u16::MAX; routers * routers];
        let mut queue = Vec::with_capacity(routers);
        for (destination, row) in hops.chunks_mut(routers).enumerate() {
            queue.clear();
            queue.push(RouterId::new(destination));
            row[destination] = 0;
            let mut next = 0;
            while let Some(&to) = queue.get(next) {
                next += 1;
                for &link in network.inputs(to) {
                    let from = network.channel(link).from;
                    if row[from.index()] == u16::MAX {
                        row[from.index()] = row[to.index()] + 1;
                        queue.push(from);
                    }
                }
            }
        }
        Self { routers, hops }
    }

    /// The hops from one router to another.
    #[inline]
    pub fn between(&self, from: RouterId, to: RouterId) -> u16 {
        self.hops[to.index() * self.routers + from.index()]
    }

    /// The hops of the longest shortest route.
    pub fn longest(&self) -> u16 {
        self.hops.iter().copied().max().unwrap_or_default()
    }

    /// The maximum number of links of a kind on a shortest route.
    pub fn most_of_kind(&self, network: &Network, kind: u8) -> u16 {
        let mut order: Vec<usize> = Vec::new();
        let mut most = vec![0u16; self.routers];
        let mut maximum = 0;
        for row in self.hops.chunks(self.routers) {
            order.clear();
            order.extend((0..self.routers).filter(|&at| row[at] != u16::MAX));
            order.sort_unstable_by_key(|&at| row[at]);
            for &at in &order {
                let ahead = network.outputs(RouterId::new(at)).iter().map(|&link| {
                    let link = network.channel(link);
                    let closer = row[link.to.index()].checked_add(1) == Some(row[at]);
                    let own = u16::from(link.attributes.kind == kind);
                    if closer { most[link.to.index()] + own } else { 0 }
                });
                most[at] = ahead.max().unwrap_or_default();
                maximum = maximum.max(most[at]);
            }
        }
        maximum
    }
}
