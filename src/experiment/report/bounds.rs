//! Bounds on message latency: a row for every pair of nodes, and a table of the worst.

use super::row;
use super::table::{rate_in_words, titled};
use crate::model::Unsolved;
use crate::model::bound::{Bound, Flow};
use crate::scenario::Scenario;

row! {
    /// The bound of `predict --bound` on messages from one node to another; a scenario without a
    /// bound has one row, with the reason.
    BoundRow from (scenario: &Scenario, flow: Option<&Flow>, why: Option<&Unsolved>) {
        let network = &scenario.system.network;
    } {
        /// The scenario's name.
        scenario: String = scenario.name.clone(),
        /// Messages per node and cycle.
        rate: f64 = scenario.system.traffic.rate.0,
        /// The node that sends the messages.
        source: Option<String> = flow.map(|it| network.node_name(it.source)),
        /// The node that receives them.
        destination: Option<String> = flow.map(|it| network.node_name(it.destination)),
        /// Links that they cross, at most.
        hops: Option<u32> = flow.map(|it| it.hops),
        /// Cycles from generation to the consumption of the tail that none of them exceeds.
        latency_bound: Option<u64> = flow.map(|it| it.cycles),
        /// The reason against a bound, in words.
        why_not: Option<String> = why.map(ToString::to_string),
    }
}

impl BoundRow {
    /// The rows of a scenario.
    pub fn all(scenario: &Scenario, bound: &Result<Bound, Unsolved>) -> Vec<Self> {
        match bound {
            Ok(bound) => {
                bound.flows.iter().map(|flow| Self::new(scenario, Some(flow), None)).collect()
            }
            Err(why) => vec![Self::new(scenario, None, Some(why))],
        }
    }
}

/// The worst of all pairs, and the worst for each distance in links.
pub fn bound_table(scenario: &Scenario, bound: &Result<Bound, Unsolved>) -> String {
    let mut lines = titled(scenario);
    let (system, network) = (&scenario.system, &scenario.system.network);
    lines.entry("rate", &rate_in_words(system.traffic.rate, system.time_unit()));
    let bound = match bound {
        Ok(bound) => bound,
        Err(why) => {
            lines.entry("bound", &format!("none: {why}"));
            return lines.text();
        }
    };
    let pair = |it: &Flow| {
        format!("from {} to {}", network.node_name(it.source), network.node_name(it.destination))
    };
    let worst = bound.worst();
    lines.entry("bound", &format!("no message takes more than {} cycles", worst.cycles));
    lines.line("");
    lines.line(&format!("{:<8}{:>10}{:>16}  {}", "links", "pairs", "bound, cycles", "the longest"));
    let mut by_hops: Vec<&Flow> = bound.flows.iter().collect();
    by_hops.sort_by_key(|flow| flow.hops);
    for alike in by_hops.chunk_by(|a, b| a.hops == b.hops) {
        // Among equals, the first.
        let longest = alike.iter().rev().max_by_key(|flow| flow.cycles);
        if let Some(flow) = longest {
            let (hops, pairs, cycles) = (flow.hops, alike.len(), flow.cycles);
            lines.line(&format!("{hops:<8}{pairs:>10}{cycles:>16}  {}", pair(flow)));
        }
    }
    lines.text()
}
