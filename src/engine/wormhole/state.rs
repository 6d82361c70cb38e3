//! The state of the engine: channels, virtual channels, holds and worms.
//!
//! All tables are flat, with `u32` indices.

use educe::Educe;
use get_size2::GetSize;

use super::closed::Closed;
use super::pace::Pace;
use super::records::{
    Buffer, Channel, Claim, Decision, Heads, Hold, InBuffer, LISTED, Motion, NONE, OwnPace, Place,
    Way, Worm, list,
};
use super::table::Table;
use crate::engine::wheel::Wheel;
use crate::ids::{ChannelId, RouterId};
use crate::routing::{Header, Relation, Stop, Straight};
use crate::switching::{Ejection, Injection, Wormhole};
use crate::topology::{self, Network, Role};
use crate::traffic::sources::Message;

#[derive(Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct State {
    pub virtual_channels: u32,
    pub buffer_flits: u32,
    /// The pace of consecutive flits in a free run.
    pub pace: Pace,
    /// The pace of every channel; empty if all links have the pace of the machine.
    pub paces: Table<Pace>,
    /// 1 if the arrivals of the current cycle have been processed, else 0; always 1 if flits arrive
    /// in the cycle of sending.
    pub arrivals_done: u64,
    /// True if the messages of a node share its bandwidth, flit by flit.
    pub flit_by_flit: bool,
    /// There are `1 << shift` VC slots per channel.
    pub shift: u32,
    /// The number of VC slots: holds from this row are sources and others without their own VC.
    pub slots: u32,
    /// The number of channels between routers, which precede all others.
    pub links: usize,
    pub channels: Table<Channel>,
    pub closed: Closed,
    /// The VCs of each channel with room in their buffers: always at the destination.
    pub space: Table<u32>,
    pub holds: Table<Hold>,
    /// Unused rows after the slots.
    pub spare_holds: Vec<u32>,
    pub worms: Table<Worm>,
    pub spare_worms: Vec<u32>,
    /// Worms that entered the network in this cycle.
    pub came: Vec<u32>,
    /// The heads at each router.
    pub heads: Table<Heads>,
    /// Routers to visit in the next allocation.
    pub requested: Vec<u32>,
    /// Channels that may have a movable flit; includes all that do.
    pub active: Vec<u32>,
    /// The picked flit at the source of each node.
    pub claims: Table<Claim>,
    /// The number of messages of each node with a VC and flits still to send.
    pub emitting: Table<u32>,
    /// The worm of each node in a free run from its source, while no other emits.
    pub emitter: Table<u32>,
    /// The delayed message of each node, behind the emitter.
    pub delayed: Table<u32>,
    /// The number of blocked heads in the network (not at their source).
    pub blocked: u32,
    /// The VCs of injection and of ejection channels.
    pub terminal_vcs: [u32; 2],
    /// VCs by the end of sending a flit, if sending takes several cycles.
    pub crossings: Wheel,
    /// VCs, and holds of ejecting worms, by the landing of a flit.
    pub landings: Wheel,
    /// VCs by the arrival of a credit at their sender.
    pub credits: Wheel,
    /// Ejecting holds with flits behind (lazily updated: includes all with flits).
    pub ejecting: Vec<u32>,
    // The following tables are empty for the default machine, which counts flits and no slots.
    /// The position in a buffer for each row of [`Self::holds`].
    pub places: Table<InBuffer>,
    /// The buffer of each VC slot.
    pub buffers: Table<Buffer>,
    /// The VCs of each channel currently sending a flit, if sending takes several cycles.
    pub busy: Table<u32>,
    /// The decision of each channel in this cycle.
    pub decisions: Table<Decision>,
    /// The VC slot of each node at which its round of ejections continues.
    pub ejected: Table<u32>,
    /// The picked ejection of each node in this cycle.
    pub eject_claims: Table<Claim>,
}

impl State {
    /// Creates the state of any machine; without `tables`, only with default movement of flits.
    pub fn new(network: &Network, switching: Wormhole, tables: bool) -> Self {
        let virtual_channels = switching.virtual_channels;
        let all = u32::MAX >> (32 - virtual_channels);
        let one_message = switching.injection == Injection::OneMessage;
        let terminal_vcs =
            [if one_message { 1 } else { all }, u32::from(switching.ejection == Ejection::Shared)];
        let shift = virtual_channels.next_power_of_two().trailing_zeros();
        let mut pace = Pace::of(&switching);
        let vcs_of = |role| match role {
            Role::Link => all,
            Role::Injection => terminal_vcs[0],
            Role::Ejection => terminal_vcs[1],
        };
        let mut paces = Table::default();
        if network.has_paced_links() {
            pace.far = true;
            let pace_of = |channel: &topology::Channel| {
                let vcs = vcs_of(channel.role).count_ones();
                Pace::of_channel(&switching, channel.attributes, vcs)
            };
            paces = network.channels().iter().map(pace_of).collect();
        }
        let channels = network.channels().iter().map(|channel| Channel {
            free: vcs_of(channel.role),
            from: channel.from.0,
            to: channel.to.0,
            ..Channel::default()
        });
        let channels: Table<Channel> = channels.collect();
        let (slots, nodes) = (channels.len() << shift, network.nodes());
        let if_tables = |rows: usize| if tables { rows } else { 0 };
        Self {
            virtual_channels,
            buffer_flits: switching.buffer_flits,
            pace,
            paces,
            arrivals_done: u64::from(!pace.far),
            flit_by_flit: switching.sends_flit_by_flit(),
            shift,
            slots: slots as u32,
            links: network.links(),
            holds: Table::of(Hold::FREE, slots),
            terminal_vcs,
            space: Table::of(all, channels.len()),
            heads: Table::of(Heads::NONE, network.routers()),
            claims: Table::of(Claim::NONE, nodes),
            emitting: Table::of(0, nodes),
            emitter: Table::of(NONE, nodes),
            delayed: Table::of(NONE, nodes),
            places: (0..if_tables(slots)).map(|slot| InBuffer::of(slot as u32)).collect(),
            buffers: Table::of(Buffer::EMPTY, if_tables(slots)),
            busy: Table::of(0, if_tables(channels.len())),
            decisions: Table::of(Decision::default(), if_tables(channels.len())),
            ejected: Table::of(0, if_tables(nodes)),
            eject_claims: Table::of(Claim::NONE, if_tables(nodes)),
            channels,
            ..Self::default()
        }
    }

    /// The VCs of a channel.
    pub fn vcs_of(&self, channel: usize) -> u32 {
        if channel < self.links {
            u32::MAX >> (32 - self.virtual_channels)
        } else {
            self.terminal_vcs[usize::from(channel >= self.links + self.claims.len())]
        }
    }

    /// The channel of a VC slot, and the number of the VC.
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

    /// True if a hold is at the source of its worm.
    #[inline]
    pub fn is_source(&self, row: u32) -> bool {
        row >= self.slots && self.slot_of(row) == NONE
    }

    /// True if a VC receives flits from a source that sends one flit per cycle for all messages.
    #[inline]
    pub fn is_fed_by_source(&self, vc: u32) -> bool {
        self.flit_by_flit && self.is_source(self.hold(vc).prev)
    }

    /// The channel of a VC slot, and the bit of the VC in its masks.
    #[inline]
    pub fn channel_of(&mut self, vc: u32) -> (&mut Channel, u32) {
        let (channel, v) = self.split(vc);
        (&mut self.channels[channel], 1 << v)
    }

    /// The VCs of a channel with a flit upstream and room for it.
    #[inline]
    pub fn movable(&self, channel: usize) -> u32 {
        let Channel { stalled, flit, .. } = self.channels[channel];
        if stalled { 0 } else { flit & self.space[channel] }
    }

    /// True if a worm holds the VC of a slot.
    pub fn is_held(&self, slot: u32) -> bool {
        let (channel, v) = self.split(slot);
        self.closed.unheld(channel, &self.channels[channel]) >> v & 1 == 0
    }

    #[inline]
    pub fn hold(&self, row: u32) -> &Hold {
        &self.holds[row as usize]
    }

    #[inline]
    pub fn worm(&self, row: u32) -> &Worm {
        &self.worms[row as usize]
    }

    #[inline]
    pub fn worm_of(&self, row: u32) -> &Worm {
        self.worm(self.hold(row).worm)
    }

    /// The stop of the head of a worm, as precise as its routing requires.
    #[inline]
    pub fn stop(&self, worm: u32, relation: &Relation) -> Stop {
        let row = self.worm(worm);
        if relation.reads_arrival() && row.head != NONE {
            let (channel, v) = self.split(self.slot_of(row.head));
            if channel < self.links {
                return relation.stop_with(row.count, ChannelId::new(channel), v);
            }
        }
        Stop::start(RouterId(row.at))
    }

    /// The holds of a worm from head to tail.
    pub fn holds_of(&self, worm: &Worm) -> impl Iterator<Item = u32> {
        list(worm.head, |at| self.hold(at).prev)
    }

    /// The holds in the buffer of a VC, oldest first (only under `Sent` release).
    pub fn in_buffer(&self, slot: u32) -> impl Iterator<Item = u32> {
        let front = self.buffers[slot as usize].front;
        list(front, |at| self.places[at as usize].younger)
    }

    /// The older holds of a VC with flits under way, oldest first.
    pub fn landing(&self, slot: u32) -> impl Iterator<Item = u32> {
        let lands = self.buffers[slot as usize].lands;
        list(lands, |at| self.places[at as usize].then)
    }

    /// The heads in the list of a router, in the order of service.
    pub fn waiting_at(&self, router: usize) -> impl Iterator<Item = u32> {
        list(self.heads[router].waiting, |at| self.worm(at).waits_next)
    }

    /// All messages handed out and not yet delivered, with their rows.
    pub fn live(&self) -> impl Iterator<Item = (u32, &Worm)> {
        (0..).zip(&*self.worms).filter(|(_, worm)| worm.live)
    }

    /// Allocates a row after the slots.
    pub fn new_hold(&mut self, hold: Hold, place: InBuffer) -> u32 {
        let row = self.spare_holds.pop().unwrap_or_else(|| self.holds.push(Hold::FREE));
        self.holds[row as usize] = hold;
        if !self.places.is_empty() {
            self.places.grow(place, self.holds.len());
            self.places[row as usize] = place;
        }
        row
    }

    /// Frees the row of a source, a VC or an ejecting hold.
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
            stopped_since: 0,
            serial: message.serial,
            rank: message.born,
            tie: message.route_bits,
            source: message.source.0,
            destination: message.destination.0,
            length: message.length,
            hops: 0,
            count: 0,
            head: NONE,
            at: header.source.0,
            waits_next: NONE,
            waits: false,
            longest_wait: 0,
            longest_wait_for: NONE,
            own_pace: OwnPace::default(),
            letter: NONE,
            live: true,
            motion: Motion::Single,
            way: Way::Open,
            tail: NONE,
            due: 0,
            class: 0,
            looked: false,
            class_next: NONE,
            class_before: NONE,
            class_last: NONE,
            class_ties: NONE,
            ahead: Straight::UNKNOWN,
        };
        let Some(row) = self.spare_worms.pop() else { return self.worms.push(worm) };
        self.worms[row as usize] = worm;
        row
    }

    /// Adds a channel to the work list, unless present.
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

    /// Marks a router with waiting heads; records the [marks](Worm::mark) of freed channels.
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

    /// Frees a VC for the next grant, unless its channel is closed.
    #[inline]
    pub fn free_vc(&mut self, vc: u32) {
        let (channel, v) = self.split(vc);
        let row = &mut self.channels[channel];
        let router = row.from;
        if self.closed.release(channel, row, 1 << v) {
            self.mark_freed(router, Worm::mark(channel as u32));
        }
    }

    #[inline]
    pub fn make_room(&mut self, vc: u32) {
        let (channel, v) = self.split(vc);
        self.space[channel] |= 1 << v;
    }

    /// Updates the room of a VC that no longer consumes flits: the buffer may be full.
    pub fn may_be_full_again(&mut self, vc: u32) {
        if self.buffers.get(vc as usize).is_some_and(|it| it.occupied == self.buffer_flits) {
            let (channel, v) = self.split(vc);
            self.space[channel] &= !(1 << v);
        }
    }
}
