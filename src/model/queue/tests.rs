//! Tests of known queues.

use super::*;

#[test]
fn a_constant_service_waits_as_long_as_in_an_m_d_1_queue() {
    // ρ = 0.5: ρ·x / (2(1 − ρ)).
    assert!((wait(0.05, 10.0, 10.0).unwrap() - 5.0).abs() < 1e-12);
}

#[test]
fn a_service_that_is_all_waiting_waits_as_long_as_in_an_m_m_1_queue() {
    assert!((wait(0.05, 10.0, 0.0).unwrap() - 10.0).abs() < 1e-12);
}

#[test]
fn a_full_queue_has_no_wait() {
    assert_eq!(wait(0.1, 10.0, 10.0), None);
    assert_eq!(wait(0.0, 10.0, 10.0), Some(0.0));
}
