//! Reduces a deadlock to few and short messages on a small network.
//!
//! The messages of a run up to its deadlock become a table. A smaller case replaces a case if its run,
//! from cycle 0, ends in a deadlock of the same kind. Messages, flits, failures, routers and links are removed
//! in turn until no single one of them can be.

mod begin;
mod ends;
mod failures;
mod fewer_failures;
mod numbers;
mod part;
mod progress;
mod rows;
mod text;
mod times;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::trial::{Letter, Outcome, Trial, without_superfluous};
use crate::scenario::Scenario;
use crate::session::saved::Saved;
use crate::units::Cycle;
use failures::failures;

pub use super::trial::DeadlockKind;
pub use begin::Without;
pub use progress::{Phase, Progress};

/// Seeds tried for few messages.
const SEEDS: u64 = 8;
/// The number of few messages.
const FEW: usize = 64;
/// The number of messages above which other messages are tried before these are removed one by one.
const MANY: usize = 256;

/// A deadlock reduced to scripted messages.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// A scenario whose run deadlocks, as a file.
    pub text: String,
    /// The size of the given run until its deadlock, and of the reduced one.
    pub sizes: [Size; 2],
    pub kind: DeadlockKind,
    /// The messages that wait for each other.
    pub members: usize,
    /// The cycle in which the last of these begins to wait.
    pub closed: Cycle,
    /// The cycle in which the run stops.
    pub end: Cycle,
    /// True if every single removal was tried; false if interrupted, or on a large network.
    pub complete: bool,
}

/// The size of a run with a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Size {
    pub messages: usize,
    /// The flits of all messages.
    pub flits: u64,
    pub routers: usize,
    /// The number of directed links.
    pub links: usize,
    /// The failures of links and routers.
    pub failures: usize,
}

impl Size {
    fn of(case: &Case) -> Self {
        let Case { scenario, letters, .. } = case;
        let network = &scenario.system.network;
        Self {
            messages: letters.len(),
            flits: letters.iter().map(|letter| u64::from(letter.length)).sum(),
            routers: network.routers(),
            links: network.links(),
            failures: failures(scenario).given.len(),
        }
    }
}

/// A scenario with messages under which it deadlocks.
#[derive(Clone, Debug)]
struct Case {
    /// Its text has no failures.
    scenario: Scenario,
    letters: Vec<Letter>,
    /// The deadlock, if a trial has shown it.
    outcome: Option<Outcome>,
}

/// The search for smaller cases.
struct Search<'a> {
    /// The traffic of the given scenario, as text.
    traffic: String,
    kind: DeadlockKind,
    stop: &'a AtomicBool,
    tell: &'a dyn Fn(Progress),
    /// The size of the smallest case so far.
    smallest: Cell<Option<Size>>,
    /// Networks of the family, with a number of failures, on which no deadlock was found.
    refuted: RefCell<BTreeSet<(String, usize)>>,
    /// True if the routers of a large network were not removed one by one.
    skipped: Cell<bool>,
}

/// Reduces the deadlock of a run that begins no later than cycle `until`. `tell` receives every phase and the
/// size of every smaller case; once `stop` is set, the smallest case so far is the result.
///
/// # Errors
/// The reason why there is nothing to reduce.
pub fn shrink(
    saved: &Saved,
    until: Cycle,
    (stop, tell): (&AtomicBool, &dyn Fn(Progress)),
) -> Result<Shrunk, Without> {
    let phase = |phase| tell(Progress { phase, smallest: None });
    let begin::Begin { case, kind, given } = begin::find(saved, (until, None), (stop, &phase))?;
    let traffic = saved.scenario.text_of("traffic").unwrap_or_default();
    let (smallest, refuted, skipped) = (Cell::new(None), RefCell::default(), Cell::new(false));
    let search = Search { traffic, kind, stop, tell, smallest, refuted, skipped };
    let case = search.smallest(case);
    // A run of the smallest case that is made again is not interrupted.
    let never = AtomicBool::new(false);
    let outcome = case.outcome.or_else(|| search.trial_until(&case, &never).outcome(&case.letters));
    let Some(outcome) = outcome else { return Err(Without::Deadlock { cycle: until }) };
    let sizes = [given, Size::of(&case)];
    let complete = !stop.load(Ordering::Relaxed) && !search.skipped.get();
    let text = text::of(&saved.scenario, &case, outcome, sizes);
    let Outcome { members, closed, end } = outcome;
    Ok(Shrunk { text, sizes, kind, members, closed, end, complete })
}

impl Search<'_> {
    fn trial<'c>(&'c self, case: &'c Case) -> Trial<'c> {
        self.trial_until(case, self.stop)
    }

    fn trial_until<'c>(&self, case: &'c Case, stop: &'c AtomicBool) -> Trial<'c> {
        Trial { scenario: &case.scenario, stop, kind: Some(self.kind) }
    }

    /// Reduces a case, and the result again as long as it becomes smaller.
    fn smallest(&self, case: Case) -> Case {
        let mut case = self.smaller(case);
        while !self.is_stopped() {
            let saved = Saved::beginning(Arc::new(text::settled(case.clone()).scenario));
            let saved = Saved { seed: case.scenario.seed, ..saved };
            let limits = (Cycle(u64::MAX), Some(self.kind));
            let again = begin::find(&saved, limits, (self.stop, &|_| ())).ok();
            // Messages between other routers may need fewer of these.
            let others = [again.map(|again| again.case), self.closed(&case.scenario)];
            let reduced = others.into_iter().flatten().map(|other| self.smaller(other));
            match reduced.min_by_key(Size::of) {
                Some(again) if Size::of(&again) < Size::of(&case) => case = again,
                Some(_) | None => return case,
            }
        }
        case
    }

    /// True if the search is to end with the smallest case so far.
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn smaller(&self, mut case: Case) -> Case {
        self.tell(Phase::Messages, &case);
        self.remove_outside(&mut case);
        case = self.with_others(case);
        self.remove(&mut case);
        if self.is_stopped() {
            return case;
        }
        case = text::settled(case);
        self.tell(Phase::Failures, &case);
        fewer_failures::reduce(self, &mut case);
        while !self.is_stopped() {
            let before = case.clone();
            self.tell(Phase::Networks, &case);
            while let Some(smaller) = self.with_smaller_number(&case) {
                case = smaller;
                self.tell(Phase::Networks, &case);
            }
            self.remove(&mut case);
            self.skipped.set(false);
            self.tell(Phase::Parts, &case);
            // Parts keep the hosts of messages only.
            case = self.smaller_part(ends::shorten_ways(self, case));
            self.tell(Phase::Messages, &case);
            // Messages that close the cycle of the proof may be fewer than those of the run.
            if let Some(closed) = self.closed(&case.scenario)
                && closed.letters.len() < case.letters.len()
            {
                case = self.smaller_part(closed);
            }
            self.remove(&mut case);
            self.tell(Phase::Lengths, &case);
            times::shorten(self, &mut case);
            self.tell(Phase::Failures, &case);
            fewer_failures::reduce(self, &mut case);
            // Other births may make another message superfluous.
            let same = |case: &Case| (Size::of(case), failures(&case.scenario).clone());
            if same(&case) == same(&before) && case.letters == before.letters {
                return case;
            }
        }
        case
    }

    /// Reports a phase with the smallest case before it.
    fn tell(&self, phase: Phase, case: &Case) {
        let size = Size::of(case);
        if self.smallest.get().is_none_or(|smallest| size < smallest) {
            self.smallest.set(Some(size));
        }
        self.enter(phase);
    }

    /// Reports a phase.
    fn enter(&self, phase: Phase) {
        (self.tell)(Progress { phase, smallest: self.smallest.get() });
    }

    /// The case, or one of fewer messages on a smaller network or in the cycle of the proof, if there are many.
    fn with_others(&self, case: Case) -> Case {
        if case.letters.len() <= MANY || self.is_stopped() {
            return case;
        }
        self.tell(Phase::Networks, &case);
        // A single message in the text: the table of all may be long.
        let letters = case.letters[..1].to_vec();
        let base = text::settled(Case { letters, ..case.clone() });
        let others =
            self.with_smaller_number(&Case { letters: case.letters.clone(), ..base.clone() });
        let others = others.or_else(|| self.closed(&base.scenario));
        self.enter(Phase::Messages);
        others.filter(|others| others.letters.len() < case.letters.len()).unwrap_or(case)
    }

    /// Removes messages until none can be.
    fn remove(&self, case: &mut Case) {
        self.remove_outside(case);
        let letters = case.letters.clone();
        without_superfluous(letters, self.stop, |fewer| self.adopts(case, fewer.to_vec()));
    }

    /// Removes the messages that are not in the network at the end, and those that do not wait for each other.
    fn remove_outside(&self, case: &mut Case) {
        if let Some(present) = self.trial(case).present(&case.letters) {
            self.adopts(case, present);
        }
        if let Some(members) = self.trial(case).members(&case.letters) {
            self.adopts(case, members);
        }
    }

    /// Replaces the messages of a case if it deadlocks with others.
    fn adopts(&self, case: &mut Case, letters: Vec<Letter>) -> bool {
        let given = case.scenario.seed;
        let outcome = self.outcome(&mut case.scenario, &letters);
        if outcome.is_none() {
            case.scenario.seed = given;
            return false;
        }
        (case.letters, case.outcome) = (letters, outcome);
        true
    }

    /// Replaces a case if another deadlocks.
    fn replaces(&self, case: &mut Case, mut other: Case) -> bool {
        other.outcome = self.outcome(&mut other.scenario, &other.letters);
        let deadlocks = other.outcome.is_some();
        if deadlocks {
            *case = other;
        }
        deadlocks
    }

    /// The deadlock of a scenario with these messages, perhaps with another seed: the random choices of a
    /// message depend on its number.
    fn outcome(&self, scenario: &mut Scenario, letters: &[Letter]) -> Option<Outcome> {
        let given = scenario.seed;
        let others = (1..=SEEDS).filter(|&seed| seed != given && letters.len() <= FEW);
        std::iter::once(given).chain(others).find_map(|seed| {
            scenario.seed = seed;
            Trial { scenario, stop: self.stop, kind: Some(self.kind) }.outcome(letters)
        })
    }
}

#[cfg(test)]
mod tests;
