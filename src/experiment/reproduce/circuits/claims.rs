//! The paper's sentences about its figures, judged by simulation and by the models.

use std::sync::Arc;

use super::case::{All, Case, Law, Set, Strategy, Theory, same, values};
use super::controllers::{SLOW, slow_saturate, slower_controllers};
use crate::experiment::reproduce::table::deviation;
use crate::experiment::reproduce::{Claim, Finding, Judgement, Results, Verdict};

/// How far above simulation a model may be and still be called a lower bound, as a share.
const NOTICEABLE: f64 = 0.005;
/// "Almost insensitive": latencies from each other, as a share.
const INSENSITIVE: f64 = 0.03;
/// Aborts "do not depend" on the back-off: each from each, as a share.
const INDEPENDENT: f64 = 0.02;
/// Back-offs from which aborts should not depend on them.
const LONG_BACK_OFF: f64 = 1.5;
/// "Insensitive to the law of the data": latencies from each other, as a share.
const SAME_LAW: f64 = 0.05;
/// The share of hold's saturation rate up to which its refined model is looked at as a lower bound.
const BOUND_UP_TO: f64 = 0.9;
/// The back-off that the paper calls the best for drop.
const BEST_BACK_OFF: f64 = 1.2;

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
             back-off (within 2 %)",
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
    let mut findings: Vec<Finding> = Vec::new();
    let under = |law| all.of(Set::Figure7).filter(move |case| case.condition.law == law);
    for constant in under(Law::Constant) {
        let rate = constant.condition.rate;
        let other = under(law).find(|case| same(case.condition.rate, rate))?;
        let off = results
            .uncertain(|results| deviation(other.latency(results), constant.latency(results)))?;
        each.push(format!("{:+.1} % ({rate})", 100.0 * off.mean));
        findings.push(off.judge(-SAME_LAW..=SAME_LAW));
    }
    let evidence = format!("{} from constant, by rate: {}", law.name(), each.join(", "));
    Some(Judgement::all(findings, evidence))
}

/// Whether figures of cases are within a share of each other, every one of every other; and the
/// largest from the least, as a share.
fn alike(
    cases: &[&Case],
    results: &Results,
    figure: fn(&Case, &Results) -> Option<f64>,
    within: f64,
) -> Option<(Vec<Finding>, f64)> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut most = 0.0_f64;
    for (at, one) in cases.iter().enumerate() {
        for other in &cases[at + 1..] {
            let off = |results: &Results| deviation(figure(one, results), figure(other, results));
            let off = results.uncertain(off)?;
            most = most.max(off.mean.abs());
            findings.push(off.judge(-within..=within));
        }
    }
    Some((findings, most))
}

/// Aborts at back-offs of [`LONG_BACK_OFF`] and more against each other.
fn long_back_offs(all: &All, results: &Results) -> Option<Judgement> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut each = Vec::new();
    for set in [Set::Figure8, Set::Figure9] {
        for rate in values(all.of(set), |condition| condition.rate) {
            let long = all.of(set).filter(|case| {
                let back_off = case.condition.back_off;
                same(case.condition.rate, rate) && back_off.is_some_and(|it| it >= LONG_BACK_OFF)
            });
            let long: Vec<&Case> = long.collect();
            let (found, most) = alike(&long, results, Case::aborts, INDEPENDENT)?;
            if !found.is_empty() {
                let strategy = if set == Set::Figure8 { "adaptive" } else { "drop" };
                each.push(format!("{:.1} % ({strategy} at {rate})", 100.0 * most));
            }
            findings.extend(found);
        }
    }
    let evidence = format!("the most are above the fewest by {}", each.join(", "));
    Some(Judgement::all(findings, evidence))
}

/// Aborts of adaptive at the shortest back-off against those at the longest.
fn short_back_offs(all: &All, results: &Results) -> Option<Judgement> {
    let mut findings: Vec<Finding> = Vec::new();
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
        findings.push(results.judge(f64::NEG_INFINITY..=0.0, |results| {
            deviation(shortest.aborts(results), longest.aborts(results))
        })?);
        let (few, many) = (shortest.aborts(results)?, longest.aborts(results)?);
        each.push(format!("{few:.3} at {short} against {many:.3} at {long} (rate {rate})"));
    }
    Some(Judgement::all(findings, format!("aborts per message: {}", each.join("; "))))
}

/// Cases with their back-off, the shortest first.
fn by_back_off<'a>(cases: impl Iterator<Item = &'a Case>) -> Vec<(f64, &'a Case)> {
    let mut found: Vec<(f64, &Case)> =
        cases.filter_map(|case| Some((case.condition.back_off?, case))).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// Whether the latency over the back-off is least at [`BEST_BACK_OFF`], and whether it falls all the
/// way to short ones.
fn best_back_off(all: &All, results: &Results) -> Option<Judgement> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut each = Vec::new();
    for rate in values(all.of(Set::Figure9), |condition| condition.rate) {
        let at_rate = by_back_off(all.of(Set::Figure9).filter(|it| same(it.condition.rate, rate)));
        let mut curve = Vec::new();
        for (back_off, case) in &at_rate {
            curve.push((*back_off, case.latency(results)?));
        }
        let best = at_rate.iter().find(|(back_off, _)| same(*back_off, BEST_BACK_OFF))?.1;
        for (_, other) in at_rate.iter().filter(|(back_off, _)| !same(*back_off, BEST_BACK_OFF)) {
            findings.push(results.judge(0.0..=f64::INFINITY, |results| {
                deviation(other.latency(results), best.latency(results))
            })?);
        }
        let falls = curve.windows(2).all(|pair| pair[0].1 <= pair[1].1);
        let way = if falls { "falling with the back-off all the way" } else { "not only falling" };
        each.push(format!("at rate {rate}, {way}: {}", listed(&curve)));
    }
    Some(Judgement::all(findings, format!("latency by back-off: {}", each.join("; "))))
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
    Some(Judgement::arithmetic(holds, evidence))
}

/// A curve in words: `1.659 (1.2)`, one after the other, the longest back-off first.
fn listed(curve: &[(f64, f64)]) -> String {
    let each = curve.iter().rev().map(|(x, y)| format!("{y:.3} ({x})"));
    each.collect::<Vec<_>>().join(", ")
}

/// Latencies of adaptive over the dimensions.
fn insensitive(all: &All, results: &Results) -> Option<Judgement> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut each = Vec::new();
    for rate in values(all.of(Set::Figure10), |condition| condition.rate) {
        let adaptive = all.under(Set::Figure10, Strategy::Adaptive);
        let cases: Vec<&Case> = adaptive.filter(|case| same(case.condition.rate, rate)).collect();
        findings.extend(alike(&cases, results, Case::latency, INSENSITIVE)?.0);
        let (first, last) = (cases.first()?, cases.last()?);
        each.push(format!(
            "{:.3} in {} to {:.3} in {} dimensions (rate {rate})",
            first.latency(results)?,
            first.condition.size,
            last.latency(results)?,
            last.condition.size
        ));
    }
    Some(Judgement::all(findings, each.join(", ")))
}

/// Whether adaptive has the lowest latency wherever all strategies were simulated.
fn best(all: &All, results: &Results, set: Set) -> Option<Judgement> {
    let mut findings: Vec<Finding> = Vec::new();
    let (mut lost, mut narrowest) = (Vec::new(), f64::INFINITY);
    for adaptive in all.under(set, Strategy::Adaptive) {
        for strategy in [Strategy::Hold, Strategy::Drop] {
            let mut under = all.under(set, strategy);
            let other = under.find(|case| {
                case.condition.size == adaptive.condition.size
                    && same(case.condition.rate, adaptive.condition.rate)
                    && same(case.condition.data_mean, adaptive.condition.data_mean)
            })?;
            let more =
                |results: &Results| deviation(other.latency(results), adaptive.latency(results));
            let more = results.uncertain(more)?;
            narrowest = narrowest.min(more.mean);
            let finding = more.judge(0.0..=f64::INFINITY);
            if finding.verdict == Verdict::DoesNotHold {
                let (own, theirs) = (adaptive.latency(results)?, other.latency(results)?);
                lost.push(format!("{theirs:.3} against {own:.3} ({})", other.condition.name()));
            }
            findings.push(finding);
        }
    }
    let count = findings.len();
    let evidence = if lost.is_empty() {
        format!("the others are {:+.1} % off at least, in {count} comparisons", 100.0 * narrowest)
    } else {
        format!("not in {} of {count} comparisons: {}", lost.len(), lost.join(", "))
    };
    Some(Judgement::all(findings, evidence))
}

/// Whether hold is better than drop for the shortest data and drop for the longest, and between which
/// data times drop becomes so.
fn crossing(all: &All, results: &Results) -> Option<Judgement> {
    let find = |strategy, time| {
        let mut under = all.under(Set::Figure11, strategy);
        under.find(move |case| same(case.condition.data_mean, time))
    };
    let more = |time, results: &Results| {
        let (hold, drop) = (find(Strategy::Hold, time)?, find(Strategy::Drop, time)?);
        deviation(hold.latency(results), drop.latency(results))
    };
    let times = values(all.of(Set::Figure11), |condition| condition.data_mean);
    let (mut differences, mut modelled) = (Vec::new(), Vec::new());
    for &time in &times {
        differences.push((time, more(time, results)?));
        let (hold, drop) = (find(Strategy::Hold, time)?, find(Strategy::Drop, time)?);
        if let (Some(hold), Some(drop)) = (hold.refined, drop.refined) {
            modelled.push((time, hold.latency - drop.latency));
        }
    }
    let (&shortest, &longest) = (times.first()?, times.last()?);
    let findings = [
        results.judge(f64::NEG_INFINITY..=0.0, |results| more(shortest, results))?,
        results.judge(0.0..=f64::INFINITY, |results| more(longest, results))?,
    ];
    let place = |differences: &[(f64, f64)]| {
        between(differences).map_or_else(|| "nowhere".to_owned(), |time| format!("at {time:.2}"))
    };
    let evidence = format!(
        "drop becomes better {} by simulation, {} by the models; hold from drop by data time, as a \
         share: {}",
        place(&differences),
        place(&modelled),
        listed(&differences)
    );
    Some(Judgement::all(findings, evidence))
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
    let cases = all.0.iter().filter(|case| {
        let condition = &case.condition;
        strategies.contains(&condition.conflict)
            && condition.set != Set::Torus
            && condition.service <= SLOW
            && !case.beyond(BOUND_UP_TO)
    });
    let (mut highest, mut lowest) = ((f64::MIN, String::new()), f64::MAX);
    let mut findings: Vec<Finding> = Vec::new();
    let mut unsolved = 0;
    for case in cases {
        let Some(theory) = theory(case) else {
            unsolved += 1;
            findings.push(Finding::arithmetic(false));
            continue;
        };
        let off = |results: &Results| deviation(Some(theory.latency), case.latency(results));
        let off = results.uncertain(off)?;
        lowest = lowest.min(off.mean);
        if off.mean > highest.0 {
            let condition = &case.condition;
            highest = (off.mean, format!("{}: {}", condition.set.name(), condition.name()));
        }
        findings.push(off.judge(f64::NEG_INFINITY..=NOTICEABLE));
    }
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let evidence = format!(
        "above it by more than {:.1} % at {} of {} points, undecided at {}; {:+.1} % to {:+.1} % ({}); \
         without a solution at {unsolved}",
        100.0 * NOTICEABLE,
        count(Verdict::DoesNotHold) - unsolved,
        findings.len(),
        count(Verdict::Undecided),
        100.0 * lowest,
        100.0 * highest.0,
        highest.1
    );
    Some(Judgement::all(findings, evidence))
}
