//! Mean latency, aborts and saturation of circuit switching, after M. Colajanni, B. Ciciani and
//! S. Tucci, Performance Evaluation 34 (1998) 1–26 ("001").
//!
//! A message sets up a path link by link, sends its data over all of it, and releases it. What
//! happens where a link is busy tells three strategies apart: hold queues, drop gives back the path
//! and tries it again after a back-off, adaptive looks at other links first. Controllers serve one
//! look, connection or release after the other. Time is in mean transmission times, and rates are
//! messages per node and mean transmission time.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | λ | `rate` | messages generated per node | 1/time | – |
//! | M | [`Shape::mean_links`] | mean links of a way | links | – |
//! | c | `rate` / [`Shape::links_per_node`] | messages generated per link | 1/time | – |
//! | Λ | `Link::requests` | requests for one link, c·M | 1/time | – |
//! | W, ρ | `Controller` | wait and load of a controller | time; – | (A.1)–(A.9) |
//! | `T_verify`, `T_rel` | W + `D_verify`, W + `D_rel` | a look; a release | time | (A.4), (A.5) |
//! | `T_link_wait` | `Met::link_wait` | wait for a link | time | (4)–(8) |
//! | `P_conflict` | [`Solution::conflict`] | a look finds its link busy | – | (3), (10), (B.1) |
//! | U | [`Solution::utilisation`] | share of the time for which a link is held | – | (B.3) |
//! | `N_verify`, `N_rel`, `N_abort` | `Totals` | requests, links given back, aborts | 1/message | (17), (24)–(28) |
//! | `T_path_set_up` | [`Solution::set_up_time`] | generation to acknowledgement | time | (2), (9), (27) |
//! | κ | `excluded` | requests that come over the link a message holds | – | – |
//!
//! Two families of readings. **Text** is 001's equations with their slips corrected: the
//! acknowledgement is a fourth phase next to (B.2)'s three; (8b) has the density of the data time
//! where a distribution is printed, and (37) a quotient; sums stand on both sides of (24)–(26) and
//! (36)–(39), from i = 1; (11) counts the acknowledgement once; (23) starts at M − 2; new messages
//! are part of (30), whose products telescope to ∏(1 − Pʲ); aborted attempts load the controllers in
//! (A.7) and (A.9) too, and the sum below (A.9) weights each check with its probability.
//! **Refined** keeps the structure (flows balance, links and controllers are as busy as the flows
//! make them) and replaces the assumption that all requests meet a busy link alike, (d), by what
//! follows from where a message comes from: see `hold`, `drop` and `adaptive`.

mod adaptive;
mod attempts;
mod chain;
mod controller;
mod data;
mod drop;
mod hold;
mod joint;
mod linear;
mod parameters;
mod reading;
mod renewal;
mod streams;
mod torus;

use super::queue;
use attempts::Attempts;
pub use data::DataTime;
use hold::Hold;
pub use parameters::{Conflict, NoSolution, Parts, Shape, Solution, Times};
pub use reading::Reading;

/// Relative width at which the search for a saturation rate stops: a round may take milliseconds.
const RATE_TOLERANCE: f64 = 1e-9;

/// The equations for one system in one reading.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Equations {
    /// The network.
    pub shape: Shape,
    /// What happens where a link is busy.
    pub conflict: Conflict,
    /// Service times.
    pub times: Times,
    /// The law of the data time.
    pub data: DataTime,
    /// Which of 001's equations.
    pub reading: Reading,
}

impl Equations {
    /// Whether there are equations for `conflict` in a network of this shape: in tori only for hold.
    pub fn cover(shape: Shape, conflict: Conflict) -> bool {
        matches!(shape, Shape::Cube { .. }) || conflict == Conflict::Hold
    }

    /// The solution at `rate`, in messages per node and mean transmission time.
    pub fn solve(&self, rate: f64) -> Result<Solution, NoSolution> {
        let hold = Hold { shape: self.shape, times: self.times, data: self.data };
        let (dimensions, full_duplex) = match (self.shape, self.conflict) {
            (Shape::Cube { dimensions, full_duplex }, _) => (dimensions, full_duplex),
            // Tori have equations for hold only.
            (Shape::OneWayTorus { radix }, _) => {
                return match self.reading {
                    Reading::Refined => hold.refined_torus(radix, rate),
                    _ => hold.text(rate),
                };
            }
        };
        let attempts = |back_off| {
            let Self { times, data, .. } = *self;
            Attempts { dimensions, full_duplex, times, data, back_off }
        };
        match (self.conflict, self.reading.further()) {
            (Conflict::Hold, None) => hold.refined_cube(dimensions, rate),
            (Conflict::Hold, Some(_)) => hold.text(rate),
            (Conflict::Drop { back_off }, None) => attempts(back_off).drop_refined(rate),
            (Conflict::Drop { back_off }, Some(further)) => {
                attempts(back_off).drop_text(rate, further)
            }
            (Conflict::Adaptive { back_off }, None) => attempts(back_off).adaptive_refined(rate),
            (Conflict::Adaptive { back_off }, Some(_)) => attempts(back_off).adaptive_text(rate),
        }
    }

    /// The largest rate with a solution, in messages per node and mean transmission time, by
    /// bisection.
    pub fn saturation_rate(&self) -> f64 {
        // Data alone keep the links busy all the time.
        let full = self.shape.links_per_node() / (self.shape.mean_links() * self.data.mean());
        queue::saturation_within(full, RATE_TOLERANCE, |rate| self.solve(rate).is_ok()).0
    }
}
