//! Predictions held against the simulations of the drawn systems.

use std::fmt::Write;

use flitscope::model::Model;
use flitscope::units::Rate;

use super::drawn::Drawn;
use super::simulated::{LOADS, Run};

/// How far a model is off on one system.
#[derive(Clone, Debug)]
pub struct Errors {
    /// The model's saturation rate over that of the simulation; `None` where it has no equations.
    pub saturation: Option<f64>,
    /// By load: the model's latency over that of the simulation, less 1; `None` where the model
    /// saturates before, or has no equations.
    pub latency: [Option<f64>; LOADS.len()],
    /// The same of the latencies that 50, 95 and 99 % of the messages do not exceed.
    pub quantiles: [[Option<f64>; 3]; LOADS.len()],
}

impl Errors {
    pub fn of(model: &dyn Model, system: &Drawn, runs: &[Run]) -> Self {
        let scenario = system.scenario();
        let Ok(prepared) = model.prepare(&scenario.system) else {
            return Self {
                saturation: None,
                latency: [None; LOADS.len()],
                quantiles: [[None; 3]; LOADS.len()],
            };
        };
        let mut latency = [None; LOADS.len()];
        let mut quantiles = [[None; 3]; LOADS.len()];
        for ((run, error), quantiles) in runs.iter().zip(&mut latency).zip(&mut quantiles) {
            let found = prepared.predict(Rate(run.rate())).ok();
            *error = found.as_ref().map(|it| it.latency_mean / run.latency - 1.0);
            let Some(spread) = found.and_then(|it| it.spread) else { continue };
            let simulated = [(0.5, run.p50), (0.95, run.p95), (0.99, run.p99)];
            *quantiles = simulated.map(|(share, at)| Some(spread.quantile(share) / at - 1.0));
        }
        let saturation = Some(prepared.saturation_rate().0 / runs[0].saturation);
        Self { saturation, latency, quantiles }
    }
}

/// Per cent of `all` for which something `holds`.
fn share<T>(all: &[T], holds: impl Fn(&T) -> bool) -> f64 {
    100.0 * all.iter().filter(|it| holds(it)).count() as f64 / all.len() as f64
}

/// The middle one, what is missing being the farthest off, in per cent; then the worst of those that
/// are there.
fn middle_and_worst(errors: &[Option<f64>]) -> [Option<f64>; 2] {
    let mut off: Vec<f64> = errors.iter().map(|it| it.map_or(f64::INFINITY, f64::abs)).collect();
    off.sort_by(f64::total_cmp);
    let there = off.iter().rev().find(|it| it.is_finite());
    let middle = Some(off[off.len() / 2]).filter(|it| it.is_finite());
    [middle, there.copied()].map(|it| it.map(|off| 100.0 * off))
}

/// A row for some systems: their number, then for each load the median errors of p50, p95 and p99, and
/// per cent of them whose p99 is within 10 %.
pub fn spread_row(name: &str, of: &[Errors]) -> String {
    let mut row = format!("| {name} | {} |", of.len());
    for load in 0..LOADS.len() {
        let of_quantile =
            |at: usize| -> Vec<_> { of.iter().map(|it| it.quantiles[load][at]).collect() };
        let [p50, p95, p99] = [0, 1, 2].map(|at| {
            let [median, _] = middle_and_worst(&of_quantile(at));
            median.map_or("–".to_owned(), |off| format!("{off:.1}"))
        });
        let ten = share(&of_quantile(2), |it| it.is_some_and(|error| error.abs() <= 0.1));
        write!(row, " {p50}, {p95}, {p99}, {ten:.0} |").unwrap();
    }
    row
}

/// A row for some systems: their number, then for each load those within 5, 10 and 20 %, the median
/// and the worst, then saturation within 5 and 10 % and its median.
pub fn row(name: &str, of: &[Errors]) -> String {
    let mut row = format!("| {name} | {} |", of.len());
    let said = |off: Option<f64>| off.map_or("–".to_owned(), |off| format!("{off:.1}"));
    for load in 0..LOADS.len() {
        let errors: Vec<Option<f64>> = of.iter().map(|it| it.latency[load]).collect();
        let within =
            |most: f64| share(&errors, |it| it.is_some_and(|error| error.abs() <= most / 100.0));
        let [median, worst] = middle_and_worst(&errors).map(said);
        let (five, ten, twenty) = (within(5.0), within(10.0), within(20.0));
        write!(row, " {five:.0} / {ten:.0} / {twenty:.0}, {median}, {worst} |").unwrap();
    }
    let off: Vec<Option<f64>> = of.iter().map(|it| it.saturation.map(|it| it - 1.0)).collect();
    let within = |most: f64| share(&off, |it| it.is_some_and(|off| off.abs() <= most));
    let [median, _] = middle_and_worst(&off).map(said);
    write!(row, " {:.0} / {:.0}, {median} |", within(0.05), within(0.1)).unwrap();
    row
}
