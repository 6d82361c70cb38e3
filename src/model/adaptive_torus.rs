//! Mean latency of adaptive wormhole routing in a two-way torus, by the equations of F. Quaglia, B.
//! Ciciani and M. Colajanni, Parallel Computing 28 (2002) 485–501 ("the paper").
//!
//! The paper follows one *average message*, K = k/4 hops in each dimension, through the grid of
//! nodes of one quadrant, and models every channel as an M/G/1 queue of the conflicting flows. The
//! six unknowns are two probabilities of a busy channel and four mean waits; everything else is an
//! explicit function of them.
//!
//! | Symbol | Code | Meaning | Unit | Equation |
//! |---|---|---|---|---|
//! | k | `sides` | routers per dimension | – | – |
//! | K | `hops` | hops of the average message per dimension, k/4 under uniform destinations | hops | – |
//! | L | `length` | message length | flits | – |
//! | r = 1/τE | `rate` | messages generated per node | 1/cycle | – |
//! | t = r/4 | `quadrant_rate` | messages that enter one quadrant | 1/cycle | – |
//! | α, β | `both_share`, `single_share` | shares that need both dimensions; one (each) | – | (1), (2) |
//! | fX, fY | `share_east`, `share_south` | share of the flow into a node that continues east; south | – | (4), (5) |
//! | F^X, F^Y | `flow_east`, `flow_south` | flow through a channel | 1/cycle | (6)–(17) |
//! | T^X, T^Y | L + hops + `ahead_east`, `ahead_south` | residual transmission time from a channel on | cycles | (32)–(42) |
//! | U | `Hold` | holding time of a channel | cycles | (28)–(31) |
//! | `W_WE`, `W_NS` | `straight_east`, `straight_south` | mean wait to continue straight | cycles | (19)–(24), (26) |
//! | `W_NE`, `W_WS` | `turn_east`, `turn_south` | mean wait to turn into X; into Y | cycles | (25), (27) |
//! | pX, pY | `busy_x`, `busy_y` | probability that an X (Y) channel is busy | – | (43), (44) |
//! | Tlatency | `Prediction::latency_mean` | mean latency | cycles | (45), (46) |
//!
//! Destinations are uniform, or depend on distance: "regular traffic", treated in the paper "by
//! simply modifying the average path length". For a fractional mean path length, average messages
//! with the adjacent whole numbers of hops share the channels.
//!
//! The paper's tori have k × k routers, with a multiple of 4 for k. Ours is the step to other sizes: K is
//! the mean distance along a ring in each dimension, and α and β are the shares of a rectangle.
//!
//! Directions follow the paper: the reference quadrant extends east (X) and south (Y), node (1, 1)
//! is the source and node (K+1, K+1) the destination.
//!
//! The printed equations contain errors. Their corrections, numbered C1 to C7, and two constants
//! fitted to the paper's own tables, C8 and C9, are noted at their use; [`Reading`] lists the
//! corrections of each reading. C1, the sum W + T for the product W·T printed in (35) and (39), is
//! common to all readings. (The paper's text around (20) and (43) also misprints indices without
//! consequence: C10.)

mod solve;
mod sweeps;
mod waits;

use super::assumptions::{self, required};
use super::square::{Networks, Quadrants};
use super::{Mismatch, Model, Prepared, Unsolved, effect};
use crate::routing::{Escape, LeaveEscape, Routing};
use crate::switching::Wormhole;
use crate::system::System;
use solve::Averages;
pub use sweeps::Reading;

/// The model in one of its readings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AdaptiveTorus(pub Reading);

impl Model for AdaptiveTorus {
    fn title(&self) -> [&'static str; 2] {
        ["adaptive torus (Quaglia, Ciciani, Colajanni 2002)", self.0.into()]
    }

    fn covers(&self, system: &System) -> bool {
        Networks::FLAT_TORI.sides(system).is_some()
    }

    fn concerns(&self, system: &System) -> bool {
        Networks::FLAT_TORI.is_kin(system)
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        adaptive(system, assumptions::by_distance(system))
    }

    /// Error of the calibrated reading, which saturates at half the capacity of 8x8 nodes. The
    /// error for larger networks is an estimate: at 16x16, the model saturates at a load of 0.09,
    /// and links at 0.5.
    fn usual_error(&self, system: &System) -> f64 {
        let sides = Networks::FLAT_TORI.sides(system).unwrap_or_default();
        if sides.iter().all(|&side| side <= 8) { 0.5 } else { 0.9 }
    }

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        let sides = Networks::FLAT_TORI.needed(system)?;
        Ok(Box::new(Averages::new(Quadrants::new(system, sides), self.0)))
    }
}

/// Assumptions about routing, machine and traffic, besides those about destinations.
pub(super) fn adaptive(system: &System, destinations: Option<Mismatch>) -> Vec<Option<Mismatch>> {
    let fits = matches!(
        system.relation.routing(),
        Routing::MinimalAdaptive {
            escape: Escape::Destination | Escape::Dateline,
            leave_escape: LeaveEscape(true),
        }
    );
    let differences = system.wormhole().map(Wormhole::differences).unwrap_or_default();
    let found = differences.join(", ");
    vec![
        assumptions::routing(system, fits, "minimal adaptive routing with an escape"),
        required(differences.is_empty(), "the machine of its paper", found, effect::MACHINE),
        assumptions::full_speed(system),
        destinations,
        assumptions::poisson(system),
        assumptions::one_length(system),
    ]
}

#[cfg(test)]
mod tests;
