//! Tests of `worker`.

use super::*;

#[test]
fn pictures_take_a_tenth_of_the_time_while_cycles_are_due_or_a_quarter_for_ten_per_second() {
    let at = Instant::now();
    let slow = Drawn { at, took: Duration::from_millis(20) };
    assert!(!slow.is_paid(at + FRAME_MAX * 9 / 10, 10) && slow.is_paid(at + FRAME_MAX, 10));
    let slower = Drawn { at, took: Duration::from_millis(68) };
    assert!(!slower.is_paid(at + slower.took * 2, 10) && slower.is_paid(at + slower.took * 3, 10));
    let took = Duration::from_millis(8);
    let drawn = Drawn { at, took };
    assert!(!drawn.is_paid(at, 10) && !drawn.is_paid(at + took * 9, 10));
    assert!(drawn.is_paid(at + took * 10, 10));
    // A pace that leaves time leaves half of it.
    assert!(!drawn.is_paid(at, 1) && drawn.is_paid(at + took, 1));
    let first = Drawn { at, took: Duration::ZERO };
    assert!(first.is_paid(at, 10));
}
