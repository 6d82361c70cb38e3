//! Differences between two curves at equal loads, under the same messages.

use super::SweepRow;
use super::load_points::LoadPoints;
use super::results::Results;
use crate::experiment::verdict::Verdict;
use crate::stats::Estimate;

/// The difference of the mean latencies of two curves, at one load.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Difference {
    pub load: f64,
    pub mean: f64,
    /// Half the width of the interval.
    pub half: Option<f64>,
    /// True for a mean of paired differences, each of two runs under the same messages; false for a
    /// difference of two means with intervals assumed independent.
    pub paired: bool,
}

impl Results<'_> {
    /// The differences of a curve from the first, at loads carried by both.
    pub(super) fn differences(&self, curve: usize) -> Vec<Difference> {
        if curve == 0 {
            return Vec::new();
        }
        let first = self.places(0);
        let beside = |place: &LoadPoints<'_>| {
            let other = first.iter().find(|other| other.load.total_cmp(&place.load).is_eq())?;
            self.difference(place, other)
        };
        self.places(curve).iter().filter_map(beside).collect()
    }

    fn difference(&self, one: &LoadPoints<'_>, other: &LoadPoints<'_>) -> Option<Difference> {
        let carried = |place: &LoadPoints<'_>| place.verdict() == Some(Verdict::Steady);
        if !carried(one) || !carried(other) {
            return None;
        }
        let load = one.load;
        let (known, beside) = (self.latencies(one), self.latencies(other));
        let pair = |(seed, mean): &((u64, usize), f64)| {
            let (_, other) = beside.iter().find(|(other, _)| other == seed)?;
            Some(mean - other)
        };
        let pairs: Vec<f64> = known.iter().filter_map(pair).collect();
        if pairs.len() > 1 && pairs.len() == known.len() && pairs.len() == beside.len() {
            let Estimate { mean, half_width: half } = Estimate::of_independent(&pairs)?;
            return Some(Difference { load, mean, half, paired: true });
        }
        let mean = |place: &LoadPoints<'_>| place.estimate("latency_mean", "latency_half_width");
        let ((one, half_one), (other, half_other)) = (mean(one)?, mean(other)?);
        let half = half_one.zip(half_other).map(|(one, other)| one.hypot(other));
        Some(Difference { load, mean: one - other, half, paired: false })
    }

    /// The mean latency of each independent run, by seed and replication.
    fn latencies(&self, place: &LoadPoints<'_>) -> Vec<((u64, usize), f64)> {
        let of_point = |(point, found): &(usize, &super::Found)| {
            let seed = self.study.points[*point].task.job.scenario.seed;
            let means = found.row().map(SweepRow::latencies).unwrap_or_default();
            means.into_iter().enumerate().map(move |(at, mean)| ((seed, at), mean))
        };
        place.points.iter().flat_map(of_point).collect()
    }
}

#[cfg(test)]
mod tests;
