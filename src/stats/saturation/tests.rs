//! Tests of verdicts on growing, fluctuating and constant backlogs.

use super::*;
use crate::random::{Purpose, Stream, Streams};
use crate::traffic::arrivals::Process;

fn stream(replication: u32) -> Stream {
    Streams::new(u64::from(replication), 0, Purpose::Arrivals).next_node()
}

/// Draws an event of probability `share`.
fn happens(stream: &mut Stream, share: f64) -> bool {
    ((stream.bits() >> 11) as f64) < share * (1u64 << 53) as f64
}

/// A queue with an arrival with probability `arrivals(cycle)` per cycle, a departure with
/// probability `service`, and `present` messages at the start; returns the verdict after each
/// sample.
fn verdicts(
    replication: u32,
    samples: u64,
    present: u64,
    service: f64,
    arrivals: impl Fn(u64) -> f64,
) -> Vec<bool> {
    let mut stream = stream(replication);
    let mut backlog = Backlog::new();
    let (mut generated, mut delivered) = (present, 0);
    let mut verdicts = Vec::new();
    for cycle in 1..=samples * SAMPLE_PERIOD {
        generated += u64::from(happens(&mut stream, arrivals(cycle)));
        delivered += u64::from(generated > delivered && happens(&mut stream, service));
        if cycle % SAMPLE_PERIOD == 0 {
            backlog.record(Sample { cycle, generated, delivered });
            verdicts.push(backlog.saturated(1.0));
        }
    }
    verdicts
}

#[test]
fn an_overload_of_a_third_shows_within_24_samples_and_stays() {
    for replication in 0..30 {
        let verdicts = verdicts(replication, 200, 0, 0.3, |_| 0.39);
        let late = verdicts.iter().skip(23).position(|saturated| !saturated);
        assert_eq!(late, None, "replication {replication}");
        assert!(verdicts[..14].iter().all(|saturated| !saturated));
    }
}

#[test]
fn an_overload_of_eight_per_cent_shows_in_time() {
    for replication in 0..5 {
        // After 300 000 cycles, a growth of 0.024 per cycle is 13 standard deviations above (2).
        let verdicts = verdicts(replication, 600, 0, 0.3, |_| 0.324);
        assert!(verdicts[599], "replication {replication}");
    }
}

#[test]
fn loads_below_capacity_are_not_saturated() {
    for replication in 0..60 {
        for load in [0.0004, 0.01, 0.15, 0.24, 0.27] {
            let samples = if load < 0.01 { 300 } else { 120 };
            let verdicts = verdicts(replication, samples, 0, 0.3, |_| load);
            assert!(!verdicts.contains(&true), "replication {replication}, load {load}");
        }
    }
}

/// Sixty queues with messages in bursts of 16 on average, at nine tenths of their capacity; returns
/// the number of verdicts of saturation, assuming this variation of the gaps.
fn called_with_bursts(gap_variation: f64) -> usize {
    let phases = Process::Bursts { burst: 16.0, peak: 8.0 }.phases();
    let called = |replication: &u32| {
        let mut stream = stream(*replication);
        let mut gap = || {
            let [short, long] = phases;
            let mean = if happens(&mut stream, short.0) { short.1 } else { long.1 };
            stream.exponential() * mean / 0.27
        };
        let mut service = Streams::new(u64::from(*replication), 0, Purpose::Lengths).next_node();
        let mut backlog = Backlog::new();
        let (mut next, mut generated, mut delivered) = (gap(), 0, 0);
        (1..=120 * SAMPLE_PERIOD).any(|cycle| {
            while next < cycle as f64 {
                generated += 1;
                next += gap();
            }
            delivered += u64::from(generated > delivered && happens(&mut service, 0.3));
            if cycle % SAMPLE_PERIOD == 0 {
                backlog.record(Sample { cycle, generated, delivered });
            }
            cycle % SAMPLE_PERIOD == 0 && backlog.saturated(gap_variation)
        })
    };
    (0..60).filter(called).count()
}

#[test]
fn bursts_below_capacity_are_not_taken_for_saturation() {
    let variation = Process::Bursts { burst: 16.0, peak: 8.0 }.variation();
    let called = [variation, 1.0].map(called_with_bursts);
    // With the variation of Poisson messages, some verdicts are wrong.
    assert!(called[0] == 0 && called[1] > 0, "{variation} {called:?}");
}

#[test]
fn a_load_at_capacity_is_hardly_ever_called_saturated() {
    // A random walk exceeds (2) at some time in fewer than one run of 10 000: three of sixty with a
    // probability below 1e-9.
    let called = (0..60)
        .filter(|&replication| verdicts(replication, 120, 0, 0.3, |_| 0.3).contains(&true))
        .count();
    assert!(called <= 2, "{called}");
}

#[test]
fn a_shortfall_below_one_per_cent_is_no_saturation() {
    for (lost, saturated) in [(5_000, false), (20_000, true)] {
        let mut backlog = Backlog::new();
        for n in 1..=40 {
            let cycle = n * SAMPLE_PERIOD;
            let (generated, delivered) = (n * 1_000_000, n * (1_000_000 - lost));
            backlog.record(Sample { cycle, generated, delivered });
        }
        assert_eq!(backlog.saturated(1.0), saturated);
    }
}

#[test]
fn a_burst_is_not_saturation() {
    for replication in 0..20 {
        for start in [2_000, 12_000, 40_000, 70_000] {
            let verdicts = verdicts(replication, 120, 0, 0.3, |cycle| {
                if (start..start + 3_000).contains(&cycle) { 1.0 } else { 0.2 }
            });
            assert!(!verdicts.contains(&true), "replication {replication}, burst at {start}");
        }
    }
}

#[test]
fn queues_that_shrink_after_a_drop_of_the_load_are_not_saturation() {
    for replication in 0..20 {
        let verdicts = verdicts(replication, 200, 20_000, 0.3, |_| 0.2);
        assert!(!verdicts.contains(&true), "replication {replication}");
    }
}

#[test]
fn a_network_that_fills_is_not_saturated() {
    // 0.5 messages per cycle, each under way for 40 000 cycles and up to 20 000 more.
    let mut backlog = Backlog::new();
    for cycle in (SAMPLE_PERIOD..200 * SAMPLE_PERIOD).step_by(SAMPLE_PERIOD as usize) {
        let ramp = cycle.saturating_sub(40_000).min(20_000);
        let late = cycle.saturating_sub(60_000);
        let delivered = ramp * ramp / 80_000 + late / 2;
        backlog.record(Sample { cycle, generated: cycle / 2, delivered });
        assert!(!backlog.saturated(1.0), "cycle {cycle}");
    }
}

#[test]
fn thinned_samples_stay_equidistant_and_keep_the_verdict() {
    let mut backlog = Backlog::new();
    for n in 1..10_000 {
        let cycle = n * SAMPLE_PERIOD;
        backlog.record(Sample { cycle, generated: cycle / 2, delivered: cycle / 3 });
        assert!(backlog.samples.len() < SAMPLES_MAX);
        assert!(n < 64 || backlog.samples.len() >= SAMPLES_MAX / 2 - 1);
        let pairs = backlog.samples.windows(2);
        assert!(pairs.into_iter().all(|p| p[1].cycle - p[0].cycle == backlog.spacing));
        assert_eq!(backlog.saturated(1.0), n >= 15);
    }
}

#[test]
fn nothing_delivered_is_a_matter_for_the_wait_for_graph() {
    let mut backlog = Backlog::new();
    for n in 1..40 {
        backlog.record(Sample { cycle: n * SAMPLE_PERIOD, generated: n * 500, delivered: 100 });
    }
    assert!(!backlog.saturated(1.0));
}

/// The verdict on 31 samples, with the last 16 as the recent half: between two samples `generated`
/// messages are generated, and `early` or `late` are delivered, in the first or in the second half
/// of the last 16.
fn verdict_at(generated: u64, early: u64, late: u64) -> bool {
    let mut backlog = Backlog::new();
    let (mut sample, mut verdict) = (Sample { cycle: 0, generated: 0, delivered: 0 }, false);
    for number in 1..=31 {
        sample.cycle += SAMPLE_PERIOD;
        sample.generated += generated;
        sample.delivered += if number <= 24 { early } else { late };
        backlog.record(sample);
        verdict = backlog.saturated(1.0);
    }
    verdict
}

#[test]
fn each_condition_decides_at_its_limit() {
    // The growth is 16 times the messages left behind per sample. Five deviations of 15 000
    // messages are 866; 55 each make 880, 53 make 848.
    assert!(verdict_at(1_000, 945, 945) && !verdict_at(1_000, 947, 947));
    // One per cent of 15 million is 150 000, reached by 9 700 each as growth, but not in total.
    assert!(verdict_at(1_000_000, 989_999, 989_999));
    assert!(!verdict_at(1_000_000, 990_300, 990_300) && !verdict_at(1_000_000, 990_700, 990_700));
    // A quarter more in the second half.
    assert!(verdict_at(1_000, 500, 620) && !verdict_at(1_000, 500, 635));
}

/// The verdict of a queue with room for a resolution, at the looks of a run, with the messages used: true if
/// the load is carried.
fn sought(replication: u32, load: f64, resolution: f64) -> (Option<bool>, u64) {
    let mut stream = stream(replication);
    let mut backlog = Backlog::new();
    let (mut generated, mut delivered, mut look) = (0, 0, 16 * SAMPLE_PERIOD);
    for cycle in 1u64.. {
        generated += u64::from(happens(&mut stream, 0.3 * load));
        delivered += u64::from(generated > delivered && happens(&mut stream, 0.3));
        if !cycle.is_multiple_of(SAMPLE_PERIOD) {
            continue;
        }
        backlog.record(Sample { cycle, generated, delivered });
        if cycle >= look {
            look = cycle + cycle / 16;
            if backlog.exceeds(resolution, 1.0) {
                return (Some(false), delivered);
            }
            if backlog.carries(resolution, 1.0) {
                return (Some(true), delivered);
            }
            if delivered >= messages_for_verdict(resolution) {
                return (None, delivered);
            }
        }
    }
    unreachable!("the messages are used up before");
}

#[test]
fn a_search_tells_loads_one_resolution_from_saturation() {
    let (resolution, runs) = (0.03, 60);
    for (load, expected) in [(0.5, true), (0.95, true), (0.97, true), (1.03, false), (1.1, false)] {
        let (mut wrong, mut open, mut messages) = (0, 0, 0);
        for replication in 0..runs {
            let (found, used) = sought(replication, load, resolution);
            wrong += usize::from(found.is_some_and(|found| found != expected));
            open += usize::from(found.is_none());
            messages += used;
        }
        assert!(wrong <= 1 && open <= 6, "{load}: {wrong} wrong, {open} open");
        assert!(messages / u64::from(runs) < messages_for_verdict(resolution) / 2, "{load}");
    }
}
