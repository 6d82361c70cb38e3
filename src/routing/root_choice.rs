//! Choice of the order of up*/down* routes: the roots with which the busiest link carries the least.
//!
//! The loads are those of uniform traffic between hosts, in which all shortest routes of a pair carry
//! the same part. On large networks, some of the routers are tried as roots, and some as destinations.

use super::layer_order::{Order, by_level};
use super::roots::Roots;
use super::route_search::Levels;
use crate::ids::RouterId;
use crate::topology::Network;

/// Visits of links for all roots together.
const WORK_MAX: usize = 1 << 26;
/// Minimum number of destinations of a trial.
const DESTINATIONS_MIN: usize = 48;
/// Marks a state without a route.
const APART: u32 = u32::MAX;

/// The order of the roots with the lowest load of the busiest link, for two-way links.
pub(super) fn best(network: &Network) -> Order {
    let ends: Vec<RouterId> = network.host_routers().collect();
    let trials = (WORK_MAX / network.links().max(1)).max(DESTINATIONS_MIN);
    let all = network.routers();
    let (destinations, roots) = if ends.len() * (all + 1) <= trials {
        (ends.len(), all)
    } else {
        let some = (trials.isqrt() / 2).clamp(DESTINATIONS_MIN, ends.len().max(DESTINATIONS_MIN));
        (some, (trials / some).clamp(1, all))
    };
    let destinations: Vec<RouterId> =
        ends.iter().copied().step_by(ends.len().div_ceil(destinations).max(1)).collect();
    let roots = (0..all).step_by(all.div_ceil(roots)).map(|root| RouterId::new(root).into());
    let mut trial = Trial::new(network);
    let found = std::iter::once(Roots::Hosts).chain(roots).filter_map(|roots| {
        let rank = by_level(&Levels::new(network, &roots), all);
        trial.busiest(&rank, &destinations).map(|load| (load, rank))
    });
    let first = found.reduce(|best, other| if other.0 < best.0 { other } else { best });
    let rank = first.map_or_else(
        || {
            // The roots tried belong to other parts of a damaged network.
            let root = ends.first().copied().unwrap_or(RouterId(0));
            by_level(&Levels::new(network, &root.into()), all)
        },
        |(_, rank)| rank,
    );
    Order::up_down(network, &rank)
}

/// Loads of the links with up*/down* routes. A state is a router and a phase: 0 before the first down
/// link, at `2 × router`, and 1 after it.
struct Trial<'n> {
    network: &'n Network,
    /// Hops from a state to the destination.
    left: Vec<u32>,
    /// Routes from a state to the destination.
    routes: Vec<f64>,
    /// The traffic that passes through a state.
    flow: Vec<f64>,
    /// States in the order of their hops.
    order: Vec<usize>,
    loads: Vec<f64>,
}

impl<'n> Trial<'n> {
    fn new(network: &'n Network) -> Self {
        let states = 2 * network.routers();
        Self {
            network,
            left: vec![APART; states],
            routes: vec![0.0; states],
            flow: vec![0.0; states],
            order: Vec::with_capacity(states),
            loads: vec![0.0; network.links()],
        }
    }

    /// The load of the busiest link, by the time that flits take; `None` if some router has no route.
    fn busiest(&mut self, rank: &[u32], destinations: &[RouterId]) -> Option<f64> {
        self.loads.fill(0.0);
        for &to in destinations {
            self.search(rank, to);
            self.flow.fill(0.0);
            for source in self.network.host_routers().filter(|source| *source != to) {
                let state = 2 * source.index();
                if self.left[state] == APART {
                    return None;
                }
                let pairs = self.network.terminals_at(source) * self.network.terminals_at(to);
                self.flow[state] = pairs as f64;
            }
            self.carry(rank);
        }
        let links = self.network.channels().iter().zip(&self.loads);
        let taken = links.map(|(link, load)| load * f64::from(link.attributes.cycles_per_flit));
        Some(taken.fold(0.0, f64::max))
    }

    /// Counts the shortest routes from every state to a destination.
    fn search(&mut self, rank: &[u32], to: RouterId) {
        self.left.fill(APART);
        self.order.clear();
        for state in [2 * to.index(), 2 * to.index() + 1] {
            (self.left[state], self.routes[state]) = (0, 1.0);
            self.order.push(state);
        }
        let mut at = 0;
        while let Some(&state) = self.order.get(at) {
            at += 1;
            let (end, phase) = (state / 2, state % 2);
            for &link in self.network.inputs(RouterId::new(end)) {
                let from = self.network.channel(link).from.index();
                let up = rank[end] < rank[from];
                // An up link keeps phase 0; a down link leads from both phases to phase 1.
                let earlier = match (up, phase) {
                    (true, 0) => 2 * from..2 * from + 1,
                    (false, 1) => 2 * from..2 * from + 2,
                    (true | false, _) => continue,
                };
                for before in earlier {
                    if self.left[before] == APART {
                        (self.left[before], self.routes[before]) = (self.left[state] + 1, 0.0);
                        self.order.push(before);
                    }
                    if self.left[before] == self.left[state] + 1 {
                        self.routes[before] += self.routes[state];
                    }
                }
            }
        }
    }

    /// Adds the traffic of all states to the loads, farthest states first.
    fn carry(&mut self, rank: &[u32]) {
        for &state in self.order.iter().rev() {
            let (from, phase) = (state / 2, state % 2);
            if self.flow[state] <= 0.0 || self.left[state] == 0 {
                continue;
            }
            let share = self.flow[state] / self.routes[state];
            for &link in self.network.outputs(RouterId::new(from)) {
                let end = self.network.channel(link).to.index();
                let up = rank[end] < rank[from];
                let next = 2 * end + usize::from(!up);
                let permitted = !up || phase == 0;
                if permitted && self.left[next] != APART && self.left[next] + 1 == self.left[state]
                {
                    let part = share * self.routes[next];
                    self.loads[link.index()] += part;
                    self.flow[next] += part;
                }
            }
        }
    }
}
