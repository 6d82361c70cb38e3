//! Failures and repairs of links, as lines of text.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::ids::ChannelId;
use crate::live::Update;
use crate::system::failures::{Part, failed_parts};
use crate::topology::Network;
use crate::tui::pen::plural;

/// The failures printed so far.
#[derive(Debug, Default)]
pub(super) struct Printed {
    links: BTreeSet<ChannelId>,
    lost: u64,
}

/// The first cycle after `now` by which a given failure or repair has happened; `u64::MAX` without any.
pub(super) fn next(update: &Update, now: u64) -> u64 {
    let events = &update.scenario.system.plan().events;
    let coming = events.get(events.partition_point(|event| event.cycle < now));
    coming.map_or(u64::MAX, |event| event.cycle.saturating_add(1))
}

impl Printed {
    /// Lines on the failures and repairs since the last call; empty without any.
    pub(super) fn news(&mut self, update: &Update) -> String {
        let failed = update.failed.as_ref();
        let links: BTreeSet<ChannelId> = failed.iter().flat_map(|it| &it.links).copied().collect();
        let lost = update.snapshot.counters.lost;
        let lost_now = lost.saturating_sub(std::mem::replace(&mut self.lost, lost));
        if links == self.links {
            return String::new();
        }
        let before = std::mem::replace(&mut self.links, links);
        let network = &update.scenario.system.network;
        let at = failed.map_or(update.snapshot.cycle.0.saturating_sub(1), |it| it.changed);
        let at = update.scenario.system.time_unit().now(at);
        let mut lines = String::new();
        if let Some(parts) = names(network, &self.links, &before) {
            let lost = plural(lost_now, "message");
            let _ = writeln!(lines, "failure, {at}: {parts}; {lost} lost");
        }
        if let Some(parts) = names(network, &before, &self.links) {
            let _ = writeln!(lines, "repair, {at}: {parts}");
        }
        lines
    }
}

/// The names of the parts of `links` that are not among others; `None` without any.
fn names(
    network: &Network,
    links: &BTreeSet<ChannelId>,
    others: &BTreeSet<ChannelId>,
) -> Option<String> {
    let is_new = |part: &Part| {
        part.links(network).iter().any(|link| links.contains(link) && !others.contains(link))
    };
    let parts = failed_parts(network, links).into_iter().filter(is_new);
    let names: Vec<String> = parts.map(|part| part.name(network)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Failed channels, lost and stopped messages, and the routes in use, at the end of a line of state.
pub(super) fn state(update: &Update) -> String {
    let mut parts = String::new();
    let failed = update.failed.as_ref();
    let counts = failed.map_or([0; 3], |it| [it.links.len(), it.stopped, it.unreachable as usize]);
    let [links, stopped, apart] = counts.map(|count| count as u64);
    for (count, noun, what) in [
        (links, "channel", "failed"),
        (update.snapshot.counters.lost, "message", "lost"),
        (stopped, "message", "stopped"),
        (apart, "pair", "of nodes without a route"),
    ] {
        if count > 0 {
            let _ = write!(parts, ", {} {what}", plural(count, noun));
        }
    }
    if let Some(failed) = failed {
        let _ = write!(parts, ", {}", failed.routes.words());
    }
    parts
}
