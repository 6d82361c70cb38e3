//! A row of a study's table: what `simulate` says of a point, and where it belongs.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::experiment::report::{Row, SimulateRow};

/// The columns before those of a [`SimulateRow`].
const OWN: [&str; 3] = ["point", "curve", "machine"];

/// What is kept besides the columns: the mean latency of every replication.
const EACH: &str = "latency_mean of each";
/// The cycles of the first replication.
const FIRST: &str = "cycles of the first";

/// What is known of a point: its number, what sets its curve apart, the machine that it was run on, and
/// the columns of a [`SimulateRow`].
#[derive(Clone, PartialEq, Debug)]
pub struct SweepRow(Map<String, Value>);

impl SweepRow {
    /// The row of point `point` of `curve`, which was run on `machine`: the last of `runs`, behind those
    /// of its replications, if there are any.
    pub fn new(point: usize, curve: &str, machine: &str, runs: &[Map<String, Value>]) -> Self {
        let own: [Value; 3] = [point.into(), curve.into(), machine.into()];
        let own = OWN.into_iter().map(str::to_owned).zip(own);
        let (run, each) =
            runs.split_last().map_or((Map::new(), &[][..]), |(run, each)| (run.clone(), each));
        let means: Option<Vec<Value>> =
            each.iter().map(|run| run.get("latency_mean").cloned()).collect();
        let each =
            means.filter(|means| !means.is_empty()).map(|means| (EACH.to_owned(), means.into()));
        let first =
            runs.first().and_then(|run| Some((FIRST.to_owned(), run.get("cycles")?.clone())));
        Self(run.into_iter().chain(own).chain(each).chain(first).collect())
    }

    /// The cycles of the first replication; of circuits, whole units of time.
    pub fn first_cycles(&self) -> Option<u64> {
        self.0.get(FIRST)?.as_u64()
    }

    /// The mean latency of every replication; without replications, of the run.
    pub fn latencies(&self) -> Vec<f64> {
        let each = self.0.get(EACH).and_then(Value::as_array);
        let each: Option<Vec<f64>> = each.map(|all| all.iter().filter_map(Value::as_f64).collect());
        each.unwrap_or_else(|| self.number("latency_mean").into_iter().collect())
    }

    /// The number in a column, if there is one.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.0.get(column)?.as_f64()
    }

    /// Whether a column says `true`.
    pub fn holds(&self, column: &str) -> bool {
        self.0.get(column) == Some(&Value::Bool(true))
    }

    /// Whether the run was found saturated.
    pub fn is_saturated(&self) -> bool {
        self.holds("saturated")
    }

    /// Whether it was found not to be.
    pub fn is_steady(&self) -> bool {
        self.0.get("saturated") == Some(&Value::Bool(false)) && !self.holds("deadlock")
    }

    /// The text in a column; empty, if there is none.
    pub fn text(&self, column: &str) -> &str {
        self.0.get(column).and_then(Value::as_str).unwrap_or_default()
    }
}

impl Row for SweepRow {
    const COLUMNS: &'static [&'static str] = &{
        let mut all = [""; OWN.len() + SimulateRow::COLUMNS.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = if at < OWN.len() { OWN[at] } else { SimulateRow::COLUMNS[at - OWN.len()] };
            at += 1;
        }
        all
    };
}

impl Serialize for SweepRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Self::COLUMNS.iter().map(|column| (column, self.0.get(*column))))
    }
}
