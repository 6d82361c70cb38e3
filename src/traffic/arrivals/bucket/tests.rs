//! Tests of the messages released by token buckets, and of their times.

use super::super::{Axis, Cursor, Process};
use crate::random::{Purpose, Streams};
use crate::units::Rate;

const SHAPED: Process = Process::TokenBucket { burst: 5, tokens: 1.1 };
const GREEDY: Process = Process::GreedyBucket { burst: 5, spread: 0.7 };

fn arrivals(process: Process, rate: f64, node: usize, count: usize) -> Vec<u64> {
    let axis = Axis::new(process, Rate(rate));
    let mut streams = Streams::new(3, 0, Purpose::Arrivals);
    let stream = (0..=node).map(|_| streams.next_node()).last().unwrap();
    let mut cursor = Cursor::new(process, stream);
    let mut next = || {
        let cycle = cursor.cycle(&axis);
        cursor.step(&axis);
        cycle
    };
    (0..count).map(|_| next()).collect()
}

/// The most arrivals that any window of so many more messages has beyond what the bucket lets pass.
fn exceeds(process: Process, rate: f64, times: &[u64]) -> bool {
    let bucket = process.bucket(Rate(rate)).unwrap();
    [1, 4, 5, 6, 9, 40, 300].into_iter().any(|ahead: usize| {
        let pairs = times.iter().zip(&times[ahead..]);
        pairs.into_iter().any(|(from, to)| bucket.messages_within(to - from) <= ahead as u64)
    })
}

#[test]
fn no_window_holds_more_than_the_bucket_lets_pass() {
    for process in [SHAPED, GREEDY] {
        for rate in [0.5, 0.03, 0.000_7] {
            for node in 0..4 {
                let times = arrivals(process, rate, node, 20_000);
                assert!(!exceeds(process, rate, &times), "{process:?} {rate}");
                assert!(times.is_sorted());
                let mean = 19_999.0 / (times[19_999] - times[0]) as f64;
                assert!((mean / rate - 1.0).abs() < 0.03, "{process:?} {rate} {mean}");
            }
        }
    }
    // The test can tell: plain Poisson messages would not have passed.
    assert!(exceeds(SHAPED, 0.03, &arrivals(Process::Poisson, 0.03, 0, 20_000)));
}

#[test]
fn a_greedy_bucket_is_emptied_at_once_and_as_often_as_it_may() {
    let together = Process::GreedyBucket { burst: 3, spread: 0.0 };
    let expected = [0, 0, 0, 300, 300, 300, 600, 600, 600, 900];
    assert_eq!(arrivals(together, 0.01, 0, 10), expected);
    assert_eq!(arrivals(together, 0.01, 7, 10), expected);
    let firsts: Vec<u64> = (0..20).map(|node| arrivals(GREEDY, 0.01, node, 1)[0]).collect();
    assert!(firsts.iter().all(|&first| first < 350) && firsts.iter().any(|&first| first > 250));
}

#[test]
fn messages_that_a_bucket_need_not_hold_back_are_those_of_poisson() {
    let wide = Process::TokenBucket { burst: 1000, tokens: 1.5 };
    let poisson = arrivals(Process::Poisson, 0.02, 0, 5000);
    assert_eq!(arrivals(wide, 0.02, 0, 5000), poisson);
    let narrow = arrivals(SHAPED, 0.02, 0, 5000);
    assert!(narrow.iter().zip(&poisson).all(|(held, free)| held >= free));
    assert_ne!(narrow, poisson);
}
