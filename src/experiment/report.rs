//! Rows of results, and the same rows as JSON lines, CSV or a table for people.
//!
//! The names of the fields are the keys of the JSON objects and the columns of the CSV; they and
//! their order are kept stable. What does not apply is `null` in JSON and empty in CSV.

mod channels;
mod comparison;
mod reproduction;
mod table;

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};

use super::forecast::Forecast;
use super::{Ended, Outcome};
use crate::ids::{ChannelId, VcId};
use crate::routing::dependency::{Proof, Verdict};
use crate::scenario::Scenario;
use crate::switching::{OnDeadlock, Release, Switching};
use crate::units::TimeUnit;
pub use channels::ChannelRow;
pub use comparison::{ComparisonRow, comparison_table};
pub use reproduction::{DotRow, ReproduceRow};
pub use table::{check_table, forecasts_table, outcomes_table};

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
    ($(#[$about:meta])* $name:ident { $($(#[$field_about:meta])* $field:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Serialize, Debug)]
        pub struct $name { $($(#[$field_about])* pub $field: $kind,)* }

        impl $name {
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];
        }
    };
}

pub(in crate::experiment) use row;

row! {
    /// What `simulate` says of one run, or of all replications together.
    SimulateRow {
        /// The scenario's name.
        scenario: String,
        /// The seed.
        seed: u64,
        /// The replication, from 0; `None` for all together.
        replication: Option<u32>,
        /// Messages per node and cycle (per node and unit of time).
        rate: f64,
        /// Flits per node and cycle that the sources offer; for circuits, transmission times per node and
        /// unit of time.
        offered_flits_per_node_cycle: f64,
        /// Flits per node and cycle that arrived.
        accepted_flits_per_node_cycle: Option<f64>,
        /// Mean share of cycles in which a router-to-router channel moves a flit (is held by a circuit).
        channel_utilisation_mean: Option<f64>,
        /// Mean latency, generation to consumption of the tail.
        latency_mean: Option<f64>,
        /// Half the width of its 95 % interval.
        latency_half_width: Option<f64>,
        /// Mean latency from the head's first move; for circuits, from the start of the data, so that the
        /// rest of the latency is the set-up time.
        network_latency_mean: Option<f64>,
        /// Median latency.
        latency_p50: Option<Time>,
        /// 95th percentile.
        latency_p95: Option<Time>,
        /// 99th percentile.
        latency_p99: Option<Time>,
        /// The unit of all latencies.
        time_unit: &'static str,
        /// Mean channels crossed.
        hops_mean: Option<f64>,
        /// Messages counted.
        messages: u64,
        /// Cycles simulated, warm-up included; for circuits, whole units of time.
        cycles: u64,
        /// Whether it was found saturated.
        saturated: bool,
        /// Whether it was stopped by a deadlock.
        deadlock: bool,
        /// Mean times a message was aborted; `None` where worms are not aborted.
        aborts_mean: Option<f64>,
        /// Flits moved over router-to-router channels, warm-up included; `None` for circuits.
        flit_hops: Option<u64>,
        /// Wall time in seconds; of replications together, their sum.
        wall_seconds: f64,
        /// A hash of the final state, 16 hexadecimal digits.
        fingerprint: String,
        /// The program's version.
        version: &'static str,
        /// `true` in a run that was stopped before its end; only there it is written.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        partial: bool,
    }
}

impl Row for SimulateRow {
    // `partial` is added where it is true.
    const COLUMNS: &'static [&'static str] = Self::FIELDS.split_at(Self::FIELDS.len() - 1).0;

    fn partial(&self) -> bool {
        self.partial
    }
}

impl From<&Outcome> for SimulateRow {
    fn from(outcome: &Outcome) -> Self {
        let summary = &outcome.summary;
        let system = &outcome.scenario.system;
        let unit = system.time_unit();
        Self {
            scenario: outcome.scenario.name.clone(),
            seed: outcome.seed,
            replication: outcome.replication,
            rate: outcome.rate.0,
            offered_flits_per_node_cycle: summary.offered,
            accepted_flits_per_node_cycle: summary.accepted,
            channel_utilisation_mean: summary.channel_utilisation_mean,
            latency_mean: summary.latency.map(|latency| unit.of(latency.mean)),
            latency_half_width: summary
                .latency
                .and_then(|latency| latency.half_width)
                .map(|half| unit.of(half)),
            network_latency_mean: summary.network_latency_mean.map(|mean| unit.of(mean)),
            latency_p50: summary.latency_p50.map(|cycles| Time::new(cycles, unit)),
            latency_p95: summary.latency_p95.map(|cycles| Time::new(cycles, unit)),
            latency_p99: summary.latency_p99.map(|cycles| Time::new(cycles, unit)),
            time_unit: unit.name,
            hops_mean: summary.hops_mean,
            messages: summary.messages,
            cycles: outcome.cycles / unit.cycles,
            saturated: summary.saturated,
            deadlock: outcome.deadlock.is_some(),
            aborts_mean: aborts_mean(outcome),
            flit_hops: system.wormhole().map(|_| outcome.counters.flit_hops),
            wall_seconds: outcome.wall.as_secs_f64(),
            fingerprint: format!("{:016x}", outcome.fingerprint),
            version: env!("CARGO_PKG_VERSION"),
            partial: outcome.ended == Ended::Stopped,
        }
    }
}

/// Mean times a message was aborted, where that may happen: of all worms, or of the circuits counted.
fn aborts_mean(outcome: &Outcome) -> Option<f64> {
    let Outcome { counters, summary, .. } = outcome;
    match &outcome.scenario.system.switching {
        Switching::Wormhole(machine) => (machine.on_deadlock == OnDeadlock::Abort)
            .then(|| counters.aborts as f64 / counters.delivered.max(1) as f64),
        Switching::Circuit(machine) => machine.back_off().and(summary.aborts_mean),
    }
}

/// A quantile: a whole number of cycles, or a number of other units.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
#[serde(untagged)]
pub enum Time {
    /// Cycles.
    Cycles(u64),
    /// Units of more than one cycle.
    Units(f64),
}

impl Time {
    /// So many cycles in this unit.
    fn new(cycles: u64, unit: TimeUnit) -> Self {
        if unit.cycles == 1 { Self::Cycles(cycles) } else { Self::Units(unit.of(cycles as f64)) }
    }
}

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

    /// The rows of a scenario: one per forecast, or one that says that there is none.
    pub fn all(scenario: &Scenario, forecasts: &[Forecast]) -> Vec<Self> {
        if forecasts.is_empty() {
            return vec![Self {
                scenario: scenario.name.clone(),
                model: None,
                reading: None,
                applies: false,
                why_not: Some(NO_MODEL.to_owned()),
                rate: scenario.system.traffic.rate.0,
                latency_mean: None,
                saturated: None,
                saturation_rate: None,
                terms: None,
                channels: None,
                time_unit: scenario.system.time_unit().name,
                set_up_mean: None,
                aborts_mean: None,
                conflict_probability: None,
                link_utilisation: None,
                controller_utilisation: None,
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
            channels: None,
            time_unit: unit.name,
            set_up_mean: circuits.map(|circuits| unit.of(circuits.set_up_cycles)),
            aborts_mean: circuits.map(|circuits| circuits.aborts),
            conflict_probability: circuits.map(|circuits| circuits.conflict),
            link_utilisation: circuits.map(|circuits| circuits.link_utilisation),
            controller_utilisation: circuits.map(|circuits| circuits.controller_utilisation),
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
                _ => None,
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
                _ => proof.method.theorem(),
            }),
            virtual_channels_used: known.then_some(proof.virtual_channels_used),
            dependencies: known.then_some(proof.dependencies),
            cycle: match &proof.verdict {
                Verdict::Cyclic { cycle } => Some(cycle.iter().map(name).collect()),
                _ => None,
            },
        }
    }

    /// A scenario of which nothing is known but whether it can be run.
    pub fn unproven(scenario: &str, valid: bool) -> Self {
        Self {
            scenario: scenario.to_owned(),
            valid,
            deadlock_free: None,
            method: None,
            virtual_channels_used: None,
            dependencies: None,
            cycle: None,
        }
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
    match serde_json::to_value(row)? {
        Value::Object(values) => Ok(values),
        other => unreachable!("a row is an object, not {other}"),
    }
}

/// A value in a field of CSV: lists as JSON.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
