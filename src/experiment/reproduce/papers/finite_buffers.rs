//! Hu and Kleinrock: delay and throughput of wormhole networks with input buffers from a fraction
//! of a worm to several worms. The paper prints neither values nor buffer sizes: its statements
//! (section 7) are judged with buffers from a quarter of a mean worm to ten.

use crate::experiment::reproduce::Verdict;
use crate::experiment::reproduce::claim::{Claim, Paper, Rows, percent};
use crate::experiment::reproduce::lookup::{Derived, Lookup};

pub(super) const PAPER: Paper = Paper {
    name: "finite-buffers",
    derived: Derived {
        numbers: &[
            ("messages", |it| Some(if it.is_quick() { 6_000.0 } else { 40_000.0 })),
            ("warm_up", |it| Some(if it.is_quick() { 30_000.0 } else { 200_000.0 })),
            ("throughput", |it| it.reaches(limit(it)?)),
            ("modelled_throughput", modelled),
        ],
        texts: &[
            ("name", |it| it.fill("{network}, buffers of {buffer} flits")),
            ("name_at", |it| Some(format!("{} at {:.4}", it.text("name")?, it.number("offered")?))),
            ("scenario", |it| {
                let is_mesh = it.is("network", "mesh 4x4");
                Some(if is_mesh { "switch-mesh-4x4-64" } else { "switch-torus-3x3-200" }.to_owned())
            }),
            ("arrivals", |it| {
                let saturation = it.number("basic.limit")? * it.number("flits")?;
                Some(format!("Poisson(load: {:.6})", it.number("share")? * saturation))
            }),
        ],
    },
    claims,
};

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

/// The deviations for every buffer size.
fn throughputs(all: &Rows<'_>, model: &str, times: f64) -> String {
    all.list(", ", |it| {
        let off = percent(throughput(it, model, times)?, 1);
        Some(format!("{off} % ({} flits)", it.text("buffer")?))
    })
}

fn is_torus(it: &Lookup<'_>) -> bool {
    it.is("network", "torus 3x3")
}

fn claims() -> Vec<Claim> {
    // Beyond its saturation a model counts as above; the margin below is negligible.
    let pessimistic = |says: &str, model: &'static str| {
        Claim::new(says, is_torus)
            .each(move |it| it.above(model), [-0.005, f64::INFINITY])
            .evidence(|all| {
                Some(format!(
                    "above simulation at {} of {} loads, below it at {} (a model counts as above beyond its \
                     saturation)",
                    all.with(Verdict::Holds),
                    all.count(),
                    all.with(Verdict::DoesNotHold)
                ))
            })
    };
    let ten_per_cent = |says: &str, torus| {
        Claim::new(says, move |it| is_torus(it) == torus)
            .by_curve()
            .each(|it| Some(-throughput(it, "basic", 10.0)?), [0.05, 0.13])
            .evidence(|all| {
                let (ten, five) = (throughputs(all, "basic", 10.0), throughputs(all, "basic", 5.0));
                Some(format!("at 10 times the delay {ten}; at 5 times {five}"))
            })
    };
    let closer = |says: &str, largest: f64| {
        Claim::new(says, move |it| {
            is_torus(it) && it.number("buffer").is_some_and(|buffer| buffer <= largest)
        })
        .by_curve()
        .each(
            |it| {
                let off = |model| Some(throughput(it, model, 10.0)?.abs());
                Some(off("modified")? - off("basic")?)
            },
            [f64::NEG_INFINITY, 0.0],
        )
        .evidence(|all| {
            let off = |model| throughputs(all, model, 10.0);
            Some(format!("modified {}; basic {}", off("modified"), off("basic")))
        })
    };
    vec![
        pessimistic(
            "Section 7: the analytical results are always pessimistic, compared to the simulation (figure 5-a)",
            "basic",
        ),
        ten_per_cent(
            "Section 7: a ten per cent difference between the throughput estimated by the model and by simulation, \
             with small and large buffers alike (5 to 13 % low, where the delay is 10 times that without load)",
            true,
        ),
        ten_per_cent(
            "The same in networks and with worms that the paper does not look at (a 4x4 mesh in order of the \
             dimensions; worms of one size)",
            false,
        )
        .fails(),
        closer(
            "Section 7: the modified model is closer to simulation (throughput, all buffers)",
            f64::INFINITY,
        )
        .fails(),
        closer(
            "Section 7: the modified model is closer to simulation (throughput, buffers of up to twice the mean worm)",
            400.0,
        ),
        pessimistic("Section 7: the modified model is still pessimistic (figure 5-b)", "modified"),
    ]
}
