//! The paper's sentences about its figures, judged by simulation and by the models.

use std::sync::Arc;

use super::case::{All, Case, Law, Set, Strategy, Theory, same, values};
use super::controllers::{SLOW, slow_saturate, slower_controllers};
use crate::experiment::reproduce::{Claim, Judgement, Results};
use crate::stats::Estimate;

/// What is noticeable between two simulated figures beyond their intervals, as a share.
const NOTICEABLE: f64 = 0.005;
/// "Almost insensitive": the largest from the least latency, as a share.
const INSENSITIVE: f64 = 0.03;
/// Aborts "do not depend" on the back-off: the most from the fewest, as a share, beyond intervals.
const INDEPENDENT: f64 = 0.02;
/// Back-offs from which aborts should not depend on them.
const LONG_BACK_OFF: f64 = 1.5;
/// "Insensitive to the law of the data": latencies from each other, as a share.
const SAME_LAW: f64 = 0.05;
/// The share of hold's saturation rate up to which its refined model is looked at as a lower bound.
const BOUND_UP_TO: f64 = 0.9;
/// The back-off that the paper calls the best for drop.
const BEST_BACK_OFF: f64 = 1.2;

/// Half the width of an interval as a share of the mean.
fn uncertain(estimate: Estimate) -> f64 {
    estimate.half_width.unwrap_or_default() / estimate.mean
}

/// All claims, in the order of the figures.
pub fn claims(all: &Arc<All>) -> Vec<Claim> {
    let judged = |judge: fn(&All, &Results) -> Option<Judgement>| {
        let all = Arc::clone(all);
        move |results: &Results| judge(&all, results)
    };
    vec![
        Claim::holds(
            "Figure 7: the latency of drop is insensitive to the law of the data time: constant and \
             uniform (within 5 %)",
            judged(|all, results| laws(all, results, Law::Uniform)),
        ),
        Claim::fails(
            "Figure 7: the same of constant and exponential data times",
            judged(|all, results| laws(all, results, Law::Exponential)),
        ),
        Claim::holds(
            "Figures 8 and 9: with back-offs of 1.5 and more the aborts do not depend on the \
             back-off (within 2 % beyond the intervals)",
            judged(long_back_offs),
        ),
        Claim::fails(
            "Figure 8: the aborts of adaptive drop a little when the back-off shrinks to 0.3",
            judged(short_back_offs),
        ),
        Claim::fails(
            "Figure 9: drop is best with a back-off near 1.2; its latency grows sharply near 1.0, \
             is better at 0.7 and collapses at 0.4",
            judged(best_back_off),
        ),
        Claim::fails(
            "Figure 9: the same by the model with (13) added to every request, as (10) is typeset",
            judged(|all, _| best_back_off_as_printed(all)),
        ),
        Claim::holds(
            "Figure 10: adaptive is almost insensitive to the number of dimensions (latencies within \
             3 % at every rate)",
            judged(insensitive),
        ),
        Claim::holds(
            "Figure 10: adaptive has the lowest latency at all loads and in all dimensions",
            judged(|all, results| best(all, results, Set::Figure10)),
        ),
        Claim::fails(
            "Figure 11: adaptive has the lowest latency for every data time",
            judged(|all, results| best(all, results, Set::Figure11)),
        ),
        Claim::holds(
            "Figure 11: hold is better than drop for short data, drop is better for long",
            judged(crossing),
        ),
        Claim::holds(
            "The model is a lower bound of simulation: refined, hold (up to 0.9 of saturation) and \
             drop, service times up to 0.01",
            judged(|all, results| {
                bound(all, results, &[Strategy::Hold, Strategy::Drop], |case| case.refined)
            }),
        ),
        Claim::fails(
            "The model is a lower bound of simulation: refined, adaptive",
            judged(|all, results| bound(all, results, &[Strategy::Adaptive], |case| case.refined)),
        ),
        Claim::fails(
            "The model is a lower bound of simulation: the paper's own equations, hold and drop",
            judged(|all, results| {
                bound(all, results, &[Strategy::Hold, Strategy::Drop], |case| case.text)
            }),
        ),
        Claim::holds(
            "Section 6.1: slower controllers cost hold and drop more than adaptive (set-up time)",
            judged(slower_controllers),
        ),
        Claim::fails(
            "Section 6.1: hold and drop saturate for service times above 0.01 (at rate 0.1)",
            judged(slow_saturate),
        ),
    ]
}

/// Latencies of drop under `law` from those under constant data times.
fn laws(all: &All, results: &Results, law: Law) -> Option<Judgement> {
    let mut each = Vec::new();
    let mut holds = true;
    let under = |law| all.of(Set::Figure7).filter(move |case| case.condition.law == law);
    for constant in under(Law::Constant) {
        let rate = constant.condition.rate;
        let other = under(law).find(|case| same(case.condition.rate, rate))?;
        let deviation = other.latency(results)?.mean / constant.latency(results)?.mean - 1.0;
        holds &= deviation.abs() <= SAME_LAW;
        each.push(format!("{:+.1} % ({rate})", 100.0 * deviation));
    }
    let evidence = format!("{} from constant, by rate: {}", law.name(), each.join(", "));
    Some(Judgement::of(holds, evidence))
}

/// Aborts at back-offs of [`LONG_BACK_OFF`] and more against each other.
fn long_back_offs(all: &All, results: &Results) -> Option<Judgement> {
    let mut holds = true;
    let mut each = Vec::new();
    for set in [Set::Figure8, Set::Figure9] {
        for rate in values(all.of(set), |condition| condition.rate) {
            let long = all.of(set).filter(|case| {
                let back_off = case.condition.back_off;
                same(case.condition.rate, rate) && back_off.is_some_and(|it| it >= LONG_BACK_OFF)
            });
            let aborts: Option<Vec<Estimate>> = long.map(|case| case.aborts(results)).collect();
            let mut aborts = aborts?;
            aborts.sort_by(|a, b| a.mean.total_cmp(&b.mean));
            let (Some(&fewest), Some(&most)) = (aborts.first(), aborts.last()) else { continue };
            if aborts.len() < 2 {
                continue;
            }
            let spread = most.mean / fewest.mean - 1.0;
            let doubt = uncertain(fewest) + uncertain(most);
            holds &= spread <= INDEPENDENT + doubt;
            let strategy = if set == Set::Figure8 { "adaptive" } else { "drop" };
            let text =
                format!("{:.1} ± {:.1} % ({strategy} at {rate})", 100.0 * spread, 100.0 * doubt);
            each.push(text);
        }
    }
    let evidence = format!("the most are above the fewest by {}", each.join(", "));
    Some(Judgement::of(holds, evidence))
}

/// Aborts of adaptive at the shortest back-off against those at the longest.
fn short_back_offs(all: &All, results: &Results) -> Option<Judgement> {
    let mut holds = true;
    let mut each = Vec::new();
    for rate in values(all.of(Set::Figure8), |condition| condition.rate) {
        let at_rate = all.of(Set::Figure8).filter(|case| same(case.condition.rate, rate));
        let back_offs = by_back_off(at_rate);
        let (Some((short, shortest)), Some((long, longest))) =
            (back_offs.first(), back_offs.last())
        else {
            continue;
        };
        if short >= long {
            continue;
        }
        let (few, many) = (shortest.aborts(results)?.mean, longest.aborts(results)?.mean);
        holds &= few < many;
        each.push(format!("{few:.3} at {short} against {many:.3} at {long} (rate {rate})"));
    }
    Some(Judgement::of(holds, format!("aborts per message: {}", each.join("; "))))
}

/// Cases with their back-off, the shortest first.
fn by_back_off<'a>(cases: impl Iterator<Item = &'a Case>) -> Vec<(f64, &'a Case)> {
    let mut found: Vec<(f64, &Case)> =
        cases.filter_map(|case| Some((case.condition.back_off?, case))).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// Where the latency over the back-off is least, and whether it falls all the way to short ones.
fn best_back_off(all: &All, results: &Results) -> Option<Judgement> {
    let mut holds = true;
    let mut each = Vec::new();
    for rate in values(all.of(Set::Figure9), |condition| condition.rate) {
        let at_rate = all.of(Set::Figure9).filter(|case| same(case.condition.rate, rate));
        let mut curve = Vec::new();
        for (back_off, case) in by_back_off(at_rate) {
            curve.push((back_off, case.latency(results)?.mean));
        }
        let best = curve.iter().min_by(|a, b| a.1.total_cmp(&b.1))?.0;
        holds &= same(best, BEST_BACK_OFF);
        let falls = curve.windows(2).all(|pair| pair[0].1 <= pair[1].1);
        let way = if falls { "falling with the back-off all the way" } else { "not only falling" };
        each.push(format!("at rate {rate}, {way}: {}", listed(&curve)));
    }
    Some(Judgement::of(holds, format!("latency by back-off: {}", each.join("; "))))
}

/// The same by the model with (13) as typeset.
fn best_back_off_as_printed(all: &All) -> Option<Judgement> {
    let mut holds = true;
    let mut each = Vec::new();
    for rate in values(all.of(Set::Figure9), |condition| condition.rate) {
        let at_rate = all.of(Set::Figure9).filter(|case| same(case.condition.rate, rate));
        let theory = |case: &Case| case.text_printed.map(|it| it.latency);
        let curve: Vec<(f64, f64)> = by_back_off(at_rate)
            .into_iter()
            .filter_map(|(back_off, case)| Some((back_off, theory(case)?)))
            .collect();
        let best = curve.iter().min_by(|a, b| a.1.total_cmp(&b.1))?.0;
        holds &= same(best, BEST_BACK_OFF);
        each.push(format!("at rate {rate} {}", listed(&curve)));
    }
    let evidence = format!(
        "latency by back-off, which grows and collapses as the paper says, with another optimum: {}",
        each.join("; ")
    );
    Some(Judgement::of(holds, evidence))
}

/// A curve in words: `1.659 (1.2)`, one after the other, the longest back-off first.
fn listed(curve: &[(f64, f64)]) -> String {
    let each = curve.iter().rev().map(|(x, y)| format!("{y:.3} ({x})"));
    each.collect::<Vec<_>>().join(", ")
}

/// Latencies of adaptive over the dimensions.
fn insensitive(all: &All, results: &Results) -> Option<Judgement> {
    let mut holds = true;
    let mut each = Vec::new();
    for rate in values(all.of(Set::Figure10), |condition| condition.rate) {
        let adaptive = all.under(Set::Figure10, Strategy::Adaptive);
        let mut found = Vec::new();
        for case in adaptive.filter(|case| same(case.condition.rate, rate)) {
            found.push((case.condition.size, case.latency(results)?.mean));
        }
        let latencies = found.iter().map(|it| it.1);
        let most = latencies.clone().fold(f64::MIN, f64::max);
        let least = latencies.fold(f64::MAX, f64::min);
        holds &= most / least - 1.0 <= INSENSITIVE;
        let (first, last) = (found.first()?, found.last()?);
        each.push(format!(
            "{:.3} in {} to {:.3} in {} dimensions (rate {rate})",
            first.1, first.0, last.1, last.0
        ));
    }
    Some(Judgement::of(holds, each.join(", ")))
}

/// A simulated latency; infinite where the network is saturated.
fn latency_or_infinite(case: &Case, results: &Results) -> Option<f64> {
    let measured = case.latency(results)?.mean;
    Some(if case.saturated(results)? { f64::INFINITY } else { measured })
}

/// Whether adaptive has the lowest latency wherever all strategies were simulated.
fn best(all: &All, results: &Results, set: Set) -> Option<Judgement> {
    let mut lost = Vec::new();
    let (mut count, mut narrowest) = (0, f64::INFINITY);
    for adaptive in all.under(set, Strategy::Adaptive) {
        let own = latency_or_infinite(adaptive, results)?;
        for strategy in [Strategy::Hold, Strategy::Drop] {
            let mut under = all.under(set, strategy);
            let other = under.find(|case| {
                case.condition.size == adaptive.condition.size
                    && same(case.condition.rate, adaptive.condition.rate)
                    && same(case.condition.data_mean, adaptive.condition.data_mean)
            })?;
            let theirs = latency_or_infinite(other, results)?;
            count += 1;
            narrowest = narrowest.min(theirs / own - 1.0);
            if theirs < own {
                lost.push(format!("{theirs:.3} against {own:.3} ({})", other.condition.name()));
            }
        }
    }
    let evidence = if lost.is_empty() {
        format!("lowest in all {count} comparisons, by {:.1} % at least", 100.0 * narrowest)
    } else {
        format!("not in {} of {count} comparisons: {}", lost.len(), lost.join(", "))
    };
    Some(Judgement::of(lost.is_empty(), evidence))
}

/// Between which data times drop becomes better than hold, and that it stays so.
fn crossing(all: &All, results: &Results) -> Option<Judgement> {
    let mut differences = Vec::new();
    let mut modelled = Vec::new();
    for time in values(all.of(Set::Figure11), |condition| condition.data_mean) {
        let find = |strategy| {
            let mut under = all.under(Set::Figure11, strategy);
            under.find(|case| same(case.condition.data_mean, time))
        };
        let (hold, drop) = (find(Strategy::Hold)?, find(Strategy::Drop)?);
        let found = latency_or_infinite(hold, results)? - latency_or_infinite(drop, results)?;
        differences.push((time, found));
        if let (Some(hold), Some(drop)) = (hold.refined, drop.refined) {
            modelled.push((time, hold.latency - drop.latency));
        }
    }
    let after = differences.iter().position(|it| it.1 > 0.0);
    let once = after.is_some_and(|at| at > 0 && differences[at..].iter().all(|it| it.1 > 0.0));
    let evidence = match (after.filter(|_| once), between(&modelled)) {
        (Some(at), model) => {
            let model = model.map_or_else(String::new, |at| format!("; by the models at {at:.2}"));
            let (before, behind) = (differences[at - 1].0, differences[at].0);
            format!("drop becomes better between data times {before} and {behind}{model}")
        }
        (None, _) => format!("hold above drop by data time: {}", listed(&differences)),
    };
    Some(Judgement::of(once, evidence))
}

/// Where a difference changes its sign, on the straight line between two points.
fn between(differences: &[(f64, f64)]) -> Option<f64> {
    let pair = differences.windows(2).find(|pair| pair[0].1 <= 0.0 && pair[1].1 > 0.0)?;
    let share = -pair[0].1 / (pair[1].1 - pair[0].1);
    Some(pair[0].0 + share * (pair[1].0 - pair[0].0))
}

/// Whether a model is nowhere noticeably above simulation; beyond its saturation it is.
fn bound(
    all: &All,
    results: &Results,
    strategies: &[Strategy],
    theory: fn(&Case) -> Option<Theory>,
) -> Option<Judgement> {
    let mut above = 0;
    let (mut highest, mut lowest) = ((f64::MIN, String::new()), f64::MAX);
    let cases = all.0.iter().filter(|case| {
        let condition = &case.condition;
        strategies.contains(&condition.conflict)
            && condition.set != Set::Torus
            && condition.service <= SLOW
            && !case.beyond(BOUND_UP_TO)
    });
    let count = cases.clone().count();
    let mut unsolved = 0;
    for case in cases {
        let simulated = case.latency(results)?;
        let Some(theory) = theory(case) else {
            unsolved += 1;
            continue;
        };
        let deviation = theory.latency / simulated.mean - 1.0;
        above += usize::from(deviation > NOTICEABLE + uncertain(simulated));
        lowest = lowest.min(deviation);
        if deviation > highest.0 {
            let condition = &case.condition;
            highest = (deviation, format!("{}: {}", condition.set.name(), condition.name()));
        }
    }
    let evidence = format!(
        "above it by more than 0.5 % and the interval at {above} of {count} points; {:+.1} % to {:+.1} \
         % ({}); without a solution at {unsolved}",
        100.0 * lowest,
        100.0 * highest.0,
        highest.1
    );
    Some(Judgement::of(above == 0 && unsolved == 0, evidence))
}
