//! The relations of a run whose routes change after failures.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::ids::ChannelId;
use crate::random::mix;
use crate::routing::Relation;
use crate::system::System;
use crate::system::known_relations::KnownRelations;
use crate::units::Cycle;

/// The relations of a run.
#[derive(Clone, Debug)]
pub(super) struct Rerouting {
    /// The relation of the scenario.
    first: Arc<Relation>,
    /// Relations found by all runs of the system.
    known: Arc<KnownRelations>,
    /// Replaced relations that may have routed messages in the network, each with the cycle of its
    /// replacement.
    past: Vec<(Cycle, Routed)>,
    /// The links closed when the present relation was found.
    closed: Arc<[ChannelId]>,
    /// Pairs of nodes without a route.
    unreachable: u64,
    /// True if no routes were found after the last failure, so that the old ones remain in use.
    is_stuck: bool,
    /// True if no message is in the network when routes change.
    empties: bool,
    /// The number of changes of routes.
    changes: u64,
    /// The cycle of the last change.
    changed: Option<Cycle>,
}

/// A relation of a run, with the closed links that determine it.
#[derive(Clone, Debug)]
pub struct Routed {
    pub closed: Arc<[ChannelId]>,
    pub relation: Relation,
}

impl Rerouting {
    /// `None` if the rule finds no routes around failures.
    pub fn new(system: &System) -> Option<Self> {
        system.relation.goes_around().then(|| Self {
            first: Arc::new(system.relation.clone()),
            known: Arc::clone(system.known_relations()),
            past: Vec::new(),
            closed: Arc::default(),
            unreachable: 0,
            is_stuck: false,
            empties: system.plan().empties(),
            changes: 0,
            changed: None,
        })
    }

    /// The relation on the links that are not closed, in place of `before`; `None` if none is found. The
    /// oldest message in the network entered in cycle `oldest`.
    pub fn take(
        &mut self,
        closed: &BTreeSet<ChannelId>,
        before: &Relation,
        [now, oldest]: [Cycle; 2],
    ) -> Option<Relation> {
        let here: Arc<[ChannelId]> = closed.iter().copied().collect();
        let next = self.known.around(&self.first, &here);
        self.is_stuck = next.is_none();
        let next = next?;
        self.changes += 1;
        self.changed = Some(now);
        self.past.retain(|&(until, _)| until >= oldest);
        let was = std::mem::replace(&mut self.closed, here);
        if self.empties {
            self.past.clear();
        } else {
            self.past.push((now, Routed { closed: was, relation: before.clone() }));
        }
        self.unreachable = next.unreachable_pairs();
        Some(next)
    }

    /// The cycle of the last change of routes.
    pub fn changed(&self) -> Option<Cycle> {
        self.changed
    }

    /// Pairs of nodes without a route.
    #[inline]
    pub fn unreachable(&self) -> u64 {
        self.unreachable
    }

    /// A hash of the links that determine the present routes, and of the number of changes, after which heads
    /// continue by other headers.
    pub fn fingerprint(&self, hash: u64) -> u64 {
        if self.changes == 0 {
            return hash;
        }
        let links = self.closed.iter().map(|link| u64::from(link.0));
        links.fold(mix(hash, self.changes), mix)
    }

    /// The relations that routed some message in the network, oldest first, if the oldest message there
    /// entered in cycle `oldest`; the last is the present one. Empty if no routes were found after the last
    /// failure.
    pub fn all(&self, oldest: Cycle, present: &Relation) -> Vec<Routed> {
        if self.is_stuck {
            return Vec::new();
        }
        let past = self.past.iter().filter(|it| it.0 >= oldest).map(|(_, routed)| routed.clone());
        let present = Routed { closed: Arc::clone(&self.closed), relation: present.clone() };
        past.chain([present]).collect()
    }
}
