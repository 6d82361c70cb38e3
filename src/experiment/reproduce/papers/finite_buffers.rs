//! Claims of Hu and Kleinrock on wormhole networks with input buffers.
//!
//! The claims concern delay and throughput, with buffers from a fraction of a worm to several
//! worms. The paper prints neither values nor buffer sizes: its statements (section 7) are judged
//! with buffers from a quarter of a mean worm to ten.

use super::truth;
use crate::experiment::reproduce::claim::Paper;
use crate::experiment::reproduce::lookup::{Derived, Lookup};

pub(super) const PAPER: Paper = Paper {
    name: "finite-buffers",
    derived: Derived {
        numbers: &[
            ("messages", |it| Some(if it.is_quick() { 6_000.0 } else { 40_000.0 })),
            ("warm_up", |it| Some(if it.is_quick() { 30_000.0 } else { 200_000.0 })),
            ("throughput", |it| it.reaches(limit(it)?)),
            ("modelled_throughput", modelled),
            ("basic_off", |it| it.above("basic")),
            ("modified_off", |it| it.above("modified")),
            ("bufferless_off", |it| it.above("bufferless")),
            ("is_buffered", |it| truth(!is_bufferless(it))),
            ("basic_at_5", |it| throughput(it, "basic", 5.0)),
            ("basic_at_10", |it| throughput(it, "basic", 10.0)),
            ("modified_at_10", |it| throughput(it, "modified", 10.0)),
            ("modified_further", |it| {
                let off = |model| Some(throughput(it, model, 10.0)?.abs());
                Some(off("modified")? - off("basic")?)
            }),
        ],
        texts: &[
            ("name", |it| {
                it.fill(if is_bufferless(it) {
                    "{network}"
                } else {
                    "{network}, buffers of {buffer} flits"
                })
            }),
            ("name_at", |it| Some(format!("{} at {:.4}", it.text("name")?, it.number("offered")?))),
            ("scenario", |it| {
                let scenario = match it.text("network")?.as_str() {
                    "mesh 4x4" => "switch-mesh-4x4-64",
                    "torus 3x3, unequal paths and links" => "switch-torus-3x3-matrix",
                    _ => "switch-torus-3x3-200",
                };
                Some(scenario.to_owned())
            }),
            ("arrivals", |it| {
                let saturation = it.number("basic.limit")? * it.number("flits")?;
                Some(format!("Poisson(load: {:.6})", it.number("share")? * saturation))
            }),
        ],
    },
    figures: &[],
    summaries: &[],
    claims: include_str!("finite_buffers.ron"),
};

/// True for links whose flits stop in flight.
fn is_bufferless(it: &Lookup<'_>) -> bool {
    it.is("network", "torus 3x3, no buffers")
}

/// Delay without load in cycles.
fn unloaded(it: &Lookup<'_>) -> Option<f64> {
    it.equations("basic")?.latency(0.0)
}

/// The delay defining the throughput of a line.
fn limit(it: &Lookup<'_>) -> Option<f64> {
    Some(it.number("times")? * unloaded(it)?)
}

/// The load at which a reading of the model reaches the delay of a line.
fn modelled(it: &Lookup<'_>) -> Option<f64> {
    let model = match it.text("reading")?.as_str() {
        "self-exclusion" => "exclusion",
        "self-exclusion everywhere" => "everywhere",
        _ => return reaches(it, &it.text("reading")?, limit(it)?),
    };
    reaches(it, model, limit(it)?)
}

/// The load at which a model reaches a delay.
fn reaches(it: &Lookup<'_>, model: &str, delay: f64) -> Option<f64> {
    Some(it.equations(model)?.reaches(delay) * it.number("flits")?)
}

/// The deviation of a model's throughput from the simulated, at a delay of `times` the delay
/// without load.
fn throughput(it: &Lookup<'_>, model: &str, times: f64) -> Option<f64> {
    let delay = times * unloaded(it)?;
    Some(reaches(it, model, delay)? / it.reaches(delay)? - 1.0)
}
