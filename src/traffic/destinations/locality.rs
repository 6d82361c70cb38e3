//! Locality: the probability of a destination depends on its distance in hops.
//!
//! The patterns are the *sphere of locality* and the *decreasing probability* of D. A. Reed and
//! R. M. Fujimoto, *Multicomputer Networks: Message-Based Parallel Processing* (1987), chapter 2.
//!
//! Distances are found by breadth-first search over the channels, so they hold for any network.
//! Where all nodes see the same network (tori and hypercubes) one list of the nodes by their
//! distance from node 0 serves them all, moved to the source coordinate by coordinate; elsewhere
//! every source has its own list, and the number of nodes is limited to [`LOCALITY_NODES_MAX`].

use super::Undefined;
use crate::ids::{NodeId, RouterId};
use crate::random::Stream;
use crate::topology::Network;
use crate::topology::cube::Family;

/// The most nodes with locality on a network whose nodes differ, such as a mesh: a list per source
/// takes 4 bytes per pair of nodes (64 MiB at the limit; a lone row of nodes takes twice that).
pub const LOCALITY_NODES_MAX: usize = 4096;

/// How the probability depends on the distance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Rule {
    /// `percent` of the messages go to nodes within `radius` hops.
    Sphere { radius: u32, percent: f64 },
    /// A distance of d hops has a probability proportional to `ratio`ᵈ.
    Decreasing { ratio: f64 },
}

/// A drawer of destinations by their distance.
#[derive(Debug)]
pub(super) struct Locality {
    rule: Rule,
    /// Out of 2⁶⁴: the share within the sphere.
    threshold: u64,
    /// `ratio`ᵈ by d, by repeated multiplication, which is the same everywhere.
    powers: Vec<f64>,
    /// The order of every source, or that of node 0 for all.
    orders: Vec<Order>,
    /// The radices along which the one order is moved; empty where every source has its own.
    radix: Vec<u32>,
}

/// The nodes other than the source in the order of their distance, then of their number.
#[derive(Debug)]
struct Order {
    nodes: Vec<u32>,
    /// For every distance from 0, the number of other nodes that are no further.
    ends: Vec<u32>,
    /// The sum of the powers of all distances at which there are nodes.
    weight: f64,
}

impl Order {
    fn new(network: &Network, source: NodeId) -> Self {
        let distances = network.distances(network.router_of(source));
        let others = || (0..network.nodes() as u32).filter(|&node| node != source.0);
        let distance = |node: u32| distances[network.router_of(NodeId(node)).index()] as usize;
        let furthest = others().map(distance).max().unwrap_or_default();
        let mut next = vec![0u32; furthest + 2];
        for node in others() {
            next[distance(node) + 1] += 1;
        }
        for d in 0..=furthest {
            next[d + 1] += next[d];
        }
        let ends = next[1..].to_vec();
        let mut nodes = vec![0; network.nodes() - 1];
        for node in others() {
            let slot = &mut next[distance(node)];
            nodes[*slot as usize] = node;
            *slot += 1;
        }
        Self { nodes, ends, weight: 0.0 }
    }

    /// The nodes at a distance, as a range of `nodes`.
    fn at(&self, distance: usize) -> (u32, u32) {
        let first = if distance == 0 { 0 } else { self.ends[distance - 1] };
        (first, self.ends[distance])
    }

    /// The distances at which there are nodes, with the power of each (the first has ratio⁰).
    fn weights<'a>(&'a self, powers: &'a [f64]) -> impl Iterator<Item = (usize, f64)> + 'a {
        let occupied = |&distance: &usize| self.at(distance).0 < self.at(distance).1;
        let first = (0..self.ends.len()).find(occupied).unwrap_or_default();
        let occupied = (first..self.ends.len()).filter(occupied);
        occupied.map(move |distance| (distance, powers[distance - first]))
    }

    fn others(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// The number of other nodes within a radius.
    fn within(&self, radius: u32) -> u32 {
        self.ends[(radius as usize).min(self.ends.len() - 1)]
    }
}

impl Locality {
    pub(super) fn new(rule: Rule, network: &Network) -> Self {
        let radix = network
            .cube()
            .filter(|cube| symmetric(cube.family(), cube.radix()))
            .map(|cube| cube.radix().to_vec())
            .unwrap_or_default();
        let sources = if radix.is_empty() { network.nodes() } else { 1 };
        assert!(sources <= LOCALITY_NODES_MAX, "a checked network is small enough");
        let mut orders: Vec<Order> =
            (0..sources).map(|source| Order::new(network, NodeId::new(source))).collect();
        let (threshold, ratio) = match rule {
            Rule::Sphere { percent, .. } => (super::share_of_draws(percent), 0.0),
            Rule::Decreasing { ratio } => (0, ratio),
        };
        let furthest = orders.iter().map(|order| order.ends.len()).max().unwrap_or_default();
        let mut powers = vec![1.0; furthest];
        for d in 1..furthest {
            powers[d] = powers[d - 1] * ratio;
        }
        for order in &mut orders {
            order.weight = order.weights(&powers).map(|(_, weight)| weight).sum();
        }
        Self { rule, threshold, powers, orders, radix }
    }

    fn order(&self, source: NodeId) -> &Order {
        if self.radix.is_empty() { &self.orders[source.index()] } else { &self.orders[0] }
    }

    /// The node that stands to `source` as `node` stands to the owner of the order.
    fn moved(&self, source: NodeId, node: u32) -> NodeId {
        if self.radix.is_empty() {
            return NodeId(node);
        }
        let (mut from, mut offset, mut stride, mut image) = (source.0, node, 1, 0);
        for &k in &self.radix {
            image += (from % k + offset % k) % k * stride;
            from /= k;
            offset /= k;
            stride *= k;
        }
        NodeId(image)
    }

    pub(super) fn draw(&self, source: NodeId, stream: &mut Stream) -> NodeId {
        let order = self.order(source);
        let (first, end) = match self.rule {
            Rule::Sphere { radius, .. } => {
                let (inside, all) = (order.within(radius), order.others());
                let coin = stream.bits();
                let within = coin < self.threshold || self.threshold == u64::MAX;
                if inside == all || (within && inside > 0) { (0, inside) } else { (inside, all) }
            }
            Rule::Decreasing { .. } => {
                // 53 bits in [0, 1).
                let share = (stream.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64);
                let mut left = share * order.weight;
                let mut distance = 0;
                for (at, weight) in order.weights(&self.powers) {
                    distance = at;
                    if left < weight {
                        break;
                    }
                    left -= weight;
                }
                order.at(distance)
            }
        };
        self.moved(source, order.nodes[(first + stream.below(end - first)) as usize])
    }

    /// Adds the probability of every destination of `source` to a row of zeros.
    pub(super) fn fill(&self, source: NodeId, row: &mut [f64]) {
        let order = self.order(source);
        let mut add = |(first, end): (u32, u32), share: f64| {
            for &node in &order.nodes[first as usize..end as usize] {
                row[self.moved(source, node).index()] += share / f64::from(end - first);
            }
        };
        match self.rule {
            Rule::Sphere { radius, percent } => {
                let (inside, all) = (order.within(radius), order.others());
                let share = match inside {
                    0 => 0.0,
                    _ if inside == all => 1.0,
                    _ => percent / 100.0,
                };
                add((0, inside), share);
                add((inside, all), 1.0 - share);
            }
            Rule::Decreasing { .. } => {
                for (distance, weight) in order.weights(&self.powers) {
                    add(order.at(distance), weight / order.weight);
                }
            }
        }
    }
}

/// Whether all nodes see the same network: rings, and rows of two, look alike from everywhere.
fn symmetric(family: Family, radix: &[u32]) -> bool {
    matches!(family, Family::Torus { .. }) || radix.iter().all(|&k| k == 2)
}

/// The largest radius, in hops, beyond which every node of the cube still sees another. On a mesh
/// it is the middle that sees the least far.
pub fn sphere_radius_max(family: Family, radix: &[u32]) -> u32 {
    let one_way = family == Family::Torus { unidirectional: true };
    radix.iter().map(|&k| if one_way { k - 1 } else { k / 2 }).sum::<u32>() - 1
}

/// As [`check`], on any network whose nodes differ.
pub(super) fn check_on(rule: Rule, network: &Network) -> Result<(), Undefined> {
    let nodes = network.nodes();
    if nodes > LOCALITY_NODES_MAX {
        let what = format!(
            "locality keeps a list of distances for every host, and {nodes} hosts are more than the \
             limit of {LOCALITY_NODES_MAX}"
        );
        return Err(Undefined { what, help: "use fewer hosts".into() });
    }
    if let Rule::Sphere { radius, percent } = rule
        && percent < 100.0
    {
        let most = least_far(network);
        if radius >= most {
            let what = format!(
                "some hosts reach all others within {}, so that nothing is outside a radius of \
                 {radius} for the rest of the messages",
                if most == 1 { "1 hop".into() } else { format!("{most} hops") },
            );
            let help = match most {
                0 | 1 => "write `percent: 100`, or `destinations: Uniform`".into(),
                _ => format!("write a radius of {} or less, or `percent: 100`", most - 1),
            };
            return Err(Undefined { what, help });
        }
    }
    Ok(())
}

/// The least distance within which some node reaches all others.
fn least_far(network: &Network) -> u32 {
    let routers = (0..network.routers()).map(RouterId::new);
    let inhabited = |&router: &RouterId| network.terminals_at(router) > 0;
    let homes: Vec<RouterId> = routers.filter(inhabited).collect();
    let far = |&from: &RouterId| {
        let distances = network.distances(from);
        homes.iter().map(|to| distances[to.index()]).max().unwrap_or_default()
    };
    homes.iter().map(far).min().unwrap_or_default()
}

pub(super) fn check(rule: Rule, family: Family, radix: &[u32]) -> Result<(), Undefined> {
    let most = sphere_radius_max(family, radix);
    if let Rule::Sphere { radius, percent } = rule
        && radius > most
        && percent < 100.0
    {
        let what = format!(
            "some nodes reach all others within {}, so that nothing is outside a radius of {radius} \
             for the rest of the messages",
            if most == 0 { "1 hop".into() } else { format!("{} hops", most + 1) },
        );
        let help = match most {
            0 => "write `percent: 100`, or `destinations: Uniform`".into(),
            _ => format!("write a radius of {most} or less, or `percent: 100`"),
        };
        return Err(Undefined { what, help });
    }
    let nodes: u64 = radix.iter().map(|&k| u64::from(k)).product();
    if nodes > LOCALITY_NODES_MAX as u64 && !symmetric(family, radix) {
        let what = format!(
            "locality on a mesh keeps a list of distances for every node, and {nodes} nodes are more \
             than the limit of {LOCALITY_NODES_MAX}"
        );
        return Err(Undefined { what, help: "make the mesh smaller, or use a torus".into() });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
