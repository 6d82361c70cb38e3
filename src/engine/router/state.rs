//! The tables of the router engine.

use educe::Educe;
use get_size2::GetSize;

use super::arbiter::{Matching, Request};
use super::records::{Buffer, Hold, NONE, Node, Port, Stage, Worm};
use crate::engine::tables::{Scratch, list};
use crate::engine::view::HeadState;
use crate::engine::wheel::Wheel;
use crate::ids::{ChannelId, NodeId, RouterId, VcId, WormId};
use crate::routing::{Candidate, Header, Relation, Stop};
use crate::switching::Wormhole;
use crate::topology::{Network, Role};
use crate::traffic::sources::Message;
use crate::units::Cycle;

#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct State {
    /// VCs per channel.
    pub vcs: u32,
    /// Slots per buffer.
    pub flits: u32,
    /// There are `1 << shift` buffers per channel.
    pub shift: u32,
    /// The number of channels between routers, and the first ejection channel.
    pub links: usize,
    pub ejections: usize,
    pub ports: Vec<Port>,
    pub buffers: Vec<Buffer>,
    pub holds: Vec<Hold>,
    pub spare_holds: Vec<u32>,
    pub worms: Vec<Worm>,
    pub spare_worms: Vec<u32>,
    pub nodes: Vec<Node>,
    /// Nodes with messages to send.
    pub sending: Vec<u32>,
    /// Buffers with a front head that waits.
    pub waiting: Vec<u32>,
    /// Channels with VCs that bid for the crossbar.
    pub bidding: Vec<u32>,
    /// Messages that entered the network in this cycle.
    pub came: Vec<u32>,
    /// Holds by the landing of a flit.
    pub landings: Wheel,
    /// Buffers by the return of a credit.
    pub credits: Wheel,
    pub work: Work,
}

/// Requests of a cycle.
#[derive(Debug, Default, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Work {
    /// Requests of buffers for the buffers of output VCs.
    pub vcs: Matching,
    /// Requests of buffers for output channels.
    pub outputs: Matching,
    /// The requests of an input.
    pub of_input: Scratch<Request>,
    #[get_size(ignore)]
    pub candidates: Scratch<Candidate>,
}

impl State {
    pub fn new(network: &Network, machine: &Wormhole) -> Self {
        let (vcs, flits) = (machine.virtual_channels, machine.buffer_flits);
        let all = u32::MAX >> (32 - vcs);
        let shift = vcs.next_power_of_two().trailing_zeros();
        let nodes = network.nodes();
        let mut ports: Vec<Port> = Vec::with_capacity(network.channels().len());
        for (at, channel) in network.channels().iter().enumerate() {
            let seat = network.terminal_of(ChannelId::new(at)).map(|node| network.seat(node));
            let place = |links: &[ChannelId]| match (channel.role, seat) {
                (Role::Link, _) | (_, None) => {
                    links.iter().position(|it| it.index() == at).unwrap_or_default() as u32
                }
                (Role::Injection | Role::Ejection, Some(seat)) => links.len() as u32 + seat,
            };
            let (inputs, outputs) = (network.inputs(channel.to), network.outputs(channel.from));
            let count = |links: &[ChannelId], at| (links.len() + network.terminals_at(at)) as u32;
            let is_link = channel.role == Role::Link;
            let delay = channel.attributes.delay.map(|it| u32::from(it.get()));
            let usual = if is_link { machine.channel_delay } else { 1 };
            ports.push(Port {
                from: channel.from.0,
                to: channel.to.0,
                input: place(inputs),
                inputs: count(inputs, channel.to),
                output: place(outputs),
                outputs: count(outputs, channel.from),
                free: all,
                bids: 0,
                listed: false,
                closed: false,
                delay: delay.unwrap_or(usual),
                cycles_per_flit: u32::from(channel.attributes.cycles_per_flit),
                next: 0,
                crossed: 0,
                vc: 0,
                grants: 0,
                accepts: 0,
            });
        }
        let slots = ports.len() << shift;
        Self {
            vcs,
            flits,
            shift,
            links: network.links(),
            ejections: network.links() + nodes,
            work: Work {
                vcs: Matching::new(slots),
                outputs: Matching::new(ports.len()),
                ..Work::default()
            },
            buffers: vec![Buffer::empty(flits); slots],
            ports,
            holds: Vec::new(),
            spare_holds: Vec::new(),
            worms: Vec::new(),
            spare_worms: Vec::new(),
            nodes: vec![Node::IDLE; nodes],
            sending: Vec::new(),
            waiting: Vec::new(),
            bidding: Vec::new(),
            came: Vec::new(),
            landings: Wheel::default(),
            credits: Wheel::default(),
        }
    }

    /// The channel of a buffer, and the number of its VC.
    #[inline]
    pub fn split(&self, slot: u32) -> (usize, u32) {
        ((slot >> self.shift) as usize, slot & ((1 << self.shift) - 1))
    }

    /// The buffer of VC `v` of a channel.
    #[inline]
    pub fn slot(&self, channel: usize, v: u32) -> u32 {
        (channel << self.shift) as u32 + v
    }

    /// The position of a VC among those of all inputs of its router, and their number.
    #[inline]
    pub fn input_lane(&self, slot: u32) -> (u32, u32) {
        let (channel, v) = self.split(slot);
        let port = &self.ports[channel];
        (port.input * self.vcs + v, port.inputs * self.vcs)
    }

    /// The position of a VC among those of all outputs of its router, and their number.
    #[inline]
    pub fn output_lane(&self, slot: u32) -> (u32, u32) {
        let (channel, v) = self.split(slot);
        let port = &self.ports[channel];
        (port.output * self.vcs + v, port.outputs * self.vcs)
    }

    /// The public VC of a buffer.
    pub fn public_vc(&self, slot: u32) -> VcId {
        let (channel, v) = self.split(slot);
        VcId(channel as u32 * self.vcs + v)
    }

    /// The rows of the messages in the network, oldest first.
    pub fn in_network(&self) -> Vec<u32> {
        let live = self.live().filter(|(_, worm)| worm.head != NONE);
        let mut rows: Vec<u32> = live.map(|(row, _)| row).collect();
        rows.sort_unstable_by_key(|&row| self.worms[row as usize].age());
        rows
    }

    /// The live message in a row, if any.
    pub fn live_in(&self, row: WormId) -> Option<&Worm> {
        self.worms.get(row.index()).filter(|worm| worm.live)
    }

    /// The state of the head of a message in the network.
    pub fn head_state(&self, worm: &Worm, now: u64) -> HeadState {
        let slot = self.holds[worm.head as usize].slot;
        let buffer = &self.buffers[slot as usize];
        let requests = buffer.stage == Stage::Waiting && buffer.ready < now;
        if self.split(slot).0 >= self.ejections {
            HeadState::Arriving
        } else if buffer.front == worm.head && requests {
            HeadState::Blocked(Cycle(worm.asked))
        } else {
            HeadState::Moving
        }
    }

    /// The holds of a message from head to tail.
    pub fn holds_of(&self, worm: &Worm) -> impl Iterator<Item = u32> {
        list(worm.head, |at| self.holds[at as usize].up)
    }

    /// The router of the head flit: the start of its newest channel until the head has arrived.
    pub fn router_of(&self, worm: &Worm) -> u32 {
        if !self.crosses(worm) {
            return worm.at;
        }
        let (channel, _) = self.split(self.holds[worm.head as usize].slot);
        self.ports[channel].from
    }

    /// True if the head of a message in the network has not arrived at its newest buffer.
    pub fn crosses(&self, worm: &Worm) -> bool {
        let head = &self.holds[worm.head as usize];
        head.left + head.flying == worm.length
    }

    /// The flits of a message that have not left its source.
    pub fn at_source(&self, worm: &Worm) -> u32 {
        let last = self.holds_of(worm).last();
        last.map_or(worm.length, |last| self.holds[last as usize].left)
    }

    /// The flits in a buffer or on their way there.
    pub fn taken(&self, slot: u32) -> u32 {
        let flits = |at: u32| self.holds[at as usize].inside + self.holds[at as usize].flying;
        self.in_buffer(slot).map(flits).sum()
    }

    /// The holds in a buffer, oldest first.
    pub fn in_buffer(&self, slot: u32) -> impl Iterator<Item = u32> {
        list(self.buffers[slot as usize].front, |at| self.holds[at as usize].younger)
    }

    /// All messages handed out and not yet delivered, with their rows.
    pub fn live(&self) -> impl Iterator<Item = (u32, &Worm)> {
        (0..).zip(&*self.worms).filter(|(_, worm)| worm.live)
    }

    pub fn new_worm(&mut self, message: &Message, header: Header) -> u32 {
        let worm = Worm {
            header,
            born: message.born,
            entered: u64::MAX,
            asked: message.born,
            stopped: message.born,
            serial: message.serial,
            source: message.source.0,
            destination: message.destination.0,
            length: message.length,
            hops: 0,
            head: NONE,
            at: header.source.0,
            next: NONE,
            longest_wait: 0,
            longest_wait_for: NONE,
            letter: NONE,
            live: true,
        };
        if let Some(row) = self.spare_worms.pop() {
            self.worms[row as usize] = worm;
            return row;
        }
        self.worms.push(worm);
        self.worms.len() as u32 - 1
    }

    /// Grants a VC to a message in cycle `now`: the hold of its head in the buffer of the VC.
    pub fn grant(&mut self, worm: u32, up: u32, slot: u32, now: u64) -> u32 {
        let left = self.worms[worm as usize].length;
        let hold = Hold { worm, slot, up, down: NONE, left, flying: 0, inside: 0, younger: NONE };
        let at = if let Some(at) = self.spare_holds.pop() {
            self.holds[at as usize] = hold;
            at
        } else {
            self.holds.push(hold);
            self.holds.len() as u32 - 1
        };
        let (channel, v) = self.split(slot);
        let (port, buffer) = (&mut self.ports[channel], &mut self.buffers[slot as usize]);
        debug_assert!(port.free >> v & 1 == 1 && buffer.owner == NONE);
        port.free &= !(1 << v);
        (buffer.owner, buffer.granted) = (at, now);
        let before = std::mem::replace(&mut buffer.last, at);
        if before == NONE {
            buffer.front = at;
        } else {
            self.holds[before as usize].younger = at;
        }
        if up != NONE {
            self.holds[up as usize].down = at;
        }
        let row = &mut self.worms[worm as usize];
        row.head = at;
        row.at = port.to;
        row.hops += 1;
        row.stopped = now;
        at
    }

    /// Removes the oldest hold of a buffer, with its tail gone.
    pub fn leave(&mut self, slot: u32) -> u32 {
        let buffer = &mut self.buffers[slot as usize];
        let at = buffer.front;
        let hold = self.holds[at as usize];
        buffer.front = hold.younger;
        if hold.younger == NONE {
            buffer.last = NONE;
        }
        buffer.stage = Stage::Idle;
        if hold.down != NONE {
            self.holds[hold.down as usize].up = NONE;
        }
        self.spare_holds.push(at);
        buffer.front
    }

    /// Sends a flit in cycle `now` into the buffer of a hold, to land in cycle `at`.
    #[inline]
    pub fn send(&mut self, row: u32, now: u64, at: u64) -> Hold {
        let hold = &mut self.holds[row as usize];
        hold.left -= 1;
        hold.flying += 1;
        let sent = *hold;
        let (channel, v) = self.split(sent.slot);
        self.ports[channel].crossed += 1;
        let buffer = &mut self.buffers[sent.slot as usize];
        buffer.credits -= 1;
        if sent.left == 0 {
            buffer.owner = NONE;
            self.ports[channel].free |= 1 << v;
        }
        self.landings.push_late(now, at, row);
        sent
    }

    /// Lets a buffer bid for the crossbar.
    #[inline]
    pub fn bid(&mut self, slot: u32) {
        let (channel, v) = self.split(slot);
        let port = &mut self.ports[channel];
        port.bids |= 1 << v;
        if !port.listed {
            port.listed = true;
            self.bidding.push(channel as u32);
        }
    }

    /// Starts the route of the front head of a buffer, which requests a VC from cycle `ready`.
    #[inline]
    pub fn start(&mut self, slot: u32, ready: u64) {
        let buffer = &mut self.buffers[slot as usize];
        debug_assert!(buffer.stage == Stage::Idle);
        buffer.stage = Stage::Waiting;
        buffer.ready = ready;
        let worm = self.holds[buffer.front as usize].worm;
        self.worms[worm as usize].asked = ready;
        self.waiting.push(slot);
    }

    /// The stop of the head in a buffer, as precise as its routing requires.
    #[inline]
    pub fn stop(&self, worm: &Worm, slot: u32, relation: &Relation) -> Stop {
        let (channel, v) = self.split(slot);
        if relation.reads_arrival() && channel < self.links {
            return relation.stop_after(ChannelId::new(channel), v);
        }
        Stop::start(RouterId(worm.at))
    }

    /// The ejection channel of a node.
    pub fn ejection_of(&self, node: NodeId) -> usize {
        self.ejections + node.index()
    }
}
