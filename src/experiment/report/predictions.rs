//! Writes predictions of the models as rows, and as a text with every term.
//!
//! Each reading of each model has a row. Given a run, refutations are added.

use super::row;
use super::table::{latency, load_word, model_notes, rate_and_load, rate_in_words, titled, word};
use crate::experiment::Outcome;
use crate::experiment::forecast::{Forecast, unsolved_in_words};
use crate::experiment::sheet::{Sheet, fixed};
use crate::model::stated_error::StatedError;
use crate::model::{ChannelForecast, Circuits, Term, Unsolved};
use crate::scenario::Scenario;
use crate::session::short_run::ShortRun;
use crate::session::verdict::in_percent;
use crate::topology::Network;
use crate::units::TimeUnit;

/// Text in place of a missing prediction.
pub const NO_MODEL: &str = "no model has equations for this network";

/// Suffix of a saturation rate limited by sources rather than the network.
const INJECTION_LIMIT: &str = ", all that a source can send";
/// The model name and the reading of a short simulation.
const SHORT_RUN: &str = "short simulation";
const SHORT_RUN_READING: &str = "fixed number of messages";

/// The probabilities of the latency quantiles.
const QUANTILES: [f64; 3] = [0.5, 0.95, 0.99];

row! {
    /// The prediction of one reading of one model; `None` for both where no model knows the
    /// network.
    PredictRow from (
        scenario: &Scenario,
        forecast: Option<&Forecast>,
        run: Option<&Outcome>,
        with_channels: bool
    ) {
        let unit = scenario.system.time_unit();
        let prediction = forecast.and_then(|it| it.prediction.as_ref().ok());
        let stated = forecast.and_then(|it| it.stated_error.as_ref());
        let within = stated.and_then(StatedError::within);
        let of_saturation = forecast.filter(|it| it.saturation.is_some());
        let of_saturation = of_saturation.map(|it| &it.stated_saturation);
        let saturation_within = of_saturation.and_then(StatedError::within);
        let circuits = prediction.and_then(|it| it.circuits.as_ref());
        let summary = run.map(|run| &run.summary);
        let channels = forecast.filter(|_| with_channels).and_then(|it| it.channels(scenario));
        let spread = prediction.and_then(|it| it.spread.as_ref());
        let quantile = |share: f64| spread.map(|it| unit.of(it.quantile(share)));
        let network = &scenario.system.network;
        let channel = |it: &ChannelForecast| ChannelRow::new(network, it);
        let capacity = scenario.capacity();
    } {
        /// The scenario's name.
        scenario: String = scenario.name.clone(),
        /// The model's name.
        model: Option<&'static str> = forecast.map(|it| it.model),
        /// The reading of the model's paper.
        reading: Option<&'static str> = forecast.map(|it| it.reading),
        /// True if the scenario keeps every assumption of the model.
        applies: bool = forecast.is_some_and(Forecast::applies),
        /// The assumptions broken, and why there is no prediction, in words.
        why_not: Option<String> =
            forecast.map_or_else(|| Some(NO_MODEL.to_owned()), Forecast::why_not),
        /// Messages per node and unit of time: the cycle, or that of circuits.
        rate: f64 = scenario.system.traffic.rate.0,
        /// Mean latency in `time_unit`.
        latency_mean: Option<f64> = prediction.map(|it| unit.of(it.latency_mean)),
        /// Median latency in `time_unit`, where the model knows how latencies are spread.
        latency_p50: Option<f64> = quantile(QUANTILES[0]),
        /// 95th percentile of the latency in `time_unit`, likewise.
        latency_p95: Option<f64> = quantile(QUANTILES[1]),
        /// 99th percentile of the latency in `time_unit`, likewise.
        latency_p99: Option<f64> = quantile(QUANTILES[2]),
        /// True if the rate is beyond the model's saturation; `None` without an answer.
        saturated: Option<bool> = forecast.and_then(Forecast::saturated),
        /// The largest rate with a solution, in the unit of `rate`.
        saturation_rate: Option<f64> = forecast.and_then(|it| it.saturation).map(|it| it.0),
        /// The parts of the latency, in `time_unit`, in the model's order.
        terms: Option<Vec<Term>> = prediction.map(|it| {
            let term = |it: &Term| Term { cycles: unit.of(it.cycles), ..it.clone() };
            it.terms.iter().map(term).collect()
        }),
        /// Predictions for single channels; `None` unless asked for.
        channels: Option<Vec<ChannelRow>> = channels.map(|all| all.iter().map(channel).collect()),
        /// The unit of times: "cycles", or of circuits "mean transmission times" or "time units".
        time_unit: &'static str = unit.name,
        /// Mean time from generation to the acknowledgement of a circuit, in `time_unit`.
        set_up_mean: Option<f64> = circuits.map(|it| unit.of(it.set_up_cycles)),
        /// Attempts of circuits that end in an abort, per message.
        aborts_mean: Option<f64> = circuits.map(|it| it.aborts),
        /// The share of the circuits' requests for a link that find it busy.
        conflict_probability: Option<f64> = circuits.map(|it| it.conflict),
        /// The share of the time for which a link is held by circuits.
        link_utilisation: Option<f64> = circuits.map(|it| it.link_utilisation),
        /// The share of the time for which a circuit controller is busy.
        controller_utilisation: Option<f64> = circuits.map(|it| it.controller_utilisation),
        /// Mean latency of the run in `time_unit`; `None` here and below without a run.
        run_latency_mean: Option<f64> =
            summary.and_then(|it| it.latency).map(|it| unit.of(it.mean)),
        /// Its accepted load, flits per node and cycle.
        run_accepted_flits_per_node_cycle: Option<f64> = summary.and_then(|it| it.accepted),
        /// The steadiness of the run: `steady`, `saturated`, `deadlocked` or `too short to tell`.
        run_steadiness: Option<&'static str> = summary.map(|it| it.steadiness.name()),
        /// The contradiction between run and model, and the likely reason, in words.
        wrong_here: Option<String> = forecast.zip(run).and_then(|(it, run)| it.refuted(run)),
        /// The relative error of the latency in two of three similar systems, as
        /// measured on drawn systems; `None` where nothing similar was measured.
        error_within: Option<f64> = within.map(|it| it.0.two_of_three),
        /// The number of systems measured for that.
        error_systems: Option<u32> = within.map(|it| it.1),
        /// The same in words, or why nothing is known.
        error_stated: Option<String> = stated.map(ToString::to_string),
        /// The relative error of `saturation_rate` in two of three similar systems; `None` where
        /// nothing similar was measured.
        saturation_error_within: Option<f64> = saturation_within.map(|it| it.0.two_of_three),
        /// The number of systems measured for that.
        saturation_error_systems: Option<u32> = saturation_within.map(|it| it.1),
        /// The same in words, or why nothing is known.
        saturation_error_stated: Option<String> = of_saturation.map(ToString::to_string),
        /// The load that no run exceeds in the long run, flits per node and cycle (of circuits
        /// transmission times per node and unit of time); in the row of an estimate the load that even
        /// choices carry. `None` where the network is too large for that to be worked out.
        capacity_load: Option<f64> = capacity.map(|it| it.load.0),
        /// `proven` where routes are fixed or drawn; `bound` where heads choose, and no choice carries more;
        /// `estimate`.
        capacity_kind: Option<&'static str> = capacity.map(|it| it.kind.word()),
        /// The cause: a channel, the sources, or links across a cut.
        capacity_channel: Option<String> = capacity.map(|it| it.bottleneck_name(network)),
        /// The loads of all used channels, in the row of the capacity; `None` unless requested.
        channel_loads: Option<Vec<ChannelLoad>> = None,
        /// The same as `error_within` of nine of ten systems.
        error_within_nine_of_ten: Option<f64> = within.map(|it| it.0.nine_of_ten),
        /// The same as `saturation_error_within` of nine of ten systems.
        saturation_error_within_nine_of_ten: Option<f64> =
            saturation_within.map(|it| it.0.nine_of_ten),
        /// True if `saturation_rate` is all that a source can send, and the model knows of no saturation
        /// of the network below it.
        saturation_at_source: Option<bool> = forecast
            .filter(|it| it.saturation.is_some())
            .map(|it| it.injection_limit().is_some()),
        /// The reason for which `saturation_rate` is not known, in words, where the search for it was stopped.
        saturation_why_not: Option<String> =
            forecast.and_then(|it| it.unfinished.as_ref()).map(unsolved_in_words),
        /// Half the width of the 95 % interval of `latency_mean`, where that comes from a short simulation.
        latency_half_width: Option<f64> = None,
    }
}

impl PredictRow {
    /// The row of a short simulation.
    pub fn of_short_run(scenario: &Scenario, run: &ShortRun) -> Self {
        let (unit, summary) = (scenario.system.time_unit(), &run.summary);
        let time = |cycles: Option<f64>| cycles.map(|it| unit.of(it));
        let quantile = |cycles: Option<u64>| time(cycles.map(|it| it as f64));
        let terms = run
            .parts()
            .map(|(part, cycles)| Some(Term { name: part.name(), part, cycles: unit.of(cycles?) }));
        Self {
            model: Some(SHORT_RUN),
            reading: Some(SHORT_RUN_READING),
            applies: true,
            rate: run.rate.0,
            latency_mean: time(summary.latency.map(|it| it.mean)),
            latency_p50: quantile(summary.latency_p50),
            latency_p95: quantile(summary.latency_p95),
            latency_p99: quantile(summary.latency_p99),
            saturated: run.saturated(),
            terms: terms.into_iter().collect(),
            time_unit: unit.name,
            latency_half_width: time(summary.latency.and_then(|it| it.half_width)),
            why_not: None,
            ..Self::new(scenario, None, None, false)
        }
    }
}

row! {
    /// The load of a channel, known before any run.
    ChannelLoad {
        /// Its name.
        channel: String,
        /// Flits per cycle over the channel for each flit per node and cycle.
        gamma: f64,
        /// Flits per cycle at the load of the scenario.
        flits_per_cycle: f64,
    }
}

row! {
    /// A channel as a model sees it.
    ChannelRow from (network: &Network, channel: &ChannelForecast) {} {
        /// Its name.
        channel: String = network.channel_name(channel.channel),
        /// Its place in the order of computation, 1 at the destinations.
        rank: u32 = channel.rank,
        /// Channels from which messages come to it.
        inputs: u32 = channel.inputs,
        /// Messages per cycle.
        flow: f64 = channel.flow,
        /// Share of time in which the head of its buffer is taken.
        busy: f64 = channel.busy(),
        /// Mean cycles that a worm needs at the head of its buffer.
        service_mean: f64 = channel.service.mean,
        /// Mean cycles of waiting for it and in its buffer; at the source, for an injection channel.
        wait_mean: f64 = channel.wait_mean,
        /// The part that is contention for it.
        contention_mean: f64 = channel.contention_mean,
        /// The part spent behind others in its buffer.
        buffering_mean: f64 = channel.buffering_mean,
        /// Probability that its buffer is full.
        buffer_full: Option<f64> = channel.full,
        /// Mean cycles for which a worm holds it.
        held_mean: Option<f64> = channel.held_mean,
    }
}

impl ChannelRow {
    fn cells(&self) -> [(&'static str, String); 11] {
        [
            ("channel", self.channel.clone()),
            ("rank", self.rank.to_string()),
            ("inputs", self.inputs.to_string()),
            ("flow", fixed(Some(self.flow), 6)),
            ("busy", fixed(Some(self.busy), 4)),
            ("service", fixed(Some(self.service_mean), 2)),
            ("wait", fixed(Some(self.wait_mean), 2)),
            ("contention", fixed(Some(self.contention_mean), 2)),
            ("buffered", fixed(Some(self.buffering_mean), 2)),
            ("full", fixed(self.buffer_full, 4)),
            ("held", fixed(self.held_mean, 2)),
        ]
    }
}

fn channel_lines(lines: &mut Sheet, channels: &[ChannelRow]) {
    let mut line = |[channel, rest @ ..]: [String; 11]| {
        let figures = rest.map(|figure| format!("{figure:>10} ")).concat();
        lines.line(&format!("  {channel:<14}{figures}"));
    };
    for (at, channel) in channels.iter().enumerate() {
        let cells = channel.cells();
        if at == 0 {
            line(cells.each_ref().map(|(heading, _)| (*heading).to_owned()));
        }
        line(cells.map(|(_, cell)| cell));
    }
}

/// The heading of predictions for a scenario: the rate, and the run if any.
pub fn forecasts_heading(scenario: &Scenario, run: Option<&Outcome>) -> String {
    let mut lines = titled(scenario);
    let unit = scenario.system.time_unit();
    let rate = rate_in_words(scenario.system.traffic.rate, unit);
    let load = scenario.system.load().0;
    lines.entry("rate", &format!("{rate}, {load:.4} {}", load_word(unit)));
    if let Some(run) = run {
        let (summary, mean) = (&run.summary, latency(run));
        let accepted = fixed(summary.accepted, 4);
        let steadiness = summary.steadiness.name();
        lines.entry("run", &format!("{steadiness}, accepted {accepted}, latency {mean}"));
    }
    lines.text()
}

/// The prediction of a model, term by term, and on request of `channels`; or a note on the missing
/// model. Given a run, includes its contradictions.
pub fn forecast_lines(
    scenario: &Scenario,
    forecast: Option<&Forecast>,
    run: Option<&Outcome>,
    channels: bool,
) -> String {
    let mut lines = Sheet::default();
    let unit = scenario.system.time_unit();
    let Some(forecast) = forecast else {
        lines.entry("model", NO_MODEL);
        return lines.text();
    };
    lines.line("");
    model_notes(&mut lines, forecast, run);
    if let Ok(prediction) = &forecast.prediction {
        let name = format!("latency, {}", word(unit));
        lines.entry(&name, &format!("{:.4}", unit.of(prediction.latency_mean)));
        for term in &prediction.terms {
            lines.line(&format!("  {:<36}{:>12.4}", term.name, unit.of(term.cycles)));
        }
        if let Some(stated) = &forecast.stated_error {
            lines.entry("error", &stated.to_string());
        }
        if let Some(spread) = &prediction.spread {
            let [p50, p95, p99] = QUANTILES.map(|it| fixed(Some(unit.of(spread.quantile(it))), 1));
            lines.entry("latency quantiles", &format!("50 %: {p50}, 95 %: {p95}, 99 %: {p99}"));
        }
        if let Some(circuits) = &prediction.circuits {
            circuit_figures(&mut lines, circuits, unit);
        }
    }
    if let Some(rate) = forecast.saturation {
        let limited = forecast.injection_limit().is_some();
        let why = if limited { INJECTION_LIMIT } else { "" };
        lines.entry("saturates", &format!("at {}{why}", rate_and_load(&scenario.system, rate)));
        lines.entry("  error", &forecast.stated_saturation.to_string());
    }
    let known = matches!(forecast.prediction, Ok(_) | Err(Unsolved::Saturated { .. }));
    if let Some(why) = forecast.unfinished.as_ref().filter(|_| known) {
        lines.entry("saturates", &unsolved_in_words(why));
    }
    if let Some(known) = channels.then(|| forecast.channels(scenario)).flatten() {
        let row = |channel| ChannelRow::new(&scenario.system.network, channel);
        channel_lines(&mut lines, &known.iter().map(row).collect::<Vec<_>>());
    }
    lines.text()
}

/// The results of a short simulation, in the layout of a model.
pub fn short_run_lines(scenario: &Scenario, run: &ShortRun) -> String {
    let mut lines = Sheet::default();
    let (unit, summary) = (scenario.system.time_unit(), &run.summary);
    lines.line("");
    lines.entry("model", &format!("{SHORT_RUN}, reading: {SHORT_RUN_READING}"));
    if let Some(share) = run.falls_short() {
        let percent = in_percent(share);
        lines.entry("", &format!("it accepts {percent} % of what is offered; the latency grows"));
    }
    if run.deadlock {
        lines.entry("", "it ends in a deadlock");
    }
    let Some(latency) = summary.latency else {
        lines.entry("", "no message was counted");
        return lines.text();
    };
    let name = format!("latency, {}", word(unit));
    lines.entry(&name, &format!("{:.4}", unit.of(latency.mean)));
    for (part, cycles) in run.parts() {
        let Some(cycles) = cycles else { continue };
        lines.line(&format!("  {:<36}{:>12.4}", part.name(), unit.of(cycles)));
    }
    let error = match latency.half_width {
        Some(half) => {
            let percent = 100.0 * half / latency.mean;
            format!("± {percent:.1} % (95 % interval of {} messages)", summary.messages)
        }
        None => format!("no interval: {} messages are too few", summary.messages),
    };
    lines.entry("error", &error);
    let quantiles = [summary.latency_p50, summary.latency_p95, summary.latency_p99];
    let [p50, p95, p99] = quantiles.map(|it| fixed(it.map(|it| unit.of(it as f64)), 1));
    lines.entry("latency quantiles", &format!("50 %: {p50}, 95 %: {p95}, 99 %: {p99}"));
    lines.text()
}

/// Predictions about circuits besides the latency.
fn circuit_figures(lines: &mut Sheet, circuits: &Circuits, unit: TimeUnit) {
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
