//! Reduces a deadlock to few and short messages on a small network.
//!
//! The messages of a run up to its deadlock become a table. A smaller case replaces a case if its run,
//! from cycle 0, ends in a deadlock of the same kind. Messages, flits, routers and links are removed in
//! turn until no single one of them can be.

mod begin;
mod numbers;
mod part;
mod text;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::trial::{Letter, Trial, without_superfluous};
use crate::scenario::Scenario;
use crate::session::saved::Saved;
use crate::units::Cycle;

pub use super::trial::DeadlockKind;
pub use begin::Without;

/// Seeds tried for few messages.
const SEEDS: u64 = 8;
/// The number of few messages.
const FEW: usize = 64;

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
}

impl Size {
    fn of(scenario: &Scenario, letters: &[Letter]) -> Self {
        let network = &scenario.system.network;
        Self {
            messages: letters.len(),
            flits: letters.iter().map(|letter| u64::from(letter.length)).sum(),
            routers: network.routers(),
            links: network.links(),
        }
    }
}

/// A scenario with messages under which it deadlocks.
#[derive(Clone, Debug)]
struct Case {
    scenario: Scenario,
    letters: Vec<Letter>,
}

/// The search for smaller cases.
struct Search<'a> {
    /// The traffic of the given scenario, as text.
    traffic: String,
    kind: DeadlockKind,
    stop: &'a AtomicBool,
    tell: &'a dyn Fn(Size),
    /// True if the routers of a large network were not removed one by one.
    skipped: Cell<bool>,
}

/// Reduces the deadlock of a run that begins no later than cycle `until`. `tell` receives the size of
/// every smaller case; once `stop` is set, the smallest case so far is the result.
///
/// # Errors
/// The reason why there is nothing to reduce.
pub fn shrink(
    saved: &Saved,
    until: Cycle,
    (stop, tell): (&AtomicBool, &dyn Fn(Size)),
) -> Result<Shrunk, Without> {
    let begin::Begin { cases, kind, given } = begin::find(saved, until, stop)?;
    let traffic = saved.scenario.text_of("traffic").unwrap_or_default();
    let search = Search { traffic, kind, stop, tell, skipped: Cell::new(false) };
    let case = search.smallest(cases).ok_or(Without::Interrupted)?;
    let session = search.trial(&case).run(&case.letters);
    // A run of the smallest case that is made again is not interrupted.
    let never = AtomicBool::new(false);
    let session = session.or_else(|| search.trial_until(&case, &never).run(&case.letters));
    let Some(session) = session else { return Err(Without::Interrupted) };
    let trial = search.trial(&case);
    let Some(set) = trial.set(&session) else { return Err(Without::Deadlock { cycle: until }) };
    let sizes = [given, Size::of(&case.scenario, &case.letters)];
    let complete = !stop.load(Ordering::Relaxed) && !search.skipped.get();
    let text = text::of(&saved.scenario, &case, set, sizes);
    let (members, closed, end) = (set.worms.len(), set.closed, session.now());
    Ok(Shrunk { text, sizes, kind, members, closed, end, complete })
}

impl Search<'_> {
    fn trial<'c>(&'c self, case: &'c Case) -> Trial<'c> {
        self.trial_until(case, self.stop)
    }

    fn trial_until<'c>(&self, case: &'c Case, stop: &'c AtomicBool) -> Trial<'c> {
        Trial { scenario: &case.scenario, stop, kind: Some(self.kind) }
    }

    /// Reduces cases, and the smallest result again as long as it becomes smaller.
    fn smallest(&self, cases: Vec<Case>) -> Option<Case> {
        let size = |case: &Case| Size::of(&case.scenario, &case.letters);
        let best =
            |cases: Vec<Case>| cases.into_iter().map(|case| self.smaller(case)).min_by_key(size);
        let mut case = best(cases)?;
        loop {
            let saved = Saved::beginning(Arc::new(text::settled(case.clone()).scenario));
            let again = begin::find(&saved, Cycle(u64::MAX), self.stop).ok();
            let again = again.filter(|again| again.kind == self.kind);
            match again.and_then(|again| best(again.cases)) {
                Some(again) if size(&again) < size(&case) => case = again,
                Some(_) | None => return Some(case),
            }
        }
    }

    fn smaller(&self, mut case: Case) -> Case {
        self.remove(&mut case);
        case = text::settled(case);
        self.tell(&case);
        loop {
            let before = (Size::of(&case.scenario, &case.letters), case.letters.clone());
            while let Some(smaller) = self.with_smaller_number(&case) {
                case = smaller;
                self.tell(&case);
            }
            self.remove(&mut case);
            self.skipped.set(false);
            case = self.smaller_part(case);
            self.tell(&case);
            // Messages that close the cycle of the proof may be fewer than those of the run.
            if let Some(closed) = self.closed(&case.scenario)
                && closed.letters.len() < case.letters.len()
            {
                case = self.smaller_part(closed);
            }
            self.remove(&mut case);
            self.tell(&case);
            self.shorten(&mut case);
            self.tell(&case);
            // Other births may make another message superfluous.
            if (Size::of(&case.scenario, &case.letters), &case.letters) == (before.0, &before.1) {
                return case;
            }
        }
    }

    fn tell(&self, case: &Case) {
        (self.tell)(Size::of(&case.scenario, &case.letters));
    }

    /// Shortens messages until none can lose a flit, and lets them be generated as early as possible.
    fn shorten(&self, case: &mut Case) {
        let longest = case.letters.iter().map(|letter| letter.length).max().unwrap_or(1);
        let mut length = 1;
        while length < longest {
            let short = |letter: &Letter| Letter { length: letter.length.min(length), ..*letter };
            if self.adopts(case, case.letters.iter().map(short).collect()) {
                break;
            }
            length *= 2;
        }
        loop {
            let before = case.letters.clone();
            for at in 0..case.letters.len() {
                self.lower(case, at, |letter| {
                    (u64::from(letter.length), 1, |letter, to| letter.length = to as u32)
                });
            }
            if case.letters == before {
                break;
            }
        }
        let at_once = case.letters.iter().map(|letter| Letter { born: 0, ..*letter }).collect();
        if !self.adopts(case, at_once) {
            for at in 0..case.letters.len() {
                self.lower(case, at, |letter| (letter.born, 0, |letter, to| letter.born = to));
            }
        }
    }

    /// Lowers a number of a message as far as bisection finds it possible.
    fn lower(
        &self,
        case: &mut Case,
        at: usize,
        number: impl Fn(&Letter) -> (u64, u64, fn(&mut Letter, u64)),
    ) {
        let (mut high, mut low, set) = number(&case.letters[at]);
        let with = |case: &Case, to: u64| {
            let mut letters = case.letters.clone();
            set(&mut letters[at], to);
            letters
        };
        // One less must be possible, or the number remains.
        if high == low || !self.adopts(case, with(case, high - 1)) {
            return;
        }
        high -= 1;
        if high > low && self.adopts(case, with(case, low)) {
            return;
        }
        while high > low + 1 {
            let middle = u64::midpoint(low, high);
            if self.adopts(case, with(case, middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
    }

    /// Removes messages until none can be.
    fn remove(&self, case: &mut Case) {
        if let Some(present) = self.trial(case).present(&case.letters) {
            self.adopts(case, present);
        }
        if let Some(members) = self.trial(case).members(&case.letters) {
            self.adopts(case, members);
        }
        let letters = case.letters.clone();
        without_superfluous(letters, |fewer| self.adopts(case, fewer.to_vec()));
    }

    /// Replaces the messages of a case if it deadlocks with others, perhaps with another seed: the random
    /// choices of a message depend on its number.
    fn adopts(&self, case: &mut Case, letters: Vec<Letter>) -> bool {
        if letters.is_empty() {
            return false;
        }
        let given = case.scenario.seed;
        let others = (1..=SEEDS).filter(|&seed| seed != given && letters.len() <= FEW);
        let seed = std::iter::once(given).chain(others).find(|&seed| {
            case.scenario.seed = seed;
            self.trial(case).deadlocks(&letters)
        });
        case.scenario.seed = seed.unwrap_or(given);
        if seed.is_some() {
            case.letters = letters;
        }
        seed.is_some()
    }
}

#[cfg(test)]
mod tests;
