//! What every engine keeps beside its own tables, and what can be asked of it.

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
use crate::traffic::sources::{Arrival, Rejection, Sources};
use crate::units::{Cycle, Rate};

/// What engines of every kind keep.
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
    /// Messages generated and not delivered.
    pub(super) present: u64,
    pub(super) deliveries: Vec<Delivery>,
    /// Sum of the hashes of all deliveries: the order within a cycle does not matter to it.
    pub(super) delivered_hash: u64,
    pub(super) deadlock: Option<Deadlock>,
    /// Closed channels between routers.
    pub(super) down: BTreeSet<ChannelId>,
    /// For [`Relation::candidates`].
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

    /// A message is delivered that was generated at `born` and is counted at `done`, by the clock of
    /// its sources.
    #[inline]
    pub(super) fn deliver(&mut self, delivery: Delivery, born: u64, done: u64) {
        let source_and_length = u64::from(delivery.source.0) << 32 | u64::from(delivery.length);
        let name = mix(source_and_length, delivery.serial);
        self.delivered_hash = self.delivered_hash.wrapping_add(mix(mix(name, born), done));
        self.present -= 1;
        self.counters.delivered += 1;
        self.counters.flits_delivered += u64::from(delivery.length);
        self.deliveries.push(delivery);
    }

    /// Empties a picture and draws what engines of every kind have.
    pub(super) fn observe(&self, now: Cycle, counters: Counters, snapshot: &mut Snapshot) {
        snapshot.clear();
        snapshot.cycle = now;
        snapshot.counters = counters;
        snapshot.deadlock.clone_from(&self.deadlock);
        let nodes = (0..self.network.nodes()).map(NodeId::new);
        snapshot.queues.extend(nodes.map(|node| self.sources.queue(node)));
    }

    /// The hash of all of it that can influence the future, and of the deliveries so far.
    pub(super) fn fingerprint(&self, now: Cycle) -> u64 {
        #[rustfmt::skip]
        let Self {
            key, sources, counters, present, delivered_hash, down,
            // What the scenario fixes, what only people see, and scratch.
            network: _, relation: _, letters: _, deliveries: _, deadlock: _, candidates: _,
        } = self;
        let words = [*delivered_hash, sources.fingerprint(), *present, counters.delivered];
        let links = down.iter().map(|link| u64::from(link.0));
        words.into_iter().chain(links).fold(mix(*key, now.0), mix)
    }
}

/// An engine, for those above it. Where the engines differ there is a method without a body.
pub trait Simulator {
    #[doc(hidden)]
    fn common(&self) -> &Common;

    #[doc(hidden)]
    fn common_mut(&mut self) -> &mut Common;

    /// The cycle that the next step will simulate; equally, the number of cycles simulated.
    fn now(&self) -> Cycle;

    /// The same by the clock of the sources.
    #[doc(hidden)]
    fn clock(&self) -> u64;

    /// Simulates until [`Self::now`] is `until`, until a deadlock is found, or as far as messages to be
    /// replayed are known, whichever is first.
    /// Where it is stopped on the way changes nothing.
    fn advance(&mut self, until: Cycle);

    /// Hands over the deliveries since the last call, in order of arrival (`out` is cleared first).
    fn take_deliveries(&mut self, out: &mut Vec<Delivery>) {
        out.clear();
        out.append(&mut self.common_mut().deliveries);
    }

    /// Draws the present state into recycled storage.
    fn observe(&self, snapshot: &mut Snapshot);

    /// Flits that have crossed a link since cycle 0, or cycles for which circuits held it.
    fn crossed(&self, link: ChannelId) -> u64;

    /// Counts the uses of virtual channels, where there are any. To be asked for at the beginning of a
    /// run; changes the cost and nothing else.
    fn count_uses(&mut self) {}

    /// Fills `out` with the uses of every virtual channel, in the order of [`Snapshot::vcs`]; with none,
    /// where they are not counted.
    fn vc_uses(&self, out: &mut Vec<VcUse>) {
        out.clear();
    }

    /// The first conservation law that the state breaks.
    #[doc(hidden)]
    fn check_laws(&self) -> Result<(), String>;

    /// Checks every conservation law against the whole state.
    fn audit(&self) -> Result<(), Violation> {
        self.check_laws().map_err(|law| Violation { cycle: self.now(), law })
    }

    /// The same, and writes down in place what otherwise a copy is needed for, by this and by
    /// [`Self::fingerprint`]. Changes the cost of what follows and nothing else.
    fn settle(&mut self) -> Result<(), Violation> {
        self.audit()
    }

    /// A hash of everything that can influence the future, and of all deliveries so far. Equal
    /// states have equal fingerprints, however they were reached.
    fn fingerprint(&self) -> u64;

    /// Applies a change from the present cycle on. Closing a closed link, or opening an open one, changes
    /// nothing.
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

    /// Changes the generation rate from the present cycle on.
    fn set_rate(&mut self, rate: Rate) {
        self.apply(Change::Rate(rate));
    }

    /// Grants a channel between routers to nobody from now on.
    #[doc(hidden)]
    fn close(&mut self, link: ChannelId);

    /// Grants a channel that was closed again, to those who wait for it first.
    #[doc(hidden)]
    fn open(&mut self, link: ChannelId);

    /// True if a change would close a closed link, or open an open one: there is nothing to do.
    fn is_idle(&self, change: Change) -> bool {
        match change {
            Change::Rate(_) => false,
            Change::LinkDown(link) => self.is_down(link),
            Change::LinkUp(link) => !self.is_down(link),
        }
    }

    /// Gives the next messages to a run that [replays](super::Engine::replaying) them, `last` if no others
    /// come. The run goes no further than [`Sources::known_until`].
    fn give(&mut self, block: Arc<[Arrival]>, last: bool) -> Result<(), Rejection> {
        self.common_mut().sources.give(block, last)
    }

    /// True if a channel between routers is closed.
    fn is_down(&self, link: ChannelId) -> bool {
        self.common().down.contains(&link)
    }

    /// Running totals. Takes a look at all that runs free.
    fn counters(&self) -> Counters;

    /// Of these the messages generated, and those delivered, which take no look.
    fn messages_so_far(&self) -> (u64, u64) {
        let common = self.common();
        (common.sources.generated(), common.counters.delivered)
    }

    /// What people call the messages in the network.
    fn letters(&mut self) -> &mut Letters {
        &mut self.common_mut().letters
    }

    /// The deadlock that stopped the run, if one was found: at most 64 cycles after it closed.
    fn deadlock(&self) -> Option<&Deadlock> {
        self.common().deadlock.as_ref()
    }

    /// The worms that can never move again, as of now, whatever the machine does about them.
    fn find_deadlock(&self) -> Option<Deadlock>;

    /// The sources of its messages.
    fn sources(&self) -> &Sources {
        &self.common().sources
    }

    /// Rows in the table of messages.
    #[doc(hidden)]
    fn rows(&self) -> usize;

    /// The name of the message in a row.
    fn name_of(&self, worm: WormId) -> Option<MessageId>;

    /// The message in a row.
    fn message(&self, worm: WormId) -> Option<MessageView>;

    /// A message that was handed out by its source and not delivered. With the row that it had
    /// when last asked for, this takes no search.
    fn find(&self, message: MessageId, hint: Option<WormId>) -> Option<MessageView> {
        let mut rows = hint.into_iter().chain((0..self.rows()).map(WormId::new));
        self.message(rows.find(|&row| self.name_of(row) == Some(message))?)
    }

    /// Where a message is; `hint` as in [`Self::find`].
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

    /// Fills `out` with all messages that wait at their sources, unless they are
    /// [`Whereabouts::Behind`], or are under way; in no order.
    fn messages(&self, out: &mut Vec<MessageView>) {
        out.clear();
        out.extend((0..self.rows()).filter_map(|row| self.message(WormId::new(row))));
    }

    /// Fills `out` with the virtual channels or links that a message holds, that of its head last.
    fn path_of(&self, worm: WormId, out: &mut Vec<VcId>);

    /// Fills `out` with what a message waits for, one entry for each VC that its head wants; at its
    /// source too, if no earlier message there goes before it.
    fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>);

    /// Fills `out` with the messages in the network whose heads are at a router; of circuits, with
    /// all that have come by it and still hold a link into it.
    fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>);
}
