//! Tests of `calendar`.

use super::*;

#[test]
fn events_come_by_tick_and_then_in_the_order_of_scheduling() {
    let mut calendar = Calendar::new([3, 2, 2, 0]);
    calendar.after(0, Event::Verified, 1);
    calendar.sent_at(3, 2);
    calendar.after(1, Event::Connected, 3);
    calendar.after(1, Event::Again, 4);
    calendar.after(1, Event::Released, 5);
    calendar.sent_at(2, 6);
    let mut order = Vec::new();
    for _ in 0..6 {
        let (tick, event) = calendar.next();
        order.push((tick, calendar.take(event)));
    }
    assert_eq!(calendar.next().0, u64::MAX);
    assert_eq!(order, [(1, 4), (2, 6), (3, 1), (3, 2), (3, 3), (3, 5)]);
}
