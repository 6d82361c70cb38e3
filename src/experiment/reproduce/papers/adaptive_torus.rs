//! Claims of Quaglia, Ciciani and Colajanni on adaptive wormhole routing in a torus.
//!
//! The claims concern the latency of minimal fully adaptive routing, and adaptive against
//! deterministic routing (figures 3 and 4), by models and, beyond the paper, by simulation. The
//! paper's deterministic model is unavailable and replaced by another.

use super::truth;
use crate::experiment::reproduce::claim::{Paper, Rows, percent};
use crate::experiment::reproduce::lookup::{Derived, Lookup};

/// A rate low enough to avoid contention.
const SLOW: f64 = 0.000_000_001;
/// Factor on the rates of the 12 x 12 column for which the model reproduces the printed latencies.
const FACTOR: f64 = 1.125;

pub(super) const PAPER: Paper = Paper {
    name: "adaptive-torus",
    derived: Derived {
        numbers: &[
            ("messages", |it| Some(if it.is_quick() { 5_000.0 } else { 40_000.0 })),
            ("message_rate", |it| match it.number("gap") {
                Some(gap) => Some(1.0 / gap),
                None => it.number("rate"),
            }),
            ("model", |it| it.number(model(it))),
            ("blocking", |it| {
                let unloaded = it.number("length")? - 1.0 + hops(it)?;
                Some((it.number("latency")? - unloaded) / hops(it)?)
            }),
            ("model_blocking", |it| {
                let unloaded = it.equations(model(it))?.latency(SLOW)?;
                Some((it.number("model")? - unloaded) / hops(it)?)
            }),
            // Low and medium loads, in the sense of the paper's figures.
            ("is_low", |it| truth(is_low(it))),
            ("within", |it| Some(if is_low(it) { 0.06 } else { 0.12 })),
            ("simulation_off", |it| it.deviation("latency", "printed")),
            ("as_printed_off", |it| it.deviation("as_printed", "printed_model")),
            ("corrected_off", |it| it.deviation("corrected", "printed_model")),
            ("model_off", |it| it.deviation("model", "printed_model")),
            ("faster_off", |it| {
                let latency = it.equations("adaptive")?.latency(FACTOR * it.number("rate")?)?;
                Some((latency / it.number("printed_model")? - 1.0).abs())
            }),
            ("off_here", |it| it.deviation("model", "latency")),
            ("off_in_print", |it| it.deviation("printed_model", "printed")),
        ],
        texts: &[
            ("deterministic_routing", |it| {
                is_deterministic(it).then(|| "DimensionOrder(classes: Destination)".to_owned())
            }),
            ("model_name", |it| {
                let substitute = "deterministic (our substitute for the paper's model)";
                Some(if is_deterministic(it) { substitute } else { "adaptive" }.to_owned())
            }),
            ("line", |it| it.fill("{k}x{k} at {rate}")),
            ("pair", |it| it.fill("{k}x{k}, {length} flits, a message in {gap} cycles")),
        ],
    },
    figures: &[("gain of models", |it| match (it.number("1.model"), it.number("model")) {
        (None, _) => Some(0.0),
        (Some(_), None) => Some(f64::INFINITY),
        (Some(other), Some(model)) => Some(model / other - 1.0),
    })],
    summaries: &[("gains of models", gains)],
    claims: include_str!("adaptive_torus.ron"),
};

fn is_deterministic(it: &Lookup<'_>) -> bool {
    it.is("routing", "deterministic")
}

fn is_low(it: &Lookup<'_>) -> bool {
    it.number("rate").is_some_and(|rate| rate <= 1.0 / 500.0)
}

/// The model of a case's routing.
fn model(it: &Lookup<'_>) -> &'static str {
    if is_deterministic(it) { "stand_in" } else { "adaptive" }
}

/// Mean hops between two different nodes of an even size.
fn hops(it: &Lookup<'_>) -> Option<f64> {
    let k = it.number("k")?;
    Some(k.powf(3.0) / (2.0 * (k * k - 1.0)))
}

/// The range of the models' latencies of adaptive routing, relative to deterministic.
fn gains(all: &Rows<'_>) -> Option<String> {
    let most = all.at_most(|it| it.number("gain.model"))?;
    let least = all.at_most(|it| Some(-it.number("gain.model")?))?;
    let beyond = all.counted(|it| it.number("1.model").is_none());
    Some(format!(
        "adaptive latency {} % ({}) to {} % ({}) of the deterministic one; {beyond} of {} conditions lie \
         beyond the saturation of our substitute for the deterministic model",
        percent(most.number("gain.model")?, 1),
        most.text("pair")?,
        percent(least.number("gain.model")?, 1),
        least.text("pair")?,
        all.count()
    ))
}
