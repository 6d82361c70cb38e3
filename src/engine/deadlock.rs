//! Deadlocks: sets of worms that wait for each other.
//!
//! A deadlock records the cycle of closure and the messages whose waits closed the set.

use std::collections::BTreeMap;

use get_size2::GetSize;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use petgraph::visit::{Dfs, Walker};

use crate::ids::{MessageId, RouterId, VcId, WormId};
use crate::units::Cycle;

/// The object of a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub enum WaitKind {
    /// A VC held by another worm, or a VC of a closed link.
    Vc,
    /// The front of a buffer, with another worm ahead.
    HeadOfLine,
    /// Room in the buffer of a held or requested VC, filled by another worm.
    Room,
    /// A credit of the granted VC, under way.
    Credit,
    /// The crossbar: the output serves another input.
    Output,
    /// The crossbar: the input serves another VC of its port.
    Input,
    /// Room for a reply at the destination, occupied by the reply to another message. The blocking worm
    /// is this reply, or holds the VC which it requests at its source.
    Reply,
}

/// A worm that waits for another worm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub struct Wait {
    pub kind: WaitKind,
    pub worm: WormId,
    /// The router of the head.
    pub at: RouterId,
    /// The requested VC, or the VC with the buffer concerned; of a wait for room for a reply, the
    /// ejection channel, or the VC requested by a reply at its source.
    pub wants: VcId,
    /// The blocking worm; `None` if no longer blocked, or blocked by a closed link or a missing credit
    /// only.
    pub holder: Option<WormId>,
}

/// Worms that can never move again.
#[derive(Clone, PartialEq, Eq, Debug, GetSize)]
pub struct Deadlock {
    /// The cycle of the detection.
    pub found: Cycle,
    /// The sets of worms that wait for each other, in the order of closing; never empty.
    pub sets: Vec<DeadlockSet>,
    /// Worms that can never move because of the sets, but block no member; oldest first.
    pub caught: Vec<WormId>,
}

/// Worms that can never move again because of each other: a strongly connected component of the
/// wait-for graph of all stuck worms.
#[derive(Clone, PartialEq, Eq, Debug, GetSize)]
pub struct DeadlockSet {
    /// The first cycle with the complete set: the cycle after the last member began its final wait.
    pub closed: Cycle,
    /// The messages that began their wait in the last cycle before `closed`. Members, unless the
    /// set depends on another set that closed later.
    pub closers: Vec<MessageId>,
    /// The members, oldest first.
    pub worms: Vec<WormId>,
    /// A cycle of waits in the set: each worm waits for the next, and the last for the first.
    pub circle: Vec<Wait>,
    /// True if a member has alternatives (a knot); otherwise every member has a single wait, and
    /// `circle` is the complete set.
    pub knot: bool,
}

impl Deadlock {
    /// Creates the deadlock of worms with the given waits, all of them [`stuck`], as detected in
    /// cycle `now`. Waits began at `since` on a clock; `cycle` converts its times to the first
    /// cycle that includes them.
    pub(super) fn new(
        now: Cycle,
        waits: &[Wait],
        name: impl Fn(WormId) -> Option<MessageId>,
        since: impl Fn(WormId) -> u64,
        cycle: impl Fn(u64) -> Cycle,
    ) -> Option<Self> {
        let mut worms: Vec<WormId> = waits.iter().map(|wait| wait.worm).collect();
        worms.dedup();
        let nodes: BTreeMap<WormId, u32> = worms.iter().copied().zip(0..).collect();
        let edges = waits.iter().filter_map(|wait| Some((nodes[&wait.worm], nodes[&wait.holder?])));
        let graph = DiGraph::<(), ()>::from_edges(edges);
        let mut parts = tarjan_scc(&graph);
        parts.retain(|part| part.len() > 1 || graph.contains_edge(part[0], part[0]));
        for part in &mut parts {
            part.sort_unstable();
        }
        parts.sort_unstable();
        let mut sets: Vec<DeadlockSet> = Vec::with_capacity(parts.len());
        for part in &parts {
            let members: Vec<WormId> = part.iter().map(|node| worms[node.index()]).collect();
            // A set is complete once all worms reachable through waits have begun to wait.
            let mut reached: Vec<_> = Dfs::new(&graph, part[0]).iter(&graph).collect();
            reached.sort_unstable();
            let reached = reached.into_iter().map(|node| worms[node.index()]);
            let last = reached.clone().map(&since).max()?;
            sets.push(DeadlockSet {
                closed: cycle(last),
                closers: reached.filter(|&worm| since(worm) == last).filter_map(&name).collect(),
                circle: circle(waits, members[0], |worm| members.contains(&worm)),
                knot: waits
                    .windows(2)
                    .any(|pair| pair[0].worm == pair[1].worm && members.contains(&pair[0].worm)),
                worms: members,
            });
        }
        sets.sort_by_key(|set| set.closed);
        let member = |worm: &WormId| sets.iter().any(|set| set.worms.contains(worm));
        worms.retain(|worm| !member(worm));
        (!sets.is_empty()).then_some(Self { found: now, sets, caught: worms })
    }

    /// The first cycle with permanently blocked worms.
    pub fn closed(&self) -> Cycle {
        self.sets.first().map_or(self.found, |set| set.closed)
    }

    /// All worms that can never move again: set by set, followed by the worms outside sets.
    pub fn worms(&self) -> impl Iterator<Item = WormId> {
        let members = self.sets.iter().flat_map(|set| &set.worms);
        members.chain(&self.caught).copied()
    }

    /// True if a worm can never move again.
    pub fn holds(&self, worm: WormId) -> bool {
        self.worms().any(|other| other == worm)
    }

    /// The cyclic waits of all sets.
    pub fn circles(&self) -> impl Iterator<Item = &Wait> {
        self.sets.iter().flat_map(|set| &set.circle)
    }
}

/// Reduces `waits` to those of worms that can never move. A wait ends only if its holder moves; a
/// worm moves if at least one of its holders moves or does not wait.
pub(super) fn stuck(mut waits: Vec<Wait>) -> Vec<Wait> {
    let rows = waits.iter().map(|wait| wait.worm.index() + 1).max().unwrap_or(0);
    let mut stands = vec![false; rows];
    for wait in &waits {
        stands[wait.worm.index()] = true;
    }
    loop {
        let before = waits.len();
        for wait in &waits {
            let holder = wait.holder.and_then(|holder| stands.get(holder.index()));
            if holder != Some(&true) {
                stands[wait.worm.index()] = false;
            }
        }
        waits.retain(|wait| stands[wait.worm.index()]);
        if waits.len() == before {
            return waits;
        }
    }
}

/// The messages that wait behind closed channels, directly or through others, in a list of all waits of
/// heads; `is_closed` is asked about wanted virtual channels.
pub fn stopped(waits: &[Wait], is_closed: impl Fn(VcId) -> bool) -> usize {
    // A wait for a closed channel without a holder lasts: the worm stands for its own holder.
    let lasting = waits.iter().map(|wait| {
        let itself = wait.holder.is_none() && is_closed(wait.wants);
        Wait { holder: if itself { Some(wait.worm) } else { wait.holder }, ..*wait }
    });
    let mut worms: Vec<WormId> = stuck(lasting.collect()).iter().map(|wait| wait.worm).collect();
    worms.sort_unstable();
    worms.dedup();
    worms.len()
}

/// The cycle of waits reached from `first` by following the first wait of each worm; only worms for
/// which `within` is true are visited, a set closed under waits.
pub(super) fn circle(waits: &[Wait], first: WormId, within: impl Fn(WormId) -> bool) -> Vec<Wait> {
    let mut path: Vec<Wait> = Vec::new();
    let mut at = first;
    loop {
        if let Some(start) = path.iter().position(|wait| wait.worm == at) {
            return path.split_off(start);
        }
        let next = waits.iter().find(|wait| wait.worm == at && wait.holder.is_some_and(&within));
        let Some((wait, holder)) = next.and_then(|wait| Some((*wait, wait.holder?))) else {
            return path;
        };
        path.push(wait);
        at = holder;
    }
}
