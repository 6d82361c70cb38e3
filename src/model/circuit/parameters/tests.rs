//! Tests of the number of routes, and of a controller against a known queue.

use super::*;

#[test]
fn routes_of_a_cube_sum_to_one_and_to_the_mean() {
    for dimensions in 1..=12 {
        let shape = Shape::Cube { dimensions, full_duplex: false };
        let routes = shape.uniform_routes();
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
    let times = Circuit { verify: 0.1, connect: 0.0, release: 0.1, ..Circuit::new(Conflict::Hold) };
    let queue = Controller::of_hold(&times, 2.5, 0.3).unwrap();
    // ρ = 2 · 2.5 · 0.1; ρ·x / (2(1 − ρ)).
    assert!((queue.load - 0.5).abs() < 1e-12);
    assert!((queue.wait - 0.05).abs() < 1e-12);
    assert_eq!(Controller::of_hold(&times, 5.0, 0.3), Err(NoSolution::Saturated));
}

const LAWS: [DataTime; 4] = [
    DataTime::Fixed(1.3),
    DataTime::Uniform { min: 0.1, max: 1.9 },
    DataTime::Uniform { min: 0.0, max: 0.5 },
    DataTime::Exponential { mean: 0.7 },
];

#[test]
fn moments_and_tails_belong_to_one_law() {
    for law in LAWS {
        // E[Z] and E[Z²]/2 are integrals over the tail, summed here by midpoints.
        let steps = 400_000;
        let step = 30.0 / f64::from(steps);
        let (mut mean, mut half_second) = (0.0, 0.0);
        for index in 0..steps {
            let time = (f64::from(index) + 0.5) * step;
            let tail = 1.0 - law.cumulative(time);
            mean += tail * step;
            half_second += time * tail * step;
            if index % 10_000 == 0 {
                let residual = (mean - 0.5 * tail * step) / law.mean();
                assert!((law.residual_cumulative(time) - residual).abs() < 1e-4, "{law:?}");
            }
        }
        assert!((law.mean() - mean).abs() < 1e-4, "{law:?}");
        assert!((law.second_moment() - 2.0 * half_second).abs() < 1e-3, "{law:?}");
    }
}

#[test]
fn the_papers_uniform_law_has_a_second_moment_of_1_27() {
    let law = DataTime::Uniform { min: 0.1, max: 1.9 };
    assert!((law.second_moment() - 1.27).abs() < 1e-12);
    assert!((law.mean() - 1.0).abs() < 1e-12);
}
