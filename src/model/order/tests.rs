//! Tests of known orders.

use super::*;

#[test]
fn what_can_follow_comes_first() {
    let follows = [(0, 1), (0, 2), (1, 2), (3, 0)];
    let order = downstream_first(&[true; 5], || follows.into_iter()).unwrap();
    assert_eq!(order.ranks, [3, 2, 1, 4, 1]);
    let place = |queue| order.numbers.iter().position(|&at| at == queue).unwrap();
    assert!(follows.iter().all(|&(queue, next)| place(next) < place(queue)));
    let two = downstream_first(&[true, true, false], || [(0, 1)].into_iter()).unwrap();
    assert_eq!(two.numbers, [1, 0]);
}

#[test]
fn a_cycle_is_named_by_one_of_its_queues() {
    // 3 leads into the cycle 0 → 1 → 2 → 0.
    let follows = [(3, 0), (0, 1), (1, 2), (2, 0), (2, 4)];
    let found = downstream_first(&[true; 5], || follows.into_iter()).unwrap_err();
    assert!(found < 3, "{found}");
}
