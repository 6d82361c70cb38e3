//! Rows of results, and the same rows as JSON lines, CSV or a table for people.
//!
//! The names of the fields are the keys of the JSON objects and the columns of the CSV; they and
//! their order are kept stable. What does not apply is `null` in JSON and empty in CSV.

mod channels;
mod comparison;
mod forecasts;
mod reproduction;
mod simulation;
mod table;

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};

use super::Outcome;
use super::forecast::Forecast;
use crate::ids::{ChannelId, VcId};
use crate::routing::dependency::{Proof, Verdict};
use crate::scenario::Scenario;
use crate::switching::Release;
pub use channels::ChannelRow;
pub use comparison::{ComparisonRow, comparison_table};
pub use forecasts::forecasts_table;
pub use reproduction::{DotRow, ReproduceRow};
pub use simulation::{SimulateRow, Time};
pub use table::{check_table, outcomes_table};

/// How rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// A table for people.
    #[default]
    Table,
    /// Comma-separated values under one line of column names.
    Csv,
    /// One JSON object per line.
    Json,
}

/// A row of results: serialisable, its columns known without one.
pub trait Row: Serialize {
    /// The columns, in order.
    const COLUMNS: &'static [&'static str];

    /// Whether it is of a run that was stopped before its end.
    fn partial(&self) -> bool {
        false
    }
}

/// Declares a row: a struct whose fields are its columns.
macro_rules! row {
    ($(#[$about:meta])* $name:ident {
        $($(#[doc = $meaning:literal])* $(#[serde($($how:tt)*)])? $field:ident: $kind:ty,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Default, Serialize, Debug)]
        pub struct $name {
            $($(#[doc = $meaning])* $(#[serde($($how)*)])? pub $field: $kind,)*
        }

        impl $name {
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];
            /// What each column means, in order, for the guide.
            pub const MEANINGS: &'static [&'static str] = &[$(concat!($($meaning),*)),*];
        }
    };
}

pub(in crate::experiment) use row;

row! {
    /// What `predict` says by one reading of one model; `None` for both where no model knows the
    /// network.
    PredictRow {
        /// The scenario's name.
        scenario: String,
        /// The model's name.
        model: Option<&'static str>,
        /// Which reading of its paper.
        reading: Option<&'static str>,
        /// Whether the scenario keeps every assumption of the model.
        applies: bool,
        /// The assumptions broken, and why there is no prediction, in words.
        why_not: Option<String>,
        /// Messages per node and unit of time: the cycle, or that of circuits.
        rate: f64,
        /// Mean latency in `time_unit`.
        latency_mean: Option<f64>,
        /// Whether the rate is beyond the model's saturation; `None` without an answer.
        saturated: Option<bool>,
        /// The largest rate with a solution, in the unit of `rate`.
        saturation_rate: Option<f64>,
        /// The parts of the latency, in `time_unit`, in the model's order.
        terms: Option<Vec<TermRow>>,
        /// What the model says of single channels; `None` unless asked for.
        channels: Option<Vec<ChannelRow>>,
        /// The unit of times: "cycles", or of circuits "mean transmission times" or "time units".
        time_unit: &'static str,
        /// Of circuits: mean time from generation to the acknowledgement, in `time_unit`.
        set_up_mean: Option<f64>,
        /// Of circuits: attempts that end in an abort, per message.
        aborts_mean: Option<f64>,
        /// Of circuits: the share of the looks at a link that find it busy.
        conflict_probability: Option<f64>,
        /// Of circuits: the share of the time for which a link is held.
        link_utilisation: Option<f64>,
        /// Of circuits: the share of the time for which a controller is busy.
        controller_utilisation: Option<f64>,
        /// Of a run beside it: mean latency in `time_unit`; `None` here and below without a run.
        run_latency_mean: Option<f64>,
        /// Its accepted load, flits per node and cycle.
        run_accepted_flits_per_node_cycle: Option<f64>,
        /// Whether it was steady: `steady`, `saturated` or `too short to tell`.
        run_steadiness: Option<&'static str>,
        /// What the run refutes of the model's verdict on saturation, in words.
        wrong_here: Option<String>,
    }
}

impl Row for PredictRow {
    const COLUMNS: &'static [&'static str] = Self::FIELDS;
}

/// A part of a predicted latency.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct TermRow {
    /// What it is.
    pub name: &'static str,
    /// Which part of a latency it belongs to: `source wait`, `blocking` or `transfer`.
    pub part: &'static str,
    /// How long it takes: in cycles, or in the row's unit of time.
    pub cycles: f64,
}

impl PredictRow {
    /// The same row with what the model says of single channels.
    #[must_use]
    pub fn with_channels(self, scenario: &Scenario, forecast: &Forecast) -> Self {
        let network = &scenario.system.network;
        let channels = forecast.channels.as_ref().map(|channels| {
            channels.iter().map(|channel| ChannelRow::of(network, channel)).collect()
        });
        Self { channels, ..self }
    }

    /// The same row beside a run.
    #[must_use]
    pub fn beside(self, run: &Outcome, forecast: Option<&Forecast>) -> Self {
        let unit = run.scenario.system.time_unit();
        let summary = &run.summary;
        Self {
            run_latency_mean: summary.latency.map(|latency| unit.of(latency.mean)),
            run_accepted_flits_per_node_cycle: summary.accepted,
            run_steadiness: Some(summary.steadiness.name()),
            wrong_here: forecast.and_then(|forecast| forecast.refuted(run)),
            ..self
        }
    }

    /// The rows of a scenario: one per forecast, or one that says that there is none.
    pub fn all(scenario: &Scenario, forecasts: &[Forecast]) -> Vec<Self> {
        if forecasts.is_empty() {
            return vec![Self {
                scenario: scenario.name.clone(),
                why_not: Some(NO_MODEL.to_owned()),
                rate: scenario.system.traffic.rate.0,
                time_unit: scenario.system.time_unit().name,
                ..Self::default()
            }];
        }
        forecasts.iter().map(|forecast| Self::of(scenario, forecast)).collect()
    }

    fn of(scenario: &Scenario, forecast: &Forecast) -> Self {
        let prediction = forecast.prediction.as_ref().ok();
        let unit = scenario.system.time_unit();
        let circuits = prediction.and_then(|prediction| prediction.circuits.as_ref());
        Self {
            scenario: scenario.name.clone(),
            model: Some(forecast.model),
            reading: Some(forecast.reading),
            applies: forecast.applies(),
            why_not: forecast.why_not(),
            rate: forecast.rate.0,
            latency_mean: prediction.map(|prediction| unit.of(prediction.latency_mean)),
            saturated: forecast.saturated(),
            saturation_rate: forecast.saturation.map(|rate| rate.0),
            terms: prediction.map(|prediction| {
                let terms = prediction.terms.iter();
                terms
                    .map(|term| TermRow {
                        name: term.name,
                        part: term.part.name(),
                        cycles: unit.of(term.cycles),
                    })
                    .collect()
            }),
            time_unit: unit.name,
            set_up_mean: circuits.map(|circuits| unit.of(circuits.set_up_cycles)),
            aborts_mean: circuits.map(|circuits| circuits.aborts),
            conflict_probability: circuits.map(|circuits| circuits.conflict),
            link_utilisation: circuits.map(|circuits| circuits.link_utilisation),
            controller_utilisation: circuits.map(|circuits| circuits.controller_utilisation),
            ..Self::default()
        }
    }
}

/// What is said in the place of a prediction where there is none.
pub const NO_MODEL: &str = "no model has equations for this network";

row! {
    /// What `check` says of a scenario.
    CheckRow {
        /// The scenario's name.
        scenario: String,
        /// Whether it can be run.
        valid: bool,
        /// Whether its routing was proven free of deadlock; `None` where it was not looked into.
        deadlock_free: Option<bool>,
        /// How that was found.
        method: Option<&'static str>,
        /// Virtual channels that the routing uses on some channel.
        virtual_channels_used: Option<u32>,
        /// Dependencies between virtual channels.
        dependencies: Option<u64>,
        /// Where it is not free of deadlock, virtual channels that depend on each other in a ring.
        cycle: Option<Vec<String>>,
    }
}

impl Row for CheckRow {
    const COLUMNS: &'static [&'static str] = Self::FIELDS;
}

impl CheckRow {
    /// A scenario that can be run, with what is proven of its routing.
    pub fn proven(scenario: &Scenario, proof: &Proof) -> Self {
        let network = &scenario.system.network;
        let vcs = scenario.system.relation.virtual_channels();
        let name = |vc: &VcId| {
            let channel = network.channel_name(ChannelId(vc.0 / vcs));
            match scenario.system.circuit() {
                None => format!("{channel} VC {}", vc.0 % vcs),
                Some(_) if vcs == 1 => channel,
                Some(_) => format!("{channel} lane {}", vc.0 % vcs),
            }
        };
        let known = !matches!(proof.verdict, Verdict::Stranded { .. } | Verdict::TooLarge { .. });
        // A VC that is free when the tail has crossed may be granted while its buffer drains.
        let release = scenario.system.wormhole().map(|machine| machine.release);
        let shared = release == Some(Release::Sent) && proof.method.needs_one_message_per_buffer();
        Self {
            scenario: scenario.name.clone(),
            valid: true,
            deadlock_free: match proof.verdict {
                Verdict::Free { .. } if shared => None,
                Verdict::Free { .. } => Some(true),
                Verdict::Cyclic { .. } if !proof.alternatives => Some(false),
                Verdict::Cyclic { .. } | Verdict::Stranded { .. } | Verdict::TooLarge { .. } => {
                    None
                }
            },
            method: Some(match &proof.verdict {
                Verdict::TooLarge { .. } => {
                    "none: the network is too large to enumerate its routes"
                }
                Verdict::Stranded { .. } => "none: a message can come to where nothing leads it on",
                Verdict::Free { .. } if shared => {
                    "none: the escape VCs have no cycle (Duato), but with `release: Sent` a buffer \
                     can hold two messages, for which the theorem does not speak"
                }
                Verdict::Free { .. } | Verdict::Cyclic { .. } => proof.method.theorem(),
            }),
            virtual_channels_used: known.then_some(proof.virtual_channels_used),
            dependencies: known.then_some(proof.dependencies),
            cycle: match &proof.verdict {
                Verdict::Cyclic { cycle } => Some(cycle.iter().map(name).collect()),
                Verdict::Free { .. } | Verdict::Stranded { .. } | Verdict::TooLarge { .. } => None,
            },
        }
    }

    /// A scenario of which nothing is known but whether it can be run.
    pub fn unproven(scenario: &str, valid: bool) -> Self {
        Self { scenario: scenario.to_owned(), valid, ..Self::default() }
    }
}

/// One JSON object per line.
pub fn json_lines<R: Row>(rows: &[R], out: &mut impl Write) -> io::Result<()> {
    for row in rows {
        serde_json::to_writer(&mut *out, row)?;
        writeln!(out)?;
    }
    Ok(())
}

/// A line of column names, then one line per row. A column `partial` is added if any row is.
pub fn csv<R: Row>(rows: &[R], out: &mut impl Write) -> io::Result<()> {
    let partial = rows.iter().any(Row::partial).then_some("partial");
    let columns: Vec<&str> = R::COLUMNS.iter().copied().chain(partial).collect();
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(&columns)?;
    for row in rows {
        let values = values(row)?;
        let cells = columns.iter().map(|&column| values.get(column).map_or_else(String::new, cell));
        writer.write_record(cells)?;
    }
    writer.flush()
}

/// The fields of a row by name.
fn values(row: &impl Row) -> io::Result<Map<String, Value>> {
    let Value::Object(values) = serde_json::to_value(row)? else {
        unreachable!("a row is an object")
    };
    Ok(values)
}

/// A value in a field of CSV: lists as JSON.
fn cell(value: &Value) -> String {
    if value.is_null() {
        return String::new();
    }
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
