//! What a run says of itself, and of a model that it contradicts, in words: whether it is saturated, how
//! far the model is off, in which part of the latency, and the likely cause.
//!
//! A run is judged by its statistics ([`crate::stats`]), which call it saturated after fifteen samples
//! at the earliest: 15 360 cycles after its start or the last change of its load, looked at again every
//! 1 024 cycles. Until they know, nothing is said of saturation, for or against.

mod reasons;

use crate::model::stated::StatedError;
use crate::model::{Mismatch, Prediction, Unsolved};
use crate::scenario::Scenario;
use crate::stats::Summary;
use crate::system::System;
use crate::units::{Cycle, Rate};

/// The first word of [`announced`], where there is no room for more.
pub const SATURATED: &str = "SATURATED";

/// The part by which a latency may be off where no error is stated: what the best models are said to
/// keep.
const UNSTATED: f64 = 0.1;

/// Fewer messages contradict no model while a run is too short for an interval.
const MESSAGES_MIN: u64 = 100;

/// What a saturated run says: `SATURATED: accepts 34 % of what is offered`. `None` of a run that is
/// not, or of which that cannot be told yet.
pub fn announced(summary: &Summary) -> Option<String> {
    let accepted: f64 = summary.accepted.filter(|_| summary.steadiness.is_saturated())?;
    let percent = in_percent(accepted / summary.offered);
    Some(if percent < 100.0 {
        format!("{SATURATED}: accepts {percent:.0} % of what is offered")
    } else {
        format!("{SATURATED}: accepts less than is offered")
    })
}

/// As [`announced`], and of a load above the capacity the proof: `SATURATED: link (7,3)+X would need 1.08
/// flits per cycle`.
pub fn announced_at(scenario: &Scenario, rate: Rate, summary: &Summary) -> Option<String> {
    let system = &scenario.system;
    let capacity = scenario.capacity();
    let excess = capacity.and_then(|it| it.excess(system.load_at(rate), &system.network));
    excess.map(|why| format!("{SATURATED}: {why}")).or_else(|| announced(summary))
}

/// The share of what is offered that is accepted, in whole per cent: what is not all is never rounded up to
/// all. (A run that carried its load for long and then collapsed may have accepted nearly all in the mean.)
pub fn in_percent(share: f64) -> f64 {
    (100.0 * share).floor()
}

/// What a model says of a run's load.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    pub system: &'a System,
    pub rate: Rate,
    pub prediction: &'a Result<Prediction, Unsolved>,
    /// The assumptions broken.
    pub mismatches: &'a [Mismatch],
    /// Where it saturates, if that is known.
    pub saturation: Option<Rate>,
    /// How far its latency may be off; `None` while not known.
    pub stated_error: Option<&'a StatedError>,
    /// How far its saturation may be off.
    pub stated_saturation: &'a StatedError,
    /// Flits per cycle, by channel, where it knows them.
    pub utilisation: Option<&'a [f64]>,
}

/// What of a run beside its summary may explain that it contradicts a model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Evidence {
    /// How many messages wait for each other for ever, and since when.
    pub deadlock: Option<(usize, Cycle)>,
    /// When a load ended that was higher than the present one.
    pub overload: Option<Cycle>,
    /// Messages generated and not delivered.
    pub present: u64,
    /// Mean latencies of the first messages counted and of the later ones, in cycles, where a warm-up was
    /// given and they differ by more than chance.
    pub drift: Option<[f64; 2]>,
    /// Flits that crossed each link since cycle 0 (of circuits: cycles for which it was held), by id.
    pub links: Vec<u64>,
}

impl Evidence {
    /// That of several runs: of each kind the first that there is; messages and flits in the mean and in
    /// sum.
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

/// How a run contradicts a model.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Contradiction {
    /// The model says that the network is saturated, and it is not; or the other way round.
    Saturation { run: bool },
    /// The run stands in a deadlock.
    Deadlock,
    /// The latencies are further apart than the stated error and the run's interval: predicted less
    /// simulated, as a part of the simulated one.
    Latency { off: f64 },
}

impl Contradiction {
    fn of(claim: &Claim<'_>, summary: &Summary, stands: Stands) -> Option<Self> {
        let model = Unsolved::saturated(claim.prediction)?;
        if stands == Stands::Locked && !model {
            return Some(Self::Deadlock);
        }
        let run = summary.steadiness.saturated();
        if let Some(run) = run.filter(|&run| run != model) {
            return Some(Self::Saturation { run });
        }
        // Latencies that grow with the run are none to compare with.
        let prediction = claim.prediction.as_ref().ok().filter(|_| run != Some(true))?;
        let stated = match claim.stated_error? {
            StatedError::Within { margins, .. } => margins.nine_of_ten,
            StatedError::NotMeasured(_) => UNSTATED,
        };
        let told = summary.measured_from.is_some() || stands == Stands::Ended;
        if run.is_none() && (summary.messages < MESSAGES_MIN || !told) {
            return None;
        }
        let latency = summary.latency?;
        let chance = 4.0 / (summary.messages.max(1) as f64).sqrt();
        let interval = latency.half_width.map_or(chance, |half| half / latency.mean);
        let off = prediction.latency_mean / latency.mean - 1.0;
        (off.abs() > stated + interval).then_some(Self::Latency { off })
    }

    /// True if messages fare worse in the run than by the model.
    fn worse(self) -> bool {
        match self {
            Self::Saturation { run } => run,
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
            Self::Deadlock => "it says a steady state, and the run stands still".to_owned(),
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

/// Where a run stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stands {
    Going,
    Ended,
    /// In a deadlock.
    Locked,
}

/// How a run contradicts a model, and the likely cause, in words that follow "wrong here: "; `None` where
/// they agree as far as the model's stated error and the run's interval go, or where either cannot tell:
/// so too while a run that goes on warms up. `evidence` is asked for only where they disagree.
pub fn refuted(
    claim: &Claim<'_>,
    summary: &Summary,
    stands: Stands,
    evidence: impl FnOnce() -> Evidence,
) -> Option<String> {
    let found = Contradiction::of(claim, summary, stands)?;
    let explanation = reasons::explanation(found, claim, summary, &evidence());
    Some(format!("{}; {explanation}", found.in_words(claim, summary)?))
}

#[cfg(test)]
mod tests;
