//! Runs of a system with given messages, until some of them wait for each other.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::{DeadlockSet, Delivery, Snapshot, WaitKind, WormView};
use crate::ids::{MessageId, NodeId, WormId};
use crate::scenario::{LazyCapacity, Scenario};
use crate::session::Session;
use crate::stats::WarmUp;
use crate::switching::{OnDeadlock, Switching};
use crate::system::System;
use crate::traffic::Traffic;
use crate::traffic::script::Draft;
use crate::units::Cycle;

/// Cycles after the last birth or failure for each flit, before a run is given up.
const PATIENCE: u64 = 64;
/// Link cycles between two looks for an interruption.
const WORK: u64 = 1 << 18;

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

/// The deadlock of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Outcome {
    /// The messages that wait for each other.
    pub members: usize,
    /// The cycle in which the last of these begins to wait.
    pub closed: Cycle,
    /// The cycle in which the run stops.
    pub end: Cycle,
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
        self.outcome(letters).is_some()
    }

    /// The deadlock of a run, if it is of the wanted kind.
    pub fn outcome(&self, letters: &[Letter]) -> Option<Outcome> {
        let session = self.run(letters)?;
        let set = self.set(&session)?;
        Some(Outcome { members: set.worms.len(), closed: set.closed, end: session.now() })
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
        let System { network, .. } = &self.scenario.system;
        let flits: u64 = letters.iter().map(|letter| u64::from(letter.length)).sum();
        let last = letters.iter().map(|letter| letter.born).max()?.max(self.last_change());
        let until = last + PATIENCE * (flits + network.routers() as u64);
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut session = self.session(letters);
        advance(&mut session, Cycle(until), self.stop, |_| ()).then_some(session)
    }

    /// The last cycle in which links or routes change.
    fn last_change(&self) -> u64 {
        let plan = self.scenario.system.plan();
        let last = plan.events.last().map(|event| event.cycle);
        last.map_or(0, |last| last.saturating_add(plan.consequences().reroute_after))
    }

    fn session(&self, letters: &[Letter]) -> Session {
        let Traffic { to_itself, classes, .. } = &self.scenario.system.traffic;
        let mut draft = Draft::default();
        for letter in letters {
            draft.add(letter.born, letter.ends, letter.length);
            draft.set_class(letter.class);
        }
        let script = draft.finish().expect("no message awaits another");
        let traffic =
            Traffic { to_itself: *to_itself, ..Traffic::scripted(script, classes.clone()) };
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
        letters = without_superfluous(letters, self.stop, |fewer| self.deadlocks(fewer));
        let first = letters[0].born;
        let mut earlier = letters.clone();
        for letter in &mut earlier {
            letter.born -= first;
        }
        if self.deadlocks(&earlier) { earlier } else { letters }
    }
}

/// Advances a run, and passes every delivery to `tell`; false if interrupted.
pub(super) fn advance(
    session: &mut Session,
    until: Cycle,
    stop: &AtomicBool,
    mut tell: impl FnMut(&Delivery),
) -> bool {
    let links = session.scenario().system.network.links() as u64;
    let step = (WORK / links.max(1)).max(1);
    while !session.is_over() && session.now() < until {
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        session.advance_with(Cycle((session.now().0 + step).min(until.0)), &mut tell);
    }
    true
}

/// Removes parts of a list, and then single entries until none can be: those without which `deadlocks` is
/// true of the others. Ends early once `stop` is set.
pub(super) fn without_superfluous<T: Clone>(
    mut all: Vec<T>,
    stop: &AtomicBool,
    mut deadlocks: impl FnMut(&[T]) -> bool,
) -> Vec<T> {
    let mut part = all.len();
    while part > 0 {
        let (mut at, before) = (0, all.len());
        while at < all.len() && !stop.load(Ordering::Relaxed) {
            let mut fewer = all.clone();
            fewer.drain(at..(at + part).min(all.len()));
            if deadlocks(&fewer) {
                all = fewer;
            } else {
                at += part;
            }
        }
        part = if part == 1 && all.len() < before { 1 } else { part / 2 };
    }
    all
}

/// The scenario with other traffic, whose runs stop at a deadlock.
pub(super) fn stopping(scenario: &Scenario, traffic: Traffic) -> Scenario {
    let mut system = scenario.system.clone().with_traffic(traffic);
    if let Switching::Wormhole(machine) = &mut system.switching {
        machine.on_deadlock = OnDeadlock::Stop;
    }
    // The text may be long, and runs do not need it.
    Scenario {
        name: scenario.name.clone(),
        file: None,
        title: String::new(),
        notes: Vec::new(),
        description: String::new(),
        text: String::new(),
        overrides: Vec::new(),
        system,
        stream: scenario.stream.clone(),
        seed: scenario.seed,
        default_release: scenario.default_release,
        capacity: LazyCapacity::default(),
    }
}
