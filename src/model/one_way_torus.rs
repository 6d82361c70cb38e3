//! Predicts the mean latency of dimension-order routing in a torus of one-way rings.
//!
//! The torus has k routers in each of n dimensions. The equations are those of J. Draper and J. Ghosh, as
//! restated in the appendix of R. Greenberg and L. Guan, PDCS 1997 ("003"), with the flows for any n and
//! the service times for n = 2. The service times for other n, from the same argument, are ours.
//!
//! Rings have two classes of VCs: a message enters a ring in class A, remains in class A up to and
//! including the seam, and is in class B after the seam. Positions are numbered so that the seam
//! leaves position 0 and traffic moves from position j to j − 1. No messages join class B, so a
//! message in class B never waits again in the same dimension, and its service time is that of
//! position 0.
//!
//! | Symbol | Code | Meaning | Unit | Equation |
//! |---|---|---|---|---|
//! | k | `radix` | routers per ring | – | – |
//! | n | `dimensions` | dimensions, in the order x, y, … from the last one routed | – | – |
//! | msgl | `length` | message length | flits | – |
//! | `λ_node` | `rate` | messages generated per node | 1/cycle | – |
//! | `λ_net` | `Rings::link` | flow of a link, both classes, per `λ_node` | – | app. A |
//! | `λ_new` | `Rings::entering` | messages that enter a ring at a node, per `λ_node` | – | app. A |
//! | `λ_sw` | `Rings::turning` | messages that turn from one ring to another at a node, per `λ_node` | – | app. A |
//! | `λ_j` | `Rings::flow` | flow of class A on the channel out of position j, per `λ_node` | – | app. A |
//! | `flit_xfer` | `stretch` | cycles per flit on a link shared by two classes | cycles | app. A |
//! | `x_base` | `base` | `flit_xfer` · msgl | cycles | app. A |
//! | x, W | `Server` | service time; wait | cycles | app. A |
//! | D̄ | `distance` | mean links of a route, k²/(k + 1) for n = 2 | – | app. A |
//!
//! Readings: in `x^inj` a plus sign is missing between the two brackets (the weights 1/(k+1) and
//! k/(k+1) sum to 1); `W_{j0}` = `F_W`(`λ_{j0}`, `x_{j0}`), printed after the references, belongs
//! after `x_{j0}`; `F_W`(y, z) takes rate and service, with `x_base` as the service without
//! waiting; `λ_j` is the flow of class A only (counted over all routes); D̄ excludes injection and
//! ejection, which add the 2 cycles at the end of the latency, not stretched by sharing. Half of
//! the turning messages are charged to each class: the source's approximation, kept. `λ_sw` is
//! printed as (k − 1)²/(kⁿ − 1), the number for n = 2 only: kⁿ⁻² times as many turn into the next dimension.

use super::fixed_point::NoSolution;
use super::queue::Server;
use super::square::Networks;
use super::{
    Mismatch, Model, Prediction, Prepared, Unsolved, assumptions, prediction, sharing, terms,
};
use crate::routing::{Classes, Routing};
use crate::system::System;
use crate::topology::cube::Cube;
use crate::units::Rate;

const NETWORK: Networks = Networks {
    is_kin: Cube::is_one_way,
    is_flat: false,
    is_square: true,
    name: "a one-way torus with as many routers in every dimension",
};

/// The model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OneWayTorus;

impl Model for OneWayTorus {
    fn title(&self) -> [&'static str; 2] {
        ["one-way torus (Draper, Ghosh 1994)", "corrected"]
    }

    fn covers(&self, system: &System) -> bool {
        NETWORK.sides(system).is_some()
    }

    fn concerns(&self, system: &System) -> bool {
        NETWORK.is_kin(system)
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        let routing = system.relation.routing();
        let datelines = *routing == Routing::dimension_order(Classes::Dateline);
        vec![
            assumptions::routing(system, datelines, "dimension order with dateline classes"),
            assumptions::uniform(system),
            assumptions::poisson(system),
            assumptions::one_length(system),
            assumptions::long_messages(system),
            assumptions::virtual_channels(system, 2, "2 VCs per channel, 1 for each class"),
            assumptions::full_speed(system),
            assumptions::terminals(system, true),
        ]
    }

    fn usual_error(&self, _system: &System) -> f64 {
        0.1
    }

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        let sides = NETWORK.needed(system)?;
        let (radix, dimensions) = (sides[0] as usize, sides.len());
        let length = system.traffic.lengths.mean();
        Ok(Box::new(Rings { radix, dimensions, length }))
    }
}

/// The equations of a torus; flows are per message and cycle of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Rings {
    radix: usize,
    dimensions: usize,
    length: f64,
}

impl Rings {
    fn k(&self) -> f64 {
        self.radix as f64
    }

    /// The routers of this many dimensions, k to this power.
    fn routers(&self, dimensions: usize) -> usize {
        self.radix.pow(dimensions as u32)
    }

    /// The share of all destinations, per one in this many dimensions.
    fn share(&self, dimensions: usize) -> f64 {
        self.routers(dimensions) as f64 / (self.routers(self.dimensions) - 1) as f64
    }

    fn link(&self) -> f64 {
        (self.k() - 1.0) / 2.0 * self.share(self.dimensions)
    }

    fn entering(&self) -> f64 {
        (self.k() - 1.0) * self.share(self.dimensions - 1)
    }

    /// The messages that turn at a node from one ring to the ring `across` dimensions further: 1 for the
    /// next dimension.
    fn turning(&self, across: usize) -> f64 {
        (self.k() - 1.0).powi(2) * self.share(self.dimensions - 1 - across)
    }

    fn flow(&self, position: usize) -> f64 {
        let (k, j) = (self.k(), position as f64);
        if position <= 1 {
            self.link()
        } else {
            self.share(self.dimensions - 1) * (k * (k - 1.0) - j * (j - 1.0)) / 2.0
        }
    }

    /// The share of the class A messages on the channel out of `position` that leave the class at
    /// its end: 2/(k + j − 1).
    fn leaving(&self, position: usize) -> f64 {
        2.0 / (self.k() + position as f64 - 1.0)
    }

    /// The factor on the wait for the channel out of `position` for messages already in the ring:
    /// `λ_new`/`λ_j`, i.e. eq. (6).
    fn blocking(&self, position: usize) -> f64 {
        self.entering() / self.flow(position)
    }

    /// The channels of one ring, position by position, starting with service `first`; `None` if one
    /// overflows.
    fn ring(&self, rate: f64, base: f64, first: f64) -> Option<Vec<Server>> {
        let mut ring: Vec<Server> = Vec::with_capacity(self.radix);
        for j in 0..self.radix {
            let service = match ring.last() {
                None => first,
                Some(ahead) => {
                    let leaving = self.leaving(j);
                    (1.0 - leaving) * (ahead.service + self.blocking(j - 1) * ahead.wait)
                        + leaving * first
                }
            };
            ring.push(Server::new(rate * self.flow(j), service, base)?);
        }
        Some(ring)
    }

    /// The mean injection channel; `None` if a channel overflows.
    ///
    /// The channels of dimension d are numbered by the coordinates in dimensions 0 to d, the last one
    /// fastest, and the injection channels by all coordinates: a quotient by k drops the last coordinate.
    fn injection(&self, rate: f64, base: f64) -> Option<Server> {
        let (k, n) = (self.k(), self.dimensions);
        let mut all: Vec<Vec<Server>> = Vec::with_capacity(n);
        // Service of the `next` dimension's channel, with the wait for others than `of` its messages.
        let then = |all: &[Vec<Server>], router: usize, (next, across): (usize, usize), of: f64| {
            let channel = router / self.routers(across - 1);
            let Server { service, wait } = all[next][channel];
            service + (1.0 - of / self.flow(channel % self.radix)) * wait
        };
        for dimension in 0..n {
            let mut channels = Vec::with_capacity(self.routers(dimension + 1));
            for router in 0..self.routers(dimension) {
                let mut first = base / self.routers(dimension) as f64;
                for across in 1..=dimension {
                    let share = (k - 1.0) / self.routers(across) as f64;
                    let next = (dimension - across, across);
                    first += share * then(&all, router, next, self.turning(across) / 2.0);
                }
                channels.extend(self.ring(rate, base, first)?);
            }
            all.push(channels);
        }
        let mut mean = Server::default();
        for router in 0..self.routers(n) {
            let to = |next: usize| {
                let share = (k - 1.0) * self.share(next);
                share * then(&all, router, (next, n - next), share)
            };
            let injection = Server::new(rate, (0..n).map(to).sum(), base)?;
            mean.add_one_of(self.routers(n) as f64, injection);
        }
        Some(mean)
    }

    fn distance(&self) -> f64 {
        self.dimensions as f64 * self.link()
    }
}

impl Prepared for Rings {
    /// The mean latency of appendix A. The additional time due to links shared by classes is a
    /// separate term.
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        // Computed once from the length, without iterating over the service times.
        let stretch = 1.0 + rate * self.link() * self.length / 2.0;
        let base = stretch * self.length;
        let injection = self.injection(rate, base).ok_or(NoSolution::Saturated)?;
        let pipeline = self.distance() - 1.0;
        let mut terms =
            terms(injection.wait, injection.service - base, self.length + pipeline + 2.0);
        terms.push(sharing((stretch - 1.0) * (self.length + pipeline)));
        Ok(prediction(terms, self.distance(), 1))
    }

    /// An injection channel is busy for the message's length per message at least.
    fn overflow(&self) -> f64 {
        1.0 / self.length
    }

    /// `λ_net`, both classes.
    fn utilisation_mean(&self, rate: Rate) -> Option<f64> {
        Some(rate.0 * self.link() * self.length)
    }
}

#[cfg(test)]
mod tests;
