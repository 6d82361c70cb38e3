//! The tables of the router engine.

use educe::Educe;
use get_size2::GetSize;

use super::arbiter::{Matching, Work};
use super::ports;
use super::records::{Buffer, Exit, Hold, Lane, NONE, Node, Port, Stage, Way, Worm};
use super::rules::Rules;
use crate::engine::own_pace::OwnPace;
use crate::engine::wheel::Wheel;
use crate::ids::{ChannelId, NodeId, RouterId, VcId, WormId};
use crate::routing::{Header, Relation, Stop};
use crate::switching::{Allocation, Forwarding, Release, SPEEDUP_MAX, Stages, Wormhole};
use crate::topology::Network;
use crate::traffic::sources::Message;

#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct State {
    /// VCs per channel.
    pub vcs: u32,
    /// Slots per buffer.
    pub flits: u32,
    /// Slots for messages of the maximum length per buffer, under bubble flow control.
    pub slots: u32,
    /// The ring of each channel under bubble flow control, or [`NONE`].
    pub rings: Vec<u32>,
    #[get_size(ignore)]
    pub forwarding: Forwarding,
    /// The event that frees a VC.
    #[get_size(ignore)]
    pub release: Release,
    /// True if some messages precede others at arbiters.
    pub ordered: bool,
    /// True if an output prefers flits of messages that cross it to heads.
    pub holds_outputs: bool,
    /// True if links have their own delays or rates.
    pub paced: bool,
    /// There are `1 << shift` buffers per channel.
    pub shift: u32,
    /// The number of channels between routers, and the first ejection channel.
    pub links: usize,
    pub ejections: usize,
    pub ports: Vec<Port>,
    /// Internal cycles of a router in a cycle.
    pub steps: u64,
    /// Outputs of the crossbar for each output port, of which there are `1 << exit_shift` at most.
    pub exits_of_port: u32,
    pub exit_shift: u32,
    pub exits: Vec<Exit>,
    /// Inputs of the crossbar for each input port.
    pub speedup: u32,
    pub lanes: Vec<Lane>,
    /// The VCs that use each input of the crossbar at a port.
    pub vcs_of_lane: [u32; SPEEDUP_MAX as usize],
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

impl State {
    pub fn new(network: &Network, machine: &Wormhole, stages: Stages, longest: u32) -> Self {
        let (vcs, flits) = (machine.virtual_channels, machine.buffer_flits);
        let shift = vcs.next_power_of_two().trailing_zeros();
        let (nodes, ports) = (network.nodes(), ports::of(network, machine, stages));
        let slots = ports.len() << shift;
        let exit_shift = stages.output_speedup.next_power_of_two().trailing_zeros();
        let exits = ports.len() << exit_shift;
        let credit = |channel: usize| {
            let Port { delay, cycles_per_flit, .. } = ports[channel];
            delay + stages.credit - cycles_per_flit + machine.credit_delay
        };
        Self {
            vcs,
            flits,
            slots: flits / longest,
            rings: match machine.forwarding {
                Forwarding::Bubble => ports::rings(network),
                Forwarding::Wormhole | Forwarding::CutThrough | Forwarding::StoreAndForward => {
                    Vec::new()
                }
            },
            forwarding: machine.forwarding,
            release: machine.release,
            ordered: machine.allocation != Allocation::RoundRobin,
            holds_outputs: stages.hold_for_packet,
            paced: network.has_paced_links(),
            shift,
            links: network.links(),
            ejections: network.links() + nodes,
            work: Work {
                vcs: Matching::new(slots),
                outputs: Matching::new(exits),
                guesses: Matching::new(exits),
                ..Work::default()
            },
            steps: u64::from(stages.internal_speedup),
            exits_of_port: stages.output_speedup,
            exit_shift,
            exits: vec![Exit::default(); exits],
            speedup: stages.input_speedup,
            vcs_of_lane: std::array::from_fn(|lane| {
                let uses = |v: &u32| v % stages.input_speedup == lane as u32;
                (0..vcs).filter(uses).fold(0, |all, v| all | 1 << v)
            }),
            lanes: vec![Lane::default(); ports.len() * stages.input_speedup as usize],
            buffers: (0..slots).map(|slot| Buffer::empty(flits, credit(slot >> shift))).collect(),
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

    /// The cycle of an internal cycle.
    #[inline]
    pub const fn cycle<M: Rules>(&self, internal: u64) -> u64 {
        if M::SIMPLE { internal } else { internal / self.steps }
    }

    /// The input of the crossbar used by a VC, by its buffer.
    #[inline]
    pub fn lane_of<M: Rules>(&self) -> impl Fn(u32) -> u32 + use<M> {
        let (shift, speedup) = (self.shift, self.speedup);
        move |slot| {
            if M::SIMPLE {
                return slot >> shift;
            }
            let v = slot & ((1 << shift) - 1);
            (slot >> shift) * speedup + if speedup == 1 { 0 } else { v % speedup }
        }
    }

    /// The position of an input of the crossbar among those of its router, and their number.
    #[inline]
    pub fn crossbar_input<M: Rules>(&self, lane: u32) -> (u32, u32) {
        if M::SIMPLE {
            let port = &self.ports[lane as usize];
            return (port.input, port.inputs);
        }
        let port = &self.ports[(lane / self.speedup) as usize];
        (port.input * self.speedup + lane % self.speedup, port.inputs * self.speedup)
    }

    /// The public VC of a buffer.
    pub fn public_vc(&self, slot: u32) -> VcId {
        let (channel, v) = self.split(slot);
        VcId(channel as u32 * self.vcs + v)
    }

    /// The live message in a row, if any.
    pub fn live_in(&self, row: WormId) -> Option<&Worm> {
        self.worms.get(row.index()).filter(|worm| worm.live)
    }

    /// All messages handed out and not yet delivered, with their rows.
    pub fn live(&self) -> impl Iterator<Item = (u32, &Worm)> {
        (0..).zip(&*self.worms).filter(|(_, worm)| worm.live)
    }

    pub fn new_worm(&mut self, message: &Message, header: Header, precedence: u64) -> u32 {
        let worm = Worm {
            header,
            born: message.born,
            entered: u64::MAX,
            asked: message.born * self.steps,
            stopped: message.born * self.steps,
            serial: message.serial,
            source: message.source.0,
            destination: message.destination.0,
            length: message.length,
            hops: 0,
            precedence,
            count: 0,
            head: NONE,
            at: header.source.0,
            next: NONE,
            longest_wait: 0,
            longest_wait_for: NONE,
            waited_behind: 0,
            waited_for_vc: 0,
            waited_with_vc: 0,
            waited_for_credit: 0,
            crosses: 0,
            letter: NONE,
            own_pace: OwnPace::default(),
            way: Way::Open,
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
        buffer.messages += u32::from(self.forwarding == Forwarding::Bubble);
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
        row.stopped = now * self.steps;
        if self.paced {
            let (each, behind) = (port.cycles_per_flit, row.length - 1);
            row.own_pace.add_delay(port.extra);
            row.own_pace.add_sending(each, port.round_trip, behind, Some(self.flits));
        }
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
        let front = hold.younger;
        if hold.down != NONE {
            self.holds[hold.down as usize].up = NONE;
        }
        self.spare_holds.push(at);
        if self.release == Release::Drained {
            self.set_free(slot);
        }
        front
    }

    /// Frees a VC without an owner.
    #[inline]
    pub fn set_free(&mut self, slot: u32) {
        let (channel, v) = self.split(slot);
        debug_assert!(self.buffers[slot as usize].owner == NONE);
        self.ports[channel].free |= 1 << v;
    }

    /// True if a VC can be granted.
    pub fn is_free(&self, slot: u32) -> bool {
        let (channel, v) = self.split(slot);
        self.ports[channel].free >> v & 1 == 1
    }

    /// The hold that keeps a VC from being granted; [`NONE`] if the VC is free or waits only for
    /// credits.
    pub fn keeper(&self, slot: u32) -> u32 {
        let buffer = &self.buffers[slot as usize];
        match self.release {
            Release::Sent => buffer.owner,
            Release::Drained | Release::Credit => buffer.last,
        }
    }

    /// Sends a flit in cycle `now` into the buffer of a hold, to land in cycle `at`.
    #[expect(clippy::inline_always, reason = "called once for all flits in the network")]
    #[inline(always)]
    pub fn send(&mut self, row: u32, now: u64, at: u64) -> Hold {
        let hold = &mut self.holds[row as usize];
        hold.left -= 1;
        hold.flying += 1;
        let sent = *hold;
        let (channel, _) = self.split(sent.slot);
        self.ports[channel].crossed += 1;
        let buffer = &mut self.buffers[sent.slot as usize];
        buffer.credits -= 1;
        if sent.left == 0 {
            buffer.owner = NONE;
            if self.release == Release::Sent {
                self.set_free(sent.slot);
            }
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

    /// Starts the route of the front head of a buffer, which requests a VC from the internal cycle
    /// `ready`.
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
            return relation.stop_with(worm.count, ChannelId::new(channel), v);
        }
        Stop::start(RouterId(worm.at))
    }

    /// The ejection channel of a node.
    pub fn ejection_of(&self, node: NodeId) -> usize {
        self.ejections + node.index()
    }
}
