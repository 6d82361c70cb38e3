//! Tests of `wheel`.

use super::*;

#[test]
fn what_is_pushed_comes_up_in_its_cycle_and_in_order() {
    let mut wheel = Wheel::default();
    for (at, row) in [(1000, 7), (1003, 8), (1003, 7), (1126, 7), (1127, 9)] {
        wheel.push(at, row);
    }
    assert_eq!(Wheel::first_of(&[&wheel], 1000), Some(1000));
    let ahead: Vec<_> = wheel.ahead(1000).collect();
    assert_eq!(ahead, [(0, 7), (3, 8), (3, 7), (126, 7), (127, 9)]);
    // The second of three entries of row 7.
    assert_eq!(wheel.drop_some(1000, 7, 1, 1), 1);
    let bucket = wheel.take(1000);
    assert_eq!(bucket, [7]);
    wheel.recycle(bucket);
    assert_eq!((wheel.ahead(1001).count(), Wheel::first_of(&[&wheel], 1001)), (3, Some(1003)));
    assert_eq!(wheel.take(1003), [8]);
    assert_eq!(Wheel::first_of(&[&wheel], 1004), Some(1126));
    assert!(wheel.is_due(1126) && !wheel.is_due(1004) && wheel.is_sound());
}

#[test]
fn equal_contents_have_equal_fingerprints_whatever_the_order_in_a_cycle() {
    let print = |entries: &[(u64, u32)], now| {
        let mut wheel = Wheel::default();
        for &(at, row) in entries {
            wheel.push(at, row);
        }
        wheel.fingerprint(now, 1, u64::from)
    };
    assert_eq!(print(&[(5, 1), (5, 2)], 4), print(&[(5, 2), (5, 1)], 4));
    assert_ne!(print(&[(5, 1), (6, 2)], 4), print(&[(5, 2), (6, 1)], 4));
    assert_eq!(print(&[(5, 1)], 4), print(&[(9, 1)], 8));
}
