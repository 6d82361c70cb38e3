//! Conditions that stop a run: a chain of blocked worms, a slow message, a cycle, a router that a
//! message comes to, something that happens to one message.

mod chain;
mod watch;

pub use chain::longest_chain;
pub(super) use watch::Watch;

use crate::ids::{MessageId, RouterId};
use crate::system::System;

/// When to stop a run that nobody stops. Deadlock always does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Breakpoint {
    /// Stop where this many blocked worms wait one behind the other (looked for every 64 cycles).
    pub chain: Option<u32>,
    /// Stop where a message took more cycles than this.
    pub latency: Option<u64>,
    /// Stop at these cycles.
    pub cycles: Vec<u64>,
    /// Stop where a message is generated at one of these routers, or its head arrives there over a
    /// link.
    pub routers: Vec<RouterId>,
    /// Stop where one of these messages is generated, leaves its source, comes to a stand, is
    /// aborted, delivered or discarded.
    pub messages: Vec<MessageId>,
}

/// The words with which conditions begin, of time under circuit switching the fourth.
const WORDS: [&str; 7] = ["chain", "latency", "cycle", "time", "node", "message", "off"];

const MOST: usize = 16;

impl Breakpoint {
    /// The conditions as [`Self::parse`] reads them.
    pub fn words(&self, system: &System) -> String {
        let (unit, network) = (system.time_unit(), &system.network);
        let instant = if unit.cycles == 1 { "cycle" } else { "time" };
        let mut words = Vec::new();
        words.extend(self.chain.map(|chain| format!("chain {chain}")));
        words.extend(self.latency.map(|latency| format!("latency {}", unit.text(latency))));
        words.extend(self.cycles.iter().map(|&cycle| format!("{instant} {}", unit.text(cycle))));
        let routers = self.routers.iter();
        words.extend(routers.map(|&router| format!("node {}", network.router_name(router))));
        let messages = self.messages.iter();
        words.extend(messages.map(|&name| format!("message {}", network.message_name(name))));
        if words.is_empty() { "off".to_owned() } else { words.join(", ") }
    }

    /// Whether nothing stops the run.
    pub fn is_off(&self) -> bool {
        *self == Self::default()
    }

    /// The conditions that can come true in a system.
    fn within(mut self, system: &System) -> Self {
        let network = &system.network;
        self.routers.retain(|router| router.index() < network.routers());
        self.messages.retain(|name| name.source.index() < network.nodes());
        self
    }

    /// The conditions in a run of another system: places are those of the same name, messages are
    /// others, and times are kept where they are counted in the same unit.
    pub(super) fn carried(&self, [from, to]: [&System; 2]) -> Self {
        let place = |&router: &RouterId| {
            let name = from.network.router_name(router);
            let there = to.network.router_named(&name).ok()?;
            (to.network.router_name(there) == name).then_some(there)
        };
        let mut routers: Vec<RouterId> = self.routers.iter().filter_map(place).collect();
        routers.sort_unstable();
        let alike = from.time_unit() == to.time_unit();
        let cycles = if alike { self.cycles.clone() } else { Vec::new() };
        let latency = self.latency.filter(|_| alike);
        Self { chain: self.chain, latency, cycles, routers, messages: Vec::new() }
    }

    /// Whether it must be looked at after every cycle.
    fn is_close(&self) -> bool {
        self.latency.is_some() || !self.routers.is_empty() || !self.messages.is_empty()
    }

    /// What can be written.
    pub fn forms(system: &System) -> &'static str {
        match system.time_unit().cycles {
            1 => "chain N, latency X, cycle N, node PLACE, message ID, several of them, or off",
            _ => "chain N, latency X, time X, node PLACE, message ID, several of them, or off",
        }
    }

    /// Reads `chain 5`, `latency 200`, `cycle 1000`, `node (3,4)`, `message 12#4`, several of them, or
    /// `off`. Times are in the system's unit, of which parts are allowed where it is longer than a
    /// cycle.
    ///
    /// # Errors
    /// What would be right, in words.
    pub fn parse(text: &str, system: &System) -> Result<Self, String> {
        let mut breakpoint = Self::default();
        let clauses = clauses(text);
        if clauses.is_empty() {
            return Err(Self::forms(system).to_owned());
        }
        for (word, rest) in clauses {
            breakpoint.add(word, rest, system)?;
        }
        Ok(breakpoint)
    }

    fn add(&mut self, word: &str, rest: &str, system: &System) -> Result<(), String> {
        match word {
            "off" if rest.is_empty() => *self = Self::default(),
            "chain" => {
                let worms = rest.parse().map_err(|_| "chain needs a whole number".to_owned())?;
                if worms == 0 {
                    return Err("a chain has at least 1 worm".to_owned());
                }
                self.chain = Some(worms);
            }
            "latency" => self.latency = Some(span(word, rest, system)?),
            "cycle" | "time" => add(&mut self.cycles, span(word, rest, system)?)?,
            "node" => add(&mut self.routers, system.network.router_named(rest)?)?,
            "message" => add(&mut self.messages, system.network.message_named(rest)?)?,
            _ => return Err(format!("{word} {rest}? {}", Self::forms(system))),
        }
        Ok(())
    }
}

/// Adds a condition to others of its kind.
fn add<T: Ord>(known: &mut Vec<T>, new: T) -> Result<(), String> {
    if let Err(at) = known.binary_search(&new) {
        if known.len() == MOST {
            return Err(format!("at most {MOST} of a kind"));
        }
        known.insert(at, new);
    }
    Ok(())
}

/// Cycles in the system's unit; whole ones where that is the cycle.
fn span(word: &str, text: &str, system: &System) -> Result<u64, String> {
    let digits: String = text.chars().filter(|c| !",_".contains(*c)).collect();
    match system.time_unit() {
        unit if unit.cycles == 1 => {
            digits.parse().map_err(|_| format!("{word} needs a whole number"))
        }
        unit => unit.parse(&digits).ok_or_else(|| format!("{word} needs a number above 0")),
    }
}

/// A text cut before every word with which a condition begins: that word, and what follows.
fn clauses(text: &str) -> Vec<(&str, &str)> {
    let separates = |c: char| c.is_whitespace() || ",=".contains(c);
    let mut clauses: Vec<(&str, &str)> = Vec::new();
    let mut rest = text.trim_matches(separates);
    while !rest.is_empty() {
        let end = rest.find(separates).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        // The next word that begins a condition.
        let next = after
            .match_indices(separates)
            .map(|(at, _)| at + 1)
            .find(|&at| {
                let word = after[at..].split(separates).next().unwrap_or_default();
                WORDS.contains(&word)
            })
            .unwrap_or(after.len());
        clauses.push((word, after[..next].trim_matches(separates)));
        rest = after[next..].trim_start_matches(separates);
    }
    clauses
}

#[cfg(test)]
mod tests;
