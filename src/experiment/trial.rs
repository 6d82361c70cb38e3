//! Runs of a system with given messages, until some of them wait for each other.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::{DeadlockSet, Snapshot, WaitKind, WormView};
use crate::ids::{MessageId, NodeId, WormId};
use crate::network_files::{Permitted, read_messages};
use crate::scenario::{LazyCapacity, Scenario};
use crate::session::Session;
use crate::stats::WarmUp;
use crate::switching::{OnDeadlock, Switching};
use crate::system::System;
use crate::traffic::Traffic;
use crate::units::Cycle;

/// Cycles after the last birth for each flit, before a run is given up.
const PATIENCE: u64 = 64;

/// A message to be generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Letter {
    pub born: u64,
    pub ends: [NodeId; 2],
    pub length: u32,
    pub class: u8,
}

/// The properties of a deadlock that fewer messages must preserve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeadlockKind {
    /// True if a head had a choice between VCs: a knot.
    pub choice: bool,
    /// True if messages that share a buffer wait for each other.
    pub shared_buffers: bool,
    /// True if requests wait for room for their replies.
    pub replies: bool,
}

impl DeadlockKind {
    /// The kind of a set of worms that wait for each other.
    pub fn of(set: &DeadlockSet) -> Self {
        let any = |kinds: &[WaitKind]| set.circle.iter().any(|wait| kinds.contains(&wait.kind));
        Self {
            choice: set.knot,
            shared_buffers: any(&[WaitKind::HeadOfLine, WaitKind::Room]),
            replies: any(&[WaitKind::Reply]),
        }
    }
}

/// Runs of a scenario with given messages.
pub(super) struct Trial<'a> {
    pub scenario: &'a Scenario,
    /// Set to end all runs.
    pub stop: &'a AtomicBool,
    /// The kind of deadlock that counts; `None` for any.
    pub kind: Option<DeadlockKind>,
}

impl Trial<'_> {
    pub fn deadlocks(&self, letters: &[Letter]) -> bool {
        self.run(letters).is_some_and(|session| self.set(&session).is_some())
    }

    /// The first set of the wanted kind in the deadlock of a run.
    pub fn set<'s>(&self, session: &'s Session) -> Option<&'s DeadlockSet> {
        let mut sets = session.deadlock()?.sets.iter();
        sets.find(|set| self.kind.is_none_or(|kind| DeadlockKind::of(set) == kind))
    }

    /// The table of messages, as `Replay` reads it.
    pub fn table(&self, letters: &[Letter]) -> String {
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
    pub fn run(&self, letters: &[Letter]) -> Option<Session> {
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
        let scenario = stopping(self.scenario, traffic);
        Session::new(Arc::new(scenario), self.scenario.seed, 0, WarmUp::Cycles(0))
    }

    /// The messages that are in the network at the end of a run.
    pub fn present(&self, letters: &[Letter]) -> Option<Vec<Letter>> {
        Some(Self::inside(&self.run(letters)?, letters, |_| true))
    }

    /// The messages that wait for each other at the end of a run.
    pub fn members(&self, letters: &[Letter]) -> Option<Vec<Letter>> {
        let session = self.run(letters)?;
        let set = self.set(&session)?;
        Some(Self::inside(&session, letters, |worm| set.worms.contains(&worm)))
    }

    /// The messages that are in the network, of some worms.
    fn inside(
        session: &Session,
        letters: &[Letter],
        counts: impl Fn(WormId) -> bool,
    ) -> Vec<Letter> {
        let mut snapshot = Snapshot::default();
        session.observe(&mut snapshot);
        let worms = snapshot.worms.iter().filter(|worm| counts(worm.id));
        let names: HashSet<MessageId> = worms.map(WormView::name).collect();
        let mut serials: HashMap<NodeId, u64> = HashMap::new();
        let mut is_present = |letter: &&Letter| {
            let [source, _] = letter.ends;
            let next = serials.entry(source).or_default();
            let serial = std::mem::replace(next, *next + 1);
            names.contains(&MessageId { source, serial })
        };
        letters.iter().filter(|letter| is_present(letter)).copied().collect()
    }

    /// The messages without those that the deadlock does not need, from cycle 0 if possible.
    pub fn reduced(&self, mut letters: Vec<Letter>) -> Vec<Letter> {
        if let Some(present) = self.present(&letters).filter(|present| self.deadlocks(present)) {
            letters = present;
        }
        letters = without_superfluous(letters, |fewer| self.deadlocks(fewer));
        let first = letters[0].born;
        let mut earlier = letters.clone();
        for letter in &mut earlier {
            letter.born -= first;
        }
        if self.deadlocks(&earlier) { earlier } else { letters }
    }
}

/// Removes parts of messages, and then single ones until none can be: those without which `deadlocks` is true
/// of the others.
pub(super) fn without_superfluous(
    mut letters: Vec<Letter>,
    mut deadlocks: impl FnMut(&[Letter]) -> bool,
) -> Vec<Letter> {
    let mut part = letters.len().div_ceil(2);
    while part > 0 {
        let (mut at, before) = (0, letters.len());
        while at < letters.len() {
            let mut fewer = letters.clone();
            fewer.drain(at..(at + part).min(letters.len()));
            if !fewer.is_empty() && deadlocks(&fewer) {
                letters = fewer;
            } else {
                at += part;
            }
        }
        part = if part == 1 && letters.len() < before { 1 } else { part / 2 };
    }
    letters
}

/// The scenario with other traffic, whose runs stop at a deadlock.
pub(super) fn stopping(scenario: &Scenario, traffic: Traffic) -> Scenario {
    let mut system = scenario.system.clone().with_traffic(traffic);
    if let Switching::Wormhole(machine) = &mut system.switching {
        machine.on_deadlock = OnDeadlock::Stop;
    }
    Scenario { system, capacity: LazyCapacity::default(), ..scenario.clone() }
}
