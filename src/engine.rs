//! What every engine offers to those above it, and the picture of itself that it draws for them.
//!
//! An engine is a value: no thread, clock or screen inside. It is advanced, observed, audited,
//! copied and fingerprinted; deliveries leave it in batches.

pub mod any;
pub mod circuit;
mod deadlock;
pub mod letters;
pub mod messages;
pub mod wormhole;

pub use self::deadlock::{Deadlock, DeadlockSet};
use self::letters::Letters;
use crate::ids::{ChannelId, Letter, MessageId, NodeId, RouterId, VcId, WormId};
use crate::units::{Cycle, Rate};

/// A message that has arrived, tail and all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Where it started.
    pub source: NodeId,
    /// Where it went.
    pub destination: NodeId,
    /// Which message of its source it was, from 0.
    pub serial: u64,
    /// Flits.
    pub length: u32,
    /// Channels crossed that count (links only under direct terminals).
    pub hops: u32,
    /// The cycle of its generation.
    pub born: Cycle,
    /// The cycle in which its head first moved; of a circuit, that in which its data started.
    pub entered: Cycle,
    /// The cycle after the one in which its tail was consumed.
    pub done: Cycle,
    /// Times it was aborted on its way.
    pub aborts: u32,
    /// Cycles for which its circuit held links, summed over links and attempts; 0 for a worm.
    pub held: u64,
}

impl Delivery {
    /// The message's name.
    pub fn name(&self) -> MessageId {
        MessageId { source: self.source, serial: self.serial }
    }

    /// Cycles from generation to the consumption of the tail.
    pub fn latency(&self) -> u64 {
        self.done - self.born
    }

    /// Cycles from the head's first move (of a circuit: from the start of its data) to the consumption
    /// of the tail.
    pub fn network_latency(&self) -> u64 {
        self.done - self.entered
    }
}

/// Running totals since cycle 0.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counters {
    /// Messages generated, waiting ones included.
    pub generated: u64,
    /// Messages delivered.
    pub delivered: u64,
    /// Flits of delivered messages.
    pub flits_delivered: u64,
    /// Flits that left their source.
    pub flits_injected: u64,
    /// Flits that were consumed at their destination.
    pub flits_consumed: u64,
    /// Flits moved over router-to-router channels.
    pub flit_hops: u64,
    /// Σ over cycles of the messages generated and not delivered at the cycle's end.
    pub message_cycles: u64,
    /// Σ over delivered messages of their latency.
    pub latency_sum: u64,
    /// Messages discarded at their source because as many as may wait were waiting.
    pub discarded: u64,
    /// Worms taken out of the network to break a deadlock; attempts to set up a circuit given up.
    pub aborts: u64,
    /// Flits that left the network with them.
    pub flits_aborted: u64,
    /// Rings of circuits found waiting for each other; 0 in an engine of worms.
    pub deadlocks: u64,
    /// Events simulated; 0 in an engine that counts cycles.
    pub events: u64,
}

/// What a worm waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitKind {
    /// A VC that another holds.
    Vc,
    /// To be first in its buffer: another stands ahead in it.
    Turn,
    /// Room in the buffer of a VC that it holds or could have: another fills it.
    Room,
}

/// One worm waiting for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wait {
    /// For what.
    pub kind: WaitKind,
    /// Who waits.
    pub worm: WormId,
    /// The router at which its head stands.
    pub at: RouterId,
    /// The VC that it wants, or in whose buffer it wants to be first or to have room.
    pub wants: VcId,
    /// Who is in the way; `None` if nobody is any longer.
    pub holder: Option<WormId>,
}

/// A law that an engine must keep and did not: a mistake of the program, never of the scenario.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cycle {cycle}: {law}")]
pub struct Violation {
    /// When.
    pub cycle: Cycle,
    /// Which law, with the numbers.
    pub law: String,
}

/// Bytes of a list's storage.
fn held<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// What an engine offers.
pub trait Engine {
    /// The cycle that the next step will simulate; equally, the number of cycles simulated.
    fn now(&self) -> Cycle;

    /// Simulates until [`Self::now`] is `until`, or until a deadlock is found, whichever is first.
    /// Where it is stopped on the way changes nothing.
    fn advance(&mut self, until: Cycle);

    /// Hands over the deliveries since the last call, in order of arrival (`out` is cleared first).
    fn take_deliveries(&mut self, out: &mut Vec<Delivery>);

    /// Draws the present state into recycled storage.
    fn observe(&self, snapshot: &mut Snapshot);

    /// Checks every conservation law against the whole state.
    fn audit(&self) -> Result<(), Violation>;

    /// A hash of everything that can influence the future, and of all deliveries so far. Equal
    /// states have equal fingerprints, however they were reached.
    fn fingerprint(&self) -> u64;

    /// Makes `self` equal to `other`, reusing storage.
    fn copy_from(&mut self, other: &Self)
    where
        Self: Sized;

    /// Bytes held beside the value itself: what a copy costs. Tables that copies share do not count.
    fn bytes(&self) -> usize;

    /// Changes the generation rate from the present cycle on.
    fn set_rate(&mut self, rate: Rate);

    /// Running totals.
    fn counters(&self) -> Counters;

    /// What people call the messages in the network.
    fn letters(&mut self) -> &mut Letters;

    /// The deadlock that stopped the run, if one was found: at most 64 cycles after it closed.
    fn deadlock(&self) -> Option<&Deadlock>;

    /// The worms that can never move again, as of now, whatever the machine does about them.
    fn find_deadlock(&self) -> Option<Deadlock>;
}

/// What a worm's head is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadState {
    /// Waiting at its source for a first VC.
    AtSource,
    /// Going on: it holds its next VC or has just arrived.
    Moving,
    /// Standing at a router, waiting for a VC since this cycle.
    Blocked(Cycle),
    /// At its destination, draining.
    Arriving,
}

/// A worm in the network, as seen by eyes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WormView {
    /// Its name while it lives.
    pub id: WormId,
    /// What people call it while it is in the network, if anybody wants to.
    pub letter: Letter,
    /// Which message of its source it is; with `source` a name for ever.
    pub serial: u64,
    /// Where it started.
    pub source: NodeId,
    /// Where it goes.
    pub destination: NodeId,
    /// The cycle of its generation.
    pub born: Cycle,
    /// Flits in all.
    pub length: u32,
    /// Flits still at the source.
    pub at_source: u32,
    /// Flits consumed already.
    pub consumed: u32,
    /// What the head is doing.
    pub head: HeadState,
    /// The router at which the head stands (the source's, before it moves).
    pub head_at: RouterId,
    /// First entry in [`Snapshot::path`] of the VCs it holds, from the tail's to the head's.
    pub path_first: u32,
    /// Number of VCs it holds.
    pub path_len: u32,
}

impl WormView {
    /// The message's name.
    pub fn name(&self) -> MessageId {
        MessageId { source: self.source, serial: self.serial }
    }
}

/// One virtual channel, as seen by eyes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct VcView {
    /// Index into [`Snapshot::worms`] plus 1 of the worm that holds it; 0 if it is free.
    pub holder: u32,
    /// Flits in its buffer, those of older worms included, and those on their way to it.
    pub flits: u32,
    /// Of these, the flits on their way: sent over the channel, and not yet at its far end.
    pub in_flight: u32,
}

/// What a message under circuit switching is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CircuitState {
    /// Asking a controller for its next link: queueing or being served.
    SettingUp,
    /// Standing in the queue of a link.
    Waiting,
    /// Its circuit stands: acknowledged, then the data pass.
    Transmitting,
    /// Giving its links back from the source on.
    Releasing,
    /// Giving its links back from the last on, since the attempt failed.
    Aborting,
    /// Waiting for its next attempt, without links.
    BackingOff,
}

/// A message under circuit switching, as seen by eyes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CircuitView {
    /// Its name while it lives; that of its [`WormView`], where it holds links.
    pub worm: WormId,
    /// What people call it, from its first link on.
    pub letter: Option<Letter>,
    /// Which message of its source it is; with `source` a name for ever.
    pub serial: u64,
    /// Where it starts.
    pub source: NodeId,
    /// Where it goes.
    pub destination: NodeId,
    /// The cycle of its generation.
    pub born: Cycle,
    /// Flits of its data ([`crate::units::FLITS_PER_TIME`] to the unit of time).
    pub length: u32,
    /// Those of them that have arrived.
    pub consumed: u32,
    /// What it is doing.
    pub state: CircuitState,
    /// The cycle since when.
    pub since: Cycle,
    /// The router whose controller it asks, or asked last.
    pub at: RouterId,
    /// The link that it waits for, as a lane of the channel as which it wants it.
    pub wants: Option<VcId>,
    /// Attempts given up.
    pub aborts: u32,
    /// Cycles from its generation to the start of its data, once the circuit stands.
    pub set_up: Option<u64>,
    /// First entry in [`Snapshot::path`] of the links that it holds, from its source on.
    pub path_first: u32,
    /// Number of links it holds.
    pub path_len: u32,
}

impl CircuitView {
    /// The message's name.
    pub fn name(&self) -> MessageId {
        MessageId { source: self.source, serial: self.serial }
    }
}

/// A picture of an engine: plain data, filled into recycled storage only when somebody looks.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Snapshot {
    /// Cycles simulated.
    pub cycle: Cycle,
    /// VCs per channel: VC `v` of channel `c` is `vcs[c × virtual_channels + v]`.
    pub virtual_channels: u32,
    /// Capacity of a VC's buffer in flits.
    pub buffer_flits: u32,
    /// Every VC.
    pub vcs: Vec<VcView>,
    /// Flits that have crossed each channel since cycle 0, or cycles for which circuits held its link; a
    /// difference of two snapshots divided
    /// by the cycles between them is the utilisation.
    pub crossed: Vec<u64>,
    /// Messages waiting at each terminal, none of whose flits have left.
    pub queues: Vec<u64>,
    /// Worms that hold at least one VC, in order of age, oldest first.
    pub worms: Vec<WormView>,
    /// VCs in which a worm has flits or which it holds, worm by worm ([`WormView::path_first`]).
    pub path: Vec<VcId>,
    /// Its flits in each of them, or on their way there.
    pub path_flits: Vec<u32>,
    /// Who waits for what: an entry for each VC that a blocked head in the network wants, in order
    /// of the worms in [`Self::worms`].
    pub waits: Vec<Wait>,
    /// Messages under circuit switching, those without links included, oldest first; empty under
    /// wormhole switching. Those with links are among [`Self::worms`] too.
    pub circuits: Vec<CircuitView>,
    /// Jobs at the controller of each router, the one in service included; empty under wormhole
    /// switching.
    pub controllers: Vec<u32>,
    /// Totals.
    pub counters: Counters,
    /// The deadlock that stopped the run.
    pub deadlock: Option<Deadlock>,
}

impl Snapshot {
    /// The VCs that a worm holds or still has flits in, tail first.
    pub fn path_of(&self, worm: &WormView) -> &[VcId] {
        &self.path[worm.path_first as usize..][..worm.path_len as usize]
    }

    /// The channel and the number within it of a VC.
    pub fn split(&self, vc: VcId) -> (ChannelId, u32) {
        (ChannelId(vc.0 / self.virtual_channels), vc.0 % self.virtual_channels)
    }

    /// The worm that holds VC `v` of `channel`.
    pub fn holder(&self, channel: ChannelId, v: u32) -> Option<&WormView> {
        let vc = self.vcs[channel.index() * self.virtual_channels as usize + v as usize];
        (vc.holder as usize).checked_sub(1).map(|at| &self.worms[at])
    }
}
