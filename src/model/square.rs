//! Square networks in two dimensions, for which some models are made, and the quadrant of a torus.

use super::Unsolved;
use super::queue::mean_wait;
use crate::ids::{NodeId, RouterId};
use crate::system::System;
use crate::topology::cube::Cube;
use crate::traffic::Destinations;
use crate::traffic::destinations::DestinationDraw;

/// The networks that a model is made for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Square {
    /// Whether a cube is one of them, whatever its size.
    pub is_kin: fn(&Cube) -> bool,
    /// The routers on a side are a multiple of this.
    pub multiple: u32,
    /// What they are called: "a square mesh in two dimensions".
    pub name: &'static str,
}

impl Square {
    /// Two-way tori that quadrants divide evenly.
    pub const QUARTERED_TORUS: Self = Self {
        is_kin: Cube::goes_both_ways_round,
        multiple: 4,
        name: "a square two-way torus in two dimensions with a multiple of 4 routers on a side",
    };

    /// The number of routers on a side, where the network of `system` is one of these.
    pub fn radix(&self, system: &System) -> Option<usize> {
        let cube = system.network.cube().filter(|cube| (self.is_kin)(cube))?;
        match cube.radix() {
            &[x, y] if x == y && x % self.multiple == 0 => Some(x as usize),
            _ => None,
        }
    }

    /// The same, or that the model has no equations for another network.
    pub fn needed(&self, system: &System) -> Result<usize, Unsolved> {
        self.radix(system).ok_or_else(|| {
            let found = system.network.name();
            Unsolved::NotCovered(format!("the model needs {}, not {found}", self.name))
        })
    }

    /// True if `system` has a network of this kind, of any size, in which messages travel as worms.
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
    /// Share of the messages that need both dimensions, α = (k−1)/(k+1).
    pub both_share: f64,
    /// Share that needs X only, and that needs Y only, β = 1/(k+1) each.
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

    /// Flits that cross a link per cycle at `rate` messages per node and cycle: a node has four links.
    pub fn utilisation(&self, rate: f64) -> f64 {
        rate * self.length * self.hops_mean() / 4.0
    }
}

/// The average messages of a two-way torus, with the share of each: one where the mean hops per dimension
/// are a whole number, else the two of the whole numbers next to it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Quadrants(pub Vec<(f64, Quadrant)>);

impl Quadrants {
    /// Those of `system`, a torus with `radix` routers on a side (a multiple of 4): under uniform
    /// destinations, or where these go by distance. Other traffic is taken to be uniform.
    ///
    /// With locality the shares of the messages by the dimensions that they need are those of the
    /// pattern, and so are the mean hops. The paper's K = k/4 is a mean over all places on a ring, its own
    /// included: (1 − 1/k) of the mean hops of messages that need the dimension. So it is here, but at
    /// least 1.
    pub fn new(system: &System, radix: usize) -> Self {
        let uniform = Quadrant::new(radix, system.traffic.lengths.mean());
        let (Destinations::Local(_), Some(cube)) =
            (&system.traffic.destinations, system.network.cube())
        else {
            return Self(vec![(1.0, uniform)]);
        };
        // All nodes see the same.
        let source = NodeId(0);
        let draw = DestinationDraw::new(&system.traffic.destinations, &system.network);
        let (mut both, mut single, mut hops) = (0.0, 0.0, 0.0);
        for (node, share) in draw.shares(source) {
            let (x, y) = (node.index() % radix, node.index() / radix);
            let needed = u8::from(x > 0) + u8::from(y > 0);
            *if needed > 1 { &mut both } else { &mut single } += share;
            // In a cube node n is attached to router n.
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

    /// The rate at which X channels, or under adaptive routing X and Y channels together, are
    /// certainly busy all the time: without any waiting their load is r·L·K·(α+β)/2 each.
    pub fn overflow(&self) -> f64 {
        let load = |it: &Quadrant| it.length * it.hops as f64 * (it.both_share + it.single_share);
        2.0 / self.mean(load)
    }
}

/// The time for which a channel is held, as a distribution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// The part without waiting, in cycles: L, and what a reading adds.
    pub fixed: f64,
    /// The whole hold is exponential, not only the waiting in it.
    pub exponential: bool,
}

impl Hold {
    /// Mean hold u in cycles with `waiting` cycles of waiting ahead.
    #[inline]
    pub fn mean(self, waiting: f64) -> f64 {
        self.fixed + waiting
    }

    /// Second moment in cycles²: exponential waiting, a length of no variance, and no covariance.
    #[inline]
    pub fn moment(self, waiting: f64) -> f64 {
        let mean = self.mean(waiting);
        mean * mean + if self.exponential { mean * mean } else { waiting * waiting }
    }
}

/// Flows of one quadrant that can hold the channel a message asks for, summed up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Conflicts {
    /// Σ f·u, the channel's load from one quadrant.
    pub load: f64,
    /// Σ f·E[u²] in cycles.
    pub moment: f64,
}

impl Conflicts {
    /// A flow of `flow` messages per cycle with `waiting` cycles ahead.
    #[inline]
    pub fn add(&mut self, hold: Hold, flow: f64, waiting: f64) {
        self.load += flow * hold.mean(waiting);
        self.moment += flow * hold.moment(waiting);
    }

    /// All of `other` as well.
    pub fn join(&mut self, other: Self) {
        self.load += other.load;
        self.moment += other.moment;
    }

    /// The mean wait of an M/G/1 queue in cycles times `gain`, or `None` where its load reaches 1.
    /// Both quadrants that use the channel count.
    pub fn wait(self, gain: f64) -> Option<f64> {
        mean_wait(2.0 * self.load, 2.0 * gain * self.moment)
    }
}

#[cfg(test)]
mod tests;
