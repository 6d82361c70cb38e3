//! The fixed point of the six unknowns, and the rate from which there is none.

use super::ahead::{Ahead, Preference};
use super::flows::Flows;
use super::latency;
use super::quadrant::Quadrant;
use super::reading::{Reading, Switches};
use super::unknowns::Unknowns;
use super::waits::Channels;
use crate::model::{Prediction, Unsolved, prediction};
use crate::units::Rate;

/// The iteration has settled when no unknown (cycles, or a probability) is renewed by more.
const TOLERANCE: f64 = 1e-9;
/// Rounds after which an iteration that has neither settled nor saturated is given up. Only next to
/// the saturation rate does it take more than a few hundred.
const ROUNDS_MAX: u32 = 100_000;
/// Changes of the preferred way after which the iteration is known to chase its own switch.
const TURNS_MAX: u32 = 64;
/// Halvings of the share that goes south, where the iteration chases its own switch.
const HALVINGS_MAX: u32 = 50;
/// Relative width at which the search for the saturation rate stops.
const RATE_TOLERANCE: f64 = 1e-5;

/// How an iteration ended.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Outcome {
    /// At a fixed point.
    Settled(Unknowns),
    /// A load or a probability reached 1.
    Saturated,
    /// Neither, and the last round still changed an unknown by this much.
    Unsettled(f64),
}

/// The equations of one quadrant in one reading, with room for their tables.
#[derive(Clone, Debug)]
pub(super) struct Solver {
    quadrant: Quadrant,
    switches: Switches,
    flows: Flows,
    ahead: Ahead,
    /// t = r/4 in messages per cycle.
    quadrant_rate: f64,
    /// Rounds made since the rate was set.
    rounds: u32,
}

impl Solver {
    /// The equations for `quadrant`, read as `reading`.
    pub fn new(quadrant: Quadrant, reading: Reading) -> Self {
        Self {
            quadrant,
            switches: reading.switches(),
            flows: Flows::new(quadrant.hops),
            ahead: Ahead::new(quadrant.hops),
            quadrant_rate: 0.0,
            rounds: 0,
        }
    }

    /// The prediction at `rate`.
    pub fn solved(&mut self, rate: Rate) -> Result<Prediction, Unsolved> {
        let (unknowns, preference) = self.solve(rate)?;
        self.sweep(&unknowns, preference);
        let terms = latency::parts(&self.quadrant, &self.switches, &unknowns, &self.ahead);
        Ok(prediction(terms, self.quadrant.hops_mean(), self.rounds))
    }

    /// Flits that cross a link per cycle at `rate`: under the model's symmetric traffic all links
    /// carry the same.
    pub fn link_utilisation(&self, rate: Rate) -> f64 {
        self.quadrant.utilisation(rate.0)
    }

    /// The largest rate with a solution, by bisection. A rate at which the iteration does not settle
    /// is not one at which it saturates.
    pub fn largest_rate(&mut self) -> Rate {
        // Without any waiting pX + pY = r·L·K·(α+β). Where that is 2, one of them is at least 1.
        let Quadrant { hops, length, both_share, single_share } = self.quadrant;
        let mut saturated = 2.0 / (length * hops as f64 * (both_share + single_share));
        let mut solved = 0.0;
        while saturated - solved > RATE_TOLERANCE * saturated {
            let rate = f64::midpoint(solved, saturated);
            if let Err(Unsolved::Saturated { .. }) = self.solve(Rate(rate)) {
                saturated = rate;
            } else {
                solved = rate;
            }
        }
        Rate(solved)
    }

    /// The fixed point at `rate` and the preference at which it is one.
    fn solve(&mut self, rate: Rate) -> Result<(Unknowns, Preference), Unsolved> {
        self.quadrant_rate = rate.0 / 4.0;
        self.rounds = 0;
        let preference = Preference::SmallerWait;
        match self.settle(Unknowns::default(), preference) {
            Outcome::Settled(unknowns) => Ok((unknowns, preference)),
            Outcome::Saturated => Err(Unsolved::Saturated { rate }),
            Outcome::Unsettled(residual) => self.share(rate, residual),
        }
    }

    /// The fixed point where the iteration chases its own switch: whichever way a message on X
    /// prefers, the other becomes the one with the smaller wait. Then both waits are equal, and the
    /// share that goes south is the one at which they are. `residual` is what is reported if that
    /// does not help either.
    fn share(&mut self, rate: Rate, residual: f64) -> Result<(Unknowns, Preference), Unsolved> {
        let (mut east, mut south) = (0.0, 1.0);
        let all_south = self.settle(Unknowns::default(), Preference::South(south));
        if let Outcome::Settled(unknowns) = all_south
            && unknowns.turns_south()
        {
            return Ok((unknowns, Preference::South(south)));
        }
        let mut start = match self.settle(Unknowns::default(), Preference::South(east)) {
            Outcome::Settled(unknowns) if !unknowns.turns_south() => {
                return Ok((unknowns, Preference::South(east)));
            }
            Outcome::Settled(unknowns) => unknowns,
            Outcome::Saturated => return Err(Unsolved::Saturated { rate }),
            Outcome::Unsettled(residual) => return Err(self.unsettled(residual)),
        };
        // Too much going south makes its wait the longer one, or saturates.
        let mut saturates = all_south == Outcome::Saturated;
        for _ in 0..HALVINGS_MAX {
            let share = f64::midpoint(east, south);
            match self.settle(start, Preference::South(share)) {
                Outcome::Settled(unknowns) => {
                    start = unknowns;
                    if (unknowns.turn_south - unknowns.straight_east).abs() <= TOLERANCE {
                        return Ok((unknowns, Preference::South(share)));
                    }
                    if unknowns.turns_south() {
                        east = share;
                    } else {
                        south = share;
                        saturates = false;
                    }
                }
                Outcome::Saturated => {
                    south = share;
                    saturates = true;
                }
                Outcome::Unsettled(residual) => return Err(self.unsettled(residual)),
            }
        }
        Err(if saturates { Unsolved::Saturated { rate } } else { self.unsettled(residual) })
    }

    fn unsettled(&self, residual: f64) -> Unsolved {
        Unsolved::NotSettled { iterations: self.rounds, residual }
    }

    /// Iterates from `start`, every unknown replaced by the mean of its old and new value.
    fn settle(&mut self, start: Unknowns, preference: Preference) -> Outcome {
        let mut unknowns = start;
        let mut residual = f64::INFINITY;
        let mut turns = 0;
        for _ in 0..ROUNDS_MAX {
            self.rounds += 1;
            let Some(renewed) = self.round(&unknowns, preference) else {
                return Outcome::Saturated;
            };
            residual = renewed.distance(&unknowns);
            if residual <= TOLERANCE {
                return Outcome::Settled(renewed);
            }
            let next = unknowns.combine(&renewed, f64::midpoint);
            if preference == Preference::SmallerWait && next.turns_south() != unknowns.turns_south()
            {
                turns += 1;
                if turns > TURNS_MAX {
                    break;
                }
            }
            unknowns = next;
        }
        Outcome::Unsettled(residual)
    }

    /// The unknowns that follow from `unknowns`, or `None` where the network saturates.
    fn round(&mut self, unknowns: &Unknowns, preference: Preference) -> Option<Unknowns> {
        self.sweep(unknowns, preference);
        Channels {
            quadrant: &self.quadrant,
            switches: &self.switches,
            quadrant_rate: self.quadrant_rate,
            unknowns,
            flows: &self.flows,
            ahead: &self.ahead,
        }
        .renewed()
    }

    /// Flows and waiting ahead at `unknowns`.
    fn sweep(&mut self, unknowns: &Unknowns, preference: Preference) {
        self.ahead.sweep(unknowns, preference, self.switches.waits_crossed);
        self.flows.sweep(unknowns, self.quadrant.both_share * self.quadrant_rate);
    }
}
