//! Conditions that stop a run.
//!
//! A condition is a chain of blocked worms, a slow message, a cycle, a message at a given router,
//! or an event of a given message.

use crate::engine::{Delivery, Snapshot};
use crate::ids::{MessageId, RouterId, WormId};
use crate::session::Session;
use crate::session::watches::{Approach, MessageEvent, MessageWatch, RouterWatch};
use crate::system::System;
use crate::units::Cycle;

/// Conditions for stopping a run. A deadlock always stops it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Breakpoint {
    /// Stops at a chain of this many blocked worms, each waiting for the next (checked every 64
    /// cycles).
    pub chain: Option<u32>,
    /// Stops after a message with a latency of more than this many cycles.
    pub latency: Option<u64>,
    /// Stops at these cycles.
    pub cycles: Vec<u64>,
    /// Stops when a message is generated at one of these routers, or when its head arrives there
    /// over a link.
    pub routers: Vec<RouterId>,
    /// Stops when one of these messages is generated, leaves its source, is blocked, aborted,
    /// delivered or discarded.
    pub messages: Vec<MessageId>,
}

/// The conditions: first word, example of the rest, and explanation. Under circuit switching,
/// `time` is used in place of `cycle`.
pub const CONDITIONS: [(&str, &str, &str); 5] = [
    ("chain", "5", "five blocked worms wait one behind the other (looked for every 64 cycles)"),
    ("latency", "200", "a message took more than 200 cycles; of circuits in T"),
    ("cycle", "9000", "this cycle is reached, from before it; of circuits: time 9.5"),
    ("node", "(3,4)", "a message is generated there, or its head arrives there over a link"),
    ("message", "3#7", "it is generated, leaves its source, stands, is aborted, is delivered"),
];

const MOST: usize = 16;

impl Breakpoint {
    /// Formats the conditions for [`Self::parse`].
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

    /// True if no condition stops the run.
    pub fn is_off(&self) -> bool {
        *self == Self::default()
    }

    /// The conditions that can be satisfied in a system.
    fn within(mut self, system: &System) -> Self {
        let network = &system.network;
        self.routers.retain(|router| router.index() < network.routers());
        self.messages.retain(|name| name.source.index() < network.nodes());
        self
    }

    /// Converts the conditions for a run of another system: keeps routers of the same name, drops
    /// messages, and keeps times if both systems use the same unit.
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

    /// True if the conditions require a check after every cycle.
    fn is_close(&self) -> bool {
        self.latency.is_some() || !self.routers.is_empty() || !self.messages.is_empty()
    }

    pub fn forms(system: &System) -> &'static str {
        match system.time_unit().cycles {
            1 => "chain N, latency X, cycle N, node PLACE, message ID, several of them, or off",
            _ => "chain N, latency X, time X, node PLACE, message ID, several of them, or off",
        }
    }

    /// Parses `chain 5`, `latency 200`, `cycle 1000`, `node (3,4)`, `message 12#4`, several of
    /// them, or `off`. Times are in the system's unit, with fractions if the unit is longer than a
    /// cycle.
    ///
    /// # Errors
    /// Describes the valid forms.
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

/// Adds a condition to others of the same kind.
fn add<T: Ord>(known: &mut Vec<T>, new: T) -> Result<(), String> {
    if let Err(at) = known.binary_search(&new) {
        if known.len() == MOST {
            return Err(format!("at most {MOST} conditions of a kind"));
        }
        known.insert(at, new);
    }
    Ok(())
}

/// Parses a span of time into cycles; whole numbers only if the system's unit is the cycle.
fn span(word: &str, text: &str, system: &System) -> Result<u64, String> {
    let digits: String = text.chars().filter(|c| !",_".contains(*c)).collect();
    match system.time_unit() {
        unit if unit.cycles == 1 => {
            digits.parse().map_err(|_| format!("{word} needs a whole number"))
        }
        unit => unit.parse(&digits).ok_or_else(|| format!("{word} needs a number above 0")),
    }
}

/// Splits a text before each first word of a condition, into pairs of the word and the text up to
/// the next.
fn clauses(text: &str) -> Vec<(&str, &str)> {
    let separates = |c: char| c.is_whitespace() || ",=".contains(c);
    let mut clauses: Vec<(&str, &str)> = Vec::new();
    let mut rest = text.trim_matches(separates);
    while !rest.is_empty() {
        let end = rest.find(separates).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        // Position of the next first word.
        let next = after
            .match_indices(separates)
            .map(|(at, mark)| at + mark.len())
            .find(|&at| {
                let word = after[at..].split(separates).next().unwrap_or_default();
                ["time", "off"].contains(&word) || CONDITIONS.iter().any(|it| it.0 == word)
            })
            .unwrap_or(after.len());
        clauses.push((word, after[..next].trim_matches(separates)));
        rest = after[next..].trim_start_matches(separates);
    }
    clauses
}

/// Cycles between searches for chains: a search costs as much as drawing the network.
const CHAIN_CYCLES: u64 = 64;

/// Maximum number of arrivals at a router listed by name for one cycle.
const NAMED: usize = 3;

/// Checks the breakpoint of a run.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The conditions.
    pub breakpoint: Breakpoint,
    /// The satisfied conditions, as displayed.
    pub stopped_by: Option<String>,
    /// True while the chain that stopped the run exists.
    chained: bool,
    /// The cycle of the last check.
    looked: Cycle,
    messages: Vec<MessageWatch>,
    routers: Vec<RouterWatch>,
    look: Snapshot,
}

impl Watch {
    /// Sets the conditions to check from now on. Routers and messages outside the network are
    /// dropped.
    pub fn set(&mut self, breakpoint: Breakpoint, session: &Session) {
        self.breakpoint = breakpoint.within(&session.scenario().system);
        self.stopped_by = None;
        self.chained = false;
        self.looked = session.now();
        let messages = self.breakpoint.messages.iter();
        self.messages = messages.map(|&name| MessageWatch::open(name, session)).collect();
        let routers = self.breakpoint.routers.iter();
        self.routers = routers.map(|&at| RouterWatch::open(at, session)).collect();
    }

    /// Starts anew at the present cycle, with the same conditions.
    pub fn reset(&mut self, session: &Session) {
        let breakpoint = std::mem::take(&mut self.breakpoint);
        self.set(breakpoint, session);
    }

    /// The next cycle that requires a check. The result depends only on the present cycle, so that
    /// a run stops at the same cycle regardless of slicing.
    pub fn next_look(&self, now: u64) -> u64 {
        if self.breakpoint.is_close() {
            return now + 1;
        }
        let cycles = &self.breakpoint.cycles;
        let next = cycles.get(cycles.partition_point(|&cycle| cycle <= now));
        let chains = self.breakpoint.chain.map(|_| (now / CHAIN_CYCLES + 1) * CHAIN_CYCLES);
        next.copied().into_iter().chain(chains).min().unwrap_or(u64::MAX)
    }

    /// True if a condition is satisfied. A chain stops the run once, and again only after an
    /// interval with a shorter chain.
    pub fn check(&mut self, session: &Session) -> bool {
        let last = std::mem::replace(&mut self.looked, session.now());
        // One of two runs may be in a deadlock while the other advances.
        if self.breakpoint.is_off() || last == self.looked {
            return self.stopped_by.is_some();
        }
        let mut reasons = Vec::new();
        let (now, unit) = (session.now().0, session.scenario().system.time_unit());
        // A limit on latency is checked in every cycle, so the deliveries of one cycle suffice.
        let slowest = session.deliveries().iter().map(Delivery::latency).max().unwrap_or(0);
        if self.breakpoint.latency.is_some_and(|most| slowest > most) {
            reasons.push(format!("latency of {}", unit.text(slowest)));
        }
        if let Some(least) = self.breakpoint.chain
            && now.is_multiple_of(CHAIN_CYCLES)
        {
            session.observe(&mut self.look);
            let longest = longest_chain(&self.look);
            if longest >= least && !self.chained {
                reasons.push(format!("chain of {longest}"));
            }
            self.chained = longest >= least;
        }
        if self.breakpoint.cycles.binary_search(&now).is_ok() {
            let instant = if unit.cycles == 1 { "cycle" } else { "time" };
            reasons.push(format!("{instant} {}", unit.text(now)));
        }
        reasons.extend(self.routers.iter_mut().filter_map(|watch| comers(watch, session)));
        reasons.extend(self.messages.iter_mut().filter_map(|watch| happened(watch, session)));
        if !reasons.is_empty() {
            self.stopped_by = Some(reasons.join("; "));
        }
        self.stopped_by.is_some()
    }
}

/// `node (3,4): (1,4)#7 arrives, (3,4)#9 generated`.
fn comers(watch: &mut RouterWatch, session: &Session) -> Option<String> {
    let seen = watch.look(session);
    let network = &session.scenario().system.network;
    let words = seen.iter().take(NAMED).map(|&(name, coming)| {
        let how = match coming {
            Approach::Generated => "generated",
            Approach::Arrived => "arrives",
        };
        format!("{} {how}", network.message_name(name))
    });
    let mut words: Vec<String> = words.collect();
    if seen.len() > NAMED {
        words.push(format!("{} more", seen.len() - NAMED));
    }
    let place = network.router_name(watch.at);
    (!words.is_empty()).then(|| format!("node {place}: {}", words.join(", ")))
}

/// `message (3,4)#9 generated, blocked at (3,4)`.
fn happened(watch: &mut MessageWatch, session: &Session) -> Option<String> {
    let seen = watch.look(session);
    let system = &session.scenario().system;
    let unit = system.time_unit();
    let words = seen.iter().map(|&what| match what {
        MessageEvent::Generated => "generated".to_owned(),
        MessageEvent::Entered => "leaves its source".to_owned(),
        MessageEvent::Blocked(at) => format!("blocked at {}", system.network.router_name(at)),
        MessageEvent::Aborted => "aborted".to_owned(),
        MessageEvent::Delivered(latency) => format!("delivered after {}", unit.text(latency)),
        MessageEvent::Discarded => "discarded".to_owned(),
    });
    let words: Vec<String> = words.collect();
    let name = system.network.message_name(watch.name);
    (!words.is_empty()).then(|| format!("message {name} {}", words.join(", ")))
}

/// Length of the longest chain of blocked worms, each waiting for the first holder among its
/// requested VCs; all members of a cycle count.
pub fn longest_chain(snapshot: &Snapshot) -> u32 {
    const UNKNOWN: u32 = u32::MAX;
    // Circuits may wait without links.
    let waiting = snapshot.waits.iter().map(|wait| wait.worm);
    let ids = snapshot.worms.iter().map(|worm| worm.id).chain(waiting);
    let ids = ids.map(|id| id.index() + 1).max().unwrap_or(0);
    let mut blocked = vec![false; ids];
    let mut holder: Vec<Option<usize>> = vec![None; ids];
    for wait in &snapshot.waits {
        let at = wait.worm.index();
        if at < ids {
            blocked[at] = true;
            let found = wait.holder.map(WormId::index).filter(|&other| other < ids);
            holder[at] = holder[at].or(found);
        }
    }
    let mut length: Vec<u32> = blocked.iter().map(|&b| if b { UNKNOWN } else { 0 }).collect();
    let mut seat = vec![usize::MAX; ids];
    let mut way = Vec::new();
    for start in 0..ids {
        way.clear();
        let mut next = Some(start);
        while let Some(at) = next.filter(|&at| length[at] == UNKNOWN && seat[at] == usize::MAX) {
            seat[at] = way.len();
            way.push(at);
            next = holder[at];
        }
        let mut ahead = match next {
            // A node of the present path: a cycle.
            Some(at) if length[at] == UNKNOWN => {
                let members = way.split_off(seat[at]);
                let all = members.len() as u32;
                for member in members {
                    length[member] = all;
                }
                all
            }
            Some(at) => length[at],
            None => 0,
        };
        for &at in way.iter().rev() {
            ahead += 1;
            length[at] = ahead;
        }
    }
    length.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
