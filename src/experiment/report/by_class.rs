//! The figures of message classes and of round trips, as rows and for people.

use serde::Serialize;

use super::simulation::SimulateRow;
use crate::experiment::Outcome;
use crate::experiment::sheet::Sheet;
use crate::stats::ClassSummary;
use crate::traffic::classes::MessageClass;

/// The figures of a message class.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct ClassRow {
    /// The name of the class.
    pub name: String,
    /// Messages counted.
    pub messages: u64,
    /// Mean latency in cycles.
    pub latency_mean: Option<f64>,
    /// Median latency; `None`, as other quantiles, for several replications together.
    pub latency_p50: Option<u64>,
    /// 95th percentile.
    pub latency_p95: Option<u64>,
    /// 99th percentile.
    pub latency_p99: Option<u64>,
    /// Flits of the class per node and cycle that arrived.
    pub accepted_flits_per_node_cycle: Option<f64>,
}

/// The figures of all message classes.
pub(super) fn class_rows(outcome: &Outcome) -> Option<Vec<ClassRow>> {
    let classes = &outcome.scenario.system.traffic.classes;
    let row = |(class, figures): (&MessageClass, &ClassSummary)| ClassRow {
        name: class.name.clone(),
        messages: figures.messages,
        latency_mean: figures.latency_mean,
        latency_p50: figures.latency_p50,
        latency_p95: figures.latency_p95,
        latency_p99: figures.latency_p99,
        accepted_flits_per_node_cycle: figures.flits_per_node_cycle,
    };
    let figures = &outcome.summary.by_class;
    (!classes.is_empty()).then(|| classes.0.iter().zip(figures).map(row).collect())
}

/// Adds the figures of message classes and of round trips.
pub(super) fn entries(lines: &mut Sheet, row: &SimulateRow) {
    for class in row.message_classes.iter().flatten() {
        let quantiles = quantiles([class.latency_p50, class.latency_p95, class.latency_p99]);
        let accepted = number(class.accepted_flits_per_node_cycle, 4);
        let text = format!(
            "latency {}{quantiles}; {accepted} flits/node/cycle accepted",
            number(class.latency_mean, 3)
        );
        lines.entry(&format!("  {}", class.name), &text);
    }
    if let Some(mean) = row.round_trip_mean {
        let of = [row.round_trip_p50, row.round_trip_p95, row.round_trip_p99];
        let rate = number(row.round_trips_per_node_cycle, 6);
        let text = format!("{mean:.3} cycles{}; {rate} per node and cycle", quantiles(of));
        lines.entry("round trip", &text);
    }
}

/// Three quantiles, if known.
fn quantiles(cycles: [Option<u64>; 3]) -> String {
    let [Some(p50), Some(p95), Some(p99)] = cycles else { return String::new() };
    format!(" (50 %: {p50}, 95 %: {p95}, 99 %: {p99})")
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
}
