//! The capacity, known before any run, as rows of predictions and for people.

use super::predictions::{ChannelLoad, PredictRow};
use crate::capacity::{Capacity, Kind};
use crate::experiment::Outcome;
use crate::experiment::sheet::{Sheet, fixed};
use crate::ids::ChannelId;
use crate::scenario::Scenario;
use crate::units::Load;

/// The name of capacity rows, used in place of a model's name.
const NAME: &str = "capacity";

/// The rows before the models' rows: the capacity, and for adaptive routing the load carried under
/// even choices. Empty if the network is too large.
pub fn capacity_rows(
    scenario: &Scenario,
    run: Option<&Outcome>,
    with_channels: bool,
) -> Vec<PredictRow> {
    let Some(capacity) = scenario.capacity() else { return Vec::new() };
    let (system, network) = (&scenario.system, &scenario.system.network);
    let row = |kind: &'static str, load: Load| PredictRow {
        model: Some(NAME),
        reading: Some(kind),
        applies: true,
        why_not: None,
        saturated: Some(system.load().0 > load.0),
        saturation_rate: Some(system.rate_for(load).0),
        capacity_load: Some(load.0),
        capacity_kind: Some(kind),
        ..PredictRow::new(scenario, None, run, false)
    };
    let channels = with_channels.then(|| channel_loads(scenario, capacity));
    let mut rows =
        vec![PredictRow { channel_loads: channels, ..row(capacity.kind.word(), capacity.load) }];
    rows.extend(capacity.estimate.map(|estimate| PredictRow {
        capacity_channel: estimate.channel.map(|channel| network.channel_name(channel)),
        ..row("estimate", estimate.load)
    }));
    rows
}

fn channel_loads(scenario: &Scenario, capacity: &Capacity) -> Vec<ChannelLoad> {
    let (network, load) = (&scenario.system.network, scenario.system.load().0);
    let all = capacity.busiest(network, usize::MAX).into_iter();
    let row = |(channel, _): (ChannelId, f64)| {
        let gamma = capacity.gamma[channel.index()];
        ChannelLoad { channel: network.channel_name(channel), gamma, flits_per_cycle: gamma * load }
    };
    all.map(row).collect()
}

/// The capacity for people, and on request the load of every channel.
pub fn capacity_lines(scenario: &Scenario, with_channels: bool) -> String {
    let mut lines = Sheet::default();
    let network = &scenario.system.network;
    lines.line("");
    let Some(capacity) = scenario.capacity() else {
        lines.entry(NAME, "not worked out: the network is too large");
        return lines.text();
    };
    carried(&mut lines, scenario, capacity);
    if let Some(why) = capacity.excess(scenario.system.load(), network) {
        lines.entry("", &format!("saturated: {why}"));
    }
    if with_channels {
        lines.line(&format!("  {:<14}{:>10} {:>15}", "channel", "gamma", "flits/cycle"));
        for channel in channel_loads(scenario, capacity) {
            let (gamma, flits) =
                (fixed(Some(channel.gamma), 6), fixed(Some(channel.flits_per_cycle), 6));
            lines.line(&format!("  {:<14}{gamma:>10} {flits:>15}", channel.channel));
        }
    }
    lines.text()
}

/// The maximum load, its proof, and the estimate if any.
pub(super) fn carried(lines: &mut Sheet, scenario: &Scenario, capacity: &Capacity) {
    let network = &scenario.system.network;
    let name = capacity.bottleneck_name(network);
    let proof = match capacity.kind {
        Kind::Proven => "",
        Kind::Bound => ", whatever heads choose",
    };
    lines.entry(NAME, &format!("at most {:.4}: {name}{proof}", capacity.load.0));
    if let Some(estimate) = capacity.estimate {
        let channel =
            estimate.channel.map(|channel| format!(": {}", network.channel_name(channel)));
        let channel = channel.unwrap_or_default();
        lines.entry("", &format!("about {:.4} by even choices{channel}", estimate.load.0));
    }
    if scenario.system.circuit().is_some() {
        lines.entry("", "of links alone: the time to set circuits up is left out");
    }
}
