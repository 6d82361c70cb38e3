//! Networks of certain sizes, required by some models, and the quadrant of a torus.

use super::Unsolved;
use super::queue::mean_wait;
use crate::ids::{NodeId, RouterId};
use crate::system::System;
use crate::topology::cube::Cube;
use crate::traffic::destinations::DestinationDraw;

/// A class of networks covered by a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Networks {
    /// True if a cube belongs to the class, regardless of its size.
    pub is_kin: fn(&Cube) -> bool,
    /// True for networks in two dimensions only.
    pub is_flat: bool,
    /// True for networks with as many routers in every dimension.
    pub is_square: bool,
    /// Description of the class: "a square mesh in two dimensions".
    pub name: &'static str,
}

impl Networks {
    /// Two-way tori in two dimensions.
    pub const FLAT_TORI: Self = Self {
        is_kin: |cube| cube.goes_both_ways_round() && cube.wraps_everywhere(),
        is_flat: true,
        is_square: false,
        name: "a two-way torus in two dimensions",
    };

    /// The routers in each dimension, more than one, if the network of `system` belongs to the class.
    pub fn sides<'a>(&self, system: &'a System) -> Option<&'a [u32]> {
        let cube = system.network.cube().filter(|cube| (self.is_kin)(cube))?;
        let sides = cube.radix();
        let is_square = sides.iter().all(|&side| side == sides[0]);
        let fits = (sides.len() == 2 || !self.is_flat) && (is_square || !self.is_square);
        (fits && !sides.contains(&1)).then_some(sides)
    }

    /// The sides like [`Self::sides`], with an error for other networks.
    pub fn needed<'a>(&self, system: &'a System) -> Result<&'a [u32], Unsolved> {
        self.sides(system).ok_or_else(|| {
            let found = system.network.name();
            Unsolved::NotCovered(format!("the model needs {}, not {found}", self.name))
        })
    }

    /// True for wormhole switching in a network of this class, of any size.
    pub fn is_kin(&self, system: &System) -> bool {
        let cube = system.network.cube();
        system.wormhole().is_some() && cube.is_some_and(self.is_kin)
    }
}

/// The average message's quadrant of a two-way torus, without the traffic's rate; pairs are for X and Y.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Quadrant {
    /// Hops of the average message in each dimension, K.
    pub hops: [usize; 2],
    /// Message length L in flits.
    pub length: f64,
    /// Share of messages that need both dimensions, α.
    pub both_share: f64,
    /// Shares of messages that need one dimension only, β.
    pub single_share: [f64; 2],
}

impl Quadrant {
    /// Mean latency in an empty network in cycles: L flits and the hops.
    pub fn transfer(&self) -> f64 {
        self.length + self.hops_mean()
    }

    /// Links of the mean route in each dimension, (α + β)·K.
    fn hops_in(&self) -> [f64; 2] {
        [0, 1].map(|at| (self.both_share + self.single_share[at]) * self.hops[at] as f64)
    }

    /// Links of the mean route.
    pub fn hops_mean(&self) -> f64 {
        self.hops_in().iter().sum()
    }

    /// Flits per cycle over a link at `rate` messages per node and cycle: a node has four links.
    pub fn utilisation(&self, rate: f64) -> f64 {
        rate * self.length * self.hops_mean() / 4.0
    }
}

/// The average messages of a two-way torus, with the share of each: one if the mean hops per
/// dimension are whole numbers, else with all combinations of the adjacent whole numbers.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Quadrants(pub Vec<(f64, Quadrant)>);

impl Quadrants {
    /// Computes the average messages of `system`, a torus with these `sides`, under uniform or
    /// distance-dependent destinations. Other traffic is treated as uniform.
    ///
    /// The paper's K = k/4 is a mean over all positions on a ring, including the source's own, for
    /// multiples of 4. Ours, for any ring, is that mean of the real distances, with a minimum of 1.
    ///
    /// With locality, the shares of messages by required dimensions, and the mean hops, are those
    /// of the pattern, and K is (1 − 1/k) of the mean hops of messages that need the dimension: the
    /// same number under uniform destinations.
    pub fn new(system: &System, sides: &[u32]) -> Self {
        let destinations = &system.traffic.destinations;
        let local = destinations.depend_on_distance();
        let sides = [0, 1].map(|dimension| f64::from(sides[dimension]));
        let (mut both_share, mut single_share, mut hops) = (0.0, [0.0; 2], [0.0; 2]);
        if let Some(cube) = system.network.cube().filter(|_| local) {
            // All nodes are equivalent.
            for (node, share) in
                DestinationDraw::new(destinations, &system.network).shares(NodeId(0))
            {
                // Node n of a cube is attached to router n.
                let to = cube.coordinates(RouterId(node.0));
                match [to[0] > 0, to[1] > 0] {
                    [true, false] => single_share[0] += share,
                    [false, true] => single_share[1] += share,
                    [true, true] | [false, false] => both_share += share,
                }
                for (dimension, hops) in hops.iter_mut().enumerate() {
                    let (there, around) = (u32::from(to[dimension]), cube.around(dimension));
                    *hops += share * f64::from(there.min(around - there));
                }
            }
            for ((hops, side), single) in hops.iter_mut().zip(sides).zip(single_share) {
                *hops *= (1.0 - 1.0 / side) / (both_share + single);
            }
        } else {
            let others = sides[0] * sides[1] - 1.0;
            both_share = (sides[0] - 1.0) * (sides[1] - 1.0) / others;
            single_share = sides.map(|side| (side - 1.0) / others);
            // Whole numbers: the squares of even sides are multiples of 4, and of odd sides 1 more.
            hops = sides.map(|side| (side * side / 4.0).floor() / side);
        }
        let length = system.traffic.lengths.mean();
        let mut parts = vec![(1.0, Quadrant { hops: [0; 2], length, both_share, single_share })];
        for (dimension, hops) in hops.into_iter().enumerate() {
            let hops = hops.max(1.0);
            let adjacent = [(1.0 - hops.fract(), hops as usize), (hops.fract(), hops as usize + 1)];
            let with = |(share, mut quadrant): (f64, Quadrant), (part, whole)| {
                quadrant.hops[dimension] = whole;
                (share * part, quadrant)
            };
            let all = parts.into_iter().flat_map(|it| adjacent.map(|part| with(it, part)));
            parts = all.filter(|&(share, _)| share > 0.0).collect();
        }
        Self(parts)
    }

    /// The mean of a figure.
    pub fn mean(&self, of: impl Fn(&Quadrant) -> f64) -> f64 {
        self.0.iter().map(|(share, quadrant)| share * of(quadrant)).sum()
    }

    /// A rate with certain overload of X or Y channels: without any waiting the load of both
    /// together is r·L·K·(α+β)/2 for each dimension.
    pub fn overflow(&self) -> f64 {
        4.0 / self.mean(|it| it.length * it.hops_mean())
    }
}

/// The distribution of the holding time of a channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// The part without waiting, in cycles: L, plus the additions of a reading.
    pub fixed: f64,
    /// True if the whole holding time is exponential, instead of its waiting part only.
    pub exponential: bool,
}

impl Hold {
    /// Mean holding time u in cycles, with `waiting` cycles of remaining wait.
    #[inline]
    pub fn mean(self, waiting: f64) -> f64 {
        self.fixed + waiting
    }

    /// Second moment in cycles²: exponential waiting, constant length, and no covariance.
    #[inline]
    pub fn moment(self, waiting: f64) -> f64 {
        let mean = self.mean(waiting);
        mean * mean + if self.exponential { mean * mean } else { waiting * waiting }
    }
}

/// Sums over the flows of one quadrant that can hold a requested channel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Conflicts {
    /// Σ f·u, the channel's load from one quadrant.
    pub load: f64,
    /// Σ f·E[u²] in cycles.
    pub moment: f64,
}

impl Conflicts {
    /// Adds a flow of `flow` messages per cycle with `waiting` cycles of remaining wait.
    #[inline]
    pub fn add(&mut self, hold: Hold, flow: f64, waiting: f64) {
        self.load += flow * hold.mean(waiting);
        self.moment += flow * hold.moment(waiting);
    }

    /// Adds the conflicts of `other`.
    pub fn join(&mut self, other: Self) {
        self.load += other.load;
        self.moment += other.moment;
    }

    /// The mean wait of an M/G/1 queue in cycles times `gain`, or `None` if its load reaches 1.
    /// Includes both quadrants that use the channel.
    pub fn wait(self, gain: f64) -> Option<f64> {
        mean_wait(2.0 * self.load, 2.0 * gain * self.moment)
    }
}

#[cfg(test)]
mod tests;
