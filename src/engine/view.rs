//! The picture of itself that an engine draws for those above it.

use get_size2::GetSize;

use super::deadlock::{Deadlock, Wait};
use super::totals::Counters;
use crate::ids::{ChannelId, Letter, MessageId, NodeId, RouterId, VcId, WormId};
use crate::units::Cycle;

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

/// A worm in the network, as drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WormView {
    /// Its name while it lives.
    pub id: WormId,
    /// What people call it while it is in the network, if anybody wants to.
    pub letter: Letter,
    /// Which message of its source it is; with `source` a name for ever.
    pub serial: u64,
    pub source: NodeId,
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
    pub fn name(&self) -> MessageId {
        MessageId { source: self.source, serial: self.serial }
    }
}

/// One virtual channel, as drawn.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
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

/// A message under circuit switching, as drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CircuitView {
    /// Its name while it lives; that of its [`WormView`], where it holds links.
    pub worm: WormId,
    /// What people call it, from its first link on.
    pub letter: Option<Letter>,
    /// Which message of its source it is; with `source` a name for ever.
    pub serial: u64,
    pub source: NodeId,
    pub destination: NodeId,
    /// The cycle of its generation.
    pub born: Cycle,
    /// Flits of its data ([`crate::units::FLITS_PER_TIME`] to the unit of time).
    pub length: u32,
    /// Those of them that have arrived.
    pub consumed: u32,
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
    pub fn name(&self) -> MessageId {
        MessageId { source: self.source, serial: self.serial }
    }
}

/// A picture of an engine: plain data, filled into recycled storage on demand.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Snapshot {
    /// Cycles simulated.
    pub cycle: Cycle,
    /// VCs per channel: VC `v` of channel `c` is `vcs[c × virtual_channels + v]`.
    pub virtual_channels: u32,
    /// Capacity of a VC's buffer in flits.
    pub buffer_flits: u32,
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
    pub counters: Counters,
    /// The deadlock that stopped the run.
    pub deadlock: Option<Deadlock>,
}

impl Snapshot {
    /// Empties every list.
    pub(super) fn clear(&mut self) {
        self.vcs.clear();
        self.crossed.clear();
        self.queues.clear();
        self.worms.clear();
        self.path.clear();
        self.path_flits.clear();
        self.waits.clear();
        self.circuits.clear();
        self.controllers.clear();
    }

    /// The VCs that a worm holds or still has flits in, tail first.
    pub fn path_of(&self, worm: &WormView) -> &[VcId] {
        &self.path[worm.path_first as usize..][..worm.path_len as usize]
    }

    /// The channel and the number within it of a VC.
    pub fn split(&self, vc: VcId) -> (ChannelId, u32) {
        (ChannelId(vc.0 / self.virtual_channels), vc.0 % self.virtual_channels)
    }

    /// The VCs of a channel, by their numbers.
    pub fn vcs_of(&self, channel: ChannelId) -> &[VcView] {
        let count = self.virtual_channels as usize;
        self.vcs.get(channel.index() * count..(channel.index() + 1) * count).unwrap_or_default()
    }

    /// The worm that holds a VC, and its place in [`Self::worms`].
    pub fn owner(&self, vc: &VcView) -> Option<(usize, &WormView)> {
        let at = (vc.holder as usize).checked_sub(1)?;
        Some((at, self.worms.get(at)?))
    }

    /// The worm that holds VC `v` of `channel`.
    pub fn holder(&self, channel: ChannelId, v: u32) -> Option<&WormView> {
        let vc = self.vcs_of(channel).get(v as usize)?;
        self.owner(vc).map(|(_, worm)| worm)
    }
}
