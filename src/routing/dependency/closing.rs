//! Search for messages that close a cycle of dependencies.
//!
//! If candidates depend on the arrival of a head, two dependencies of a cycle may come from messages
//! that cannot block each other, so a cycle alone is no proof that messages can deadlock. A proof is
//! a set of messages without common VCs, longer than their routes, of which each waits for a VC of
//! another.

use std::collections::HashMap;

use super::walk::{Pairs, headers};
use crate::ids::{RouterId, VcId};
use crate::routing::{Relation, Stop};
use crate::topology::Network;

/// Maximum number of positions of messages, and of steps of the search.
const WORMS_MAX: usize = 1 << 20;
const STEPS_MAX: u32 = 1 << 20;

/// A message behind its head: the VCs held, as the lowest of their class in each channel, and the VC
/// that the head waits for.
struct Worm {
    held: Vec<u32>,
    wanted: u32,
}

/// True if a set of messages was found that wait for each other, and hold a VC of the cycle.
pub(super) fn closes(
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
    cycle: &[VcId],
) -> bool {
    let Some(worms) = worms(network, relation, pairs) else { return false };
    let mut holders: HashMap<u32, Vec<usize>> = HashMap::new();
    for (number, worm) in worms.iter().enumerate() {
        for &vc in &worm.held {
            holders.entry(vc).or_default().push(number);
        }
    }
    let mut search =
        Search { worms: &worms, holders: &holders, held: Vec::new(), steps: STEPS_MAX };
    let vcs = relation.virtual_channels();
    let lowest = |vc: &VcId| {
        let class = relation.class_of(vc.0 % vcs);
        vc.0 - vc.0 % vcs + relation.class_vcs(class).trailing_zeros()
    };
    cycle.iter().any(|vc| search.fills(&[lowest(vc)]))
}

/// All positions of messages that hold a VC and wait for another; `None` if there are too many, or if
/// a head has a choice.
fn worms(network: &Network, relation: &Relation, pairs: &Pairs) -> Option<Vec<Worm>> {
    let mut worms = Vec::new();
    let mut found = Vec::new();
    for destination in (0..network.routers()).map(RouterId::new) {
        for source in pairs.to(network, destination) {
            for header in headers(relation, Some(source), destination) {
                let (mut stop, mut held) = (Stop::start(source), Vec::new());
                while stop.at != destination {
                    relation.candidates(stop, &header, &mut found);
                    let [candidate] = found[..] else { return None };
                    let vc = candidate.vcs.trailing_zeros();
                    let wanted = candidate.channel.0 * relation.virtual_channels() + vc;
                    if held.contains(&wanted) {
                        return None;
                    }
                    if !held.is_empty() {
                        worms.push(Worm { held: held.clone(), wanted });
                    }
                    held.push(wanted);
                    stop = relation.stop_after(candidate.channel, vc);
                }
                if worms.len() > WORMS_MAX {
                    return None;
                }
            }
        }
    }
    Some(worms)
}

struct Search<'a> {
    worms: &'a [Worm],
    /// The messages that hold each VC.
    holders: &'a HashMap<u32, Vec<usize>>,
    /// The VCs held by the messages chosen so far.
    held: Vec<u32>,
    /// Remaining steps.
    steps: u32,
}

impl Search<'_> {
    /// True if messages can hold all of these VCs and all that they wait for.
    fn fills(&mut self, wanted: &[u32]) -> bool {
        let Some(&open) = wanted.iter().find(|vc| !self.held.contains(vc)) else { return true };
        for &number in self.holders.get(&open).map_or(&[][..], Vec::as_slice) {
            let Some(left) = self.steps.checked_sub(1) else { return false };
            self.steps = left;
            let worm = &self.worms[number];
            if worm.held.iter().any(|vc| self.held.contains(vc)) {
                continue;
            }
            let before = self.held.len();
            self.held.extend(&worm.held);
            let wanted: Vec<u32> = wanted.iter().copied().chain([worm.wanted]).collect();
            if self.fills(&wanted) {
                return true;
            }
            self.held.truncate(before);
        }
        false
    }
}
