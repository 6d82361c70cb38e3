//! Statistics of a live run as a file: summary, histogram and links, in CSV or JSON.
//!
//! Times are in the run's unit; figures without a measurement or a prediction are empty (`null`).

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::experiment::report::{csv, row};
use crate::ids::ChannelId;
use crate::live::{LinkFigures, Measured, Theory, Update};

row! {
    /// One figure.
    Figure from (update: &Update, table: &'static str, said: Quantity) {
        let (quantity, pair, unit) = said;
    } {
        /// The scenario's name.
        scenario: String = update.scenario.name.clone(),
        /// The seed of its run.
        seed: u64 = update.seed,
        /// The cycle of the snapshot.
        cycle: u64 = update.snapshot.cycle.0,
        /// `summary`, `histogram`, `set_up_histogram` or `links`.
        table: &'static str = table,
        /// The name of a link.
        name: Option<String> = None,
        /// The lower end of a bin of a histogram.
        low: Option<f64> = None,
        /// The upper end of a bin.
        high: Option<f64> = None,
        /// The name of the figure.
        quantity: &'static str = quantity,
        /// The figure of the run.
        measured: Option<f64> = pair.measured,
        /// The figure of the model.
        predicted: Option<f64> = pair.predicted,
        /// The unit of both.
        unit: &'static str = unit,
    }
}

/// A quantity's name, figures and unit.
type Quantity = (&'static str, Measured, &'static str);

/// The text of a file, in the format of the path's extension. The error lists the valid extensions.
pub fn text(update: &Update, path: &str) -> Result<String, String> {
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
    let figures = all(update);
    match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("csv") => {
            let mut bytes = Vec::new();
            csv(&figures, &mut bytes).map_err(|error| error.to_string())?;
            String::from_utf8(bytes).map_err(|error| error.to_string())
        }
        Some("json") => {
            let mut text = serde_json::to_string_pretty(&object(update, &figures))
                .map_err(|error| error.to_string())?;
            text.push('\n');
            Ok(text)
        }
        _ => Err(format!("`{path}` must end in .csv or .json, which says what is written")),
    }
}

/// All figures of a run.
fn all(update: &Update) -> Vec<Figure> {
    let figure = |table| move |said| Figure::new(update, table, said);
    let mut all: Vec<Figure> = summary(update).into_iter().map(figure("summary")).collect();
    let system = &update.scenario.system;
    let unit = system.time_unit();
    for (table, latencies) in
        [("histogram", &update.latencies), ("set_up_histogram", &update.set_ups)]
    {
        all.extend(latencies.bins.iter().map(|bin| {
            let count = Measured { measured: Some(bin.count as f64), predicted: None };
            let [low, high] = [bin.low, bin.high].map(|cycles| Some(unit.of(cycles as f64)));
            Figure { low, high, ..figure(table)(("messages", count, unit.name)) }
        }));
    }
    for channel in (0..system.network.channels().len()).map(ChannelId::new) {
        let known =
            link(update, channel).into_iter().filter(|(_, pair, _)| *pair != Measured::default());
        let name = || Some(system.network.channel_name(channel));
        all.extend(known.map(|said| Figure { name: name(), ..figure("links")(said) }));
    }
    all
}

fn summary(update: &Update) -> [Quantity; 14] {
    let (summary, unit) = (&update.summary, update.scenario.system.time_unit());
    let theory = update.theory.as_deref();
    let prediction = theory.and_then(|theory| theory.prediction.as_ref().ok());
    let of = |cycles: Option<f64>| cycles.map(|cycles| unit.of(cycles));
    let whole = |cycles: Option<u64>| of(cycles.map(|cycles| cycles as f64));
    let only = |measured| Measured { measured, predicted: None };
    let latency = summary.latency;
    let latency_mean = Measured {
        measured: of(latency.map(|latency| latency.mean)),
        predicted: of(theory.and_then(Theory::latency_mean)),
    };
    // Models count links only.
    let ends = f64::from(update.scenario.system.terminal_hops());
    let hops = prediction.and_then(|prediction| prediction.hops_mean);
    let hops = Measured { measured: summary.hops_mean, predicted: hops.map(|hops| hops + ends) };
    let spread = prediction.and_then(|prediction| prediction.spread.as_ref());
    let quantile = |measured, share| Measured {
        measured: whole(measured),
        predicted: of(spread.map(|spread| spread.quantile(share))),
    };
    let load = if unit.cycles == 1 { "flits/node/cycle" } else { "erlang/node" };
    let rate = if unit.cycles == 1 { "messages/node/cycle" } else { "messages/node/unit" };
    let half_width = latency.and_then(|latency| latency.half_width);
    let saturated = summary.steadiness.saturated().map(|is| f64::from(u8::from(is)));
    [
        ("rate", only(Some(update.rate.0)), rate),
        ("offered", only(Some(summary.offered)), load),
        ("accepted", only(summary.accepted), load),
        ("channel_utilisation_mean", only(summary.channel_utilisation_mean), "share"),
        ("latency_mean", latency_mean, unit.name),
        ("latency_half_width_95", only(of(half_width)), unit.name),
        ("network_latency_mean", only(of(summary.network_latency_mean)), unit.name),
        ("latency_p50", quantile(summary.latency_p50, 0.5), unit.name),
        ("latency_p95", quantile(summary.latency_p95, 0.95), unit.name),
        ("latency_p99", quantile(summary.latency_p99, 0.99), unit.name),
        ("hops_mean", hops, "channels"),
        ("messages", only(Some(summary.messages as f64)), "messages"),
        ("warm_up_end", only(whole(summary.measured_from)), unit.name),
        ("saturated", only(saturated), "0 or 1"),
    ]
}

fn link(update: &Update, channel: ChannelId) -> [Quantity; 5] {
    let unit = update.scenario.system.time_unit();
    let figures = LinkFigures::of(update, channel);
    let [measured, predicted] = [figures.wait.measured, figures.wait.predicted]
        .map(|cycles| cycles.map(|cycles| unit.of(cycles)));
    [
        ("use", figures.flow, if unit.cycles == 1 { "flits/cycle" } else { "share" }),
        ("held", figures.held, "share"),
        ("heads", figures.heads, "heads"),
        ("wait", Measured { measured, predicted }, unit.name),
        ("full", figures.full, "share"),
    ]
}

/// Converts the figures to a JSON object.
fn object(update: &Update, figures: &[Figure]) -> Value {
    let figure = |it: &Figure| json!({ "measured": it.measured, "predicted": it.predicted, "unit": it.unit });
    let of = |table: &'static str| figures.iter().filter(move |it| it.table == table);
    let histogram = |table| -> Vec<Value> {
        let bin = |it: &Figure| json!({ "low": it.low, "high": it.high, "messages": it.measured });
        of(table).map(bin).collect()
    };
    let summary: Map<String, Value> =
        of("summary").map(|it| (it.quantity.to_owned(), figure(it))).collect();
    let mut links: Vec<Map<String, Value>> = Vec::new();
    for it in of("links") {
        let name = Value::from(it.name.clone());
        if links.last().is_none_or(|last| last["channel"] != name) {
            links.push(Map::from_iter([("channel".to_owned(), name)]));
        }
        if let Some(last) = links.last_mut() {
            last.insert(it.quantity.to_owned(), figure(it));
        }
    }
    let model = update.theory.as_deref().map(|theory| {
        let broken: Vec<String> = theory
            .mismatches
            .iter()
            .map(|broken| format!("assumes {}; here: {}", broken.assumes, broken.found))
            .collect();
        json!({
            "name": theory.name,
            "reading": theory.reading,
            "applies": theory.applies(),
            "assumptions_broken": broken,
            "saturation_rate": theory.saturation.map(|rate| rate.0),
        })
    });
    let (now, unit) = (update.snapshot.cycle.0, update.scenario.system.time_unit());
    json!({
        "scenario": update.scenario.name,
        "seed": update.seed,
        "cycle": if unit.cycles == 1 { json!(now) } else { json!(unit.of(now as f64)) },
        "time_unit": unit.name,
        "version": env!("CARGO_PKG_VERSION"),
        "model": model,
        "summary": summary,
        "histogram": histogram("histogram"),
        "set_up_histogram": histogram("set_up_histogram"),
        "links": links,
    })
}

#[cfg(test)]
mod tests;
