//! Square networks, required by some models, and the quadrant of a torus.

use super::Unsolved;
use super::queue::mean_wait;
use crate::ids::{NodeId, RouterId};
use crate::system::System;
use crate::topology::cube::Cube;
use crate::traffic::destinations::DestinationDraw;

/// A class of networks covered by a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Square {
    /// True if a cube belongs to the class, regardless of its size.
    pub is_kin: fn(&Cube) -> bool,
    /// True for networks in two dimensions only.
    pub is_flat: bool,
    /// Divisor of the number of routers on a side.
    pub multiple: u32,
    /// Description of the class: "a square mesh in two dimensions".
    pub name: &'static str,
}

impl Square {
    /// Two-way tori with whole quadrants.
    pub const QUARTERED_TORUS: Self = Self {
        is_kin: |cube| cube.goes_both_ways_round() && cube.wraps_everywhere(),
        is_flat: true,
        multiple: 4,
        name: "a square two-way torus in two dimensions with a multiple of 4 routers on a side",
    };

    /// The number of routers on a side, if the network of `system` belongs to the class.
    pub fn radix(&self, system: &System) -> Option<usize> {
        let cube = system.network.cube().filter(|cube| (self.is_kin)(cube))?;
        let (&side, others) = cube.radix().split_first()?;
        let is_square = others.iter().all(|&other| other == side);
        let is_flat = cube.dimensions() == 2;
        (is_square && (is_flat || !self.is_flat) && side % self.multiple == 0)
            .then_some(side as usize)
    }

    /// The radix like [`Self::radix`], with an error for other networks.
    pub fn needed(&self, system: &System) -> Result<usize, Unsolved> {
        self.radix(system).ok_or_else(|| {
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

/// The average message's quadrant of a two-way torus, without the traffic's rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Quadrant {
    /// Hops of the average message in each dimension, K = k/4.
    pub hops: usize,
    /// Message length L in flits.
    pub length: f64,
    /// Share of messages that need both dimensions, α = (k−1)/(k+1).
    pub both_share: f64,
    /// Share of messages that need X only, and that need Y only, β = 1/(k+1) each.
    pub single_share: f64,
}

impl Quadrant {
    /// The quadrant of a torus with `radix` routers on a side (a multiple of 4) and messages of
    /// `length` flits.
    pub fn new(radix: usize, length: f64) -> Self {
        let k = radix as f64;
        Self {
            hops: radix / 4,
            length,
            both_share: (k - 1.0) / (k + 1.0),
            single_share: 1.0 / (k + 1.0),
        }
    }

    /// Mean latency in an empty network in cycles: L flits and the hops, α·2K + 2β·K.
    pub fn transfer(&self) -> f64 {
        self.length + self.hops_mean()
    }

    /// Links of the mean route: α·2K + 2β·K.
    pub fn hops_mean(&self) -> f64 {
        2.0 * (self.both_share + self.single_share) * self.hops as f64
    }

    /// Flits per cycle over a link at `rate` messages per node and cycle: a node has four links.
    pub fn utilisation(&self, rate: f64) -> f64 {
        rate * self.length * self.hops_mean() / 4.0
    }
}

/// The average messages of a two-way torus, with the share of each: one if the mean hops per
/// dimension are a whole number, else two with the adjacent whole numbers.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Quadrants(pub Vec<(f64, Quadrant)>);

impl Quadrants {
    /// Computes the average messages of `system`, a torus with `radix` routers on a side (a
    /// multiple of 4), under uniform or distance-dependent destinations. Other traffic is treated
    /// as uniform.
    ///
    /// With locality, the shares of messages by required dimensions, and the mean hops, are those
    /// of the pattern. The paper's K = k/4 is a mean over all positions on a ring, including the
    /// source's own: (1 − 1/k) of the mean hops of messages that need the dimension. The same
    /// factor is used here, with a minimum of 1.
    pub fn new(system: &System, radix: usize) -> Self {
        let uniform = Quadrant::new(radix, system.traffic.lengths.mean());
        let local = system.traffic.destinations.depend_on_distance();
        let Some(cube) = system.network.cube().filter(|_| local) else {
            return Self(vec![(1.0, uniform)]);
        };
        // All nodes are equivalent.
        let source = NodeId(0);
        let draw = DestinationDraw::new(&system.traffic.destinations, &system.network);
        let (mut both, mut single, mut hops) = (0.0, 0.0, 0.0);
        for (node, share) in draw.shares(source) {
            let (x, y) = (node.index() % radix, node.index() / radix);
            let needed = u8::from(x > 0) + u8::from(y > 0);
            *if needed > 1 { &mut both } else { &mut single } += share;
            // Node n of a cube is attached to router n.
            hops += share * f64::from(cube.distance(RouterId(source.0), RouterId(node.0)));
        }
        let needed = 2.0 * both + single;
        let hops = (hops / needed * (1.0 - 1.0 / radix as f64)).max(1.0);
        let of = |hops: f64| Quadrant {
            hops: hops as usize,
            both_share: both,
            single_share: single / 2.0,
            ..uniform
        };
        let (below, above) = (hops.floor(), hops.fract());
        let parts = [(1.0 - above, of(below)), (above, of(below + 1.0))];
        Self(parts.into_iter().filter(|&(share, _)| share > 0.0).collect())
    }

    /// The mean of a figure.
    pub fn mean(&self, of: impl Fn(&Quadrant) -> f64) -> f64 {
        self.0.iter().map(|(share, quadrant)| share * of(quadrant)).sum()
    }

    /// A rate with certain overload of X channels, or under adaptive routing of X and Y channels
    /// together: without any waiting their load is r·L·K·(α+β)/2 each.
    pub fn overflow(&self) -> f64 {
        let load = |it: &Quadrant| it.length * it.hops as f64 * (it.both_share + it.single_share);
        2.0 / self.mean(load)
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
