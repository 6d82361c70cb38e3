//! Figures of a study, and what can be read off a curve of latency over load.

use std::fmt;

use super::{PointId, Results};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};

/// How a figure is made of the results.
type Drawing = Box<dyn Fn(&Results) -> Plot + Send + Sync>;

/// A figure.
pub struct Figure {
    /// What its files are called: `figure-1`.
    pub name: &'static str,
    drawing: Drawing,
}

impl Figure {
    /// A figure drawn by a function of the results.
    pub fn new(
        name: &'static str,
        drawing: impl Fn(&Results) -> Plot + Send + Sync + 'static,
    ) -> Self {
        Self { name, drawing: Box::new(drawing) }
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

/// Points of a study along an axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Sweep {
    /// What it is, for the legend.
    pub label: String,
    /// Position on the axis, growing, and point.
    pub points: Vec<(f64, PointId)>,
}

impl Sweep {
    /// The latencies that there are, in cycles.
    pub fn latencies(&self, results: &Results) -> Vec<Dot> {
        self.points
            .iter()
            .filter_map(|&(x, point)| {
                let latency = results.latency(point)?;
                Some(Dot { x, y: latency.mean, half_width: latency.half_width })
            })
            .collect()
    }

    /// The latencies as a curve.
    pub fn curve(&self, results: &Results, group: usize) -> Curve {
        let dots = self.latencies(results);
        Curve { label: self.label.clone(), origin: Origin::Simulation, group, dots }
    }

    /// Where on the axis the latency first reaches `limit` cycles: between two points, along the
    /// straight line of its logarithm. `None` if a point is missing or it is reached nowhere.
    pub fn reaches(&self, results: &Results, limit: f64) -> Option<f64> {
        let dots = self.latencies(results);
        if dots.len() < self.points.len() {
            return None;
        }
        let above = dots.iter().position(|dot| dot.y >= limit)?;
        let (below, above) = (dots.get(above.checked_sub(1)?)?, dots[above]);
        let share = (limit / below.y).ln() / (above.y / below.y).ln();
        Some(below.x + share * (above.x - below.x))
    }

    /// The latency at `x`, on the straight line between the points beside it. `None` outside, or if
    /// one of them is missing.
    pub fn latency_at(&self, results: &Results, x: f64) -> Option<f64> {
        let after = self.points.iter().position(|&(at, _)| at >= x)?;
        let (x_after, point) = self.points[after];
        let y_after = results.latency(point)?.mean;
        if x_after <= x {
            return Some(y_after);
        }
        let (x_before, point) = *self.points.get(after.checked_sub(1)?)?;
        let y_before = results.latency(point)?.mean;
        Some(y_before + (y_after - y_before) * (x - x_before) / (x_after - x_before))
    }
}
