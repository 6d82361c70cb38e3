//! The engine's state: flat tables of channels, virtual channels, holds and worms, indexed by `u32`.

use educe::Educe;
use get_size2::GetSize;

use super::closed::Closed;
use super::pace::Pace;
use super::records::{
    Buffer, Channel, Claim, Decision, Heads, Hold, InBuffer, LISTED, Motion, NONE, Place, Worm,
    list,
};
use super::table::Table;
use super::wheel::Wheel;
use crate::ids::{ChannelId, RouterId};
use crate::routing::{Header, Relation, Stop, Straight};
use crate::switching::{Ejection, Injection, Wormhole};
use crate::topology::{Network, Role};
use crate::traffic::sources::Message;

#[derive(Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct State {
    pub virtual_channels: u32,
    pub buffer_flits: u32,
    /// How the flits of a worm that runs free follow each other.
    pub pace: Pace,
    /// Whether (1) or not (0) what comes in in the present cycle has: it always has where flits come
    /// in in the cycle in which they are sent.
    pub come_in: u64,
    /// True if the messages of a node share what it sends, flit by flit.
    pub flit_by_flit: bool,
    /// `1 << shift` VC slots per channel.
    pub shift: u32,
    /// VC slots in all: holds from this row on are sources and others without a VC of their own.
    pub slots: u32,
    /// Channels between routers: those before this one.
    pub links: usize,
    pub channels: Table<Channel>,
    pub closed: Closed,
    /// Of each channel, the VCs whose buffers have room (always, where the far end is the destination).
    pub space: Table<u32>,
    pub holds: Table<Hold>,
    /// Rows behind the slots that are not in use.
    pub spare_holds: Vec<u32>,
    pub worms: Table<Worm>,
    pub spare_worms: Vec<u32>,
    /// Worms that have entered the network in this cycle.
    pub came: Vec<u32>,
    /// For each router the heads that are there.
    pub heads: Table<Heads>,
    /// Routers to be looked at in the next allocation.
    pub requested: Vec<u32>,
    /// Channels that may have a movable flit; all that have one are in it.
    pub active: Vec<u32>,
    /// Per node, the flit picked of those at its source.
    pub claims: Table<Claim>,
    /// Messages of each node that have a VC and flits still to send.
    pub emitting: Table<u32>,
    /// The worm of each node that runs free from its source, while only that one emits.
    pub emitter: Table<u32>,
    /// The message of each node that is held back behind the emitter.
    pub held: Table<u32>,
    /// Heads waiting in the network (not those at their source).
    pub blocked: u32,
    /// VCs of injection and of ejection channels.
    pub terminal_vcs: [u32; 2],
    /// VCs over which a flit will have been sent, where that takes several cycles.
    pub crossings: Wheel,
    /// VCs, and holds of ejecting worms, into which a flit lands.
    pub landings: Wheel,
    /// VCs to whose senders a credit comes back.
    pub credits: Wheel,
    /// Ejecting holds behind which a flit stands (lazily: all that have one are in it).
    pub ejecting: Vec<u32>,
    // What follows is empty in the default machine, which counts flits and no slots.
    /// For each row of [`Self::holds`] its place in a buffer.
    pub places: Table<InBuffer>,
    /// For each VC slot its buffer.
    pub buffers: Table<Buffer>,
    /// VCs of each channel over which a flit is being sent, where that takes several cycles.
    pub busy: Table<u32>,
    /// Per channel, what it decided in this cycle.
    pub decisions: Table<Decision>,
    /// Per node, the VC slot at which its round of ejections goes on.
    pub ejected: Table<u32>,
    /// Per node, the ejection picked in this cycle.
    pub eject_claims: Table<Claim>,
}

impl State {
    /// With `tables`, the state of any machine; without, of one that moves flits by default.
    pub fn new(network: &Network, switching: Wormhole, tables: bool) -> Self {
        let virtual_channels = switching.virtual_channels;
        let all = u32::MAX >> (32 - virtual_channels);
        let one_message = switching.injection == Injection::OneMessage;
        let terminal_vcs =
            [if one_message { 1 } else { all }, u32::from(switching.ejection == Ejection::Shared)];
        let shift = virtual_channels.next_power_of_two().trailing_zeros();
        let pace = Pace::of(&switching);
        let channels = network.channels().iter().map(|channel| Channel {
            free: match channel.role {
                Role::Link => all,
                Role::Injection => terminal_vcs[0],
                Role::Ejection => terminal_vcs[1],
            },
            from: channel.from.0,
            to: channel.to.0,
            ..Channel::default()
        });
        let channels: Table<Channel> = channels.collect();
        let (slots, nodes) = (channels.len() << shift, network.nodes());
        let (with_slots, with_channels, with_nodes) =
            if tables { (slots, channels.len(), nodes) } else { (0, 0, 0) };
        Self {
            virtual_channels,
            buffer_flits: switching.buffer_flits,
            pace,
            come_in: u64::from(!pace.far),
            flit_by_flit: switching.sends_flit_by_flit(),
            shift,
            slots: slots as u32,
            links: network.links(),
            holds: Table::of(Hold::FREE, slots),
            terminal_vcs,
            space: Table::of(all, channels.len()),
            channels,
            heads: Table::of(Heads::NONE, network.routers()),
            claims: Table::of(Claim::NONE, nodes),
            emitting: Table::of(0, nodes),
            emitter: Table::of(NONE, nodes),
            held: Table::of(NONE, nodes),
            places: (0..with_slots).map(|slot| InBuffer::of(slot as u32)).collect(),
            buffers: Table::of(Buffer::EMPTY, with_slots),
            busy: Table::of(0, with_channels),
            decisions: Table::of(Decision::default(), with_channels),
            ejected: Table::of(0, with_nodes),
            eject_claims: Table::of(Claim::NONE, with_nodes),
            ..Self::default()
        }
    }

    /// The VCs that a channel has.
    pub fn vcs_of(&self, channel: usize) -> u32 {
        if channel < self.links {
            u32::MAX >> (32 - self.virtual_channels)
        } else {
            self.terminal_vcs[usize::from(channel >= self.links + self.claims.len())]
        }
    }

    /// The channel of a VC slot and the VC's number in it.
    #[inline]
    pub fn split(&self, vc: u32) -> (usize, u32) {
        ((vc >> self.shift) as usize, vc & ((1 << self.shift) - 1))
    }

    /// The slot of VC `v` of a channel.
    #[inline]
    pub fn slot(&self, channel: usize, v: u32) -> u32 {
        (channel << self.shift) as u32 + v
    }

    pub fn place(&self, row: u32) -> Place {
        match self.slot_of(row) {
            NONE => Place::Source,
            InBuffer::EJECTION => Place::Ejection,
            vc => Place::Vc(vc),
        }
    }

    /// The VC slot of a hold, [`NONE`] for a source, or [`InBuffer::EJECTION`].
    #[inline]
    pub fn slot_of(&self, row: u32) -> u32 {
        if row < self.slots { row } else { self.places.get(row as usize).map_or(NONE, |at| at.vc) }
    }

    /// True if a hold is at its worm's source.
    #[inline]
    pub fn is_source(&self, row: u32) -> bool {
        row >= self.slots && self.slot_of(row) == NONE
    }

    /// True if a VC takes flits from a source, one of all messages of the node in a cycle.
    #[inline]
    pub fn is_fed_by_source(&self, vc: u32) -> bool {
        self.flit_by_flit && self.is_source(self.hold(vc).prev)
    }

    /// The channel of a VC slot and the VC's bit in its masks.
    #[inline]
    pub fn channel_of(&mut self, vc: u32) -> (&mut Channel, u32) {
        let (channel, v) = self.split(vc);
        (&mut self.channels[channel], 1 << v)
    }

    /// The VCs of a channel that have a flit upstream, and room for it.
    #[inline]
    pub fn movable(&self, channel: usize) -> u32 {
        self.channels[channel].flit & self.space[channel]
    }

    /// True if the VC of a slot is held by a worm.
    pub fn is_held(&self, slot: u32) -> bool {
        let (channel, v) = self.split(slot);
        self.closed.unheld(channel, &self.channels[channel]) >> v & 1 == 0
    }

    /// The row of a hold.
    #[inline]
    pub fn hold(&self, row: u32) -> &Hold {
        &self.holds[row as usize]
    }

    /// The row of a worm.
    #[inline]
    pub fn worm(&self, row: u32) -> &Worm {
        &self.worms[row as usize]
    }

    /// The worm of a hold.
    #[inline]
    pub fn worm_of(&self, row: u32) -> &Worm {
        self.worm(self.hold(row).worm)
    }

    /// The stop of a worm's head, as far as its routing tells stops apart.
    #[inline]
    pub fn stop(&self, worm: u32, relation: &Relation) -> Stop {
        let row = self.worm(worm);
        if relation.reads_arrival() && row.head != NONE {
            let (channel, v) = self.split(self.slot_of(row.head));
            if channel < self.links {
                return relation.stop_after(ChannelId::new(channel), v);
            }
        }
        Stop::start(RouterId(row.at))
    }

    /// The holds of a worm from that of its head to that of its tail.
    pub fn holds_of(&self, worm: &Worm) -> impl Iterator<Item = u32> {
        list(worm.head, |at| self.hold(at).prev)
    }

    /// The holds in a VC's buffer, the oldest first (kept under `Sent` release only).
    pub fn in_buffer(&self, slot: u32) -> impl Iterator<Item = u32> {
        let front = self.buffers[slot as usize].front;
        list(front, |at| self.places[at as usize].younger)
    }

    /// The older holds of a VC that flits are under way to, the oldest first.
    pub fn landing(&self, slot: u32) -> impl Iterator<Item = u32> {
        let lands = self.buffers[slot as usize].lands;
        list(lands, |at| self.places[at as usize].then)
    }

    /// The heads in a router's list, in the order of service.
    pub fn waiting_at(&self, router: usize) -> impl Iterator<Item = u32> {
        list(self.heads[router].waiting, |at| self.worm(at).waits_next)
    }

    /// The rows of all messages handed out and not delivered, and the messages.
    pub fn live(&self) -> impl Iterator<Item = (u32, &Worm)> {
        (0..).zip(&*self.worms).filter(|(_, worm)| worm.live)
    }

    /// A row behind the slots.
    pub fn new_hold(&mut self, hold: Hold, place: InBuffer) -> u32 {
        let row = self.spare_holds.pop().unwrap_or_else(|| self.holds.push(Hold::FREE));
        self.holds[row as usize] = hold;
        if !self.places.is_empty() {
            self.places.grow(place, self.holds.len());
            self.places[row as usize] = place;
        }
        row
    }

    /// Gives back the row of a source, a VC or an ejecting hold.
    #[inline]
    pub fn free_hold(&mut self, hold: u32) {
        self.holds[hold as usize] = Hold::FREE;
        if hold >= self.slots {
            self.spare_holds.push(hold);
        }
    }

    #[inline]
    pub fn new_worm(&mut self, message: &Message, header: Header) -> u32 {
        let worm = Worm {
            header,
            born: message.born,
            entered: u64::MAX,
            requests_since: 0,
            stands_since: 0,
            serial: message.serial,
            rank: message.born,
            tie: message.route_bits,
            source: message.source.0,
            destination: message.destination.0,
            length: message.length,
            hops: 0,
            head: NONE,
            at: header.source.0,
            waits_next: NONE,
            waits: false,
            longest_wait: 0,
            longest_wait_for: NONE,
            letter: NONE,
            live: true,
            motion: Motion::Single,
            tail: NONE,
            due: 0,
            class: 0,
            looked: false,
            class_next: NONE,
            class_before: NONE,
            class_last: NONE,
            ahead: Straight::UNKNOWN,
        };
        let Some(row) = self.spare_worms.pop() else { return self.worms.push(worm) };
        self.worms[row as usize] = worm;
        row
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

    /// Marks a router for the next allocation, if heads wait there.
    #[inline]
    pub fn mark_if_waiting(&mut self, router: u32) {
        self.mark_freed(router, u32::MAX);
    }

    /// The same; of these [marks](Worm::mark) is what is freed.
    #[inline]
    pub fn mark_freed(&mut self, router: u32, marks: u32) {
        let heads = &mut self.heads[router as usize];
        if heads.waiting != NONE {
            heads.freed |= marks;
            self.mark_router(router);
        }
    }

    /// Marks a router for the next allocation.
    #[inline]
    pub fn mark_router(&mut self, router: u32) {
        let mark = &mut self.heads[router as usize].requests;
        if *mark == NONE {
            *mark = LISTED;
            self.requested.push(router);
        }
    }

    /// A VC can be granted again, unless its channel is closed.
    #[inline]
    pub fn free_vc(&mut self, vc: u32) {
        let (channel, v) = self.split(vc);
        let row = &mut self.channels[channel];
        let router = row.from;
        if self.closed.let_free(channel, row, 1 << v) {
            self.mark_freed(router, Worm::mark(channel as u32));
        }
    }

    /// From now on the buffer of a VC has room.
    #[inline]
    pub fn make_room(&mut self, vc: u32) {
        let (channel, v) = self.split(vc);
        self.space[channel] |= 1 << v;
    }

    /// A VC whose far end consumed flits as they came does so no longer: its buffer may be full.
    pub fn may_be_full_again(&mut self, vc: u32) {
        if self.buffers.get(vc as usize).is_some_and(|it| it.occupied == self.buffer_flits) {
            let (channel, v) = self.split(vc);
            self.space[channel] &= !(1 << v);
        }
    }
}
