//! Tests of the statistics as a whole, on synthetic deliveries.

use super::*;
use crate::random::{Purpose, Streams};

mod figures;

const OFFERED: Offered = Offered {
    nodes: 16,
    links: 64,
    rate: 0.0625,
    length_mean: 4.0,
    gap_variation: 1.0,
    memory: 0.0,
    circuits: false,
    classes: 0,
    controls: None,
};

/// Deliveries of one 4-flit message per cycle over 2 or 3 channels, latency 50 or 70, from cycle
/// `from`, the first at `from + 1`.
fn steady(from: u64) -> impl Iterator<Item = Observation> {
    let mut stream = Streams::new(3, 0, Purpose::Lengths).next_node();
    (from + 1..).map(move |done| {
        let long = u64::from(stream.below(2));
        Observation {
            born: done.saturating_sub(50 + 20 * long),
            done,
            network_latency: 40,
            transfer: 35 + long,
            hops: 2 + long as u32,
            length: 4,
            channel_time: 4 * (2 + long),
            aborts: 0,
            head_waits: None,
            message_class: 0,
            round_trip: None,
            virtual_waits: None,
        }
    })
}

fn collect(warm_up: WarmUp, from: u64, count: usize) -> Statistics {
    let mut statistics = Statistics::new(OFFERED, warm_up, from);
    for observation in steady(from).take(count) {
        statistics.record(observation);
        if observation.done.is_multiple_of(SAMPLE_PERIOD) {
            statistics.sample(Sample {
                cycle: observation.done,
                generated: observation.done + 60,
                delivered: observation.done,
            });
        }
    }
    statistics
}

#[test]
fn figures_of_a_given_warm_up_are_those_counted_by_hand() {
    let statistics = collect(WarmUp::Cycles(1_000), 0, 9_000);
    let counted: Vec<_> = steady(0).take(9_000).filter(|x| x.born >= 1_000).collect();
    let mean = |figure: fn(&Observation) -> u64| {
        counted.iter().map(figure).sum::<u64>() as f64 / counted.len() as f64
    };
    let summary = statistics.summary(9_000);
    assert_eq!(summary.measured_from, Some(1_000));
    assert_eq!(summary.messages, counted.len() as u64);
    let latency = summary.latency.unwrap();
    assert!((latency.mean - mean(Observation::latency)).abs() < 1e-9);
    // 8 000 independent values 50 and 70: 1.96 · 10/√8000 = 0.22, up to the scatter of an estimate
    // from some 20 batches.
    let half_width = latency.half_width.unwrap();
    assert!(half_width > 0.02 && half_width < 0.8, "{half_width}");
    assert_eq!(summary.network_latency_mean, Some(40.0));
    let transfer = mean(|x| x.transfer);
    assert!((summary.transfer_mean.unwrap() - transfer).abs() < 1e-9);
    assert!((summary.source_wait_mean().unwrap() - (latency.mean - 40.0)).abs() < 1e-9);
    assert!((summary.blocking_mean().unwrap() - (40.0 - transfer)).abs() < 1e-9);
    assert!((summary.hops_mean.unwrap() - mean(|x| u64::from(x.hops))).abs() < 1e-9);
    assert_eq!((summary.latency_p95, summary.latency_p99), (Some(70), Some(70)));
    let short = counted.iter().filter(|x| x.latency() == 50).count() as u64;
    assert_eq!(statistics.latencies().count_between(50, 70), short);
    // Loads: every message delivered in the 8 000 cycles, including messages generated before 1
    // 000.
    assert!((summary.offered - 0.25).abs() < 1e-12);
    assert!((summary.accepted.unwrap() - 4.0 / 16.0).abs() < 1e-12);
    let flit_hops: u64 = steady(0).skip(1_000).take(8_000).map(|x| 4 * u64::from(x.hops)).sum();
    let utilisation = flit_hops as f64 / (64.0 * 8_000.0);
    assert!((summary.channel_utilisation_mean.unwrap() - utilisation).abs() < 1e-12);
    assert_ne!(summary.steadiness, Steadiness::Saturated);
}

#[test]
fn while_warming_up_figures_are_provisional_and_have_no_interval() {
    for warm_up in [WarmUp::Cycles(100_000), WarmUp::Automatic] {
        let summary = collect(warm_up, 0, 900).summary(900);
        assert_eq!(summary.measured_from, None);
        // All messages generated since cycle 0, the lower limit of `born`.
        assert_eq!(summary.messages, 900);
        assert_eq!(summary.latency.unwrap().half_width, None);
        assert!((summary.accepted.unwrap() - 0.25).abs() < 1e-12);
    }
}

#[test]
fn a_given_warm_up_is_over_at_its_cycle_even_if_nothing_is_delivered() {
    let statistics = collect(WarmUp::Cycles(2_000), 0, 1_500);
    assert_eq!(statistics.summary(1_999).measured_from, None);
    assert_eq!(statistics.summary(1_999).messages, 1_500);
    let summary = statistics.summary(2_100);
    assert_eq!((summary.measured_from, summary.messages), (Some(2_000), 0));
    assert_eq!((summary.latency, summary.accepted), (None, Some(0.0)));
    assert_eq!((summary.latency_p50, summary.latency_p99), (None, None));
}

#[test]
fn what_is_asked_for_singly_is_what_the_summary_says() {
    let given = collect(WarmUp::Cycles(1_000), 0, 9_000);
    assert_eq!((given.born_from(), given.counted()), (1_000, given.summary(9_000).messages));
    assert_eq!(given.settled_at(9_000), Some(1_000));
    let waiting = collect(WarmUp::Cycles(1_000_000), 0, 900);
    assert_eq!((waiting.counted(), waiting.settled_at(900)), (0, None));
    assert_eq!(waiting.settled_at(1_000_000), Some(1_000_000));
    let searching = collect(WarmUp::Automatic, 0, 900);
    assert_eq!((searching.born_from(), searching.counted()), (0, 0));
    assert_eq!(searching.settled_at(900), None);
    // A copy during the search shares its messages with the original, except the last piece.
    assert!(searching.clone().shared_bytes(&searching) >= 512);
    assert_eq!(given.clone().shared_bytes(&given), 0);
    let found = collect(WarmUp::Automatic, 0, 30_000);
    assert_eq!(found.counted(), found.summary(30_000).messages);
    assert!(found.settled_at(30_000).unwrap() >= found.summary(30_000).measured_from.unwrap());
    // Each verdict: too short, steady, saturated.
    let mut grows = Statistics::new(OFFERED, WarmUp::Automatic, 0);
    for observation in steady(0).take(60_000) {
        grows.record(observation);
        let done = observation.done;
        if done.is_multiple_of(SAMPLE_PERIOD) {
            grows.sample(Sample { cycle: done, generated: 2 * done, delivered: done });
        }
    }
    let verdicts = [(&searching, 900), (&found, 30_000), (&grows, 60_000)];
    let verdicts = verdicts.map(|(it, now)| [it.steadiness(now), it.summary(now).steadiness]);
    let expected = [Steadiness::TooShort, Steadiness::Steady, Steadiness::Saturated];
    assert_eq!(verdicts, expected.map(|verdict| [verdict; 2]));
}

#[test]
fn circuits_have_times_of_set_up_and_worms_have_none() {
    let mut circuits = Statistics::new(Offered { circuits: true, ..OFFERED }, WarmUp::Cycles(0), 0);
    steady(0).skip(100).take(50).for_each(|observation| circuits.record(observation));
    let set_ups = circuits.set_ups().unwrap();
    assert_eq!(set_ups.count_between(0, u64::MAX), 50);
    assert_eq!(collect(WarmUp::Cycles(0), 0, 50).set_ups(), None);
}

#[test]
fn the_warm_up_found_leaves_out_a_transient() {
    // The first 600 messages take 500 cycles longer.
    let mut statistics = Statistics::new(OFFERED, WarmUp::Automatic, 0);
    let slow_start = steady(10_000).enumerate().map(|(n, mut observation)| {
        observation.born -= if n < 600 { 500 } else { 0 };
        observation
    });
    for observation in slow_start.take(8_000) {
        statistics.record(observation);
    }
    let summary = statistics.summary(18_000);
    let from = summary.measured_from.unwrap();
    assert!((10_600..10_605).contains(&from), "{from}");
    assert_eq!(summary.messages, 18_000 - from);
    assert_eq!(statistics.latencies().max(), 70);
    assert!((summary.accepted.unwrap() - 0.25).abs() < 1e-12);
    assert!(summary.latency.unwrap().half_width.is_some());
}

#[test]
fn messages_of_an_earlier_load_count_only_as_load() {
    // Generated from cycle 5 000 on; the first deliveries were generated earlier.
    for warm_up in [WarmUp::Cycles(0), WarmUp::Automatic] {
        let statistics = collect(warm_up, 5_000, 300);
        let own = steady(5_000).take(300).filter(|x| x.born >= 5_000).count() as u64;
        assert!(own < 300);
        let summary = statistics.summary(5_300);
        assert_eq!(summary.messages, own);
        assert!((summary.accepted.unwrap() - 0.25).abs() < 1e-12);
    }
}

#[test]
fn a_latency_that_grows_has_no_interval() {
    let mut statistics = Statistics::new(OFFERED, WarmUp::Cycles(0), 0);
    for done in 2..60_000 {
        let born = done * 3 / 4;
        statistics.record(Observation {
            born,
            done,
            network_latency: 9,
            transfer: 4,
            hops: 1,
            length: 4,
            channel_time: 4,
            aborts: 0,
            head_waits: None,
            message_class: 0,
            round_trip: None,
            virtual_waits: None,
        });
    }
    let latency = statistics.summary(60_000).latency.unwrap();
    assert!((latency.mean - 7_500.0).abs() < 10.0, "{}", latency.mean);
    assert_eq!(latency.half_width, None);
}

/// Statistics in every phase.
fn phases() -> Vec<Statistics> {
    vec![
        Statistics::new(OFFERED, WarmUp::Automatic, 0),
        collect(WarmUp::Automatic, 0, 700),
        collect(WarmUp::Automatic, 64, 30_000),
        collect(WarmUp::Cycles(50_000), 0, 3_000),
        collect(WarmUp::Cycles(500), 0, 3_000),
    ]
}

#[test]
fn a_copy_equals_its_source_whatever_it_replaces() {
    for source in phases() {
        for mut target in phases() {
            target.clone_from(&source);
            assert_eq!(target, source);
            assert_eq!(target.fingerprint(), source.fingerprint());
            // Later behaviour is equal as well.
            let mut source = source.clone();
            for observation in steady(60_000).take(3_000) {
                source.record(observation);
                target.record(observation);
            }
            assert_eq!(target, source);
            assert_eq!(target.summary(63_000), source.summary(63_000));
        }
    }
}

#[test]
fn the_fingerprint_tells_every_datum() {
    let all = phases();
    let mut fingerprints: Vec<u64> = all.iter().map(Statistics::fingerprint).collect();
    let last = Observation {
        born: 59_000,
        done: 60_000,
        network_latency: 40,
        transfer: 5,
        hops: 2,
        length: 4,
        channel_time: 8,
        aborts: 0,
        head_waits: None,
        message_class: 0,
        round_trip: None,
        virtual_waits: None,
    };
    for statistics in all {
        for changed in [
            last,
            Observation { born: 59_001, ..last },
            Observation { network_latency: 41, ..last },
            Observation { transfer: 6, ..last },
            Observation { hops: 3, channel_time: 12, ..last },
            Observation { length: 5, channel_time: 10, ..last },
        ] {
            let mut copy = statistics.clone();
            copy.record(changed);
            fingerprints.push(copy.fingerprint());
        }
        let mut copy = statistics.clone();
        copy.sample(Sample { cycle: 64 * SAMPLE_PERIOD, generated: 9, delivered: 8 });
        fingerprints.push(copy.fingerprint());
    }
    let count = fingerprints.len();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), count);
}

#[test]
fn a_steady_state_is_told_after_64_latencies_and_24_relaxation_times() {
    // Latency 60, transfer 35.5: 24 · (60/35.5)² · 60 = 4 114 cycles.
    for (warm_up, until, known) in [
        (WarmUp::Cycles(1_000), 5_000, Steadiness::TooShort),
        (WarmUp::Cycles(1_000), 5_300, Steadiness::Steady),
        (WarmUp::Cycles(90_000), 16_000, Steadiness::TooShort),
    ] {
        let summary = collect(warm_up, 0, until as usize).summary(until);
        assert_eq!(summary.steadiness, known);
        let interval = summary.latency.unwrap().half_width;
        assert_eq!(interval.is_some(), known == Steadiness::Steady);
    }
}

#[test]
fn a_window_that_is_closed_counts_what_was_generated_in_it_and_is_drained() {
    let mut statistics = collect(WarmUp::Cycles(1_000), 0, 6_000);
    statistics.close(6_000, 60);
    assert!(!statistics.is_drained());
    let accepted = statistics.summary(6_000).accepted;
    for observation in steady(0).skip(6_000).take(500) {
        statistics.record(observation);
    }
    assert!(statistics.is_drained());
    let within = |x: &Observation| (1_000..6_000).contains(&x.born);
    let counted: Vec<u64> = steady(0).take(6_500).filter(within).map(|x| x.latency()).collect();
    let summary = statistics.summary(6_500);
    assert_eq!(summary.messages, counted.len() as u64);
    let mean = counted.iter().sum::<u64>() as f64 / counted.len() as f64;
    assert!((summary.latency.unwrap().mean - mean).abs() < 1e-9);
    assert_eq!(summary.accepted, accepted, "loads are of the window");
}

#[test]
fn saturation_is_judged_from_the_samples() {
    let mut statistics = Statistics::new(OFFERED, WarmUp::Automatic, 0);
    for n in 1..=40 {
        let cycle = n * SAMPLE_PERIOD;
        statistics.sample(Sample { cycle, generated: cycle, delivered: cycle * 3 / 4 });
    }
    assert_eq!(statistics.summary(41_000).steadiness, Steadiness::Saturated);
}
