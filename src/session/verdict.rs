//! Judges a run in words: saturation, and contradictions with a model.
//!
//! A contradiction is described by the size of the error, the part of the latency that contributes
//! most, and the likely cause.
//!
//! Saturation is decided by the statistics ([`crate::stats`]) after fifteen samples at the
//! earliest: 15 360 cycles after the start or the last change of the load, then every 1 024 cycles.
//! Before, the verdict is silent about saturation.

mod reasons;

use super::Session;
use crate::ids::ChannelId;
use crate::model::stated_error::StatedError;
use crate::model::{Mismatch, Prediction, Unsolved};
use crate::scenario::Scenario;
use crate::stats::{Summary, WarmUp};
use crate::system::System;
use crate::units::{Cycle, Rate};

/// First word of [`announced`], for narrow screens.
pub const SATURATED: &str = "SATURATED";

/// Assumed relative error of latencies for models without a stated error: the usual claim of the
/// best models.
const UNSTATED: f64 = 0.1;

/// Minimum number of messages to contradict a model while a run is too short for an interval.
const MESSAGES_MIN: u64 = 100;

/// Announces a saturated run: `SATURATED: accepts 34 % of what is offered`. `None` if the run is
/// not saturated, or not yet decided.
pub fn announced(summary: &Summary) -> Option<String> {
    let accepted: f64 = summary.accepted.filter(|_| summary.steadiness.is_saturated())?;
    let percent = in_percent(accepted / summary.offered);
    Some(if percent < 100.0 {
        format!("{SATURATED}: accepts {percent:.0} % of what is offered")
    } else {
        format!("{SATURATED}: accepts less than is offered")
    })
}

/// Like [`announced`], but with a proof for loads above the capacity (none for traffic without a rate): `SATURATED: link (7,3)+X
/// would need 1.08 flits per cycle`.
pub fn announced_at(scenario: &Scenario, rate: Rate, summary: &Summary) -> Option<String> {
    let system = &scenario.system;
    if system.traffic.has_no_rate() {
        return None;
    }
    let capacity = scenario.capacity();
    let excess = capacity.and_then(|it| it.excess(system.load_at(rate), &system.network));
    excess.map(|why| format!("{SATURATED}: {why}")).or_else(|| announced(summary))
}

/// The accepted share of the offered load as whole percent, rounded down so that only a full share
/// gives 100. (A run that collapsed after a long steady period may have accepted nearly all on
/// average.)
pub fn in_percent(share: f64) -> f64 {
    (100.0 * share).floor()
}

/// The predictions of a model for a run's load.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    pub system: &'a System,
    pub rate: Rate,
    pub prediction: &'a Result<Prediction, Unsolved>,
    /// Violated assumptions of the model.
    pub mismatches: &'a [Mismatch],
    /// Predicted saturation rate, if known.
    pub saturation: Option<Rate>,
    /// Stated error of the latency; `None` while unknown.
    pub stated_error: Option<&'a StatedError>,
    /// Stated error of the saturation rate.
    pub stated_saturation: &'a StatedError,
    /// Predicted flits per cycle by channel, if known.
    pub utilisation: Option<&'a [f64]>,
}

/// Facts of the run, besides its summary, that may explain a contradiction with a model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Evidence {
    /// The number of deadlocked messages, and the cycle at which the deadlock closed.
    pub deadlock: Option<(usize, Cycle)>,
    /// The end of an earlier, higher load.
    pub overload: Option<Cycle>,
    /// The number of messages generated and not delivered.
    pub present: u64,
    /// Mean latencies of the first and of the later counted messages, in cycles, if the warm-up was
    /// set explicitly and they differ significantly.
    pub drift: Option<[f64; 2]>,
    /// Flits that crossed each link since cycle 0 (circuits: cycles of occupancy), by id.
    pub links: Vec<u64>,
}

impl Evidence {
    /// The facts of a run so far.
    pub fn of(session: &Session) -> Self {
        let (counters, now) = (session.counters(), session.now().0);
        let first = session.scenario().system.traffic.rate;
        let set = session.journal().iter().filter_map(|it| Some((it.cycle, it.change.rate()?)));
        let rates = std::iter::once(first).chain(set.clone().map(|(_, rate)| rate));
        let changes = rates.zip(set).filter(|(before, _)| before.0 > session.rate().0);
        let given = session.warm_up() != WarmUp::Automatic;
        let links = (0..session.scenario().system.network.links()).map(ChannelId::new);
        let closed = session.deadlock().and_then(|it| it.sets.first());
        Self {
            deadlock: closed.map(|set| (set.worms.len(), set.closed)),
            overload: changes.last().map(|(_, (cycle, _))| cycle),
            present: counters.present(),
            drift: session.statistics().drift(now).filter(|_| given),
            links: links.map(|link| session.engine().crossed(link)).collect(),
        }
    }

    /// Combines the evidence of several runs: the first of each kind, the mean of messages and the
    /// sum of flits.
    pub fn together<'a>(all: impl Iterator<Item = &'a Self>) -> Self {
        let mut whole = Self::default();
        let mut count = 0;
        for one in all {
            count += 1;
            whole.deadlock = whole.deadlock.or(one.deadlock);
            whole.overload = whole.overload.or(one.overload);
            whole.drift = whole.drift.or(one.drift);
            whole.present += one.present;
            whole.links.resize(one.links.len(), 0);
            whole.links.iter_mut().zip(&one.links).for_each(|(sum, flits)| *sum += flits);
        }
        whole.present /= count.max(1);
        whole
    }
}

/// A contradiction between a run and a model.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Contradiction {
    /// Only one of model and run is saturated.
    Saturation { run: bool },
    /// The run accepts more than the load at which the model saturates, by more than the stated
    /// error: both loads, in flits per node and cycle.
    Exceeded { accepted: f64, saturation: f64 },
    /// The run is deadlocked.
    Deadlock,
    /// The latencies differ by more than the stated error and the run's interval: predicted minus
    /// simulated latency, relative to the simulated latency.
    Latency { off: f64 },
}

impl Contradiction {
    fn of(claim: &Claim<'_>, summary: &Summary, status: RunStatus) -> Option<Self> {
        let model = Unsolved::saturated(claim.prediction)?;
        if status == RunStatus::Locked && !model {
            return Some(Self::Deadlock);
        }
        let run = summary.steadiness.saturated();
        if let Some(run) = run.filter(|&run| run != model) {
            return Some(Self::Saturation { run });
        }
        let settled = summary.measured_from.is_some() || status == RunStatus::Ended;
        let is_known = run.is_some() || settled;
        if model && is_known && status != RunStatus::Locked {
            return Self::exceeded(claim, summary);
        }
        // Latencies that grow with the run cannot be compared.
        let prediction = claim.prediction.as_ref().ok().filter(|_| run != Some(true))?;
        let stated = match claim.stated_error? {
            StatedError::Within { margins, .. } => margins.nine_of_ten,
            StatedError::NotMeasured(_) => UNSTATED,
        };
        if run.is_none() && (summary.messages < MESSAGES_MIN || !settled) {
            return None;
        }
        let latency = summary.latency?;
        let chance = 4.0 / (summary.messages.max(1) as f64).sqrt();
        let interval = latency.half_width.map_or(chance, |half| half / latency.mean);
        let off = prediction.latency_mean / latency.mean - 1.0;
        (off.abs() > stated + interval).then_some(Self::Latency { off })
    }

    fn exceeded(claim: &Claim<'_>, summary: &Summary) -> Option<Self> {
        let saturation = claim.system.load_at(claim.saturation?).0;
        let stated = claim.stated_saturation.percent().map_or(UNSTATED, |[_, nine]| nine / 100.0);
        let accepted = summary.accepted?;
        let is_more = accepted > (1.0 + stated) * saturation;
        is_more.then_some(Self::Exceeded { accepted, saturation })
    }

    /// True if messages fare worse in the run than predicted.
    fn worse(self) -> bool {
        match self {
            Self::Saturation { run } => run,
            Self::Exceeded { .. } => false,
            Self::Deadlock => true,
            Self::Latency { off } => off < 0.0,
        }
    }

    fn in_words(self, claim: &Claim<'_>, summary: &Summary) -> Option<String> {
        Some(match self {
            Self::Saturation { run } => {
                let says = if run { "a steady state" } else { "saturated" };
                let (accepted, offered) = (summary.accepted?, summary.offered);
                format!("it says {says}, the run accepts {accepted:.4} of {offered:.4}")
            }
            Self::Exceeded { accepted, saturation } => format!(
                "it says saturated from load {saturation:.3} on, the run accepts {accepted:.3}"
            ),
            Self::Deadlock => "it says a steady state, but the run is deadlocked".to_owned(),
            Self::Latency { off } => {
                let stated = claim.stated_error.and_then(StatedError::percent);
                let stated = stated.map_or("no error stated".to_owned(), |[_, nine]| {
                    format!("nine of ten systems are within {nine} %")
                });
                let way = if off < 0.0 { "low" } else { "high" };
                format!("{:.1} % too {way}, {stated}", 100.0 * off.abs())
            }
        })
    }
}

/// State of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunStatus {
    Going,
    Ended,
    /// Deadlocked.
    Locked,
}

/// Describes a contradiction between run and model and the likely cause, in words that follow
/// "wrong here: ". `None` if they agree within the model's stated error and the run's interval, or
/// if either is undecided, as during the warm-up of a continuing run. `evidence` is called only for
/// contradictions.
pub fn refuted(
    claim: &Claim<'_>,
    summary: &Summary,
    status: RunStatus,
    evidence: impl FnOnce() -> Evidence,
) -> Option<String> {
    let found = Contradiction::of(claim, summary, status)?;
    let explanation = reasons::explanation(found, claim, summary, &evidence());
    Some(format!("{}; {explanation}", found.in_words(claim, summary)?))
}

#[cfg(test)]
mod tests;
