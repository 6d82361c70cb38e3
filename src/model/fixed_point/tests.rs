//! Tests of known fixed points and largest rates.

use super::*;
use crate::model::queue::wait;

/// x = cos x, y = x / 2.
fn found(step: f64) -> FixedPoint<2> {
    let search = Search { step, tolerance: 1e-13, relative: false, rounds_max: 200 };
    let mut point = search.from([1.0, 0.0]);
    while !point.settled([point.unknowns[0].cos(), point.unknowns[0] / 2.0]).unwrap() {}
    point
}

#[test]
fn every_step_leads_to_the_same_point_and_damping_may_be_faster() {
    let rounds = [1.0, 0.5, 0.6].map(|step| {
        let FixedPoint { unknowns: [x, y], rounds, .. } = found(step);
        assert!((x - 0.739_085_133_215_160_7).abs() < 1e-12 && (y - x / 2.0).abs() < 1e-12);
        rounds
    });
    assert!(rounds[2] < rounds[0], "{rounds:?}");
}

#[test]
fn what_does_not_settle_is_given_up_and_says_how_far_it_was() {
    let search = Search { step: 1.0, tolerance: 0.1, relative: true, rounds_max: 3 };
    let mut point = search.from([1.0]);
    for _ in 0..2 {
        assert_eq!(point.settled([-point.unknowns[0]]), Ok(false));
    }
    let given_up = NoSolution::NotSettled { iterations: 3, residual: 2.0 };
    assert_eq!(point.settled([-point.unknowns[0]]), Err(given_up));
    assert_eq!(search.from([100.0]).settled([105.0]), Ok(true));
    assert_eq!(search.from([100.0]).settled([f64::NAN]), Ok(false));
}

#[test]
fn the_largest_rate_is_where_the_solutions_end() {
    let found = largest_rate(1.0, 1e-13, |rate| wait(rate, 7.0, 7.0).is_some());
    assert!((found * 7.0 - 1.0).abs() < 1e-12);
}

#[test]
fn where_no_rate_has_a_solution_the_search_comes_to_an_end() {
    let mut asked = 0;
    let none = |_| {
        asked += 1;
        false
    };
    assert!(largest_rate(1.0, 1e-6, none) <= 0.0);
    assert!(asked < 40, "{asked}");
}
