//! The figures of message classes and of round trips, as rows and for people.

use serde::Serialize;

use crate::experiment::Outcome;
use crate::experiment::sheet::{Sheet, fixed};
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
pub(super) fn entries(lines: &mut Sheet, outcome: &Outcome) {
    for class in class_rows(outcome).iter().flatten() {
        let quantiles = quantiles([class.latency_p50, class.latency_p95, class.latency_p99]);
        let accepted = fixed(class.accepted_flits_per_node_cycle, 4);
        let text = format!(
            "latency {}{quantiles}; {accepted} flits/node/cycle accepted",
            fixed(class.latency_mean, 3)
        );
        lines.entry(&format!("  {}", class.name), &text);
    }
    let summary = &outcome.summary;
    if let Some(trips) = summary.round_trips {
        let of = [trips.latency_p50, trips.latency_p95, trips.latency_p99];
        let (mean, rate) = (trips.latency_mean, summary.round_trips_per_node_cycle);
        let text = format!(
            "{} cycles{}; {} per node and cycle",
            fixed(mean, 3),
            quantiles(of),
            fixed(rate, 6)
        );
        lines.entry("round trip", &text);
    }
}

/// Three quantiles, if known.
fn quantiles(cycles: [Option<u64>; 3]) -> String {
    let [Some(p50), Some(p95), Some(p99)] = cycles else { return String::new() };
    format!(" (50 %: {p50}, 95 %: {p95}, 99 %: {p99})")
}
