//! Distances between all routers of a graph, for rules without coordinates.

use crate::ids::RouterId;
use crate::topology::Network;

/// Maximum number of routers for a table.
pub const ROUTERS_MAX: usize = 4096;

/// Destinations searched from together, a bit for each.
const AT_ONCE: usize = u64::BITS as usize;

/// A breadth-first search from several destinations, with a set of destinations for every router.
struct Search {
    /// Destinations with a known distance.
    reached: Vec<u64>,
    /// Those reached in the last step, and in the present one.
    last: Vec<u64>,
    present: Vec<u64>,
    /// The routers at which these sets are not empty.
    last_at: Vec<usize>,
    present_at: Vec<usize>,
}

impl Search {
    fn new(routers: usize) -> Self {
        let [reached, last, present] = [(); 3].map(|()| vec![0; routers]);
        Self { reached, last, present, last_at: Vec::new(), present_at: Vec::new() }
    }

    /// Fills the rows of the destinations from `first` on.
    fn run(&mut self, network: &Network, first: usize, rows: &mut [u16]) {
        let routers = self.reached.len();
        self.reached.fill(0);
        for (bit, row) in rows.chunks_mut(routers).enumerate() {
            let at = first + bit;
            row[at] = 0;
            (self.reached[at], self.last[at]) = (1 << bit, 1 << bit);
            self.last_at.push(at);
        }
        let mut distance = 0;
        while !self.last_at.is_empty() {
            distance += 1;
            for to in self.last_at.drain(..) {
                let set = std::mem::take(&mut self.last[to]);
                for &link in network.inputs(RouterId::new(to)) {
                    let from = network.channel(link).from.index();
                    let new = set & !self.reached[from];
                    if new != 0 && self.present[from] == 0 {
                        self.present_at.push(from);
                    }
                    self.present[from] |= new;
                }
            }
            for &at in &self.present_at {
                let mut new = self.present[at];
                self.reached[at] |= new;
                while new != 0 {
                    rows[new.trailing_zeros() as usize * routers + at] = distance;
                    new &= new - 1;
                }
            }
            std::mem::swap(&mut self.last, &mut self.present);
            std::mem::swap(&mut self.last_at, &mut self.present_at);
        }
    }
}

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
        let mut search = Search::new(routers);
        for (first, rows) in (0..).step_by(AT_ONCE).zip(hops.chunks_mut(AT_ONCE * routers)) {
            search.run(network, first, rows);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::switches::{Cable, Switches};

    #[test]
    fn distances_are_those_of_a_search_from_each_destination() {
        // A ring of one-way links with chords, more routers than are searched from at once.
        let routers = 150;
        let ring =
            (0..routers).map(|at| Cable { one_way: true, ..(at, (at + 1) % routers).into() });
        let chords = (0..routers).step_by(7).map(|at| Cable::from((at, (at + 40) % routers)));
        let links: Vec<Cable> = ring.chain(chords).collect();
        let network = Switches::network(routers as usize, &links, &[0, 1], None);
        let distances = Distances::new(&network);
        for from in (0..routers).map(RouterId) {
            let expected = network.distances(from);
            for to in (0..routers).map(RouterId) {
                assert_eq!(u32::from(distances.between(from, to)), expected[to.index()]);
            }
        }
    }
}
