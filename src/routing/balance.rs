//! Balanced routes through layers of virtual channels: of the shortest routes of all pairs of routers,
//! those with which the busiest link carries little.
//!
//! In several passes, each route is replaced by the one with the lowest price, which rises steeply
//! with the loads of its links. If an even use of all shortest routes has a lower peak, as between
//! leaves with three spines, these are the routes.

use super::layer_order::Order;
use super::pair_routes::PairRoutes;
use super::reach::Reach;
use super::source_routes::HOPS_MAX;
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;

/// Exponents of the loads in prices, one for each pass.
const PASSES: [u32; 4] = [2, 8, 8, 8];
/// Part of the peak by which a pass lowers it, if another pass is to follow.
const GAIN_MIN: f64 = 0.003;
/// Maximum number of routes between two routers with several hosts.
const ROUTES_MAX: usize = 4;
/// Maximum number of routes in total if there are several between two routers.
const ROUTES_KEPT: usize = 1 << 20;
/// The load of a pair of hosts, in sum the same for any number of routes up to [`ROUTES_MAX`].
const PAIR: u64 = 12;
/// Relative margin by which an even use of all routes must be better, since it has more routes.
const MARGIN: f64 = 0.999;

/// A pair of routers without a route.
#[derive(Debug)]
pub(super) struct Apart(pub RouterId, pub RouterId);

/// The routes of all pairs of routers with hosts.
#[derive(Debug)]
pub(super) struct Balance<'n> {
    network: &'n Network,
    ends: Vec<RouterId>,
    /// The most routes of a pair.
    most: usize,
    /// Routes of a pair, at `(source × ends + destination) × most`.
    kept: Vec<Vec<ChannelId>>,
    /// The time that the flits of all routes take, by link.
    loads: Vec<u64>,
}

impl<'n> Balance<'n> {
    /// Finds the routes.
    ///
    /// # Errors
    /// A pair that the orders of the layers leave apart.
    pub fn new(network: &'n Network, orders: &[Order]) -> Result<Self, Apart> {
        let ends: Vec<RouterId> = network.host_routers().collect();
        let pairs = ends.len() * ends.len();
        let most = ROUTES_KEPT.checked_div(pairs).unwrap_or_default().clamp(1, ROUTES_MAX);
        let kept = vec![Vec::new(); pairs * most];
        let mut found = Self { network, ends, most, kept, loads: vec![0; network.links()] };
        for exponent in PASSES {
            let before = found.peak() as f64;
            let changed = found.pass(orders, exponent)?;
            if !changed || before > 0.0 && found.peak() as f64 > before * (1.0 - GAIN_MIN) {
                break;
            }
        }
        Ok(found)
    }

    /// The load of the busiest link.
    fn peak(&self) -> u64 {
        self.loads.iter().copied().max().unwrap_or_default()
    }

    /// The number of routes between two routers, and the load of each.
    pub fn routes(&self, from: RouterId, to: RouterId) -> (usize, u64) {
        let [here, there] = [from, to].map(|at| self.network.terminals_at(at));
        let count = here.max(there).min(self.most);
        (count, PAIR / count as u64 * (here * there) as u64)
    }

    /// Replaces every route by the cheapest; true if some route has changed.
    fn pass(&mut self, orders: &[Order], exponent: u32) -> Result<bool, Apart> {
        let network = self.network;
        let mut reach = Reach::new(network, orders);
        let mut graph = PairRoutes::new(network.links(), orders.len());
        let rates: Vec<u64> = network.channels()[..network.links()]
            .iter()
            .map(|link| u64::from(link.attributes.cycles_per_flit))
            .collect();
        let hosts = network.nodes() / self.ends.len().max(1);
        let typical = PAIR * (hosts.max(1) as u64).pow(2) / hosts.clamp(1, self.most) as u64;
        let price = |load: u64, link: usize| {
            let x = (load + typical * rates[link]) as f64;
            let square = x * x;
            if exponent == 2 { square } else { square * square * (square * square) }
        };
        let mut prices: Vec<f64> =
            (0..).zip(&self.loads).map(|(at, &load)| price(load, at)).collect();
        let (mut route, mut changed) = (Vec::new(), false);
        for row in 0..self.ends.len() {
            let source = self.ends[row];
            reach.search(source);
            for column in (0..self.ends.len()).filter(|column| *column != row) {
                let to = self.ends[column];
                if reach.hops_to(to).is_none() {
                    return Err(Apart(source, to));
                }
                let (count, share) = self.routes(source, to);
                let first = (row * self.ends.len() + column) * self.most;
                graph.find(&reach, to);
                for old in &mut self.kept[first..first + count] {
                    for link in old.iter().map(|link| link.index()) {
                        self.loads[link] -= share * rates[link];
                        prices[link] = price(self.loads[link], link);
                    }
                    graph.cheapest(|link| prices[link.index()], &mut route);
                    for link in route.iter().map(|link| link.index()) {
                        self.loads[link] += share * rates[link];
                        prices[link] = price(self.loads[link], link);
                    }
                    if *old != route {
                        changed = true;
                        old.clone_from(&route);
                    }
                }
            }
        }
        Ok(changed)
    }

    /// True if all shortest routes, evenly used, have a lower peak and are few enough for a list.
    fn is_better_even(&self, reach: &mut Reach<'_>, graph: &mut PairRoutes) -> bool {
        let mut loads = vec![0.0; self.network.links()];
        let (mut routes, mut hops) = (0.0, 0.0);
        for &source in &self.ends {
            reach.search(source);
            for &to in self.ends.iter().filter(|to| **to != source) {
                graph.find(reach, to);
                routes += graph.count();
                hops += graph.count() * f64::from(reach.hops_to(to).unwrap_or_default());
                if routes > ROUTES_KEPT as f64 || hops > HOPS_MAX as f64 {
                    return false;
                }
                let pairs = self.network.terminals_at(source) * self.network.terminals_at(to);
                graph.share((PAIR * pairs as u64) as f64, |link, load| {
                    let rate = self.network.channel(link).attributes.cycles_per_flit;
                    loads[link.index()] += load * f64::from(rate);
                });
            }
        }
        loads.into_iter().fold(0.0, f64::max) < MARGIN * self.peak() as f64
    }

    /// Calls `found` with the ends of every route, its links and its share of the traffic.
    pub fn each(
        self,
        orders: &[Order],
        mut found: impl FnMut(&Reach<'_>, [RouterId; 2], &[ChannelId], u64),
    ) {
        let mut reach = Reach::new(self.network, orders);
        let mut graph = PairRoutes::new(self.network.links(), orders.len());
        let is_even = self.is_better_even(&mut reach, &mut graph);
        for (row, &source) in self.ends.iter().enumerate() {
            if is_even {
                reach.search(source);
            }
            for (column, &to) in self.ends.iter().enumerate().filter(|(_, to)| **to != source) {
                let (count, share) = self.routes(source, to);
                if is_even {
                    graph.find(&reach, to);
                    let share = (share as f64 * count as f64 / graph.count()) as u64;
                    graph.each(|route| found(&reach, [source, to], route, share));
                } else {
                    let first = (row * self.ends.len() + column) * self.most;
                    for route in &self.kept[first..first + count] {
                        found(&reach, [source, to], route, share);
                    }
                }
            }
        }
    }
}
