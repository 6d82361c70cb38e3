//! Distances between all routers of a graph, for rules without coordinates.

use crate::ids::RouterId;
use crate::topology::Network;

/// Maximum number of routers for a table.
pub const ROUTERS_MAX: usize = 1 << 14;
/// Maximum number of routers for a table of distances above [`NEAR_MAX`].
const FAR_ROUTERS_MAX: usize = 4096;
/// The longest distance in a table of bytes.
pub const NEAR_MAX: u16 = 254;

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

    /// Fills the rows of the destinations from `first` on; `None` if a distance has no entry.
    fn run<T: Copy>(
        &mut self,
        network: &Network,
        first: usize,
        rows: &mut [T],
        entry: impl Fn(u16) -> Option<T>,
    ) -> Option<()> {
        let routers = self.reached.len();
        self.reached.fill(0);
        for (bit, row) in rows.chunks_mut(routers).enumerate() {
            let at = first + bit;
            row[at] = entry(0)?;
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
            if self.present_at.is_empty() {
                break;
            }
            let entry = entry(distance)?;
            for &at in &self.present_at {
                let mut new = self.present[at];
                self.reached[at] |= new;
                while new != 0 {
                    rows[new.trailing_zeros() as usize * routers + at] = entry;
                    new &= new - 1;
                }
            }
            std::mem::swap(&mut self.last, &mut self.present);
            std::mem::swap(&mut self.last_at, &mut self.present_at);
        }
        Some(())
    }
}

/// The entries of all pairs of routers; `None` if a distance has no entry.
fn table<T: Copy>(
    network: &Network,
    without: T,
    entry: impl Fn(u16) -> Option<T> + Copy,
) -> Option<Vec<T>> {
    let routers = network.routers();
    let mut hops = vec![without; routers * routers];
    let mut search = Search::new(routers);
    for (first, rows) in (0..).step_by(AT_ONCE).zip(hops.chunks_mut(AT_ONCE * routers)) {
        search.run(network, first, rows, entry)?;
    }
    Some(hops)
}

/// The number of hops between every two routers.
#[derive(Clone, Debug)]
pub struct Distances {
    routers: usize,
    hops: Hops,
}

/// Entry `d × routers + s` leads from router `s` to router `d`; the highest value without a route.
#[derive(Clone, Debug)]
enum Hops {
    Near(Vec<u8>),
    Far(Vec<u16>),
}

impl Distances {
    /// Measures the distances on a network. `None` for more than [`ROUTERS_MAX`] routers, or for many
    /// that are farther than [`NEAR_MAX`] hops apart.
    pub fn new(network: &Network) -> Option<Self> {
        let routers = network.routers();
        if routers > ROUTERS_MAX {
            return None;
        }
        let near = |distance: u16| u8::try_from(distance).ok().filter(|_| distance <= NEAR_MAX);
        let far = || table(network, u16::MAX, Some).map(Hops::Far);
        let hops = match table(network, u8::MAX, near) {
            Some(hops) => Hops::Near(hops),
            None if routers <= FAR_ROUTERS_MAX => far()?,
            None => return None,
        };
        Some(Self { routers, hops })
    }

    /// The hops from one router to another; `u16::MAX` without a route.
    #[inline]
    pub fn between(&self, from: RouterId, to: RouterId) -> u16 {
        let at = to.index() * self.routers + from.index();
        match &self.hops {
            Hops::Near(hops) if hops[at] == u8::MAX => u16::MAX,
            Hops::Near(hops) => hops[at].into(),
            Hops::Far(hops) => hops[at],
        }
    }

    /// The hops of the longest shortest route.
    pub fn longest(&self) -> u16 {
        match &self.hops {
            Hops::Near(hops) => {
                let highest = hops.iter().copied().max().unwrap_or_default();
                if highest == u8::MAX { u16::MAX } else { highest.into() }
            }
            Hops::Far(hops) => hops.iter().copied().max().unwrap_or_default(),
        }
    }

    /// The maximum number of links of a kind on a shortest route.
    pub fn most_of_kind(&self, network: &Network, kind: u8) -> u16 {
        let mut order: Vec<usize> = Vec::new();
        let mut most = vec![0u16; self.routers];
        let mut maximum = 0;
        for to in (0..self.routers).map(RouterId::new) {
            let to_it: Vec<u16> =
                (0..self.routers).map(|from| self.between(RouterId::new(from), to)).collect();
            order.clear();
            order.extend((0..self.routers).filter(|&at| to_it[at] != u16::MAX));
            order.sort_unstable_by_key(|&at| to_it[at]);
            for &at in &order {
                let ahead = network.outputs(RouterId::new(at)).iter().map(|&link| {
                    let link = network.channel(link);
                    let closer = to_it[link.to.index()].checked_add(1) == Some(to_it[at]);
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
    fn long_routes_have_entries_up_to_a_number_of_routers() {
        let line = |routers: u32| {
            let links: Vec<Cable> = (1..routers).map(|at| Cable::from((at - 1, at))).collect();
            Switches::network(routers as usize, &links, &[0, 1], None)
        };
        for routers in [255, 256, 700] {
            let distances = Distances::new(&line(routers)).unwrap();
            assert_eq!(distances.between(RouterId(0), RouterId(routers - 1)), routers as u16 - 1);
            assert_eq!(u32::from(distances.longest()), routers - 1);
        }
        assert!(Distances::new(&line(FAR_ROUTERS_MAX as u32 + 1)).is_none());
    }

    #[test]
    fn distances_are_those_of_a_search_from_each_destination() {
        // A ring of one-way links with chords, more routers than are searched from at once.
        let routers = 150;
        let ring =
            (0..routers).map(|at| Cable { one_way: true, ..(at, (at + 1) % routers).into() });
        let chords = (0..routers).step_by(7).map(|at| Cable::from((at, (at + 40) % routers)));
        let links: Vec<Cable> = ring.chain(chords).collect();
        let network = Switches::network(routers as usize, &links, &[0, 1], None);
        let distances = Distances::new(&network).unwrap();
        for from in (0..routers).map(RouterId) {
            let expected = network.distances(from);
            for to in (0..routers).map(RouterId) {
                assert_eq!(u32::from(distances.between(from, to)), expected[to.index()]);
            }
        }
    }
}
