//! Tests of `worker`.

use super::*;

#[test]
fn pictures_take_a_tenth_of_the_time_at_most_while_cycles_are_due() {
    let (at, took) = (Instant::now(), Duration::from_millis(68));
    let drawn = Drawn { at, took };
    assert!(!drawn.is_paid(at, 10) && !drawn.is_paid(at + took * 9, 10));
    assert!(drawn.is_paid(at + took * 10, 10));
    // A pace that leaves time leaves half of it.
    assert!(!drawn.is_paid(at, 1) && drawn.is_paid(at + took, 1));
    let first = Drawn { at, took: Duration::ZERO };
    assert!(first.is_paid(at, 10));
}
