//! Tests of bursts against the distribution of their gaps.

use super::*;
use crate::random::{Purpose, Streams};

const GAPS: usize = 200_000;

fn gaps(burst: f64, peak: f64) -> Vec<f64> {
    let mut stream = Streams::new(11, 0, Purpose::Arrivals).next_node();
    (0..GAPS).map(|_| gap(burst, peak, &mut stream)).collect()
}

/// Second and fourth moments of a mixture: of exponential gaps with a mean m they are 2 m² and 24 m⁴.
fn moment(burst: f64, peak: f64, power: i32, factor: f64) -> f64 {
    let (short, long) = (1.0 / peak, pause(burst, peak));
    factor * ((1.0 - 1.0 / burst) * short.powi(power) + long.powi(power) / burst)
}

#[test]
fn the_mean_rate_is_that_asked_for_and_gaps_vary_as_theory_says() {
    for (burst, peak) in [(1.0, 1.0), (1.0, 9.0), (8.0, 1.0), (8.0, 4.0), (50.0, 20.0)] {
        let gaps = gaps(burst, peak);
        let mean = |power: i32| gaps.iter().map(|gap| gap.powi(power)).sum::<f64>() / GAPS as f64;
        let squares = moment(burst, peak, 2, 2.0);
        let fourths = moment(burst, peak, 4, 24.0);
        // Six standard errors each.
        let error = |variance: f64| 6.0 * (variance / GAPS as f64).sqrt();
        assert!((mean(1) - 1.0).abs() < error(squares - 1.0), "{burst} {peak}: {}", mean(1));
        let off = (mean(2) - squares).abs();
        assert!(off < error(fourths - squares * squares), "{burst} {peak}: {off}");
    }
}

#[test]
fn bursts_have_their_length_and_their_peak_rate() {
    for (burst, peak) in [(4.0f64, 10.0f64), (8.0, 100.0), (40.0, 25.0)] {
        let gaps = gaps(burst, peak);
        // The distribution function, at short gaps that tell of the peak and long ones that tell of
        // the pauses; six standard errors.
        for at in [0.2 / peak, 1.0 / peak, 3.0 / peak, 1.0, burst] {
            let within = (1.0 - 1.0 / burst) * -(-at * peak).exp_m1();
            let p = within - (-at / pause(burst, peak)).exp_m1() / burst;
            let share = gaps.iter().filter(|gap| **gap <= at).count() as f64 / GAPS as f64;
            let off = (share - p).abs();
            assert!(off < 6.0 * (p * (1.0 - p) / GAPS as f64).sqrt(), "{burst} {peak} {at}: {off}");
        }
        // Gaps within a burst are never so long, and pauses hardly ever so short.
        let ends = 40.0 / peak;
        let pauses = gaps.iter().filter(|gap| **gap > ends).count() as f64;
        let seen = (-ends / pause(burst, peak)).exp();
        let length = GAPS as f64 * seen / pauses;
        // A geometric length has a standard deviation below its mean.
        assert!((length / burst - 1.0).abs() < 6.0 / pauses.sqrt(), "{burst} {peak}: {length}");
    }
}
