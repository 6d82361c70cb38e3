//! The adaptive torus model against its paper's tables and its specification's figures.

use std::sync::Arc;

use flitscope::model::adaptive_torus::{AdaptiveTorus, Reading};
use flitscope::model::{Model, Unsolved, models_for};
use flitscope::routing::{Escape, Routing};
use flitscope::switching::Wormhole;
use flitscope::system::System;
use flitscope::topology::cube::{Cube, Family};
use flitscope::traffic::{Destinations, Lengths, Process, Traffic};
use flitscope::units::Rate;
use strum::VariantArray;

use super::tables::{rows, study_rows};

const RADICES: [u32; 4] = [4, 8, 12, 16];

/// The paper's system: 12-flit messages in a k × k torus.
fn torus(radix: u32) -> System {
    let cube = Cube::network(Family::Torus { unidirectional: false }, &[radix, radix]);
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.001), Destinations::Uniform, Lengths::Fixed(12));
    System::new(
        Arc::new(cube),
        Routing::MinimalAdaptive { escape: Escape::Destination },
        Wormhole::new(4, 2),
        traffic,
    )
}

fn latency(reading: Reading, radix: u32, rate: f64) -> f64 {
    AdaptiveTorus(reading)
        .predict(&torus(radix), Rate(rate))
        .unwrap_or_else(|unsolved| panic!("{reading:?} {radix}x{radix}/{rate}: {unsolved}"))
        .latency_mean
}

#[test]
fn acceptance_figures_of_the_calibrated_reading() {
    for (radix, rate, cycles) in [
        (4, 0.010, 14.0972),
        (8, 0.005, 16.513),
        (8, 0.015, 19.392),
        (12, 0.005, 19.580),
        (16, 0.003, 21.3841),
        (16, 0.006, 25.1027),
    ] {
        let found = latency(Reading::Calibrated, radix, rate);
        assert!((found - cycles).abs() <= 0.005, "{radix}x{radix}/{rate}: {found}, not {cycles}");
    }
}

#[test]
fn an_empty_network_takes_the_transfer_only() {
    for (radix, cycles) in [(4, 13.6), (8, 15.5556), (12, 17.5385), (16, 19.5294)] {
        for &reading in Reading::VARIANTS {
            let found = latency(reading, radix, 0.0);
            assert!((found - cycles).abs() <= 5e-5, "{radix}x{radix}: {found}, not {cycles}");
        }
    }
}

#[test]
fn rates_without_a_plain_fixed_point_have_the_latency_of_the_shared_one() {
    for (reading, radix, rate, cycles) in [
        (Reading::Calibrated, 8, 0.0031, 16.1372),
        (Reading::Calibrated, 12, 0.0086, 22.0462),
        (Reading::Calibrated, 16, 0.0067, 27.3725),
        (Reading::Printed, 16, 0.00511, 20.8704),
    ] {
        let found = latency(reading, radix, rate);
        assert!((found - cycles).abs() <= 1e-4, "{reading:?} {radix}/{rate}: {found}");
    }
}

#[test]
fn latency_grows_without_jumps_up_to_saturation() {
    // Not the printed reading: the choices of (39) and (46) let its latency drop at some rates.
    for reading in [Reading::Calibrated, Reading::Corrected, Reading::ExponentialHold] {
        for radix in RADICES {
            let saturation = AdaptiveTorus(reading).saturation_rate(&torus(radix)).unwrap().0;
            let steps = 400;
            let mut last = latency(reading, radix, 0.0);
            let mut growth_last = f64::INFINITY;
            // Up to 96 % of saturation; a step is 0.24 % of it.
            for step in 1..=steps {
                let rate = 0.96 * saturation * f64::from(step) / f64::from(steps);
                let found = latency(reading, radix, rate);
                let growth = found - last;
                // A jump would be a step several times as large as the one before.
                assert!(
                    growth > 0.0 && growth < 4.0 * growth_last + 0.01,
                    "{reading:?} {radix}x{radix}/{rate}: {last} to {found}"
                );
                (last, growth_last) = (found, growth);
            }
        }
    }
}

#[test]
fn every_reading_gives_the_values_of_its_reference() {
    let columns = [
        ("printed", Reading::Printed),
        ("corrected", Reading::Corrected),
        ("calibrated", Reading::Calibrated),
        ("exponential_hold", Reading::ExponentialHold),
    ];
    let rows = rows("adaptive_torus_readings.csv");
    assert_eq!(rows.len(), 40);
    for row in rows {
        let (radix, rate) = (row["k"].parse().unwrap(), row["rate"].parse().unwrap());
        for (column, reading) in columns {
            let cycles: f64 = row[column].parse().unwrap();
            let found = latency(reading, radix, rate);
            assert!((found - cycles).abs() <= 0.001, "{column} {radix}/{rate}: {found}, {cycles}");
        }
    }
}

#[test]
fn the_calibrated_reading_is_within_one_per_cent_of_the_papers_tables() {
    let mut compared = 0;
    for row in study_rows("adaptive-torus.csv") {
        let radix = row["k"].parse().unwrap();
        // The 12 × 12 column does not agree with the other three under any reading.
        if radix == 12 {
            continue;
        }
        let cycles: f64 = row["printed_model"].parse().unwrap();
        let found = latency(Reading::Calibrated, radix, row["rate"].parse().unwrap());
        assert!((found / cycles - 1.0).abs() <= 0.01, "{radix}/{}: {found}, {cycles}", row["rate"]);
        compared += 1;
    }
    assert_eq!(compared, 31);
}

#[test]
fn saturation_rates() {
    // With half a unit of the last digit given.
    for (reading, rates, half_unit) in [
        (Reading::Calibrated, [0.06527, 0.02022, 0.01092, 0.00704], 5e-6),
        (Reading::Corrected, [0.1066, 0.0332, 0.0183, 0.0121], 5e-5),
        (Reading::Printed, [0.1193, 0.0349, 0.0193, 0.0127], 5e-5),
        (Reading::ExponentialHold, [0.0708, 0.0201, 0.0109, 0.0072], 5e-5),
    ] {
        for (radix, rate) in RADICES.into_iter().zip(rates) {
            let (model, system) = (AdaptiveTorus(reading), torus(radix));
            // Those of the equations alone: some are above what a source can send.
            let equations = model.equations(&system).unwrap();
            let found = equations.saturation_rate();
            assert!((found.0 - rate).abs() <= half_unit, "{reading:?} {radix}: {}", found.0);
            // The border: solved just below, saturated just above.
            assert!(equations.predict(Rate(found.0 * 0.999)).is_ok());
            let above = Rate(found.0 * 1.001);
            assert_eq!(equations.predict(above), Err(Unsolved::Saturated { rate: above }));
        }
    }
}

#[test]
fn terms_add_up_and_only_the_transfer_is_left_without_load() {
    for radix in RADICES {
        let mut models = models_for(&torus(radix));
        models.retain(|model| model.name().starts_with("adaptive torus"));
        for model in models {
            let empty = model.predict(&torus(radix), Rate(0.0)).unwrap();
            let busy = model.predict(&torus(radix), Rate(0.006)).unwrap();
            for prediction in [&empty, &busy] {
                let names: Vec<_> = prediction.terms.iter().map(|term| term.name).collect();
                assert_eq!(names, ["source waiting", "blocking on the way", "transfer"]);
                let sum: f64 = prediction.terms.iter().map(|term| term.cycles).sum();
                assert!((sum - prediction.latency_mean).abs() < 1e-12);
            }
            let cycles = |term: usize| (empty.terms[term].cycles, busy.terms[term].cycles);
            let ((source_empty, source), (blocked_empty, blocked)) = (cycles(0), cycles(1));
            assert!(source_empty.abs() < 1e-12 && blocked_empty.abs() < 1e-12);
            assert!(source > 0.01 && blocked > 0.01, "{source}, {blocked}");
            assert!((cycles(2).0 - cycles(2).1).abs() < 1e-12, "the transfer knows no load");
        }
    }
}
