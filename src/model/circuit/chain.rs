//! The attempts of one message under drop, hop by hop: where it fails, and what it meets again.
//!
//! A message that failed at hop k starts again. Links before k were free when it gave them back, so
//! that they are busy less often than others; link k was not, so that it is busy more often; links
//! beyond k are new to it. The expected numbers of failures of each kind solve linear equations.

use std::cmp::Ordering;

use super::attempts::Hop;
use super::renewal::{Answers, Repeats};

/// Two kinds of conflict at each hop: with a circuit met at random, and with one that took the link
/// after we had given it back.
const KINDS: usize = 2;

/// The probabilities that a link is busy, by hop from 0.
pub(super) struct Chances<'a> {
    /// At the first look.
    pub new: &'a [f64],
    /// On the way back to the link that failed.
    pub given_back: &'a [f64],
    /// At the looks after a conflict, of each kind.
    pub again: &'a [Answers],
}

/// Expected sums over the attempts that start because of one failure.
#[derive(Clone, Copy)]
struct Restart {
    attempts: f64,
    /// Attempts that find the same link busy again.
    again: f64,
    /// Attempts that get it.
    passed: f64,
}

impl Restart {
    /// From hop `failed`, where the links before it are all free with probability `reach`.
    fn of(repeats: &Repeats, reach: f64) -> Self {
        let (mut attempts, mut next) = (0.0, 1.0);
        for &busy in &repeats.first {
            attempts += next;
            next *= reach * busy;
        }
        attempts += next / (1.0 - reach * repeats.later);
        // Every attempt but the first follows one that found the link busy again.
        let again = attempts - 1.0;
        Self { attempts, again, passed: reach * attempts - again }
    }
}

/// The hops of a message of `chances.new.len()` links.
pub(super) fn hops(chances: &Chances<'_>) -> Vec<Hop> {
    let links = chances.new.len();
    let free = |busy: &[f64]| busy.iter().fold(1.0, |all, busy| all * (1.0 - busy));
    // P(all links before a hop are free) on the way back; P(the first failure is there).
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
/// `matrix` follow each other. Both are used up, and x is left in `right`. `None` where no single x
/// exists.
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
