//! Tests of `chain`.

use super::*;
use crate::tui::fake;

#[test]
fn chains_and_circles_are_counted() {
    let mut snapshot = fake::deadlocked(fake::TORUS, &[8, 8]).snapshot;
    assert_eq!(longest_chain(&snapshot), 4);
    snapshot.waits[3].holder = None;
    assert_eq!(longest_chain(&snapshot), 4);
    snapshot.waits.pop();
    assert_eq!(longest_chain(&snapshot), 3);
    snapshot.waits.clear();
    assert_eq!(longest_chain(&snapshot), 0);
}
