//! Mean latency of adaptive wormhole routing in a k × k torus, by the equations of F. Quaglia,
//! B. Ciciani and M. Colajanni, Parallel Computing 28 (2002) 485–501 ("the paper").
//!
//! The paper follows one *average message*, K = k/4 hops in each dimension, through the grid of
//! nodes of one quadrant, and makes every channel an M/G/1 queue of the flows that can really be in
//! the way. Six numbers are unknown, two probabilities that a channel is busy and four mean waits;
//! everything else is an explicit function of them.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | k | `radix` | routers per dimension, a multiple of 4 | – | – |
//! | K | `hops` | hops of the average message per dimension, k/4 | hops | – |
//! | L | `length` | message length | flits | – |
//! | r = 1/τE | `rate` | messages generated per node | 1/cycle | – |
//! | t = r/4 | `quadrant_rate` | messages that enter one quadrant | 1/cycle | – |
//! | α, β | `both_share`, `single_share` | shares that need both dimensions; one (each) | – | (1), (2) |
//! | fX, fY | `share_east`, `share_south` | share of the flow into a node that goes on east; south | – | (4), (5) |
//! | F^X, F^Y | `Flows::east`, `south` | flow through a channel | 1/cycle | (6)–(17) |
//! | T^X, T^Y | L + hops + `Ahead::east`, `south` | residual transmission time from a channel on | cycles | (32)–(42) |
//! | U | `Hold` | time for which a channel is held | cycles | (28)–(31) |
//! | `W_WE`, `W_NS` | `straight_east`, `straight_south` | mean wait to go straight on | cycles | (19)–(24), (26) |
//! | `W_NE`, `W_WS` | `turn_east`, `turn_south` | mean wait to turn into X; into Y | cycles | (25), (27) |
//! | pX, pY | `busy_x`, `busy_y` | probability that an X (Y) channel is busy | – | (43), (44) |
//! | Tlatency | `Prediction::latency_mean` | mean latency | cycles | (45), (46) |
//!
//! Directions follow the paper: the reference quadrant leads east (X) and south (Y), node (1, 1) is
//! the source and node (K+1, K+1) the destination.
//!
//! The printed equations hold slips. Their corrections, numbered C1 to C7, and two constants fitted
//! to the paper's own tables, C8 and C9, are noted where they bite; [`Reading`] says which of them
//! a reading makes. C1, the sum W + T where (35) and (39) print the product W·T, is made by all.
//! (The paper's text around (20) and (43) also misprints indices that change nothing: C10.)

mod ahead;
mod flows;
mod latency;
mod quadrant;
mod reading;
mod solve;
mod unknowns;
mod waits;

use super::assumptions::{self, broken, network_name};
use super::{Mismatch, Model, Prediction, Prepared, Unsolved};
use crate::routing::{Escape, Routing};
use crate::switching::Wormhole;
use crate::system::System;
use crate::topology::cube::Family;
use crate::units::Rate;
use quadrant::Quadrant;
pub use reading::Reading;
use solve::Solver;

/// What the model assumes of the network.
const NETWORK: &str =
    "a square two-way torus in two dimensions with a multiple of 4 routers on a side";

/// The model in one of its readings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AdaptiveTorus {
    /// How the paper's equations are read.
    pub reading: Reading,
}

impl AdaptiveTorus {
    /// The model in `reading`.
    pub const fn new(reading: Reading) -> Self {
        Self { reading }
    }

    /// Whether the model has equations for the network of `system`.
    pub fn covers(system: &System) -> bool {
        radix(system).is_some()
    }

    /// The equations for `system`, or why there are none.
    fn solver(self, system: &System) -> Result<Solver, Unsolved> {
        let radix = radix(system).ok_or_else(|| {
            Unsolved::NotCovered(format!("the model needs {NETWORK}, not {}", network_name(system)))
        })?;
        Ok(Solver::new(Quadrant::new(radix, system.traffic.lengths.mean()), self.reading))
    }
}

/// The number of routers on a side, k, where the network is one that the model covers.
fn radix(system: &System) -> Option<u32> {
    let cube = system.network.cube()?;
    match (cube.family(), cube.radix()) {
        (Family::Torus { unidirectional: false }, &[x, y]) if x == y && x % 4 == 0 => Some(x),
        _ => None,
    }
}

impl Prepared for Solver {
    fn predict(&self, rate: Rate) -> Result<Prediction, Unsolved> {
        self.clone().solved(rate)
    }

    fn saturation_rate(&self) -> Rate {
        self.clone().largest_rate()
    }

    fn utilisation_mean(&self, rate: Rate) -> Option<f64> {
        Some(self.link_utilisation(rate))
    }
}

impl Model for AdaptiveTorus {
    fn name(&self) -> &'static str {
        "adaptive torus (Quaglia, Ciciani, Colajanni 2002)"
    }

    fn reading(&self) -> &'static str {
        self.reading.name()
    }

    fn mismatches(&self, system: &System) -> Vec<Mismatch> {
        if let Some(circuits) = assumptions::worms(system) {
            return vec![circuits];
        }
        let mut mismatches = Vec::new();
        if !Self::covers(system) {
            mismatches.push(broken(NETWORK, network_name(system)));
        }
        match system.relation.routing() {
            Routing::MinimalAdaptive { escape: Escape::Destination | Escape::Dateline } => {}
            other => {
                mismatches.push(broken("minimal adaptive routing with an escape", other.name()));
            }
        }
        let differences = system.wormhole().map(Wormhole::differences).unwrap_or_default();
        if !differences.is_empty() {
            mismatches.push(broken("the machine of its paper", differences.join(", ")));
        }
        mismatches.extend(assumptions::uniform(system));
        mismatches.extend(assumptions::poisson(system));
        mismatches.extend(assumptions::one_length(system));
        mismatches
    }

    fn prepare(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        assumptions::machine(system)?;
        Ok(Box::new(self.solver(system)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::NodeId;
    use crate::model::models_for;
    use crate::routing::Classes;
    use crate::switching::Release;
    use crate::topology::cube::Cube;
    use crate::traffic::{Destinations, Lengths, Process, Traffic};
    use std::sync::Arc;

    const ADAPTIVE: Routing = Routing::MinimalAdaptive { escape: Escape::Destination };

    fn system(family: Family, radix: &[u32], routing: Routing) -> System {
        let traffic = Traffic {
            process: Process::Poisson,
            rate: Rate(0.001),
            destinations: Destinations::Uniform,
            lengths: Lengths::Fixed(12),
        };
        let switching = Wormhole::new(4, 2);
        System::new(Arc::new(Cube::network(family, radix)), routing, switching, traffic)
    }

    const TORUS: Family = Family::Torus { unidirectional: false };

    #[test]
    fn another_machine_is_a_mismatch() {
        let mut system = system(TORUS, &[8, 8], ADAPTIVE);
        assert_eq!(AdaptiveTorus::default().mismatches(&system), []);
        system.switching =
            Wormhole { credit_delay: 0, release: Release::Sent, ..Wormhole::new(4, 2) }.into();
        let found = AdaptiveTorus::default().mismatches(&system);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].found, "credit_delay: 0, release: Sent");
    }

    #[test]
    fn the_readings_are_offered_calibrated_first() {
        let readings: Vec<&str> = models_for(&system(TORUS, &[8, 8], ADAPTIVE))
            .iter()
            .filter(|model| model.name().starts_with("adaptive torus"))
            .map(|model| model.reading())
            .collect();
        assert_eq!(readings, ["calibrated", "corrected", "printed", "exponential-hold"]);
        assert_eq!(Reading::default(), Reading::Calibrated);
    }

    #[test]
    fn other_networks_are_not_covered_and_say_so() {
        let cases: [(Family, &[u32], &str); 6] = [
            (TORUS, &[6, 6], "6x6 torus"),
            (TORUS, &[8, 4], "8x4 torus"),
            (TORUS, &[4, 4, 4], "4x4x4 torus"),
            (TORUS, &[8], "8 torus"),
            (Family::Mesh, &[8, 8], "8x8 mesh"),
            (Family::Torus { unidirectional: true }, &[8, 8], "8x8 one-way torus"),
        ];
        for (family, radix, name) in cases {
            let system = system(family, radix, ADAPTIVE);
            let model = AdaptiveTorus::new(Reading::Calibrated);
            match model.predict(&system, Rate(0.001)) {
                Err(Unsolved::NotCovered(why)) => assert!(why.ends_with(name), "{why}"),
                other => panic!("{name}: {other:?}"),
            }
            assert_eq!(model.saturation_rate(&system), None);
            assert_eq!(model.mismatches(&system)[0].found, name);
            assert!(models_for(&system).iter().all(|other| other.name() != model.name()));
        }
    }

    #[test]
    fn broken_assumptions_are_told_and_leave_the_prediction_alone() {
        let model = AdaptiveTorus::new(Reading::Calibrated);
        let fitting = system(TORUS, &[8, 8], ADAPTIVE);
        assert_eq!(model.mismatches(&fitting), []);
        let dateline = Routing::MinimalAdaptive { escape: Escape::Dateline };
        assert_eq!(model.mismatches(&system(TORUS, &[8, 8], dateline)), []);
        let free = Routing::MinimalAdaptive { escape: Escape::None };
        assert_eq!(model.mismatches(&system(TORUS, &[8, 8], free)).len(), 1);

        let order = Routing::DimensionOrder { classes: Classes::Destination };
        let mut broken = system(TORUS, &[8, 8], order);
        broken.traffic.destinations =
            Destinations::Hotspot { nodes: vec![NodeId(3), NodeId(9)], percent: 4.0 };
        broken.traffic.process = Process::Geometric;
        broken.traffic.lengths = Lengths::Geometric(12.0);
        let found: Vec<String> = model.mismatches(&broken).into_iter().map(|m| m.found).collect();
        assert_eq!(
            found,
            [
                "e-cube, destination classes",
                "4 % of the messages go to 2 hot nodes",
                "at most 1 message per node and cycle (geometric gaps)",
                "geometric lengths with a mean of 12 flits",
            ]
        );
        assert_eq!(
            model.predict(&broken, Rate(0.005)),
            model.predict(&fitting, Rate(0.005)),
            "only radix, rate and mean length count"
        );
    }
}
