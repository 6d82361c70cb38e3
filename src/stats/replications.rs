//! Independent replications made into one result.
//!
//! A mean over messages is a ratio, of a sum over messages to their number, both random. It is
//! estimated from the totals of all replications, with the jackknife against the bias of a ratio
//! and for its interval (Quenouille 1956, Miller 1974). A figure per cycle is a plain mean over the
//! replications.

use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::interval::student_quantile;
use super::{Estimate, HalfWidths, Histogram, Steadiness, Summary};

/// Up to this quantile of the ratio of two variances they are taken for the same.
const CHANCE: f64 = 0.99;

/// Degrees of freedom of the interval that a run has of its own, at least.
const OWN_FREEDOM: f64 = 15.0;

/// The ratio of two expectations from one pair (numerator, denominator) per replication: the mean
/// of the jackknife's pseudo-values k · R − (k − 1) · R₋ᵢ, with their Student interval. Pairs whose
/// denominator is not above 0 are left out; `None` if none remains.
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

/// One summary of independent replications of one load; `None` without any.
///
/// - `latency`, `network_latency_mean`, `transfer_mean`, `hops_mean`, `aborts_mean`: jackknifed ratios, every message weighing the
///   same; the intervals of latency and aborts are those over replications (none for a single one,
///   whose own interval of the latency is kept instead), that of the latency only where all are
///   steady: what each leaves out at its beginning weighs the same in all, so that replications that
///   are too short agree on a wrong mean. Its variance is the mean of
///   two, weighted by their degrees of freedom: that over replications, of which there may be few,
///   and that of their own intervals; where the first is greater than chance explains, that alone.
/// - Quantiles: those of `latencies`, the merged histogram, if given; else `None`.
/// - `accepted`, `channel_utilisation_mean`, `offered`: means over the replications that have them.
/// - `messages`: their sum. `measured_from`: the latest, `None` if any is still warming up.
/// - `half_widths`: intervals over replications, where the latency has one.
/// - `steadiness`: saturated if more than half are, steady if all are, else too short to tell.
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
        hops_mean: per_message(|x| x.hops_mean).map(|x| x.mean),
        aborts_mean: aborts.map(|x| x.mean),
        aborts_half_width: aborts.and_then(|x| x.half_width),
        offered: per_cycle(|x| Some(x.offered)).unwrap_or_default(),
        accepted: per_cycle(|x| x.accepted),
        channel_utilisation_mean: per_cycle(|x| x.channel_utilisation_mean),
        half_widths: match (summaries, latency.and_then(|latency| latency.half_width)) {
            ([only], _) => only.half_widths,
            (_, None) => HalfWidths::default(),
            (_, Some(_)) => half_widths(summaries),
        },
        steadiness,
    })
}

/// Half the width of an interval from two for the same mean: that over the runs, and that which
/// their own intervals make.
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

/// Half the width of the interval of the latency that the intervals of all runs make; `None` where one
/// has none.
fn within(summaries: &[Summary]) -> Option<f64> {
    let weighted = |x: &Summary| Some((x.messages as f64, x.latency?.half_width));
    let weighted: Vec<(f64, Option<f64>)> = summaries.iter().filter_map(weighted).collect();
    let all = weighted.iter().map(|one| one.0).sum::<f64>();
    let squares = weighted.iter().map(|&(count, half)| Some((count / all * half?).powi(2)));
    Some(squares.sum::<Option<f64>>()?.sqrt())
}

/// A mean over the messages of all runs.
fn per_message(summaries: &[Summary], figure: fn(&Summary) -> Option<f64>) -> Option<Estimate> {
    let pairs: Vec<(f64, f64)> = summaries
        .iter()
        .filter_map(|x| Some((figure(x)? * x.messages as f64, x.messages as f64)))
        .collect();
    ratio(&pairs)
}

/// A mean over the runs that have the figure.
fn per_run(summaries: &[Summary], figure: fn(&Summary) -> Option<f64>) -> Option<Estimate> {
    let values: Vec<f64> = summaries.iter().filter_map(figure).collect();
    Estimate::of_independent(&values)
}

/// The intervals over runs; that of the percentile is one of the mean of their percentiles.
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
    } else if count(Steadiness::Steady) == summaries.len() {
        Steadiness::Steady
    } else {
        Steadiness::TooShort
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Streams};
    use statrs::distribution::{Binomial, DiscreteCDF};

    fn summary(messages: u64, latency: f64, steadiness: Steadiness) -> Summary {
        Summary {
            measured_from: Some(100 * messages),
            messages,
            latency: (messages > 0).then_some(Estimate { mean: latency, half_width: Some(0.5) }),
            network_latency_mean: (messages > 0).then_some(latency / 2.0),
            transfer_mean: (messages > 0).then_some(latency / 4.0),
            latency_p50: Some(1),
            latency_p95: Some(2),
            latency_p99: Some(3),
            hops_mean: (messages > 0).then_some(4.0),
            aborts_mean: (messages > 0).then_some(latency / 8.0),
            aborts_half_width: None,
            offered: 0.25,
            accepted: Some(latency / 100.0),
            channel_utilisation_mean: Some(latency / 200.0),
            half_widths: HalfWidths::default(),
            steadiness,
        }
    }

    #[test]
    fn the_jackknife_is_the_one_worked_by_hand() {
        // R = 12/6; without each: 10/5, 8/4, 6/3: all 2, so exact and of no width.
        let estimate = ratio(&[(2.0, 1.0), (4.0, 2.0), (6.0, 3.0)]).unwrap();
        assert_eq!(estimate, Estimate { mean: 2.0, half_width: Some(0.0) });
        // (1, 1) and (3, 2): R = 4/3; without: 3/2 and 1; pseudo-values 7/6 and 5/3: mean 17/12,
        // half difference 1/4, and with one degree of freedom 12.7062 · 1/4.
        let estimate = ratio(&[(1.0, 1.0), (0.0, 0.0), (3.0, 2.0)]).unwrap();
        assert!((estimate.mean - 17.0 / 12.0).abs() < 1e-12);
        assert!((estimate.half_width.unwrap() - 12.706_205 / 4.0).abs() < 1e-4);
        let one = ratio(&[(3.0, 2.0)]).unwrap();
        assert_eq!(one, Estimate { mean: 1.5, half_width: None });
        assert_eq!(ratio(&[(0.0, 0.0)]), None);
    }

    #[test]
    fn the_jackknife_covers_and_removes_bias() {
        // Numerator the sum of a few exponentials, denominator their number, both varying: the
        // expectations are 3 · 10 and 3, ten replications.
        let trials = 2_000;
        let mut stream = Streams::new(5, 0, Purpose::Lengths).next_node();
        let mut missed = 0;
        for _ in 0..trials {
            let pairs: Vec<(f64, f64)> = (0..10)
                .map(|_| {
                    let count = 1 + stream.below(5);
                    let sum: f64 = (0..count).map(|_| 10.0 * stream.exponential()).sum();
                    (sum, f64::from(count))
                })
                .collect();
            let estimate = ratio(&pairs).unwrap();
            missed += u64::from((estimate.mean - 10.0).abs() > estimate.half_width.unwrap());
        }
        let fewest = Binomial::new(0.03, trials).unwrap().inverse_cdf(5e-10);
        let most = Binomial::new(0.10, trials).unwrap().inverse_cdf(1.0 - 5e-10);
        assert!((fewest..=most).contains(&missed), "{missed} not in {fewest}..={most}");
    }

    #[test]
    fn every_message_weighs_the_same() {
        let replications =
            [summary(100, 10.0, Steadiness::Steady), summary(300, 20.0, Steadiness::Steady)];
        let combined = combine(&replications, None).unwrap();
        let latency = combined.latency.unwrap();
        // R = 7000/400 = 17.5, without: 20 and 10: pseudo-values 15 and 25.
        assert!((latency.mean - 20.0).abs() < 1e-9);
        assert!((latency.half_width.unwrap() - 12.706_205 * 5.0).abs() < 1e-3);
        // Aborts are an eighth of it.
        assert!((combined.aborts_mean.unwrap() - 20.0 / 8.0).abs() < 1e-9);
        assert!((combined.aborts_half_width.unwrap() - 12.706_205 * 5.0 / 8.0).abs() < 1e-3);
        assert_eq!(combined.messages, 400);
        assert_eq!(combined.measured_from, Some(30_000));
        assert_eq!(combined.hops_mean, Some(4.0));
        assert!((combined.accepted.unwrap() - 0.15).abs() < 1e-12);
        assert!((combined.channel_utilisation_mean.unwrap() - 0.075).abs() < 1e-12);
        assert!((combined.offered - 0.25).abs() < 1e-12);
        assert_eq!(combined.steadiness, Steadiness::Steady);
        assert_eq!(combined.latency_p99, None);
        // Parts are fixed shares of the latency, accepted loads 0.1 and 0.2, percentiles equal.
        let found = combined.half_widths;
        let near = |half: Option<f64>, wanted: f64| (half.unwrap() - wanted).abs() < 1e-3;
        assert!(
            near(found.source_wait, 12.706_205 * 2.5) && near(found.blocking, 12.706_205 * 1.25)
        );
        assert!(near(found.transfer, 12.706_205 * 1.25) && near(found.accepted, 12.706_205 * 0.05));
        assert_eq!(found.latency_p99, Some(0.0));
    }

    #[test]
    fn quantiles_are_of_all_messages() {
        let mut histograms = [Histogram::new(), Histogram::new()];
        for latency in 0..100 {
            histograms[usize::from(latency >= 90)].record(latency);
        }
        let merged = merge(&histograms);
        let replications =
            [summary(90, 44.5, Steadiness::Saturated), summary(10, 94.5, Steadiness::Saturated)];
        let combined = combine(&replications, Some(&merged)).unwrap();
        assert_eq!(combined.latency_p50, Some(49));
        assert_eq!(combined.latency_p95, Some(94));
        assert_eq!(combined.latency_p99, Some(98));
        assert_eq!(combined.steadiness, Steadiness::Saturated);
        let empty = combine(&replications, Some(&Histogram::new())).unwrap();
        assert_eq!(empty.latency_p50, None);
    }

    #[test]
    fn replications_that_are_not_all_steady_have_no_interval() {
        for other in [Steadiness::Saturated, Steadiness::TooShort] {
            let two = [summary(100, 10.0, Steadiness::Steady), summary(300, 20.0, other)];
            let combined = combine(&two, None).unwrap();
            assert_eq!(combined.steadiness, Steadiness::TooShort, "half are not more than half");
            assert_eq!(combined.latency.unwrap().half_width, None);
        }
    }

    #[test]
    fn one_replication_keeps_its_own_interval_and_silent_ones_are_left_out() {
        let one = summary(100, 10.0, Steadiness::Steady);
        assert_eq!(combine(std::slice::from_ref(&one), None).unwrap().latency, one.latency);
        let mut silent = summary(0, 0.0, Steadiness::Steady);
        silent.measured_from = None;
        let combined = combine(&[one.clone(), silent, one], None).unwrap();
        assert_eq!(combined.measured_from, None);
        // The two agree by chance; their own intervals make one of 0.5 / √2 with 30 degrees of
        // freedom, and 31 together.
        let latency = combined.latency.unwrap();
        assert!((latency.mean - 10.0).abs() < 1e-12);
        let own = 0.5 / 2f64.sqrt() / 2.042_272;
        let wanted = 2.039_513 * own * (30f64 / 31.0).sqrt();
        assert!((latency.half_width.unwrap() - wanted).abs() < 1e-6);
        assert_eq!(combine(&[], None), None);
    }
}
