//! Latency of single paths: a row for every path of every model, and a table by the number of channels.

use std::collections::BTreeMap;

use super::predictions::NO_MODEL;
use super::row;
use super::table::{rate_in_words, titled, word};
use crate::engine::Delivery;
use crate::experiment::forecast::Forecast;
use crate::experiment::sheet::{Column, Table, fixed};
use crate::ids::{ChannelId, NodeId};
use crate::model::path::PathForecast;
use crate::scenario::Scenario;

const NO_PATHS: &str = "the model does not distinguish paths";

/// The messages of a run by their sources, destinations and channels crossed.
#[derive(Clone, Default, Debug)]
pub struct PathsOfRun {
    born: Vec<(u64, Ends, u64)>,
    sums: BTreeMap<Ends, Sum>,
}

/// Source, destination and channels crossed.
type Ends = (NodeId, NodeId, u32);
/// Messages, and the sum of their latencies in cycles.
type Sum = (u64, u64);

impl PathsOfRun {
    /// Records a delivery.
    pub fn take(&mut self, it: &Delivery) {
        self.born.push((it.born.0, (it.source, it.destination, it.hops), it.latency()));
    }

    /// Counts the messages generated from this cycle on, at the end of the run.
    pub fn count(&mut self, from: u64) {
        for (_, ends, latency) in self.born.drain(..).filter(|(born, ..)| *born >= from) {
            let sum = self.sums.entry(ends).or_default();
            *sum = (sum.0 + 1, sum.1 + latency);
        }
    }

    fn mean(&self, has: impl Fn(&Ends) -> bool) -> Option<(u64, f64)> {
        let of = self.sums.iter().filter(|(ends, _)| has(ends)).map(|(_, sum)| *sum);
        let (messages, cycles) = of.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
        (messages > 0).then(|| (messages, cycles as f64 / messages as f64))
    }
}

row! {
    /// The prediction of a model for one path. A model without paths has one row, with the reason.
    PathRow from (
        scenario: &Scenario,
        forecast: Option<&Forecast>,
        path: Option<&PathForecast>,
        run: Option<&PathsOfRun>
    ) {
        let (unit, network) = (scenario.system.time_unit(), &scenario.system.network);
        let ends = path.and_then(|path| ends(scenario, path));
        let found = run.zip(ends).and_then(|(run, ends)| run.mean(|it| *it == ends));
        let name = |&channel: &ChannelId| network.channel_name(channel);
        let why = || forecast.map_or(NO_MODEL.to_owned(), |it| it.why_not().unwrap_or(NO_PATHS.to_owned()));
    } {
        /// The scenario's name.
        scenario: String = scenario.name.clone(),
        /// The model's name.
        model: Option<&'static str> = forecast.map(|it| it.model),
        /// The reading of the model's paper.
        reading: Option<&'static str> = forecast.map(|it| it.reading),
        /// Messages per node and unit of time.
        rate: f64 = scenario.system.traffic.rate.0,
        /// The node that sends the messages.
        source: Option<String> = ends.map(|it| network.node_name(it.0)),
        /// The node that receives them.
        destination: Option<String> = ends.map(|it| network.node_name(it.1)),
        /// The channels of the path, in order.
        channels: Option<Vec<String>> = path.map(|it| it.channels.iter().map(name).collect()),
        /// The share of all messages on this path.
        share: Option<f64> = path.map(|it| it.share),
        /// Mean latency in `time_unit`.
        latency_mean: Option<f64> = path.map(|it| unit.of(it.latency_mean)),
        /// The unit of times.
        time_unit: &'static str = unit.name,
        /// Messages of the run between these nodes over as many channels; `None` here and below without a run.
        run_messages: Option<u64> = found.map(|it| it.0),
        /// Their mean latency in `time_unit`.
        run_latency_mean: Option<f64> = found.map(|it| unit.of(it.1)),
        /// The reason against a prediction, in words.
        why_not: Option<String> = path.is_none().then(why),
    }
}

/// Paths of as many channels.
type Group<'a> = (usize, Vec<&'a PathRow>);

/// The ends of a path, and its channels.
fn ends(scenario: &Scenario, path: &PathForecast) -> Option<Ends> {
    let network = &scenario.system.network;
    let [first, .., last] = path.channels[..] else { return None };
    let hops = path.channels.len() as u32;
    Some((network.terminal_of(first)?, network.terminal_of(last)?, hops))
}

/// The rows of a model; one without paths, or without a model.
pub fn path_rows(
    scenario: &Scenario,
    forecast: Option<&Forecast>,
    run: Option<&PathsOfRun>,
) -> Vec<PathRow> {
    let paths = forecast.and_then(|it| it.paths(scenario)).unwrap_or_default();
    let row = |path: &PathForecast| PathRow::new(scenario, forecast, Some(path), run);
    match &paths[..] {
        [] => vec![PathRow::new(scenario, forecast, None, run)],
        paths => paths.iter().map(row).collect(),
    }
}

/// The paths of all models that know them, by the number of channels.
pub fn path_table(scenario: &Scenario, rows: &[PathRow], run: Option<&PathsOfRun>) -> String {
    let mut lines = titled(scenario);
    let unit = scenario.system.time_unit();
    lines.entry("rate", &rate_in_words(scenario.system.traffic.rate, unit));
    if rows.iter().all(|row| row.why_not.is_some()) {
        lines.entry("paths", "none: no model distinguishes them here");
    }
    for of_model in rows.chunk_by(|a, b| (a.model, a.reading) == (b.model, b.reading)) {
        let [first, ..] = of_model else { continue };
        let mut by_channels: BTreeMap<usize, Vec<&PathRow>> = BTreeMap::new();
        for row in of_model {
            if let Some(channels) = &row.channels {
                by_channels.entry(channels.len()).or_default().push(row);
            }
        }
        let all: Vec<Group<'_>> = by_channels.into_iter().collect();
        if all.is_empty() {
            continue;
        }
        let found = |channels: usize| {
            let (_, mean) = run?.mean(|ends| ends.2 as usize == channels)?;
            Some(unit.of(mean))
        };
        let latency = |row: &&PathRow| row.latency_mean.unwrap_or_default();
        let mean = |rows: &[&PathRow]| {
            let share = |row: &&PathRow| row.share.unwrap_or_default();
            let sum: f64 = rows.iter().map(|row| share(row) * latency(row)).sum();
            sum / rows.iter().map(share).sum::<f64>()
        };
        let columns = [
            Column::new("channels", |it: &Group<'_>| it.0.to_string()),
            Column::new("paths", |it: &Group<'_>| it.1.len().to_string()),
            Column::new("mean", |it: &Group<'_>| format!("{:.2}", mean(&it.1))),
            Column::new("least", |it: &Group<'_>| {
                fixed(it.1.iter().map(latency).reduce(f64::min), 2)
            }),
            Column::new("most", |it: &Group<'_>| {
                fixed(it.1.iter().map(latency).reduce(f64::max), 2)
            }),
            Column::new("simulated", |it: &Group<'_>| {
                found(it.0).map_or_else(String::new, |it| format!("{it:.2}"))
            }),
            Column::new("to simulation", |it: &Group<'_>| {
                let off = found(it.0).map(|found| 100.0 * (mean(&it.1) / found - 1.0));
                off.map_or_else(String::new, |off| format!("{off:+.1} %"))
            }),
        ];
        let (model, reading) = (first.model.unwrap_or_default(), first.reading.unwrap_or_default());
        let label = format!("{model}, reading: {reading}; latency of a path, {}", word(unit));
        lines.line("");
        lines.table(Table { label, ..Table::of(&columns, &all) });
    }
    lines.text()
}
