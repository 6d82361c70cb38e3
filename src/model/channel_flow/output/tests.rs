//! Tests of waits in cases with known results.

use super::super::constants::FITTED;
use super::*;

/// A stream from a channel with as many VCs as an output.
fn stream(output: Output<'_>, load: f64) -> Stream {
    Stream { load, vcs: output.vcs, queued: false, excess: 0.0 }
}

fn found(output: Output<'_>, streams: &[Stream]) -> Option<Vec<f64>> {
    let mut waits = vec![Wait::default(); streams.len()];
    output.waits(streams, &mut waits)?;
    Some(waits.into_iter().map(|wait| wait.mean).collect())
}

fn waits(output: Output<'_>, loads: &[f64]) -> Option<Vec<f64>> {
    let streams: Vec<Stream> = loads.iter().map(|&load| stream(output, load)).collect();
    found(output, &streams)
}

fn fixed(hold: f64, vcs: f64) -> Output<'static> {
    let hold = Moments::with_variance(hold, 0.0);
    let (lingering, link, sharing, lag) = (0.0, 0.0, 0.0, 0.0);
    Output { vcs, hold, lingering, link, sharing, longer: 1.0, lag, constants: &FITTED }
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

/// A source stream waits behind its own messages as in M/M/n; a lone stream from a channel never
/// waits.
#[test]
fn behind_a_source_a_stream_meets_its_own_messages() {
    let hold = Moments::with_variance(10.0, 100.0);
    for (vcs, whole) in [(1.0, 15.0), (2.0, 5.625)] {
        let output = Output { hold, ..fixed(10.0, vcs) };
        let alone = |queued| {
            let (stream, mut found) = (stream(output, 0.6), [Wait::default()]);
            output.waits(&[Stream { queued, ..stream }], &mut found).unwrap();
            [found[0].mean, found[0].whole]
        };
        for (queued, expected) in [(false, [0.0; 2]), (true, [0.0, whole])] {
            let found = alone(queued);
            let off = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs());
            assert!(off.fold(0.0, f64::max) < 1e-9, "{vcs}: {found:?}");
        }
    }
}

#[test]
fn streams_that_are_always_there_take_turns() {
    for streams in [2, 3, 5] {
        let share = 0.9999 / streams as f64;
        let found = waits(fixed(10.0, 1.0), &vec![share; streams]).unwrap();
        let expected = 10.0 * (streams - 1) as f64;
        assert!(found.iter().all(|wait| (wait / expected - 1.0).abs() < 0.01), "{found:?}");
    }
    // Of two unequal streams, the larger waits for one message per nine of its own.
    let found = waits(fixed(10.0, 1.0), &[0.8999, 0.1]).unwrap();
    assert!((found[0] / (10.0 / 9.0) - 1.0).abs() < 0.01, "{found:?}");
    assert!((found[1] / 90.0 - 1.0).abs() < 0.01, "{found:?}");
    assert_eq!(waits(fixed(10.0, 1.0), &[0.9, 0.2]), None);
}

#[test]
fn with_exponential_holds_a_stream_waits_as_in_a_queue_of_all_others() {
    let hold = Moments::with_variance(10.0, 100.0);
    let one = Output { hold, ..fixed(10.0, 1.0) };
    let expected = |others: f64| 10.0 * others / (1.0 - others);
    let found = waits(one, &[0.3, 0.2, 0.1]).unwrap();
    for (wait, others) in found.into_iter().zip([0.3, 0.4, 0.5]) {
        assert!((wait / expected(others) - 1.0).abs() < 1e-9, "{wait}");
    }
}

#[test]
fn the_smallest_streams_wait_for_what_is_left_of_the_hold_in_service() {
    for all in [1e-13, 1e-9, 1e-4] {
        let found = waits(fixed(16.0, 1.0), &[0.25 * all, 0.75 * all]).unwrap();
        for (wait, others) in found.iter().zip([0.75, 0.25]) {
            assert!((wait / (others * all * 8.0) - 1.0).abs() < 1e-3, "{all}: {found:?}");
        }
    }
}

#[test]
fn of_a_stream_with_more_vcs_more_wait_at_an_exit() {
    let exit = fixed(10.0, 1.0);
    let two = |vcs: f64| found(exit, &[Stream { vcs, ..stream(exit, 0.3) }; 2]).unwrap()[0];
    // All of M/D/1 at a load of 0.6.
    let all = 10.0 * 0.6 / (2.0 * 0.4);
    assert!(two(2.0) < two(4.0) && (two(32.0) / all - 1.0).abs() < 1e-6, "{}", two(32.0));
}

#[test]
fn more_channels_mean_less_waiting() {
    let one = waits(fixed(17.0, 1.0), &[0.3, 0.2]).unwrap();
    // The same messages: half the load each.
    let two = waits(fixed(17.0, 2.0), &[0.15, 0.1]).unwrap();
    assert!(two[0] < 0.5 * one[0] && two[0] > 0.0, "{one:?} {two:?}");
    assert!(one[1] > one[0], "the smaller stream waits longer for the other");
}

#[test]
fn a_message_waits_for_the_tail_before_unless_its_source_has() {
    let output = Output { lingering: 5.0, ..fixed(17.0, 1.0) };
    let behind = found(output, &[stream(output, 0.9)]).unwrap()[0];
    assert!(behind > 0.5 * 5.0 && behind < 2.0 * 5.0, "{behind}");
    let queued = found(output, &[Stream { queued: true, ..stream(output, 0.9) }]).unwrap();
    assert_eq!(queued, [0.0]);
}

#[test]
fn bursts_make_waits_longer_until_all_others_are_there() {
    let output = fixed(10.0, 1.0);
    let two = |load: f64, excess: f64| {
        found(output, &[Stream { excess, ..stream(output, load) }; 2]).unwrap()[0]
    };
    for load in [0.01, 0.1, 0.4] {
        let (even, bursty) = (two(load, 0.0), two(load, 20.0));
        // Each message waits for at most one message of the other stream.
        assert!(bursty > 1.1 * even && bursty < 10.0 * 0.5 / load, "{even} {bursty}");
    }
    // Few messages: Whitt's factor, 1 + 20 · 0.02.
    assert!((two(0.01, 20.0) / two(0.01, 0.0) - 1.4).abs() < 0.01);
}

#[test]
fn many_streams_wait_for_exponential_holds_as_in_known_queues() {
    let many = |output: Output<'_>, load: f64| waits(output, &[load / 1000.0; 1000]).unwrap()[0];
    let exponential = |hold: f64| Moments::with_variance(hold, hold * hold);
    // M/M/2 with a load of a half on each: a third of the messages wait, for a hold.
    let hold = exponential(12.0);
    let apart = Output { hold, ..fixed(12.0, 2.0) };
    let found = many(apart, 0.5);
    assert!((found / 4.0 - 1.0).abs() < 0.01, "{found}");
    // Messages that share a link used half of the time, at most two at once: messages of 8 cycles
    // take 12, and a quarter of them waits, for two messages.
    let shared = Output { link: 8.0, sharing: 4.0, ..apart };
    let found = many(shared, 0.375);
    assert!((found / 4.0 - 1.0).abs() < 0.01, "{found}");
    assert_eq!(waits(shared, &[0.76 / 1000.0; 1000]), None);
}

#[test]
fn a_lag_that_is_gone_after_a_wait_leaves_room_for_more_messages() {
    let many = |output: Output<'_>, load: f64| waits(output, &[load / 1000.0; 1000]);
    for vcs in [1.0, 2.0, 4.0] {
        let output = fixed(20.0, vcs);
        let relieved = Output { lag: 10.0, ..output };
        assert_eq!(many(output, 1.1), None);
        let found = [output, relieved].map(|it| many(it, 0.8).unwrap()[0]);
        assert!(0.0 < found[1] && found[1] < 0.8 * found[0], "{vcs}: {found:?}");
        assert!(many(relieved, 1.1).is_some());
    }
}
