//! Tests of paired latencies of the same messages in two runs.

use super::*;
use crate::random::{Purpose, Stream, Streams};

fn stream(seed: u64) -> Stream {
    Streams::new(seed, 0, Purpose::Arrivals).next_node()
}

#[test]
fn what_is_known_does_not_depend_on_the_order_of_the_pairs() {
    let mut stream = stream(5);
    let mut pairs: Vec<(u64, u64, u64)> = (0..4_000)
        .map(|_| {
            let draw = |stream: &mut Stream, end| u64::from(stream.below(end));
            let first = 20 + draw(&mut stream, 30);
            (draw(&mut stream, 90_000), first, first + draw(&mut stream, 9) - 4)
        })
        .collect();
    let of = |pairs: &[(u64, u64, u64)]| {
        let mut paired = Paired::new(1_000);
        for &(born, first, second) in pairs {
            paired.record(born, first, second);
        }
        paired
    };
    let straight = of(&pairs);
    pairs.reverse();
    assert_eq!(of(&pairs), straight);
    pairs.sort_unstable();
    assert_eq!(of(&pairs), straight);
    // The sums by hand.
    pairs.retain(|&(born, ..)| born >= 1_000);
    let summary = straight.summary();
    assert_eq!(summary.both, pairs.len() as u64);
    assert_eq!(summary.earlier, pairs.iter().filter(|p| p.2 < p.1).count() as u64);
    assert_eq!(summary.later, pairs.iter().filter(|p| p.2 > p.1).count() as u64);
    assert_eq!(summary.earlier + summary.same + summary.later, summary.both);
    let sum: i64 = pairs.iter().map(|p| p.2.cast_signed() - p.1.cast_signed()).sum();
    let mean = sum as f64 / pairs.len() as f64;
    assert!((summary.difference.unwrap().mean - mean).abs() < 1e-12);
    let mut copy = Paired::new(0);
    copy.clone_from(&straight);
    assert_eq!(copy, straight);
}

#[test]
fn intervals_come_when_batches_are_long_and_cover_the_truth() {
    let mut missed = 0;
    for seed in 0..400 {
        let mut stream = stream(seed);
        let mut paired = Paired::new(0);
        let (mut first, mut born) = (50.0f64, 0.0);
        for n in 0..3_000 {
            // The component common to both runs changes slowly; the mean difference is 3.
            first = 0.9 * first + 10.0 * stream.exponential();
            born += 5.0 * stream.exponential();
            let second = first + 6.0 * stream.exponential() - 3.0;
            let round = |x: f64| (x.max(0.0) + 0.5) as u64;
            paired.record(born as u64, round(first), round(second));
            if n == 100 {
                assert_eq!(paired.summary().difference.unwrap().half_width, None);
            }
        }
        let difference = paired.summary().difference.unwrap();
        missed += u32::from((difference.mean - 3.0).abs() > difference.half_width.unwrap());
    }
    // 20 expected; fewer than one in 10⁶ sets of true 95 % intervals is outside.
    assert!((4..=44).contains(&missed), "{missed}");
}

#[test]
fn spans_are_joined_only_where_there_are_too_many() {
    let mut paired = Paired::new(700);
    assert_eq!(paired.from(), 700);
    let longest = SPAN_MIN * BATCHES_MAX as u64;
    for since in [0, SPAN_MIN - 1, SPAN_MIN, longest - 1] {
        paired.record(700 + since, 40, 42);
        assert_eq!(paired.length, SPAN_MIN, "{since}");
    }
    assert_eq!((paired.spans.len(), paired.spans[0].pairs), (BATCHES_MAX, 2));
    paired.record(700 + longest, 40, 42);
    assert_eq!((paired.length, paired.spans[0].pairs), (2 * SPAN_MIN, 3));
    // Before the start.
    paired.record(699, 40, 42);
    assert_eq!(paired.spans.iter().map(|span| span.pairs).sum::<u64>(), 5);
}
