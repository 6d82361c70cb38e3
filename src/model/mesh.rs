//! Mean latency of dimension order in a k × k mesh, by the equations of R. Greenberg and L. Guan,
//! PDCS 1997, 501–506 ("003").
//!
//! Every channel is a queue whose service time is what lies ahead of it. Mirror images behave alike,
//! so k − 1 classes of x channels and k(k − 1) of y channels stand for all; each needs only classes
//! that messages use later, and one sweep from the ejection channels back solves them.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | k | `radix` | routers per dimension | – | – |
//! | s/f | `length` | message length | flits | – |
//! | `λ_node` | `rate` | messages generated per node | 1/cycle | (8) |
//! | λ⟨j⟩ | `Classes::flow` | messages through a channel of either dimension | 1/cycle | (9), (10) |
//! | ⟨c⟩ | `Class::X(c)` | x channels out of column c, towards column 0 | – | – |
//! | ⟨c, j⟩ | `Class::Y(c, j)` | y channels out of row j in column c, towards row 0 | – | – |
//! | ⟨inj, c, j⟩ | `Class::Injection(c, j)` | injection channel of the node there | – | – |
//! | ej | `Class::Ejection` | ejection channels: s/f cycles, no wait | – | (11) |
//! | R, P | `Branch` | share that goes on there; factor on the wait for it | – | (5), (6) |
//! | x, W | `Server` | service time; wait | cycles | (3), (4), (12)–(14) |
//! | D̄ | `distance` | mean channels of a route, injection and ejection too: 2k/3 + 2 | – | (2), (15) |
//!
//! Readings: y is routed first, then x ((13) turns from y to x only); which is which changes nothing
//! in a square mesh under uniform traffic. Terms of weight 0 are dropped: the printed sums refer to
//! channels with index 0, which do not exist. D̄ in (15) counts injection and ejection; the mean
//! distance 2k/3 of the text does not.

use super::fixed_point::NoSolution;
use super::queue::wait;
use super::square::Square;
use super::{Mismatch, Model, Prediction, Prepared, Unsolved, assumptions, prediction, terms};
use crate::ids::ChannelId;
use crate::system::System;
use crate::topology::cube::{Family, Sign};
use crate::topology::{Channel, Role};
use crate::units::Rate;

/// What the model assumes of the network.
const NETWORK: Square =
    Square { family: Family::Mesh, multiple: 1, name: "a square mesh in two dimensions" };

/// The model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mesh;

impl Model for Mesh {
    fn name(&self) -> &'static str {
        "mesh (Greenberg, Guan 1997)"
    }

    fn reading(&self) -> &'static str {
        "corrected"
    }

    fn covers(&self, system: &System) -> bool {
        NETWORK.radix(system).is_some()
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        vec![
            NETWORK.mismatch(system),
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

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        let radix = NETWORK.needed(system)?;
        let classes = Classes { radix, length: system.traffic.lengths.mean() };
        Ok(Box::new(Channels { classes, positions: positions(system, radix) }))
    }
}

/// A set of channels that behave alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    X(usize),
    Y(usize, usize),
    Injection(usize, usize),
    Ejection,
}

/// Where messages go from a channel.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Branch {
    to: Class,
    /// R: the share that goes there.
    share: f64,
    /// P: the part of the wait for it that messages from this channel suffer.
    blocking: f64,
}

/// A channel as a queue.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Server {
    /// x̄ in cycles.
    service: f64,
    /// W̄ in cycles.
    wait: f64,
}

/// The equations of a k × k mesh.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Classes {
    radix: usize,
    length: f64,
}

/// All channels at one rate.
#[derive(Clone, Debug)]
struct Servers {
    /// By column.
    x: Vec<Server>,
    /// By column and row.
    y: Vec<Vec<Server>>,
}

impl Classes {
    /// Eqs. (9), (10): messages per cycle through the channels out of column (or row) `position`,
    /// per message per cycle of a node.
    fn flow(&self, position: usize) -> f64 {
        let (k, j) = (self.radix as f64, position as f64);
        j * (k - j) * k / (k * k - 1.0)
    }

    /// The branches of (12)–(14), those of weight 0 left out.
    fn branches(&self, from: Class) -> impl Iterator<Item = Branch> + use<> {
        let k = self.radix;
        let kf = k as f64;
        let others = kf * kf - 1.0;
        let branch = |to, share, blocking| Branch { to, share, blocking };
        let branches = match from {
            // (12).
            Class::X(j) => {
                let jf = j as f64;
                [
                    Some(branch(Class::Ejection, 1.0 / jf, 0.0)),
                    Some(branch(Class::X(j - 1), (jf - 1.0) / jf, 1.0 / (kf - jf + 1.0))),
                    None,
                    None,
                ]
            }
            // (13).
            Class::Y(c, j) => {
                let (e, jf) = (k - 1 - c, j as f64);
                let turn = |to: usize| {
                    let to_f = to as f64;
                    let blocking = 1.0 - (kf - jf) / (kf * (kf - to_f));
                    Some(branch(Class::X(to), to_f / (jf * kf), blocking))
                };
                [
                    Some(branch(Class::Ejection, 1.0 / (jf * kf), 0.0)),
                    turn(c),
                    turn(e),
                    Some(branch(Class::Y(c, j - 1), (jf - 1.0) / jf, 1.0 / (kf - jf + 1.0))),
                ]
            }
            // (14).
            Class::Injection(c, j) => {
                let along_x = |to: usize| {
                    let blocking = 1.0 - 1.0 / (kf * (kf - to as f64));
                    Some(branch(Class::X(to), to as f64 / others, blocking))
                };
                let along_y = |to: usize| {
                    let blocking = 1.0 - 1.0 / (kf - to as f64);
                    Some(branch(Class::Y(c, to), to as f64 * kf / others, blocking))
                };
                [along_x(c), along_x(k - 1 - c), along_y(j), along_y(k - 1 - j)]
            }
            Class::Ejection => [None; 4],
        };
        branches.into_iter().flatten().filter(|branch| branch.share > 0.0)
    }

    /// Eqs. (3), (5): mean service time of a channel of class `from`.
    fn service(&self, from: Class, servers: &Servers) -> f64 {
        self.branches(from)
            .map(|Branch { to, share, blocking }| {
                let Server { service, wait } = match to {
                    Class::X(c) => servers.x[c],
                    Class::Y(c, j) => servers.y[c][j],
                    // (11).
                    Class::Ejection | Class::Injection(..) => {
                        Server { service: self.length, wait: 0.0 }
                    }
                };
                share * (service + blocking * wait)
            })
            .sum()
    }

    /// Eqs. (4), (12), (13), from the last channels of a route back; `None` where one overflows.
    fn servers(&self, rate: f64) -> Option<Servers> {
        let k = self.radix;
        let row = vec![Server::default(); k];
        let mut servers = Servers { x: row.clone(), y: vec![row; k] };
        for j in 1..k {
            let service = self.service(Class::X(j), &servers);
            let wait = wait(rate * self.flow(j), service, self.length)?;
            servers.x[j] = Server { service, wait };
        }
        for c in 0..k {
            for j in 1..k {
                let service = self.service(Class::Y(c, j), &servers);
                let wait = wait(rate * self.flow(j), service, self.length)?;
                servers.y[c][j] = Server { service, wait };
            }
        }
        Some(servers)
    }

    /// Eqs. (4), (14): service and wait of the mean injection channel; `None` where one overflows.
    fn injection(&self, rate: f64) -> Option<Server> {
        let servers = self.servers(rate)?;
        let nodes = (self.radix * self.radix) as f64;
        let mut mean = Server::default();
        for c in 0..self.radix {
            for j in 0..self.radix {
                let service = self.service(Class::Injection(c, j), &servers);
                mean.service += service / nodes;
                mean.wait += wait(rate, service, self.length)? / nodes;
            }
        }
        Some(mean)
    }

    /// D̄ in (15).
    fn distance(&self) -> f64 {
        2.0 * self.radix as f64 / 3.0 + 2.0
    }
}

/// For each channel its position in its dimension, counted as in (9): messages go from there to
/// position 0. `None` for channels of terminals, which a node's own messages pass.
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

/// The equations and the channels of one network.
#[derive(Clone, Debug)]
struct Channels {
    classes: Classes,
    positions: Vec<Option<usize>>,
}

impl Prepared for Channels {
    /// Eq. (15).
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let Classes { length, .. } = self.classes;
        let distance = self.classes.distance();
        let Server { service, wait } = self.classes.injection(rate).ok_or(NoSolution::Saturated)?;
        let terms = terms(wait, service - length, length + distance - 1.0);
        Ok(prediction(terms, distance - 2.0, 1))
    }

    /// An injection channel is busy for s/f cycles per message at least.
    fn overflow(&self) -> f64 {
        1.0 / self.classes.length
    }

    /// Eqs. (9), (10).
    fn utilisation(&self, rate: Rate) -> Option<Vec<f64>> {
        let flow = |position: &Option<usize>| position.map_or(1.0, |at| self.classes.flow(at));
        let flits = |position| rate.0 * flow(position) * self.classes.length;
        Some(self.positions.iter().map(flits).collect())
    }
}

#[cfg(test)]
mod tests;
