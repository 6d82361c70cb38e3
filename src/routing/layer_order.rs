//! Orders of the channels of a network in a layer of virtual channels.
//!
//! A message in a layer uses channels of increasing numbers, and may continue in any higher layer
//! with any channel. Dependencies therefore increase in (layer, number), and no cycle can close.

use super::route_search::Levels;
use crate::ids::{ChannelId, RouterId};
use crate::topology::{Channel, Network};

/// Numbers of all channels in a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Order(Vec<u32>);

impl Order {
    /// True if a message may use `next` after `channel` in the same layer.
    #[inline]
    pub fn allows(&self, channel: ChannelId, next: ChannelId) -> bool {
        self.0[channel.index()] < self.0[next.index()]
    }

    /// The order of a spanning tree in both directions: channels towards a root, farthest first, and
    /// then channels away from the root, nearest first. `outward` gives precedence to the latter if
    /// a one-way channel serves both; `flipped` uses the latter before the former.
    pub fn of(network: &Network, root: RouterId, Way { outward, flipped }: Way) -> Self {
        let to_root = ranks(&network.distances_to(root));
        let from_root = ranks(&network.distances_from(&[root]));
        let routers = network.routers() as u32;
        let number = |link: &Channel| {
            let [from, to] = [link.from.index(), link.to.index()];
            let closer = to_root[to] < to_root[from];
            let farther = from_root[to] > from_root[from];
            let inwards = if outward { !farther } else { closer };
            match (inwards, flipped) {
                (true, false) => routers - 1 - to_root[from],
                (false, false) => routers + from_root[from],
                (false, true) => from_root[from],
                (true, true) => 2 * routers - 1 - to_root[from],
            }
        };
        Self(network.channels()[..network.links()].iter().map(number).collect())
    }

    /// The order of up*/down* routes, for two-way links: towards routers of lower ranks, highest
    /// first, and then towards routers of higher ranks.
    pub fn up_down(network: &Network, rank: &[u32]) -> Self {
        let routers = network.routers() as u32;
        let number = |link: &Channel| {
            let from = rank[link.from.index()];
            if rank[link.to.index()] < from { routers - 1 - from } else { routers + from }
        };
        Self(network.channels()[..network.links()].iter().map(number).collect())
    }
}

/// The ranks of all routers in the order of (level, number).
pub(super) fn by_level(levels: &Levels, routers: usize) -> Vec<u32> {
    let level: Vec<u32> = (0..routers).map(|at| levels.level(RouterId::new(at))).collect();
    ranks(&level)
}

/// The variants of an order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Way {
    pub outward: bool,
    pub flipped: bool,
}

/// The place of each router in the order of (distance, number).
fn ranks(distances: &[u32]) -> Vec<u32> {
    let mut sorted: Vec<usize> = (0..distances.len()).collect();
    sorted.sort_by_key(|&at| (distances[at], at));
    let mut ranks = vec![0; distances.len()];
    for (rank, at) in (0..).zip(sorted) {
        ranks[at] = rank;
    }
    ranks
}
