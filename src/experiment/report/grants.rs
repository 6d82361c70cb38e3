//! The grants that built a deadlock, as rows and for people.

use serde::Serialize;

use crate::experiment::Outcome;
use crate::experiment::sheet::Sheet;
use crate::ids::ChannelId;
use crate::session::explanation::Grant;
use crate::system::System;

/// A grant that built a deadlock.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct GrantRow {
    /// The cycle of the grant.
    pub cycle: Option<u64>,
    /// The message that was granted the virtual channel, and holds it.
    pub holder: String,
    /// The virtual channel.
    pub channel: String,
    /// The message that waits for it.
    pub wanted_by: String,
    /// The first cycle of this wait.
    pub waits_from: Option<u64>,
}

impl GrantRow {
    /// A grant by name.
    pub(super) fn of(system: &System, grant: &Grant) -> Self {
        let (network, vcs) = (&system.network, system.relation.virtual_channels());
        let link = network.channel_name(ChannelId(grant.vc.0 / vcs));
        Self {
            cycle: grant.cycle.map(|it| it.0),
            holder: network.message_name(grant.holder),
            channel: format!("{link} VC {}", grant.vc.0 % vcs),
            wanted_by: network.message_name(grant.wanted_by),
            waits_from: grant.waits_from.map(|it| it.0),
        }
    }
}

/// Adds the grants that built a deadlock.
pub(super) fn entries(lines: &mut Sheet, outcome: &Outcome) {
    let Some(found) = &outcome.explanation else { return };
    for (at, grant) in found.grants.iter().enumerate() {
        let row = GrantRow::of(&outcome.scenario.system, grant);
        let GrantRow { holder, channel, wanted_by, .. } = &row;
        let took = match row.cycle {
            Some(cycle) => format!("cycle {cycle}: {holder} took {channel}"),
            None => format!("{holder} occupies {channel}"),
        };
        let since = row.waits_from.map_or_else(String::new, |cycle| format!(" from {cycle}"));
        let text = format!("{took}, {wanted_by} waits for it{since}");
        lines.entry(if at == 0 { "built by" } else { "" }, &text);
    }
    lines.entry("prevented by", &found.remedy);
}
