//! What the models say, for people, term by term; beside a run also what it refutes.

use super::table::{Lines, fixed, latency, load_word, model_notes, rate_in_words, word};
use super::{ChannelRow, NO_MODEL};
use crate::experiment::Outcome;
use crate::experiment::forecast::Forecast;
use crate::model::Circuits;
use crate::scenario::Scenario;
use crate::units::TimeUnit;

/// What the models say of a scenario, term by term, and where `channels` are asked for also of
/// these. Beside a run it is said which of them it refutes.
pub fn forecasts_table(
    scenario: &Scenario,
    forecasts: &[Forecast],
    run: Option<&Outcome>,
    channels: bool,
) -> String {
    let mut lines = Lines::of(scenario);
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
    if forecasts.is_empty() {
        lines.entry("model", NO_MODEL);
    }
    for forecast in forecasts {
        lines.line("");
        model_notes(&mut lines, forecast, run);
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
