//! A row of a study's table: what `simulate` says of a point, and where it belongs.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::experiment::report::{Row, SimulateRow};
use crate::experiment::reproduce::Replication;
use crate::units::TimeUnit;

/// The columns before those of a [`SimulateRow`].
const OWN: [&str; 3] = ["point", "curve", "machine"];

/// The columns behind them.
const LAST: [&str; 1] = ["metastable"];

/// What is known of a point: its number, what sets its curve apart, the machine that it was run on, and
/// the columns of a [`SimulateRow`]; and its single runs.
#[derive(Clone, PartialEq, Debug)]
pub struct SweepRow {
    columns: Map<String, Value>,
    runs: Vec<Run>,
    first_cycles: Option<u64>,
}

/// A single run.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Run {
    /// The mean latency in the scenario's unit.
    latency: Option<f64>,
    replication: Replication,
}

impl SweepRow {
    /// The row of point `point` of `curve`, which was run on `machine`: the last of `runs`, behind those
    /// of its replications, if there are any.
    pub fn new(
        point: usize,
        (curve, machine): (&str, &str),
        unit: TimeUnit,
        runs: &[Map<String, Value>],
    ) -> Self {
        let own: [Value; 3] = [point.into(), curve.into(), machine.into()];
        let own = OWN.into_iter().map(str::to_owned).zip(own);
        let single = runs.iter().filter(|run| run.get("replication").is_some_and(Value::is_u64));
        let run = |run: &Map<String, Value>| {
            let number = |column: &str| run.get(column)?.as_f64();
            let cycles = |column| Some(number(column)? * unit.cycles as f64);
            let replication = Replication {
                messages: run.get("messages").and_then(Value::as_u64).unwrap_or_default(),
                latency: cycles("latency_mean"),
                network_latency: cycles("network_latency_mean"),
                aborts: number("aborts_mean"),
            };
            Run { latency: number("latency_mean"), replication }
        };
        let together = runs.last().cloned().unwrap_or_default();
        Self {
            columns: together.into_iter().chain(own).collect(),
            runs: single.map(run).collect(),
            first_cycles: runs.first().and_then(|run| run.get("cycles")?.as_u64()),
        }
    }

    /// The cycles of the first replication; of circuits, whole units of time.
    pub fn first_cycles(&self) -> Option<u64> {
        self.first_cycles
    }

    /// The mean latency of every replication that has one.
    pub fn latencies(&self) -> Vec<f64> {
        self.runs.iter().filter_map(|run| run.latency).collect()
    }

    /// What is used of every replication where figures are judged.
    pub fn replications(&self) -> Vec<Replication> {
        self.runs.iter().map(|run| run.replication).collect()
    }

    /// The same row; `metastable` where its load is one that the network carries only until it happens to be
    /// congested, `None` where saturation is not known.
    #[must_use]
    pub(super) fn with_metastable(mut self, metastable: Option<bool>) -> Self {
        self.columns.insert(LAST[0].to_owned(), metastable.into());
        self
    }

    /// The number in a column, if there is one.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.columns.get(column)?.as_f64()
    }

    /// True if a column says `true`.
    pub fn holds(&self, column: &str) -> bool {
        self.columns.get(column) == Some(&Value::Bool(true))
    }

    /// True if the run was found saturated.
    pub fn is_saturated(&self) -> bool {
        self.holds("saturated")
    }

    /// True if it was found not to be.
    pub fn is_steady(&self) -> bool {
        self.columns.get("saturated") == Some(&Value::Bool(false)) && !self.holds("deadlock")
    }

    /// The text in a column; empty, if there is none.
    pub fn text(&self, column: &str) -> &str {
        self.columns.get(column).and_then(Value::as_str).unwrap_or_default()
    }
}

impl Row for SweepRow {
    const COLUMNS: &'static [&'static str] = &{
        let last = OWN.len() + SimulateRow::COLUMNS.len();
        let mut all = [""; OWN.len() + SimulateRow::COLUMNS.len() + LAST.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = if at < OWN.len() {
                OWN[at]
            } else if at < last {
                SimulateRow::COLUMNS[at - OWN.len()]
            } else {
                LAST[at - last]
            };
            at += 1;
        }
        all
    };
}

impl Serialize for SweepRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer
            .collect_map(Self::COLUMNS.iter().map(|column| (column, self.columns.get(*column))))
    }
}
