//! Orders messages of a class with equal rank, by a pairing heap in their rows.
//!
//! Thousands of messages of a source may be born in the same cycle, with random priorities. A heap
//! takes a message in constant time and releases the first in logarithmic time, amortised (M. L.
//! Fredman, R. Sedgewick, D. D. Sleator and R. E. Tarjan, *Algorithmica* 1, 1986).

use std::mem::replace;

use super::records::{NONE, Worm};
use super::table::Table;

/// Joins two heaps, each given by its first message; returns the first of both.
pub(super) fn join(worms: &mut Table<Worm>, one: u32, other: u32) -> u32 {
    let in_order = worms[one as usize].priority() < worms[other as usize].priority();
    let (first, below) = if in_order { (one, other) } else { (other, one) };
    let ties = replace(&mut worms[first as usize].class_ties, below);
    let row = &mut worms[below as usize];
    (row.class_before, row.class_next) = (first, ties);
    if ties != NONE {
        worms[ties as usize].class_before = below;
    }
    first
}

/// Removes the first message of a heap; returns the first of the others, or [`NONE`].
pub(super) fn leave(worms: &mut Table<Worm>, first: u32) -> u32 {
    let mut heap = replace(&mut worms[first as usize].class_ties, NONE);
    let mut pairs = NONE;
    while heap != NONE {
        let (mut pair, mut next) = (heap, worms[heap as usize].class_next);
        if next != NONE {
            let after = worms[next as usize].class_next;
            (pair, next) = (join(worms, heap, next), after);
        }
        worms[pair as usize].class_next = pairs;
        (pairs, heap) = (pair, next);
    }
    let mut joined = NONE;
    while pairs != NONE {
        let next = worms[pairs as usize].class_next;
        joined = if joined == NONE { pairs } else { join(worms, pairs, joined) };
        pairs = next;
    }
    joined
}
