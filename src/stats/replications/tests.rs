//! Tests of several runs as one result: means, intervals, missing figures.

use super::*;
use crate::random::{Purpose, Streams};
use statrs::distribution::{Binomial, DiscreteCDF};

fn summary(messages: u64, latency: f64, steadiness: Steadiness) -> Summary {
    Summary {
        memory: 0.0,
        by_class: Vec::new(),
        round_trips: None,
        round_trips_per_node_cycle: None,
        measured_from: Some(100 * messages),
        messages,
        latency: (messages > 0).then_some(Estimate { mean: latency, half_width: Some(0.5) }),
        network_latency_mean: (messages > 0).then_some(latency / 2.0),
        transfer_mean: (messages > 0).then_some(latency / 4.0),
        latency_p50: Some(1),
        latency_p95: Some(2),
        latency_p99: Some(3),
        head_waits_mean: (messages > 0).then_some([latency / 16.0, 0.0, 0.0, 0.0]),
        hops_mean: (messages > 0).then_some(4.0),
        aborts_mean: (messages > 0).then_some(latency / 8.0),
        aborts_half_width: None,
        offered: 0.25,
        accepted: Some(latency / 100.0),
        congested: None,
        channel_utilisation_mean: Some(latency / 200.0),
        half_widths: HalfWidths::default(),
        latency_variance_left: None,
        steadiness,
    }
}

#[test]
fn the_jackknife_is_the_one_worked_by_hand() {
    // R = 12/6; without each: 10/5, 8/4, 6/3: all 2, hence exact with zero width.
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
    // Aborts are an eighth of the latency.
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
    assert!(near(found.source_wait, 12.706_205 * 2.5) && near(found.blocking, 12.706_205 * 1.25));
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
fn one_deadlock_decides_unless_most_are_saturated() {
    use Steadiness::{Deadlocked, Saturated, Steady};
    let of = |kinds: [Steadiness; 3]| {
        let all = kinds.map(|kind| summary(100, 10.0, kind));
        combine(&all, None).unwrap().steadiness
    };
    assert_eq!(of([Steady, Steady, Deadlocked]), Deadlocked);
    assert_eq!(of([Steady, Saturated, Deadlocked]), Deadlocked);
    assert_eq!(of([Saturated, Saturated, Deadlocked]), Saturated);
}

#[test]
fn one_replication_keeps_its_own_interval_and_silent_ones_are_left_out() {
    let one = summary(100, 10.0, Steadiness::Steady);
    assert_eq!(combine(std::slice::from_ref(&one), None).unwrap().latency, one.latency);
    let mut silent = summary(0, 0.0, Steadiness::Steady);
    silent.measured_from = None;
    let combined = combine(&[one.clone(), silent, one], None).unwrap();
    assert_eq!(combined.measured_from, None);
    // Both runs agree by chance; their own intervals combine to 0.5 / √2 with 30 degrees of
    // freedom, and 31 together.
    let latency = combined.latency.unwrap();
    assert!((latency.mean - 10.0).abs() < 1e-12);
    let own = 0.5 / 2f64.sqrt() / 2.042_272;
    let wanted = 2.039_513 * own * (30f64 / 31.0).sqrt();
    assert!((latency.half_width.unwrap() - wanted).abs() < 1e-6);
    assert_eq!(combine(&[], None), None);
}
