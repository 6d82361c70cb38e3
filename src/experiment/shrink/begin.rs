//! The messages of a run until its first deadlock.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Case, DeadlockKind, Size};
use crate::engine::{Change, DeadlockSet, Snapshot, WormView};
use crate::experiment::trial::{Letter, Trial, stopping};
use crate::scenario::Scenario;
use crate::session::Session;
use crate::session::saved::Saved;
use crate::stats::WarmUp;
use crate::system::System;
use crate::text::count;
use crate::traffic::script::Script;
use crate::traffic::sources::{Generated, Message, Sources};
use crate::units::Cycle;

/// The reason why there is no deadlock to reduce.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Without {
    /// Circuits have no tables of messages.
    Circuits,
    /// The run closes or opens links, which no scenario of messages does.
    Changes,
    /// Links or routers fail during the run.
    Failures,
    /// No deadlock until this cycle.
    Deadlock { cycle: Cycle },
    /// The messages of the run alone deadlock no longer.
    Repetition { messages: usize },
    /// The search was interrupted before the first deadlock.
    Interrupted,
}

impl fmt::Display for Without {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Circuits => {
                f.write_str("circuits have no tables of messages, which a reduced deadlock needs")
            }
            Self::Failures => f.write_str(
                "links or routers fail during this run, and a table of messages repeats no failures",
            ),
            Self::Changes => f.write_str("links are closed or opened during this run"),
            Self::Deadlock { cycle } => write!(f, "no deadlock was found until cycle {}", cycle.0),
            Self::Repetition { messages } => write!(
                f,
                "the run deadlocks, and its {} from a table do not",
                count(*messages, "message", "messages")
            ),
            Self::Interrupted => f.write_str("interrupted before a deadlock was found"),
        }
    }
}

/// The most messages of a run that are tried together.
const ALL_MAX: usize = 1 << 22;

/// The beginning of a reduction.
pub(super) struct Begin {
    /// Different messages of the run, each of which deadlock.
    pub cases: Vec<Case>,
    pub kind: DeadlockKind,
    /// The size of the run with all messages until the deadlock.
    pub given: Size,
}

/// A message with its number at its source.
type Numbered = (u64, Letter);

/// Runs until the first deadlock, no later than cycle `until`, and finds messages that repeat it from a
/// table: the members of the first set, the messages in the network, or else all messages.
pub(super) fn find(saved: &Saved, until: Cycle, stop: &AtomicBool) -> Result<Begin, Without> {
    let scenario = &saved.scenario;
    if scenario.system.circuit().is_some() {
        return Err(Without::Circuits);
    }
    if !scenario.system.plan().is_empty() {
        return Err(Without::Failures);
    }
    let (session, delivered) = run(saved, until, stop)?;
    let Some(deadlock) = session.deadlock() else {
        let was_interrupted = stop.load(Ordering::Relaxed);
        let none = Without::Deadlock { cycle: session.now() };
        return Err(if was_interrupted { Without::Interrupted } else { none });
    };
    let kind = DeadlockKind::of(&deadlock.sets[0]);
    let trial = Trial { scenario, stop, kind: Some(kind) };
    let network = &scenario.system.network;
    let mut given =
        Size { messages: 0, flits: 0, routers: network.routers(), links: network.links() };
    each_arrival(&session, &delivered, |letter| {
        given.messages += 1;
        given.flits += u64::from(letter.length);
    });
    let deadlocks = |letters: &Vec<Letter>| !letters.is_empty() && trial.deadlocks(letters);
    let [members, present] = inside(&session, &deadlock.sets[0]);
    let mut starts: Vec<Vec<Letter>> = [members, present].into_iter().filter(deadlocks).collect();
    if starts.is_empty() && given.messages <= ALL_MAX {
        let mut all = Vec::new();
        each_arrival(&session, &delivered, |letter| all.push(letter));
        starts.extend(Some(all).filter(deadlocks));
    }
    if starts.is_empty() {
        return Err(Without::Repetition { messages: given.messages });
    }
    let case = |letters| Case { scenario: Scenario::clone(scenario), letters };
    Ok(Begin { cases: starts.into_iter().map(case).collect(), kind, given })
}

/// The run until its deadlock, with the messages delivered before if others follow from them.
fn run(
    saved: &Saved,
    until: Cycle,
    stop: &AtomicBool,
) -> Result<(Session, Vec<Numbered>), Without> {
    let scenario = &saved.scenario;
    let traffic = scenario.system.traffic.clone();
    let stopping = Arc::new(stopping(scenario, traffic));
    let mut session = Session::new(stopping, saved.seed, 0, WarmUp::Cycles(0));
    let (mut delivered, follows) = (Vec::new(), follow(&saved.scenario));
    let mut journal = saved.journal.iter().peekable();
    while session.now() < until && !session.is_over() && !stop.load(Ordering::Relaxed) {
        let next = journal.peek().map_or(until, |it| it.cycle.min(until));
        session.advance_with(Cycle((session.now().0 + 10_000).min(next.0)), |delivery| {
            if follows {
                let ends = [delivery.source, delivery.destination];
                let (born, class) = (delivery.born.0, delivery.message_class);
                let letter = Letter { born, ends, length: delivery.length, class };
                delivered.push((delivery.serial, letter));
            }
        });
        while let Some(done) = journal.next_if(|it| it.cycle <= session.now()) {
            match done.change {
                Change::Rate(rate) => session.set_rate(rate),
                Change::LinkDown(_) | Change::LinkUp(_) => return Err(Without::Changes),
            }
        }
    }
    Ok((session, delivered))
}

/// True if messages follow from the deliveries of others.
fn follow(scenario: &Scenario) -> bool {
    let traffic = &scenario.system.traffic;
    let awaits = |script: &Script| script.at_once() < script.len();
    traffic.closed_loop.is_some() || traffic.script.as_ref().is_some_and(awaits)
}

/// The members of a set of a deadlock, and the messages in the network, without replies.
fn inside(session: &Session, set: &DeadlockSet) -> [Vec<Letter>; 2] {
    let mut snapshot = Snapshot::default();
    session.observe(&mut snapshot);
    let of = |counts: &dyn Fn(&WormView) -> bool| {
        ordered(session, snapshot.worms.iter().filter(|worm| counts(worm)).map(numbered).collect())
    };
    [of(&|worm| set.worms.contains(&worm.id)), of(&|_| true)]
}

fn numbered(worm: &WormView) -> Numbered {
    let ends = [worm.source, worm.destination];
    let (born, length, class) = (worm.born.0, worm.length, worm.message_class);
    (worm.serial, Letter { born, ends, length, class })
}

/// Messages in the order of their birth; replies follow by themselves.
fn ordered(session: &Session, mut all: Vec<Numbered>) -> Vec<Letter> {
    let classes = &session.scenario().system.traffic.classes;
    all.retain(|(_, letter)| !classes.is_reply(letter.class));
    all.sort_by_key(|&(serial, letter)| (letter.born, letter.ends[0], serial));
    all.into_iter().map(|(_, letter)| letter).collect()
}

/// Calls `found` with every arrival of a run, those that wait at their sources included. Of messages that
/// follow from deliveries, only those that have left their sources are known.
fn each_arrival(session: &Session, delivered: &[Numbered], mut found: impl FnMut(Letter)) {
    let System { network, traffic, .. } = &session.scenario().system;
    if follow(session.scenario()) {
        let mut snapshot = Snapshot::default();
        session.observe(&mut snapshot);
        let all = delivered.iter().copied().chain(snapshot.worms.iter().map(numbered)).collect();
        return ordered(session, all).into_iter().for_each(found);
    }
    let mut sources = Sources::new(traffic, network, session.seed(), session.replication());
    let rates = session.journal().iter().filter_map(|it| Some((it.cycle.0, it.change.rate()?)));
    let end = (session.now().0, session.rate());
    for (cycle, rate) in rates.chain([end]) {
        while let Some(next) = sources.generate(cycle.saturating_sub(1)) {
            let Generated::Asks(message) = next else { continue };
            sources.leave(message.source, message.class);
            let Message { source, destination, born, length, class, .. } = message;
            found(Letter { born, ends: [source, destination], length, class });
        }
        sources.set_rate(cycle, rate);
    }
}
