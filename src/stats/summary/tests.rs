//! What is said of a whole run.

use super::*;

#[test]
fn a_network_that_accepts_less_is_told_unless_it_may_be_chance() {
    let shortfall = |messages, offered, accepted| {
        Summary { messages, offered, accepted, ..Summary::default() }.shortfall()
    };
    // Of 10 000 messages 4 % may be chance, of 100 as much as 40 %, and 2 % are passed over always.
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
    let known = [Steadiness::TooShort, Steadiness::Steady, Steadiness::Saturated];
    assert_eq!(known.map(Steadiness::saturated), [None, Some(false), Some(true)]);
    assert_eq!(known.map(Steadiness::is_saturated), [false, false, true]);
}
