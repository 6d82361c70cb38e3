//! What `check` says of a scenario, as a row and for people.

use super::row;
use super::table::Lines;
use crate::ids::{ChannelId, VcId};
use crate::routing::dependency::{Method, Proof, Verdict};
use crate::scenario::Scenario;
use crate::switching::Release;

row! {
    /// What `check` says of a scenario.
    CheckRow {
        /// The scenario's name.
        scenario: String,
        /// Whether it can be run.
        valid: bool,
        /// Whether its routing was proven free of deadlock; `None` where it was not looked into.
        deadlock_free: Option<bool>,
        /// How that was found.
        method: Option<&'static str>,
        /// Virtual channels that the routing uses on some channel.
        virtual_channels_used: Option<u32>,
        /// Dependencies between virtual channels.
        dependencies: Option<u64>,
        /// Where it is not free of deadlock, virtual channels that depend on each other in a ring.
        cycle: Option<Vec<String>>,
    }
}

impl CheckRow {
    /// A scenario that can be run, with what is proven of its routing.
    pub fn proven(scenario: &Scenario, proof: &Proof) -> Self {
        let network = &scenario.system.network;
        let vcs = scenario.system.relation.virtual_channels();
        let name = |vc: &VcId| {
            let channel = network.channel_name(ChannelId(vc.0 / vcs));
            match scenario.system.circuit() {
                None => format!("{channel} VC {}", vc.0 % vcs),
                Some(_) if vcs == 1 => channel,
                Some(_) => format!("{channel} lane {}", vc.0 % vcs),
            }
        };
        let known = !matches!(proof.verdict, Verdict::Stranded { .. } | Verdict::TooLarge { .. });
        // A VC that is free when the tail has crossed may be granted while its buffer drains.
        let release = scenario.system.wormhole().map(|machine| machine.release);
        let shared = release == Some(Release::Sent) && proof.method.needs_one_message_per_buffer();
        let theorem = proof.method.theorem();
        let (deadlock_free, method, cycle) = match &proof.verdict {
            Verdict::Free { .. } if shared => {
                let why = "none: the escape VCs have no cycle (Duato), but with `release: Sent` a \
                           buffer can hold two messages, for which the theorem does not speak";
                (None, why, None)
            }
            Verdict::Free { .. } => (Some(true), theorem, None),
            Verdict::Cyclic { cycle } => {
                let cycle = cycle.iter().map(name).collect();
                ((!proof.alternatives).then_some(false), theorem, Some(cycle))
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
            deadlock_free,
            method: Some(method),
            virtual_channels_used: known.then_some(proof.virtual_channels_used),
            dependencies: known.then_some(proof.dependencies),
            cycle,
        }
    }

    /// A scenario of which nothing is known but whether it can be run.
    pub fn unproven(scenario: &str, valid: bool) -> Self {
        Self { scenario: scenario.to_owned(), valid, ..Self::default() }
    }
}

/// What the check of a scenario found.
pub fn check_table(row: &CheckRow) -> String {
    let mut lines = Lines(String::new());
    let valid = if row.valid { "a correct scenario" } else { "not a scenario that can be run" };
    lines.line(&format!("{}: {valid}", row.scenario));
    if row.valid {
        let proof = match row.deadlock_free {
            Some(true) => "none can occur",
            Some(false) => "one can occur",
            None if row.cycle.is_some() => {
                "not proven impossible: there is a cycle, and ways round it"
            }
            None => "not proven impossible",
        };
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
        if let Some(number) = row.virtual_channels_used {
            lines.entry("virtual channels", &format!("{number} in use"));
        }
        if let Some(number) = row.dependencies {
            lines.entry("dependencies", &number.to_string());
        }
        if let Some(cycle) = &row.cycle {
            lines.entry("a cycle", &cycle.join(" -> "));
        }
    }
    lines.0
}
