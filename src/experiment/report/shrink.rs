//! The results of `shrink`, as a row and for people.

use super::row;
use crate::experiment::sheet::Sheet;
use crate::experiment::shrink::{Shrunk, Size};
use crate::text::count;

row! {
    /// A reduced deadlock.
    ShrinkRow {
        /// The scenario's name.
        scenario: String,
        /// The messages of the reduced run.
        messages: usize,
        /// Their flits.
        flits: u64,
        /// The routers of its network.
        routers: usize,
        /// The directed links of its network.
        links: usize,
        /// The failures of links and routers during the reduced run.
        failures: usize,
        /// The messages that wait for each other.
        members: usize,
        /// The cycle in which the last of these begins to wait.
        closed: u64,
        /// True if a head has a choice between VCs.
        choice: bool,
        /// True if messages that share a buffer wait for each other.
        shared_buffers: bool,
        /// True if requests wait for room for their replies.
        replies: bool,
        /// True if no message, flit, failure, router or link can be removed; false if interrupted, or on a large network.
        complete: bool,
        /// The messages of the given run until its deadlock.
        messages_before: usize,
        /// Their flits.
        flits_before: u64,
        /// The routers of the given network.
        routers_before: usize,
        /// The directed links of the given network.
        links_before: usize,
        /// The failures of the given run until its deadlock.
        failures_before: usize,
    }
}

impl ShrinkRow {
    /// The row of a reduced deadlock.
    pub fn of(scenario: String, shrunk: &Shrunk) -> Self {
        let [before, Size { messages, flits, routers, links, failures }] = shrunk.sizes;
        Self {
            scenario,
            messages,
            flits,
            routers,
            links,
            failures,
            members: shrunk.members,
            closed: shrunk.closed.0,
            choice: shrunk.kind.choice,
            shared_buffers: shrunk.kind.shared_buffers,
            replies: shrunk.kind.replies,
            complete: shrunk.complete,
            messages_before: before.messages,
            flits_before: before.flits,
            routers_before: before.routers,
            links_before: before.links,
            failures_before: before.failures,
        }
    }
}

/// The row for people.
pub fn shrink_table(row: &ShrinkRow) -> String {
    let mut lines = Sheet::default();
    lines.line(&format!("{}: a smaller deadlock of the same kind", row.scenario));
    let [messages, before] = [(row.messages, row.flits), (row.messages_before, row.flits_before)]
        .map(|(messages, flits)| {
            format!("{} of {}", count(messages, "message", "messages"), flits_of(flits))
        });
    lines.entry("messages", &format!("{messages}, from {before}"));
    let [network, before] = [(row.routers, row.links), (row.routers_before, row.links_before)].map(
        |(routers, links)| {
            let routers = count(routers, "router", "routers");
            format!("{routers} and {}", count(links, "link", "links"))
        },
    );
    lines.entry("network", &format!("{network}, from {before}"));
    if row.failures_before > 0 {
        let failures = count(row.failures, "failure", "failures");
        lines.entry("failures", &format!("{failures}, from {}", row.failures_before));
    }
    let members = count(row.members, "message waits", "messages wait");
    lines.entry("deadlock", &format!("{members} for each other from cycle {}", row.closed));
    for (has, what) in [
        (row.choice, "a head chooses between virtual channels"),
        (row.shared_buffers, "messages in one buffer wait for each other"),
        (row.replies, "requests wait for room for their replies"),
    ] {
        if has {
            lines.entry("", what);
        }
    }
    let minimal = match (row.complete, row.failures > 0) {
        (true, false) => "no message, flit, router or link can be removed",
        (true, true) => "no message, flit, failure, router or link can be removed",
        (false, _) => "unknown: not every removal was tried",
    };
    lines.entry("minimal", minimal);
    lines.text()
}

fn flits_of(flits: u64) -> String {
    count(usize::try_from(flits).unwrap_or(usize::MAX), "flit", "flits")
}
