//! Communities: groups of routers that are joined to each other more than to the rest.

/// The most passes over all routers.
const PASSES: usize = 32;

/// The number of each router's group, where nearly all routers belong to groups of three or more, well over half
/// of the links lead within groups, and half of the neighbours of a router in its group are joined to each other. `None` for other networks.
///
/// Modularity rises by moves of single routers (the first phase of V. Blondel, J.-L. Guillaume, R. Lambiotte
/// and E. Lefebvre 2008).
pub(super) fn groups(neighbours: &[Vec<usize>]) -> Option<Vec<u32>> {
    let routers = neighbours.len();
    let joints: usize = neighbours.iter().map(Vec::len).sum();
    let mut group: Vec<usize> = (0..routers).collect();
    // Ends of links in each group.
    let mut ends: Vec<usize> = neighbours.iter().map(Vec::len).collect();
    let mut into = vec![0usize; routers];
    for _ in 0..PASSES {
        let mut moved = false;
        for (at, list) in neighbours.iter().enumerate() {
            ends[group[at]] -= list.len();
            list.iter().for_each(|&to| into[group[to]] += 1);
            let gain = |of: usize| (into[of] * joints) as i128 - (list.len() * ends[of]) as i128;
            let others = list.iter().map(|&to| group[to]);
            let best = others.fold(group[at], |best, of| {
                let better = (gain(of), best) > (gain(best), of);
                if better { of } else { best }
            });
            list.iter().for_each(|&to| into[group[to]] = 0);
            moved |= best != group[at];
            group[at] = best;
            ends[best] += list.len();
        }
        if !moved {
            break;
        }
    }
    let mut sizes = vec![0usize; routers];
    group.iter().for_each(|&of| sizes[of] += 1);
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
    stands_out.then(|| {
        // Numbers by first appearance.
        let mut numbers = vec![None; routers];
        let mut next = 0;
        let number = |of: usize| {
            *numbers[of].get_or_insert_with(|| {
                next += 1;
                next - 1
            })
        };
        group.into_iter().map(number).collect()
    })
}

/// True if half of the pairs of neighbours of a router in its group are joined.
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
    pairs > 0 && 2 * joined >= pairs
}
