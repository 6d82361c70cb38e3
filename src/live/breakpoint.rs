//! Conditions that stop a run: a chain of blocked worms, a slow message.

use crate::engine::Snapshot;
use crate::session::Session;
use crate::units::TimeUnit;

/// How often chains are looked for, in cycles: looking costs as much as drawing the network.
const CHAIN_CYCLES: u64 = 64;

/// When to stop a run that nobody stops. Deadlock always does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Breakpoint {
    /// Stop where this many blocked worms wait one behind the other (looked for every 64 cycles).
    pub chain: Option<u32>,
    /// Stop where a message took more cycles than this.
    pub latency: Option<u64>,
}

impl Breakpoint {
    /// The condition as [`Self::parse`] reads it.
    pub fn words(&self, unit: TimeUnit) -> String {
        let chain = self.chain.map(|chain| format!("chain {chain}"));
        let latency = self.latency.map(|latency| format!("latency {}", unit.text(latency)));
        match [chain, latency].into_iter().flatten().collect::<Vec<_>>() {
            none if none.is_empty() => "off".to_owned(),
            some => some.join(", "),
        }
    }

    /// Whether nothing stops the run.
    pub fn is_off(&self) -> bool {
        self.chain.is_none() && self.latency.is_none()
    }

    /// Reads `chain 5`, `latency 200`, both of them, or `off`; latencies are in `unit`, of which parts
    /// are allowed where it is longer than a cycle.
    pub fn parse(text: &str, unit: TimeUnit) -> Result<Self, String> {
        let mut breakpoint = Self::default();
        let mut words = text.split([' ', ',', '=']).filter(|word| !word.is_empty()).peekable();
        if words.peek().is_none() {
            return Err("chain N, latency X, both, or off".to_owned());
        }
        while let Some(word) = words.next() {
            if word == "off" {
                breakpoint = Self::default();
                continue;
            }
            if word != "chain" && word != "latency" {
                return Err(format!("{word}? chain N, latency X, both, or off"));
            }
            let number = words.next().unwrap_or_default();
            let whole = || format!("{word} needs a whole number");
            if word == "chain" {
                let worms = number.parse().map_err(|_| whole())?;
                if worms == 0 {
                    return Err("a chain has at least 1 worm".to_owned());
                }
                breakpoint.chain = Some(worms);
            } else {
                breakpoint.latency = Some(match unit.cycles {
                    1 => number.parse().map_err(|_| whole())?,
                    _ => unit.parse(number).ok_or_else(|| format!("{word} needs a number"))?,
                });
            }
        }
        Ok(breakpoint)
    }
}

/// Looks whether a run has come to its breakpoint.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The condition.
    pub breakpoint: Breakpoint,
    /// What of it has come true.
    pub stopped_by: Option<String>,
    /// Whether the chain that stopped the run has not dissolved yet.
    chained: bool,
    look: Snapshot,
}

impl Watch {
    /// Stops the run under this condition, as far as it comes true from now on.
    pub fn set(&mut self, breakpoint: Breakpoint) {
        self.breakpoint = breakpoint;
        self.stopped_by = None;
        self.chained = false;
    }

    /// The next cycle after which the condition must be looked at. It depends on nothing but the
    /// present cycle, so that a run stops at the same cycle however it is sliced.
    pub fn look_at(&self, now: u64) -> u64 {
        match self.breakpoint {
            Breakpoint { latency: Some(_), .. } => now + 1,
            Breakpoint { chain: Some(_), .. } => (now / CHAIN_CYCLES + 1) * CHAIN_CYCLES,
            _ => u64::MAX,
        }
    }

    /// Whether the condition has come true of a run whose slowest message delivered since the last
    /// look took so long. A chain stops the run once, and again only after it had become shorter.
    pub fn check(&mut self, session: &Session, slowest: u64) -> bool {
        if let Some(most) = self.breakpoint.latency
            && slowest > most
        {
            let unit = session.scenario().system.time_unit();
            self.stopped_by = Some(format!("latency of {}", unit.text(slowest)));
        }
        if let Some(least) = self.breakpoint.chain
            && session.now().0.is_multiple_of(CHAIN_CYCLES)
        {
            session.observe(&mut self.look);
            let longest = longest_chain(&self.look);
            if longest >= least && !self.chained {
                self.stopped_by = Some(format!("chain of {longest}"));
            }
            self.chained = longest >= least;
        }
        self.stopped_by.is_some()
    }
}

/// The most blocked worms that wait one behind the other, each for the first holder among the VCs
/// that it wants; a circle counts with all its members.
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
            let found = wait.holder.map(crate::ids::WormId::index).filter(|&other| other < ids);
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
            // Back on the way just walked: a circle.
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
mod tests {
    use super::*;
    use crate::tui::fake;

    #[test]
    fn conditions_are_read_and_written() {
        for text in ["chain 5", "latency 200", "chain 3, latency 90", "off"] {
            let breakpoint = Breakpoint::parse(text, TimeUnit::CYCLE).unwrap();
            assert_eq!(breakpoint.words(TimeUnit::CYCLE), text);
            assert_eq!(breakpoint.is_off(), text == "off");
        }
        for text in ["", "chain", "chain 0", "latency x", "worm 3", "chain -1"] {
            assert!(Breakpoint::parse(text, TimeUnit::CYCLE).is_err(), "{text}");
        }
        let breakpoint = Breakpoint::parse("latency 2.5", TimeUnit::TIME).unwrap();
        assert_eq!(breakpoint.latency, Some(2560));
        assert_eq!(breakpoint.words(TimeUnit::TIME), "latency 2.500");
        for text in ["latency -1", "latency nan", "latency 1e99"] {
            assert!(Breakpoint::parse(text, TimeUnit::TIME).is_err(), "{text}");
        }
    }

    #[test]
    fn chains_and_circles_are_counted() {
        let mut snapshot = fake::deadlocked(fake::TORUS, &[8, 8]).snapshot;
        assert_eq!(longest_chain(&snapshot), 4);
        snapshot.waits[3].holder = None;
        assert_eq!(longest_chain(&snapshot), 4);
        snapshot.waits.pop();
        assert_eq!(longest_chain(&snapshot), 3);
        snapshot.waits.clear();
        assert_eq!(longest_chain(&snapshot), 0);
    }
}
