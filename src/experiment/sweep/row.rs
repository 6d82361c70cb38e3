//! A row of a study's table: the results of a point as in `simulate`, with point and curve.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::experiment::report::{Row, SimulateRow};
use crate::experiment::reproduce::Replication;
use crate::units::TimeUnit;

/// The columns preceding the columns of a [`SimulateRow`].
const OWN: [&str; 3] = ["point", "curve", "machine"];

/// The columns following the columns of a [`SimulateRow`].
const LAST: [&str; 1] = ["metastable"];

/// The results of a point: its number, the values of the varied fields, the machine of the run, the
/// columns of a [`SimulateRow`], and the single runs.
#[derive(Clone, PartialEq, Debug)]
pub struct SweepRow {
    columns: Map<String, Value>,
    /// The fields that differ between curves, each with the value of this one.
    varied: Vec<(String, String)>,
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
    /// The row of point `point` of `curve`, run on `machine`: the last of `runs`, preceded there by
    /// its replications, if any.
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
                utilisation: number("channel_utilisation_mean"),
            };
            Run { latency: number("latency_mean"), replication }
        };
        let together = runs.last().cloned().unwrap_or_default();
        Self {
            columns: together.into_iter().chain(own).collect(),
            varied: Vec::new(),
            runs: single.map(run).collect(),
            first_cycles: runs.first().and_then(|run| run.get("cycles")?.as_u64()),
        }
    }

    /// The cycles of the first replication; of circuits, whole units of time.
    pub fn first_cycles(&self) -> Option<u64> {
        self.first_cycles
    }

    /// The mean latencies of the replications, if defined.
    pub fn latencies(&self) -> Vec<f64> {
        self.runs.iter().filter_map(|run| run.latency).collect()
    }

    /// The statistics of every replication for judged figures.
    pub fn replications(&self) -> Vec<Replication> {
        self.runs.iter().map(|run| run.replication).collect()
    }

    /// Sets the column `metastable`: true for a load carried only until the network happens to be
    /// congested, `None` if saturation is unknown.
    #[must_use]
    pub(super) fn with_metastable(mut self, metastable: Option<bool>) -> Self {
        self.columns.insert(LAST[0].to_owned(), metastable.into());
        self
    }

    /// Adds a column for each field that differs between curves, unless the row has it already.
    #[must_use]
    pub(super) fn with_varied(mut self, mut varied: Vec<(String, String)>) -> Self {
        varied.retain(|(field, _)| !Self::COLUMNS.contains(&field.as_str()));
        self.varied = varied;
        self
    }

    /// The number of the point.
    pub fn point(&self) -> Option<usize> {
        self.columns.get(OWN[0])?.as_u64().map(|point| point as usize)
    }

    /// The number in a column, if any.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.columns.get(column)?.as_f64()
    }

    /// True if the column is `true`.
    pub fn holds(&self, column: &str) -> bool {
        self.columns.get(column) == Some(&Value::Bool(true))
    }

    /// True if the run was saturated.
    pub fn is_saturated(&self) -> bool {
        self.holds("saturated")
    }

    /// True if the run was steady, or delivered all given messages.
    pub fn is_steady(&self) -> bool {
        self.columns.get("saturated") == Some(&Value::Bool(false)) && !self.holds("deadlock")
            || self.text("ended") == "delivered"
    }

    /// The text in a column, or an empty text.
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
        let mut row = serializer.serialize_map(None)?;
        for column in Self::COLUMNS {
            row.serialize_entry(column, &self.columns.get(*column))?;
        }
        for (field, value) in &self.varied {
            row.serialize_entry(field, value)?;
        }
        row.end()
    }
}
