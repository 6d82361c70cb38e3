//! All shortest routes of a pair of routers through layers of virtual channels, as a graph of stages:
//! a stage for each hop, with the links that some route uses there.

use super::reach::{Arrival, Reach};
use crate::ids::{ChannelId, RouterId};

/// A link in a stage, with the highest layer that the rest of the route permits.
#[derive(Clone, Copy, Debug)]
struct Entry {
    link: ChannelId,
    highest: u8,
    /// The lowest price of the rest of a route, with this link.
    price: f64,
    /// The entry after it in the next stage, for this price.
    next: u32,
    /// The number of routes from here.
    routes: f64,
}

/// A stage and the ways into the next stage.
#[derive(Clone, Debug, Default)]
struct Stage {
    entries: Vec<Entry>,
    /// Entries of this stage and of the next one that a route joins.
    joints: Vec<(u32, u32)>,
}

/// The graph of a pair, filled anew for each.
#[derive(Clone, Debug)]
pub(super) struct PairRoutes {
    layers: usize,
    /// Stages by hops less 1.
    stages: Vec<Stage>,
    hops: usize,
    /// The place of (link, highest layer) in the stage of a mark.
    places: Vec<u32>,
    marks: Vec<u32>,
    mark: u32,
    flow: [Vec<f64>; 2],
}

impl PairRoutes {
    pub fn new(links: usize, layers: usize) -> Self {
        Self {
            layers,
            stages: Vec::new(),
            hops: 0,
            places: vec![0; links * layers],
            marks: vec![0; links * layers],
            mark: 0,
            flow: [Vec::new(), Vec::new()],
        }
    }

    /// Finds the links of all shortest routes from the router of the last search to `to`.
    pub fn find(&mut self, reach: &Reach<'_>, to: RouterId) {
        self.hops = reach.hops_to(to).map_or(0, usize::from);
        if self.stages.len() < self.hops {
            self.stages.resize(self.hops, Stage::default());
        }
        for hop in (0..self.hops).rev() {
            let (stages, after) = self.stages.split_at_mut(hop + 1);
            let stage = &mut stages[hop];
            stage.entries.clear();
            stage.joints.clear();
            self.mark = self.mark.wrapping_add(1);
            let mut enter = |link: ChannelId, highest: u8, next: u32, routes: f64| {
                let key = link.index() * self.layers + usize::from(highest);
                if self.marks[key] == self.mark {
                    stage.entries[self.places[key] as usize].routes += routes;
                } else {
                    self.marks[key] = self.mark;
                    self.places[key] = stage.entries.len() as u32;
                    stage.entries.push(Entry { link, highest, price: 0.0, next, routes });
                }
                stage.joints.push((self.places[key], next));
            };
            let hops = hop as u16 + 1;
            if hop + 1 == self.hops {
                let top = self.layers as u8 - 1;
                for arrival in reach.arrivals(to).iter().filter(|it| it.hops == hops) {
                    enter(arrival.link, top, 0, 1.0);
                }
                continue;
            }
            for (next, then) in (0..).zip(&after[0].entries) {
                let arrivals = reach.arrivals(reach.start(then.link)).iter();
                for &Arrival { link, layer, .. } in arrivals.filter(|it| it.hops == hops) {
                    let highest = reach.highest_before(link, then.link, then.highest);
                    if let Some(highest) = highest.filter(|highest| layer <= *highest) {
                        enter(link, highest, next, then.routes);
                    }
                }
            }
        }
    }

    /// Fills `route` with the route of the lowest price, the sum of the prices of its links.
    pub fn cheapest(&mut self, price: impl Fn(ChannelId) -> f64, route: &mut Vec<ChannelId>) {
        route.clear();
        for hop in (0..self.hops).rev() {
            let (stages, after) = self.stages[..self.hops].split_at_mut(hop + 1);
            let Stage { entries, joints } = &mut stages[hop];
            let Some(then) = after.first() else {
                for entry in entries.iter_mut() {
                    entry.price = price(entry.link);
                }
                continue;
            };
            for entry in entries.iter_mut() {
                entry.price = f64::INFINITY;
            }
            for &(here, next) in &*joints {
                let (entry, rest) =
                    (&mut entries[here as usize], then.entries[next as usize].price);
                if rest < entry.price {
                    (entry.price, entry.next) = (rest, next);
                }
            }
            for entry in entries.iter_mut() {
                entry.price += price(entry.link);
            }
        }
        let Some(first) = self.stages[..self.hops].first() else { return };
        let by_price = |one: &&Entry, other: &&Entry| one.price.total_cmp(&other.price);
        let mut entry =
            first.entries.iter().min_by(by_price).expect("a reached router has a route");
        for stage in &self.stages[1..self.hops] {
            route.push(entry.link);
            entry = &stage.entries[entry.next as usize];
        }
        route.push(entry.link);
    }

    /// The number of routes.
    pub fn count(&self) -> f64 {
        let first = self.stages[..self.hops].first();
        first.map_or(0.0, |stage| stage.entries.iter().map(|entry| entry.routes).sum())
    }

    /// Adds a load that all routes share evenly, with the links that each uses.
    pub fn share(&mut self, load: f64, mut add: impl FnMut(ChannelId, f64)) {
        let per_route = load / self.count();
        let [flow, next_flow] = &mut self.flow;
        flow.clear();
        let Some(first) = self.stages[..self.hops].first() else { return };
        flow.extend(first.entries.iter().map(|entry| per_route * entry.routes));
        for hop in 0..self.hops {
            let stage = &self.stages[hop];
            stage.entries.iter().zip(&*flow).for_each(|(entry, flow)| add(entry.link, *flow));
            next_flow.clear();
            if let Some(next) = self.stages[..self.hops].get(hop + 1) {
                next_flow.resize(next.entries.len(), 0.0);
                for &(here, there) in &stage.joints {
                    let [from, to] = [&stage.entries[here as usize], &next.entries[there as usize]];
                    next_flow[there as usize] += flow[here as usize] * to.routes / from.routes;
                }
            }
            std::mem::swap(flow, next_flow);
        }
    }

    /// Calls `found` with every route.
    pub fn each(&mut self, mut found: impl FnMut(&[ChannelId])) {
        for stage in &mut self.stages[..self.hops] {
            stage.joints.sort_unstable();
        }
        let Some(first) = self.stages[..self.hops].first() else { return };
        let mut route = Vec::with_capacity(self.hops);
        for at in 0..first.entries.len() as u32 {
            self.onward(0, at, &mut route, &mut found);
        }
    }

    /// Continues a route with an entry. The recursion is as deep as a route is long.
    fn onward(
        &self,
        hop: usize,
        at: u32,
        route: &mut Vec<ChannelId>,
        found: &mut impl FnMut(&[ChannelId]),
    ) {
        let stage = &self.stages[hop];
        route.push(stage.entries[at as usize].link);
        if hop + 1 == self.hops {
            found(route);
        } else {
            let first = stage.joints.partition_point(|joint| joint.0 < at);
            for joint in stage.joints[first..].iter().take_while(|joint| joint.0 == at) {
                self.onward(hop + 1, joint.1, route, found);
            }
        }
        route.pop();
    }
}
