//! Orders dependent queues for computation.
//!
//! Each queue follows all its successors (002, section 6, step 5).

use std::collections::VecDeque;

/// Queues in order of computation, with their ranks.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Order {
    /// Numbers of the queues in use, successors first.
    pub numbers: Vec<u32>,
    /// Rank of each queue: 1 without successors, else 1 more than the highest successor.
    pub ranks: Vec<u32>,
}

/// Orders the `used` queues by pairs (queue, direct successor), without duplicates. In case of a
/// cycle, returns a queue on the cycle.
pub(super) fn downstream_first<P: Iterator<Item = (u32, u32)>>(
    used: &[bool],
    follows: impl Fn() -> P,
) -> Result<Order, u32> {
    // The predecessors of each queue in succession, with the end of each queue's range.
    let mut ends = vec![0; used.len()];
    let mut left = vec![0u32; used.len()];
    for (queue, next) in follows() {
        ends[next as usize] += 1;
        left[queue as usize] += 1;
    }
    let mut all = 0;
    for end in &mut ends {
        (all, *end) = (all + *end, all);
    }
    let mut before = vec![0; all];
    for (queue, next) in follows() {
        before[ends[next as usize]] = queue;
        ends[next as usize] += 1;
    }
    let mut ranks = vec![1; used.len()];
    let mut numbers = Vec::new();
    let mut ready: VecDeque<u32> = (0..used.len() as u32)
        .filter(|&queue| used[queue as usize] && left[queue as usize] == 0)
        .collect();
    while let Some(queue) = ready.pop_front() {
        numbers.push(queue);
        let begin = (queue as usize).checked_sub(1).map_or(0, |other| ends[other]);
        for &earlier in &before[begin..ends[queue as usize]] {
            ranks[earlier as usize] = ranks[earlier as usize].max(ranks[queue as usize] + 1);
            left[earlier as usize] -= 1;
            if left[earlier as usize] == 0 {
                ready.push_back(earlier);
            }
        }
    }
    let Some(stuck) = left.iter().position(|&left| left > 0) else {
        return Ok(Order { numbers, ranks });
    };
    // Starts at a queue left over, and moves to successors left over until one repeats.
    let mut seen = vec![false; used.len()];
    let mut at = stuck as u32;
    while !std::mem::replace(&mut seen[at as usize], true) {
        let next = follows().find(|&(queue, next)| queue == at && left[next as usize] > 0);
        at = next.expect("a queue left over has a successor left over").1;
    }
    Err(at)
}

#[cfg(test)]
mod tests;
