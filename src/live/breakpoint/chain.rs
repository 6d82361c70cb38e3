//! How long the longest chain of waits is.

use crate::engine::Snapshot;

/// The most blocked worms that wait one behind the other, each for the first holder among the VCs
/// that it wants; a circle counts with all its members.
pub fn longest_chain(snapshot: &Snapshot) -> u32 {
    const UNKNOWN: u32 = u32::MAX;
    // Circuits may wait without links.
    let waiting = snapshot.waits.iter().map(|wait| wait.worm);
    let ids = snapshot.worms.iter().map(|worm| worm.id).chain(waiting);
    let ids = ids.map(|id| id.index() + 1).max().unwrap_or(0);
    let mut blocked = vec![false; ids];
    let mut holder: Vec<Option<usize>> = vec![None; ids];
    for wait in &snapshot.waits {
        let at = wait.worm.index();
        if at < ids {
            blocked[at] = true;
            let found = wait.holder.map(crate::ids::WormId::index).filter(|&other| other < ids);
            holder[at] = holder[at].or(found);
        }
    }
    let mut length: Vec<u32> = blocked.iter().map(|&b| if b { UNKNOWN } else { 0 }).collect();
    let mut seat = vec![usize::MAX; ids];
    let mut way = Vec::new();
    for start in 0..ids {
        way.clear();
        let mut next = Some(start);
        while let Some(at) = next.filter(|&at| length[at] == UNKNOWN && seat[at] == usize::MAX) {
            seat[at] = way.len();
            way.push(at);
            next = holder[at];
        }
        let mut ahead = match next {
            // Back on the way just walked: a circle.
            Some(at) if length[at] == UNKNOWN => {
                let members = way.split_off(seat[at]);
                let all = members.len() as u32;
                for member in members {
                    length[member] = all;
                }
                all
            }
            Some(at) => length[at],
            None => 0,
        };
        for &at in way.iter().rev() {
            ahead += 1;
            length[at] = ahead;
        }
    }
    length.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
