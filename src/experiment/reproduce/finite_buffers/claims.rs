//! The paper's sentences of section 7, judged by simulation.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::{All, Network, Series};
use crate::experiment::reproduce::{Claim, Finding, Judgement, Results, Verdict};
use crate::model::finite_buffers::Reading;

/// Buffers of up to so many flits are small: twice the mean worm.
const SMALL: u32 = 400;
/// How much lower than by simulation the throughput may be to be ten per cent low.
const TEN_PER_CENT: RangeInclusive<f64> = 0.05..=0.13;

/// Deviations in per cent: `-9.9 % (50 flits)`, one after the other.
fn listed(deviations: &[(u32, f64)]) -> String {
    let each = deviations
        .iter()
        .map(|(buffer, deviation)| format!("{:+.1} % ({buffer} flits)", 100.0 * deviation));
    each.collect::<Vec<_>>().join(", ")
}

/// Deviations of a reading's throughput from simulation by buffer size.
fn deviations<'a>(
    series: impl Iterator<Item = &'a Series>,
    results: &Results,
    reading: Reading,
    which: usize,
) -> Option<Vec<(u32, f64)>> {
    let each = |one: &Series| Some((one.buffer, one.deviation(results, reading, which)?));
    series.map(each).collect()
}

/// Whether a reading is above simulation at every load in the torus.
fn pessimistic(all: &All, results: &Results, reading: Reading) -> Option<Judgement> {
    let of_torus = all.of(Network::Torus).map(|series| series.above(results, reading));
    let findings: Vec<Finding> =
        of_torus.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let evidence = format!(
        "above simulation at {} of {} loads, below it at {} (a model counts as above beyond its \
         saturation)",
        count(Verdict::Holds),
        findings.len(),
        count(Verdict::DoesNotHold)
    );
    Some(Judgement::all(findings, evidence))
}

/// Whether the modified reading's throughput is nearer to simulation for buffers of up to
/// `buffer_max` flits.
fn closer(all: &All, results: &Results, buffer_max: u32) -> Option<Judgement> {
    let series = || all.of(Network::Torus).filter(|series| series.buffer <= buffer_max);
    let basic = deviations(series(), results, Reading::Basic, 1)?;
    let modified = deviations(series(), results, Reading::Modified, 1)?;
    let evidence = format!("modified {}; basic {}", listed(&modified), listed(&basic));
    let findings = series().map(|one| {
        results.judge(f64::NEG_INFINITY..=0.0, |results| {
            let off = |reading| Some(one.deviation(results, reading, 1)?.abs());
            Some(off(Reading::Modified)? - off(Reading::Basic)?)
        })
    });
    Some(Judgement::all(findings.collect::<Option<Vec<Finding>>>()?, evidence))
}

/// Whether the basic reading's throughput is ten per cent low in every series.
fn ten_per_cent<'a>(
    series: impl Iterator<Item = &'a Series> + Clone,
    results: &Results,
) -> Option<Judgement> {
    let late = deviations(series.clone(), results, Reading::Basic, 1)?;
    let early = deviations(series.clone(), results, Reading::Basic, 0)?;
    let evidence =
        format!("at 10 times the delay {}; at 5 times {}", listed(&late), listed(&early));
    let findings = series.map(|one| {
        results.judge(TEN_PER_CENT, |results| Some(-one.deviation(results, Reading::Basic, 1)?))
    });
    Some(Judgement::all(findings.collect::<Option<Vec<Finding>>>()?, evidence))
}

pub(super) fn claims(all: &Arc<All>) -> Vec<Claim> {
    let judged = |judge: fn(&All, &Results) -> Option<Judgement>| {
        let all = Arc::clone(all);
        move |results: &Results| judge(&all, results)
    };
    vec![
        Claim::holds(
            "Section 7: the analytical results are always pessimistic, compared to the simulation \
             (figure 5-a)",
            judged(|all, results| pessimistic(all, results, Reading::Basic)),
        ),
        Claim::holds(
            format!(
                "Section 7: a ten per cent difference between the throughput estimated by the model \
                 and by simulation, with small and large buffers alike ({:.0} to {:.0} % low, where \
                 the delay is 10 times that without load)",
                100.0 * TEN_PER_CENT.start(),
                100.0 * TEN_PER_CENT.end()
            ),
            judged(|all, results| ten_per_cent(all.0.iter().filter(is(Network::Torus)), results)),
        ),
        Claim::fails(
            "The same in networks and with worms that the paper does not look at (a 4x4 mesh in \
             order of the dimensions; worms of one size)",
            judged(|all, results| {
                let others = |series: &&Series| series.network != Network::Torus;
                ten_per_cent(all.0.iter().filter(others), results)
            }),
        ),
        Claim::fails(
            "Section 7: the modified model is closer to simulation (throughput, all buffers)",
            judged(|all, results| closer(all, results, u32::MAX)),
        ),
        Claim::holds(
            "Section 7: the modified model is closer to simulation (throughput, buffers of up to \
             twice the mean worm)",
            judged(|all, results| closer(all, results, SMALL)),
        ),
        Claim::holds(
            "Section 7: the modified model is still pessimistic (figure 5-b)",
            judged(|all, results| pessimistic(all, results, Reading::Modified)),
        ),
    ]
}

/// Whether a series is of this network.
fn is(network: Network) -> impl Fn(&&Series) -> bool + Clone {
    move |series| series.network == network
}
