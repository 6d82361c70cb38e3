//! Results for people: simulation and prediction side by side, in plain text.

use super::{ChannelRow, CheckRow, NO_MODEL};
use crate::experiment::forecast::{Forecast, in_words};
use crate::experiment::{Ended, Outcome};
use crate::model::{Circuits, Part};
use crate::routing::dependency::Method;
use crate::scenario::Scenario;
use crate::switching::Switching;
use crate::switching::circuit::Conflict;
use crate::units::{Rate, TimeUnit};

/// Columns of the names at the left.
const NAMES: usize = 21;
/// Columns of a figure.
const FIGURES: usize = 20;

/// Text built line by line.
pub(super) struct Lines(pub(super) String);

impl Lines {
    /// A heading for `scenario`.
    fn of(scenario: &Scenario) -> Self {
        let mut lines = Self(String::new());
        lines.line(&format!("{}  ({})", scenario.title, scenario.name));
        lines
    }

    /// A line as it is.
    pub(super) fn line(&mut self, line: &str) {
        self.0.push_str(line.trim_end());
        self.0.push('\n');
    }

    /// A name and what belongs to it.
    pub(super) fn entry(&mut self, name: &str, value: &str) {
        self.line(&format!("{name:<NAMES$}{value}"));
    }

    /// A name with the figures of simulation and model, and how far they lie apart.
    fn figures(&mut self, name: &str, simulation: &str, model: &str, deviation: &str) {
        self.line(&format!("{name:<NAMES$}{simulation:<FIGURES$}{model:<FIGURES$}{deviation}"));
    }
}

/// `1 flit`, `4 flits`.
fn plural(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What came out of the replications of a scenario; `together` stands for all of them where there
/// are several. The prediction stands beside it, or what is to be said in its place.
pub fn outcomes_table(
    scenario: &Scenario,
    outcomes: &[Outcome],
    together: Option<&Outcome>,
    forecast: Result<&Forecast, &str>,
) -> String {
    let mut lines = Lines::of(scenario);
    let system = &scenario.system;
    let network = system.network.name();
    let machine = match &system.switching {
        Switching::Wormhole(machine) => format!(
            "{} of {}",
            plural(machine.virtual_channels, "VC"),
            plural(machine.buffer_flits, "flit")
        ),
        Switching::Circuit(machine) => format!("{} circuits", machine.name()),
    };
    let routing = system.relation.routing().name();
    lines.line(&format!("{network}, {routing}, {machine}; seed {}", scenario.seed));
    if together.is_some() {
        replications(&mut lines, outcomes);
    }
    if let Some(whole) = together.or(outcomes.first()) {
        lines.line("");
        whole_run(&mut lines, whole, forecast);
    } else {
        lines.line("PARTIAL: stopped before the first run began");
    }
    lines.0
}

/// One line per replication.
fn replications(lines: &mut Lines, outcomes: &[Outcome]) {
    let mut line = |cells: [&str; 6]| {
        let [number, latency, accepted, messages, cycles, ended] = cells;
        lines.line(&format!(
            "{number:<13}{latency:<20}{accepted:<10}{messages:<12}{cycles:<14}{ended}"
        ));
    };
    line([""; 6]);
    let time = outcomes.first().map_or("cycles", |outcome| word(unit(outcome)));
    line(["replication", "latency", "accepted", "messages", time, "ended"]);
    for outcome in outcomes {
        line([
            &outcome.replication.map_or_else(String::new, |number| number.to_string()),
            &latency(outcome),
            &fixed(outcome.summary.accepted, 4),
            &outcome.summary.messages.to_string(),
            &(outcome.cycles / unit(outcome).cycles).to_string(),
            ended(outcome.ended),
        ]);
    }
}

fn whole_run(lines: &mut Lines, outcome: &Outcome, told: Result<&Forecast, &str>) {
    let forecast = told.ok();
    if outcome.ended == Ended::Stopped {
        lines.line("PARTIAL: stopped before the end");
    }
    latencies(lines, outcome, forecast);
    loads(lines, outcome);
    let summary = &outcome.summary;
    let limit = forecast
        .and_then(|it| it.saturation)
        .map_or_else(String::new, |rate| format!("from {} on", rate_in_words(rate, unit(outcome))));
    lines.figures("saturated", if summary.saturated { "yes" } else { "no" }, &limit, "");
    lines.entry("deadlock", &deadlock(outcome));
    circuits(lines, outcome);
    lines.entry("messages counted", &format!("{}{}", summary.messages, warm_up(outcome)));
    let seconds = outcome.wall.as_secs_f64();
    let counters = &outcome.counters;
    let (time, work) = match outcome.scenario.system.switching {
        Switching::Wormhole(_) => (outcome.cycles, format!("{} flit-hops", counters.flit_hops)),
        Switching::Circuit(_) => {
            (outcome.cycles / unit(outcome).cycles, format!("{} events", counters.events))
        }
    };
    let what = word(unit(outcome));
    lines.entry("simulated", &format!("{time} {what}, {work} in {seconds:.2} s"));
    lines.entry("ended", ended(outcome.ended));
    match told {
        Ok(forecast) => model_notes(lines, forecast),
        Err(instead) => lines.entry("model", instead),
    }
}

/// Mean latency with the prediction beside it, quantiles and hops.
fn latencies(lines: &mut Lines, outcome: &Outcome, forecast: Option<&Forecast>) {
    let (summary, unit) = (&outcome.summary, unit(outcome));
    let predicted = forecast.and_then(|it| it.prediction.as_ref().ok()).map(|it| it.latency_mean);
    let deviation = predicted.zip(summary.latency).map_or_else(String::new, |(model, latency)| {
        format!("{:+.1} %", 100.0 * (model / latency.mean - 1.0))
    });
    let (heading, model) = match forecast {
        Some(_) => (
            "model",
            fixed(predicted.map(|mean| unit.of(mean)), if unit.cycles == 1 { 2 } else { 4 }),
        ),
        None => ("", String::new()),
    };
    lines.figures("", "simulation", heading, "");
    lines.figures(&format!("latency, {}", word(unit)), &latency(outcome), &model, &deviation);
    let network = summary.network_latency_mean;
    if unit.cycles == 1 {
        let prediction = forecast.and_then(|it| it.prediction.as_ref().ok());
        let parts = [summary.source_wait_mean(), summary.blocking_mean(), summary.transfer_mean];
        for (part, simulated) in Part::ALL.into_iter().zip(parts) {
            let model = prediction.and_then(|it| it.part(part));
            let model = if forecast.is_some() { fixed(model, 2) } else { String::new() };
            lines.figures(&format!("  {}", part.name()), &fixed(simulated, 2), &model, "");
        }
        lines.entry("network latency", &fixed(network, 2));
    } else {
        let set_up = summary.latency.zip(network).map(|(all, rest)| unit.of(all.mean - rest));
        lines.entry("of that, set-up", &fixed(set_up, 4));
    }
    let [p50, p95, p99] =
        [summary.latency_p50, summary.latency_p95, summary.latency_p99].map(|quantile| {
            match quantile {
                None => "-".to_owned(),
                Some(cycles) if unit.cycles == 1 => cycles.to_string(),
                Some(cycles) => format!("{:.3}", unit.of(cycles as f64)),
            }
        });
    lines.entry("latency quantiles", &format!("50 %: {p50}, 95 %: {p95}, 99 %: {p99}"));
    lines.entry("hops", &fixed(summary.hops_mean, 3));
}

fn loads(lines: &mut Lines, outcome: &Outcome) {
    let summary = &outcome.summary;
    let unit = unit(outcome);
    lines.entry("rate", &rate_in_words(outcome.rate, unit));
    let load = load_word(unit);
    lines.entry("offered load", &format!("{:.4} {load}", summary.offered));
    lines.entry("accepted load", &format!("{} {load}", fixed(summary.accepted, 4)));
    lines.entry("channel utilisation", &fixed(summary.channel_utilisation_mean, 4));
}

/// Which model it is, and why its figures are to be taken with care.
fn model_notes(lines: &mut Lines, forecast: &Forecast) {
    lines.entry("model", &format!("{}, reading: {}", forecast.model, forecast.reading));
    for mismatch in &forecast.mismatches {
        lines.entry("", &in_words(mismatch));
    }
    if let Err(unsolved) = &forecast.prediction {
        lines.entry("", &unsolved.to_string());
    }
}

/// What the models say of a scenario, term by term, and where `channels` are asked for also of
/// these.
pub fn forecasts_table(scenario: &Scenario, forecasts: &[Forecast], channels: bool) -> String {
    let mut lines = Lines::of(scenario);
    let unit = scenario.system.time_unit();
    let rate = rate_in_words(scenario.system.traffic.rate, unit);
    let load = scenario.system.load().0;
    lines.entry("rate", &format!("{rate}, {load:.4} {}", load_word(unit)));
    if forecasts.is_empty() {
        lines.entry("model", NO_MODEL);
    }
    for forecast in forecasts {
        lines.line("");
        model_notes(&mut lines, forecast);
        if let Ok(prediction) = &forecast.prediction {
            let name = format!("latency, {}", word(unit));
            lines.entry(&name, &format!("{:.4}", unit.of(prediction.latency_mean)));
            for term in &prediction.terms {
                lines.line(&format!("  {:<36}{:>12.4}", term.name, unit.of(term.cycles)));
            }
            if let Some(circuits) = &prediction.circuits {
                circuit_figures(&mut lines, circuits, unit);
            }
        }
        if let Some(rate) = forecast.saturation {
            lines.entry("saturates", &format!("at {}", rate_in_words(rate, unit)));
        }
        if let Some(known) = forecast.channels.as_ref().filter(|_| channels) {
            lines.line(&ChannelRow::heading());
            for channel in known {
                lines.line(&ChannelRow::of(&scenario.system.network, channel).line());
            }
        }
    }
    lines.0
}

/// What a model says of circuits beside the latency.
fn circuit_figures(lines: &mut Lines, circuits: &Circuits, unit: TimeUnit) {
    for (name, figure) in [
        ("set-up time", unit.of(circuits.set_up_cycles)),
        ("aborts per message", circuits.aborts),
        ("looks that find a link busy", circuits.conflict),
        ("links held, share of the time", circuits.link_utilisation),
        ("controllers busy, share of the time", circuits.controller_utilisation),
        ("wait at a controller", unit.of(circuits.controller_wait_cycles)),
    ] {
        lines.line(&format!("  {name:<36}{figure:>12.4}"));
    }
}

/// What the check of a scenario found.
pub fn check_table(row: &CheckRow) -> String {
    let mut lines = Lines(String::new());
    let valid = if row.valid { "a correct scenario" } else { "not a scenario that can be run" };
    lines.line(&format!("{}: {valid}", row.scenario));
    if row.valid {
        let proof = match row.deadlock_free {
            Some(true) => "none can occur",
            Some(false) => "one can occur",
            None if row.cycle.is_some() => {
                "not proven impossible: there is a cycle, and ways round it"
            }
            None => "not proven impossible",
        };
        lines.entry("deadlock", proof);
        if let Some(method) = row.method {
            lines.entry("found by", method);
            if row.deadlock_free == Some(true) {
                let theorem = Method::ALL.into_iter().find(|one| one.theorem() == method);
                if let Some(theorem) = theorem {
                    lines.entry("provided that", theorem.condition());
                }
            }
        }
        if let Some(number) = row.virtual_channels_used {
            lines.entry("virtual channels", &format!("{number} in use"));
        }
        if let Some(number) = row.dependencies {
            lines.entry("dependencies", &number.to_string());
        }
        if let Some(cycle) = &row.cycle {
            lines.entry("a cycle", &cycle.join(" -> "));
        }
    }
    lines.0
}

/// Mean and half width.
fn latency(outcome: &Outcome) -> String {
    let unit = unit(outcome);
    let decimals = if unit.cycles == 1 { 3 } else { 4 };
    let Some(latency) = outcome.summary.latency else { return "-".to_owned() };
    let mean = format!("{:.decimals$}", unit.of(latency.mean));
    match latency.half_width {
        None => mean,
        Some(half) => format!("{mean} ± {:.decimals$}", unit.of(half)),
    }
}

/// The unit of an outcome's times.
fn unit(outcome: &Outcome) -> TimeUnit {
    outcome.scenario.system.time_unit()
}

/// A unit's name where there is little room.
fn word(unit: TimeUnit) -> &'static str {
    if unit.cycles == 1 { "cycles" } else { "time units" }
}

/// A rate with its unit.
fn rate_in_words(rate: Rate, unit: TimeUnit) -> String {
    let per = if unit.cycles == 1 { "cycle" } else { "time unit" };
    format!("{} messages/node/{per}", significant(rate.0))
}

/// The unit of a load.
fn load_word(unit: TimeUnit) -> &'static str {
    if unit.cycles == 1 { "flits/node/cycle" } else { "transmission times/node/time unit" }
}

/// What is known of circuits beyond latencies and loads.
fn circuits(lines: &mut Lines, outcome: &Outcome) {
    let Some(machine) = outcome.scenario.system.circuit() else { return };
    if machine.back_off().is_some() {
        lines.entry("aborts per message", &fixed(outcome.summary.aborts_mean, 4));
    }
    if machine.conflict == Conflict::Hold {
        lines.entry("deadlocks found", &outcome.counters.deadlocks.to_string());
    }
    lines.entry("unit of time", unit(outcome).name);
}

fn warm_up(outcome: &Outcome) -> String {
    let mut text = match outcome.summary.measured_from {
        None => ", all of them: the warm-up was not over".to_owned(),
        Some(0) => ", no warm-up left out".to_owned(),
        Some(cycle) => {
            let unit = unit(outcome);
            let time = cycle / unit.cycles;
            format!(", a warm-up of {time} {} left out", word(unit))
        }
    };
    if outcome.stationary == Some(false) {
        text.push_str(" (no steady state was found)");
    }
    text
}

fn deadlock(outcome: &Outcome) -> String {
    let Some(deadlock) = &outcome.deadlock else { return "no".to_owned() };
    let unit = unit(outcome);
    let (when, who) = if unit.cycles == 1 {
        (format!("found in cycle {}, formed in cycle {}", deadlock.found, deadlock.formed), "worms")
    } else {
        (format!("found at time {:.3}", unit.of(deadlock.found.0 as f64)), "circuits")
    };
    format!(
        "yes: {when}: {} {who} stand still, {} of {} waits among them",
        deadlock.worms.len(),
        if deadlock.knot { "a knot with a ring" } else { "a ring" },
        deadlock.cycle.len()
    )
}

fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::Reached => "as asked",
        Ended::Limit => "at its limit of messages or cycles",
        Ended::Saturated => "saturated",
        Ended::Deadlocked => "in a deadlock",
        Ended::Stopped => "stopped, partial",
    }
}

/// A figure with this many decimals, or a dash.
pub(super) fn fixed(figure: Option<f64>, decimals: usize) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.decimals$}"))
}

/// Four significant digits, without needless zeros.
fn significant(figure: f64) -> String {
    if figure == 0.0 || !figure.is_finite() {
        return figure.to_string();
    }
    let decimals = (3.0 - figure.abs().log10().floor()).clamp(0.0, 18.0) as usize;
    let text = format!("{figure:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
