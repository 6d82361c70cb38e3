//! Tests of the verdicts and figures of a whole run.

use super::*;

#[test]
fn a_network_that_accepts_less_is_told_unless_it_may_be_chance() {
    let shortfall = |messages, offered, accepted| {
        Summary { messages, offered, accepted, ..Summary::default() }.shortfall()
    };
    // Chance explains 4 % of 10 000 messages and 40 % of 100; 2 % are always ignored.
    assert_eq!(shortfall(10_000, 0.5, Some(0.45)), Some(0.9));
    assert_eq!(shortfall(10_000, 0.5, Some(0.485)), None);
    assert_eq!(shortfall(100, 0.5, Some(0.325)), None);
    assert_eq!(shortfall(100, 0.5, Some(0.25)), Some(0.5));
    assert_eq!(shortfall(100_000_000, 0.5, Some(0.4925)), None);
    assert_eq!(shortfall(100_000_000, 0.5, Some(0.4875)), Some(0.975));
    assert_eq!(shortfall(100, 0.5, Some(0.55)), None);
    assert_eq!(shortfall(0, 0.5, None), None);
}

#[test]
fn only_what_was_found_is_known_of_saturation() {
    use Steadiness::{Deadlocked, Saturated, Steady, TooShort};
    let known = [TooShort, Steady, Saturated, Deadlocked];
    assert_eq!(known.map(Steadiness::saturated), [None, Some(false), Some(true), None]);
    assert_eq!(known.map(Steadiness::is_saturated), [false, false, true, false]);
}

#[test]
fn a_run_that_is_too_short_says_how_many_messages_would_do() {
    let summary = Summary {
        measured_from: Some(1_000),
        messages: 500,
        latency: Some(Estimate { mean: 40.0, half_width: None }),
        transfer_mean: Some(20.0),
        offered: 0.5,
        accepted: Some(0.5),
        ..Summary::default()
    };
    // 24 relaxation times of 40²/20 cycles are 3,840 cycles, and the run has counted for 500.
    assert_eq!(summary.messages_to_tell(1_500), Some(3_840));
    assert_eq!(summary.messages_to_tell(100_000), Some(1_000), "at least twice as many");
    let less = Summary { accepted: Some(0.3), ..summary.clone() };
    assert_eq!(less.messages_to_tell(1_500), Some(TELLING_CYCLES));
    assert_eq!(Summary::default().messages_to_tell(9), None);
}

#[test]
fn a_deadlock_leaves_no_interval_and_no_steady_state() {
    let of = |steadiness| {
        let latency = Some(Estimate { mean: 25.0, half_width: Some(1.5) });
        let half_widths = HalfWidths { accepted: Some(0.01), ..HalfWidths::default() };
        let summary = Summary { latency, half_widths, steadiness, ..Summary::default() };
        summary.deadlocked()
    };
    for known in [Steadiness::Steady, Steadiness::TooShort] {
        let summary = of(known);
        assert_eq!(summary.latency, Some(Estimate { mean: 25.0, half_width: None }));
        assert_eq!(summary.half_widths, HalfWidths::default());
        assert_eq!(summary.steadiness, Steadiness::Deadlocked);
    }
    assert_eq!(of(Steadiness::Saturated).steadiness, Steadiness::Saturated, "found before");
}

#[test]
fn a_run_grows_that_is_saturated_or_not_steady_and_accepts_too_little() {
    let run = |steadiness, accepted| {
        let accepted = Some(accepted);
        Summary { messages: 10_000, offered: 0.5, accepted, steadiness, ..Summary::default() }
    };
    for (steadiness, accepted, grows) in [
        (Steadiness::Saturated, 0.4, true),
        (Steadiness::Saturated, 0.5, true),
        (Steadiness::TooShort, 0.4, true),
        (Steadiness::TooShort, 0.5, false),
        (Steadiness::Steady, 0.4, false),
        (Steadiness::Steady, 0.5, false),
        (Steadiness::Deadlocked, 0.5, true),
    ] {
        assert_eq!(run(steadiness, accepted).is_growing(), grows, "{steadiness:?} {accepted}");
    }
}
