//! The cases in which the waits are known.

use super::*;

/// A stream from a channel with as many VCs as an output.
fn stream(output: Output, load: f64) -> Stream {
    let age = Age::default();
    Stream { load, vcs: output.vcs, queued: false, age, seen: 0.0, met: 0.0, excess: 0.0 }
}

fn found(output: Output, mut streams: Vec<Stream>) -> Option<Vec<f64>> {
    let mut waits = vec![Wait::default(); streams.len()];
    output.waits(&mut streams, &mut waits)?;
    Some(waits.into_iter().map(|wait| wait.mean).collect())
}

fn aged(output: Output, streams: &[(f64, Age)]) -> Option<Vec<f64>> {
    let aged = |&(load, age): &(f64, Age)| Stream { age, ..stream(output, load) };
    found(output, streams.iter().map(aged).collect())
}

fn waits(output: Output, loads: &[f64]) -> Option<Vec<f64>> {
    let young = |&load: &f64| (load, Age::default());
    aged(output, &loads.iter().map(young).collect::<Vec<_>>())
}

fn fixed(hold: f64, vcs: f64) -> Output {
    let hold = Moments::with_variance(hold, 0.0);
    Output { vcs, hold, lingering: 0.0, link: 0.0, sharing: 0.0 }
}

#[test]
fn one_stream_does_not_wait_and_many_wait_as_in_a_queue() {
    for vcs in [1.0, 2.0, 8.0] {
        assert_eq!(waits(fixed(17.0, vcs), &[0.9]).unwrap(), [0.0]);
    }
    let many = waits(fixed(17.0, 1.0), &[0.0005; 1000]).unwrap();
    // M/D/1 at a load of a half: half a hold.
    assert!(many.iter().all(|wait| (wait / 8.5 - 1.0).abs() < 0.01), "{}", many[0]);
}

#[test]
fn streams_that_are_always_there_take_turns() {
    for streams in [2, 3, 5] {
        let share = 1.0 / streams as f64;
        let found = waits(fixed(10.0, 1.0), &vec![share; streams]).unwrap();
        let expected = 10.0 * (streams - 1) as f64;
        assert!(found.iter().all(|wait| (wait / expected - 1.0).abs() < 0.25), "{found:?}");
    }
    assert_eq!(waits(fixed(10.0, 1.0), &[0.9, 1.2]), None);
}

#[test]
fn more_channels_mean_less_waiting() {
    let one = waits(fixed(17.0, 1.0), &[0.3, 0.2]).unwrap();
    // The same messages: half the load each.
    let two = waits(fixed(17.0, 2.0), &[0.15, 0.1]).unwrap();
    assert!(two[0] < 0.5 * one[0] && two[0] > 0.0, "{one:?} {two:?}");
    assert!(one[1] > one[0], "the smaller stream meets more of the other");
}

#[test]
fn a_message_waits_for_the_tail_before_unless_its_source_has() {
    let output = Output { lingering: 5.0, ..fixed(17.0, 1.0) };
    let behind = found(output, vec![stream(output, 0.9)]).unwrap()[0];
    assert!(behind > 0.5 * 5.0 && behind < 2.0 * 5.0, "{behind}");
    let queued = found(output, vec![Stream { queued: true, ..stream(output, 0.9) }]).unwrap();
    assert_eq!(queued, [0.0]);
}

#[test]
fn bursts_make_waits_longer_until_all_others_are_there() {
    let output = fixed(10.0, 1.0);
    let two = |load: f64, excess: f64| {
        found(output, vec![Stream { excess, ..stream(output, load) }; 2]).unwrap()[0]
    };
    for load in [0.01, 0.1, 0.4] {
        let (even, bursty) = (two(load, 0.0), two(load, 20.0));
        assert!(bursty > 1.1 * even && bursty < 10.0, "{even} {bursty}");
    }
    // Few messages: Whitt's factor, 1 + 20 · 0.01.
    assert!((two(0.01, 20.0) / two(0.01, 0.0) - 1.2).abs() < 0.01);
}

#[test]
fn many_streams_wait_for_exponential_holds_as_in_known_queues() {
    let many = |output: Output, load: f64| waits(output, &[load / 1000.0; 1000]).unwrap()[0];
    let exponential = |hold: f64| Moments::with_variance(hold, hold * hold);
    // M/M/2 with a load of a half on each: a third of the messages wait, for a hold.
    let hold = exponential(12.0);
    let apart = Output { vcs: 2.0, hold, lingering: 0.0, link: 0.0, sharing: 0.0 };
    let found = many(apart, 0.5);
    assert!((found / 4.0 - 1.0).abs() < 0.01, "{found}");
    // Of those that share a link used half of the time at most two are there: messages of 8 cycles take
    // 12, a quarter waits, for two messages.
    let shared = Output { vcs: 2.0, hold, lingering: 0.0, link: 8.0, sharing: 4.0 };
    let found = many(shared, 0.375);
    assert!((found / 4.0 - 1.0).abs() < 0.01, "{found}");
    assert_eq!(waits(shared, &[0.76 / 1000.0; 1000]), None);
}

#[test]
fn the_oldest_wait_least_and_all_together_as_long() {
    let age = |random: f64| Age { fixed: 0.0, random };
    let loads = [0.2, 0.15, 0.1];
    let alike = waits(fixed(17.0, 1.0), &loads).unwrap();
    let ages = [age(10.0), age(100.0), age(400.0)];
    let streams: Vec<(f64, Age)> = loads.into_iter().zip(ages).collect();
    let found = aged(fixed(17.0, 1.0), &streams).unwrap();
    assert!(found[0] > alike[0] && found[2] < alike[2], "{alike:?} {found:?}");
    let work =
        |waits: &[f64]| -> f64 { loads.iter().zip(waits).map(|(load, wait)| load * wait).sum() };
    assert!((work(&found) / work(&alike) - 1.0).abs() < 0.02, "{alike:?} {found:?}");
}

#[test]
fn ages_are_compared_as_random_times() {
    let age = |fixed: f64, random: f64| Age { fixed, random };
    // As likely as not; and 1 − e⁻¹/2, by how much later the other came.
    let alike = age(0.0, 7.0).older(age(0.0, 7.0), 0.0);
    assert!((alike - 0.5).abs() < 1e-12, "{alike}");
    let later = age(0.0, 7.0).older(age(0.0, 7.0), 7.0);
    assert!((later - (1.0 - (-1.0f64).exp() / 2.0)).abs() < 1e-12, "{later}");
    let (one, other) = (age(5.0, 20.0), age(9.0, 3.0));
    let sum = one.older(other, 2.0) + other.older(one, -2.0);
    assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    let surely = age(1.0, 0.0).older(age(0.0, 0.0), 0.0);
    assert!((surely - 1.0).abs() < 1e-12, "{surely}");
}
