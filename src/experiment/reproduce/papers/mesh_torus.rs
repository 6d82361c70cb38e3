//! Greenberg and Guan: latency of a mesh and of a one-way torus with the same bisection. The paper
//! prints no values: its curves are compared among themselves.

use super::truth;
use crate::experiment::reproduce::claim::{Claim, Paper, Row, percent};
use crate::experiment::reproduce::lookup::{Derived, Lookup};

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
        ],
        texts: &[
            ("name", |it| it.fill("{network} {k}x{k}, {length} flits")),
            ("scenario", |it| {
                let is_mesh = it.is("network", "mesh");
                Some(if is_mesh { "mesh" } else { "uni-torus" }.to_owned())
            }),
            ("message_rate", message_rate),
        ],
    },
    claims,
};

/// True if the case runs at its own network's rates: the mesh also runs at the torus's rates.
fn is_own_rate(it: &Lookup<'_>) -> bool {
    it.value("at").is_some_and(|at| it.value("network") == Some(at))
}

/// True for loads with a comparison to the model, in units of the saturation rate.
fn is_compared(it: &Lookup<'_>) -> bool {
    is_own_rate(it) && it.number("load").is_some_and(|load| load <= 0.9)
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
    let k = it.number("k")?;
    Some(if it.is("network", "mesh") { 2.0 * k / 3.0 } else { k * k / (k + 1.0) })
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

fn claims() -> Vec<Claim> {
    let agrees = |says: &str, network: &'static str| {
        let says = format!(
            "Section 4: {says} simulation (within 3, 7, 10 and 18 % of simulation up to 40, 60, 75 and 90 % of \
             its saturation)"
        );
        let off = |it: &Row<'_>| it.deviation("model", "latency");
        Claim::new(says, move |it| it.is("network", network) && is_compared(it))
            .each_in(off, |it, _| within(it).map_or([f64::NAN; 2], |within| [-within, within]))
            .evidence(move |all| {
                Some(format!("model to simulation: {}", all.spread(off, "{name} at {load}")?))
            })
    };
    let is_torus = |it: &Lookup<'_>| it.is("network", "torus");
    let is_mesh_of = |it: &Lookup<'_>, mesh: &Lookup<'_>| {
        mesh.is("network", "mesh") && it.same(mesh, &["k", "length"])
    };
    let is_mesh_at_rate =
        move |it: &Lookup<'_>, mesh: &Lookup<'_>| is_mesh_of(it, mesh) && it.same(mesh, &["rate"]);
    let excess =
        |it: &Row<'_>| Some(it.number("latency")? / (it.number("length")? + distance(it)?) - 1.0);
    let share = |it: &Row<'_>, of: &str| Some(it.number(of)? / it.other(of)?);
    vec![
        agrees("the mesh model agrees well with", "mesh"),
        agrees("the torus model corresponds closely to", "torus"),
        Claim::new(
            "Section 4: the torus saturates at about half the rate of the mesh (0.35 to 0.65 of it)",
            is_torus,
        )
        .by_curve()
        .beside(is_mesh_of)
        .each(move |it| share(it, "saturation"), [0.35, 0.65])
        .evidence(move |all| {
            Some(all.list("; ", |it| {
                let (here, model) = (share(it, "saturation")?, share(it, "model.limit")?);
                let of = it.fill("({k}x{k}, {length} flits)")?;
                Some(format!("{here:.3} by simulation, {model:.3} by the models {of}"))
            }))
        }),
        Claim::new(
            "Section 4: at low load the torus's latency is slightly higher than the mesh's at the same rate (by up \
             to 15 %)",
            move |it| is_torus(it) && it.equals("load", 0.05),
        )
        .beside(is_mesh_at_rate)
        .each(|it| it.gain("latency"), [0.0, 0.15])
        .evidence(|all| {
            Some(all.list("; ", |it| {
                Some(format!(
                    "{:+.2} cycles, {} % ({}; the distance alone makes {:+.2})",
                    it.number("latency")? - it.other("latency")?,
                    percent(it.gain("latency")?, 1),
                    it.fill("{k}x{k}, {length} flits")?,
                    distance(it)? - distance(&it.partner(0)?)?
                ))
            }))
        }),
        Claim::new("Section 4: the mesh performs better than the torus at any rate", move |it| {
            is_torus(it) && is_compared(it)
        })
        .beside(is_mesh_at_rate)
        .each(|it| it.gain("latency"), [0.0, f64::INFINITY])
        .evidence(move |all| {
            Some(format!(
                "at {} equal rates below the torus's saturation its latency is {:.3} to {:.3} times the mesh's; \
                 beyond it only the mesh goes on",
                all.count(),
                all.least(|it| share(it, "latency"))?,
                all.most(|it| share(it, "latency"))?
            ))
        }),
        Claim::new(
            "Section 4: at very low load latency is the number of flits plus the mean distance, 2k/3 in the mesh and \
             k²/(k + 1) in the torus (within 7 % at 5 % of saturation)",
            |it| is_own_rate(it) && it.equals("load", 0.05),
        )
        .each(excess, [-0.07, 0.07])
        .evidence(move |all| {
            Some(format!(
                "{} to {} % above the rule, which leaves out one cycle (injection and ejection are channels too, so \
                 that it is one more without load)",
                percent(all.least(excess)?, 1),
                percent(all.most(excess)?, 1)
            ))
        }),
    ]
}
