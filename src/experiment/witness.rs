//! Scripted messages under which a system deadlocks.
//!
//! A cycle of dependencies names a message for each of them. Runs with these messages, generated at
//! random times, are made until one deadlocks; messages without which it deadlocks too are then
//! removed. A rule with choices may avoid a cycle, so messages between any permitted pair follow.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::engine::{Snapshot, WormView};
use crate::ids::{MessageId, NodeId, RouterId};
use crate::network_files::{Permitted, read_messages};
use crate::random::{Stream, mix};
use crate::routing::dependency::{Pairs, Proof, Verdict, messages};
use crate::scenario::{LazyCapacity, Scenario};
use crate::session::Session;
use crate::stats::WarmUp;
use crate::switching::{Forwarding, OnDeadlock, Switching, Wormhole};
use crate::system::System;
use crate::traffic::Traffic;
use crate::traffic::lengths::LENGTH_MAX;
use crate::units::{Cycle, WHOLE};

/// Messages for each pair, in the order of attempts: mostly one, because few messages are easier to follow.
const COPIES: [u32; 10] = [1, 1, 1, 1, 1, 1, 2, 4, 8, 16];
/// Lengths of messages in buffers.
const BUFFERS: [u32; 3] = [1, 4, 16];
/// Attempts with the same number and length of messages.
const REPEATS: usize = 4;
/// Attempts after the first one that deadlocks; the one with the fewest messages is taken.
const FURTHER: usize = 5;
/// The most messages between any pairs, in one attempt.
const MESSAGES_MAX: usize = 1 << 14;
/// Cycles after the last birth for each flit, before a run is given up.
const PATIENCE: u64 = 64;

/// Messages under which a system deadlocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The messages, as a table that `Replay` reads.
    pub table: String,
    /// The number of messages.
    pub messages: usize,
    /// The messages that wait for each other.
    pub members: usize,
    /// The cycle in which the last of these begins to wait.
    pub closed: Cycle,
    /// The cycle in which the run detects the deadlock and stops.
    pub end: Cycle,
}

/// A message to be generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Letter {
    born: u64,
    ends: [NodeId; 2],
    length: u32,
    class: u8,
}

/// Searches for messages that close the cycle of a failed proof for these pairs of routers; `None` if no
/// run deadlocks, without a cycle, and for circuits and closed loops, which no table replaces. `share`
/// follows the search, in parts of [`WHOLE`].
pub fn find(
    scenario: &Scenario,
    proof: &Proof,
    pairs: &Pairs,
    (stop, share): (&AtomicBool, &AtomicU32),
) -> Option<Witness> {
    let Verdict::Cyclic { cycle } = &proof.verdict else { return None };
    let system = &scenario.system;
    if system.traffic.closed_loop.is_some() {
        return None;
    }
    let trial = Trial { scenario, stop, machine: system.wormhole()? };
    let network = &system.network;
    let mut named = messages(network, &system.relation, pairs, cycle);
    named.sort_unstable();
    named.dedup();
    let named: Option<Vec<(RouterId, RouterId)>> = named.into_iter().collect();
    let named = named.unwrap_or_default();
    let any = LazyCell::new(|| {
        let destinations = (0..network.routers()).map(RouterId::new);
        let to = |to| pairs.to(network, to).into_iter().map(move |from| (from, to));
        destinations.flat_map(to).collect::<Vec<_>>()
    });
    let kinds = (COPIES.len() * BUFFERS.len() * REPEATS) as u32;
    let mut attempts = (0..2 * kinds).map(|number| {
        share.store(WHOLE * number / (2 * kinds), Ordering::Relaxed);
        let pairs = if number < kinds { &named } else { &*any };
        let letters = trial.letters(pairs, (number % kinds) as usize, number);
        trial.deadlocks(&letters).then_some(letters)
    });
    let first = attempts.find_map(|found| found)?;
    let several = iter::once(first).chain(attempts.take(FURTHER).flatten());
    let fewest = several.map(|it| trial.reduced(it)).min_by_key(Vec::len)?;
    trial.witness(&fewest)
}

/// Runs of a system with given messages.
struct Trial<'a> {
    scenario: &'a Scenario,
    stop: &'a AtomicBool,
    machine: &'a Wormhole,
}

impl Trial<'_> {
    /// Messages between these pairs with random times of generation.
    fn letters(&self, pairs: &[(RouterId, RouterId)], kind: usize, number: u32) -> Vec<Letter> {
        let network = &self.scenario.system.network;
        let mut random = Stream::keyed(mix(mix(self.scenario.seed, 0), u64::from(number)));
        let classes = self.classes_of_arrivals();
        let kind = kind / REPEATS;
        let copies = COPIES[kind / BUFFERS.len()];
        let buffer = self.machine.buffer_flits;
        let length = match self.machine.forwarding {
            Forwarding::Wormhole => BUFFERS[kind % BUFFERS.len()].saturating_mul(buffer),
            // Buffers hold whole messages.
            Forwarding::CutThrough | Forwarding::StoreAndForward => buffer,
            Forwarding::Bubble => (buffer / 2).max(1),
        };
        let length = length.min(LENGTH_MAX);
        let all = pairs.len().saturating_mul(copies as usize);
        let span = length * copies;
        let letter = |at: usize| {
            // Too many messages are reduced to random ones.
            let at =
                if all > MESSAGES_MAX { random.below(pairs.len() as u32) as usize } else { at };
            let (from, to) = pairs[at % pairs.len()];
            let ends = [from, to].map(|router| {
                let hosts = network.hosts_at(router);
                hosts[random.below(hosts.len() as u32) as usize]
            });
            let class = classes[random.below(classes.len() as u32) as usize];
            Letter { born: u64::from(random.below(span)), ends, length, class }
        };
        let mut letters: Vec<Letter> = (0..all.min(MESSAGES_MAX)).map(letter).collect();
        letters.sort_by_key(|letter| letter.born);
        letters
    }

    /// The numbers of the classes that are not replies.
    fn classes_of_arrivals(&self) -> Vec<u8> {
        let classes = &self.scenario.system.traffic.classes;
        (0..classes.count() as u8).filter(|&class| !classes.is_reply(class)).collect()
    }

    fn table(&self, letters: &[Letter]) -> String {
        let System { network, traffic, .. } = &self.scenario.system;
        let name_of = |class: u8| traffic.classes.0.get(usize::from(class)).map(|it| &*it.name);
        let mut lines = csv::Writer::from_writer(Vec::new());
        let mut write = |fields: [&str; 4], class: Option<&str>| {
            lines.write_record(fields.into_iter().chain(class)).expect("memory takes all lines");
        };
        let class = name_of(0).map(|_| "class");
        write(["born", "source", "destination", "length"], class);
        for letter in letters {
            let [from, to] = letter.ends.map(|node| network.node_name(node));
            let (born, length) = (letter.born.to_string(), letter.length.to_string());
            write([&born, &from, &to, &length], name_of(letter.class));
        }
        let text = lines.into_inner().expect("memory takes all lines");
        String::from_utf8(text).expect("names are text")
    }

    /// The run of a table until its end; `None` if interrupted.
    fn run(&self, letters: &[Letter]) -> Option<Session> {
        let last = letters.last()?.born;
        let flits: u64 = letters.iter().map(|letter| u64::from(letter.length)).sum();
        let until = last + PATIENCE * (flits + self.scenario.system.network.routers() as u64);
        let mut session = self.session(letters);
        while !session.is_over() && session.now().0 < until {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            session.advance(Cycle((session.now().0 + 10_000).min(until)));
        }
        Some(session)
    }

    fn session(&self, letters: &[Letter]) -> Session {
        let System { network, traffic, .. } = &self.scenario.system;
        // The reader of users' tables is part of the trial.
        let draft = read_messages(&self.table(letters), network, &Permitted::by(traffic));
        let script = draft.expect("the messages are those of the network").script;
        let to_itself = traffic.to_itself;
        let traffic = Traffic { to_itself, ..Traffic::scripted(script, traffic.classes.clone()) };
        let mut system = self.scenario.system.clone().with_traffic(traffic);
        if let Switching::Wormhole(machine) = &mut system.switching {
            machine.on_deadlock = OnDeadlock::Stop;
        }
        let capacity = LazyCapacity::default();
        let scenario = Scenario { system, capacity, ..self.scenario.clone() };
        Session::new(Arc::new(scenario), self.scenario.seed, 0, WarmUp::Cycles(0))
    }

    fn deadlocks(&self, letters: &[Letter]) -> bool {
        self.run(letters).is_some_and(|session| session.deadlock().is_some())
    }

    /// The messages that are in the network at the end of a run.
    fn present(&self, letters: &[Letter]) -> Option<Vec<Letter>> {
        let session = self.run(letters)?;
        let mut snapshot = Snapshot::default();
        session.observe(&mut snapshot);
        let names: HashSet<MessageId> = snapshot.worms.iter().map(WormView::name).collect();
        let mut serials: HashMap<NodeId, u64> = HashMap::new();
        let mut is_present = |letter: &&Letter| {
            let [source, _] = letter.ends;
            let next = serials.entry(source).or_default();
            let serial = std::mem::replace(next, *next + 1);
            names.contains(&MessageId { source, serial })
        };
        Some(letters.iter().filter(|letter| is_present(letter)).copied().collect())
    }

    /// The messages without those that the deadlock does not need, from cycle 0 if possible.
    fn reduced(&self, mut letters: Vec<Letter>) -> Vec<Letter> {
        if let Some(present) = self.present(&letters).filter(|present| self.deadlocks(present)) {
            letters = present;
        }
        let mut part = letters.len().div_ceil(2);
        while part > 0 {
            let (mut at, before) = (0, letters.len());
            while at < letters.len() {
                let mut fewer = letters.clone();
                fewer.drain(at..(at + part).min(letters.len()));
                if !fewer.is_empty() && self.deadlocks(&fewer) {
                    letters = fewer;
                } else {
                    at += part;
                }
            }
            // Single messages are removed until none can be.
            part = if part == 1 && letters.len() < before { 1 } else { part / 2 };
        }
        let first = letters[0].born;
        let mut earlier = letters.clone();
        for letter in &mut earlier {
            letter.born -= first;
        }
        if self.deadlocks(&earlier) { earlier } else { letters }
    }

    fn witness(&self, letters: &[Letter]) -> Option<Witness> {
        let session = self.run(letters)?;
        let set = session.deadlock()?.sets.first()?;
        let (members, closed) = (set.worms.len(), set.closed);
        let (table, messages) = (self.table(letters), letters.len());
        Some(Witness { table, messages, members, closed, end: session.now() })
    }
}

#[cfg(test)]
mod tests;
