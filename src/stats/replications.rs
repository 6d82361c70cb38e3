//! Combines independent replications into one result.
//!
//! A mean over messages is the ratio of a sum over messages to their number, both random. The
//! estimate uses the totals of all replications, and the jackknife against the bias of a ratio and
//! for the interval (Quenouille 1956, Miller 1974). A figure per cycle is a plain mean over the
//! replications.

use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::interval::student_quantile;
use super::{ClassSummary, Estimate, HalfWidths, Histogram, Steadiness, Summary};

/// Quantile of the ratio of two variances, up to which the variances count as equal.
const CHANCE: f64 = 0.99;

/// Assumed degrees of freedom of the interval of a single run.
const OWN_FREEDOM: f64 = 15.0;

/// The ratio of two expectations from one pair (numerator, denominator) per replication: the mean
/// of the jackknife's pseudo-values k · R − (k − 1) · R₋ᵢ, with their Student interval. Pairs with
/// a denominator not above 0 are left out; `None` if none remains.
pub fn ratio(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let used = || pairs.iter().filter(|pair| pair.1 > 0.0);
    let count = used().count() as f64;
    let (numerator, denominator) = used().fold((0.0, 0.0), |sum, x| (sum.0 + x.0, sum.1 + x.1));
    let whole = numerator / denominator;
    let pseudo_values: Vec<f64> = used()
        .map(|pair| {
            if count < 2.0 {
                return whole;
            }
            let without = (numerator - pair.0) / (denominator - pair.1);
            count * whole - (count - 1.0) * without
        })
        .collect();
    Estimate::of_independent(&pseudo_values)
}

/// All latencies of several replications.
pub fn merge<'a>(histograms: impl IntoIterator<Item = &'a Histogram>) -> Histogram {
    let mut merged = Histogram::new();
    for histogram in histograms {
        merged.merge(histogram);
    }
    merged
}

/// Summary of independent replications of one load; `None` without any.
///
/// - `latency`, `network_latency_mean`, `transfer_mean`, `head_waits_mean`, `hops_mean`,
///   `aborts_mean`: jackknifed ratios with equal weight for every message. The intervals of latency and aborts are taken over
///   replications (none for a single replication, except its own interval of the latency). The
///   latency has an interval only if all replications are steady: a bias due to the warm-up is the
///   same in all, and replications that are too short agree on a wrong mean. The variance of the
///   latency is the mean of two, weighted by degrees of freedom: over replications, possibly few,
///   and within them. If the first is greater than chance explains, the first alone is used.
/// - Quantiles: from `latencies`, the merged histogram, if given; else `None`.
/// - `accepted`, `congested`, `channel_utilisation_mean`, `offered`: means over the replications
///   with a value.
/// - `messages`: the sum. `measured_from`: the latest, `None` if any replication is still warming
///   up.
/// - `half_widths`: intervals over replications, if the latency has an interval.
/// - `steadiness`: saturated if more than half are, deadlocked if any other is, steady if all are, finite if all are,
///   else too short.
pub fn combine(summaries: &[Summary], latencies: Option<&Histogram>) -> Option<Summary> {
    if summaries.is_empty() {
        return None;
    }
    let per_message = |figure| per_message(summaries, figure);
    let per_cycle = |figure| per_run(summaries, figure).map(|estimate| estimate.mean);
    let quantile = |q| latencies.filter(|x| x.count() > 0).map(|x| x.quantile(q));
    let steadiness = steadiness(summaries);
    let latency = match summaries {
        [only] => only.latency,
        _ => per_message(|x| x.latency.map(|latency| latency.mean)).map(|estimate| Estimate {
            half_width: (estimate.half_width.zip(within(summaries)))
                .filter(|_| steadiness == Steadiness::Steady)
                .map(|(over, within)| pooled(over, within, summaries)),
            ..estimate
        }),
    };
    let aborts = per_message(|x| x.aborts_mean);
    let measured_from = summaries.iter().map(|x| x.measured_from).collect::<Option<Vec<u64>>>();
    Some(Summary {
        measured_from: measured_from.and_then(|cycles| cycles.into_iter().max()),
        messages: summaries.iter().map(|x| x.messages).sum(),
        latency,
        network_latency_mean: per_message(|x| x.network_latency_mean).map(|x| x.mean),
        transfer_mean: per_message(|x| x.transfer_mean).map(|x| x.mean),
        latency_p50: quantile(0.5),
        latency_p95: quantile(0.95),
        latency_p99: quantile(0.99),
        head_waits_mean: head_waits(summaries),
        hops_mean: per_message(|x| x.hops_mean).map(|x| x.mean),
        aborts_mean: aborts.map(|x| x.mean),
        aborts_half_width: aborts.and_then(|x| x.half_width),
        offered: per_cycle(|x| Some(x.offered)).unwrap_or_default(),
        accepted: per_cycle(|x| x.accepted),
        congested: per_cycle(|x| x.congested),
        channel_utilisation_mean: per_cycle(|x| x.channel_utilisation_mean),
        by_class: (0..summaries[0].by_class.len())
            .map(|class| summaries.iter().map(|it| it.by_class[class]).collect::<Vec<_>>())
            .map(|runs| ClassSummary::combine(&runs))
            .collect(),
        round_trips: round_trips(summaries),
        round_trips_per_node_cycle: per_cycle(|x| x.round_trips_per_node_cycle),
        memory: summaries.iter().map(|x| x.memory).fold(0.0, f64::max),
        half_widths: match (summaries, latency.and_then(|latency| latency.half_width)) {
            ([only], _) => only.half_widths,
            (_, None) => HalfWidths::default(),
            (_, Some(_)) => half_widths(summaries),
        },
        latency_variance_left: per_cycle(|x| x.latency_variance_left),
        steadiness,
    })
}

/// Half the width of an interval from two estimates: over the runs, and from the interval of each
/// run.
fn pooled(over: f64, within: f64, summaries: &[Summary]) -> f64 {
    let runs = summaries.iter().filter(|x| x.latency.is_some()).count() as f64;
    let (few, many) = (runs - 1.0, runs * OWN_FREEDOM);
    let variance = |half: f64, freedom| (half / student_quantile(freedom)).powi(2);
    let (between, own) = (variance(over, few), variance(within, many));
    let ratio = FisherSnedecor::new(few, many).expect("both are above 0");
    if between > own * ratio.inverse_cdf(CHANCE) {
        return over;
    }
    student_quantile(few + many) * ((few * between + many * own) / (few + many)).sqrt()
}

/// Half the width of the interval of the latency, from the intervals of all runs; `None` if a run
/// lacks an interval.
fn within(summaries: &[Summary]) -> Option<f64> {
    let weighted = |x: &Summary| Some((x.messages as f64, x.latency?.half_width));
    let weighted: Vec<(f64, Option<f64>)> = summaries.iter().filter_map(weighted).collect();
    let all = weighted.iter().map(|one| one.0).sum::<f64>();
    let squares = weighted.iter().map(|&(count, half)| Some((count / all * half?).powi(2)));
    Some(squares.sum::<Option<f64>>()?.sqrt())
}

/// The round trips of all runs.
fn round_trips(summaries: &[Summary]) -> Option<ClassSummary> {
    let trips: Vec<ClassSummary> = summaries.iter().filter_map(|x| x.round_trips).collect();
    (!trips.is_empty()).then(|| ClassSummary::combine(&trips))
}

/// The mean waits of heads in all runs.
fn head_waits(summaries: &[Summary]) -> Option<[f64; 4]> {
    let of = |figure| per_message(summaries, figure).map(|estimate| estimate.mean);
    Some([
        of(|x| x.head_waits_mean.map(|waits| waits[0]))?,
        of(|x| x.head_waits_mean.map(|waits| waits[1]))?,
        of(|x| x.head_waits_mean.map(|waits| waits[2]))?,
        of(|x| x.head_waits_mean.map(|waits| waits[3]))?,
    ])
}

/// A mean over the messages of all runs.
fn per_message(summaries: &[Summary], figure: fn(&Summary) -> Option<f64>) -> Option<Estimate> {
    let pairs: Vec<(f64, f64)> = summaries
        .iter()
        .filter_map(|x| Some((figure(x)? * x.messages as f64, x.messages as f64)))
        .collect();
    ratio(&pairs)
}

/// A mean over the runs with a value.
fn per_run(summaries: &[Summary], figure: fn(&Summary) -> Option<f64>) -> Option<Estimate> {
    let values: Vec<f64> = summaries.iter().filter_map(figure).collect();
    Estimate::of_independent(&values)
}

/// Intervals over runs. The interval of the percentile applies to the mean of the runs'
/// percentiles.
fn half_widths(summaries: &[Summary]) -> HalfWidths {
    let of_messages = |figure| per_message(summaries, figure).and_then(|x| x.half_width);
    let of_runs = |figure| per_run(summaries, figure).and_then(|x| x.half_width);
    HalfWidths {
        latency_p99: of_runs(|x| x.latency_p99.map(|cycles| cycles as f64)),
        accepted: of_runs(|x| x.accepted),
        source_wait: of_messages(Summary::source_wait_mean),
        blocking: of_messages(Summary::blocking_mean),
        transfer: of_messages(|x| x.transfer_mean),
    }
}

fn steadiness(summaries: &[Summary]) -> Steadiness {
    let count = |kind| summaries.iter().filter(|x| x.steadiness == kind).count();
    if 2 * count(Steadiness::Saturated) > summaries.len() {
        Steadiness::Saturated
    } else if count(Steadiness::Deadlocked) > 0 {
        Steadiness::Deadlocked
    } else if count(Steadiness::Steady) == summaries.len() {
        Steadiness::Steady
    } else if count(Steadiness::Finite) == summaries.len() {
        Steadiness::Finite
    } else {
        Steadiness::TooShort
    }
}

#[cfg(test)]
mod tests;
