//! Breadth-first search.

use std::collections::VecDeque;

use crate::ids::RouterId;

/// The least number of hops from the nearest of some routers to each router; `u32::MAX` where no path
/// leads.
pub(crate) fn distances<I: Iterator<Item = RouterId>>(
    routers: usize,
    starts: &[RouterId],
    neighbours: impl Fn(RouterId) -> I,
) -> Vec<u32> {
    let mut distances = vec![u32::MAX; routers];
    for start in starts {
        distances[start.index()] = 0;
    }
    let mut queue: VecDeque<RouterId> = starts.iter().copied().collect();
    while let Some(at) = queue.pop_front() {
        for to in neighbours(at) {
            if distances[to.index()] == u32::MAX {
                distances[to.index()] = distances[at.index()] + 1;
                queue.push_back(to);
            }
        }
    }
    distances
}
