//! Tests of `worker`.

use super::*;

#[test]
fn pictures_take_a_tenth_of_the_time_at_most_while_cycles_are_due() {
    let (at, took) = (Instant::now(), Duration::from_millis(68));
    let drawn = Drawn { at, took };
    assert!(!drawn.is_paid(at, true) && !drawn.is_paid(at + took * 9, true));
    assert!(drawn.is_paid(at + took * 10, true));
    // A pace that leaves time leaves half of it.
    assert!(!drawn.is_paid(at, false) && drawn.is_paid(at + took, false));
    let first = Drawn { at, took: Duration::ZERO };
    assert!(first.is_paid(at, true));
}
