//! Communities: groups of routers that are joined to each other more than to the rest.

use std::collections::BTreeMap;

/// The most passes over all parts.
const PASSES: usize = 32;

/// The number of each router's group, where nearly all routers belong to groups of three or more, well over half
/// of the links lead within groups, and two thirds of the neighbours of a router in its group are joined to
/// each other. `None` for other networks.
///
/// Modularity rises by moves of single routers, then of groups (V. Blondel, J.-L. Guillaume, R. Lambiotte and
/// E. Lefebvre 2008).
pub(super) fn groups(neighbours: &[Vec<usize>]) -> Option<Vec<u32>> {
    let routers = neighbours.len();
    let joints: usize = neighbours.iter().map(Vec::len).sum();
    let mut group: Vec<usize> = (0..routers).collect();
    let alike = |list: &Vec<usize>| list.iter().map(|&to| (to, 1)).collect();
    let mut parts: Vec<BTreeMap<usize, usize>> = neighbours.iter().map(alike).collect();
    loop {
        let next = moved(&parts, joints);
        let count = next.iter().max().map_or(0, |&last| last + 1);
        if count == parts.len() {
            break;
        }
        for of in &mut group {
            *of = next[*of];
        }
        let mut merged = vec![BTreeMap::new(); count];
        for (at, part) in parts.iter().enumerate() {
            for (&to, &links) in part {
                *merged[next[at]].entry(next[to]).or_insert(0) += links;
            }
        }
        parts = merged;
    }
    let mut sizes = vec![0usize; routers];
    for &of in &group {
        sizes[of] += 1;
    }
    let alone = group.iter().filter(|&&of| sizes[of] < 3).count();
    let groups = sizes.iter().filter(|&&size| size > 0).count();
    let inside = |(at, list): (usize, &Vec<usize>)| {
        list.iter().filter(|&&to| group[to] == group[at]).count()
    };
    let inside: usize = neighbours.iter().enumerate().map(inside).sum();
    let stands_out = groups > 2
        && 10 * alone <= routers
        && 20 * inside >= 11 * joints
        && closes(neighbours, &group);
    stands_out.then(|| group.into_iter().map(|of| of as u32).collect())
}

/// Numbers of groups of parts of a graph, each given with its ends of links to every part, itself included.
/// Groups are numbered by first appearance.
fn moved(parts: &[BTreeMap<usize, usize>], joints: usize) -> Vec<usize> {
    let degrees: Vec<usize> = parts.iter().map(|part| part.values().sum()).collect();
    let mut group: Vec<usize> = (0..parts.len()).collect();
    // Ends of links in each group.
    let mut ends = degrees.clone();
    for _ in 0..PASSES {
        let mut has_moved = false;
        for (at, part) in parts.iter().enumerate() {
            ends[group[at]] -= degrees[at];
            let mut into: BTreeMap<usize, usize> = BTreeMap::from([(group[at], 0)]);
            for (&to, &links) in part.iter().filter(|&(&to, _)| to != at) {
                *into.entry(group[to]).or_insert(0) += links;
            }
            let gain = |of: usize, links: usize| {
                (links * joints) as i128 - (degrees[at] * ends[of]) as i128
            };
            let stays = (gain(group[at], into[&group[at]]), group[at]);
            let (_, best) = into.into_iter().fold(stays, |best, (of, links)| {
                let gain = gain(of, links);
                if gain > best.0 { (gain, of) } else { best }
            });
            has_moved |= best != group[at];
            group[at] = best;
            ends[best] += degrees[at];
        }
        if !has_moved {
            break;
        }
    }
    let mut numbers = vec![None; parts.len()];
    let mut next = 0..;
    group
        .into_iter()
        .map(|of| *numbers[of].get_or_insert_with(|| next.next().unwrap_or(0)))
        .collect()
}

/// True if two thirds of the pairs of neighbours of a router in its group are joined.
fn closes(neighbours: &[Vec<usize>], group: &[usize]) -> bool {
    let (mut pairs, mut joined) = (0, 0);
    for (at, list) in neighbours.iter().enumerate() {
        let near: Vec<usize> = list.iter().copied().filter(|&to| group[to] == group[at]).collect();
        for (nth, &one) in near.iter().enumerate() {
            let others = &near[nth + 1..];
            let is_joined = |other: &&usize| neighbours[one].binary_search(other).is_ok();
            pairs += others.len();
            joined += others.iter().filter(is_joined).count();
        }
    }
    pairs > 0 && 3 * joined >= 2 * pairs
}
