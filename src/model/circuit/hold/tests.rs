//! Tests of the waits of streams against known queues.

use super::*;

#[test]
fn fresh_messages_alone_wait_as_in_an_m_g_1_queue() {
    let link = Link { requests: 0.5, streams: &[], fresh: 1.0, hold: 1.2, variance: 0.3 };
    let expected = 0.5 * (1.44 + 0.3) / (2.0 * (1.0 - 0.6));
    let waits = link.waits().unwrap();
    assert!((waits.mean - expected).abs() < 1e-12);
    assert!((waits.conflict - 0.6).abs() < 1e-12);
    let full = Link { requests: 1.0, ..link };
    assert_eq!(full.waits(), Err(NoSolution::Saturated));
}

#[test]
fn a_stream_alone_never_waits() {
    let link = Link { requests: 0.7, streams: &[1.0], fresh: 0.0, hold: 1.0, variance: 0.3 };
    let waits = link.waits().unwrap();
    assert_eq!((waits.mean, waits.conflict), (0.0, 0.0));
}

#[test]
fn many_small_streams_are_a_poisson_stream() {
    let shares = vec![1e-4; 10_000];
    let link = Link { requests: 0.6, streams: &shares, fresh: 0.0, hold: 1.0, variance: 1.0 };
    let poisson = Link { streams: &[], fresh: 1.0, ..link };
    let (many, one) = (link.waits().unwrap(), poisson.waits().unwrap());
    assert!((many.mean / one.mean - 1.0).abs() < 1e-3, "{} {}", many.mean, one.mean);
    assert!((many.conflict - one.conflict).abs() < 1e-3);
}

#[test]
fn the_second_moment_of_a_wait_is_that_of_the_m_m_1_queue() {
    let link = Link { requests: 0.5, streams: &[], fresh: 1.0, hold: 1.0, variance: 1.0 };
    let wait = link.waits().unwrap().mean;
    // ρ = 1/2: P(wait > t) = ρ exp(−t/2), so E[w²] = 2ρ/(1 − ρ)².
    assert!((wait - 1.0).abs() < 1e-12);
    assert!((link.wait_second_moment(wait) - 4.0).abs() < 1e-12);
}
