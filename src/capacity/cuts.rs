//! Cuts: sets of routers, with the links into each set.
//!
//! A message from outside to inside crosses at least one of these links, regardless of the choices
//! of heads. The load is therefore at most the capacity of the links divided by the demand from
//! outside to inside. Cuts surround each router and, if routers have coordinates, each range of
//! positions along a dimension.

use super::{Bottleneck, smaller};
use crate::flows::Demand;
use crate::ids::{ChannelId, RouterId};
use crate::system::System;
use crate::topology::cube::{Cube, Sign};
use crate::topology::links::Links;

/// Maximum radix of a dimension with cuts.
const RADIX_MAX: usize = 1024;

/// Minimum number of messages across a cut, above rounding errors.
const DEMAND_MIN: f64 = 1e-9;

/// Flits per cycle over the links of a cut.
#[derive(Clone, Debug)]
pub(super) struct Cut<'a> {
    /// Flits per cycle over the fastest link.
    pub per_link: f64,
    /// Flits per cycle over each link, if links differ.
    pub own: Option<Vec<f64>>,
    pub links: &'a Links,
}

impl Cut<'_> {
    /// Total flits per cycle over these links.
    fn over(&self, links: &[u32]) -> f64 {
        match &self.own {
            None => links.len() as f64 * self.per_link,
            Some(own) => links.iter().map(|&link| own[link as usize]).sum(),
        }
    }
}

/// The cut with the lowest load bound, and the bound.
pub(super) fn best(system: &System, demand: &Demand, cut: &Cut<'_>) -> Option<(f64, Bottleneck)> {
    let routers = around_routers(system, demand, cut);
    let cube = system.network.grid();
    let slabs = cube.map(|cube| {
        let long = |dimension: &usize| cube.radix()[*dimension] as usize <= RADIX_MAX;
        let dimensions = (0..cube.dimensions()).filter(long);
        dimensions.filter_map(|dimension| slab(system, demand, cube, dimension, cut)).collect()
    });
    let slabs: Vec<_> = slabs.unwrap_or_default();
    routers.into_iter().chain(slabs).reduce(smaller)
}

/// Messages from each router to others and to each router from others, per message of each sending
/// node.
fn by_router(system: &System, demand: &Demand) -> Vec<[f64; 2]> {
    let network = &system.network;
    let (nodes, each) = (network.nodes() as f64, demand.even_each(network.nodes()));
    let at = |router: usize| {
        let router = RouterId::new(router);
        let (hosts, sent) = (network.terminals_at(router) as f64, demand.sent_at(network, router));
        let local: f64 = demand.by_distance.iter().flatten().sum();
        [each * sent * (nodes - hosts) + local, each * hosts * (demand.sent(system) - sent) + local]
    };
    let mut all: Vec<[f64; 2]> = (0..network.routers()).map(at).collect();
    for_each_uneven(system, demand, |from, to, share| {
        all[from.index()][0] += share;
        all[to.index()][1] += share;
    });
    all
}

fn for_each_uneven(
    system: &System,
    demand: &Demand,
    mut each: impl FnMut(RouterId, RouterId, f64),
) {
    let router = |node| system.network.router_of(node);
    for (source, shares) in &demand.uneven {
        for &(destination, share) in shares {
            let (from, to) = (router(*source), router(destination));
            if from != to {
                each(from, to, share);
            }
        }
    }
}

fn around_routers(system: &System, demand: &Demand, cut: &Cut<'_>) -> Option<(f64, Bottleneck)> {
    let (network, share) = (&system.network, system.sending_share());
    let all = by_router(system, demand).into_iter().enumerate();
    all.flat_map(|(at, [sent, received])| {
        let router = RouterId::new(at);
        let links = |channels: &[ChannelId]| {
            let mut links: Vec<u32> = channels
                .iter()
                .filter_map(|channel| cut.links.of.get(channel.index()).copied())
                .collect();
            links.sort_unstable();
            links.dedup();
            cut.over(&links) * share
        };
        let outputs = links(network.outputs(router)) / sent;
        let inputs = links(network.inputs(router)) / received;
        [(outputs, Bottleneck::OutOf(router)), (inputs, Bottleneck::Into(router))]
    })
    .reduce(smaller)
}

/// The best cut around a range of positions along a dimension.
fn slab(
    system: &System,
    demand: &Demand,
    cube: &Cube,
    dimension: usize,
    cut: &Cut<'_>,
) -> Option<(f64, Bottleneck)> {
    let k = cube.radix()[dimension] as usize;
    let between = Between::new(system, demand, cube, dimension);
    let into = entries(system, cube, dimension, cut.links);
    let share = system.sending_share();
    let mut best: Option<(f64, Bottleneck)> = None;
    for first in 0..k {
        // Messages from outside into the growing slab.
        let mut inside = 0.0;
        let mut received = 0.0;
        for length in 1..k {
            let last = (first + length - 1) % k;
            received += between.received[last];
            inside += between.with_run(first, length);
            if !cube.is_ring(dimension) && first + length > k {
                break;
            }
            let (before, behind) = ((first + k - 1) % k, (last + 1) % k);
            let links = into[before][Sign::Plus as usize] + into[behind][Sign::Minus as usize];
            let demand = received - inside;
            if demand < DEMAND_MIN {
                continue;
            }
            let load = f64::from(links) * cut.per_link * share / demand;
            let positions = [first as u32, last as u32];
            let found = (load, Bottleneck::Slab { dimension, positions });
            best = Some(best.map_or(found.clone(), |best| smaller(best, found)));
        }
    }
    best
}

/// Messages between positions along a dimension.
struct Between {
    k: usize,
    /// Messages to a position from all others, and from the position itself.
    received: Vec<f64>,
    /// Prefix sums over origins and destinations, in a table two rounds wide.
    sums: Vec<f64>,
}

impl Between {
    fn new(system: &System, demand: &Demand, cube: &Cube, dimension: usize) -> Self {
        let network = &system.network;
        let k = cube.radix()[dimension] as usize;
        let position = |router: RouterId| usize::from(cube.coordinates(router)[dimension]);
        let mut pairs = vec![0.0; k * k];
        let (mut hosts, mut sent) = (vec![0.0; k], vec![0.0; k]);
        for router in (0..network.routers()).map(RouterId::new) {
            hosts[position(router)] += network.terminals_at(router) as f64;
            sent[position(router)] += demand.sent_at(network, router);
        }
        let each = demand.even_each(network.nodes());
        for (from, to) in (0..k).flat_map(|from| (0..k).map(move |to| (from, to))) {
            pairs[from * k + to] += each * sent[from] * hosts[to];
        }
        let rows = (network.routers() / k) as f64;
        for (to, &share) in demand.by_distance.iter().flatten().enumerate() {
            let ahead = position(RouterId::new(to));
            (0..k).for_each(|from| pairs[from * k + (from + ahead) % k] += rows * share);
        }
        for_each_uneven(system, demand, |from, to, share| {
            pairs[position(from) * k + position(to)] += share;
        });
        let received = (0..k).map(|to| (0..k).map(|from| pairs[from * k + to]).sum()).collect();
        let wide = 2 * k + 1;
        let mut sums = vec![0.0; wide * wide];
        for row in 0..2 * k {
            for column in 0..2 * k {
                sums[(row + 1) * wide + column + 1] = pairs[row % k * k + column % k]
                    + sums[row * wide + column + 1]
                    + sums[(row + 1) * wide + column]
                    - sums[row * wide + column];
            }
        }
        Self { k, received, sums }
    }

    /// Messages within a range of positions, minus those within the range one shorter.
    fn with_run(&self, first: usize, length: usize) -> f64 {
        self.within(first, length) - self.within(first, length - 1)
    }

    fn within(&self, first: usize, length: usize) -> f64 {
        let wide = 2 * self.k + 1;
        let at = |row: usize, column: usize| self.sums[row * wide + column];
        let end = first + length;
        at(end, end) - at(first, end) - at(end, first) + at(first, first)
    }
}

/// Links out of each position along a dimension, towards higher and lower positions.
fn entries(system: &System, cube: &Cube, dimension: usize, links: &Links) -> Vec<[u32; 2]> {
    let network = &system.network;
    let mut found = vec![[0; 2]; cube.radix()[dimension] as usize];
    for channel in (0..links.of.len()).map(ChannelId::new) {
        let (along, sign) = cube.direction(channel);
        if along == dimension {
            let from = network.channel(channel).from;
            found[usize::from(cube.coordinates(from)[dimension])][sign as usize] += 1;
        }
    }
    found
}
