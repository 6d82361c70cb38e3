//! Tests of Student's quantiles and of the effect of correlation.

use super::*;
use crate::random::{Purpose, Stream, Streams};
use statrs::distribution::{Binomial, DiscreteCDF};

#[test]
fn student_quantiles_are_the_tabulated_ones() {
    // Two-sided 95 %, from the tables of any textbook.
    let table = [
        (1.0, 12.706),
        (2.0, 4.303),
        (3.0, 3.182),
        (4.0, 2.776),
        (5.0, 2.571),
        (6.0, 2.447),
        (7.0, 2.365),
        (8.0, 2.306),
        (9.0, 2.262),
        (10.0, 2.228),
        (11.0, 2.201),
        (12.0, 2.179),
        (13.0, 2.160),
        (14.0, 2.145),
        (15.0, 2.131),
        (16.0, 2.120),
        (17.0, 2.110),
        (18.0, 2.101),
        (19.0, 2.093),
        (20.0, 2.086),
        (21.0, 2.080),
        (22.0, 2.074),
        (23.0, 2.069),
        (24.0, 2.064),
        (25.0, 2.060),
        (26.0, 2.056),
        (27.0, 2.052),
        (28.0, 2.048),
        (29.0, 2.045),
        (30.0, 2.042),
        (31.0, 2.040),
        (60.0, 2.000),
        (120.0, 1.980),
        (1e6, 1.960),
    ];
    for (freedom, tabulated) in table {
        let found = student_quantile(freedom);
        assert!((found - tabulated).abs() < 6e-4, "{freedom}: {found} not {tabulated}");
    }
}

#[test]
fn the_interval_of_four_values_is_the_one_computed_by_hand() {
    // Mean 5, squared deviations 9 + 1 + 1 + 9 = 20, 20/3/4 = 5/3, 3.182446 · 1.290994.
    let estimate = Estimate::of_independent(&[2.0, 4.0, 6.0, 8.0]).unwrap();
    assert!((estimate.mean - 5.0).abs() < 1e-12);
    let half_width = estimate.half_width.unwrap();
    assert!((half_width - 4.108_520).abs() < 1e-5, "{half_width}");
    let relative = estimate.relative_half_width().unwrap();
    assert!((relative - half_width / 5.0).abs() < 1e-12);
}

#[test]
fn one_value_has_no_interval_and_none_no_mean() {
    let estimate = Estimate::of_independent(&[7.0]).unwrap();
    assert_eq!(estimate, Estimate { mean: 7.0, half_width: None });
    assert_eq!(estimate.relative_half_width(), None);
    assert_eq!(Estimate::of_independent(&[]), None);
}

#[test]
fn lag_one_correlation_tells_alternation_from_drift() {
    let alternating = [1.0, -1.0, 1.0, -1.0];
    // Products −3, squares 4.
    let found = Moments::of(&alternating).unwrap().lag_one(&alternating);
    assert!((found + 0.75).abs() < 1e-12);
    // Deviations −1.5, −0.5, 0.5, 1.5: products 0.75 − 0.25 + 0.75, squares 5.
    let drift = [1.0, 2.0, 3.0, 4.0];
    let found = Moments::of(&drift).unwrap().lag_one(&drift);
    assert!((found - 0.25).abs() < 1e-12);
    let equal = [3.0; 5];
    assert_eq!(Moments::of(&equal).unwrap().lag_one(&equal).to_bits(), 0);
}

fn stream(replication: u32) -> Stream {
    Streams::new(20_011, replication, Purpose::Arrivals).next_node()
}

#[test]
fn joined_batches_are_those_computed_directly() {
    let mut stream = stream(0);
    let mut batches = Batches::<u64>::new(3);
    let mut values = Vec::new();
    for n in 1..=5_000usize {
        values.push(u64::from(stream.below(1_000)));
        batches.record(values[n - 1]);
        // Sizes 3, 6, 12, … : the smallest size with fewer than 256 whole batches.
        let mut size = 3;
        while n / size >= 256 {
            size *= 2;
        }
        assert_eq!(batches.size, size as u64);
        let direct: Vec<u64> = values.chunks_exact(size).map(|c| c.iter().sum()).collect();
        assert_eq!(batches.whole, direct);
        assert_eq!(batches.half_width(1.0).is_some(), direct.len() >= 16);
        assert!(n < 768 || direct.len() >= 128);
        assert_eq!(batches.partial, values[direct.len() * size..].iter().sum::<u64>());
    }
}

#[test]
fn independent_looking_batches_give_the_plain_student_interval() {
    let mut batches = Batches::<u64>::new(1);
    let values = [5, 1, 4, 2, 6, 1, 5, 2, 4, 3, 6, 0, 5, 1, 4, 2];
    for value in values {
        batches.record(value);
    }
    let means: Vec<f64> = values.iter().map(|&x| x as f64).collect();
    assert_eq!(batches.half_width(1.0), Estimate::of_independent(&means).unwrap().half_width);
    // The same values in ascending order are too correlated.
    let mut ascending = values;
    ascending.sort_unstable();
    let mut drifting = Batches::<u64>::new(1);
    for value in ascending {
        drifting.record(value);
    }
    assert_eq!(drifting.half_width(1.0), None, "worth fewer than five");
}

#[test]
fn equal_values_have_an_interval_of_width_zero() {
    let mut batches = Batches::<u64>::new(2);
    for _ in 0..100 {
        batches.record(7);
    }
    assert_eq!(batches.half_width(1.0), Some(0.0));
}

/// Range of misses exceeded on either side by fewer than 1e-9 of all sets of `trials`, if each
/// interval covers with a probability between `low` and `high`.
fn misses(trials: u64, low: f64, high: f64) -> std::ops::RangeInclusive<u64> {
    let fewest = Binomial::new(1.0 - high, trials).unwrap().inverse_cdf(5e-10);
    let most = Binomial::new(1.0 - low, trials).unwrap().inverse_cdf(1.0 - 5e-10);
    fewest..=most
}

/// Counts the intervals that do not contain `truth`, one per replication.
fn count_misses(trials: u32, truth: f64, run: impl Fn(&mut Stream, &mut dyn FnMut(u64))) -> u64 {
    let mut missed = 0;
    for replication in 0..trials {
        // Streams of one replication do not overlap; jumps over thousands would be slow.
        let mut stream = Streams::new(u64::from(replication), 0, Purpose::Lengths).next_node();
        let mut batches = Batches::<u64>::new(16);
        let (mut sum, mut count) = (0u64, 0u64);
        run(&mut stream, &mut |value| {
            batches.record(value);
            sum += value;
            count += 1;
        });
        let mean = sum as f64 / count as f64;
        let half_width = batches.half_width(1.0);
        missed += u64::from(half_width.is_some_and(|half| (mean - truth).abs() > half));
    }
    missed
}

#[test]
fn intervals_of_autoregressive_data_cover_as_often_as_they_say() {
    // x ← 0.9 x + e, e exponential of mean 100: mean 1 000, correlation time 19 values.
    let missed = count_misses(1_000, 1_000.0, |stream, record| {
        let mut x = 1_000.0;
        for n in 0..10_200 {
            x = 0.9 * x + 100.0 * stream.exponential();
            if n >= 200 {
                record((x + 0.5) as u64);
            }
        }
    });
    let allowed = misses(1_000, 0.93, 0.975);
    assert!(allowed.contains(&missed), "{missed} not in {allowed:?}");
}

#[test]
fn intervals_of_waiting_times_cover_as_often_as_they_say() {
    // M/M/1 with load 0.7 by Lindley's recursion, service of mean 100 cycles: mean waiting time
    // 100 · 0.7/0.3. The skew of waiting times costs a little coverage.
    let truth = 100.0 * 0.7 / 0.3;
    let missed = count_misses(600, truth, |stream, record| {
        let mut waiting = 0.0f64;
        for n in 0..42_000 {
            let service = 100.0 * stream.exponential();
            let gap = 100.0 / 0.7 * stream.exponential();
            waiting = (waiting + service - gap).max(0.0);
            if n >= 2_000 {
                record((waiting + 0.5) as u64);
            }
        }
    });
    let allowed = misses(600, 0.91, 0.97);
    assert!(allowed.contains(&missed), "{missed} not in {allowed:?}");
}

#[test]
fn values_too_few_for_their_correlation_have_no_interval() {
    // 480 values with a correlation time of 199 have an effective size of two or three, and appear
    // so in most runs.
    let missed = count_misses(400, 1_000.0, |stream, record| {
        let mut x = 1_000.0;
        for n in 0..2_480 {
            x = 0.99 * x + 10.0 * stream.exponential();
            if n >= 2_000 {
                record((x + 0.5) as u64);
            }
        }
    });
    assert!(missed < 100, "{missed} of 400 have an interval that misses");
}

#[test]
fn a_copy_is_equal_and_every_value_tells() {
    let (mut source, mut target) = (Batches::<u64>::new(16), Batches::<u64>::new(4));
    for value in 0..1_000 {
        source.record(value);
        target.record(3);
    }
    target.clone_from(&source);
    assert_eq!(target, source);
    assert_eq!(target.fingerprint_of(|&it| it), source.fingerprint_of(|&it| it));
    source.record(0);
    assert_ne!(target.fingerprint_of(|&it| it), source.fingerprint_of(|&it| it));
}

#[test]
fn of_several_intervals_all_hold_and_more_values_tell_a_mean() {
    let values = [1.0, -1.0, 3.0, 2.0, 0.0, 1.0, -2.0, 4.0];
    let alone = Estimate::of_independent(&values).unwrap();
    assert_eq!(Estimate::of_independent_among(&values, 1), Some(alone));
    let among = Estimate::of_independent_among(&values, 10).unwrap();
    // Ratio of Student's quantiles at 99.75 % and at 97.5 %, with 7 degrees of freedom.
    let wider = among.half_width.unwrap() / alone.half_width.unwrap();
    assert_eq!(among.mean.to_bits(), alone.mean.to_bits());
    assert!((wider - 4.0293 / 2.3646).abs() < 1e-3, "{wider}");
    // The mean of values with this variance is distinguishable from 0 at the computed number, and
    // not below.
    let needed = Estimate::values_needed(&values, 10).unwrap();
    let told = |count: usize| {
        let spread = (alone.half_width.unwrap() / student_quantile(7.0)) * 8.0_f64.sqrt();
        quantile_among(count, 10) * spread / (count as f64).sqrt() < alone.mean
    };
    assert!(needed > 8 && told(needed) && !told(needed - 1), "{needed}");
    assert_eq!(Estimate::values_needed(&[1.0, -1.0, 1e-9], 1), None, "a million would not do");
    assert_eq!(Estimate::values_needed(&[3.0], 1), None);
    assert_eq!(Estimate::values_needed(&[1.0, 1.0], 1), Some(2), "there is no spread");
}

#[test]
fn an_interval_wider_than_its_mean_is_not_shown() {
    let estimate = |half_width| Estimate { mean: 15.5, half_width };
    assert_eq!(estimate(Some(7.7)).shown_half_width(), Some(7.7));
    assert_eq!(estimate(Some(10.5)).shown_half_width(), None, "± 68 %");
    assert!(estimate(Some(10.5)).is_too_wide() && !estimate(None).is_too_wide());
    assert!(!Estimate { mean: 0.0, half_width: Some(1.0) }.is_too_wide());
}
