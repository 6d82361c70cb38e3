//! The results of `check` for a scenario, as a row and for people.

use super::check_failures::{self, FailureRow};
use super::row;
use crate::capacity::Capacity;
use crate::experiment::sheet::Sheet;
use crate::experiment::witness::Witness;
use crate::ids::{ChannelId, VcId};
use crate::model::zero_load;
use crate::routing::dependency::{self, Method, Pairs, Proof, Verdict};
use crate::routing::mend::{Entries, Mended};
use crate::scenario::Scenario;
use crate::text;
use crate::topology::{Network, Role};

/// The number of busiest channels listed.
const BUSIEST: usize = 3;
/// The number of turns listed for people.
const TURNS: usize = 12;

row! {
    /// The results of `check` for a scenario.
    CheckRow {
        /// The scenario's name.
        scenario: String,
        /// True for a scenario that can be run.
        valid: bool,
        /// The routing rule.
        routing: Option<&'static str>,
        /// True if the routing is proven free of deadlock, false if messages can deadlock; `None` if
        /// neither is proven.
        deadlock_free: Option<bool>,
        /// The theorem, or the reason for the absence of a proof.
        method: Option<&'static str>,
        /// The treatment of replies in the proof, if messages have any.
        replies: Option<&'static str>,
        /// Virtual channels that the routing uses on some channel.
        virtual_channels_used: Option<u32>,
        /// Dependencies between virtual channels.
        dependencies: Option<u64>,
        /// Virtual channels that depend on each other in a cycle, if there is one.
        cycle: Option<Vec<String>>,
        /// The source and the destination of a message for each virtual channel of the cycle, which
        /// uses this one and then the next.
        cycle_messages: Option<Vec<Option<(String, String)>>>,
        /// The number of scripted messages under which a run deadlocked; `None` if no run did, or none was
        /// requested.
        witness_messages: Option<usize>,
        /// The number of those that wait for each other.
        witness_members: Option<usize>,
        /// The cycle in which the last of those begins to wait.
        witness_closed: Option<u64>,
        /// The routes after each given failure; `None` without given failures, and if the rule finds no routes
        /// around failures.
        failures: Option<Vec<FailureRow>>,
        /// The reason why failures are not examined, if so.
        failures_unexamined: Option<&'static str>,
        /// The number of changed entries of a repaired table, or of the routes; `None` of a scenario as given.
        mended_changed: Option<usize>,
        /// The number of all entries.
        mended_entries: Option<usize>,
        /// The entries: `next hops`, or `routes` of pairs of routers.
        mended_of: Option<&'static str>,
        /// Turns of given routes that the repaired routes avoid.
        mended_turns: Option<Vec<String>>,
        /// Mean links of a given route.
        mended_links_before: Option<f64>,
        /// Maximum load of the network in flits per node and cycle (for circuits, in transmission times
        /// per node and unit of time); `None` if the network is too large.
        capacity_load: Option<f64>,
        /// `proven` if routes are fixed or drawn, `bound` if heads choose: no choice carries more.
        capacity_kind: Option<&'static str>,
        /// The cause: a channel, the sources, or links across a cut.
        capacity_channel: Option<String>,
        /// The load carried by even choices, if heads choose.
        capacity_estimate_load: Option<f64>,
        /// The most loaded channels, each with the share of cycles in use for each flit per node and cycle.
        busiest_channels: Option<Vec<(String, f64)>>,
        /// Mean links of a route (with even choices).
        route_links_mean: Option<f64>,
        /// Mean sum of the delays of the links of a route in cycles, if links have their own delays.
        route_delay_mean: Option<f64>,
        /// Mean latency of the empty network in `time_unit`; `None` if unknown.
        empty_latency_mean: Option<f64>,
        /// The unit of times.
        time_unit: Option<&'static str>,
    }
}

impl CheckRow {
    /// The row of a valid scenario, with the proof of its routing.
    pub fn proven(scenario: &Scenario, proof: &Proof) -> Self {
        let network = &scenario.system.network;
        let vcs = scenario.system.relation.virtual_channels();
        let name = |vc: &VcId| {
            let id = ChannelId(vc.0 / vcs);
            let node = network.terminal_of(id).map_or_else(String::new, |it| network.node_name(it));
            match network.channel(id).role {
                Role::Link => {}
                Role::Injection => return format!("source {node} VC {}", vc.0 % vcs),
                Role::Ejection => return format!("room for replies at {node}"),
            }
            let channel = network.channel_name(id);
            match scenario.system.circuit() {
                None => format!("{channel} VC {}", vc.0 % vcs),
                Some(_) if vcs == 1 => channel,
                Some(_) => format!("{channel} lane {}", vc.0 % vcs),
            }
        };
        let known = !matches!(proof.verdict, Verdict::Stranded { .. } | Verdict::TooLarge { .. });
        let theorem = proof.method.theorem();
        let (deadlock_free, method, cycle) = match &proof.verdict {
            Verdict::SharedBuffers => {
                let why = "none: the escape VCs have no cycle (Duato), but with `release: Sent` a \
                           buffer can hold two messages, for which the theorem does not speak";
                (None, why, None)
            }
            Verdict::Free { .. } => (Some(true), theorem, None),
            Verdict::Cyclic { cycle } => {
                let cycle = cycle.iter().map(name).collect();
                (proof.can_deadlock().then_some(false), proof.method.objection(), Some(cycle))
            }
            Verdict::Stranded { .. } => {
                (None, "none: a message can come to where nothing leads it on", None)
            }
            Verdict::TooLarge { .. } => {
                (None, "none: the network is too large to enumerate its routes", None)
            }
        };
        Self {
            scenario: scenario.name.clone(),
            valid: true,
            routing: Some(scenario.system.relation.routing().name()),
            deadlock_free,
            method: Some(method),
            replies: replies(scenario, proof),
            virtual_channels_used: known.then_some(proof.virtual_channels_used),
            dependencies: known.then_some(proof.dependencies),
            cycle,
            ..Self::with_capacity(scenario)
        }
    }

    /// The same row with a message for each dependency of the proof's cycle, between these pairs of
    /// routers.
    #[must_use]
    pub fn with_messages(self, scenario: &Scenario, proof: &Proof, pairs: &Pairs) -> Self {
        Self { cycle_messages: messages(scenario, proof, pairs), ..self }
    }

    /// The same row with the routes after given failures.
    #[must_use]
    pub fn with_failures(self, scenario: &Scenario) -> Self {
        let failures_unexamined = check_failures::unexamined(scenario);
        Self { failures: check_failures::rows(scenario), failures_unexamined, ..self }
    }

    /// True if a deadlock after some failure is not proven impossible.
    pub fn is_unproven_after_failures(&self) -> bool {
        let given = self.failures.iter().flatten().any(FailureRow::is_unproven);
        given || self.failures_unexamined.is_some()
    }

    /// The reason why neither messages nor other routes are written, for a row without a cycle.
    pub fn without_cycle(&self) -> &'static str {
        if self.is_unproven_after_failures() {
            ": not written, because the routes before the first failure have no cycle"
        } else {
            ": not written, because no cycle was found"
        }
    }

    /// The same row with messages that close the cycle: the system can deadlock.
    #[must_use]
    pub fn with_witness(self, witness: Option<&Witness>) -> Self {
        let Some(witness) = witness else { return self };
        Self {
            deadlock_free: Some(false),
            witness_messages: Some(witness.messages),
            witness_members: Some(witness.members),
            witness_closed: Some(witness.closed.0),
            ..self
        }
    }

    /// The same row as that of repaired routes, in comparison with the given routes.
    #[must_use]
    pub fn with_mended(self, mended: &Mended, given: &Self, network: &Network) -> Self {
        let turn = |&(one, other): &(ChannelId, ChannelId)| {
            let [one, other] = [one, other].map(|link| network.channel_name(link));
            format!("{one} -> {other}")
        };
        Self {
            mended_changed: Some(mended.changed),
            mended_entries: Some(mended.all),
            mended_of: Some(match mended.entries {
                Entries::Hops => "next hops",
                Entries::Routes => "routes",
            }),
            mended_turns: Some(mended.turns.iter().map(turn).collect()),
            mended_links_before: given.route_links_mean,
            ..self
        }
    }

    /// The facts known before any run.
    fn with_capacity(scenario: &Scenario) -> Self {
        let (system, capacity) = (&scenario.system, scenario.capacity());
        let network = &system.network;
        let busiest = |capacity: &Capacity| {
            let all = capacity.busiest(network, BUSIEST).into_iter();
            all.map(|(channel, gamma)| (network.channel_name(channel), gamma)).collect()
        };
        let estimate = capacity.and_then(|capacity| capacity.estimate);
        Self {
            capacity_load: capacity.map(|capacity| capacity.load.0),
            capacity_kind: capacity.map(|capacity| capacity.kind.word()),
            capacity_channel: capacity.map(|capacity| capacity.bottleneck_name(network)),
            capacity_estimate_load: estimate.map(|estimate| estimate.load.0),
            busiest_channels: capacity.map(busiest),
            route_links_mean: capacity.map(|capacity| capacity.hops_mean),
            route_delay_mean: capacity.and_then(|capacity| capacity.delay_mean(system)),
            empty_latency_mean: zero_load::empty_latency(system),
            time_unit: Some(system.time_unit().name),
            ..Self::default()
        }
    }

    /// The row of a scenario without a proof.
    pub fn unproven(scenario: &str, valid: bool) -> Self {
        Self { scenario: scenario.to_owned(), valid, ..Self::default() }
    }
}

/// The treatment of replies in a proof, if messages have any.
fn replies(scenario: &Scenario, proof: &Proof) -> Option<&'static str> {
    let classes = &scenario.system.traffic.classes;
    let any = (0..classes.count() as u8).any(|class| classes.reply_to(class).is_some());
    any.then_some(if proof.with_nodes {
        "messages wait for room for their replies: the nodes are part of the graph"
    } else if classes.have_limited_room() {
        "there is room for the replies to all requests outstanding: no message waits for room"
    } else {
        "nodes have room for any number of replies: no message waits for room"
    })
}

/// A message for each dependency of a proof's cycle, by its hosts.
fn messages(
    scenario: &Scenario,
    proof: &Proof,
    pairs: &Pairs,
) -> Option<Vec<Option<(String, String)>>> {
    let Verdict::Cyclic { cycle } = &proof.verdict else { return None };
    let system = &scenario.system;
    system.wormhole()?;
    let found = dependency::messages(&system.network, &system.relation, pairs, cycle);
    let host = |at| system.network.node_name(system.network.hosts_at(at)[0]);
    let named = |(from, to)| (host(from), host(to));
    Some(found.into_iter().map(|found| found.map(named)).collect())
}

/// The results of a check, for people.
pub fn check_table(row: &CheckRow) -> String {
    let mut lines = Sheet::default();
    let valid = if row.valid { "a correct scenario" } else { "not a scenario that can be run" };
    lines.line(&format!("{}: {valid}", row.scenario));
    if row.valid {
        mended_entries(&mut lines, row);
        let unproven = row.is_unproven_after_failures();
        let proof = match row.deadlock_free {
            Some(true) if unproven => "none can occur before the first failure",
            Some(true) => "none can occur",
            Some(false) => "one can occur",
            None if row.cycle.is_some() => {
                "not proven impossible: there is a cycle that need not close"
            }
            None => "not proven impossible",
        };
        if let Some(routing) = row.routing {
            lines.entry("routing", routing);
        }
        lines.entry("deadlock", proof);
        if let Some(method) = row.method {
            lines.entry("found by", method);
            if row.deadlock_free == Some(true) {
                let theorem = Method::ALL.into_iter().find(|one| one.theorem() == method);
                if let Some(theorem) = theorem {
                    lines.entry("provided that", theorem.condition());
                }
            }
        }
        if let Some(replies) = row.replies {
            lines.entry("replies", replies);
        }
        if let Some(number) = row.virtual_channels_used {
            lines.entry("virtual channels", &format!("{number} in use"));
        }
        if let Some(number) = row.dependencies {
            lines.entry("dependencies", &number.to_string());
        }
        if let Some(cycle) = &row.cycle {
            lines.entry("a cycle", &cycle.join(" -> "));
            for (index, message) in row.cycle_messages.iter().flatten().enumerate() {
                if let Some((from, to)) = message {
                    let (first, next) = (&cycle[index], &cycle[(index + 1) % cycle.len()]);
                    lines.entry("", &format!("{from} to {to} uses {first} -> {next}"));
                }
            }
        }
        if let (Some(messages), Some(members), Some(closed)) =
            (row.witness_messages, row.witness_members, row.witness_closed)
        {
            let scripted = text::count(messages, "scripted message", "scripted messages");
            lines.entry(
                "witness",
                &format!("{scripted}: {members} wait for each other from cycle {closed}"),
            );
        }
        let changes = row.failures.as_deref().unwrap_or_default();
        check_failures::entries(&mut lines, changes, row.failures_unexamined);
        capacity_entries(&mut lines, row);
    }
    lines.text()
}

/// The changes of repaired routes.
fn mended_entries(lines: &mut Sheet, row: &CheckRow) {
    let (Some(changed), Some(entries), Some(of)) =
        (row.mended_changed, row.mended_entries, row.mended_of)
    else {
        return;
    };
    let layers = row.mended_turns.as_ref().is_some_and(Vec::is_empty) && changed > 0;
    let how = if layers { "use another layer of virtual channels" } else { "are changed" };
    let mended = match changed {
        0 => "every head keeps its first choice and has no other".to_owned(),
        _ => format!("{changed} of {entries} {of} {how}"),
    };
    lines.entry("mended", &mended);
    let turns = row.mended_turns.as_deref().unwrap_or_default();
    for (at, turn) in turns.iter().take(TURNS).enumerate() {
        lines.entry(if at == 0 { "turns avoided" } else { "" }, turn);
    }
    if turns.len() > TURNS {
        lines.entry("", &format!("and {} more", turns.len() - TURNS));
    }
    if let (Some(now), Some(before)) = (row.route_links_mean, row.mended_links_before) {
        lines.entry("mean route", &format!("{now:.3} links, {before:.3} before"));
    }
}

/// The capacity, the most loaded channels and the latency of the empty network.
fn capacity_entries(lines: &mut Sheet, row: &CheckRow) {
    match (row.capacity_load, &row.capacity_channel) {
        (Some(load), Some(channel)) => {
            lines.entry("capacity", &format!("at most {load:.4}: {channel}"));
        }
        _ => lines.entry("capacity", "not worked out: the network is too large"),
    }
    if let Some(load) = row.capacity_estimate_load {
        lines.entry("", &format!("about {load:.4} by even choices"));
    }
    if let Some(busiest) = &row.busiest_channels {
        let words = busiest.iter().map(|(channel, gamma)| format!("{channel} {gamma:.4}"));
        let words: Vec<String> = words.collect();
        lines.entry("busiest at load 1", &words.join(", "));
    }
    if let (Some(links), Some(delay)) = (row.route_links_mean, row.route_delay_mean) {
        lines.entry("mean route", &format!("{links:.2} links, with delays of {delay:.2} cycles"));
    }
    if let (Some(latency), Some(unit)) = (row.empty_latency_mean, row.time_unit) {
        lines.entry("empty network", &format!("latency {latency:.2} {unit}"));
    }
}
