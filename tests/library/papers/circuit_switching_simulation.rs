//! The circuit engine against simulated figures of 001's system: latencies, aborts and utilisation of
//! hold, drop and adaptive on hypercubes and tori, and how soon rings of circuits deadlock.
//!
//! A figure must lie within both 95 % intervals and 1 %.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use flitscope::engine::Simulator;
use flitscope::engine::circuit::CircuitEngine;
use flitscope::experiment::{End, Outcome, Plan, run_all};
use flitscope::scenario::{Override, Scenario, builtin, parse};
use flitscope::stats::WarmUp;
use flitscope::units::{CYCLES_PER_TIME, Cycle};
use rayon::prelude::*;

use super::tables::{Row, study_rows};
use crate::share::share;

/// A figure of a row, if it has one.
fn figure(row: &Row, name: &str) -> Option<f64> {
    row[name].parse().ok()
}

fn scenario(name: &str, fields: &[(&str, String)]) -> Arc<Scenario> {
    let fields: Vec<Override> = fields
        .iter()
        .map(|(path, value)| Override {
            path: (*path).to_owned(),
            value: value.clone(),
            label: format!("--set {path}={value}"),
        })
        .collect();
    let text = builtin::find(name).unwrap().text;
    Arc::new(parse(name, text, &fields).unwrap_or_else(|problems| panic!("{problems:?}")))
}

/// The system of a row.
fn system_of(row: &Row) -> Arc<Scenario> {
    let mean = figure(row, "data_mean").unwrap();
    let lengths = match row["law"].as_str() {
        "constant" => format!("Fixed({mean})"),
        "exponential" => format!("Exponential(mean: {mean})"),
        _ => format!("Uniform(min: {:.6}, max: {:.6})", 0.1 * mean, 1.9 * mean),
    };
    let mut fields = vec![
        ("traffic.lengths", lengths),
        ("traffic.arrivals.rate", row["rate"].clone()),
        ("switching.service", row["service"].clone()),
        ("seed", "11".to_owned()),
    ];
    let size = &row["size"];
    if row["network"] == "one-way torus" {
        fields.push(("network.radix", format!("[{size}, {size}]")));
        return scenario("papers/circuit-torus-hold-8x8", &fields);
    }
    fields.push(("network.dimensions", size.clone()));
    if row["conflict"] != "hold" {
        fields.push(("switching.conflict.back_off", row["back_off"].clone()));
    }
    scenario(&format!("papers/circuit-{}-8", row["conflict"]), &fields)
}

/// Three replications of a row, each of about `messages` messages after the warm-up, and half the width
/// of the 95 % interval over their mean latencies, in cycles. They may be too short each for an
/// interval of its own.
fn simulate(row: &Row, messages: f64) -> (Outcome, f64) {
    let scenario = system_of(row);
    let per_time = scenario.system.traffic.rate.0 * scenario.system.network.nodes() as f64;
    let time = (messages / per_time).max(250.0) as u64;
    let plan = Plan {
        end: End::Cycles(time + time / 4),
        warm_up: WarmUp::Cycles(time / 4),
        replications: 3,
        ..Plan::default()
    };
    let mut outcomes = Vec::new();
    run_all(&[scenario], &plan, None, &AtomicBool::new(false), &|_| {}, |_, results| {
        outcomes.extend(results.into_iter().map(|result| result.unwrap()));
    })
    .unwrap();
    let means: Vec<f64> = outcomes.iter().map(|it| it.summary.latency.unwrap().mean).collect();
    let mean = means.iter().sum::<f64>() / 3.0;
    let variance = means.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / 2.0;
    // Student's quantile for two degrees of freedom.
    (Outcome::together(&outcomes, 3).unwrap(), 4.303 * (variance / 3.0).sqrt())
}

/// Compares a row with its simulation; says what lies outside.
fn judge(row: &Row, messages: f64) -> Option<String> {
    let (outcome, half) = simulate(row, messages);
    let unit = outcome.scenario.system.time_unit();
    let (mean, half) = (unit.of(outcome.summary.latency.unwrap().mean), unit.of(half));
    let expected = figure(row, "independent").unwrap();
    let allowed = figure(row, "independent_half").unwrap_or_default() + half + 0.01 * expected;
    let name = format!(
        "{} {} {} {} {} mean {} service {} back-off {} rate {}",
        row["set"],
        row["conflict"],
        row["network"],
        row["size"],
        row["law"],
        row["data_mean"],
        row["service"],
        row["back_off"],
        row["rate"]
    );
    let mut wrong = String::new();
    if (mean - expected).abs() > allowed {
        wrong = format!("{name}: latency {mean:.4} ± {half:.4}, not {expected} ± {allowed:.4}");
    }
    if let Some(aborts) = figure(row, "independent_aborts") {
        // The interval of the aborts is not computed: relatively it is that of their share of the
        // latency, at the least the one printed.
        let found = outcome.summary.aborts_mean.unwrap();
        let printed = figure(row, "independent_aborts_half").unwrap_or(0.1 * aborts);
        let victims = if row["network"] == "one-way torus" { 0.3 * aborts + 0.0003 } else { 0.0 };
        let allowed =
            2.0 * printed + 0.02 * aborts + victims + aborts * half / (mean - 0.99).max(0.1);
        if (found - aborts).abs() > allowed {
            write!(wrong, " {name}: aborts {found:.4}, not {aborts} ± {allowed:.4}").unwrap();
        }
    }
    if let Some(utilisation) = figure(row, "utilisation") {
        let found = outcome.summary.channel_utilisation_mean.unwrap();
        if (found - utilisation).abs() > 0.0005 + 0.02 * utilisation {
            write!(wrong, " {name}: utilisation {found:.4}, not {utilisation}").unwrap();
        }
    }
    (!wrong.is_empty()).then_some(wrong)
}

/// Rows far enough from saturation that runs of this length are stationary: their latency is at most
/// `times` that of an idle network, about the data time.
fn stationary(row: &Row, times: f64) -> bool {
    let mean = figure(row, "data_mean").unwrap();
    figure(row, "independent").is_some_and(|latency| latency <= times * mean)
}

#[test]
fn every_row_is_met() {
    let mut rows = study_rows("circuits.csv");
    rows.retain(|row| stationary(row, 6.0));
    assert!(rows.len() > 150);
    let rows = share(rows, 10);
    let wrong: Vec<String> = rows.par_iter().filter_map(|row| judge(row, 120_000.0)).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// Mean times until the first deadlock of plain XY circuits that hold, in mean transmission times:
/// radix, whether links lead one way, rate, time.
const FIRST_DEADLOCKS: &[(u32, bool, f64, f64)] = &[
    (4, true, 0.02, 3e4),
    (4, true, 0.03, 5900.0),
    (4, true, 0.05, 1700.0),
    (4, true, 0.08, 500.0),
    (4, true, 0.12, 76.0),
    (8, true, 0.005, 36_000.0),
    (8, true, 0.01, 2200.0),
    (8, true, 0.02, 120.0),
    (8, true, 0.03, 33.0),
    (8, true, 0.04, 20.0),
    (8, true, 0.06, 10.0),
    (8, true, 0.08, 7.0),
    (16, true, 0.0025, 2300.0),
    (16, true, 0.005, 840.0),
    (16, true, 0.01, 75.0),
    (16, true, 0.02, 13.0),
    (8, false, 0.12, 4800.0),
    (8, false, 0.16, 430.0),
    (8, false, 0.2, 120.0),
];

#[test]
fn rings_of_circuits_deadlock_as_soon_as_they_should() {
    let mut logarithms = 0.0;
    let (mut wrong, mut all) = (0, String::new());
    for &(radix, one_way, rate, expected) in FIRST_DEADLOCKS {
        // The times given are means of three or four runs, good to a factor of two.
        let runs = if expected < 3000.0 { 200 } else { 24 };
        let links = if one_way { "Unidirectional" } else { "Bidirectional" };
        let fields = [
            ("network", format!("Torus(radix: [{radix}, {radix}], links: {links})")),
            ("traffic.arrivals.rate", rate.to_string()),
            ("switching.on_deadlock", "Stop".to_owned()),
        ];
        let scenario = scenario("papers/circuit-torus-hold-8x8", &fields);
        let sum: f64 = (0..runs)
            .map(|seed| {
                let mut engine = CircuitEngine::new(&scenario.system, seed, 0);
                while engine.deadlock().is_none() {
                    engine.advance(engine.now() + 1000 * CYCLES_PER_TIME);
                    assert!(engine.now() < Cycle(4_000_000 * CYCLES_PER_TIME));
                }
                engine.now().0 as f64 / CYCLES_PER_TIME as f64
            })
            .sum();
        let ratio = sum / runs as f64 / expected;
        logarithms += ratio.ln();
        writeln!(all, "{radix} {links} {rate}: {:.0}, {ratio:.2} of {expected}", ratio * expected)
            .unwrap();
        if !(0.25..=4.0).contains(&ratio) {
            wrong += 1;
        }
    }
    assert_eq!(wrong, 0, "{all}");
    // The logarithm of a mean of four exponential times is small by ln 4 − ψ(4) = 0.130.
    let mean = (logarithms / FIRST_DEADLOCKS.len() as f64 - 0.130).exp();
    assert!((1.0 / 1.3..=1.3).contains(&mean), "{mean}:\n{all}");
}

/// Deadlocks per mean transmission time where victims are aborted: radix, rate, deadlocks.
const DEADLOCKS: &[(u32, f64, f64)] = &[
    (4, 0.15, 0.03545),
    (4, 0.18, 0.1271),
    (8, 0.03, 0.0102),
    (8, 0.04, 0.02871),
    (8, 0.05, 0.06834),
    (8, 0.06, 0.1616),
    (16, 0.01, 0.01111),
    (16, 0.015, 0.04109),
    (16, 0.02, 0.1129),
];

#[test]
fn victims_are_aborted_as_often_as_they_should() {
    for &(radix, rate, expected) in DEADLOCKS {
        let fields = [
            ("network.radix", format!("[{radix}, {radix}]")),
            ("traffic.arrivals.rate", rate.to_string()),
        ];
        let scenario = scenario("papers/circuit-torus-hold-8x8", &fields);
        let mut engine = CircuitEngine::new(&scenario.system, 7, 0);
        let time = (500.0 / expected) as u64;
        engine.advance(Cycle(time * CYCLES_PER_TIME));
        let found = engine.counters().deadlocks as f64 / time as f64;
        // 500 of them: a standard deviation of 4.5 %, and as much in what is printed.
        assert!((found / expected - 1.0).abs() < 0.2, "{radix} {rate}: {found:.5}, not {expected}");
    }
}
