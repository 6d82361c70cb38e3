//! The order of computation: a link after every link that can follow it (002, section 6, step 5).

use std::collections::VecDeque;

/// Links in order, with what the order says of each.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Order {
    /// Links that some route uses: what can follow comes first.
    pub links: Vec<u32>,
    /// By link: 1 where nothing follows, else 1 more than the highest that can follow.
    pub ranks: Vec<u32>,
}

/// Orders the links that are `used`, by pairs (link, link that directly follows it), each once. If
/// there is a cycle, one link of a cycle.
pub(super) fn downstream_first(used: &[bool], follows: &[(u32, u32)]) -> Result<Order, u32> {
    let mut before = vec![Vec::new(); used.len()];
    let mut left = vec![0u32; used.len()];
    for &(link, next) in follows {
        before[next as usize].push(link);
        left[link as usize] += 1;
    }
    let mut ranks = vec![1; used.len()];
    let mut links = Vec::new();
    let mut ready: VecDeque<u32> = (0..used.len() as u32)
        .filter(|&link| used[link as usize] && left[link as usize] == 0)
        .collect();
    while let Some(link) = ready.pop_front() {
        links.push(link);
        for &earlier in &before[link as usize] {
            ranks[earlier as usize] = ranks[earlier as usize].max(ranks[link as usize] + 1);
            left[earlier as usize] -= 1;
            if left[earlier as usize] == 0 {
                ready.push_back(earlier);
            }
        }
    }
    match left.iter().position(|&left| left > 0) {
        None => Ok(Order { links, ranks }),
        Some(stuck) => Err(on_cycle(stuck as u32, &left, follows)),
    }
}

/// A link of a cycle: from one that waits for ever, on to others that do until one comes again.
fn on_cycle(stuck: u32, left: &[u32], follows: &[(u32, u32)]) -> u32 {
    let mut seen = vec![false; left.len()];
    let mut at = stuck;
    while !std::mem::replace(&mut seen[at as usize], true) {
        let next = follows.iter().find(|&&(link, next)| link == at && left[next as usize] > 0);
        at = next.expect("what waits for ever has something ahead that does").1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_follow_comes_first() {
        let follows = [(0, 1), (0, 2), (1, 2), (3, 0)];
        let order = downstream_first(&[true; 5], &follows).unwrap();
        assert_eq!(order.ranks, [3, 2, 1, 4, 1]);
        let place = |link| order.links.iter().position(|&at| at == link).unwrap();
        assert!(follows.iter().all(|&(link, next)| place(next) < place(link)));
        assert_eq!(downstream_first(&[true, true, false], &[(0, 1)]).unwrap().links, [1, 0]);
    }

    #[test]
    fn a_cycle_is_named_by_one_of_its_links() {
        // 3 leads into the cycle 0 → 1 → 2 → 0.
        let follows = [(3, 0), (0, 1), (1, 2), (2, 0), (2, 4)];
        let found = downstream_first(&[true; 5], &follows).unwrap_err();
        assert!(found < 3, "{found}");
    }
}
