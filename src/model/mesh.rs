//! Mean latency of dimension-order routing in a k × k mesh, by the equations of R. Greenberg and L.
//! Guan, PDCS 1997, 501–506 ("003").
//!
//! Every channel is a queue with a service time determined by the channels ahead. Mirror images are
//! equivalent, so k − 1 classes of x channels and k(k − 1) of y channels represent all channels;
//! each depends only on classes used later by messages, and one sweep from the ejection channels
//! back solves the equations.
//!
//! | Symbol | Code | Meaning | Unit | Equation |
//! |---|---|---|---|---|
//! | k | `radix` | routers per dimension | – | – |
//! | s/f | `length` | message length | flits | – |
//! | `λ_node` | `rate` | messages generated per node | 1/cycle | (8) |
//! | λ⟨j⟩ | `Classes::flow` | messages through a channel of either dimension | 1/cycle | (9), (10) |
//! | ⟨c⟩ | `Class::X(c)` | x channels out of column c, towards column 0 | – | – |
//! | ⟨c, j⟩ | `Class::Y(c, j)` | y channels out of row j in column c, towards row 0 | – | – |
//! | ⟨inj, c, j⟩ | `Class::Injection(c, j)` | injection channel of the node there | – | – |
//! | ej | `Class::Ejection` | ejection channels: s/f cycles, no wait | – | (11) |
//! | R, P | `Branch` | share of messages on a branch; factor on its wait | – | (5), (6) |
//! | x, W | `Server` | service time; wait | cycles | (3), (4), (12)–(14) |
//! | D̄ | `distance` | mean channels of a route, injection and ejection too: 2k/3 + 2 | – | (2), (15) |
//!
//! Readings: y is routed first, then x ((13) turns from y to x only); the order does not matter in
//! a square mesh under uniform traffic. Terms of weight 0 are dropped: the printed sums refer to
//! nonexistent channels with index 0. D̄ in (15) counts injection and ejection; the mean distance
//! 2k/3 of the text does not.

use super::fixed_point::NoSolution;
use super::queue::Server;
use super::square::Networks;
use super::{Mismatch, Model, Prediction, Prepared, Unsolved, assumptions, prediction, terms};
use crate::ids::ChannelId;
use crate::system::System;
use crate::topology::cube::{Cube, Sign};
use crate::topology::{Channel, Role};
use crate::units::Rate;

const NETWORK: Networks = Networks {
    is_kin: Cube::is_mesh,
    is_flat: true,
    is_square: true,
    name: "a square mesh in two dimensions",
};

/// The model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mesh;

impl Model for Mesh {
    fn title(&self) -> [&'static str; 2] {
        ["mesh (Greenberg, Guan 1997)", "corrected"]
    }

    fn covers(&self, system: &System) -> bool {
        NETWORK.sides(system).is_some()
    }

    fn concerns(&self, system: &System) -> bool {
        NETWORK.is_kin(system)
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        vec![
            assumptions::dimension_order(system),
            assumptions::uniform(system),
            assumptions::poisson(system),
            assumptions::one_length(system),
            assumptions::long_messages(system),
            assumptions::virtual_channels(system, 1, "1 VC per channel"),
            assumptions::full_speed(system),
            assumptions::terminals(system, true),
        ]
    }

    fn usual_error(&self, _system: &System) -> f64 {
        0.1
    }

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        let sides = NETWORK.needed(system)?;
        let radix = sides[0] as usize;
        let (length, positions) = (system.traffic.lengths.mean(), positions(system, radix));
        Ok(Box::new(Classes { radix, length, positions }))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    X(usize),
    Y(usize, usize),
    Injection(usize, usize),
    Ejection,
}

/// A possible next channel of messages.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Branch {
    to: Class,
    /// R: the share of messages on this branch.
    share: f64,
    /// P: the share of the wait for the next channel that applies to messages from this channel.
    blocking: f64,
}

#[derive(Clone, Debug)]
struct Classes {
    radix: usize,
    length: f64,
    /// Positions of all channels of the network; `None` for terminals' channels.
    positions: Vec<Option<usize>>,
}

#[derive(Clone, Debug)]
struct Servers {
    x: Vec<Server>,
    y: Vec<Vec<Server>>,
}

impl Classes {
    /// Eqs. (9), (10): messages per cycle through the channels out of column (or row) `position`,
    /// per message per cycle of a node.
    fn flow(&self, position: usize) -> f64 {
        let (k, j) = (self.radix as f64, position as f64);
        j * (k - j) * k / (k * k - 1.0)
    }

    /// The branches of (12)–(14), without those of weight 0.
    fn branches(&self, from: Class) -> Vec<Branch> {
        let k = self.radix as f64;
        let branch = |to, share, blocking| Branch { to, share, blocking };
        // The branch from channel j of a dimension straight ahead.
        let on = |to, j: f64| branch(to, (j - 1.0) / j, 1.0 / (k - j + 1.0));
        let mut branches = match from {
            // (12).
            Class::X(j) => {
                let to_end = branch(Class::Ejection, 1.0 / j as f64, 0.0);
                vec![to_end, on(Class::X(j - 1), j as f64)]
            }
            // (13).
            Class::Y(c, row) => {
                let j = row as f64;
                let turn = |to: usize| {
                    let blocking = 1.0 - (k - j) / (k * (k - to as f64));
                    branch(Class::X(to), to as f64 / (j * k), blocking)
                };
                let to_end = branch(Class::Ejection, 1.0 / (j * k), 0.0);
                vec![to_end, turn(c), turn(self.radix - 1 - c), on(Class::Y(c, row - 1), j)]
            }
            // (14).
            Class::Injection(c, j) => {
                let others = k * k - 1.0;
                let along_x = |to: usize| {
                    let blocking = 1.0 - 1.0 / (k * (k - to as f64));
                    branch(Class::X(to), to as f64 / others, blocking)
                };
                let along_y = |to: usize| {
                    let blocking = 1.0 - 1.0 / (k - to as f64);
                    branch(Class::Y(c, to), to as f64 * k / others, blocking)
                };
                let across = |to| self.radix - 1 - to;
                vec![along_x(c), along_x(across(c)), along_y(j), along_y(across(j))]
            }
            Class::Ejection => Vec::new(),
        };
        branches.retain(|branch| branch.share > 0.0);
        branches
    }

    /// Eqs. (3)–(5): a channel of class `from` with `flow` messages per cycle; `None` if
    /// overloaded.
    fn server(&self, from: Class, flow: f64, servers: &Servers) -> Option<Server> {
        let ahead = |Branch { to, share, blocking }| {
            let Server { service, wait } = match to {
                Class::X(c) => servers.x[c],
                Class::Y(c, j) => servers.y[c][j],
                // (11).
                Class::Ejection | Class::Injection(..) => {
                    Server { service: self.length, wait: 0.0 }
                }
            };
            share * (service + blocking * wait)
        };
        Server::new(flow, self.branches(from).into_iter().map(ahead).sum(), self.length)
    }

    /// Eqs. (12)–(14), from the last channels of a route back to the mean injection channel.
    fn injection(&self, rate: f64) -> Option<Server> {
        let k = self.radix;
        let row = vec![Server::default(); k];
        let mut servers = Servers { x: row.clone(), y: vec![row; k] };
        for j in 1..k {
            servers.x[j] = self.server(Class::X(j), rate * self.flow(j), &servers)?;
        }
        let mut mean = Server::default();
        for c in 0..k {
            for j in 1..k {
                servers.y[c][j] = self.server(Class::Y(c, j), rate * self.flow(j), &servers)?;
            }
            for j in 0..k {
                let server = self.server(Class::Injection(c, j), rate, &servers)?;
                mean.add_one_of((k * k) as f64, server);
            }
        }
        Some(mean)
    }

    fn distance(&self) -> f64 {
        2.0 * self.radix as f64 / 3.0 + 2.0
    }
}

/// The position of each channel in its dimension, counted as in (9): messages move to position 0.
/// `None` for terminals' channels, used by a node's own messages.
fn positions(system: &System, radix: usize) -> Vec<Option<usize>> {
    let Some(cube) = system.network.cube() else { return Vec::new() };
    let position = |(at, channel): (usize, &Channel)| {
        (channel.role == Role::Link).then(|| {
            let (dimension, sign) = cube.direction(ChannelId::new(at));
            let from = usize::from(cube.coordinates(channel.from)[dimension]);
            if sign == Sign::Plus { radix - 1 - from } else { from }
        })
    };
    system.network.channels().iter().enumerate().map(position).collect()
}

impl Prepared for Classes {
    /// Eq. (15).
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let (length, distance) = (self.length, self.distance());
        let Server { service, wait } = self.injection(rate).ok_or(NoSolution::Saturated)?;
        let terms = terms(wait, service - length, length + distance - 1.0);
        Ok(prediction(terms, distance - 2.0, 1))
    }

    /// An injection channel is busy for s/f cycles per message at least.
    fn overflow(&self) -> f64 {
        1.0 / self.length
    }

    /// Eqs. (9), (10).
    fn utilisation(&self, rate: Rate) -> Option<Vec<f64>> {
        let flow = |position: &Option<usize>| position.map_or(1.0, |at| self.flow(at));
        let flits = |position| rate.0 * flow(position) * self.length;
        Some(self.positions.iter().map(flits).collect())
    }
}

#[cfg(test)]
mod tests;
