//! Compares the figures of synthetic runs with a stored snapshot.
//!
//! The comparison reveals any change of a computation. `INSTA_UPDATE=always cargo test --lib --
//! stats::` updates the snapshot.

use std::fmt::Write;

use crate::random::{Purpose, Streams};
use crate::stats::{
    Estimate, Histogram, Observation, Offered, Paired, SAMPLE_PERIOD, Sample, Statistics, Summary,
    WarmUp, replications,
};

/// Messages in one queue with a service of 20 to 30 cycles, in the order of delivery; the gaps
/// between messages are 1 to `gap` cycles.
fn queue(seed: u64, gap: u32, count: usize) -> Vec<Observation> {
    let mut stream = Streams::new(seed, 0, Purpose::Lengths).next_node();
    let (mut born, mut free) = (0, 0);
    let mut next = || {
        born += u64::from(1 + stream.below(gap));
        let (service, hops) = (u64::from(20 + stream.below(11)), 1 + stream.below(5));
        let start = free.max(born);
        free = start + service;
        Observation {
            born,
            done: free,
            network_latency: service + (start - born) / 3,
            transfer: service - 3,
            hops,
            length: 4,
            channel_time: 4 * u64::from(hops),
            aborts: stream.below(3),
            head_waits: None,
            message_class: 0,
            round_trip: None,
            virtual_waits: None,
        }
    };
    (0..count).map(|_| next()).collect()
}

fn collect(messages: &[Observation], circuits: bool, warm_up: WarmUp, until: u64) -> Statistics {
    let offered = Offered {
        nodes: 2,
        links: 3,
        rate: 0.02,
        length_mean: 4.0,
        gap_variation: 1.0,
        memory: 0.0,
        circuits,
        classes: 0,
        controls: None,
    };
    let mut statistics = Statistics::new(offered, warm_up, 0);
    let mut sampled = 0;
    for &message in messages.iter().take_while(|it| it.done <= until) {
        while sampled + SAMPLE_PERIOD < message.done {
            sampled += SAMPLE_PERIOD;
            let generated = messages.partition_point(|it| it.born < sampled) as u64;
            let delivered = messages.partition_point(|it| it.done <= sampled) as u64;
            statistics.sample(Sample { cycle: sampled, generated, delivered });
        }
        statistics.record(message);
    }
    statistics
}

fn tell(told: &mut String, summary: &Summary, now: u64) {
    let more = (
        summary.shortfall(),
        summary.messages_to_tell(now),
        summary.source_wait_mean(),
        summary.blocking_mean(),
        summary.latency.and_then(|latency| latency.relative_half_width()),
    );
    writeln!(told, "by {now}: {summary:.6?}\n    {more:.6?}").unwrap();
}

fn tell_histogram(told: &mut String, histogram: &Histogram) {
    let quantiles = [0.0, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0].map(|q| histogram.quantile(q));
    let between = [(0, 30), (25, 60), (60, 500), (200, 200), (300, 100_000)]
        .map(|(from, end)| histogram.count_between(from, end));
    let print = histogram.fingerprint();
    writeln!(told, "    {quantiles:?}, {between:?}, {print:016x}").unwrap();
}

#[test]
fn figures_of_one_run_are_what_they_were() {
    let mut told = String::new();
    // Loads from very low to beyond the capacity.
    for (gap, warm_up) in [
        (80, WarmUp::Automatic),
        (56, WarmUp::Cycles(20_000)),
        (52, WarmUp::Automatic),
        (47, WarmUp::Cycles(5_000)),
        (30, WarmUp::Automatic),
    ] {
        let messages = queue(u64::from(gap), gap, 60_000);
        let end = messages[messages.len() - 1].done;
        for share in [200, 30, 8, 2, 1] {
            let now = end / share;
            let statistics = collect(&messages, share % 2 == 0, warm_up, now);
            let latencies = statistics.latencies();
            writeln!(told, "a gap of {gap}, {warm_up:?}, {:016x}", statistics.fingerprint())
                .unwrap();
            tell(&mut told, &statistics.summary(now), now);
            tell_histogram(&mut told, latencies);
            writeln!(told, "    {:?} {}", statistics.settled_at(now), statistics.counted())
                .unwrap();
            if let Some(set_ups) = statistics.set_ups() {
                tell_histogram(&mut told, set_ups);
            }
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn figures_of_several_runs_are_what_they_were() {
    let mut told = String::new();
    for (gap, count) in [(80, 20_000), (60, 20_000), (54, 5_000), (40, 20_000)] {
        let runs: Vec<Statistics> = (0..5)
            .map(|seed| collect(&queue(seed, gap, count), false, WarmUp::Automatic, u64::MAX))
            .collect();
        let now = 24 * count as u64;
        let summaries: Vec<Summary> = runs.iter().map(|run| run.summary(now)).collect();
        let merged = replications::merge(runs.iter().map(Statistics::latencies));
        for some in [1, 2, 5] {
            let all = replications::combine(&summaries[..some], Some(&merged)).unwrap();
            tell(&mut told, &all, now);
        }
        let means: Vec<f64> =
            summaries.iter().filter_map(|it| it.latency).map(|it| it.mean - 60.0).collect();
        for many in [1, 3, 20] {
            let estimate = Estimate::of_independent_among(&means, many);
            let needed = Estimate::values_needed(&means, many);
            writeln!(told, "    among {many}: {estimate:.6?}, {needed:?}").unwrap();
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn figures_of_two_runs_of_the_same_messages_are_what_they_were() {
    let mut told = String::new();
    for gap in [80, 56, 40] {
        let (first, second) = (queue(7, gap, 30_000), queue(7, gap + 1, 30_000));
        let mut paired = Paired::new(1_000);
        for (at, (one, other)) in first.iter().zip(&second).enumerate() {
            paired.record(one.born, one.latency(), other.latency());
            if [10, 300, 5_000, 29_999].contains(&at) {
                writeln!(told, "{:.6?}", paired.summary()).unwrap();
            }
        }
    }
    insta::assert_snapshot!(told);
}
