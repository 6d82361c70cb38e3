//! Tables for people: simulation and prediction side by side, in plain text.

use super::simulation::{SimulateRow, closers};
use super::{by_class, failures, grants};
use crate::experiment::forecast::Forecast;
use crate::experiment::sheet::{Sheet, fixed};
use crate::experiment::{Ended, Outcome};
use crate::ids::NodeId;
use crate::model::Part;
use crate::scenario::Scenario;
use crate::stats::Steadiness;
use crate::switching::Switching;
use crate::switching::circuit::Conflict;
use crate::system::System;
use crate::text::count;
use crate::topology::Network;
use crate::traffic::sources::Deliveries;
use crate::units::{Cycle, Rate, TimeUnit};

/// A sheet with the title of a scenario.
pub(super) fn titled(scenario: &Scenario) -> Sheet {
    let mut lines = Sheet::default();
    lines.line(&format!("{}  ({})", scenario.full_title(), scenario.name));
    lines
}

/// The results of a scenario's replications, pooled in `together` if several, with the prediction
/// or a placeholder text.
pub fn outcomes_table(
    scenario: &Scenario,
    outcomes: &[Outcome],
    together: Option<&Outcome>,
    forecast: Result<&Forecast, &str>,
) -> String {
    let mut lines = titled(scenario);
    let system = &scenario.system;
    let network = system.network.name();
    let machine = match &system.switching {
        Switching::Wormhole(machine) => {
            let stages = machine.pipeline.stages().map_or(String::new(), |stages| {
                format!(", {} a router", count(stages.of_head() as usize, "cycle", "cycles"))
            });
            let [vcs, flits] =
                [machine.virtual_channels, machine.buffer_flits].map(|it| it as usize);
            format!("{} of {}{stages}", count(vcs, "VC", "VCs"), count(flits, "flit", "flits"))
        }
        Switching::Circuit(machine) => format!("{} circuits", machine.name()),
    };
    let routing = system.relation.routing().name();
    lines.line(&format!("{network}, {routing}, {machine}; seed {}", scenario.seed));
    if together.is_some() {
        replications(&mut lines, outcomes);
    }
    if let Some(whole) = together.or(outcomes.first()) {
        lines.line("");
        whole_run(&mut lines, whole, forecast, Outcome::messages_to_tell(outcomes));
    } else {
        lines.line("PARTIAL: stopped before the first run began");
    }
    lines.text()
}

fn replications(lines: &mut Sheet, outcomes: &[Outcome]) {
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

/// The waits of heads in pipelined routers.
fn head_waits(lines: &mut Sheet, row: &SimulateRow) {
    let waits =
        [row.buffer_wait_mean, row.vc_wait_mean, row.crossbar_wait_mean, row.credit_wait_mean];
    if let [Some(buffer), Some(vc), Some(crossbar), Some(credit)] = waits {
        let text = format!(
            "in buffers {buffer:.2}, for VCs {vc:.2}, crossbars {crossbar:.2}, credits {credit:.2}"
        );
        lines.entry("waits of heads", &text);
    }
}

/// The effect of control variates, if the mean latency is corrected by them.
fn control_variates(lines: &mut Sheet, row: &SimulateRow) {
    if let Some(left) = row.latency_variance_left {
        let text = format!("leave {:.0} % of the variance of the mean latency", 100.0 * left);
        lines.entry("control variates", &text);
    }
}

fn whole_run(
    lines: &mut Sheet,
    outcome: &Outcome,
    told: Result<&Forecast, &str>,
    would_tell: Option<u64>,
) {
    let (row, unit, system) = (SimulateRow::new(outcome), unit(outcome), &outcome.scenario.system);
    let (time, load, cycles) = (word(unit), load_word(unit), unit.cycles == 1);
    if row.partial {
        lines.line("PARTIAL: stopped before the end");
    }
    let traffic = &system.traffic;
    let scripted = traffic.script.is_some();
    let plain = !scripted && traffic.classes.is_empty();
    let forecast = told.ok().filter(|_| plain);
    let prediction = forecast.and_then(|it| it.prediction.as_ref().ok());
    let beside = |model: Option<f64>, decimals: usize| {
        forecast.map_or_else(String::new, |_| fixed(model, decimals))
    };
    let predicted = prediction.map(|it| unit.of(it.latency_mean));
    let deviation = predicted.zip(row.latency_mean).map_or_else(String::new, |(model, mean)| {
        format!("{:+.1} %", 100.0 * (model / mean - 1.0))
    });
    let predicted = beside(predicted, if cycles { 2 } else { 4 });
    lines.figures("", "simulation", forecast.map_or("", |_| "model"), "");
    lines.figures(&format!("latency, {time}"), &latency(outcome), &predicted, &deviation);
    if cycles {
        let parts = [row.source_wait_mean, row.blocking_mean, row.transfer_mean];
        for (part, simulated) in Part::ALL.into_iter().zip(parts) {
            let model = beside(prediction.and_then(|it| it.part(part)), 2);
            lines.figures(&format!("  {}", part.name()), &fixed(simulated, 2), &model, "");
        }
        lines.entry("network latency", &fixed(row.network_latency_mean, 2));
        head_waits(lines, &row);
        control_variates(lines, &row);
    } else {
        lines.entry("of that, set-up", &fixed(row.source_wait_mean, 4));
    }
    let [p50, p95, p99] = [row.latency_p50, row.latency_p95, row.latency_p99]
        .map(|quantile| quantile.map_or_else(|| "-".to_owned(), |time| time.to_string()));
    let accepted = fixed(row.accepted_flits_per_node_cycle, 4);
    lines.entry("latency quantiles", &format!("50 %: {p50}, 95 %: {p95}, 99 %: {p99}"));
    lines.entry("hops", &fixed(row.hops_mean, 3));
    if traffic.closed_loop.is_some() {
        lines.entry("arrivals", &traffic.arrivals());
        lines.entry("rate", &rate_in_words(Rate(outcome.rate_of_arrivals()), unit));
    } else if !scripted {
        lines.entry("rate", &rate_in_words(outcome.rate, unit));
        let offered = row.offered_flits_per_node_cycle;
        lines.entry("offered load", &format!("{offered:.4} {load}"));
    }
    lines.entry("accepted load", &format!("{accepted} {load}"));
    lines.entry("channel utilisation", &fixed(row.channel_utilisation_mean, 4));
    by_class::entries(lines, outcome);
    if scripted {
        completion(lines, &row);
        if let Some(deliveries) = &outcome.deliveries {
            nodes_done(lines, deliveries, &outcome.scenario.system.network);
            in_flight(lines, deliveries);
        }
        lines.entry("deadlock", &deadlock(outcome));
        simulated(lines, outcome, &row);
        return lines.entry("model", "none: every message is given");
    }
    if !plain {
        lines.entry("saturated", saturated(outcome.summary.steadiness));
        lines.entry("deadlock", &deadlock(outcome));
        simulated(lines, outcome, &row);
        let why = crate::model::uncovered(traffic).unwrap_or("messages have classes");
        return lines.entry("model", &format!("none: {why}"));
    }
    let limit = forecast
        .and_then(|it| it.saturation)
        .map_or_else(String::new, |rate| format!("from {} on", rate_and_load(system, rate)));
    lines.figures("saturated", saturated(outcome.summary.steadiness), &limit, "");
    let capacity = outcome.scenario.capacity();
    let load = system.load_at(outcome.rate);
    if let Some(why) = capacity.and_then(|it| it.excess(load, &system.network)) {
        lines.entry("", &format!("proven before the run: {why}"));
    }
    let would_tell = would_tell.filter(|_| outcome.deadlock.is_none());
    if let Some(messages) = would_tell.filter(|_| row.saturated.is_none()) {
        let run = if row.replication.is_none() { " in each run" } else { "" };
        lines.entry("", &format!("about {messages} messages{run} would tell"));
    }
    lines.entry("deadlock", &deadlock(outcome));
    if let Some(machine) = system.circuit() {
        if machine.back_off().is_some() {
            lines.entry("aborts per message", &fixed(row.aborts_mean, 4));
        }
        if machine.conflict == Conflict::Hold {
            lines.entry("deadlocks found", &outcome.counters.deadlocks.to_string());
        }
        lines.entry("unit of time", unit.name);
    }
    simulated(lines, outcome, &row);
    match told {
        Ok(forecast) => {
            model_notes(lines, forecast, Some(outcome));
            if let Some(stated) = &forecast.stated_error {
                lines.entry("error of the model", &stated.to_string());
            }
        }
        Err(instead) => lines.entry("model", instead),
    }
}

/// The messages counted, and the work of the run.
fn simulated(lines: &mut Sheet, outcome: &Outcome, row: &SimulateRow) {
    grants::entries(lines, outcome);
    failures::entries(lines, outcome);
    lines.entry("messages counted", &format!("{}{}", row.messages, warm_up(outcome)));
    let events = || format!("{} events", outcome.counters.events);
    let work = row.flit_hops.map_or_else(events, |flit_hops| format!("{flit_hops} flit-hops"));
    let (time, seconds) = (word(unit(outcome)), row.wall_seconds);
    lines.entry("simulated", &format!("{} {time}, {work} in {seconds:.2} s", row.cycles));
    lines.entry("ended", ended(outcome.ended));
}

/// The time until the last delivery, and the least time.
fn completion(lines: &mut Sheet, row: &SimulateRow) {
    let end = row.completion_cycles.map(|cycles| format!("after {cycles} cycles"));
    let without = if row.replication.is_some() { "not yet" } else { "see above" };
    lines.entry("all delivered", end.as_deref().unwrap_or(without));
    if let Some(alone) = row.completion_alone_cycles {
        lines.entry("", &format!("after {alone} cycles without conflicts"));
    }
    if let (Some(busiest), Some(channel)) = (row.completion_busiest_cycles, &row.capacity_channel) {
        lines.entry("", &format!("{busiest:.0} cycles of work: {channel}"));
    }
}

/// The nodes whose last delivery is the earliest and the latest.
fn nodes_done(lines: &mut Sheet, deliveries: &Deliveries, network: &Network) {
    let finished = || deliveries.finished().iter().copied().filter(|&cycle| cycle > 0);
    let (Some(first), Some(last)) = (finished().min(), finished().max()) else { return };
    let named = |cycle: u64| {
        let nodes = deliveries.finished().iter().enumerate().filter(|&(_, &it)| it == cycle);
        let name = |(node, _)| network.node_name(NodeId::new(node));
        let names: Vec<String> = nodes.clone().take(3).map(name).collect();
        let more = nodes.count() - names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", names.join(", "))
    };
    lines.entry("first node done", &format!("after {first} cycles: {}", named(first)));
    lines.entry("last node done", &format!("after {last} cycles: {}", named(last)));
}

/// The messages in flight over time.
fn in_flight(lines: &mut Sheet, deliveries: &Deliveries) {
    let most = deliveries.in_flight().fold(0.0, f64::max);
    let bar = |mean: f64| LEVELS[(mean / most * (LEVELS.len() - 1) as f64).ceil() as usize];
    let bars: String = deliveries.in_flight().map(bar).collect();
    lines.entry("in flight", &bars);
    let each = count(deliveries.interval() as usize, "cycle", "cycles");
    lines.entry("", &format!("up to {most:.1} messages on average over {each}"));
}

/// Bars from nothing to the maximum.
const LEVELS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The model's name with reservations; given a run, also its refutation.
pub(super) fn model_notes(lines: &mut Sheet, forecast: &Forecast, run: Option<&Outcome>) {
    lines.entry("model", &format!("{}, reading: {}", forecast.model, forecast.reading));
    let reasons = forecast.reasons();
    for reason in &reasons {
        lines.entry("", reason);
    }
    if let Some(why) = run.and_then(|run| forecast.refuted(run)) {
        lines.entry("", &format!("wrong here: {}", without_findings(why, &reasons)));
    }
}

/// A text in which reasons that were stated before lack what was found here.
fn without_findings(text: String, reasons: &[String]) -> String {
    reasons.iter().fold(text, |text, reason| match reason.split_once(", but here: ") {
        Some((assumption, _)) => text.replace(reason.as_str(), assumption),
        None => text,
    })
}

pub(super) fn latency(outcome: &Outcome) -> String {
    let unit = unit(outcome);
    let decimals = if unit.cycles == 1 { 3 } else { 4 };
    let Some(latency) = outcome.summary.latency else { return "-".to_owned() };
    let mean = format!("{:.decimals$}", unit.of(latency.mean));
    match latency.half_width {
        None => mean,
        Some(_) if latency.is_too_wide() => format!("{mean} (too short to tell)"),
        Some(half) => format!("{mean} ± {:.decimals$}", unit.of(half)),
    }
}

fn unit(outcome: &Outcome) -> TimeUnit {
    outcome.scenario.system.time_unit()
}

/// The short name of a unit.
pub(super) fn word(unit: TimeUnit) -> &'static str {
    if unit.cycles == 1 { "cycles" } else { "time units" }
}

pub(super) fn rate_in_words(rate: Rate, unit: TimeUnit) -> String {
    let per = if unit.cycles == 1 { "cycle" } else { "time unit" };
    format!("{} messages/node/{per}", significant(rate.0))
}

/// A rate with its load: `0.0156 messages/node/cycle (0.1250 flits/node/cycle)`.
pub(super) fn rate_and_load(system: &System, rate: Rate) -> String {
    let (unit, load) = (system.time_unit(), system.load_at(rate).0);
    format!("{} ({load:.4} {})", rate_in_words(rate, unit), load_word(unit))
}

pub(crate) fn load_word(unit: TimeUnit) -> &'static str {
    if unit.cycles == 1 { "flits/node/cycle" } else { "transmission times/node/time unit" }
}

fn warm_up(outcome: &Outcome) -> String {
    match outcome.summary.measured_from {
        None => ", all of them: the warm-up was not over".to_owned(),
        Some(0) => ", no warm-up discarded".to_owned(),
        Some(cycle) => {
            let unit = unit(outcome);
            let time = cycle / unit.cycles;
            format!(", a warm-up of {time} {} discarded", word(unit))
        }
    }
}

/// The saturation of a run, in words.
fn saturated(steadiness: Steadiness) -> &'static str {
    match steadiness {
        Steadiness::Steady => "no",
        Steadiness::Finite => "not defined for given messages",
        Steadiness::Saturated => "yes",
        Steadiness::TooShort => steadiness.name(),
        Steadiness::Deadlocked => "stands still",
    }
}

fn deadlock(outcome: &Outcome) -> String {
    let Some(deadlock) = &outcome.deadlock else { return "no".to_owned() };
    let unit = unit(outcome);
    let cycles = unit.cycles == 1;
    let at = |cycle: Cycle| {
        if cycles {
            format!("cycle {cycle}")
        } else {
            format!("time {:.3}", unit.of(cycle.0 as f64))
        }
    };
    let who = if cycles { "worms" } else { "circuits" };
    let sets = deadlock.sets.iter().map(|set| {
        format!(
            "{} {who} wait for each other in {} since {}, closed by {}; ",
            set.worms.len(),
            if set.knot { "a knot" } else { "a circle" },
            at(set.closed),
            closers(&outcome.scenario.system, set)
        )
    });
    let sets: String = sets.collect();
    format!(
        "yes: {sets}{} more caught behind, found at {}",
        deadlock.caught.len(),
        at(deadlock.found)
    )
}

fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::Reached => "as asked",
        Ended::Carried => "as its load is carried",
        Ended::Delivered => "with all messages delivered",
        Ended::Limit => "at its limit of messages or cycles",
        Ended::Saturated => "saturated",
        Ended::Deadlocked => "in a deadlock",
        Ended::Stopped => "stopped, partial",
    }
}

/// Four significant digits, without trailing zeros.
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
