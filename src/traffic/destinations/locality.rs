//! Locality: the probability of a destination depends on its distance in hops.
//!
//! The patterns are the *sphere of locality* and the *decreasing probability* of D. A. Reed and R.
//! M. Fujimoto, *Multicomputer Networks: Message-Based Parallel Processing* (1987), chapter 2.
//!
//! Distances are determined by breadth-first search over the channels, for any network. In
//! vertex-symmetric networks (tori and hypercubes) one list of nodes by distance from node 0 is
//! shared by all sources and translated by coordinates; otherwise every source has its own list,
//! and [`LOCALITY_NODES_MAX`] limits the number of nodes.

use crate::ids::{NodeId, RouterId};
use crate::random::Stream;
use crate::text::count;
use crate::topology::Network;
use crate::topology::cube::{Cube, DIMENSIONS_MAX, RADIX_MAX};
use crate::words::Need::Example;
use crate::words::{Kind, Misfit, words};

/// Maximum number of nodes with locality on an asymmetric network such as a mesh: a list per source
/// takes 4 bytes per pair of nodes (64 MiB at the limit, twice as much for a linear array).
pub const LOCALITY_NODES_MAX: usize = 4096;

words! {
    /// Patterns by distance.
    pub enum Locality {
        /// A percentage of the messages goes to nodes within `radius` hops, the others farther.
        Sphere {
            /// In hops.
            radius: u32 = Example("2"),
                Kind::whole("the radius in hops", 1, RADIX_MAX * DIMENSIONS_MAX as u32);
            /// Above 0 to 100.
            percent: f64 = Example("80"), Kind::positive("the percentage", "80", 100.0);
        },
        /// A node d hops away with a probability proportional to `ratio`ᵈ.
        Decreasing {
            /// The factor between the probabilities of one distance and the next.
            ratio: f64 = Example("0.5"), Kind::below("the ratio", "0.5", 1.0);
        },
    }
}

/// Draws destinations by distance.
#[derive(Debug)]
pub(super) struct ByDistance {
    pattern: Locality,
    /// Draws below this value, out of 2⁶⁴, are within the sphere.
    threshold: u64,
    /// `ratio`ᵈ by d, computed by repeated multiplication for equal results on every machine.
    powers: Vec<f64>,
    /// The order of every source, or of node 0 for all sources.
    orders: Vec<Order>,
    /// The radices for translation of the shared order; empty if every source has its own order.
    radix: Vec<u32>,
}

/// All nodes except the source, ordered by distance, then by number.
#[derive(Debug)]
struct Order {
    nodes: Vec<u32>,
    /// The number of other nodes at most this distance away, by distance.
    ends: Vec<u32>,
    /// The sum of the powers of all distances with nodes.
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

    /// The distances with nodes, and the power of each (ratio⁰ for the first).
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

impl ByDistance {
    pub(super) fn new(pattern: Locality, network: &Network) -> Self {
        let radix = network
            .cube()
            .filter(|cube| symmetric(cube))
            .map(|cube| cube.radix().to_vec())
            .unwrap_or_default();
        let sources = if radix.is_empty() { network.nodes() } else { 1 };
        assert!(sources <= LOCALITY_NODES_MAX, "a checked network is small enough");
        let mut orders: Vec<Order> =
            (0..sources).map(|source| Order::new(network, NodeId::new(source))).collect();
        let (threshold, ratio) = match pattern {
            Locality::Sphere { percent, .. } => (super::share_of_draws(percent), 0.0),
            Locality::Decreasing { ratio } => (0, ratio),
        };
        let furthest = orders.iter().map(|order| order.ends.len()).max().unwrap_or_default();
        let mut powers = vec![1.0; furthest];
        for d in 1..furthest {
            powers[d] = powers[d - 1] * ratio;
        }
        for order in &mut orders {
            order.weight = order.weights(&powers).map(|(_, weight)| weight).sum();
        }
        Self { pattern, threshold, powers, orders, radix }
    }

    fn order(&self, source: NodeId) -> &Order {
        if self.radix.is_empty() { &self.orders[source.index()] } else { &self.orders[0] }
    }

    /// Translates a node of the shared order to `source`.
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
        let (first, end) = match self.pattern {
            Locality::Sphere { radius, .. } => {
                let (inside, all) = (order.within(radius), order.others());
                let coin = stream.bits();
                let within = coin < self.threshold || self.threshold == u64::MAX;
                if inside == all || (within && inside > 0) { (0, inside) } else { (inside, all) }
            }
            Locality::Decreasing { .. } => {
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
        match self.pattern {
            Locality::Sphere { radius, percent } => {
                let (inside, all) = (order.within(radius), order.others());
                let share = match inside {
                    0 => 0.0,
                    _ if inside == all => 1.0,
                    _ => percent / 100.0,
                };
                add((0, inside), share);
                add((inside, all), 1.0 - share);
            }
            Locality::Decreasing { .. } => {
                for (distance, weight) in order.weights(&self.powers) {
                    add(order.at(distance), weight / order.weight);
                }
            }
        }
    }
}

/// True if the network is vertex-symmetric: only rings and rows of at most two.
fn symmetric(cube: &Cube) -> bool {
    cube.radix().iter().enumerate().all(|(dimension, &k)| k <= 2 || cube.is_ring(dimension))
}

impl Locality {
    pub(super) fn check(self, network: &Network) -> Result<(), Misfit> {
        let nodes = network.nodes();
        if let Some(cube) = network.cube() {
            self.leaves_some_outside("nodes", || least_far_on(cube))?;
            if nodes > LOCALITY_NODES_MAX && !symmetric(cube) {
                let found = if cube.wraps() { "torus with lines" } else { "mesh" };
                let what = format!(
                    "locality on a {found} keeps a list of distances for every node, and {nodes} \
                     nodes are more than the limit of {LOCALITY_NODES_MAX}"
                );
                let torus = if cube.wraps() { "wrap every dimension" } else { "use a torus" };
                return Misfit::because(what, format!("make the {found} smaller, or {torus}"));
            }
            return Ok(());
        }
        if nodes > LOCALITY_NODES_MAX {
            let what = format!(
                "locality keeps a list of distances for every host, and {nodes} hosts are more than \
                 the limit of {LOCALITY_NODES_MAX}"
            );
            return Misfit::because(what, "use fewer hosts");
        }
        self.leaves_some_outside("hosts", || least_far(network))
    }

    /// Checks that a sphere leaves nodes outside for the rest of the messages, given that a node
    /// reaches all others within `far` hops.
    fn leaves_some_outside(self, nodes: &str, far: impl Fn() -> u32) -> Result<(), Misfit> {
        let Self::Sphere { radius, percent } = self else { return Ok(()) };
        if percent >= 100.0 {
            return Ok(());
        }
        let far = far();
        if radius < far {
            return Ok(());
        }
        let what = format!(
            "some {nodes} reach all others within {}, so that nothing is outside a radius of {radius} \
             for the rest of the messages",
            count(far as usize, "hop", "hops")
        );
        let help = match far {
            0 | 1 => "write `percent: 100`, or `destinations: Uniform`".into(),
            _ => format!("write a radius of {} or less, or `percent: 100`", far - 1),
        };
        Err(Misfit { what, help, field: Some("radius") })
    }
}

/// The radius of a cube: the least eccentricity of a node, in hops. On a mesh, that of the middle.
fn least_far_on(cube: &Cube) -> u32 {
    cube.radix().iter().map(|&k| if cube.is_one_way() { k - 1 } else { k / 2 }).sum()
}

/// The radius of a network: the least eccentricity of a terminal's router, in hops.
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

#[cfg(test)]
mod tests;
