//! The proofs of routes after given failures, as rows and for people.

use serde::Serialize;

use crate::experiment::sheet::Sheet;
use crate::ids::{ChannelId, VcId};
use crate::routing::dependency::{Proof, Verdict};
use crate::scenario::Scenario;
use crate::system::failures::Proven;
use crate::text::count;

/// The routes after a failure, or after its end.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct FailureRow {
    /// The first cycle with these routes.
    pub cycle: u64,
    /// Failed channels.
    pub failed_channels: usize,
    /// Pairs of nodes without a route.
    pub unreachable_pairs: u64,
    /// True if these routes are proven free of deadlock; `None` if not proven.
    pub deadlock_free: Option<bool>,
    /// True if no deadlock can occur while messages of the routes before are in the network; `None` if not
    /// proven.
    pub transition_deadlock_free: Option<bool>,
    /// Virtual channels that depend on each other in a cycle during the transition, if there is one.
    pub transition_cycle: Option<Vec<String>>,
}

impl FailureRow {
    /// True if a deadlock is not proven impossible.
    pub fn is_unproven(&self) -> bool {
        self.deadlock_free != Some(true) || self.transition_deadlock_free != Some(true)
    }
}

/// The rows of the given failures of a scenario; `None` without given failures, and if the rule finds no
/// routes around failures.
pub(super) fn rows(scenario: &Scenario) -> Option<Vec<FailureRow>> {
    let system = &scenario.system;
    if system.plan().events.is_empty() || !system.relation.goes_around() {
        return None;
    }
    let is_free = |proof: &Option<Proof>| {
        let free = proof.as_ref().is_some_and(|it| matches!(it.verdict, Verdict::Free { .. }));
        free.then_some(true)
    };
    let row = |it: &Proven| FailureRow {
        cycle: it.cycle,
        failed_channels: it.closed.len(),
        unreachable_pairs: it.relation.unreachable_pairs(),
        deadlock_free: is_free(&it.alone),
        transition_deadlock_free: is_free(&it.transition),
        transition_cycle: it.transition.as_ref().and_then(|proof| cycle_of(scenario, proof)),
    };
    let proven = scenario.capacity.proven_after_failures(system);
    Some(proven.iter().map(row).collect())
}

/// The cycle of a proof, by name.
fn cycle_of(scenario: &Scenario, proof: &Proof) -> Option<Vec<String>> {
    let Verdict::Cyclic { cycle } = &proof.verdict else { return None };
    let system = &scenario.system;
    let vcs = system.relation.virtual_channels();
    let name = |vc: &VcId| {
        let channel = system.network.channel_name(ChannelId(vc.0 / vcs));
        format!("{channel} VC {}", vc.0 % vcs)
    };
    Some(cycle.iter().map(name).collect())
}

/// The reason why failures are not examined, if so.
pub(super) fn unexamined(scenario: &Scenario) -> Option<&'static str> {
    let (plan, relation) = (scenario.system.plan(), &scenario.system.relation);
    let is_random = plan.failures.random.is_some() && relation.goes_around();
    is_random
        .then_some("they are random: the header of the screen states the proof of those that occur")
}

/// Adds the proofs of routes after failures.
pub(super) fn entries(lines: &mut Sheet, rows: &[FailureRow], unexamined: Option<&str>) {
    if let Some(why) = unexamined {
        lines.entry("failures", &format!("not examined, because {why}"));
    }
    for (at, row) in rows.iter().enumerate() {
        let proven =
            |known: Option<bool>| if known == Some(true) { "proven" } else { "not proven" };
        let failed = count(row.failed_channels, "failed channel", "failed channels");
        let apart = match row.unreachable_pairs {
            0 => String::new(),
            pairs => format!(", {}", count(pairs as usize, "pair apart", "pairs apart")),
        };
        let text = format!(
            "from cycle {}, {failed}{apart}: routes {}, transition {}",
            row.cycle,
            proven(row.deadlock_free),
            proven(row.transition_deadlock_free)
        );
        lines.entry(if at == 0 { "given failures" } else { "" }, &text);
        if let Some(cycle) = &row.transition_cycle {
            lines.entry("", &format!("a cycle of both: {}", cycle.join(" -> ")));
        }
    }
}
