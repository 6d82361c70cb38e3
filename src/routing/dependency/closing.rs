//! Search for messages that close a cycle of dependencies.
//!
//! A message that can start at every link of its route may hold one VC of a cycle and nothing else. If
//! candidates depend on the arrival of a head, or routes start at some routers only, two dependencies
//! of a cycle may come from messages that cannot block each other, so a cycle alone is no proof that
//! messages can deadlock. A proof is a set of messages without common VCs, longer than their routes, of
//! which each waits for a VC of another. Terminals that send one message at a time have one of them each.

use std::collections::HashMap;

use super::walk::{Pairs, headers};
use crate::ids::{RouterId, VcId};
use crate::routing::{Relation, Stop};
use crate::topology::Network;

/// Maximum number of positions of messages, of hops of all routes, and of steps of the search.
const WORMS_MAX: usize = 1 << 20;
const HOPS_MAX: u32 = 1 << 26;
const STEPS_MAX: u32 = 1 << 20;

/// A message behind its head: the VCs held, as the lowest of their class in each channel, and the VC
/// that the head waits for.
struct Worm {
    source: RouterId,
    held: Vec<u32>,
    wanted: u32,
}

/// True if every set of dependencies may be closed by messages that start where they are needed.
pub(super) fn starts_anywhere(
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
    one_queue: bool,
) -> bool {
    let everywhere = network.host_routers().count() == network.routers();
    let reads_route = relation.reads_arrival() || relation.reads_source();
    !reads_route && *pairs == Pairs::All && everywhere && !one_queue
}

/// True if a set of messages was found that wait for each other, and hold a VC of the cycle; `one_queue`
/// if terminals send one message at a time.
pub(super) fn closes(
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
    (cycle, one_queue): (&[VcId], bool),
) -> bool {
    let vcs = relation.virtual_channels();
    let lowest = |vc: &VcId| {
        let class = relation.class_of(vc.0 % vcs);
        vc.0 - vc.0 % vcs + relation.class_vcs(class).trailing_zeros()
    };
    let cycle: Vec<u32> = cycle.iter().map(lowest).collect();
    let all = || worms(network, relation, pairs, |_| true);
    let of_cycle = || worms(network, relation, pairs, |wanted| cycle.contains(&wanted));
    let Some(worms) = all().or_else(of_cycle) else { return false };
    let copies = (0..vcs).map(|vc| relation.class_vcs(relation.class_of(vc)).count_ones()).max();
    let copies = if one_queue { copies.unwrap_or(1) as usize } else { 0 };
    let mut holders: HashMap<u32, Vec<usize>> = HashMap::new();
    for (number, worm) in worms.iter().enumerate() {
        for &vc in &worm.held {
            holders.entry(vc).or_default().push(number);
        }
    }
    let hosts = |router| network.terminals_at(router);
    let mut search = Search {
        worms: &worms,
        holders: &holders,
        held: Vec::new(),
        steps: STEPS_MAX,
        room: (0..network.routers()).map(RouterId::new).map(hosts).collect(),
        copies,
    };
    cycle.iter().any(|&vc| search.fills(&[vc]))
}

/// All positions of messages that hold a VC and wait for a certain one; `None` if there are too many,
/// or if a head has a choice.
fn worms(
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
    is_certain: impl Fn(u32) -> bool,
) -> Option<Vec<Worm>> {
    let (mut worms, mut hops) = (Vec::new(), 0);
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
                    if !held.is_empty() && is_certain(wanted) {
                        worms.push(Worm { source, held: held.clone(), wanted });
                    }
                    held.push(wanted);
                    hops += 1;
                    stop = relation.stop_after(stop, &header, candidate.channel, vc);
                }
                if worms.len() > WORMS_MAX || hops > HOPS_MAX {
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
    /// The terminals of each router without a chosen message.
    room: Vec<usize>,
    /// The terminals that each chosen message takes, to fill all VCs of a class.
    copies: usize,
}

impl Search<'_> {
    /// True if messages can hold all of these VCs and all that they wait for.
    fn fills(&mut self, wanted: &[u32]) -> bool {
        let Some(&open) = wanted.iter().find(|vc| !self.held.contains(vc)) else { return true };
        for &number in self.holders.get(&open).map_or(&[][..], Vec::as_slice) {
            let Some(left) = self.steps.checked_sub(1) else { return false };
            self.steps = left;
            let worm = &self.worms[number];
            let (source, copies) = (worm.source.index(), self.copies);
            if self.room[source] < copies || worm.held.iter().any(|vc| self.held.contains(vc)) {
                continue;
            }
            let before = self.held.len();
            self.held.extend(&worm.held);
            self.room[source] -= copies;
            let wanted: Vec<u32> = wanted.iter().copied().chain([worm.wanted]).collect();
            if self.fills(&wanted) {
                return true;
            }
            self.held.truncate(before);
            self.room[source] += copies;
        }
        false
    }
}
