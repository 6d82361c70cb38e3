//! Mean latency, aborts and saturation of circuit switching, after M. Colajanni, B. Ciciani and S.
//! Tucci, Performance Evaluation 34 (1998) 1–26 ("001").
//!
//! A message sets up a path link by link, sends its data over the complete path, and releases the
//! path. Three strategies differ at a busy link: hold queues for the link, drop releases the path
//! and retries the same path after a back-off, adaptive checks other links first. Controllers serve
//! one check, connection or release after the other. Time is in mean transmission times, and rates
//! are messages per node and mean transmission time.
//!
//! | Symbol | Code | Meaning | Unit | Equation |
//! |---|---|---|---|---|
//! | λ | `rate` | messages generated per node | 1/time | – |
//! | M, A(h) | [`Routes`] | mean links of a route; probability of h links | links; – | (1) |
//! | c | `rate` / [`Shape::links_per_node`] | messages generated per link | 1/time | – |
//! | Λ | `Link::requests` | requests for one link, c·M | 1/time | – |
//! | W, ρ | `Controller` | wait and load of a controller | time; – | (A.1)–(A.9) |
//! | `T_verify`, `T_rel` | W + `D_verify`, W + `D_rel` | a check; a release | time | (A.4), (A.5) |
//! | `T_link_wait` | `Met::link_wait` | wait for a link | time | (4)–(8) |
//! | `P_conflict` | [`Solution::conflict`] | probability that a checked link is busy | – | (3), (10), (B.1) |
//! | U | [`Solution::utilisation`] | share of the time during which a link is held | – | (B.3) |
//! | `N_verify`, `N_rel`, `N_abort` | `Totals` | requests, released links, aborts | 1/message | (17), (24)–(28) |
//! | `T_path_set_up` | [`Solution::set_up_time`] | generation to acknowledgement | time | (2), (9), (27) |
//! | κ | `excluded` | requests over a link already held by the message | – | – |
//!
//! Two families of readings. **Text** is 001's equations with corrections: the acknowledgement is a
//! fourth phase next to (B.2)'s three; (8b) has the density of the data time for the printed
//! distribution, and (37) a quotient; the sums of (24)–(26) and (36)–(39), from i = 1, are on both
//! sides; (11) counts the acknowledgement once; (23) starts at M − 2; new messages are part of
//! (30), with products that telescope to ∏(1 − Pʲ); aborted attempts load the controllers in (A.7)
//! and (A.9) too, and the sum below (A.9) weights each check with its probability. **Refined**
//! keeps the structure (balanced flows, with links and controllers busy as implied by the flows)
//! and replaces assumption (d), equal conflict probabilities for all requests, by probabilities
//! that depend on a message's previous links: see `hold`, `drop` and `adaptive`.
//!
//! **Networks** are hypercubes and, under hold, one-way tori, in which all links are alike, or any
//! network by the mean number of links of a route, as 001 suggests for indirect networks: see
//! `followed`, also for our additions.
//!
//! **Destinations** are uniform, or depend on distance; 001 evaluates M "for different message
//! routing distributions, such as uniform, sphere of locality, and decreasing probability".

mod adaptive;
mod attempts;
mod drop;
mod followed;
mod hold;
mod parameters;
mod renewal;
mod routes;
mod shape;
mod stages;
mod torus;

use super::assumptions::{self, required};
pub use super::fixed_point::NoSolution;
use super::fixed_point::largest_rate;
use super::{Circuits, Mismatch, Model, Prediction, Prepared, Term, Unsolved, effect, prediction};
use crate::ids::{ChannelId, NodeId};
use crate::switching::Circuit;
use crate::switching::circuit::{Conflict, Duplex, Remedy};
use crate::system::System;
use crate::text::count;
use crate::traffic::destinations::DestinationDraw;
use crate::units::{CYCLES_PER_TIME, Rate};
pub use parameters::{DataTime, Equations, Reading, Solution};
use routes::Links;
pub use routes::Routes;
pub use shape::Shape;

/// Maximum number of nodes of a network with routes followed one by one.
const NODES_MAX: usize = 1024;

/// Minimum back-off as a share of the mean data time: shorter back-offs require too fine a grid for
/// drop's refined reading.
const BACK_OFF_MIN: f64 = 0.01;

/// Relative width at which the search for a saturation rate stops: a round may take milliseconds.
const RATE_TOLERANCE: f64 = 1e-6;

/// The model in one of its readings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CircuitSwitching(pub Reading);

/// The machine, if the model has equations for it in the network.
fn covered(system: &System) -> Option<&Circuit> {
    let machine = system.circuit()?;
    (symmetric(system).is_some() || system.network.nodes() <= NODES_MAX).then_some(machine)
}

/// The shape of the network, if it is one of 001's own.
fn symmetric(system: &System) -> Option<Shape> {
    let (machine, cube) = (system.circuit()?, system.network.cube()?);
    let shape = match *cube.radix() {
        _ if cube.is_hypercube() => Shape::Cube {
            dimensions: cube.dimensions() as u32,
            full_duplex: machine.duplex == Duplex::Full,
        },
        [x, y] if cube.is_one_way() && x == y && x > 2 => Shape::OneWayTorus { radix: x },
        _ => return None,
    };
    Equations::cover(shape, machine.conflict).then_some(shape)
}

impl Model for CircuitSwitching {
    fn title(&self) -> [&'static str; 2] {
        ["circuit switching (Colajanni, Ciciani, Tucci 1998)", self.0.into()]
    }

    /// True if the model has equations, for readings that differ.
    fn covers(&self, system: &System) -> bool {
        covered(system).is_some_and(|machine| Reading::all(machine.conflict).contains(&self.0))
    }

    fn concerns(&self, system: &System) -> bool {
        system.circuit().is_some()
    }

    fn worms(&self) -> bool {
        false
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        let Some(machine) = covered(system) else {
            return Vec::new();
        };
        let adaptive = matches!(machine.conflict, Conflict::Adaptive { .. });
        let lanes = machine.on_deadlock == Remedy::Lanes;
        // Other routes are followed one by one.
        let is_symmetric = symmetric(system).is_some();
        vec![
            // Adaptive circuits choose their own links.
            assumptions::dimension_order(system).filter(|_| !adaptive && is_symmetric),
            required(
                system.failed().is_empty(),
                "links that work",
                count(system.failed().len(), "failed channel", "failed channels"),
                effect::OTHER_NETWORK,
            ),
            required(
                !lanes,
                "links that carry one circuit",
                "two lanes per link",
                effect::VIRTUAL_CHANNELS,
            ),
            assumptions::by_distance(system).filter(|_| is_symmetric),
            assumptions::poisson(system),
        ]
    }

    fn usual_error(&self, system: &System) -> f64 {
        if symmetric(system).is_some() { 0.05 } else { 0.1 }
    }

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        let machine = covered(system).ok_or_else(|| {
            let found = match system.circuit() {
                Some(_) => format!("the {} nodes of {}", system.network.nodes(), system.network.name()),
                None => "messages that travel as worms".to_owned(),
            };
            Unsolved::NotCovered(format!(
                "the model needs circuits in a hypercube, or in a network of at most {NODES_MAX} nodes, \
                 not {found}"
            ))
        })?;
        let data = match system.traffic.lengths.times() {
            DataTime::Uniform { min, max } if min >= max => DataTime::Fixed(min),
            law
            @ (DataTime::Fixed(_) | DataTime::Exponential { .. } | DataTime::Uniform { .. }) => law,
        };
        if let (Conflict::Drop { back_off }, Reading::Refined) = (machine.conflict, self.0)
            && back_off < BACK_OFF_MIN * data.mean()
        {
            return Err(Unsolved::NotCovered(format!(
                "a back-off of {back_off} is below a hundredth of the mean data time, too short for \
                 the refined reading"
            )));
        }
        let Some(shape) = symmetric(system) else {
            let (shape, routes) = Routes::through(system)?;
            let (directions, links) = followed::links_of_channels(system);
            let equations = Equations { shape, routes, machine: *machine, data, reading: self.0 };
            return Ok(Box::new(Circuitry { equations, directions, links }));
        };
        let directions = system.network.cube().map_or_else(Vec::new, |cube| {
            let channels = 0..system.network.channels().len() as u32;
            channels.map(|channel| cube.direction(ChannelId(channel)).0).collect()
        });
        let destinations = &system.traffic.destinations;
        let routes = if destinations.depend_on_distance() {
            // All nodes are equivalent.
            let draw = DestinationDraw::new(destinations, &system.network);
            Routes::by_distance(shape, &draw.probabilities(NodeId(0)))
        } else {
            Routes::uniform(shape)
        };
        let equations = Equations { shape, routes, machine: *machine, data, reading: self.0 };
        Ok(Box::new(Circuitry { equations, directions, links: usize::MAX }))
    }
}

impl Equations {
    /// True if there are equations for `conflict` in a network of this shape: in tori only for
    /// hold.
    pub fn cover(shape: Shape, conflict: Conflict) -> bool {
        match shape {
            Shape::Cube { .. } | Shape::Network { .. } => true,
            Shape::OneWayTorus { .. } => conflict == Conflict::Hold,
        }
    }

    /// The solution at `rate`, in messages per node and mean transmission time.
    pub fn solve(&self, rate: f64) -> Result<Solution, NoSolution> {
        let refined = self.reading == Reading::Refined;
        match (&self.routes.links, self.machine.conflict) {
            (Links::Cube(_) | Links::Stages(_), Conflict::Drop { .. }) if refined => {
                self.drop_refined(rate)
            }
            (Links::Cube(_) | Links::Stages(_), Conflict::Drop { .. }) => self.drop_text(rate),
            (Links::Stages(stages), Conflict::Adaptive { .. }) => {
                self.adaptive_stages(stages, rate, refined)
            }
            (Links::Stages(stages), Conflict::Hold) if refined => {
                self.hold_refined(rate, |controller| self.links_of_stages(stages, rate, controller))
            }
            (Links::Cube(_), Conflict::Adaptive { .. }) if refined => self.adaptive_refined(rate),
            (Links::Cube(_), Conflict::Adaptive { .. }) => self.adaptive_text(rate),
            (Links::Cube(crossings), Conflict::Hold) if refined => self
                .hold_refined(rate, |controller| self.links_of_cube(crossings, rate, controller)),
            (Links::Torus(rings), _) if refined => self.hold_refined_torus(rings, rate),
            (Links::Cube(_) | Links::Torus(_) | Links::Stages(_), _) => self.hold_text(rate),
        }
    }

    /// The largest rate with a solution, in messages per node and mean transmission time, by
    /// bisection.
    pub fn saturation_rate(&self) -> f64 {
        largest_rate(self.overflow(), RATE_TOLERANCE, |rate| self.solve(rate).is_ok())
    }
}

/// The equations for one system, in the units of a simulation.
#[derive(Clone, Debug)]
struct Circuitry {
    equations: Equations,
    /// The dimension of each channel, or its link.
    directions: Vec<usize>,
    /// The number of links between routers, where utilisation is by link.
    links: usize,
}

/// Converts a time to cycles, the resolution of measurements in simulations of circuits.
fn cycles(time: f64) -> f64 {
    time * CYCLES_PER_TIME as f64
}

impl Prepared for Circuitry {
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let solution = self.equations.solve(rate)?;
        let between = &solution.utilisation[..self.links.min(solution.utilisation.len())];
        let links = self.equations.mean_links();
        let circuits = Circuits {
            set_up_cycles: cycles(solution.set_up_time),
            aborts: solution.aborts,
            conflict: solution.conflict,
            link_utilisation: between.iter().sum::<f64>() / between.len() as f64,
            controller_utilisation: solution.controller_load,
            controller_wait_cycles: cycles(solution.controller_wait),
        };
        let in_cycles = |term: Term| Term { cycles: cycles(term.cycles), ..term };
        let terms = solution.terms.into_iter().map(in_cycles).collect();
        let prediction = prediction(terms, links, solution.iterations);
        Ok(Prediction { circuits: Some(circuits), ..prediction })
    }

    fn overflow(&self) -> f64 {
        self.equations.overflow()
    }

    fn rate_tolerance(&self) -> f64 {
        RATE_TOLERANCE
    }

    fn is_below_saturation(&self, rate: f64) -> bool {
        self.equations.solve(rate).is_ok()
    }

    fn utilisation(&self, rate: Rate) -> Option<Vec<f64>> {
        let held = self.equations.solve(rate.0).ok()?.utilisation;
        let of = |&dimension: &usize| held[dimension.min(held.len() - 1)];
        Some(self.directions.iter().map(of).collect())
    }
}

#[cfg(test)]
mod tests;
