//! Scripted messages under which a system deadlocks.
//!
//! A cycle of dependencies names a message for each of them. Runs with these messages, generated at
//! random times, are made until one deadlocks; messages without which it deadlocks too are then
//! removed. A rule with choices may avoid a cycle, so messages between any permitted pair follow.

use std::cell::OnceCell;
use std::iter;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::trial::{Letter, Trial};
use crate::ids::RouterId;
use crate::random::{Stream, mix};
use crate::routing::dependency::{Pairs, Proof, Verdict, messages};
use crate::scenario::Scenario;
use crate::switching::{Forwarding, Wormhole};
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
/// Attempts with different numbers and lengths of messages, with repetitions.
pub(super) const KINDS: u32 = (COPIES.len() * BUFFERS.len() * REPEATS) as u32;
/// The most messages between any pairs, in one attempt.
const MESSAGES_MAX: usize = 1 << 14;

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

/// Searches for messages that close the cycle of a failed proof for these pairs of routers; `None` if no
/// run deadlocks, without a cycle, and for circuits and closed loops, which no table replaces. `share`
/// follows the search, in parts of [`WHOLE`].
pub fn find(
    scenario: &Scenario,
    proof: &Proof,
    pairs: &Pairs,
    (stop, share): (&AtomicBool, &AtomicU32),
) -> Option<Witness> {
    let trial = Trial { scenario, stop, kind: None };
    let attempts = Attempts::new(&trial, proof, pairs)?;
    let mut found = (0..2 * KINDS).map(|number| {
        share.store(WHOLE * number / (2 * KINDS), Ordering::Relaxed);
        attempts.made(number)
    });
    let first = found.find_map(|found| found)?;
    let several = iter::once(first).chain(found.take(FURTHER).flatten());
    let fewest = several.map(|it| trial.reduced(it)).min_by_key(Vec::len)?;
    let session = trial.run(&fewest)?;
    let set = session.deadlock()?.sets.first()?;
    let (members, closed) = (set.worms.len(), set.closed);
    let (table, messages) = (trial.table(&fewest), fewest.len());
    Some(Witness { table, messages, members, closed, end: session.now() })
}

/// Attempts to close the cycle of a failed proof.
pub(super) struct Attempts<'a> {
    trial: &'a Trial<'a>,
    machine: &'a Wormhole,
    pairs: &'a Pairs,
    /// The ends of the messages that a cycle of dependencies names, if all are known.
    named: Vec<(RouterId, RouterId)>,
    any: OnceCell<Vec<(RouterId, RouterId)>>,
}

impl<'a> Attempts<'a> {
    /// `None` without a cycle, and for circuits and closed loops, which no table replaces.
    pub fn new(trial: &'a Trial<'a>, proof: &Proof, pairs: &'a Pairs) -> Option<Self> {
        let Verdict::Cyclic { cycle } = &proof.verdict else { return None };
        let system = &trial.scenario.system;
        if system.traffic.closed_loop.is_some() {
            return None;
        }
        let machine = system.wormhole()?;
        let mut named = messages(&system.network, &system.relation, pairs, cycle);
        named.sort_unstable();
        named.dedup();
        let named: Option<Vec<(RouterId, RouterId)>> = named.into_iter().collect();
        let named = named.unwrap_or_default();
        Some(Self { trial, machine, pairs, named, any: OnceCell::new() })
    }

    /// The messages of an attempt, if they deadlock. A rule with choices may avoid a cycle, so messages
    /// between any permitted pair follow those between the named ones.
    pub fn made(&self, number: u32) -> Option<Vec<Letter>> {
        let pairs = if number < KINDS { &self.named } else { self.any() };
        let letters = self.letters(pairs, (number % KINDS) as usize, number);
        self.trial.deadlocks(&letters).then_some(letters)
    }

    /// The permitted pairs.
    fn any(&self) -> &Vec<(RouterId, RouterId)> {
        self.any.get_or_init(|| {
            let network = &self.trial.scenario.system.network;
            let destinations = (0..network.routers()).map(RouterId::new);
            let to = |to| self.pairs.to(network, to).into_iter().map(move |from| (from, to));
            destinations.flat_map(to).collect()
        })
    }

    /// Messages between these pairs with random times of generation.
    fn letters(&self, pairs: &[(RouterId, RouterId)], kind: usize, number: u32) -> Vec<Letter> {
        let network = &self.trial.scenario.system.network;
        let mut random = Stream::keyed(mix(mix(self.trial.scenario.seed, 0), u64::from(number)));
        let classes = self.classes_of_arrivals();
        let (kind, repeat) = (kind / REPEATS, kind % REPEATS);
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
        // Messages that enter at once close a cycle at once.
        let span = if repeat == 0 { 1 } else { length * copies };
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
        let classes = &self.trial.scenario.system.traffic.classes;
        (0..classes.count() as u8).filter(|&class| !classes.is_reply(class)).collect()
    }
}

#[cfg(test)]
mod tests;
