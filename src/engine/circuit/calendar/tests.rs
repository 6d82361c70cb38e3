//! Tests of `calendar`.

use super::*;

#[test]
fn events_come_by_tick_and_then_in_the_order_of_scheduling() {
    for verify in [2, 3] {
        let mut calendar = Calendar::new([verify, 2, 2, 0], Transmissions::new(4, 1));
        let mut controllers = vec![Controller::IDLE; 4];
        let mut calls = vec![Call::FREE; 8];
        for (call, controller) in [1, 3, 5, 7].into_iter().zip(&mut controllers) {
            controller.serving = call;
        }
        calendar.serve(&mut controllers, 3 - verify, Service::Verify, 0);
        calendar.send(&mut calls, 3, 2);
        calendar.serve(&mut controllers, 1, Service::Connect, 1);
        calendar.back_off(&mut calls, 1, 4);
        calendar.serve(&mut controllers, 1, Service::Release, 2);
        calendar.send(&mut calls, 2, 6);
        let mut order = Vec::new();
        for (bound, count) in [(1, 0), (2, 1), (3, 2), (u64::MAX, 6)] {
            calendar.stop_at(bound);
            loop {
                let service = calendar.take_service(&controllers).map(Event::Served);
                if service.is_none() && calendar.is_over() {
                    break;
                }
                match service.or_else(|| calendar.take(&controllers, &mut calls)).unwrap() {
                    Event::Served(served) => order.push((served.tick, served.call)),
                    Event::Again(tick, call) | Event::Sent(tick, call) => order.push((tick, call)),
                }
            }
            assert_eq!(order.len(), count);
        }
        assert_eq!(order, [(1, 4), (2, 6), (3, 1), (3, 2), (3, 3), (3, 5)]);
    }
}
