//! State common to all engines, and their interface.

use std::collections::BTreeSet;
use std::sync::Arc;

use educe::Educe;
use get_size2::GetSize;

use super::change::Change;
use super::deadlock::{Deadlock, Wait};
use super::letters::Letters;
use super::messages::{MessageView, Whereabouts};
use super::tables::Scratch;
use super::totals::{Counters, Delivery, VcUse, Violation};
use super::view::Snapshot;
use crate::ids::{ChannelId, MessageId, NodeId, RouterId, VcId, WormId};
use crate::random::{key, mix};
use crate::routing::{Candidate, Relation};
use crate::system::System;
use crate::topology::Network;
use crate::traffic::sources::{Message, Sources};
use crate::units::{Cycle, Rate};

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
    /// Storage for [`Relation::candidates`].
    #[get_size(ignore)]
    pub(super) candidates: Scratch<Candidate>,
}

impl Common {
    pub(super) fn new(system: &System, seed: u64, replication: u32) -> Self {
        let network = Arc::clone(&system.network);
        Self {
            relation: system.relation.clone(),
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
        self.deliveries.push(delivery);
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

    /// Clears a snapshot and fills in the state common to all engines.
    pub(super) fn observe(&self, now: Cycle, counters: Counters, snapshot: &mut Snapshot) {
        snapshot.clear();
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
            key, sources, counters, present, delivered_hash, down,
            // Omitted: fixed by the scenario, for display only, or scratch storage.
            network: _, relation: _, letters: _, deliveries: _, deadlock: _, candidates: _,
        } = self;
        let words = [*delivered_hash, sources.fingerprint(), *present, counters.delivered];
        let links = down.iter().map(|link| u64::from(link.0));
        words.into_iter().chain(links).fold(mix(*key, now.0), mix)
    }
}

/// The interface of engines.
pub trait Simulator {
    #[doc(hidden)]
    fn common(&self) -> &Common;

    #[doc(hidden)]
    fn common_mut(&mut self) -> &mut Common;

    /// The next cycle to simulate; also the number of cycles simulated.
    fn now(&self) -> Cycle;

    /// The current time by the clock of the sources.
    #[doc(hidden)]
    fn clock(&self) -> u64;

    /// Simulates until [`Self::now`] is `until`, a deadlock is detected, or all messages of a script
    /// are delivered, whichever is first. Intermediate stops do not change the results.
    fn advance(&mut self, until: Cycle);

    /// Moves the deliveries since the last call to `out`, in order of arrival; clears `out` first.
    fn take_deliveries(&mut self, out: &mut Vec<Delivery>) {
        out.clear();
        out.append(&mut self.common_mut().deliveries);
    }

    /// Writes the current state into recycled storage.
    fn observe(&self, snapshot: &mut Snapshot);

    /// The number of flits that have crossed a link since cycle 0, or of cycles with the link held
    /// by circuits.
    fn crossed(&self, link: ChannelId) -> u64;

    /// Starts counting the uses of virtual channels, if the engine has any. Call at the start of a
    /// run. Results do not change.
    fn count_uses(&mut self) {}

    /// Fills `out` with the uses of every virtual channel, in the order of [`Snapshot::vcs`];
    /// leaves `out` empty if uses are not counted.
    fn vc_uses(&self, out: &mut Vec<VcUse>) {
        out.clear();
    }

    /// Checks all conservation laws and returns the first violation.
    #[doc(hidden)]
    fn check_laws(&self) -> Result<(), String>;

    /// Checks every conservation law against the whole state.
    fn audit(&self) -> Result<(), Violation> {
        self.check_laws().map_err(|law| Violation { cycle: self.now(), law })
    }

    /// Stores the flits of worms moved in bulk one by one, then audits the engine; neither the
    /// audit nor [`Self::fingerprint`] then copies the state. Results do not change.
    fn settle(&mut self) -> Result<(), Violation> {
        self.audit()
    }

    /// A hash of the state that can influence the future, and of all deliveries so far. Equal
    /// states have equal fingerprints, regardless of their history.
    fn fingerprint(&self) -> u64;

    /// Applies a change, effective from the current cycle. Closing a closed link, or opening an
    /// open one, has no effect.
    fn apply(&mut self, change: Change) {
        let now = self.clock();
        match change {
            Change::Rate(rate) => self.common_mut().sources.set_rate(now, rate),
            Change::LinkDown(link) => {
                if self.common_mut().down.insert(link) {
                    self.close(link);
                }
            }
            Change::LinkUp(link) => {
                if self.common_mut().down.remove(&link) {
                    self.open(link);
                }
            }
        }
    }

    /// Changes the generation rate from the current cycle.
    fn set_rate(&mut self, rate: Rate) {
        self.apply(Change::Rate(rate));
    }

    /// Closes a channel between routers: no further worm or circuit is granted the channel.
    #[doc(hidden)]
    fn close(&mut self, link: ChannelId);

    /// Opens a closed channel and serves the messages that wait for the channel.
    #[doc(hidden)]
    fn open(&mut self, link: ChannelId);

    /// True if a change would have no effect: it closes a closed link, opens an open link, or changes
    /// the rate of traffic without a rate.
    fn is_idle(&self, change: Change) -> bool {
        match change {
            Change::Rate(_) => self.sources().have_no_rate(),
            Change::LinkDown(link) => self.is_down(link),
            Change::LinkUp(link) => !self.is_down(link),
        }
    }

    /// True if all messages of a script were delivered; the run then ends.
    fn is_complete(&self) -> bool {
        self.common().is_complete()
    }

    /// True if a channel between routers is closed.
    fn is_down(&self, link: ChannelId) -> bool {
        self.common().down.contains(&link)
    }

    /// Running totals, including the progress of all worms moved in bulk.
    fn counters(&self) -> Counters;

    /// The numbers of messages generated and delivered, cheaper than all totals.
    fn messages_so_far(&self) -> (u64, u64) {
        let common = self.common();
        (common.sources.generated(), common.counters.delivered)
    }

    /// The labels of messages in the network.
    fn letters(&mut self) -> &mut Letters {
        &mut self.common_mut().letters
    }

    /// The deadlock that stopped the run, if any; detected at most 64 cycles after it closed.
    fn deadlock(&self) -> Option<&Deadlock> {
        self.common().deadlock.as_ref()
    }

    /// Searches for worms that can never move again, regardless of any remedy of the machine.
    fn find_deadlock(&self) -> Option<Deadlock>;

    /// The sources of messages.
    fn sources(&self) -> &Sources {
        &self.common().sources
    }

    /// The number of rows in the table of messages.
    #[doc(hidden)]
    fn rows(&self) -> usize;

    /// The unique name of the message in a row.
    fn name_of(&self, worm: WormId) -> Option<MessageId>;

    /// The message in a row.
    fn message(&self, worm: WormId) -> Option<MessageView>;

    /// Finds a message handed out by its source and not yet delivered. No search is needed if
    /// `hint` is the current row.
    fn find(&self, message: MessageId, hint: Option<WormId>) -> Option<MessageView> {
        let mut rows = hint.into_iter().chain((0..self.rows()).map(WormId::new));
        self.message(rows.find(|&row| self.name_of(row) == Some(message))?)
    }

    /// The location of a message; `hint` as in [`Self::find`].
    fn whereabouts(&self, message: MessageId, hint: Option<WormId>) -> Whereabouts {
        let (sources, node) = (self.sources(), message.source);
        if node.index() >= sources.terminals() || message.serial >= sources.generated_at(node) {
            Whereabouts::Unborn
        } else if message.serial >= sources.handed_out(node) {
            Whereabouts::Behind
        } else {
            self.find(message, hint).map_or(Whereabouts::Gone, Whereabouts::Present)
        }
    }

    /// Fills `out` with all messages under way or waiting at their sources, except for
    /// [`Whereabouts::Behind`], in arbitrary order.
    fn messages(&self, out: &mut Vec<MessageView>) {
        out.clear();
        out.extend((0..self.rows()).filter_map(|row| self.message(WormId::new(row))));
    }

    /// All messages generated and neither delivered nor discarded, by birth and source; births are
    /// cycles.
    fn undelivered(&self) -> Vec<Message> {
        let mut views = Vec::new();
        self.messages(&mut views);
        let present = views.into_iter().map(|view| Message {
            source: view.name.source,
            destination: view.destination,
            serial: view.name.serial,
            length: view.length,
            born: view.born.0,
            route_bits: 0,
            class: view.message_class,
        });
        let behind = self.sources().behind().into_iter();
        let behind = behind.map(|it| Message { born: self.cycle_at(it.born).0, ..it });
        let mut all: Vec<Message> = present.chain(behind).collect();
        all.sort_unstable_by_key(|it| (it.born, it.source, it.serial));
        all
    }

    /// The cycle of a time by the clock of the sources.
    #[doc(hidden)]
    fn cycle_at(&self, clock: u64) -> Cycle {
        Cycle(clock)
    }

    /// Fills `out` with the virtual channels or links held by a message, ending at the head.
    fn path_of(&self, worm: WormId, out: &mut Vec<VcId>);

    /// Fills `out` with the waits of a message, an entry for each VC requested by its head; also at
    /// its source, if the message is the next to leave.
    fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>);

    /// Fills `out` with the messages in the network with their head at a router; for circuits, with
    /// all messages that hold a link into the router.
    fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>);
}
