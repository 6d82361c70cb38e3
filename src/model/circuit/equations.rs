//! The equations for one system in one reading: which are theirs, and where they end.

use super::attempts::Attempts;
use super::data::DataTime;
use super::hold::Hold;
use super::parameters::{NoSolution, Shape, Solution, Times};
use super::reading::Reading;
use crate::model::queue;
use crate::switching::circuit::Conflict;

/// Relative width at which the search for a saturation rate stops: a round may take milliseconds.
const RATE_TOLERANCE: f64 = 1e-6;

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
