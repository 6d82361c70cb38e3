//! Tests of the intervals of shares and means against series of known variance.

use super::*;
use crate::random::{Purpose, Stream, Streams};
use statrs::distribution::{Binomial, DiscreteCDF};

/// Ten nodes with messages of five flits.
const OFFERED: Offered = Offered {
    nodes: 10,
    links: 0,
    rate: 0.0,
    length_mean: 5.0,
    gap_variation: 1.0,
    memory: 0.0,
    circuits: false,
    classes: 0,
    controls: None,
};

#[test]
fn limits_rise_by_a_quarter_of_their_doubling() {
    assert_eq!([0, 4, 5, 7, 8, 9, 10, 15, 16].map(bucket), [0, 0, 1, 3, 4, 4, 5, 7, 8]);
    let mut last = 0;
    for latency in 4..100_000 {
        assert!((last..=last + 1).contains(&bucket(latency)), "{latency}");
        last = bucket(latency);
    }
}

fn observation(latency: u64, done: u64) -> Observation {
    Observation {
        born: done - latency,
        done,
        network_latency: latency / 2,
        transfer: latency / 4,
        hops: 2,
        length: 5,
        channel_time: 10,
        aborts: 0,
        head_waits: None,
        message_class: 0,
        round_trip: None,
        virtual_waits: None,
    }
}

/// Number of runs out of `trials` with an interval of the percentile that misses `truth`; nearly
/// all runs have an interval.
fn missed(trials: u32, truth: f64, run: impl Fn(&mut Stream, &mut dyn FnMut(u64))) -> u64 {
    let (mut missed, mut without) = (0, 0);
    for trial in 0..trials {
        let mut stream = Streams::new(u64::from(trial), 0, Purpose::Lengths).next_node();
        let (mut tail, mut all) = (Batches::<Section>::new(16), Histogram::new());
        run(&mut stream, &mut |latency| {
            record_slow(&mut tail, latency);
            all.record(latency);
        });
        match half_width(&tail, &all) {
            Some(half) => {
                missed += u64::from((all.quantile(0.99) as f64 - truth).abs() > half);
            }
            None => without += 1,
        }
    }
    assert!(without <= trials / 20, "{without} of {trials} have no interval");
    missed
}

/// Range of misses exceeded on either side by fewer than 1e-9 of all sets of `trials`, if each
/// interval covers with a probability between `low` and `high`.
fn allowed(trials: u64, low: f64, high: f64) -> std::ops::RangeInclusive<u64> {
    let fewest = Binomial::new(1.0 - high, trials).unwrap().inverse_cdf(5e-10);
    let most = Binomial::new(1.0 - low, trials).unwrap().inverse_cdf(1.0 - 5e-10);
    fewest..=most
}

#[test]
fn the_interval_of_the_percentile_covers_as_often_as_it_says() {
    // Independent exponential latencies of mean 1000.
    let independent = missed(400, 1000.0 * 100f64.ln(), |stream, record| {
        (0..8_000).for_each(|_| record((1000.0 * stream.exponential() + 0.5) as u64));
    });
    // The wider side is used for both, so the coverage is slightly higher.
    assert!(allowed(400, 0.92, 0.99).contains(&independent), "{independent}");
    // Waits in an M/M/1 queue at load 0.7, service of mean 100: P(wait > x) = 0.7 e^(−0.003 x).
    let waits = missed(300, 70f64.ln() / 0.003, |stream, record| {
        let mut wait = 0.0f64;
        for message in 0..62_000 {
            wait =
                (wait + 100.0 * stream.exponential() - 100.0 / 0.7 * stream.exponential()).max(0.0);
            if message >= 2_000 {
                record((wait + 0.5) as u64);
            }
        }
    });
    assert!(allowed(300, 0.90, 0.99).contains(&waits), "{waits}");
}

#[test]
fn loads_and_parts_have_the_intervals_of_their_batch_means() {
    const START: u64 = 5_000;
    let offered = OFFERED;
    let mut tally = Tally::new(&offered, START);
    // Alternating bins of 1024 cycles with 64 and with 32 messages of 5 flits.
    for bin in 0..40 {
        let messages = if bin % 2 == 0 { 64 } else { 32 };
        for message in 0..messages {
            let done = bin * BIN + (message + 1) * (BIN / messages);
            let one = observation(40, START + done);
            tally.load(&one);
            tally.record(&one);
        }
    }
    // Two messages in a stretch as long as the mean latency.
    let found = tally.half_widths(&offered, START + tally.messages() * 40 / 2);
    // The last bin is completed by the first later message.
    let mut whole = Batches::new(1);
    (0..39).for_each(|bin| whole.record(if bin % 2 == 0 { 5 * 64 } else { 5 * 32 }));
    assert_eq!(found.accepted, whole.half_width(1.0).map(|flits| flits / (1024.0 * 10.0)));
    assert_eq!(found.source_wait, Some(0.0));
    assert_eq!(found.blocking, Some(0.0));
    assert_eq!(found.transfer, Some(0.0));
    assert_eq!(found.latency_p99, None, "no limit is near where all latencies are the same");
    let mut copy = Tally::new(&offered, 9);
    copy.clone_from(&tally);
    assert_eq!(copy, tally);
}

#[test]
fn the_interval_of_the_percentile_is_that_of_the_shares_above_one_limit() {
    let mut stream = Streams::new(5, 0, Purpose::Lengths).next_node();
    let latencies: Vec<u64> = (0..16 * 200)
        .map(|_| {
            40 + (-60.0 * libm::log(1.0 - f64::from(stream.below(1 << 20)) / f64::from(1 << 20)))
                as u64
        })
        .collect();
    let (mut tail, mut all) = (Batches::<Section>::new(16), Histogram::new());
    for &latency in &latencies {
        record_slow(&mut tail, latency);
        all.record(latency);
    }
    // Computed from the latencies: the limit with a share above nearest to 1 %.
    let size = tail.size as usize;
    let whole = &latencies[..size * tail.whole.len()];
    let above = |some: &[u64], limit: usize| {
        some.iter().filter(|&&latency| bucket(latency) >= limit).count() as f64 / some.len() as f64
    };
    let off = |limit: &usize| libm::fabs(libm::log(above(whole, *limit) / 0.01));
    let limits = (0..60).filter(|&limit| above(whole, limit) > 0.0);
    let limit = limits.min_by(|one, other| off(one).total_cmp(&off(other))).unwrap();
    let shares: Vec<f64> = whole.chunks(size).map(|section| above(section, limit)).collect();
    let share = above(whole, limit);
    let half = half_width_in_time(&shares, 1).unwrap() * (0.0099 / (share * (1.0 - share))).sqrt();
    let [low, middle, high] = [0.99 - half, 0.99, 0.99 + half].map(|q| all.quantile(q));
    assert!(low < middle && middle < high, "{low} {middle} {high}");
    assert_eq!(half_width(&tail, &all), Some((high - middle).max(middle - low) as f64));
}

#[test]
fn an_interval_of_a_run_that_is_hardly_long_enough_is_wider() {
    let offered = OFFERED;
    let mut tally = Tally::new(&offered, 0);
    let mut stream = Streams::new(7, 0, Purpose::Lengths).next_node();
    (0..8_000).for_each(|n| tally.record(&observation(30 + u64::from(stream.below(20)), 100 + n)));
    let mean = tally.mean(tally.latency).unwrap();
    assert!((tally.per_latency(mean, 16_000) - mean / 2.0).abs() < 1e-9);
    let half = |now: u64| {
        let plain = tally.parts.half_width_of(|sums| sums[0], 8_000.0 * mean / now as f64).unwrap();
        let wider = tally.latency(now).unwrap().half_width.unwrap() / plain;
        (wider - 1.0) / tally.shortness(now).unwrap().powi(4)
    };
    for now in [9_000, 12_000, 20_000] {
        assert!((half(now) - 1.0).abs() < 1e-6, "{now}: {}", half(now));
    }
}

#[test]
fn aborts_tell_in_the_fingerprint() {
    let offered = Offered { circuits: true, ..OFFERED };
    let of = |aborts| {
        let mut tally = Tally::new(&offered, 0);
        tally.record(&Observation { aborts, ..observation(40, 100) });
        tally.fingerprint()
    };
    assert_ne!(of(0), of(1));
    assert_ne!(of(1), of(2));
}

#[test]
fn what_is_per_cycle_needs_cycles_and_places() {
    let offered = Offered { nodes: 4, rate: 0.1, length_mean: 1.0, ..OFFERED };
    let tally = Tally::new(&offered, 100);
    assert_eq!(tally.per_cycle(50, 4, 100), None);
    assert_eq!(tally.per_cycle(50, 0, 200), None);
    assert_eq!(tally.per_cycle(50, 4, 200), Some(0.125));
}
