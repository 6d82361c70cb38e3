//! State common to all engines.

use std::collections::BTreeSet;
use std::sync::Arc;

use educe::Educe;
use get_size2::GetSize;

use super::deadlock::Deadlock;
use super::letters::Letters;
use super::phases::Phases;
use super::rerouting::Rerouting;
use super::schedule::Schedule;
use super::tables::Scratch;
use super::totals::{Counters, Delivery, Loss};
use super::view::Snapshot;
use crate::ids::{ChannelId, NodeId, RouterId};
use crate::random::{key, mix};
use crate::routing::{Candidate, Header, Relation};
use crate::system::System;
use crate::topology::Network;
use crate::traffic::sources::{Message, Sources};
use crate::units::Cycle;

/// The state common to all engines.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct Common {
    #[get_size(ignore)]
    pub(super) network: Arc<Network>,
    #[get_size(ignore)]
    pub(super) relation: Relation,
    /// The key of all hashes ([`key`]).
    pub(super) key: u64,
    pub(super) sources: Sources,
    pub(super) letters: Letters,
    pub(super) counters: Counters,
    /// The number of messages generated but not yet delivered.
    pub(super) present: u64,
    pub(super) deliveries: Vec<Delivery>,
    /// The sum of the hashes of all deliveries, independent of the order within a cycle.
    pub(super) delivered_hash: u64,
    pub(super) deadlock: Option<Deadlock>,
    /// Closed channels between routers.
    pub(super) down: BTreeSet<ChannelId>,
    /// Messages before and after failures.
    pub(super) phases: Phases,
    /// Lost messages, until taken.
    pub(super) losses: Vec<Loss>,
    /// Failures to come.
    pub(super) schedule: Schedule,
    /// Routes around failures; `None` if routes never change.
    #[get_size(ignore)]
    pub(super) rerouting: Option<Rerouting>,
    /// Storage for [`Relation::candidates`].
    #[get_size(ignore)]
    pub(super) candidates: Scratch<Candidate>,
}

impl Common {
    pub(super) fn new(system: &System, seed: u64, replication: u32) -> Self {
        let network = Arc::clone(&system.network);
        Self {
            relation: system.relation.clone(),
            phases: Phases::default(),
            losses: Vec::new(),
            schedule: Schedule::new(system.plan()),
            rerouting: Rerouting::new(system),
            key: key(seed, replication),
            sources: Sources::new(&system.traffic, &network, seed, replication),
            network,
            letters: Letters::default(),
            counters: Counters::default(),
            present: 0,
            deliveries: Vec::new(),
            delivered_hash: 0,
            deadlock: None,
            down: BTreeSet::new(),
            candidates: Scratch::default(),
        }
    }

    /// Records a delivery. The message was generated at `born` and arrived at `done`, both by the
    /// clock of the sources.
    #[inline]
    pub(super) fn deliver(&mut self, mut delivery: Delivery, born: u64, done: u64) {
        let source_and_length = u64::from(delivery.source.0) << 32 | u64::from(delivery.length);
        let name = mix(source_and_length, delivery.serial);
        self.delivered_hash = self.delivered_hash.wrapping_add(mix(mix(name, born), done));
        self.present -= 1;
        self.counters.delivered += 1;
        self.counters.flits_delivered += u64::from(delivery.length);
        let Delivery { source, destination, serial, born, done, .. } = delivery;
        let began = self.sources.delivered([source, destination], serial, born.0, done.0);
        delivery.began = Cycle(began);
        if !self.phases.are_none() {
            self.phases.deliver(born.0, delivery.latency());
        }
        self.deliveries.push(delivery);
    }

    /// Records the loss of a message in cycle `now`, with some flits in the network.
    pub(super) fn lose(&mut self, message: Message, flits: u64, now: u64) {
        self.present -= 1;
        self.counters.lost += 1;
        self.counters.flits_lost += flits;
        self.counters.lost_cycles += now - message.born;
        self.phases.lose(message.born);
        self.losses.push(Loss { message, done: Cycle(now) });
        self.sources.lost(message.source, message.serial, now);
    }

    /// True if messages stop in front of failed links, rather than being lost.
    pub(super) fn stalls(&self) -> bool {
        self.schedule.plan().stalls()
    }

    /// True if no route leads a message from a router to its destination.
    #[inline]
    pub(super) fn is_cut_off(&self, at: RouterId, header: &Header) -> bool {
        let partial = self.rerouting.as_ref().is_some_and(|it| it.unreachable() > 0);
        partial && !self.relation.leads_on(at, header)
    }

    /// Moves the deliveries to `out`, in order of cycle, source and serial number.
    pub(super) fn take_by_cycle(&mut self, out: &mut Vec<Delivery>) {
        out.clear();
        std::mem::swap(out, &mut self.deliveries);
        debug_assert!(out.is_sorted_by_key(|it| it.done));
        for cycle in out.chunk_by_mut(|a, b| a.done == b.done) {
            if cycle.len() > 1 {
                cycle.sort_unstable_by_key(|it| (it.source, it.serial));
            }
        }
    }

    /// True if no message is present and none follows.
    #[inline]
    pub(super) fn is_complete(&self) -> bool {
        self.present == 0 && self.sources.are_at_end()
    }

    /// Clears a snapshot of `vcs` VCs and fills in the state common to all engines.
    pub(super) fn observe(
        &self,
        now: Cycle,
        counters: Counters,
        vcs: usize,
        snapshot: &mut Snapshot,
    ) {
        snapshot.clear(vcs);
        snapshot.cycle = now;
        snapshot.counters = counters;
        snapshot.deadlock.clone_from(&self.deadlock);
        let nodes = (0..self.network.nodes()).map(NodeId::new);
        snapshot.queues.extend(nodes.map(|node| self.sources.queue(node)));
    }

    /// A hash of the common state that can influence the future, and of all deliveries so far.
    pub(super) fn fingerprint(&self, now: Cycle) -> u64 {
        #[rustfmt::skip]
        let Self {
            key, sources, counters, present, delivered_hash, down, schedule,
            rerouting,
            // Omitted: fixed by the scenario and the changes, for display only, or scratch storage.
            network: _, relation: _, phases: _, losses: _, letters: _, deliveries: _, deadlock: _, candidates: _,
        } = self;
        let words = [*delivered_hash, sources.fingerprint(), *present, counters.delivered];
        let links = down.iter().map(|link| u64::from(link.0));
        let hash = words.into_iter().chain(links).fold(mix(*key, now.0), mix);
        let hash = if counters.lost == 0 { hash } else { mix(hash, counters.lost) };
        let hash = rerouting.as_ref().map_or(hash, |it| it.fingerprint(hash));
        schedule.fingerprint(hash)
    }
}
