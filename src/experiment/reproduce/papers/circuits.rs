//! Colajanni, Ciciani and Tucci: circuits under hold, drop and adaptive conflict resolution in hypercubes, by
//! models and by simulation. Times are mean transmission times except in figure 11.

use super::truth;
use crate::experiment::reproduce::Verdict;
use crate::experiment::reproduce::claim::{Claim, Paper, Row, Rows, percent};
use crate::experiment::reproduce::lookup::{Derived, Lookup};

pub(super) const PAPER: Paper = Paper {
    name: "circuits",
    derived: Derived {
        numbers: &[
            ("cycles", |it| Some(counted(it)? + counted(it)? / 2.0)),
            ("warm_up", |it| Some(counted(it)? / 2.0)),
            ("dimensions", |it| if is_torus(it) { None } else { it.number("size") }),
            ("set_up", set_up),
            ("refined_within", |it| it.number("refined").filter(|_| is_held(it)).map(|_| 0.05)),
            ("refined_aborts_within", refined_aborts_within),
            ("is_solved_by_text", |it| truth(it.number("text").is_some())),
            ("is_solved_as_printed", |it| truth(it.number("text_printed").is_some())),
            ("is_known", |it| truth(it.number("independent").is_some())),
            ("is_known_with_aborts", |it| truth(it.number("independent_aborts").is_some())),
            ("independent_within", |it| independent_within(it, "independent")),
            ("independent_aborts_within", |it| independent_within(it, "independent_aborts")),
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
                    "circuit-torus-hold-8x8"
                } else {
                    "circuit-{conflict}-8"
                })
            }),
            ("lengths", lengths),
            ("radix", |it| if is_torus(it) { it.fill("[{size}, {size}]") } else { None }),
        ],
    },
    claims: || [back_offs(), strategies(), controllers()].into_iter().flatten().collect(),
};

fn is_torus(it: &Lookup<'_>) -> bool {
    it.is("network", "one-way torus")
}

fn name(it: &Lookup<'_>) -> Option<String> {
    it.fill(match it.text("set")?.as_str() {
        "figure 6" => "services of {service} at {rate}",
        "figure 7" => "{law} at {rate}",
        "figure 8" | "figure 9" => "back-off {back_off} at {rate}",
        "figure 10" => "{conflict}, {size} dimensions at {rate}",
        "figure 11" => "{conflict}, data {data_mean}",
        "service times" => "{conflict}, services of {service} at {rate}",
        _ => "{size}x{size} at {rate}",
    })
}

fn lengths(it: &Lookup<'_>) -> Option<String> {
    let mean = it.number("data_mean")?;
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

type Str = &'static str;

fn is_of(set: Str, name: Str, text: Str) -> impl Fn(&Lookup<'_>) -> bool {
    move |it| it.is("set", set) && it.is(name, text)
}

/// Drop under a distribution of data times, compared with constant times.
fn insensitive(says: &str, law: Str) -> Claim {
    Claim::new(says, is_of("figure 7", "law", law))
        .beside(|it, other| {
            is_of("figure 7", "law", "constant")(other) && it.same(other, &["rate"])
        })
        .each(|it| it.gain("latency"), [-0.05, 0.05])
        .evidence(move |all| {
            let all =
                all.list(", ", |it| Some(format!("{} % ({})", it.percent(1)?, it.text("rate")?)));
            Some(format!("{law} from constant, by rate: {all}"))
        })
}

/// Cases of figure 9 compared with a back-off of 1.2.
fn along_back_offs(says: &str) -> Claim {
    Claim::new(says, |it| it.is("set", "figure 9"))
        .fails()
        .beside(|it, best| it.same(best, &["set", "rate"]) && best.equals("back_off", 1.2))
}

fn by_back_off(all: &Rows<'_>, figure: &str) -> String {
    all.falling("back_off")
        .list(", ", |it| Some(format!("{:.3} ({})", it.number(figure)?, it.text("back_off")?)))
}

/// Adaptive compared with the other strategies.
fn lowest(says: &str, set: Str) -> Claim {
    let others = |it: &Row<'_>| Some(it.other("latency")? / it.number("latency")? - 1.0);
    Claim::new(says, is_of(set, "conflict", "adaptive"))
        .beside_every(|it, other| {
            it.same(other, &["set", "size", "rate", "data_mean"])
                && !other.is("conflict", "adaptive")
        })
        .each(others, [0.0, f64::INFINITY])
        .evidence(|all| {
            let (failing, count) = (all.with(Verdict::DoesNotHold), all.count());
            if failing == 0 {
                let least = percent(all.least(Row::mean)?, 1);
                return Some(format!(
                    "the others are {least} % off at least, in {count} comparisons"
                ));
            }
            let list = all.list(", ", |it| {
                it.found.filter(|found| found.verdict == Verdict::DoesNotHold)?;
                let (other, own) = (it.other("latency")?, it.number("latency")?);
                Some(format!("{other:.3} against {own:.3} ({})", it.partner(0)?.text("name")?))
            });
            Some(format!("not in {failing} of {count} comparisons: {list}"))
        })
}

/// A model against simulation; a model up to 0.5 % above simulation still counts as a lower bound.
fn lower_bound(says: &str, model: Str, is_adaptive: bool) -> Claim {
    Claim::new(format!("The model is a lower bound of simulation: {says}"), move |it| {
        it.is("conflict", "adaptive") == is_adaptive
            && !it.is("set", "torus")
            && is_at_most(it, "service", 0.01)
            && !is_above(it, 0.9)
    })
    .each(move |it| it.above(model), [f64::NEG_INFINITY, 0.005])
    .evidence(move |all| {
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
    })
}

fn back_offs() -> Vec<Claim> {
    let is_long = |it: &Lookup<'_>| it.number("back_off").is_some_and(|back_off| back_off >= 1.5);
    vec![
        insensitive(
            "Figure 7: the latency of drop is insensitive to the law of the data time: constant and uniform (within 5 %)",
            "uniform",
        ),
        insensitive("Figure 7: the same of constant and exponential data times", "exponential").fails(),
        Claim::new(
            "Figures 8 and 9: with back-offs of 1.5 and more the aborts do not depend on the back-off (within 2 %)",
            move |it| (it.is("set", "figure 8") || it.is("set", "figure 9")) && is_long(it),
        )
        .beside_every(move |it, other| {
            it.same(other, &["set", "rate"]) && is_long(other) && other.place > it.place
        })
        .each(|it| it.gain("aborts"), [-0.02, 0.02])
        .evidence(|all| {
            let all = all.groups("{set} {rate}", ", ", |all, it| {
                let most = all.most(|it| Some(it.mean()?.abs()))?;
                Some(format!("{:.1} % {}", 100.0 * most, it.fill("({conflict} at {rate})")?))
            })?;
            Some(format!("the most are above the fewest by {all}"))
        }),
        Claim::new(
            "Figure 8: the aborts of adaptive drop a little when the back-off shrinks to 0.3",
            |it| it.is("set", "figure 8") && it.equals("back_off", 0.3),
        )
        .fails()
        .beside(|it, long| it.same(long, &["set", "rate"]) && long.equals("back_off", 3.0))
        .each(|it| it.gain("aborts"), [f64::NEG_INFINITY, 0.0])
        .evidence(|all| {
            let all = all.list("; ", |it| {
                let (short, long) = (it.number("aborts")?, it.other("aborts")?);
                let rate = it.text("rate")?;
                Some(format!("{short:.3} at 0.3 against {long:.3} at 3 (rate {rate})"))
            });
            Some(format!("aborts per message: {all}"))
        }),
        along_back_offs(
            "Figure 9: drop is best with a back-off near 1.2; its latency grows sharply near 1.0, is better at 0.7 and \
             collapses at 0.4",
        )
        .each(|it| it.gain("latency"), [0.0, f64::INFINITY])
        .evidence(|all| {
            let all = all.groups("{rate}", "; ", |all, it| {
                let falls = all.rises("back_off", "latency");
                let how =
                    if falls { "falling with the back-off all the way" } else { "not only falling" };
                Some(format!("at rate {}, {how}: {}", it.text("rate")?, by_back_off(all, "latency")))
            })?;
            Some(format!("latency by back-off: {all}"))
        }),
        along_back_offs("Figure 9: the same by the model with (13) added to every request, as (10) is typeset")
            .each(
                |it| match (it.number("text_printed"), it.other("text_printed")) {
                    (Some(own), Some(best)) => Some(own - best),
                    (Some(_), None) => Some(-1.0),
                    (None, _) => Some(0.0),
                },
                [0.0, f64::INFINITY],
            )
            .evidence(|all| {
                let all = all.groups("{rate}", "; ", |all, it| {
                    Some(format!("at rate {} {}", it.text("rate")?, by_back_off(all, "text_printed")))
                })?;
                Some(format!(
                    "latency by back-off, which grows and collapses as the paper says, with another optimum: {all}"
                ))
            }),
    ]
}

fn strategies() -> Vec<Claim> {
    vec![
        Claim::new(
            "Figure 10: adaptive is almost insensitive to the number of dimensions (latencies within 3 % at every rate)",
            is_of("figure 10", "conflict", "adaptive"),
        )
        .beside_every(|it, other| {
            it.same(other, &["set", "conflict", "rate"]) && other.place > it.place
        })
        .each(|it| it.gain("latency"), [-0.03, 0.03])
        .evidence(|all| {
            all.groups("{rate}", ", ", |all, first| {
                let last = all.0.last()?.partner(0)?;
                let within = |it: &Lookup<'_>| {
                    Some(format!("{:.3} in {}", it.number("latency")?, it.text("size")?))
                };
                let (low, high, rate) = (within(first)?, within(&last)?, first.text("rate")?);
                Some(format!("{low} to {high} dimensions (rate {rate})"))
            })
        }),
        lowest("Figure 10: adaptive has the lowest latency at all loads and in all dimensions", "figure 10"),
        lowest("Figure 11: adaptive has the lowest latency for every data time", "figure 11").fails(),
        Claim::new(
            "Figure 11: hold is better than drop for short data, drop is better for long",
            is_of("figure 11", "conflict", "hold"),
        )
        .beside(|it, drop| it.same(drop, &["set", "data_mean"]) && drop.is("conflict", "drop"))
        .each_in(|it| it.gain("latency"), |it, all| {
            let mean = |it: &Row<'_>| it.number("data_mean");
            [
                if mean(it) == all.most(mean) { 0.0 } else { f64::NEG_INFINITY },
                if mean(it) == all.least(mean) { 0.0 } else { f64::INFINITY },
            ]
        })
        .evidence(move |all| {
            let better = |difference: &dyn Fn(&Row<'_>) -> Option<f64>| {
                let at = all.crosses("data_mean", difference);
                at.map_or_else(|| "nowhere".to_owned(), |at| format!("at {at:.2}"))
            };
            let list = all.falling("data_mean").list(", ", |it| {
                Some(format!("{:.3} ({})", it.gain("latency")?, it.text("data_mean")?))
            });
            Some(format!(
                "drop becomes better {} by simulation, {} by the models; hold from drop by data time, as a share: {list}",
                better(&|it| it.gain("latency")),
                better(&|it| Some(it.number("refined")? - it.other("refined")?))
            ))
        }),
        lower_bound("refined, hold (up to 0.9 of saturation) and drop, service times up to 0.01", "refined", false),
        lower_bound("refined, adaptive", "refined", true).fails(),
        lower_bound("the paper's own equations, hold and drop", "text", false).fails(),
    ]
}

fn controllers() -> Vec<Claim> {
    let growth = |it: &Row<'_>, fast: usize| {
        let slow = if fast == 0 { it.case } else { it.partner(fast - 1)? };
        Some(set_up(&slow)? - set_up(&it.partner(fast)?)?)
    };
    let is_service_time = |it: &Lookup<'_>, other: &Lookup<'_>, service: f64| {
        it.same(other, &["set", "rate"]) && other.equals("service", service)
    };
    vec![
        Claim::new(
            "Section 6.1: slower controllers cost hold and drop more than adaptive (set-up time)",
            |it| {
                it.is("set", "service times") && it.equals("rate", 0.1) && it.equals("service", 0.1)
            },
        )
        .beside(move |it, fast| is_service_time(it, fast, 0.001) && it.same(fast, &["conflict"]))
        .beside(move |it, other| {
            is_service_time(it, other, 0.1) && other.is("conflict", "adaptive")
        })
        .beside(move |it, other| {
            is_service_time(it, other, 0.001) && other.is("conflict", "adaptive")
        })
        .each(move |it| Some(growth(it, 0)? - growth(it, 2)?), [0.0, f64::INFINITY])
        .evidence(move |all| {
            let it = all.first()?;
            let list = all
                .list(", ", |it| Some(format!("{} {:.3}", it.text("conflict")?, growth(it, 0)?)));
            let fast = it.partner(0)?.text("service")?;
            let of = it.fill("{service} at rate {rate}")?;
            Some(format!("from services of {fast} to {of} the set-up grows by: {list}"))
        }),
        // Latencies ten times the latency with fast controllers count as saturation.
        Claim::new(
            "Section 6.1: hold and drop saturate for service times above 0.01 (at rate 0.1)",
            |it| {
                let is_short =
                    it.is_quick() && it.equals("rate", 0.17) && it.equals("service", 0.07);
                it.is("set", "service times") && (it.equals("service", 0.1) || is_short)
            },
        )
        .fails()
        .beside(move |it, fast| is_service_time(it, fast, 0.001) && it.same(fast, &["conflict"]))
        .each_in(
            |it| Some(it.number("latency")? / it.other("latency")?),
            |it, _| {
                let is_judged = it.equals("rate", 0.1) && !it.is("conflict", "adaptive");
                [if is_judged { 10.0 } else { f64::NEG_INFINITY }, f64::INFINITY]
            },
        )
        .evidence(|all| {
            let all = all.list(", ", |it| {
                let of = it.fill("(services of {service}, rate {rate})")?;
                Some(format!("{} {:.2} {of}", it.text("conflict")?, it.number("latency")?))
            });
            Some(format!("latency with the slowest controllers: {all}"))
        }),
    ]
}
