//! Flows of evenly distributed traffic under dimension-order routing.
//!
//! A message on a channel of one dimension has finished the preceding dimensions and not started
//! the following dimensions. The flow over a channel is therefore the flow of messages within one
//! row, multiplied by the nodes of all other dimensions: sources differ in the finished dimensions,
//! destinations in the remaining dimensions.

use super::demand::Demand;
use super::ways::{Explorer, Group, Ways};
use super::{Flow, Sums, VISITS_MAX};
use crate::ids::RouterId;
use crate::routing::Header;
use crate::system::System;
use crate::topology::cube::Cube;

/// Adds the flows; returns false if the network or the routing is unsuitable or rows are too long.
pub(super) fn add_evenly(system: &System, demand: &Demand, sums: &mut Sums) -> bool {
    let (network, relation) = (&system.network, &system.relation);
    let Some(cube) = network.grid().filter(|_| relation.goes_straight()) else { return false };
    let hosts = network.terminals_at(RouterId(0));
    let same = (0..network.routers()).all(|at| network.terminals_at(RouterId::new(at)) == hosts);
    let power = if relation.reads_source() { 3 } else { 2 };
    let visits: u64 = cube.radix().iter().map(|&k| 2 * u64::from(k).pow(power)).sum();
    if !same || !demand.rates.all_alike() || visits > VISITS_MAX as u64 {
        return false;
    }
    let each = demand.even_each(network.nodes()) * (hosts * hosts) as f64;
    for dimension in (0..cube.dimensions()).filter(|&dimension| cube.radix()[dimension] > 1) {
        Row { system, cube, dimension }.add(each, sums);
    }
    true
}

/// The routers that differ from router 0 in one dimension only.
struct Row<'a> {
    system: &'a System,
    cube: &'a Cube,
    dimension: usize,
}

/// Flows of the messages allowed on these VCs, by position in the row and sign.
struct ClassOfRow {
    vcs: u32,
    flows: Vec<Flow>,
}

impl Row<'_> {
    fn stride(&self, dimension: usize) -> u32 {
        self.cube.radix()[..dimension].iter().product()
    }

    /// Adds the flows over the channels of all rows in this dimension. Each pair of routers
    /// exchanges messages of this share.
    fn add(&self, each: f64, sums: &mut Sums) {
        let mut classes = Vec::new();
        self.follow(each, &mut classes);
        for router in (0..self.system.network.routers()).map(RouterId::new) {
            let position = usize::from(self.cube.coordinates(router)[self.dimension]);
            for sign in 0..2 {
                let channel = self.cube.by_port(router, (2 * self.dimension + sign) as u16);
                for class in &classes {
                    let flow = class.flows[2 * position + sign];
                    if flow != Flow::default() {
                        let sum = &mut sums.class(class.vcs).channels[channel.index()];
                        sum.through += flow.through;
                        sum.last += flow.last;
                    }
                }
            }
        }
    }

    /// Follows the messages of all pairs in the row.
    fn follow(&self, each: f64, classes: &mut Vec<ClassOfRow>) {
        let (relation, network) = (&self.system.relation, &self.system.network);
        let radix = self.cube.radix();
        let (length, stride) = (radix[self.dimension], self.stride(self.dimension));
        let others = network.routers() as f64 / f64::from(length);
        let mut explorer = Explorer::new(self.system);
        let mut ways = Ways::default();
        for to in (0..length).map(|at| RouterId(at * stride)) {
            let sources = (0..length).map(|at| RouterId(at * stride)).filter(|&from| from != to);
            let groups: Vec<(Option<RouterId>, Vec<RouterId>)> = if relation.reads_source() {
                sources.map(|from| (Some(from), vec![from])).collect()
            } else {
                vec![(None, sources.collect())]
            };
            for (from, sources) in groups {
                let outcomes: Vec<u64> = relation.outcomes(from, to).collect();
                let share = each * others / outcomes.len() as f64;
                for route_bits in outcomes {
                    let starts = sources.iter().map(|&source| (source, share)).collect();
                    ways.clear();
                    explorer.begin();
                    let group = Group { to, from, route_bits, starts };
                    explorer.explore(&group, &mut ways).expect("rows are short");
                    // The fraction of messages leaving the row's dimension with their destination
                    // here.
                    let here = self.finished_before(route_bits).map(|d| f64::from(radix[d]));
                    let here = here.product::<f64>() / others;
                    ways.spread(|link, share, last| {
                        let at = usize::from(self.cube.coordinates(link.from)[self.dimension]);
                        let sign = self.cube.direction(link.channel).1 as usize;
                        let last = if last { share * here } else { 0.0 };
                        let flow = &mut self.class(classes, link.vcs).flows[2 * at + sign];
                        flow.last += last;
                        flow.through += share - last;
                    });
                }
            }
        }
    }

    fn class<'a>(&self, classes: &'a mut Vec<ClassOfRow>, vcs: u32) -> &'a mut ClassOfRow {
        let at = classes.iter().position(|class| class.vcs == vcs).unwrap_or_else(|| {
            let positions = self.cube.radix()[self.dimension] as usize;
            classes.push(ClassOfRow { vcs, flows: vec![Flow::default(); 2 * positions] });
            classes.len() - 1
        });
        &mut classes[at]
    }

    /// The dimensions that a message with these bits finishes before this dimension.
    fn finished_before(&self, route_bits: u64) -> impl Iterator<Item = usize> + '_ {
        let others = (0..self.cube.dimensions())
            .filter(|&other| other != self.dimension && self.cube.radix()[other] > 1);
        others.filter(move |&other| {
            // A message across both dimensions begins with the dimension finished first.
            let destination = RouterId(self.stride(self.dimension) + self.stride(other));
            let header = Header::new(RouterId(0), destination, route_bits);
            let first = self.system.relation.straight(RouterId(0), &header);
            self.cube.direction(first.channel).0 == other
        })
    }
}
