//! Claims of Greenberg and Guan on a mesh and a one-way torus.
//!
//! Both networks have the same bisection. The paper prints no values: its curves are compared among
//! themselves.

mod layout;

use super::truth;
use crate::experiment::reproduce::claim::Paper;
use crate::experiment::reproduce::lookup::{Derived, Lookup};
use layout::Layout;

pub(super) const PAPER: Paper = Paper {
    name: "mesh-torus",
    derived: Derived {
        numbers: &[
            ("cycles", |it| Some(if it.is_quick() { 20_000.0 } else { 60_000.0 })),
            ("is_run", |it| {
                truth(is_own_rate(it) || it.number("load").is_some_and(|it| it <= 0.9))
            }),
            ("is_own_rate", |it| truth(is_own_rate(it))),
            ("is_compared", |it| truth(is_compared(it))),
            // The latency defining saturation, in multiples of the latency without load.
            ("saturation", |it| it.reaches(5.0 * unloaded(it)?)),
            ("within", within),
            ("distance", distance),
            ("model_off", |it| it.deviation("model", "latency")),
            ("bisection", |it| Some(layout(it)?.bisection)),
            ("pitch", |it| Some(layout(it)?.pitch)),
            ("area", |it| Some(layout(it)?.area())),
            ("reach", |it| Some(layout(it)?.reach)),
            ("wire", |it| Some(layout(it)?.wire())),
            ("long_links", |it| Some(layout(it)?.long_links)),
            ("excess", |it| {
                Some(it.number("latency")? / (it.number("length")? + distance(it)?) - 1.0)
            }),
        ],
        texts: &[
            ("name", |it| {
                let is_flat = it.equals("dimensions", 2.0);
                it.fill(if is_flat {
                    "{network} {k}x{k}, {length} flits"
                } else {
                    "torus {k}x{k}x{k}, {length} flits"
                })
            }),
            ("scenario", |it| {
                it.fill(match it.text("network")?.as_str() {
                    "mesh" => "mesh-{k}x{k}-{length}",
                    "torus" => "uni-torus-{k}x{k}-{length}",
                    _ => "uni-torus-8x8-{length}",
                })
            }),
            ("message_rate", message_rate),
            ("line", |it| it.fill("{name} at {load}")),
        ],
    },
    figures: &[
        // Narrower channels carry messages of more flits, and saturate at a lower rate by this factor.
        ("at equal area", |it| Some(it.number("times.saturation")? / it.number("times.pitch")?)),
        // With cycles as long as the longest wire, besides.
        ("at equal wires", |it| Some(it.number("times.saturation")? / it.number("times.wire")?)),
    ],
    summaries: &[],
    claims: include_str!("mesh_torus.ron"),
};

/// True if the case runs at its own network's rates: the mesh also runs at the torus's rates.
fn is_own_rate(it: &Lookup<'_>) -> bool {
    it.value("at").is_some_and(|at| it.value("network") == Some(at))
}

/// True for loads with a comparison to the model, in units of the saturation rate.
fn is_compared(it: &Lookup<'_>) -> bool {
    is_own_rate(it) && it.number("load").is_some_and(|load| load <= 0.9)
}

fn layout(it: &Lookup<'_>) -> Option<Layout> {
    let of = if it.is("network", "mesh") { Layout::mesh } else { Layout::torus };
    it.number("k").map(of)
}

/// The maximum deviation of the model from simulation.
fn within(it: &Lookup<'_>) -> Option<f64> {
    Some(match it.number("load")? {
        load if load <= 0.4 => 0.03,
        load if load <= 0.6 => 0.07,
        load if load <= 0.75 => 0.10,
        _ => 0.18,
    })
}

/// Mean number of channels per path without injection and ejection (section 4).
fn distance(it: &Lookup<'_>) -> Option<f64> {
    let (k, nodes) = (it.number("k")?, it.number("k")?.powf(it.number("dimensions")?));
    let around = (k - 1.0) / 2.0 * nodes / (nodes - 1.0);
    Some(if it.is("network", "mesh") { 2.0 * k / 3.0 } else { it.number("dimensions")? * around })
}

/// Latency in an empty network, including injection and ejection, in cycles.
fn unloaded(it: &Lookup<'_>) -> Option<f64> {
    Some(it.number("length")? + distance(it)? + 1.0)
}

fn message_rate(it: &Lookup<'_>) -> Option<String> {
    let limit = if is_own_rate(it) {
        it.number("model.limit")?
    } else {
        let torus = it.fill("papers/uni-torus-{k}x{k}-{length}")?;
        it.limit_of(&torus, "one-way torus", "corrected")?
    };
    Some(format!("{:.9}", it.number("load")? * limit))
}
