//! Looks whether a run has come to its breakpoint.

use super::{Breakpoint, longest_chain};
use crate::engine::{Delivery, Snapshot};
use crate::session::Session;
use crate::session::watches::{Coming, Happening, MessageWatch, RouterWatch};
use crate::units::Cycle;

/// How often chains are looked for, in cycles: looking costs as much as drawing the network.
const CHAIN_CYCLES: u64 = 64;

/// Messages named of those that come to a router in one cycle.
const NAMED: usize = 3;

/// Looks whether a run has come to its breakpoint.
#[derive(Debug, Default)]
pub(in crate::live) struct Watch {
    /// The condition.
    pub breakpoint: Breakpoint,
    /// What of it has come true.
    pub stopped_by: Option<String>,
    /// Whether the chain that stopped the run has not dissolved yet.
    chained: bool,
    /// The cycle of the last look.
    looked: Cycle,
    messages: Vec<MessageWatch>,
    routers: Vec<RouterWatch>,
    look: Snapshot,
}

impl Watch {
    /// Stops the run under this condition, as far as it comes true from now on. Places that the network
    /// does not have are left out.
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

    /// Begins anew where the run is now, under the same condition.
    pub fn reset(&mut self, session: &Session) {
        let breakpoint = std::mem::take(&mut self.breakpoint);
        self.set(breakpoint, session);
    }

    /// The next cycle after which the condition must be looked at. It depends on nothing but the
    /// present cycle, so that a run stops at the same cycle however it is sliced.
    pub fn next_look(&self, now: u64) -> u64 {
        if self.breakpoint.is_close() {
            return now + 1;
        }
        let cycles = &self.breakpoint.cycles;
        let next = cycles.get(cycles.partition_point(|&cycle| cycle <= now));
        let chains = self.breakpoint.chain.map(|_| (now / CHAIN_CYCLES + 1) * CHAIN_CYCLES);
        next.copied().into_iter().chain(chains).min().unwrap_or(u64::MAX)
    }

    /// Whether the condition has come true. A chain stops the run once, and again only after it had
    /// become shorter.
    pub fn check(&mut self, session: &Session) -> bool {
        let last = std::mem::replace(&mut self.looked, session.now());
        // One of two runs may stand while the other goes on.
        if self.breakpoint.is_off() || last == self.looked {
            return self.stopped_by.is_some();
        }
        let mut reasons = Vec::new();
        let (now, unit) = (session.now().0, session.scenario().system.time_unit());
        // Under this condition it is asked after every cycle.
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
            Coming::Generated => "generated",
            Coming::Arrived => "arrives",
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
        Happening::Generated => "generated".to_owned(),
        Happening::Entered => "leaves its source".to_owned(),
        Happening::Blocked(at) => format!("blocked at {}", system.network.router_name(at)),
        Happening::Aborted => "aborted".to_owned(),
        Happening::Delivered(latency) => format!("delivered after {}", unit.text(latency)),
        Happening::Discarded => "discarded".to_owned(),
    });
    let words: Vec<String> = words.collect();
    let name = system.network.message_name(watch.name);
    (!words.is_empty()).then(|| format!("message {name} {}", words.join(", ")))
}
