//! The figures of failures, as rows and for people.

use serde::Serialize;

use crate::engine::Phase;
use crate::experiment::Outcome;
use crate::experiment::sheet::{Sheet, fixed};
use crate::routing::dependency::{Proof, Verdict};
use crate::system::failures::Proven;
use crate::text::count;

/// Maximum number of periods in a table for people.
const SHOWN_MAX: usize = 8;

/// The messages of a period without changes of the failed channels.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct PhaseRow {
    /// The first cycle.
    pub from_cycle: u64,
    /// Failed channels in this period.
    pub failed_channels: u32,
    /// Messages generated in this period and delivered, with those of the warm-up.
    pub delivered: u64,
    /// Their mean latency, in the unit of all latencies.
    pub latency_mean: Option<f64>,
    /// Messages generated in this period and lost.
    pub lost: u64,
}

/// Figures about failures, if there were any.
pub(super) fn of_failures<T>(outcome: &Outcome, figures: T) -> Option<T> {
    (!outcome.phases.is_empty()).then_some(figures)
}

/// The proofs of the changes of routes in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Proofs {
    /// True if the routes after each change are proven free of deadlock.
    pub routes: bool,
    /// True if no deadlock can occur while messages of earlier routes are in the network.
    pub transitions: bool,
}

/// The proofs of the changes of routes in a run; `None` without changes, and after random failures.
pub(super) fn proofs(outcome: &Outcome) -> Option<Proofs> {
    let scenario = &outcome.scenario;
    if outcome.phases.is_empty() || scenario.system.plan().failures.random.is_some() {
        return None;
    }
    let proven = scenario.capacity.proven_after_failures(&scenario.system);
    let proven = &proven[..proven.partition_point(|it| it.cycle < outcome.cycles)];
    let all = |proof: fn(&Proven) -> &Option<Proof>| {
        let is_free = |it: &Proof| matches!(it.verdict, Verdict::Free { .. });
        proven.iter().all(|it| proof(it).as_ref().is_some_and(is_free))
    };
    let proofs = Proofs { routes: all(|it| &it.alone), transitions: all(|it| &it.transition) };
    (!proven.is_empty()).then_some(proofs)
}

/// The periods of a run.
pub(super) fn phase_rows(outcome: &Outcome) -> Vec<PhaseRow> {
    let unit = outcome.scenario.system.time_unit().cycles as f64;
    let row = |&Phase { from, closed, delivered, latency_sum, lost }: &Phase| PhaseRow {
        from_cycle: from,
        failed_channels: closed,
        delivered,
        latency_mean: (delivered > 0).then(|| latency_sum as f64 / delivered as f64 / unit),
        lost,
    };
    outcome.phases.iter().map(row).collect()
}

/// Adds the losses and the latencies before, during and after failures.
pub(super) fn entries(lines: &mut Sheet, outcome: &Outcome) {
    let rows = phase_rows(outcome);
    if rows.is_empty() {
        return;
    }
    let lost = count(outcome.counters.lost as usize, "message", "messages");
    let apart = match outcome.unreachable_pairs {
        0 => String::new(),
        1 => "; 1 pair of nodes without a route at the end".to_owned(),
        pairs => format!("; {pairs} pairs of nodes without a route at the end"),
    };
    lines.entry("failures", &format!("{lost} lost{apart}"));
    let places = if outcome.scenario.system.circuit().is_some() { 4 } else { 2 };
    for row in rows.iter().take(SHOWN_MAX) {
        let failed = count(row.failed_channels as usize, "failed channel", "failed channels");
        let text = format!(
            "from cycle {}, {failed}: latency {}, {} delivered, {} lost",
            row.from_cycle,
            fixed(row.latency_mean, places),
            row.delivered,
            row.lost
        );
        lines.entry("", &text);
    }
    if rows.len() > SHOWN_MAX {
        lines.entry("", &format!("and {} further periods", rows.len() - SHOWN_MAX));
    }
    if let Some(proofs) = proofs(outcome) {
        let word = |proven: bool| if proven { "proven" } else { "not proven" };
        let (routes, transitions) = (word(proofs.routes), word(proofs.transitions));
        let text = format!("{routes} free of deadlock, transitions to them {transitions}");
        lines.entry("new routes", &text);
    }
}
