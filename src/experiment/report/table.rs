//! Results for people: simulation and prediction side by side, in plain text.

use super::{ChannelRow, CheckRow, NO_MODEL};
use crate::engine::Deadlock;
use crate::experiment::forecast::{Forecast, in_words};
use crate::experiment::{Ended, Outcome};
use crate::model::Circuits;
use crate::routing::dependency::Method;
use crate::scenario::Scenario;
use crate::units::TimeUnit;

/// Columns of the names at the left.
const NAMES: usize = 21;
/// Columns of a figure.
const FIGURES: usize = 20;

/// Text built line by line.
struct Lines(String);

impl Lines {
    /// A heading for `scenario`.
    fn of(scenario: &Scenario) -> Self {
        let mut lines = Self(String::new());
        lines.line(&format!("{}  ({})", scenario.title, scenario.name));
        lines
    }

    fn line(&mut self, line: &str) {
        self.0.push_str(line.trim_end());
        self.0.push('\n');
    }

    /// A name and what belongs to it.
    fn entry(&mut self, name: &str, value: &str) {
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
/// are several. The prediction stands beside it.
pub fn outcomes_table(
    scenario: &Scenario,
    outcomes: &[Outcome],
    together: Option<&Outcome>,
    forecast: Option<&Forecast>,
) -> String {
    let mut lines = Lines::of(scenario);
    let system = &scenario.system;
    let network = system.network.cube().map_or_else(String::new, |cube| cube.name() + ", ");
    lines.line(&format!(
        "{network}{}, {} of {}; seed {}",
        system.relation.routing().name(),
        plural(system.switching.virtual_channels(), "VC"),
        plural(system.switching.buffer_flits(), "flit"),
        scenario.seed,
    ));
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
    line(["replication", "latency", "accepted", "messages", "cycles", "ended"]);
    for outcome in outcomes {
        line([
            &outcome.replication.map_or_else(String::new, |number| number.to_string()),
            &latency(outcome),
            &fixed(outcome.summary.accepted, 4),
            &outcome.summary.messages.to_string(),
            &outcome.cycles.to_string(),
            ended(outcome.ended),
        ]);
    }
}

fn whole_run(lines: &mut Lines, outcome: &Outcome, forecast: Option<&Forecast>) {
    if outcome.ended == Ended::Stopped {
        lines.line("PARTIAL: stopped before the end");
    }
    latencies(lines, outcome, forecast);
    loads(lines, outcome);
    let summary = &outcome.summary;
    let limit = forecast.and_then(|it| it.saturation).map_or_else(String::new, |rate| {
        format!("from {} messages/node/cycle on", significant(rate.0))
    });
    lines.figures("saturated", if summary.saturated { "yes" } else { "no" }, &limit, "");
    lines.entry("deadlock", &outcome.deadlock.as_ref().map_or_else(|| "no".to_owned(), deadlock));
    lines.entry("messages counted", &format!("{}{}", summary.messages, warm_up(outcome)));
    let seconds = outcome.wall.as_secs_f64();
    let (cycles, flit_hops) = (outcome.cycles, outcome.counters.flit_hops);
    lines.entry("simulated", &format!("{cycles} cycles, {flit_hops} flit-hops in {seconds:.2} s"));
    lines.entry("ended", ended(outcome.ended));
    match forecast {
        Some(forecast) => model_notes(lines, forecast),
        None => lines.entry("model", NO_MODEL),
    }
}

/// Mean latency with the prediction beside it, quantiles and hops.
fn latencies(lines: &mut Lines, outcome: &Outcome, forecast: Option<&Forecast>) {
    let summary = &outcome.summary;
    let predicted = forecast.and_then(|it| it.prediction.as_ref().ok()).map(|it| it.latency_mean);
    let deviation = predicted.zip(summary.latency).map_or_else(String::new, |(model, latency)| {
        format!("{:+.1} %", 100.0 * (model / latency.mean - 1.0))
    });
    let (heading, model) = match forecast {
        Some(_) => ("model", fixed(predicted, 2)),
        None => ("", String::new()),
    };
    lines.figures("", "simulation", heading, "");
    lines.figures("latency, cycles", &latency(outcome), &model, &deviation);
    lines.entry("network latency", &fixed(summary.network_latency_mean, 2));
    let [p50, p95, p99] = [summary.latency_p50, summary.latency_p95, summary.latency_p99]
        .map(|quantile| quantile.map_or_else(|| "-".to_owned(), |cycles| cycles.to_string()));
    lines.entry("latency quantiles", &format!("50 %: {p50}, 95 %: {p95}, 99 %: {p99}"));
    lines.entry("hops", &fixed(summary.hops_mean, 3));
}

fn loads(lines: &mut Lines, outcome: &Outcome) {
    let summary = &outcome.summary;
    lines.entry("rate", &format!("{} messages/node/cycle", significant(outcome.rate.0)));
    lines.entry("offered load", &format!("{:.4} flits/node/cycle", summary.offered));
    lines.entry("accepted load", &format!("{} flits/node/cycle", fixed(summary.accepted, 4)));
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
    let rate = significant(scenario.system.traffic.rate.0);
    let load = scenario.system.load().0;
    lines.entry("rate", &format!("{rate} messages/node/cycle, {load:.4} flits/node/cycle"));
    if forecasts.is_empty() {
        lines.entry("model", NO_MODEL);
    }
    for forecast in forecasts {
        lines.line("");
        model_notes(&mut lines, forecast);
        if let Ok(prediction) = &forecast.prediction {
            let unit = scenario.system.time_unit();
            let latency = unit.of(prediction.latency_mean);
            lines.entry(&format!("latency, {} ", unit.name), &format!("{latency:.4}"));
            for term in &prediction.terms {
                lines.line(&format!("  {:<36}{:>12.4}", term.name, unit.of(term.cycles)));
            }
            if let Some(circuits) = &prediction.circuits {
                circuit_figures(&mut lines, circuits, unit);
            }
        }
        if let Some(rate) = forecast.saturation {
            lines.entry("saturates", &format!("at {} messages/node/cycle", significant(rate.0)));
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
                let duato = method == Method::Duato.theorem();
                let method = if duato { Method::Duato } else { Method::DallySeitz };
                lines.entry("provided that", method.condition());
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
    match outcome.summary.latency {
        None => "-".to_owned(),
        Some(latency) => match latency.half_width {
            None => format!("{:.3}", latency.mean),
            Some(half) => format!("{:.3} ± {half:.3}", latency.mean),
        },
    }
}

fn warm_up(outcome: &Outcome) -> String {
    let mut text = match outcome.summary.measured_from {
        None => ", all of them: the warm-up was not over".to_owned(),
        Some(0) => ", no warm-up left out".to_owned(),
        Some(cycle) => format!(", a warm-up of {cycle} cycles left out"),
    };
    if outcome.stationary == Some(false) {
        text.push_str(" (no steady state was found)");
    }
    text
}

fn deadlock(deadlock: &Deadlock) -> String {
    format!(
        "yes: found in cycle {}, formed in cycle {}: {} worms stand still, {} of {} waits among \
         them",
        deadlock.found,
        deadlock.formed,
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
fn fixed(figure: Option<f64>, decimals: usize) -> String {
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
