//! Claims of Colajanni, Ciciani and Tucci on circuit switching in hypercubes.
//!
//! Hold, drop and adaptive conflict resolution are compared, by models and by simulation. Times are
//! mean transmission times except in figure 11.

use super::truth;
use crate::experiment::reproduce::Verdict;
use crate::experiment::reproduce::claim::{Paper, Row, Rows, percent};
use crate::experiment::reproduce::lookup::{Derived, Lookup};
use crate::units::CYCLES_PER_TIME;

pub(super) const PAPER: Paper = Paper {
    name: "circuits",
    derived: Derived {
        numbers: &[
            ("cycles", |it| Some(counted(it)? + counted(it)? / 2.0)),
            ("warm_up", |it| Some(counted(it)? / 2.0)),
            ("latency_in_times", |it| Some(it.number("latency")? / cycles_per_time(it))),
            ("dimensions", |it| it.number("size").filter(|_| it.is("network", "hypercube"))),
            ("set_up", set_up),
            ("refined_within", |it| it.number("refined").filter(|_| is_held(it)).map(|_| 0.05)),
            ("refined_aborts_within", refined_aborts_within),
            ("is_solved_by_text", |it| truth(it.number("text").is_some())),
            ("is_solved_as_printed", |it| truth(it.number("text_printed").is_some())),
            ("is_known", |it| truth(it.number("independent").is_some())),
            ("is_known_with_aborts", |it| truth(it.number("independent_aborts").is_some())),
            ("independent_within", |it| independent_within(it, "independent")),
            ("independent_aborts_within", |it| independent_within(it, "independent_aborts")),
            ("is_long", |it| truth(it.number("back_off").is_some_and(|it| it >= 1.5))),
            ("least_gain", |it| {
                let longest = if it.is_quick() { 1.5 } else { 2.0 };
                it.equals("data_mean", longest).then_some(0.0)
            }),
            ("most_gain", |it| it.equals("data_mean", 0.1).then_some(0.0)),
            ("is_below_saturation", |it| {
                let is_hypercube = !it.is("set", "torus");
                truth(is_hypercube && is_at_most(it, "service", 0.01) && !is_above(it, 0.9))
            }),
            ("is_near_saturation", |it| truth(is_above(it, 0.9))),
            ("refined_off", |it| it.above("refined")),
            ("text_off", |it| it.above("text")),
            ("is_slow", |it| {
                let is_short =
                    it.is_quick() && it.equals("rate", 0.17) && it.equals("service", 0.07);
                truth(it.equals("service", 0.1) || is_short)
            }),
            ("least_times", |it| {
                let is_judged = it.equals("rate", 0.1) && !it.is("conflict", "adaptive");
                is_judged.then_some(10.0)
            }),
        ],
        texts: &[
            ("name", name),
            ("full_name", |it| {
                let sets = ["figure 10", "figure 11", "service times"];
                let has_conflict = sets.iter().any(|set| it.is("set", set));
                it.fill(if has_conflict { "{set}: {name}" } else { "{set}: {conflict}, {name}" })
            }),
            ("scenario", |it| {
                it.fill(if is_torus(it) {
                    "papers/circuit-torus-hold-8x8"
                } else if is_worm(it) {
                    "hypercube-6"
                } else {
                    "papers/circuit-{conflict}-8"
                })
            }),
            ("message_rate", |it| Some((it.number("rate")? / cycles_per_time(it)).to_string())),
            ("lengths", lengths),
            ("radix", |it| if is_torus(it) { it.fill("[{size}, {size}]") } else { None }),
        ],
    },
    figures: &[
        ("text as printed", |it| match (it.number("text_printed"), it.number("1.text_printed")) {
            (Some(own), Some(best)) => Some(own - best),
            (Some(_), None) => Some(-1.0),
            (None, _) => Some(0.0),
        }),
        ("below exponential", |it| Some(it.number("2.latency")? / it.number("latency")? - 1.0)),
        ("growth beyond adaptive", |it| {
            let adaptive = it.number("2.set_up")? - it.number("3.set_up")?;
            Some(it.number("more.set_up")? - adaptive)
        }),
    ],
    summaries: &[
        ("fall", |all| {
            let falls = all.rises("back_off", "latency");
            Some(
                if falls { "falling with the back-off all the way" } else { "not only falling" }
                    .into(),
            )
        }),
        ("others", others),
        ("crossing", |all| Some(crossing(all, "gain.latency"))),
        ("crossing of models", |all| Some(crossing(all, "more.refined"))),
        ("refined bound", |all| lower_bound(all, "refined")),
        ("text bound", |all| lower_bound(all, "text")),
    ],
    claims: include_str!("circuits.ron"),
};

fn is_torus(it: &Lookup<'_>) -> bool {
    it.is("network", "one-way torus")
}

/// True for worms in place of circuits.
fn is_worm(it: &Lookup<'_>) -> bool {
    it.is("set", "worms")
}

/// Cycles in a unit of time, in which worms are measured.
fn cycles_per_time(it: &Lookup<'_>) -> f64 {
    if is_worm(it) { CYCLES_PER_TIME as f64 } else { 1.0 }
}

fn name(it: &Lookup<'_>) -> Option<String> {
    it.fill(match it.text("set")?.as_str() {
        "figure 6" => "services of {service} at {rate}",
        "figure 7" => "{law} at {rate}",
        "figure 8" | "figure 9" => "back-off {back_off} at {rate}",
        "figure 10" => "{conflict}, {size} dimensions at {rate}",
        "figure 11" => "{conflict}, data {data_mean}",
        "failed links" => "{strategy}, failed: {failed}",
        "stages" => "{network}, {strategy} at {rate}",
        "service times" => "{conflict}, services of {service} at {rate}",
        _ => "{size}x{size} at {rate}",
    })
}

fn lengths(it: &Lookup<'_>) -> Option<String> {
    let mean = it.number("data_mean")?;
    if is_worm(it) {
        let flits = |share: f64| share * mean * CYCLES_PER_TIME as f64;
        return Some(format!("Uniform(min: {:.0}, max: {:.0})", flits(0.1), flits(1.9)));
    }
    match it.text("law")?.as_str() {
        "constant" => Some(format!("Fixed({mean})")),
        "uniform" => Some(format!("Uniform(min: {:.4}, max: {:.4})", 0.1 * mean, 1.9 * mean)),
        "exponential" => Some(format!("Exponential(mean: {mean})")),
        _ => None,
    }
}

/// The time with counted messages. A third of the run is discarded: the warm-up detection by the
/// first messages of each node would end before a network near saturation has filled.
fn counted(it: &Lookup<'_>) -> Option<f64> {
    let size = it.number("size")?;
    let nodes = if is_torus(it) { size * size } else { 2_f64.powf(size) };
    let per_time = it.number("rate")? * nodes;
    if is_worm(it) {
        return Some(100.0 * CYCLES_PER_TIME as f64);
    }
    let [least, most, short, long] = if it.is_quick() {
        [6_000.0, 40_000.0, 160.0, 240.0]
    } else {
        [15_000.0, 100_000.0, 300.0, 600.0]
    };
    Some((least / per_time).max((most / per_time).max(short).min(long)))
}

fn set_up(it: &Lookup<'_>) -> Option<f64> {
    Some(it.number("latency")? - it.number("network_latency")?)
}

/// True if the rate exceeds this share of the saturation rate in the refined model of hold.
fn is_above(it: &Lookup<'_>, share: f64) -> bool {
    let is_above = |rate| it.number("refined.limit").is_some_and(|limit| rate > share * limit);
    // The search for the limit takes long, and only that of hold is used.
    it.is("conflict", "hold") && it.number("rate").is_some_and(is_above)
}

fn is_at_most(it: &Lookup<'_>, name: &str, most: f64) -> bool {
    it.number(name).is_some_and(|number| number <= most)
}

/// True for cases with a tolerance for the refined model: excludes cases near saturation, cases
/// limited by controllers, and tori limited by deadlocks.
fn is_held(it: &Lookup<'_>) -> bool {
    !is_above(it, 0.94)
        && is_at_most(it, "service", 0.01)
        && (!is_torus(it) || is_at_most(it, "independent_aborts", 0.04))
}

fn refined_aborts_within(it: &Lookup<'_>) -> Option<f64> {
    let is_figure = ["figure 7", "figure 8", "figure 9"].iter().any(|set| it.is("set", set));
    it.number("refined").filter(|_| is_figure)?;
    Some(if it.is("conflict", "adaptive") {
        if it.number("back_off").is_some_and(|it| it >= 1.0) { 0.05 } else { 0.07 }
    } else if it.is("law", "exponential") && is_at_most(it, "back_off", 0.4) {
        0.10
    } else {
        0.06
    })
}

/// The tolerance between two simulations, for cases insensitive to the run length, if the other
/// simulation's interval takes at most half the tolerance.
fn independent_within(it: &Lookup<'_>, figure: &str) -> Option<f64> {
    let within = if it.is_quick() { 0.05 } else { 0.02 };
    let is_stationary =
        it.number("independent")? <= 6.0 * it.number("data_mean")? && !is_above(it, 0.9);
    let half = it.number(&format!("{figure}_half"))?;
    (is_stationary && half <= within / 2.0 * it.number(figure)?).then_some(within)
}

/// Adaptive compared with the other strategies.
fn others(all: &Rows<'_>) -> Option<String> {
    let (failing, count) = (all.with(Verdict::DoesNotHold), all.count());
    if failing == 0 {
        let least = percent(all.least(Row::mean)?, 1);
        return Some(format!("the others are {least} % off at least, in {count} comparisons"));
    }
    let list = all.list(|it| {
        it.found.filter(|found| found.verdict == Verdict::DoesNotHold)?;
        let (other, own) = (it.number("1.latency")?, it.number("latency")?);
        Some(format!("{other:.3} against {own:.3} ({})", it.partner(1)?.text("name")?))
    });
    Some(format!("not in {failing} of {count} comparisons: {list}"))
}

/// The data time from which on drop is better than hold.
fn crossing(all: &Rows<'_>, difference: &str) -> String {
    let at = all.crosses("data_mean", |it| it.number(difference));
    at.map_or_else(|| "nowhere".to_owned(), |at| format!("at {at:.2}"))
}

/// A model compared with simulation.
fn lower_bound(all: &Rows<'_>, model: &str) -> Option<String> {
    let off = |it: &Row<'_>| it.number(model).and_then(|_| it.mean());
    let unsolved = all.counted(|it| it.number(model).is_none());
    Some(format!(
        "above it by more than 0.5 % at {} of {} points, undecided at {}; {} % to {} % ({}); without a solution \
         at {unsolved}",
        all.with(Verdict::DoesNotHold) as f64 - unsolved as f64,
        all.count(),
        all.with(Verdict::Undecided),
        percent(all.least(off)?, 1),
        percent(all.most(off)?, 1),
        all.at_most(off)?.fill("{set}: {name}")?
    ))
}
