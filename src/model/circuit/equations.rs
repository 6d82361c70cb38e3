//! The equations for one system in one reading: which are theirs, and where they end.

use super::attempts::Attempts;
use super::data::DataTime;
use super::hold::Hold;
use super::parameters::{Shape, Solution, Times};
use super::reading::Reading;
use crate::model::fixed_point::{NoSolution, largest_rate};
use crate::switching::circuit::Conflict;

/// Relative width at which the search for a saturation rate stops: a round may take milliseconds.
pub(super) const RATE_TOLERANCE: f64 = 1e-6;

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
        let further = self.reading.further();
        let (dimensions, full_duplex) = match (self.shape, further) {
            (Shape::Cube { dimensions, full_duplex }, _) => (dimensions, full_duplex),
            // Tori have equations for hold only.
            (Shape::OneWayTorus { radix }, None) => return hold.refined_torus(radix, rate),
            (Shape::OneWayTorus { .. }, Some(_)) => return hold.text(rate),
        };
        let attempts = |back_off| {
            let Self { times, data, .. } = *self;
            Attempts { dimensions, full_duplex, times, data, back_off }
        };
        match (self.conflict, further) {
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

    /// A rate at which data alone keep the links busy all the time.
    pub(super) fn overflow(&self) -> f64 {
        self.shape.links_per_node() / (self.shape.mean_links() * self.data.mean())
    }

    /// The largest rate with a solution, in messages per node and mean transmission time, by
    /// bisection.
    pub fn saturation_rate(&self) -> f64 {
        largest_rate(self.overflow(), RATE_TOLERANCE, |rate| self.solve(rate).is_ok())
    }
}
