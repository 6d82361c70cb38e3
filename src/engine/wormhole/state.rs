//! The engine's state: flat tables of channels, virtual channels, holds and worms, indexed by
//! `u32`, and the records in them.

use super::general::{Berth, Buffer};
use super::held;
use crate::engine::letters::Letters;
use crate::ids::{Letter, MessageId, NodeId};
use crate::random::mix;
use crate::routing::Header;
use crate::switching::{Ejection, Injection, Wormhole};
use crate::topology::{Network, Role};
use crate::traffic::sources::Message;

/// No row.
pub(super) const NONE: u32 = u32::MAX;
/// As [`Hold::next`]: the far end is the destination, which consumes flits as they come.
pub(super) const SINK: u32 = u32::MAX - 1;

/// A physical channel. The four masks have a bit per VC.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    /// A flit stands upstream that goes into this VC next.
    pub flit: u32,
    /// The VC's buffer has room (always, where the far end is the destination).
    pub space: u32,
    /// The VC is held by no worm.
    pub free: u32,
    /// The VC is fed from a source, flit by flit.
    pub source: u32,
    /// The VC is being crossed by a worm that runs free; then no other VC has a flit.
    pub run: u32,
    /// The router it leaves.
    pub from: u32,
    /// The router it enters.
    pub to: u32,
    /// Flits that have crossed it since cycle 0.
    pub crossed: u64,
    /// The VC that round robin looks at first.
    pub pointer: u8,
    /// Whether it is in [`State::active`].
    pub listed: bool,
}

/// A worm's hold on one VC and its buffer, or on its source.
///
/// The first rows of [`State::holds`] belong to the VC slots (channel × stride + number): row and
/// VC have the same number. The rows after them are sources.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Hold {
    /// The hold behind it (nearer the source); [`NONE`] once the tail has left that one, and for a
    /// source.
    pub prev: u32,
    /// The hold in front of it, [`NONE`] while the head waits here, or [`SINK`].
    pub next: u32,
    /// Whose it is; [`NONE`] where the VC is free.
    pub worm: u32,
    /// Flits in the buffer (at the source: still to be sent).
    pub here: u32,
    /// Flits that have not yet been sent here. While the worm runs free: at the run's beginning.
    pub left: u32,
    /// Flits that have been sent and have not come in; none, where they do in the cycle itself.
    pub flying: u32,
    /// While the worm runs free: the cycle before whose moves the last of them has come in.
    pub end: u64,
}

/// A message handed out by its source and not delivered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worm {
    pub header: Header,
    /// Cycle of generation.
    pub born: u64,
    /// Cycle of the head's first move; `u64::MAX` before.
    pub entered: u64,
    /// The cycle in which the head first asked where it stands.
    pub asks_since: u64,
    /// Under `Sent` release: the cycle in which the head came to stand before a buffer, or landed in
    /// it; whether others are in its way there tells whether it waits.
    pub stands_since: u64,
    pub serial: u64,
    /// Its place in the order of service, smallest first: a cycle, and what breaks ties.
    pub rank: u64,
    pub tie: u64,
    pub source: u32,
    pub destination: u32,
    pub length: u32,
    /// VCs granted so far.
    pub hops: u32,
    /// The hold in which the head stands; [`NONE`] while it waits at its source.
    pub head: u32,
    /// The router at which the head stands or to which it is crossing.
    pub at: u32,
    /// The next younger one that waits at the same router.
    pub waits_next: u32,
    /// Whether it stands in a router's list of waiting heads.
    pub waits: bool,
    /// What people call it; [`NONE`] until it has entered the network.
    pub letter: u32,
    /// Whether this row is in use.
    pub live: bool,
    /// Whether it runs free.
    pub runs: bool,
    /// While it runs: the hold into which its tail crosses next, and when.
    pub tail: u32,
    pub due: u64,
    /// Equal for messages of one source that may take the same candidates; 0 until somebody asks.
    pub class: u64,
    /// The next younger message of the same source and class; only the oldest of a class waits in
    /// the router's list.
    pub class_next: u32,
    /// The youngest of its class, kept by the oldest.
    pub class_last: u32,
}

impl Worm {
    /// The order of service at routers.
    #[inline]
    pub fn priority(&self) -> (u64, u64, u32, u64) {
        (self.rank, self.tie, self.source, self.serial)
    }

    /// The order of age: oldest first, equal ages by dice.
    #[inline]
    pub fn age(&self) -> (u64, u64, u32, u64) {
        (self.born, self.header.dice, self.source, self.serial)
    }
}

/// The channel of a node that may send its flit of this cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    /// The cycle for which the claim stands.
    pub cycle: u64,
    /// Its place among the picks.
    pub pick: u32,
}

impl Hold {
    /// The hold of a free VC.
    pub const FREE: Self =
        Self { prev: NONE, next: NONE, worm: NONE, here: 0, left: 0, flying: 0, end: 0 };
}

/// All tables.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub virtual_channels: u32,
    pub buffer_flits: u32,
    /// `1 << shift` VC slots per channel.
    pub shift: u32,
    /// VC slots in all: holds from this row on are sources.
    pub slots: u32,
    pub channels: Vec<Channel>,
    pub holds: Vec<Hold>,
    /// Rows of sources that are not in use.
    pub sources_spare: Vec<u32>,
    pub worms: Vec<Worm>,
    pub worms_spare: Vec<u32>,
    pub letters: Letters,
    /// Worms that have entered the network in this cycle.
    pub came: Vec<u32>,
    /// For each router, the oldest head that waits there.
    pub waiting: Vec<u32>,
    /// Routers to be looked at in the next allocation.
    pub asked: Vec<u32>,
    /// Whether a router is in [`Self::asked`].
    pub asked_mark: Vec<bool>,
    /// Channels that may have a movable flit; all that have one are in it.
    pub active: Vec<u32>,
    /// Per node.
    pub claims: Vec<Claim>,
    /// Messages of each node that have a VC and flits still to send.
    pub emitting: Vec<u32>,
    /// The worm of each node that runs free from its source, while only that one emits.
    pub emitter: Vec<u32>,
    /// Heads waiting in the network (not those at their source).
    pub blocked: u32,
    /// VCs of injection and of ejection channels.
    terminal_vcs: [u32; 2],
    /// For each row of [`Self::holds`] its place in a buffer; empty where the default step runs.
    pub berths: Vec<Berth>,
    /// For each VC slot its buffer; empty where the default step runs.
    pub buffers: Vec<Buffer>,
}

impl State {
    /// `general`: whether the general step runs.
    pub fn new(network: &Network, switching: Wormhole, general: bool) -> Self {
        let virtual_channels = switching.virtual_channels;
        let all = u32::MAX >> (32 - virtual_channels);
        let one_message = switching.injection == Injection::OneMessage;
        let terminal_vcs =
            [if one_message { 1 } else { all }, u32::from(switching.ejection == Ejection::Shared)];
        let shift = virtual_channels.next_power_of_two().trailing_zeros();
        let channels: Vec<Channel> = network
            .channels()
            .iter()
            .map(|channel| Channel {
                flit: 0,
                space: all,
                free: match channel.role {
                    Role::Link => all,
                    Role::Injection => terminal_vcs[0],
                    Role::Ejection => terminal_vcs[1],
                },
                source: 0,
                run: 0,
                from: channel.from.0,
                to: channel.to.0,
                crossed: 0,
                pointer: 0,
                listed: false,
            })
            .collect();
        Self {
            virtual_channels,
            buffer_flits: switching.buffer_flits,
            shift,
            slots: (channels.len() << shift) as u32,
            holds: vec![Hold::FREE; channels.len() << shift],
            berths: (0..if general { channels.len() << shift } else { 0 })
                .map(|slot| Berth::at(slot as u32))
                .collect(),
            buffers: vec![Buffer::EMPTY; if general { channels.len() << shift } else { 0 }],
            terminal_vcs,
            channels,
            sources_spare: Vec::new(),
            worms: Vec::new(),
            worms_spare: Vec::new(),
            letters: Letters::default(),
            came: Vec::new(),
            waiting: vec![NONE; network.routers()],
            asked: Vec::new(),
            asked_mark: vec![false; network.routers()],
            active: Vec::new(),
            claims: vec![Claim { cycle: u64::MAX, pick: 0 }; network.nodes()],
            emitting: vec![0; network.nodes()],
            emitter: vec![NONE; network.nodes()],
            blocked: 0,
        }
    }

    /// The VCs that a channel has; those before `links` are between routers.
    pub fn vcs_of(&self, channel: usize, links: usize) -> u32 {
        if channel < links {
            u32::MAX >> (32 - self.virtual_channels)
        } else {
            self.terminal_vcs[usize::from(channel >= links + self.claims.len())]
        }
    }

    /// The channel of a VC slot and the VC's number in it.
    #[inline]
    pub fn split(&self, vc: u32) -> (usize, u32) {
        ((vc >> self.shift) as usize, vc & ((1 << self.shift) - 1))
    }

    /// Whether a hold is a source, not a VC.
    #[inline]
    pub fn is_source(&self, hold: u32) -> bool {
        hold >= self.slots
    }

    /// A source that has all flits of a worm still to send.
    pub fn new_source(&mut self, worm: u32, length: u32) -> u32 {
        let hold = Hold { worm, here: length, ..Hold::FREE };
        if let Some(row) = self.sources_spare.pop() {
            self.holds[row as usize] = hold;
            row
        } else {
            self.holds.push(hold);
            self.holds.len() as u32 - 1
        }
    }

    /// Gives back the row of a source or VC.
    #[inline]
    pub fn free_hold(&mut self, hold: u32) {
        self.holds[hold as usize] = Hold::FREE;
        if hold >= self.slots {
            self.sources_spare.push(hold);
        }
    }

    pub fn new_worm(&mut self, message: &Message, header: Header) -> u32 {
        let worm = Worm {
            header,
            born: message.born,
            entered: u64::MAX,
            asks_since: 0,
            stands_since: 0,
            serial: message.serial,
            rank: message.born,
            tie: message.dice,
            source: message.source.0,
            destination: message.destination.0,
            length: message.length,
            hops: 0,
            head: NONE,
            at: header.source.0,
            waits_next: NONE,
            waits: false,
            letter: NONE,
            live: true,
            runs: false,
            tail: NONE,
            due: 0,
            class: 0,
            class_next: NONE,
            class_last: NONE,
        };
        if let Some(row) = self.worms_spare.pop() {
            self.worms[row as usize] = worm;
            row
        } else {
            self.worms.push(worm);
            self.worms.len() as u32 - 1
        }
    }

    /// The name of a worm's message.
    pub fn name(&self, worm: u32) -> MessageId {
        let row = &self.worms[worm as usize];
        MessageId { source: NodeId(row.source), serial: row.serial }
    }

    /// Gives letters to the worms that have entered in this cycle, in the order of their names.
    #[inline(never)]
    pub fn give_letters(&mut self, now: u64) {
        let mut came = std::mem::take(&mut self.came);
        came.sort_unstable_by_key(|&worm| self.name(worm));
        for &worm in &came {
            self.worms[worm as usize].letter = self.letters.give(now, self.name(worm)).0;
        }
        came.clear();
        self.came = came;
    }

    /// A worm is delivered: its letter can be given to another one.
    #[inline(never)]
    pub fn take_letter(&mut self, worm: u32, now: u64) {
        match self.worms[worm as usize].letter {
            // It has come and gone within the cycle.
            NONE => self.came.retain(|&other| other != worm),
            letter => self.letters.give_back(now, self.name(worm), Letter(letter)),
        }
    }

    /// Puts a channel on the work list if it is not there.
    #[inline]
    pub fn activate(&mut self, channel: usize) {
        let row = &mut self.channels[channel];
        if !row.listed {
            row.listed = true;
            self.active.push(channel as u32);
        }
    }

    /// Has a router's waiting heads looked at in the next allocation.
    #[inline]
    pub fn look_at(&mut self, router: u32) {
        let mark = &mut self.asked_mark[router as usize];
        if !*mark {
            *mark = true;
            self.asked.push(router);
        }
    }

    /// Makes `self` equal to `other`, reusing storage.
    pub fn copy_from(&mut self, other: &Self) {
        self.virtual_channels = other.virtual_channels;
        self.buffer_flits = other.buffer_flits;
        self.shift = other.shift;
        self.channels.clone_from(&other.channels);
        self.slots = other.slots;
        self.holds.clone_from(&other.holds);
        self.sources_spare.clone_from(&other.sources_spare);
        self.worms.clone_from(&other.worms);
        self.worms_spare.clone_from(&other.worms_spare);
        self.letters.copy_from(&other.letters);
        self.came.clone_from(&other.came);
        self.waiting.clone_from(&other.waiting);
        self.asked.clone_from(&other.asked);
        self.asked_mark.clone_from(&other.asked_mark);
        self.active.clone_from(&other.active);
        self.claims.clone_from(&other.claims);
        self.emitting.clone_from(&other.emitting);
        self.emitter.clone_from(&other.emitter);
        self.blocked = other.blocked;
        self.terminal_vcs = other.terminal_vcs;
        self.berths.clone_from(&other.berths);
        self.buffers.clone_from(&other.buffers);
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        let lists = [&self.sources_spare, &self.worms_spare, &self.waiting, &self.asked];
        let more = [&self.active, &self.emitting, &self.emitter, &self.came];
        self.letters.bytes()
            + held(&self.channels)
            + held(&self.holds)
            + held(&self.worms)
            + held(&self.asked_mark)
            + held(&self.claims)
            + held(&self.berths)
            + held(&self.buffers)
            + lists.into_iter().chain(more).map(held).sum::<usize>()
    }

    /// Hashes what can influence the future, by the names of worms that last (source and serial),
    /// never by rows.
    pub fn fingerprint(&self, mut hash: u64, links: usize) -> u64 {
        for (row, channel) in self.channels.iter().enumerate() {
            let held = self.vcs_of(row, links) & !channel.free;
            hash = mix(hash, u64::from(channel.pointer) << 32 | u64::from(channel.free));
            hash = mix(hash, channel.crossed);
            for v in (0..self.virtual_channels).filter(|v| held >> v & 1 == 1) {
                let hold = &self.holds[(row << self.shift) + v as usize];
                let worm = &self.worms[hold.worm as usize];
                hash = mix(hash, u64::from(worm.source) << 32 | u64::from(v));
                hash = mix(hash, worm.serial);
                hash = mix(hash, u64::from(hold.here) << 32 | u64::from(hold.left));
                // What flies is hashed with the wheels, where there are any.
            }
        }
        for &first in &self.waiting {
            let mut at = first;
            while at != NONE {
                let worm = &self.worms[at as usize];
                hash = mix(mix(hash, u64::from(worm.source)), worm.serial);
                at = worm.waits_next;
            }
            hash = mix(hash, 0);
        }
        hash
    }
}
