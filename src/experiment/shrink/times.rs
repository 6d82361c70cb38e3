//! Shorter messages, and earlier births and failures.

use std::collections::BTreeSet;

use super::failures::{failures, of, with_failures};
use super::{Case, Search};
use crate::experiment::trial::Letter;
use crate::system::failures::{Failure, Failures, OnFailure};

/// Shortens messages until none can lose a flit, and lets messages be generated and parts fail as early as
/// possible.
pub(super) fn shorten(search: &Search<'_>, case: &mut Case) {
    let longest = case.letters.iter().map(|letter| letter.length).max().unwrap_or(1);
    let mut length = 1;
    while length < longest {
        let short = |letter: &Letter| Letter { length: letter.length.min(length), ..*letter };
        if search.adopts(case, case.letters.iter().map(short).collect()) {
            break;
        }
        length *= 2;
    }
    loop {
        let before = (case.letters.clone(), failures(&case.scenario).clone());
        for at in 0..case.letters.len() {
            lower(search, case, at, |letter| {
                (u64::from(letter.length), 1, |letter, to| letter.length = to as u32)
            });
        }
        if case.letters == before.0 {
            to_begin(search, case);
        }
        if (&case.letters, failures(&case.scenario)) == (&before.0, &before.1) {
            return;
        }
    }
}

/// Lets messages be generated and parts fail earlier.
fn to_begin(search: &Search<'_>, case: &mut Case) {
    let is_at_once = case.letters.iter().all(|letter| letter.born == 0);
    let at_once = case.letters.iter().map(|letter| Letter { born: 0, ..*letter }).collect();
    if !is_at_once && !search.adopts(case, at_once) {
        if !failures(&case.scenario).given.is_empty() {
            close_gaps(search, case);
        }
        for at in 0..case.letters.len() {
            lower(search, case, at, |letter| (letter.born, 0, |letter, to| letter.born = to));
        }
    }
    lower_failures(search, case);
}

/// Lowers a number of a message as far as bisection finds it possible.
fn lower(
    search: &Search<'_>,
    case: &mut Case,
    at: usize,
    number: impl Fn(&Letter) -> (u64, u64, fn(&mut Letter, u64)),
) {
    let (high, low, set) = number(&case.letters[at]);
    lowest([low, high], |to| {
        let mut letters = case.letters.clone();
        set(&mut letters[at], to);
        search.adopts(case, letters)
    });
}

/// Lowers a number from `high` to `low` as far as bisection finds it possible.
fn lowest([mut low, mut high]: [u64; 2], mut adopts: impl FnMut(u64) -> bool) {
    // One less must be possible, or the number remains.
    if high == low || !adopts(high - 1) {
        return;
    }
    high -= 1;
    if high > low && adopts(low) {
        return;
    }
    while high > low + 1 {
        let middle = u64::midpoint(low, high);
        if adopts(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
}

/// Lowers the cycles of failures, and the time until routes change.
fn lower_failures(search: &Search<'_>, case: &mut Case) {
    for at in 0..failures(&case.scenario).given.len() {
        let high = failures(&case.scenario).given[at].cycle;
        lowest([0, high], |to| {
            let Failures { mut given, consequences, .. } = failures(&case.scenario).clone();
            given[at].cycle = to;
            search.replaces(case, with(case, given, consequences))
        });
    }
    let Failures { given, consequences, .. } = failures(&case.scenario).clone();
    lowest([0, consequences.reroute_after], |reroute_after| {
        let consequences = OnFailure { reroute_after, ..consequences };
        search.replaces(case, with(case, given.clone(), consequences))
    });
}

/// The case with other failures.
pub(super) fn with(case: &Case, given: Vec<Failure>, consequences: OnFailure) -> Case {
    let scenario = with_failures(case.scenario.clone(), of(given, consequences));
    Case { scenario, letters: case.letters.clone(), outcome: None }
}

/// Shortens the times between births, failures and changes of routes.
fn close_gaps(search: &Search<'_>, case: &mut Case) {
    let mut end = u64::MAX;
    while let Some(&time) = times(case).range(..end).next_back() {
        let before = times(case).range(..time).next_back().copied().unwrap_or(0);
        lowest([0, time - before], |gap| {
            let earlier = earlier(case, time, time - before - gap);
            search.replaces(case, earlier)
        });
        if before == 0 {
            return;
        }
        end = before + 1;
    }
}

/// The cycles of births, failures and changes of routes.
fn times(case: &Case) -> BTreeSet<u64> {
    let Failures { given, consequences, .. } = failures(&case.scenario);
    let of = |failure: &Failure| {
        let ends = failure.lasts.map(|lasts| failure.cycle + lasts);
        let changes = [Some(failure.cycle), ends].into_iter().flatten();
        changes.flat_map(|cycle| [cycle, cycle + consequences.reroute_after]).collect::<Vec<_>>()
    };
    let births = case.letters.iter().map(|letter| letter.born);
    births.chain(given.iter().flat_map(of)).collect()
}

/// The case with all that happens in cycle `from` and later some cycles earlier.
pub(super) fn earlier(case: &Case, from: u64, by: u64) -> Case {
    let time = |cycle: u64| if cycle >= from { cycle.saturating_sub(by) } else { cycle };
    let Failures { given, consequences, .. } = failures(&case.scenario);
    let after = consequences.reroute_after;
    let crosses = |failure: &Failure| failure.cycle < from && failure.cycle + after >= from;
    let reroute_after = if given.iter().any(crosses) { after - by.min(after) } else { after };
    let moved = |failure: &Failure| {
        let cycle = time(failure.cycle);
        let lasts = failure.lasts.map(|lasts| (time(failure.cycle + lasts) - cycle).max(1));
        Failure { cycle, lasts, ..*failure }
    };
    let given = given.iter().map(moved).collect();
    let mut moved = with(case, given, OnFailure { reroute_after, ..*consequences });
    for letter in &mut moved.letters {
        letter.born = time(letter.born);
    }
    moved
}
