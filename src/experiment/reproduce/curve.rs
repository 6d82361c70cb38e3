//! Figures of a study, and what can be read off a curve of latency over load: points by growing x.

use std::fmt;

use super::{PointId, Results};
use crate::experiment::plot::Plot;

/// How a figure is made of the results.
type Drawing = Box<dyn Fn(&Results) -> Plot + Send + Sync>;

/// A figure.
pub struct Figure {
    /// What its files are called: `figure-1`.
    pub name: String,
    drawing: Drawing,
}

impl Figure {
    /// A figure drawn by a function of the results.
    pub fn new(
        name: impl Into<String>,
        drawing: impl Fn(&Results) -> Plot + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), drawing: Box::new(drawing) }
    }

    /// The figure, as far as there are results.
    pub fn plot(&self, results: &Results) -> Plot {
        (self.drawing)(results)
    }
}

impl fmt::Debug for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Figure").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Where on the axis the latency first reaches `limit` cycles: between two points, along the
/// straight line of its logarithm. `None` if a point is missing or it is reached nowhere.
pub fn reaches(results: &Results, points: &[(f64, PointId)], limit: f64) -> Option<f64> {
    let latency = |&(x, point): &(f64, PointId)| Some((x, results.latency(point)?));
    let latencies: Vec<(f64, f64)> = points.iter().map(latency).collect::<Option<_>>()?;
    let above = latencies.iter().position(|&(_, latency)| latency >= limit)?;
    let (below, above) = (latencies.get(above.checked_sub(1)?)?, latencies[above]);
    let share = (limit / below.1).ln() / (above.1 / below.1).ln();
    Some(below.0 + share * (above.0 - below.0))
}

/// The latency at `x`, on the straight line between the points beside it. `None` outside, or if
/// one of them is missing.
pub fn latency_at(results: &Results, points: &[(f64, PointId)], x: f64) -> Option<f64> {
    let after = points.iter().position(|&(at, _)| at >= x)?;
    let (x_after, point) = points[after];
    let y_after = results.latency(point)?;
    if x_after <= x {
        return Some(y_after);
    }
    let (x_before, point) = *points.get(after.checked_sub(1)?)?;
    let y_before = results.latency(point)?;
    Some(y_before + (y_after - y_before) * (x - x_before) / (x_after - x_before))
}
