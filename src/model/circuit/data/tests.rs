//! Tests of `data`.

use super::*;

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
