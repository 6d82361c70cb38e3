//! The messages of a run until its first deadlock.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failures::{failures, happened, with_failures};
use super::times::{earlier, with};
use super::{Case, DeadlockKind, Phase, Size};
use crate::engine::{Snapshot, WormView};
use crate::experiment::trial::{Letter, Trial, advance, stopping};
use crate::ids::NodeId;
use crate::scenario::Scenario;
use crate::session::Session;
use crate::session::saved::Saved;
use crate::stats::WarmUp;
use crate::system::System;
use crate::system::failures::{Failure, Failures};
use crate::text::count;
use crate::traffic::script::Script;
use crate::traffic::sources::{Generated, Message, Sources};
use crate::units::Cycle;

/// The reason why there is no deadlock to reduce.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Without {
    /// Circuits have no tables of messages.
    Circuits,
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
/// The most delivered messages of a run that are kept.
const DELIVERED_MAX: usize = 1 << 20;
/// The first number of cycles before a deadlock whose messages are tried.
const WINDOW: u64 = 64;
/// Seeds tried for the messages of a window.
const SEEDS: u64 = 3;

/// The beginning of a reduction.
pub(super) struct Begin {
    /// Messages of the run that deadlock.
    pub case: Case,
    pub kind: DeadlockKind,
    /// The size of the run with all messages until the deadlock.
    pub given: Size,
}

/// A message of the run that has left its source.
#[derive(Clone, Copy, Debug)]
struct Sent {
    /// The number at its source.
    serial: u64,
    letter: Letter,
    /// The cycle in which the head entered the network, if known.
    entered: u64,
    /// The cycle of the delivery.
    done: u64,
}

/// Runs until the first deadlock, no later than cycle `until`, and finds messages that repeat it from a
/// table: the members of the first set, the messages in the network in the last cycles, or else all messages.
///
/// # Errors
/// The reason why there is none, or none of the wanted kind.
pub(super) fn find(
    saved: &Saved,
    (until, wanted): (Cycle, Option<DeadlockKind>),
    (stop, phase): (&AtomicBool, &dyn Fn(Phase)),
) -> Result<Begin, Without> {
    if saved.scenario.system.circuit().is_some() {
        return Err(Without::Circuits);
    }
    phase(Phase::Run);
    let (session, delivered) = run(saved, until, stop);
    let Some(deadlock) = session.deadlock() else {
        let was_interrupted = stop.load(Ordering::Relaxed);
        let none = Without::Deadlock { cycle: session.now() };
        return Err(if was_interrupted { Without::Interrupted } else { none });
    };
    phase(Phase::Repetition);
    let set = &deadlock.sets[0];
    let kind = DeadlockKind::of(set);
    if wanted.is_some_and(|wanted| wanted != kind) {
        return Err(Without::Deadlock { cycle: session.now() });
    }
    let failures = happened(saved, session.now());
    let network = &saved.scenario.system.network;
    let mut given = Size {
        messages: 0,
        flits: 0,
        routers: network.routers(),
        links: network.links(),
        failures: failures.given.len(),
    };
    let scenario = Scenario::clone(&saved.scenario);
    let scenario = with_failures(Scenario { seed: saved.seed, ..scenario }, failures);
    let mut all = Vec::new();
    each_arrival(&session, &delivered, |letter| {
        given.messages += 1;
        given.flits += u64::from(letter.length);
        if all.len() <= ALL_MAX {
            all.push(letter);
        }
    });
    let case = |letters| Case { scenario: scenario.clone(), letters, outcome: None };
    // Random choices of a message depend on its number.
    let seeds = || (1..=SEEDS).filter(|&seed| seed != saved.seed);
    let repeated = |mut case: Case| {
        std::iter::once(saved.seed).chain(seeds()).find_map(|seed| {
            case.scenario.seed = seed;
            let trial = Trial { scenario: &case.scenario, stop, kind: Some(kind) };
            case.outcome = trial.outcome(&case.letters);
            case.outcome.is_some().then(|| case.clone())
        })
    };
    let members = |worm: &WormView| set.worms.contains(&worm.id);
    let some = [inside(&session, members), inside(&session, |_| true)];
    let some = some.into_iter().map(|sent| ordered(&session, sent));
    let some = some.flat_map(|letters| [from_begin(&case(letters.clone())), case(letters)]);
    let recent = windows(session.now().0).map(|since| recent(&session, &delivered, since, &case));
    let every = (all.len() <= ALL_MAX).then_some(all).map(case);
    let mut starts = some.chain(recent).chain(every);
    match starts.find_map(repeated) {
        Some(case) => Ok(Begin { case, kind, given }),
        None if stop.load(Ordering::Relaxed) => Err(Without::Interrupted),
        None => Err(Without::Repetition { messages: given.messages }),
    }
}

/// The run until its deadlock, with the messages delivered before.
fn run(saved: &Saved, until: Cycle, stop: &AtomicBool) -> (Session, VecDeque<Sent>) {
    let scenario = &saved.scenario;
    let traffic = scenario.system.traffic.clone();
    let stopping = Arc::new(stopping(scenario, traffic));
    let mut session = Session::new(stopping, saved.seed, 0, WarmUp::Cycles(0));
    let (mut delivered, follows) = (VecDeque::new(), follow(&saved.scenario));
    let mut journal = saved.journal.iter().peekable();
    loop {
        while let Some(done) = journal.next_if(|it| it.cycle <= session.now()) {
            session.apply(done.change);
        }
        let next = journal.peek().map_or(until, |it| it.cycle.min(until));
        let went = advance(&mut session, next, stop, |delivery| {
            if delivered.len() == DELIVERED_MAX && !follows {
                delivered.pop_front();
            }
            let ends = [delivery.source, delivery.destination];
            let (born, class) = (delivery.born.0, delivery.message_class);
            let letter = Letter { born, ends, length: delivery.length, class };
            let (entered, done) = (delivery.entered.0, delivery.done.0);
            delivered.push_back(Sent { serial: delivery.serial, letter, entered, done });
        });
        if !went || session.is_over() || session.now() >= until {
            return (session, delivered);
        }
    }
}

/// The first cycles of windows before the end of a run, each twice as long as the one before.
fn windows(end: u64) -> impl Iterator<Item = u64> {
    let lengths = std::iter::successors(Some(WINDOW), |length| length.checked_mul(2));
    lengths.map_while(move |length| end.checked_sub(length)).filter(|&since| since > 0)
}

/// The case of the messages that were in the network since a cycle, generated when they entered.
fn recent(
    session: &Session,
    delivered: &VecDeque<Sent>,
    since: u64,
    case: &dyn Fn(Vec<Letter>) -> Case,
) -> Case {
    let late = delivered.iter().rev().take_while(|sent| sent.done >= since);
    let mut sent: Vec<Sent> = late.copied().chain(inside(session, |_| true)).collect();
    sent.sort_by_key(|sent| (sent.letter.ends[0], sent.serial));
    let mut last: BTreeMap<NodeId, u64> = BTreeMap::new();
    for Sent { letter, entered, .. } in &mut sent {
        // A source sends in the order of generation.
        let last = last.entry(letter.ends[0]).or_default();
        *last = (*last).max(*entered).max(since);
        letter.born = *last;
    }
    from_begin(&case(ordered(session, sent)))
}

/// The case with its first birth as early as failures before permit.
fn from_begin(case: &Case) -> Case {
    let first = case.letters.iter().map(|letter| letter.born).min().unwrap_or(0);
    let Failures { given, consequences, .. } = failures(&case.scenario).clone();
    // Routes have changed before.
    let by = first.saturating_sub(consequences.reroute_after);
    let ended = |it: &Failure| it.lasts.is_some_and(|lasts| it.cycle + lasts <= by);
    let given = given.into_iter().filter(|failure| !ended(failure)).collect();
    earlier(&with(case, given, consequences), 0, by)
}

/// True if messages follow from the deliveries of others.
fn follow(scenario: &Scenario) -> bool {
    let traffic = &scenario.system.traffic;
    let awaits = |script: &Script| script.at_once() < script.len();
    traffic.closed_loop.is_some() || traffic.script.as_ref().is_some_and(awaits)
}

/// Some messages in the network, generated when they were.
fn inside(session: &Session, counts: impl Fn(&WormView) -> bool) -> Vec<Sent> {
    let mut snapshot = Snapshot::default();
    session.observe(&mut snapshot);
    let sent = |worm: &WormView| {
        let ends = [worm.source, worm.destination];
        let (born, length, class) = (worm.born.0, worm.length, worm.message_class);
        let letter = Letter { born, ends, length, class };
        Sent { serial: worm.serial, letter, entered: born, done: u64::MAX }
    };
    snapshot.worms.iter().filter(|worm| counts(worm)).map(sent).collect()
}

/// Messages in the order of their birth; replies follow by themselves.
fn ordered(session: &Session, mut all: Vec<Sent>) -> Vec<Letter> {
    let classes = &session.scenario().system.traffic.classes;
    all.retain(|sent| !classes.is_reply(sent.letter.class));
    all.sort_by_key(|sent| (sent.letter.born, sent.letter.ends[0], sent.serial));
    all.into_iter().map(|sent| sent.letter).collect()
}

/// Calls `found` with every arrival of a run, those that wait at their sources included. Of messages that
/// follow from deliveries, only those that have left their sources are known.
fn each_arrival(session: &Session, delivered: &VecDeque<Sent>, mut found: impl FnMut(Letter)) {
    let System { network, traffic, .. } = &session.scenario().system;
    if follow(session.scenario()) {
        let all = delivered.iter().copied().chain(inside(session, |_| true)).collect();
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
