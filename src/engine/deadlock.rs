//! Worms that can never move again: which of them wait for each other, since when, and who closed it.

use std::collections::BTreeMap;

use get_size2::GetSize;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use petgraph::visit::{Dfs, Walker};

use crate::ids::{MessageId, RouterId, VcId, WormId};
use crate::units::Cycle;

/// What a worm waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub enum WaitKind {
    /// A VC that another holds, or whose link is closed.
    Vc,
    /// To be first in its buffer: another stands ahead in it.
    HeadOfLine,
    /// Room in the buffer of a VC that it holds or could have: another fills it.
    Room,
}

/// One worm waiting for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub struct Wait {
    pub kind: WaitKind,
    pub worm: WormId,
    /// The router at which its head stands.
    pub at: RouterId,
    /// The VC that it wants, or in whose buffer it wants to be first or to have room.
    pub wants: VcId,
    /// The worm in the way; `None` if there is none any longer, or only a closed link is.
    pub holder: Option<WormId>,
}

/// Worms that can never move again.
#[derive(Clone, PartialEq, Eq, Debug, GetSize)]
pub struct Deadlock {
    /// The cycle at which it was found.
    pub found: Cycle,
    /// The sets of worms that wait for each other, in the order in which they closed; at least one.
    pub sets: Vec<DeadlockSet>,
    /// The worms that can never move because of those, and hold up none of them; oldest first.
    pub caught: Vec<WormId>,
}

/// Worms that can never move again because of each other: a strongly connected part of the wait-for
/// graph of the worms that can never move.
#[derive(Clone, PartialEq, Eq, Debug, GetSize)]
pub struct DeadlockSet {
    /// The first cycle at which it stood: the one after that in which its last member came to wait
    /// for good.
    pub closed: Cycle,
    /// The messages whose waits began in that cycle. Members, unless the set depends on another one that
    /// closed later.
    pub closers: Vec<MessageId>,
    /// Its members, oldest first.
    pub worms: Vec<WormId>,
    /// A circle of waits in it: each worm waits for the next, the last for the first.
    pub circle: Vec<Wait>,
    /// True if some member has alternatives (a knot); otherwise each waits for one thing only, and
    /// the circle is all there is.
    pub knot: bool,
}

impl Deadlock {
    /// The deadlock of the worms with these waits, all of them [`stuck`], as found in cycle `now`. A
    /// wait began at `since` by a clock of which `cycle` tells the first cycle that shows it.
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
            // Every worm that a member waits for, directly or through others, had to come to wait too.
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

    /// The first cycle at which worms stood for good.
    pub fn closed(&self) -> Cycle {
        self.sets.first().map_or(self.found, |set| set.closed)
    }

    /// All worms that can never move again: set by set, then those that are only caught.
    pub fn worms(&self) -> impl Iterator<Item = WormId> {
        let members = self.sets.iter().flat_map(|set| &set.worms);
        members.chain(&self.caught).copied()
    }

    /// True if a worm can never move again.
    pub fn holds(&self, worm: WormId) -> bool {
        self.worms().any(|other| other == worm)
    }

    /// The waits of the circles of all sets.
    pub fn circles(&self) -> impl Iterator<Item = &Wait> {
        self.sets.iter().flat_map(|set| &set.circle)
    }
}

/// Of `waits`, each of which ends only if its holder goes on, those of worms that never do: a worm
/// goes on if one of those that it waits for does, or does not wait.
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

/// The circle that closes on the way from `first`, from each worm to the first that it waits for
/// `within` a set that no wait leaves.
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
