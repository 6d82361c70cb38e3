//! Solves the model of conflict resolution by drop.
//!
//! At a busy link, a message releases its path, waits for a back-off and retries the same path.
//!
//! The text's reading has one conflict probability for all links and attempts. The refined reading
//! has three: for links new to the message, for links released earlier, and for the link of the
//! last failure; the last two are computed by the renewal process of one link.
//!
//! **The attempts of one message, hop by hop.** A message that failed at hop k starts again. Links
//! before k were free when released, and are therefore busy less often than others; link k was
//! busy, and is therefore busy more often; links beyond k are new. The expected numbers of failures
//! of each kind solve linear equations.

use std::cmp::Ordering;

use super::attempts::{Hop, State, Totals, search};
use super::parameters::{Equations, Reading, Solution};
use super::renewal::{AnswerCache, Answers, Repeats};
use super::routes::Links;
use super::shape::binomial;
use crate::model::budget;
use crate::model::fixed_point::{NoSolution, Search};

/// The text's equations converge quickly, so the tolerance is small.
const SEARCH_TEXT: Search = search(0.7, 1e-12);
/// The refined equations use a grid, with expensive rounds.
const SEARCH_REFINED: Search = search(0.7, 1e-7);
/// Search for the conflict probability consistent with its phases.
const SEARCH_PHASES: Search = Search { rounds_max: 500, ..search(0.7, 1e-13) };
/// Conflicts per check below which sums over powers of the free share are expanded.
const FEW: f64 = 1e-6;
/// Intervals between checks with a difference below this limit are considered equal.
const SAME_INTERVAL: f64 = 0.01;
/// Entries of a matrix updated in the time of a step of work.
const ENTRIES_PER_STEP: usize = 128;

/// Kinds of conflict at each hop: with a random circuit, and with a circuit established on the link
/// after the message's release.
const KINDS: usize = 2;

impl Equations {
    /// The equations of 001, (9) to (26) and (B.9), corrected. The text's readings differ in (13),
    /// the correction of (10) for repeated conflicts with the same circuit.
    pub(super) fn drop_text(&self, rate: f64) -> Result<Solution, NoSolution> {
        self.attempts(rate, SEARCH_TEXT, |state| {
            let mut point = SEARCH_PHASES.from([state.busy]);
            loop {
                let still_there = || self.still_there(&self.text_totals(point.unknowns[0]), state);
                let next = match self.reading {
                    Reading::TextFirst => state.busy,
                    // N_abort / N_verify is the conflict probability itself.
                    Reading::Text | Reading::Refined => state.busy / (1.0 - still_there()),
                    Reading::TextPrinted => state.busy + still_there(),
                };
                if next.is_nan() || next >= 1.0 {
                    return Err(NoSolution::Saturated);
                }
                // Without convergence, the next outer round is as good as further inner rounds.
                if point.settled([next]).unwrap_or(true) {
                    return Ok(self.text_totals(point.unknowns[0]));
                }
            }
        })
    }

    /// (17) and (24) to (26) in closed form for a real number M.
    fn text_totals(&self, conflict: f64) -> Totals {
        let (links, free) = (self.mean_links(), 1.0 - conflict);
        let attempts = free.powf(-links);
        let requests = if conflict < FEW {
            links + conflict * links * (links + 1.0) / 2.0
        } else {
            attempts * (1.0 - free.powf(links)) / conflict
        };
        // Released links: connected links outside complete paths.
        let given_back = free * requests - links;
        // Σ i·freeⁱ for i up to `most`.
        let weighted = |most: f64| {
            if conflict < FEW {
                most * (most + 1.0) / 2.0
                    - conflict * most * (most + 1.0) * (2.0 * most + 1.0) / 6.0
            } else {
                let last = free.powf(most);
                free * (1.0 - (most + 1.0) * last + most * last * free) / (conflict * conflict)
            }
        };
        let held = attempts * weighted(links - 1.0);
        Totals {
            requests,
            looks: requests,
            looks_squared: requests,
            aborts: attempts - 1.0,
            given_back,
            links,
            held_requests: held,
            held_looks: held,
            held_connections: attempts * weighted(links),
            held_given_back: held - links * (links - 1.0) / 2.0,
            held_released: links * (links + 1.0) / 2.0,
        }
    }

    /// (13): the probability that the conflicting circuit still exists at the end of the back-off,
    /// by the phase of the circuit at the conflict. 001 refers to a report for the probabilities of
    /// the phases' ends; the values used here are those of the mean message.
    fn still_there(&self, totals: &Totals, state: State) -> f64 {
        let (times, links) = (&self.machine, self.mean_links());
        let (look, release) = (self.look_time(state), self.release_time(state));
        let setting_up = totals.held_requests * look
            + totals.held_connections * times.connect
            + totals.held_given_back * release;
        let acknowledged = links * times.acknowledge;
        let sending = links * self.data.mean();
        let releasing = totals.held_released * release;
        let after_release = self.back_off() - f64::midpoint(links, 1.0) * release;
        let after_set_up =
            after_release - (links - 1.0) / 2.0 * (look + times.connect) - times.acknowledge;
        let set_up_ended = self.data.cumulative(after_set_up);
        let ended = (setting_up + acknowledged) * set_up_ended
            + sending * self.data.residual_cumulative(after_release)
            + releasing;
        1.0 - ended / (setting_up + acknowledged + sending + releasing)
    }

    pub(super) fn drop_refined(&self, rate: f64) -> Result<Solution, NoSolution> {
        let routes = &self.routes.shares;
        let excluded: Vec<f64> =
            (1..).take(routes.len()).map(|links| self.excluded(links)).collect();
        let excluded_mean = {
            let pairs = |links: usize| routes[links] * links as f64;
            let all: f64 = (0..routes.len()).map(pairs).sum();
            let sum: f64 = (0..routes.len()).map(|links| pairs(links) * excluded[links]).sum();
            if all > 0.0 { sum / all } else { 0.0 }
        };
        let mut last = AnswerCache::none();
        self.attempts(rate, SEARCH_REFINED, |state| {
            let again = last.at(state.busy, || self.answers(state, excluded_mean));
            let mut totals = Totals::default();
            for (count, (&share, &excluded)) in (1..).zip(routes.iter().zip(&excluded)) {
                let behind = state.busy * (1.0 - excluded) / (1.0 - state.busy * excluded);
                let mut new = vec![behind; count];
                new[0] = state.busy;
                let taken = again[..count].iter().map(|link| link.taken * (1.0 - excluded));
                let mut given_back: Vec<f64> = taken.collect();
                given_back[0] = again[0].taken;
                let chances = Chances { new: &new, given_back: &given_back, again };
                totals.add(share, hops(&chances).into_iter());
            }
            Ok(totals)
        })
    }

    /// κ: the share of the requests for a link that arrive over the preceding link, held by the
    /// message, for a path of `links` links. By the gap between two successive dimensions of a
    /// path.
    fn excluded(&self, links: u32) -> f64 {
        if links == 1 {
            return 0.0;
        }
        if let Links::Stages(stages) = &self.routes.links {
            return stages.excluded;
        }
        let ends = if self.shape.full_duplex() { 1.0 } else { 2.0 };
        let dimensions = self.shape.dimensions();
        let all = binomial(dimensions, links);
        (1..=dimensions + 1 - links)
            .map(|gap| {
                let share = binomial(dimensions - gap, links - 1) / all;
                share * (-f64::from(gap)).exp2() / ends
            })
            .sum()
    }

    /// Probabilities of conflicts on returning to each hop of a path.
    fn answers(&self, state: State, excluded: f64) -> Vec<Answers> {
        let hops = self.shape.dimensions() as usize;
        let look = self.look_time(state);
        let crossing = self.release_time(state) + look + self.machine.connect;
        let interval = |hop: f64| self.back_off() + hop * crossing + look;
        let answers = |interval| Answers::of(self.question(state, interval, excluded), &self.data);
        let last = (hops - 1) as f64;
        let spread = interval(last) / interval(0.0) - 1.0;
        if spread < SAME_INTERVAL {
            return vec![answers(interval(last / 2.0)); hops];
        }
        let (near, far) = (answers(interval(0.0)), answers(interval(last)));
        (0..hops).map(|hop| near.towards(&far, hop as f64 / last)).collect()
    }
}

/// The probabilities that a link is busy, by hop from 0.
struct Chances<'a> {
    /// The probabilities at the first check.
    new: &'a [f64],
    /// The probabilities on the way back to the link of the failure.
    given_back: &'a [f64],
    /// The probabilities at the checks after a conflict, for each kind.
    again: &'a [Answers],
}

/// Expected sums over the attempts caused by one failure.
#[derive(Clone, Copy)]
struct Restart {
    attempts: f64,
    /// Attempts that find the same link still busy.
    again: f64,
    /// Attempts that pass the link.
    passed: f64,
}

impl Restart {
    /// Computes the sums for a failure at a hop, with `reach` the probability that all preceding
    /// links are free.
    fn of(repeats: &Repeats, reach: f64) -> Self {
        let (mut attempts, mut next) = (0.0, 1.0);
        for &busy in &repeats.first {
            attempts += next;
            next *= reach * busy;
        }
        attempts += next / (1.0 - reach * repeats.later);
        // Every attempt but the first follows an attempt that found the link still busy.
        let again = attempts - 1.0;
        Self { attempts, again, passed: reach * attempts - again }
    }
}

/// The hops of a message of `chances.new.len()` links.
fn hops(chances: &Chances<'_>) -> Vec<Hop> {
    let links = chances.new.len();
    let free = |busy: &[f64]| busy.iter().fold(1.0, |all, busy| all * (1.0 - busy));
    // P(all links before a hop are free) on the way back; P(the first failure is at a hop).
    let reach: Vec<f64> = (0..links).map(|hop| free(&chances.given_back[..hop])).collect();
    let fails_before: Vec<f64> =
        (0..links).map(|hop| reach[hop] * chances.given_back[hop]).collect();
    // P(links from `from` on are free up to `hop`).
    let onward = |from: usize, hop: usize| free(&chances.new[from..hop]);
    let restarts: Vec<[Restart; KINDS]> = (0..links)
        .map(|hop| chances.again[hop].kinds().map(|repeats| Restart::of(repeats, reach[hop])))
        .collect();

    // Unknowns: entries into (hop, kind), at 2·hop + kind.
    let size = KINDS * links;
    budget::charge(1 + size * size * size / ENTRIES_PER_STEP);
    let mut matrix = vec![0.0; size * size];
    let mut entries = vec![0.0; size];
    for (hop, fails_before) in fails_before.iter().enumerate() {
        let (random, young) = (KINDS * hop, KINDS * hop + 1);
        entries[random] = onward(0, hop) * chances.new[hop];
        for (from, kinds) in restarts.iter().enumerate() {
            for (kind, restart) in kinds.iter().enumerate() {
                let column = KINDS * from + kind;
                if from < hop {
                    let fails = onward(from + 1, hop) * chances.new[hop];
                    matrix[random * size + column] -= restart.passed * fails;
                } else if from > hop {
                    matrix[young * size + column] -= restart.attempts * fails_before;
                }
            }
        }
        matrix[random * size + random] += 1.0;
        matrix[young * size + young] += 1.0;
    }
    if solve(&mut matrix, &mut entries).is_none() {
        entries.fill(f64::NAN);
    }

    let mut hops: Vec<Hop> = (0..links)
        .map(|hop| {
            let requests = onward(0, hop);
            Hop { requests, aborts: requests * chances.new[hop], looks: 1.0, looks_squared: 1.0 }
        })
        .collect();
    for (failed, kinds) in restarts.iter().enumerate() {
        for (kind, restart) in kinds.iter().enumerate() {
            let entered = entries[KINDS * failed + kind];
            for (hop, sums) in hops.iter_mut().enumerate() {
                if hop <= failed {
                    sums.requests += entered * restart.attempts * reach[hop];
                }
                sums.aborts += match hop.cmp(&failed) {
                    Ordering::Less => entered * restart.attempts * fails_before[hop],
                    Ordering::Equal => entered * restart.again,
                    Ordering::Greater => {
                        let arrives = entered * restart.passed * onward(failed + 1, hop);
                        sums.requests += arrives;
                        arrives * chances.new[hop]
                    }
                };
            }
        }
    }
    hops
}

/// Solves `matrix` · x = `right`, by elimination with the largest pivot of each column; the rows of
/// `matrix` are contiguous. Overwrites both, with x in `right`. `None` if there is no unique x.
fn solve(matrix: &mut [f64], right: &mut [f64]) -> Option<()> {
    let size = right.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| {
            let at = |row: usize| matrix[row * size + column].abs();
            at(a).total_cmp(&at(b))
        })?;
        let value = matrix[pivot * size + column];
        if value == 0.0 || !value.is_finite() {
            return None;
        }
        if pivot != column {
            let (above, below) = matrix.split_at_mut(pivot * size);
            above[column * size..(column + 1) * size].swap_with_slice(&mut below[..size]);
            right.swap(pivot, column);
        }
        for row in column + 1..size {
            let (above, below) = matrix.split_at_mut(row * size);
            let factor = below[column] / value;
            if factor == 0.0 {
                continue;
            }
            let source = &above[column * size..(column + 1) * size];
            for (entry, from) in below[column..size].iter_mut().zip(&source[column..]) {
                *entry -= factor * from;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|c| matrix[row * size + c] * right[c]).sum();
        right[row] = (right[row] - known) / matrix[row * size + row];
    }
    Some(())
}

#[cfg(test)]
mod tests;
