//! Tests of the queue against the vectors of 002's specification and closed forms.

use super::*;

fn solve(accepted: f64, mean: f64, variation: f64, room: usize) -> (Queue, Service, Solution) {
    let service = Service::new(Moments::with_variance(mean, variation * mean * mean));
    let mut queue = Queue::default();
    let solution = queue.solve(accepted, &service, room, 0.0);
    (queue, service, solution)
}

/// A few queues of every kind, from light to heavy.
fn queues() -> Vec<(f64, f64, f64, usize)> {
    let mut all = Vec::new();
    for busy in [0.05, 0.3, 0.6, 0.9, 0.97] {
        for variation in [0.0, 0.2, 0.7, 1.0, 1.3, 4.0] {
            for room in [1, 2, 3, 5, 8, 20] {
                all.push((busy / 7.0, 7.0, variation, room));
            }
        }
    }
    all
}

#[test]
fn a_customer_finds_what_departures_leave_behind() {
    // φ_n(0) = π_n: the probability of n at an arrival, from the services in progress.
    for (accepted, mean, variation, room) in queues() {
        let (mut queue, _, solution) = solve(accepted, mean, variation, room);
        assert!(solution.offered.is_finite());
        let total: f64 = queue.left_behind.iter().sum();
        assert!((total - 1.0).abs() < 1e-12);
        queue.arrivals.falling.iter_mut().for_each(|falling| falling.sum = 0.0);
        for n in 1..queue.left_behind.len() {
            queue.arrivals.start(queue.starts[n]);
            let found = queue.arrivals.with(&queue.starts, n, 0);
            let expected = queue.left_behind[n];
            let case = (accepted, mean, variation, room, n);
            assert!((found - expected).abs() < 1e-12, "{case:?}: {found} {expected}");
        }
    }
}

#[test]
fn what_is_accepted_is_what_was_asked_for() {
    for (accepted, mean, variation, room) in queues() {
        let (_, _, solution) = solve(accepted, mean, variation, room);
        let through = solution.offered * (1.0 - solution.blocked);
        assert!((through / accepted - 1.0).abs() < 1e-10, "{accepted} {variation} {room}");
    }
}

#[test]
fn waits_are_those_of_littles_law_and_of_the_closed_form() {
    for (accepted, mean, variation, room) in queues() {
        let (queue, service, solution) = solve(accepted, mean, variation, room);
        let case = (accepted, mean, variation, room);
        // Waiting customers: all but the one in service.
        let pi = |j: usize| queue.left_behind.get(j).copied().unwrap_or(0.0);
        let not_full = 1.0 - solution.blocked;
        let waiting: f64 = (2..room).map(|n| (n - 1) as f64 * pi(n) * not_full).sum::<f64>()
            + room.saturating_sub(1) as f64 * solution.blocked;
        assert!((accepted * solution.wait.mean - waiting).abs() < 1e-11, "{case:?}");
        // The transform (14), differentiated at 0.
        let (k, x, variance) = (room as f64, solution.offered, service.moments.variance());
        let a = |j: usize| (k - 1.0) * mean - (k - j as f64) / x;
        let first = (0..room).map(|j| pi(j) * a(j)).sum::<f64>() + pi(0) * k / x;
        let second = (0..room)
            .map(|j| {
                let left = k - j as f64;
                pi(j) * ((k - 1.0) * variance + left / (x * x) + a(j) * a(j))
            })
            .sum::<f64>()
            - 2.0 * pi(0) * (k / (x * x) + (1.0 / x) * (1.0 / x - mean) * k * (k - 1.0) / 2.0);
        let scale = 1.0 / (x * x * (1.0 - accepted * mean));
        assert!((solution.wait.mean - first).abs() < 1e-10 * scale.max(1.0), "{case:?} {first}");
        assert!((solution.wait.square - second).abs() < 1e-10 * scale * k, "{case:?} {second}");
    }
}

#[test]
fn exponential_service_is_the_m_m_1_k_queue() {
    // P_n = ρ'ⁿ (1 − ρ')/(1 − ρ'^(K+1)), and a customer finding n waits for n services.
    for (offered, room) in [(0.3f64, 2), (0.7, 4), (0.999, 5), (1.6, 3)] {
        let mean = 1.0f64;
        let at = |n: usize| {
            let power = |e: usize| offered.powf(e as f64);
            power(n) * (1.0 - offered) / (1.0 - power(room + 1))
        };
        let accepted = offered * (1.0 - at(room));
        let (_, _, solution) = solve(accepted, mean, 1.0, room);
        assert!((solution.offered / offered - 1.0).abs() < 1e-9, "{}", solution.offered);
        assert!((solution.blocked - at(room)).abs() < 1e-9);
        let share = |n: usize| at(n) / (1.0 - at(room));
        let first: f64 = (0..room).map(|n| share(n) * n as f64).sum();
        let second: f64 = (0..room).map(|n| share(n) * (n * (n + 1)) as f64).sum();
        assert!((solution.wait.mean - first).abs() < 1e-8);
        assert!((solution.wait.square - second).abs() < 1e-8);
    }
}

#[test]
fn with_much_room_the_wait_is_that_of_pollaczek_and_khinchine() {
    let (accepted, mean) = (0.1, 6.0);
    for variation in [0.0, 0.4, 1.0, 2.5] {
        let (_, service, solution) = solve(accepted, mean, variation, 5000);
        let expected = accepted * service.moments.square / (2.0 * (1.0 - accepted * mean));
        assert!((solution.wait.mean / expected - 1.0).abs() < 1e-11, "{variation}");
        assert!((solution.offered / accepted - 1.0).abs() < 1e-12);
        assert!(solution.blocked.abs() < 1e-12);
    }
}

#[test]
fn more_room_needs_no_more_customers_and_the_bound_changes_nothing() {
    for (accepted, mean, variation, room) in queues() {
        let (mut queue, service, alone) = solve(accepted, mean, variation, room);
        let roomier = queue.solve(accepted, &service, room + 1, 0.0);
        assert!(roomier.offered <= alone.offered * (1.0 + 1e-12));
        let warm = queue.solve(accepted, &service, room, roomier.offered);
        let case = (accepted, mean, variation, room);
        assert!((warm.offered / alone.offered - 1.0).abs() < 1e-11, "{case:?}");
        assert!((warm.wait.mean - alone.wait.mean).abs() <= 1e-9 * alone.wait.mean, "{case:?}");
        let full = queue.at_least(room, &warm);
        assert!((full - warm.blocked).abs() < 1e-12 && queue.at_least(0, &warm) >= 1.0);
    }
}

#[test]
fn a_queue_asked_for_more_than_it_can_serve_is_always_full() {
    let (queue, _, solution) = solve(0.2, 5.0, 0.5, 4);
    assert!(solution.offered.is_infinite() && queue.left_behind().is_empty());
    assert!((solution.wait.mean - 15.0).abs() < 1e-12);
    assert!((solution.wait.variance() - 3.0 * 12.5).abs() < 1e-9);
    assert!(queue.at_least(3, &solution) >= 1.0);
    // Just below: finite room, and a rate beyond measure. The widest arrays stay in range.
    for room in [2, 5, 12] {
        let (_, _, near) = solve(0.199_999_999_999, 5.0, 0.0, room);
        assert!(near.wait.mean <= (room - 1) as f64 * 5.0 + 1e-6, "{}", near.wait.mean);
        assert!(near.wait.mean > (room - 1) as f64 * 5.0 - 5.0);
    }
}
