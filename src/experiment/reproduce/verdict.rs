//! Derives verdicts by comparing the interval of a figure with its required range.
//!
//! An interval inside the range: the claim holds. Outside: the claim does not hold. Across a bound:
//! undecided. Noise therefore never causes a pass or a failure.
//!
//! Many figures are judged at once, so each has an interval of [`CONFIDENCE`]. A verdict is wrong
//! only if the whole interval is on one side of the true value, with a probability of one in
//! 20 000: by Bonferroni's inequality a thousand judged figures contain a wrong verdict in fewer
//! than one batch of twenty. A quick run of all studies judges fewer figures.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;

use serde::Deserialize;
use statrs::distribution::{ContinuousCDF, StudentsT};
use strum::IntoStaticStr;

use crate::stats::Estimate;

/// The confidence of intervals used for verdicts.
pub const CONFIDENCE: f64 = 0.9999;
/// The confidence of printed intervals.
const PRINTED: f64 = 0.95;
/// The minimum share of a figure's variance that makes a longer run of a point worthwhile.
const DECISIVE: f64 = 0.05;

/// Index of a point in a study, in order of creation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct PointId(pub usize);

/// A verdict. Combined verdicts take the greatest.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, IntoStaticStr, Debug,
)]
pub enum Verdict {
    #[default]
    #[strum(serialize = "holds")]
    Holds,
    /// The results are inconclusive, or missing.
    #[strum(serialize = "undecided")]
    Undecided,
    #[strum(serialize = "does not hold")]
    DoesNotHold,
}

impl Verdict {
    /// The verdict in words.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A figure computed from simulated points, with the resulting uncertainty.
#[derive(Clone, PartialEq, Debug)]
pub struct Uncertain {
    pub mean: f64,
    /// The standard error; `None` with too few replications, or if omitting one makes the figure
    /// undefined.
    pub(super) error: Option<f64>,
    /// Degrees of freedom of the standard error.
    pub(super) freedom: f64,
    /// The points used, each with its part of the squared standard error; empty for plain
    /// arithmetic.
    pub(super) variances: BTreeMap<PointId, f64>,
}

impl Uncertain {
    /// A figure without uncertainty so far.
    pub(super) fn certain(mean: f64, points: BTreeSet<PointId>) -> Self {
        let variances = points.into_iter().map(|point| (point, 0.0)).collect();
        Self { mean, error: Some(0.0), freedom: f64::INFINITY, variances }
    }

    /// The figure with the printed 95 % interval.
    pub fn estimate(&self) -> Estimate {
        let printed = !self.variances.is_empty();
        let half_width = self.half_width(PRINTED).filter(|_| printed);
        Estimate { mean: self.mean, half_width }
    }

    /// Half the width of the interval with this confidence.
    fn half_width(&self, confidence: f64) -> Option<f64> {
        let error = self.error?;
        if error == 0.0 {
            return Some(0.0);
        }
        let student = StudentsT::new(0.0, 1.0, self.freedom).ok()?;
        Some(error * student.inverse_cdf(f64::midpoint(1.0, confidence)))
    }

    /// The points causing most of the uncertainty; all points while unknown.
    fn decisive(&self) -> BTreeSet<PointId> {
        let least = DECISIVE * self.error.unwrap_or_default().powi(2);
        let of = self.variances.iter().filter(|(_, variance)| **variance >= least);
        of.map(|(point, _)| *point).collect()
    }

    /// Compares the figure with its required range; a bound may be infinite.
    pub fn judge(self, range: RangeInclusive<f64>) -> Finding {
        let (low, high) = range.into_inner();
        let half_width = self.half_width(CONFIDENCE);
        let verdict = match half_width {
            Some(half) if self.mean - half >= low && self.mean + half <= high => Verdict::Holds,
            Some(half) if self.mean - half > high || self.mean + half < low => Verdict::DoesNotHold,
            // Includes NaN.
            Some(_) | None => Verdict::Undecided,
        };
        // The interval shrinks with the root of the number of replications.
        let room = (self.mean - low).abs().min((self.mean - high).abs());
        let growth = half_width.map_or(1.0, |half| (half / room).powi(2));
        Finding { verdict, growth, points: self.decisive() }
    }
}

/// The judgement of one figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// Holds if the figure is in its range.
    pub verdict: Verdict,
    /// Estimated factor on the replications needed for a decision.
    growth: f64,
    points: BTreeSet<PointId>,
}

impl Finding {
    /// True if no simulation can change the finding.
    fn is_arithmetic(&self) -> bool {
        self.points.is_empty() && self.verdict != Verdict::Undecided
    }

    /// The points to run longer for a decision, if attainable with up to `times` as many
    /// replications.
    pub fn open(&self, times: f64) -> impl Iterator<Item = PointId> {
        let open = self.verdict == Verdict::Undecided && self.growth <= times;
        self.points.iter().copied().filter(move |_| open)
    }
}

/// Findings that must all hold, with the evidence.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    findings: Vec<Finding>,
    /// The figures in a sentence.
    pub evidence: String,
}

impl Judgement {
    /// A judgement of all `findings`; undecided if empty.
    pub fn all(findings: impl IntoIterator<Item = Finding>, evidence: impl Into<String>) -> Self {
        Self { findings: findings.into_iter().collect(), evidence: evidence.into() }
    }

    /// A judgement of a figure that results, possibly incomplete, do not define.
    pub fn unknown(some_missing: bool) -> Self {
        let verdict = Verdict::Undecided;
        let unknown = Finding { verdict, growth: f64::INFINITY, points: BTreeSet::new() };
        let runs = "the runs leave a figure open, such as a load that not all of them reach";
        let why = if some_missing { "results are missing" } else { runs };
        Self::all([unknown], why)
    }

    /// The greatest verdict of all findings: does not hold, undecided, or holds.
    pub fn verdict(&self) -> Verdict {
        self.findings.iter().map(|finding| finding.verdict).max().unwrap_or(Verdict::Undecided)
    }

    /// True if no simulation can change the verdict: all findings are arithmetic, or an arithmetic
    /// finding does not hold.
    pub fn is_arithmetic(&self) -> bool {
        let mut arithmetic = self.findings.iter().filter(|finding| finding.is_arithmetic());
        arithmetic.clone().count() == self.findings.len() && !self.findings.is_empty()
            || arithmetic.any(|finding| finding.verdict == Verdict::DoesNotHold)
    }

    /// The basis of the verdict: `simulation` or `arithmetic`.
    pub fn basis(&self) -> &'static str {
        if self.is_arithmetic() { "arithmetic" } else { "simulation" }
    }

    /// The points to run longer; see [`Finding::open`].
    pub fn open(&self, times: f64) -> impl Iterator<Item = PointId> {
        let undecided = self.verdict() == Verdict::Undecided;
        self.findings.iter().filter(move |_| undecided).flat_map(move |it| it.open(times))
    }

    /// The factor on the number of messages with which an undecided verdict is expected to be decided;
    /// `None` for a decided verdict, and for a figure that lies on its bound or is unknown.
    pub fn times_to_decide(&self) -> Option<f64> {
        let is_undecided = |verdict| verdict == Verdict::Undecided;
        let open = self.findings.iter().filter(|finding| is_undecided(finding.verdict));
        let times = open.map(|finding| finding.growth).reduce(f64::max);
        times.filter(|times| is_undecided(self.verdict()) && times.is_finite())
    }

    /// The number of judged figures.
    pub fn looks(&self) -> usize {
        self.findings.iter().filter(|finding| !finding.points.is_empty()).count()
    }
}

/// A summary of many lines' deviations.
#[derive(Clone, PartialEq, Debug)]
pub struct Spread {
    pub count: usize,
    /// Root mean square of the deviations.
    pub root_mean_square: f64,
    /// The deviation furthest from 0.
    pub worst: f64,
    /// The line with the worst deviation.
    pub worst_at: String,
}

impl Spread {
    /// Summarises deviations by line name; `None` if empty.
    pub fn of(deviations: impl IntoIterator<Item = (String, f64)>) -> Option<Self> {
        let mut spread =
            Self { count: 0, root_mean_square: 0.0, worst: 0.0, worst_at: String::new() };
        let mut squares = 0.0;
        for (name, deviation) in deviations {
            squares += deviation * deviation;
            spread.count += 1;
            if spread.count == 1 || deviation.abs() > spread.worst.abs() {
                (spread.worst, spread.worst_at) = (deviation, name);
            }
        }
        spread.root_mean_square = (squares / spread.count as f64).sqrt();
        (spread.count > 0).then_some(spread)
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} lines, root mean square {:.2} %, worst {:+.2} % ({})",
            self.count,
            100.0 * self.root_mean_square,
            100.0 * self.worst,
            self.worst_at
        )
    }
}

#[cfg(test)]
mod tests;
