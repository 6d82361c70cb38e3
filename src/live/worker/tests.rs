//! Tests of `worker`.

use super::*;

#[test]
fn pictures_take_a_tenth_of_the_time_at_most() {
    let (at, took) = (Instant::now(), Duration::from_millis(68));
    let drawn = Drawn { at, took };
    assert!(!drawn.is_paid(at) && !drawn.is_paid(at + took * 9));
    assert!(drawn.is_paid(at + took * 10));
    let first = Drawn { at, took: Duration::ZERO };
    assert!(first.is_paid(at));
}
