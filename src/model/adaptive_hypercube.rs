//! Predicts the mean latency of adaptive wormhole routing in a hypercube, after F. Quaglia, B. Ciciani and M.
//! Colajanni, Parallel Computing 28 (2002) 485–501 ("the paper").
//!
//! The paper's conclusion announces the extension of its model to hypercubes and gives no equations. These
//! are ours, with the paper's ingredients: channels as M/G/1 queues of the conflicting flows, a wait
//! where all channels ahead are busy, and the holding times and constants (C8, C9) of the calibrated reading
//! of [`super::adaptive_torus`]. All channels are equivalent, so that one probability and one wait take the place of
//! the six unknowns, and messages have their real numbers of hops instead of an average one.
//!
//! | Symbol | Code | Meaning | Unit |
//! |---|---|---|---|
//! | d | `dimensions` | dimensions | – |
//! | L | `length` | message length | flits |
//! | A(h) | `Cube::with_hops` | share of the messages with h hops | – |
//! | p | `busy` | probability that a channel is busy: flow times holding time, (43) | – |
//! | W | `wait` | mean wait for a channel; each of several busy ones is as good, (26) | cycles |
//! | a(h) | `Swept::ahead` | remaining wait with h hops left: a(h − 1) + pʰ·W, and W with one hop, (33)–(39) | cycles |
//! | V | `Swept::source` | wait at the source, for a channel with all its flow, (46) | cycles |
//!
//! A header that arrives over one channel never conflicts with others from there: the transit flow of one
//! of the d − 1 other dimensions is left out of W.

use super::adaptive_torus::adaptive;
use super::assumptions;
use super::circuit::Shape;
use super::fixed_point::{NoSolution, Search};
use super::queue::mean_wait;
use super::square::{Conflicts, Hold};
use super::{Mismatch, Model, Prediction, Prepared, Unsolved, prediction, terms};
use crate::system::System;
use crate::units::Rate;

const SEARCH: Search = Search { step: 0.5, tolerance: 1e-9, relative: false, rounds_max: 100_000 };
/// Factor on the waits of Pollaczek and Khinchine (C9).
const GAIN: f64 = 2.0;

/// The model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AdaptiveHypercube;

impl Model for AdaptiveHypercube {
    fn title(&self) -> [&'static str; 2] {
        ["adaptive hypercube (after Quaglia, Ciciani, Colajanni 2002)", "calibrated"]
    }

    fn covers(&self, system: &System) -> bool {
        system.network.is_hypercube() && system.network.nodes() > 2
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        adaptive(system, assumptions::uniform(system))
    }

    /// Error with 64 nodes: the model saturates at a third of the simulated load.
    fn usual_error(&self, _system: &System) -> f64 {
        0.9
    }

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        if !self.covers(system) {
            let found = system.network.name();
            return Err(Unsolved::NotCovered(format!("the model needs a hypercube, not {found}")));
        }
        let dimensions = system.network.radix().len() as u32;
        let shape = Shape::Cube { dimensions, full_duplex: true };
        Ok(Box::new(Cube {
            length: system.traffic.lengths.mean(),
            hops_mean: shape.mean_links(),
            with_hops: shape.uniform_routes(),
        }))
    }
}

#[derive(Clone, Debug)]
struct Cube {
    length: f64,
    hops_mean: f64,
    /// A(h) at h − 1.
    with_hops: Vec<f64>,
}

/// Waits at a fixed point.
#[derive(Clone, PartialEq, Debug)]
struct Swept {
    /// a(h) at h.
    ahead: Vec<f64>,
    source: f64,
}

impl Cube {
    /// The share of headers with `left` hops ahead that wait: all channels ahead are busy, or only one is left.
    fn waiting(busy: f64, left: usize) -> f64 {
        if left > 1 { busy.powf(left as f64) } else { 1.0 }
    }

    /// New values of p and W, and the waits they were computed from; `None` if a channel overflows.
    fn renewed(&self, [busy, wait]: [f64; 2], rate: f64) -> Option<([f64; 2], Swept)> {
        let dimensions = self.with_hops.len();
        let hold = Hold { fixed: self.length + 1.0, exponential: false };
        let mut ahead = vec![0.0];
        for left in 1..dimensions {
            ahead.push(ahead[left - 1] + Self::waiting(busy, left) * wait);
        }
        // Per channel: as many as routers in each dimension.
        let of_node = rate / dimensions as f64;
        let transit = (dimensions as f64 - 2.0) / (dimensions as f64 - 1.0);
        let (mut all, mut others) = (Conflicts::default(), Conflicts::default());
        let mut longer = 0.0;
        // Messages with `left` hops after this channel: fresh ones, and those with more hops.
        for (left, &fresh) in self.with_hops.iter().enumerate().rev() {
            all.add(hold, of_node * (fresh + longer), ahead[left]);
            others.add(hold, of_node * (fresh + transit * longer), ahead[left]);
            longer += fresh;
        }
        let source = mean_wait(all.load, GAIN * all.moment)?;
        let wait = mean_wait(others.load, GAIN * others.moment)?;
        Some(([all.load, wait], Swept { ahead, source }))
    }
}

impl Prepared for Cube {
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let renewed = |unknowns: [f64; 2]| {
            let (renewed, swept) = self.renewed(unknowns, rate).ok_or(NoSolution::Saturated)?;
            Ok((renewed, (renewed, swept)))
        };
        let (([busy, _], Swept { ahead, source }), rounds) = SEARCH.solve([0.0; 2], renewed)?;
        let mean = |of: &dyn Fn(usize) -> f64| {
            let each = self.with_hops.iter().enumerate();
            each.map(|(left, share)| share * of(left)).sum::<f64>()
        };
        let waiting = mean(&|left| Self::waiting(busy, left + 1) * source);
        let blocked = mean(&|left| ahead[left]);
        let transfer = self.length - 1.0 + self.hops_mean;
        Ok(prediction(terms(waiting, blocked, transfer), self.hops_mean, rounds))
    }

    /// Every channel is held for the message's length at least.
    fn overflow(&self) -> f64 {
        self.with_hops.len() as f64 / (self.hops_mean * self.length)
    }

    fn rate_tolerance(&self) -> f64 {
        1e-4
    }

    fn utilisation_mean(&self, Rate(rate): Rate) -> Option<f64> {
        Some(rate * self.hops_mean * self.length / self.with_hops.len() as f64)
    }
}

#[cfg(test)]
mod tests;
