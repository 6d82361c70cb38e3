//! Explains a contradiction between run and model.
//!
//! The explanation names the part of the latency with the largest error, and its likely cause, by
//! the state of the run and the assumptions of the model. The most certain cause is chosen.

use super::{Claim, Contradiction, Evidence, UNSTATED};
use crate::ids::ChannelId;
use crate::model::{Mismatch, Part};
use crate::stats::{Steadiness, Summary};
use crate::traffic::Lengths;

/// A backlog exceeds the number of messages expected by the model by this factor.
const BACKLOG: f64 = 2.0;
/// Fraction of the predicted saturation rate beyond which small changes of the load have large
/// effects.
const STEEP: f64 = 0.9;
/// Minimum error of a link's flow: relative to the larger flow, and in standard deviations.
const LINK: (f64, f64) = (0.15, 5.0);
/// Minimum share of an error that the cost of a broken assumption must explain.
const ENOUGH: f64 = 0.5;

/// The part of a wrong latency with the largest error, and the likely cause.
pub(super) fn explanation(
    found: Contradiction,
    claim: &Claim<'_>,
    summary: &Summary,
    evidence: &Evidence,
) -> String {
    let gap = Gap::widest(found, claim, summary);
    let cause = cause(found, gap.map(|it| it.part), claim, summary, evidence);
    let cause = cause.map_or("the cause is unknown".to_owned(), |it| format!("likely {it}"));
    let unit = claim.system.time_unit();
    gap.map_or(String::new(), |Gap { part, model, run }| {
        let (model, run) = (unit.of(model), unit.of(run));
        format!("mainly its {}, {model:.1} where the run has {run:.1}; ", part.name())
    }) + &cause
}

/// A part of the latency in cycles, predicted and simulated.
#[derive(Clone, Copy, Debug)]
struct Gap {
    part: Part,
    model: f64,
    run: f64,
}

impl Gap {
    /// The part that contributes most to the error.
    fn widest(found: Contradiction, claim: &Claim<'_>, summary: &Summary) -> Option<Self> {
        let Contradiction::Latency { off } = found else { return None };
        let prediction = claim.prediction.as_ref().ok()?;
        let run = [summary.source_wait_mean(), summary.blocking_mean(), summary.transfer_mean];
        let parts = Part::ALL.into_iter().zip(run);
        let parts = parts.filter_map(|(part, run)| {
            Some(Self { part, model: prediction.part(part)?, run: run? })
        });
        let added = |it: &Self| off.signum() * (it.model - it.run);
        parts.max_by(|one, two| added(one).total_cmp(&added(two)))
    }
}

/// The likely cause, in words that follow "likely "; `main` is the part of a wrong latency with the
/// largest error.
fn cause(
    found: Contradiction,
    main: Option<Part>,
    claim: &Claim<'_>,
    summary: &Summary,
    evidence: &Evidence,
) -> Option<String> {
    let worse = found.worse();
    let broken = || assumption(found, main, claim);
    if main == Some(Part::Transfer) {
        // The latency of a message without contention does not depend on other messages.
        return broken();
    }
    deadlock(claim, evidence)
        .or_else(|| backlog(claim, evidence).filter(|_| worse))
        .or_else(|| drift(claim, evidence))
        .or_else(|| unsettled(summary))
        .or_else(|| near_its_saturation(found, claim))
        .or_else(broken)
        .or_else(|| link(claim, evidence))
        .or_else(|| bursts(claim).filter(|_| worse))
        .or_else(|| steep(found, claim))
        .or_else(|| lengths(claim).filter(|_| worse))
}

fn deadlock(claim: &Claim<'_>, evidence: &Evidence) -> Option<String> {
    let (count, since) = evidence.deadlock?;
    let since = claim.system.time_unit().text(since.0);
    Some(format!(
        "because {count} messages have waited for each other since {since}, which the model ignores"
    ))
}

/// The run is too short.
fn unsettled(summary: &Summary) -> Option<String> {
    if summary.steadiness != Steadiness::TooShort {
        return None;
    }
    Some(match (summary.measured_from, summary.shortfall()) {
        (None, _) => "because the run has not settled: its warm-up is not over".to_owned(),
        (Some(_), Some(share)) => format!(
            "because the run is too short and about to saturate: it accepts {:.0} % of the offered load",
            (100.0 * share).floor()
        ),
        (Some(_), None) => "because the run is too short to tell".to_owned(),
    })
}

/// The backlog of an earlier, higher load.
fn backlog(claim: &Claim<'_>, evidence: &Evidence) -> Option<String> {
    let until = evidence.overload?;
    let mean = claim.prediction.as_ref().ok()?.latency_mean;
    // Little's law.
    let system = claim.system;
    let senders = system.network.nodes() as f64 * system.sending_share();
    let expected = mean * claim.rate.0 / system.time_unit().cycles as f64 * senders;
    let times = evidence.present as f64 / expected.max(1.0);
    let until = system.time_unit().text(until.0);
    (times > BACKLOG).then(|| {
        format!(
            "because of a backlog since the higher load that ended at {until}: {} messages, {times:.0} \
             times as many as the model predicts",
            evidence.present
        )
    })
}

/// The warm-up was set explicitly and is too short.
fn drift(claim: &Claim<'_>, evidence: &Evidence) -> Option<String> {
    let unit = claim.system.time_unit();
    let [first, later] = evidence.drift?.map(|cycles| unit.of(cycles));
    Some(format!(
        "because the warm-up was too short: the first messages counted took {first:.1}, later ones \
         {later:.1}"
    ))
}

/// The load is within the stated error of the predicted saturation rate.
fn near_its_saturation(found: Contradiction, claim: &Claim<'_>) -> Option<String> {
    let Contradiction::Saturation { .. } = found else { return None };
    let share = claim.rate.0 / claim.saturation?.0;
    let (part, stated) = match claim.stated_saturation.percent() {
        Some([_, nine]) => {
            (nine / 100.0, format!("known to within {nine} % for nine of ten systems"))
        }
        None => (UNSTATED, "for which no error is stated".to_owned()),
    };
    ((share - 1.0).abs() <= part).then(|| {
        format!(
            "because this is {:.0} % of the load at which it saturates, {stated}",
            100.0 * share
        )
    })
}

/// The most costly broken assumption that affects this part in the observed or an unknown
/// direction; `None` if its cost is too small to explain the error.
fn assumption(found: Contradiction, main: Option<Part>, claim: &Claim<'_>) -> Option<String> {
    let off = match found {
        Contradiction::Latency { off } => off.abs(),
        Contradiction::Saturation { .. } => {
            claim.saturation.map_or(0.0, |it| (it.0 / claim.rate.0 - 1.0).abs())
        }
        Contradiction::Exceeded { accepted, saturation } => 1.0 - saturation / accepted,
        Contradiction::Deadlock => 0.0,
    };
    let fits = |it: &&Mismatch| {
        let determines = match main {
            Some(part) => it.effect.parts.contains(&part),
            None => it.effect.parts.iter().any(|&part| part != Part::Transfer),
        };
        determines
            && it.slower.is_none_or(|slower| slower == found.worse())
            && it.effect.error >= ENOUGH * off.min(1.0)
    };
    let all = claim.mismatches.iter().filter(fits);
    let broken = all.max_by(|one, two| one.effect.error.total_cmp(&two.effect.error))?;
    Some(format!("because it assumes {}, but here: {}", broken.assumes, broken.found))
}

/// The link with the largest significant error of its share of all flits.
fn link(claim: &Claim<'_>, evidence: &Evidence) -> Option<String> {
    let model = claim.utilisation?.get(..evidence.links.len())?;
    let run = &evidence.links;
    let all: f64 = run.iter().map(|&flits| flits as f64).sum();
    let per_flit = model.iter().sum::<f64>() / all.max(1.0);
    let length = claim.system.length_mean();
    let off = run.iter().zip(model).enumerate().filter_map(|(at, (&flits, &model))| {
        let run = flits as f64 * per_flit;
        let chance = LINK.1 * (flits.max(1) as f64 * length).sqrt() * per_flit;
        let off = (run - model).abs();
        (off > chance.max(LINK.0 * run.max(model))).then_some((at, off, run, model))
    });
    let (at, _, run, model) = off.max_by(|one, two| one.1.total_cmp(&two.1))?;
    let name = claim.system.network.channel_name(ChannelId::new(at));
    Some(format!(
        "because messages take other links: {name} carries {run:.3}, but {model:.3} in the model"
    ))
}

fn bursts(claim: &Claim<'_>) -> Option<String> {
    let process = claim.system.traffic.process;
    let what = process.unlike_poisson().filter(|_| process.comes_at_once())?;
    Some(format!("because of {what}, for which the model has its largest errors"))
}

fn steep(found: Contradiction, claim: &Claim<'_>) -> Option<String> {
    let Contradiction::Latency { .. } = found else { return None };
    let share = claim.rate.0 / claim.saturation?.0;
    let percent = 100.0 * share;
    (share > STEEP).then(|| {
        format!(
            "because at {percent:.0} % of its saturation rate small changes of the load have large effects"
        )
    })
}

fn lengths(claim: &Claim<'_>) -> Option<String> {
    match claim.system.traffic.lengths {
        Lengths::Fixed(_) => None,
        Lengths::Geometric { .. } | Lengths::Exponential { .. } | Lengths::Uniform { .. } => {
            Some("because other messages wait behind messages longer than the mean".to_owned())
        }
    }
}
