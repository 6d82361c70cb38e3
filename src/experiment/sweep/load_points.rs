//! All runs at one load of a curve: one row, or a row for every seed.

use super::SweepRow;
use super::folder::Found;
use super::results::Results;
use super::search::{Bracket, Seen};
use crate::experiment::End;
use crate::experiment::verdict::Verdict;
use crate::stats::Estimate;

/// Minimum accepted share of a load for a congested network to count as recovering.
const CARRIED: f64 = 0.99;

/// A load of a curve.
#[derive(Clone, Debug)]
pub(super) struct LoadPoints<'a> {
    pub load: f64,
    /// The points at this load, with their state.
    pub points: Vec<(usize, &'a Found)>,
}

/// Metastable loads: carried only until the network happens to be congested.
#[derive(Clone, Copy, Debug)]
pub(super) struct Metastable {
    /// The load accepted once congested.
    pub congested: f64,
    /// The lowest load without recovery; no recovery is possible above the accepted load.
    pub from: f64,
    /// The highest load carried in a run.
    pub to: f64,
}

impl Metastable {
    /// True if the load is metastable.
    pub fn holds(&self, load: f64) -> bool {
        load > self.from && load <= self.to
    }
}

impl Results<'_> {
    /// The loads of a curve offered to an empty network, in ascending order.
    pub(super) fn places(&self, curve: usize) -> Vec<LoadPoints<'_>> {
        self.all_places(curve, false)
    }

    /// The loads offered to an empty network, or to a congested network.
    pub(super) fn all_places(&self, curve: usize, from_above: bool) -> Vec<LoadPoints<'_>> {
        let mut places: Vec<LoadPoints<'_>> = Vec::new();
        for (point, found) in self.curve(curve) {
            let load = self.study.points[point].load;
            if self.study.points[point].from_above != from_above {
                continue;
            }
            match places.iter_mut().find(|place| place.load.total_cmp(&load).is_eq()) {
                Some(place) => place.points.push((point, found)),
                None => places.push(LoadPoints { load, points: vec![(point, found)] }),
            }
        }
        places.sort_by(|one, other| one.load.total_cmp(&other.load));
        places
    }

    /// The results of a curve, in order of ascending loads.
    pub(super) fn seen(&self, curve: usize, from_above: bool) -> Vec<Seen> {
        let seen = |place: &LoadPoints<'_>| {
            let (mean, half) = place.estimate("latency_mean", "latency_half_width").unzip();
            let (load, accepted) = (place.load, place.mean("accepted_flits_per_node_cycle"));
            let mut verdict = place.verdict()?;
            // The queues of a congested network drain slowly. Accepting the offered load already
            // shows the recovery.
            let carries = accepted.is_some_and(|accepted| accepted > CARRIED * load);
            if from_above && verdict == Verdict::TooShort && carries {
                verdict = Verdict::Steady;
            }
            let latency = mean.zip(half.flatten());
            let congested = place.mean("congested_flits_per_node_cycle");
            let messages = place.sum("messages");
            let measured = place.points.iter().all(|(point, _)| {
                let end = self.study.points[*point].task.job.plan.end;
                !matches!(end, End::Verdict { .. })
            });
            let is_long = place.points.iter().all(|(point, _)| self.study.is_long(*point));
            Some(Seen { load, verdict, measured, is_long, latency, accepted, congested, messages })
        };
        self.all_places(curve, from_above).iter().filter_map(seen).collect()
    }

    /// The bracket of a curve's saturation.
    pub(super) fn bracket(&self, curve: usize) -> Bracket {
        let bracket = Bracket::of(&self.seen(curve, false));
        let places = self.places(curve);
        let capacity =
            places.iter().flat_map(LoadPoints::rows).find_map(|row| row.number("capacity_load"));
        match capacity {
            Some(capacity) => bracket.limited_to(capacity),
            None => bracket,
        }
    }

    /// The metastable loads of a curve. `None` unless a congested network is known to carry less,
    /// or if a congested network recovers at all carried loads.
    pub(super) fn metastable(&self, curve: usize) -> Option<Metastable> {
        let (bracket, from_above) = (self.bracket(curve), self.bracket_from_above(curve));
        let (congested, from) = match (from_above.below, from_above.above) {
            (_, Some(stays)) => (stays.accepted?, stays.load),
            (Some(_), None) => return None,
            (None, None) => bracket.congested().map(|load| (load, load))?,
        };
        let to = bracket.below?.load;
        (from < to).then_some(Metastable { congested, from, to })
    }

    /// The number of curves without a known saturation although the study asks for shares of
    /// saturation.
    pub fn unfound(&self) -> usize {
        let all = if self.study.wants_shares() { self.study.curves.len() } else { 0 };
        (0..all).filter(|&curve| self.bracket(curve).ends().is_none()).count()
    }

    /// The bracket of loads at which a congested network recovers.
    pub(super) fn bracket_from_above(&self, curve: usize) -> Bracket {
        Bracket::of(&self.seen(curve, true))
    }
}

impl LoadPoints<'_> {
    pub fn rows(&self) -> impl Iterator<Item = &SweepRow> {
        self.points.iter().filter_map(|(_, found)| found.row())
    }

    /// The gravest verdict; `None` without rows.
    pub fn verdict(&self) -> Option<Verdict> {
        self.rows().map(verdict).max()
    }

    /// True if latencies are defined: the network carries, or may carry, the load.
    pub fn has_latency(&self) -> bool {
        self.verdict().is_some_and(|verdict| verdict <= Verdict::TooShort)
    }

    /// The mean of a column, if present in all rows.
    pub fn mean(&self, column: &str) -> Option<f64> {
        Some(self.estimate(column, "")?.0)
    }

    /// The sum of a column.
    pub fn sum(&self, column: &str) -> f64 {
        self.rows().filter_map(|row| row.number(column)).sum()
    }

    /// The mean of a column, and half the width of its interval: computed from the intervals in
    /// column `half`, or for steady rows without intervals from the scatter over seeds. Runs too
    /// short to be steady agree on a wrong mean.
    pub fn estimate(&self, column: &str, half: &str) -> Option<(f64, Option<f64>)> {
        let values: Vec<f64> = self.rows().map(|row| row.number(column)).collect::<Option<_>>()?;
        let Estimate { mean, half_width } = Estimate::of_independent(&values)?;
        let squares = self.rows().map(|row| Some(row.number(half)?.powi(2)));
        let own = squares.sum::<Option<f64>>().map(|sum| sum.sqrt() / values.len() as f64);
        let steady = self.verdict() == Some(Verdict::Steady);
        Some((mean, own.or(half_width.filter(|_| steady))))
    }
}

fn verdict(row: &SweepRow) -> Verdict {
    match () {
        () if row.holds("deadlock") => Verdict::Deadlocked,
        () if row.is_saturated() => Verdict::Saturated,
        () if row.is_steady() => Verdict::Steady,
        () if row.text("ended") == "carried" => Verdict::Carried,
        () => Verdict::TooShort,
    }
}
