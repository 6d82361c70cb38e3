//! Square networks in two dimensions, for which some models are made, and the quadrant of a torus.

use super::assumptions::required;
use super::effect::OTHER_NETWORK;
use super::queue::mean_wait;
use super::{Mismatch, Unsolved};
use crate::system::System;
use crate::topology::cube::Family;

/// The networks that a model is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Square {
    pub family: Family,
    /// The routers on a side are a multiple of this.
    pub multiple: u32,
    /// What they are called: "a square mesh in two dimensions".
    pub name: &'static str,
}

impl Square {
    /// Two-way tori that quadrants divide evenly.
    pub const QUARTERED_TORUS: Self = Self {
        family: Family::Torus { unidirectional: false },
        multiple: 4,
        name: "a square two-way torus in two dimensions with a multiple of 4 routers on a side",
    };

    /// The number of routers on a side, where the network of `system` is one of these.
    pub fn radix(&self, system: &System) -> Option<usize> {
        let cube = system.network.cube().filter(|cube| cube.family() == self.family)?;
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

    /// How another network breaks the assumption that it is one of these.
    pub fn mismatch(&self, system: &System) -> Option<Mismatch> {
        let holds = self.radix(system).is_some();
        required(holds, self.name, system.network.name(), OTHER_NETWORK)
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

    /// The rate at which X channels, or under adaptive routing X and Y channels together, are
    /// certainly busy all the time: without any waiting their load is r·L·K·(α+β)/2 each.
    pub fn overflow(&self) -> f64 {
        2.0 / (self.length * self.hops as f64 * (self.both_share + self.single_share))
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
