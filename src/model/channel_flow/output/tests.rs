//! The cases in which the waits are known.

use super::*;

fn waits(output: Output, loads: &[f64]) -> Option<Vec<f64>> {
    let mut waits = vec![Wait::default(); loads.len()];
    output.waits(loads.iter().copied(), &mut waits)?;
    Some(waits.into_iter().map(|wait| wait.mean).collect())
}

fn fixed(hold: f64, vcs: f64) -> Output {
    Output { vcs, hold: Moments::with_variance(hold, 0.0), lingering: 0.0 }
}

#[test]
fn one_stream_does_not_wait_and_many_wait_as_in_a_queue() {
    assert_eq!(waits(fixed(17.0, 1.0), &[0.9]).unwrap(), [0.0]);
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
