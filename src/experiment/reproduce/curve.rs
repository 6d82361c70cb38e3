//! What can be read off a curve of latency over load: points by growing x.

use super::{PointId, Results};

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
