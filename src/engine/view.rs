//! Snapshots of engines.

use get_size2::GetSize;
use strum::VariantArray;

use super::deadlock::{Deadlock, Wait};
use super::totals::Counters;
use crate::ids::{ChannelId, Letter, MessageId, NodeId, RouterId, VcId, WormId};
use crate::units::Cycle;

/// The state of the head of a worm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadState {
    /// Waiting at the source for a first VC.
    AtSource,
    /// Moving: the head holds its next VC or has just arrived.
    Moving,
    /// Blocked at a router, waiting for a VC since the given cycle.
    Blocked(Cycle),
    /// Draining at the destination.
    Arriving,
}

/// The stage of a head between its router and the next one, with a pipeline.
#[derive(Clone, Copy, PartialEq, Eq, VariantArray, Debug)]
pub enum HeadStage {
    /// The computation of its route.
    Route,
    /// The allocation of a VC.
    Vc,
    /// The allocation of the crossbar.
    Switch,
    /// The crossing.
    Traverse,
    /// The channel.
    Channel,
}

/// A worm in the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WormView {
    /// The identifier, valid until delivery.
    pub id: WormId,
    /// The label shown to users; valid in the network if labels are assigned.
    pub letter: Letter,
    /// The message class.
    pub message_class: u8,
    /// The number of the message at its source; unique in combination with `source`.
    pub serial: u64,
    pub source: NodeId,
    pub destination: NodeId,
    /// The cycle of generation.
    pub born: Cycle,
    /// The total number of flits.
    pub length: u32,
    /// The number of flits still at the source.
    pub at_source: u32,
    /// The number of flits already consumed.
    pub consumed: u32,
    /// The state of the head.
    pub head: HeadState,
    /// The stage of the head in the last cycle; `None` without a pipeline, behind another message, and at the
    /// destination.
    pub stage: Option<HeadStage>,
    /// The router of the head (the router of the source before the first move).
    pub head_at: RouterId,
    /// The index of the first VC of the worm in [`Snapshot::path`], from tail to head.
    pub path_first: u32,
    /// The number of VCs held.
    pub path_len: u32,
}

impl WormView {
    pub fn name(&self) -> MessageId {
        MessageId { source: self.source, serial: self.serial }
    }
}

/// The state of a virtual channel.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct VcView {
    /// The index of the holder in [`Snapshot::worms`] plus 1; 0 if free.
    pub holder: u32,
    /// The number of flits in the buffer or on their way there, including flits of older worms.
    pub flits: u32,
    /// The number of these flits on their way: sent over the channel, but not yet at its end.
    pub in_flight: u32,
}

/// The state of a message under circuit switching.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub enum CircuitState {
    /// Requesting the next link from a controller: queueing or in service.
    SettingUp,
    /// Waiting in the queue of a link.
    Waiting,
    /// Acknowledging, followed by transmission.
    Transmitting,
    /// Releasing the links from source to destination.
    Releasing,
    /// Releasing the links backwards after a failed attempt.
    Aborting,
    /// Waiting for the next attempt, without links.
    BackingOff,
    /// With a complete circuit, stopped by a failed link.
    Stopped,
}

/// A message under circuit switching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CircuitView {
    /// The identifier, valid until delivery; equal to the identifier of the [`WormView`] if links
    /// are held.
    pub worm: WormId,
    /// The label shown to users, assigned with the first link.
    pub letter: Option<Letter>,
    /// The number of the message at its source; unique in combination with `source`.
    pub serial: u64,
    pub source: NodeId,
    pub destination: NodeId,
    /// The cycle of generation.
    pub born: Cycle,
    /// The length in flits ([`crate::units::FLITS_PER_TIME`] per unit of time).
    pub length: u32,
    /// The number of flits that have arrived.
    pub consumed: u32,
    pub state: CircuitState,
    /// The cycle of the last change of state.
    pub since: Cycle,
    /// The router of the current or last request.
    pub at: RouterId,
    /// The requested link, as a lane of the directed channel.
    pub wants: Option<VcId>,
    /// The number of failed attempts.
    pub aborts: u32,
    /// The cycles from generation to the start of transmission, once the circuit is complete.
    pub set_up: Option<u64>,
    /// The index of the first link in [`Snapshot::path`], from the source.
    pub path_first: u32,
    /// The number of links held.
    pub path_len: u32,
}

impl CircuitView {
    pub fn name(&self) -> MessageId {
        MessageId { source: self.source, serial: self.serial }
    }
}

/// A snapshot of an engine: plain data, written into recycled storage on demand.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Snapshot {
    /// The number of cycles simulated.
    pub cycle: Cycle,
    /// The number of VCs per channel: VC `v` of channel `c` is `vcs[c × virtual_channels + v]`.
    pub virtual_channels: u32,
    /// The capacity of the buffer of a VC, in flits.
    pub buffer_flits: u32,
    pub vcs: Vec<VcView>,
    /// The number of messages waiting at each terminal, with all flits at the source.
    pub queues: Vec<u64>,
    /// Worms that hold at least one VC, oldest first.
    pub worms: Vec<WormView>,
    /// VCs held by worms or containing their flits, worm by worm ([`WormView::path_first`]).
    pub path: Vec<VcId>,
    /// The number of flits of the worm in each VC of `path`, or on their way there.
    pub path_flits: Vec<u32>,
    /// An entry for each VC requested by a blocked head in the network, in the order of
    /// [`Self::worms`].
    pub waits: Vec<Wait>,
    /// Messages under circuit switching, including those without links, oldest first; empty under
    /// wormhole switching. Messages with links are also in [`Self::worms`].
    pub circuits: Vec<CircuitView>,
    /// The number of jobs at the controller of each router, including the job in service; empty
    /// under wormhole switching.
    pub controllers: Vec<u32>,
    pub counters: Counters,
    /// The deadlock that stopped the run.
    pub deadlock: Option<Deadlock>,
}

impl Snapshot {
    /// Clears every list, and frees `vcs` VCs.
    pub(super) fn clear(&mut self, vcs: usize) {
        // Few VCs of a large network are in use. Circuits also hold links in the opposite direction.
        if self.vcs.len() == vcs && self.circuits.is_empty() {
            self.path.iter().for_each(|vc| self.vcs[vc.index()] = VcView::default());
        } else {
            self.vcs.clear();
            self.vcs.resize(vcs, VcView::default());
        }
        self.queues.clear();
        self.worms.clear();
        self.path.clear();
        self.path_flits.clear();
        self.waits.clear();
        self.circuits.clear();
        self.controllers.clear();
    }

    /// The VCs held by a worm or containing its flits, tail first.
    pub fn path_of(&self, worm: &WormView) -> &[VcId] {
        &self.path[worm.path_first as usize..][..worm.path_len as usize]
    }

    /// The channel of a VC, and its number within the channel.
    pub fn split(&self, vc: VcId) -> (ChannelId, u32) {
        (ChannelId(vc.0 / self.virtual_channels), vc.0 % self.virtual_channels)
    }

    /// The VCs of a channel, in order.
    pub fn vcs_of(&self, channel: ChannelId) -> &[VcView] {
        let count = self.virtual_channels as usize;
        self.vcs.get(channel.index() * count..(channel.index() + 1) * count).unwrap_or_default()
    }

    /// The holder of a VC, and its index in [`Self::worms`].
    pub fn owner(&self, vc: &VcView) -> Option<(usize, &WormView)> {
        let at = (vc.holder as usize).checked_sub(1)?;
        Some((at, self.worms.get(at)?))
    }

    /// The holder of VC `v` of `channel`.
    pub fn holder(&self, channel: ChannelId, v: u32) -> Option<&WormView> {
        let vc = self.vcs_of(channel).get(v as usize)?;
        self.owner(vc).map(|(_, worm)| worm)
    }
}
