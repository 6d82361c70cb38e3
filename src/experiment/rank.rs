//! Ranks the values of a field by their results, with the significance of differences.
//!
//! Every value is run with the same seeds at the same rate, replication by replication, so a
//! difference is the mean of paired differences, with most of the chance cancelled (common random
//! numbers). The fastest is chosen from the same data; the intervals of the differences therefore
//! hold for all pairs together (Bonferroni).

use std::sync::Arc;

use super::verdict::Verdict;
use super::{Ended, Outcome};
use crate::scenario::{Problem, Scenario, choices, contrast};
use crate::stats::{Estimate, Steadiness};
use crate::words::{Misfit, written};

/// A value, and the resulting scenario or the reason against running.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The value in the notation of scenarios.
    pub value: String,
    pub made: Result<Arc<Scenario>, String>,
}

/// The given `values` of a field, or all sensible values plus the scenario's own, without
/// duplicates.
pub fn candidates(first: &Arc<Scenario>, path: &str, values: Option<&[String]>) -> Vec<Candidate> {
    let all = values.is_none();
    let offered = || choices(path).into_iter().map(|choice| choice.value).collect();
    let values = values.map_or_else(offered, <[String]>::to_vec);
    let mut found: Vec<Candidate> = Vec::new();
    let same_as = |other: &Candidate, made: &Scenario| {
        other.made.as_ref().is_ok_and(|one| contrast::differences(one, made).is_empty())
    };
    for value in values {
        let made = with(first, path, &value);
        let known = made.as_ref().is_ok_and(|made| found.iter().any(|other| same_as(other, made)));
        if !known {
            found.push(Candidate { value, made });
        }
    }
    if all && !found.iter().any(|other| same_as(other, first)) {
        let value = match path {
            "routing" => written(&first.system.relation.routing()),
            _ => "as it is".to_owned(),
        };
        found.insert(0, Candidate { value, made: Ok(Arc::clone(first)) });
    }
    found
}

/// The reasons of refused values, each with its values: a variant by its name alone if it is refused
/// with all its fields.
pub fn reasons<'c>(refused: &'c [Candidate], run: &[Place]) -> Vec<(Vec<&'c str>, &'c str)> {
    let head = |value: &'c str| value.split('(').next().unwrap_or(value);
    let mut found: Vec<(Vec<&str>, &str)> = Vec::new();
    for one in refused {
        let why = one.made.as_ref().err().map_or("", String::as_str);
        match found.iter_mut().find(|(_, other)| *other == why) {
            Some((values, _)) => values.push(&one.value),
            None => found.push((vec![&one.value], why)),
        }
    }
    for (values, _) in &mut found {
        let all = values.clone();
        let is_alone = |value: &str| {
            let same = |other: &&str| other.split('(').next() == value.split('(').next();
            let mut others = refused.iter().map(|one| one.value.as_str());
            others.all(|other| !same(&other) || all.contains(&other))
                && !run.iter().any(|place| same(&place.value.as_str()))
        };
        for value in values.iter_mut().filter(|value| is_alone(value)) {
            *value = head(value);
        }
        values.dedup();
    }
    found
}

fn with(first: &Scenario, path: &str, value: &str) -> Result<Arc<Scenario>, String> {
    let told = |problems: Vec<Problem>| {
        let Problem { what, help, .. } = problems.into_iter().next()?;
        Some(help.map_or(what.clone(), |help| format!("{what}; {help}")))
    };
    let refused = |problems| told(problems).unwrap_or_default();
    let made = first.with_field(path, value).map_err(refused)?;
    let refused = |Misfit { what, help, .. }| format!("{what}; {help}");
    contrast::beside(first, &made).map(Arc::new).map_err(refused)
}

/// A value with results.
#[derive(Clone, Debug)]
pub struct Place {
    pub value: String,
    /// The replications made.
    pub runs: Vec<Outcome>,
    pub whole: Outcome,
    pub verdict: Verdict,
    /// The difference from the first, if comparable.
    pub apart: Option<RankDifference>,
    /// Other values with bitwise equal runs.
    pub alike: Vec<String>,
}

/// The measure for comparing values.
#[derive(Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, Debug)]
#[strum(serialize_all = "lowercase")]
pub enum Measure {
    /// The mean latency in cycles, for values that carry the load.
    Latency,
    /// The cycles until the last delivery of given messages.
    Completion,
    /// The accepted load in flits per node and cycle, if no value is known to carry the offered
    /// load.
    Accepted,
}

impl Measure {
    fn of(self, run: &Outcome) -> Option<f64> {
        match self {
            Self::Latency => run.summary.latency.map(|latency| latency.mean),
            Self::Completion => Some(run.cycles as f64),
            Self::Accepted => run.summary.accepted,
        }
    }
}

/// The difference of a value from the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RankDifference {
    pub measure: Measure,
    /// The mean of the differences, with an interval valid jointly with all others.
    pub difference: Estimate,
    /// The approximate number of replications for a significant difference; `None` if already
    /// significant, or beyond any sensible number.
    pub replications: Option<usize>,
}

impl RankDifference {
    /// True if the difference is significant.
    pub fn is_told(&self) -> bool {
        self.difference.half_width.is_some_and(|half| self.difference.mean.abs() > half)
    }
}

impl Place {
    /// Ranks values with complete replications, best first: by latency for values that carry the
    /// load, else by accepted load.
    pub fn ranked(run: impl IntoIterator<Item = (String, Vec<Outcome>)>) -> Vec<Self> {
        let mut places: Vec<Self> = Vec::new();
        for place in run.into_iter().filter_map(|(value, runs)| Self::of(value, runs)) {
            let fingerprint = place.whole.fingerprint;
            match places.iter_mut().find(|other| other.whole.fingerprint == fingerprint) {
                Some(other) => other.alike.push(place.value),
                None => places.push(place),
            }
        }
        places.sort_by(|one, other| {
            one.verdict.cmp(&other.verdict).then(one.score().total_cmp(&other.score()))
        });
        // The measure, and the gravest verdict with which it is defined.
        let (measure, gravest) = match places.first() {
            Some(first) if first.verdict == Verdict::Steady => (first.measure(), Verdict::Steady),
            Some(_) | None => (Measure::Accepted, Verdict::Saturated),
        };
        let suited = places.iter().take_while(|place| place.verdict <= gravest).count();
        let pairs = suited * suited.saturating_sub(1) / 2;
        if let Some((first, others)) = places[..suited].split_first_mut() {
            for other in others {
                other.apart = apart(measure, [&first.runs, &other.runs], pairs);
            }
        }
        places
    }

    fn of(value: String, runs: Vec<Outcome>) -> Option<Self> {
        let whole = Outcome::together(&runs, runs.len() as u32)?;
        let verdict = match whole.summary.steadiness {
            _ if runs.iter().all(|run| run.ended == Ended::Delivered) => Verdict::Steady,
            _ if whole.deadlock.is_some() => Verdict::Deadlocked,
            Steadiness::Steady => Verdict::Steady,
            Steadiness::TooShort | Steadiness::Finite => Verdict::TooShort,
            Steadiness::Saturated => Verdict::Saturated,
            Steadiness::Deadlocked => Verdict::Deadlocked,
        };
        Some(Self { value, runs, whole, verdict, apart: None, alike: Vec::new() })
    }

    /// The measure of runs that carry the load.
    fn measure(&self) -> Measure {
        let scripted = self.whole.scenario.system.traffic.script.is_some();
        if scripted { Measure::Completion } else { Measure::Latency }
    }

    /// The figure by which values of equal verdicts are ordered, the least first.
    fn score(&self) -> f64 {
        if self.verdict != Verdict::Steady {
            return -self.whole.summary.accepted.unwrap_or(0.0);
        }
        let latency = self.whole.summary.latency.map(|it| it.mean);
        self.completion().or(latency).unwrap_or(f64::MAX)
    }

    /// The mean cycles until the last delivery of given messages.
    pub fn completion(&self) -> Option<f64> {
        let mean = self.whole.cycles as f64 / self.runs.len() as f64;
        (self.measure() == Measure::Completion && self.verdict == Verdict::Steady).then_some(mean)
    }
}

/// The differences between corresponding replications, second minus first.
fn apart(
    measure: Measure,
    [first, second]: [&Vec<Outcome>; 2],
    pairs: usize,
) -> Option<RankDifference> {
    let differences = second.iter().zip(first);
    let difference = |(run, beside)| Some(measure.of(run)? - measure.of(beside)?);
    let differences: Vec<f64> = differences.map(difference).collect::<Option<_>>()?;
    let difference = Estimate::of_independent_among(&differences, pairs)?;
    let found = RankDifference { measure, difference, replications: None };
    let needed = || Estimate::values_needed(&differences, pairs);
    Some(RankDifference { replications: if found.is_told() { None } else { needed() }, ..found })
}

#[cfg(test)]
mod tests;
