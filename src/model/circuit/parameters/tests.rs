//! Routes counted, and a controller against a queue that is known.

use super::*;

#[test]
fn routes_of_a_cube_sum_to_one_and_to_the_mean() {
    for dimensions in 1..=12 {
        let shape = Shape::Cube { dimensions, full_duplex: false };
        let routes = shape.cube_routes();
        let mean: f64 = routes.iter().enumerate().map(|(i, share)| (i + 1) as f64 * share).sum();
        assert!((routes.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((mean - shape.mean_links()).abs() < 1e-12, "{dimensions}");
    }
}

#[test]
fn mean_routes_of_a_one_way_torus_are_counted() {
    for radix in 3..=16 {
        let total: u32 = (0..radix).flat_map(|x| (0..radix).map(move |y| x + y)).sum();
        let mean = f64::from(total) / f64::from(radix * radix - 1);
        assert!((Shape::OneWayTorus { radix }.mean_links() - mean).abs() < 1e-12);
    }
}

#[test]
fn equal_services_wait_as_long_as_in_an_m_d_1_queue() {
    let times = Times { verify: 0.1, connect: 0.0, release: 0.1, acknowledge: 0.0 };
    let queue = Controller::of_hold(&times, 2.5, 0.3).unwrap();
    // ρ = 2 · 2.5 · 0.1; ρ·x / (2(1 − ρ)).
    assert!((queue.load - 0.5).abs() < 1e-12);
    assert!((queue.wait - 0.05).abs() < 1e-12);
    assert_eq!(Controller::of_hold(&times, 5.0, 0.3), Err(NoSolution::Saturated));
}
