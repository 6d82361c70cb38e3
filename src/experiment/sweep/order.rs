//! Estimates the run times of a study's points, and orders the points by them.
//!
//! The longest point is first, so that threads and tasks finish together.

use super::folder::Found;
use super::{Part, Study};

/// A point, with the wall time if finished.
#[derive(Clone, Copy)]
struct TimedPoint {
    curve: usize,
    load: f64,
    /// Flits per cycle of the whole network.
    flits: f64,
    /// Wall time in seconds.
    seconds: Option<f64>,
}

/// The estimated wall time of each point, in seconds: the time of the finished point with the
/// nearest load on the same curve, scaled by load; without such a point, scaled from all finished
/// points. Before any point is finished, the flits per cycle.
pub fn expected_seconds(study: &Study, found: &[Found]) -> Vec<f64> {
    let points = study.points.iter().zip(found);
    let known: Vec<TimedPoint> = points
        .map(|(point, found)| {
            let system = &point.task.job.scenario.system;
            let load = system.load().0;
            let flits = load * system.network.nodes() as f64;
            let seconds = found.row().and_then(|row| row.number("wall_seconds"));
            TimedPoint { curve: point.curve, load, flits, seconds }
        })
        .collect();
    // Finished points, with the seconds per flit per cycle.
    let done: Vec<(TimedPoint, f64)> =
        known.iter().filter_map(|&it| Some((it, it.seconds? / it.flits))).collect();
    let mean = done.iter().map(|(_, cost)| cost).sum::<f64>() / done.len() as f64;
    let otherwise = if done.is_empty() { 1.0 } else { mean };
    let expected = |it: &TimedPoint| {
        let far = |other: &&(TimedPoint, f64)| (other.0.load - it.load).abs();
        let own = done.iter().filter(|(other, _)| other.curve == it.curve);
        let near = own.min_by(|one, two| far(one).total_cmp(&far(two)));
        it.seconds.unwrap_or_else(|| near.map_or(otherwise, |(_, cost)| *cost) * it.flits)
    };
    known.iter().map(expected).collect()
}

/// The points of a part, longest first.
pub fn longest_first(study: &Study, found: &[Found], part: &Part) -> Vec<usize> {
    let expected = expected_seconds(study, found);
    let mut points: Vec<usize> = (0..expected.len()).filter(|&at| part.has(at)).collect();
    points.sort_by(|&one, &two| expected[two].total_cmp(&expected[one]));
    points
}

/// The remaining wall time, in seconds, assuming constant concurrency and longest-first order.
/// `running` has the remaining times of running points, `free` the times of the others.
pub(super) fn seconds_left(running: &[f64], mut free: Vec<f64>) -> f64 {
    let mut ends = running.to_vec();
    free.sort_by(|one, two| two.total_cmp(one));
    for point in free {
        if let Some(first) = ends.iter_mut().min_by(|one, two| one.total_cmp(two)) {
            *first += point;
        }
    }
    ends.into_iter().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests;
