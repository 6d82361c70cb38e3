//! Rows of the tables of the router engine.

use get_size2::GetSize;

use crate::engine::own_pace::OwnPace;
pub(super) use crate::engine::tables::NONE;
pub(super) use crate::engine::ways::Way;
use crate::ids::MessageId;
use crate::ids::NodeId;
use crate::routing::Header;
use crate::traffic::sources::Message;

/// The stage of the oldest message in the buffer of a VC.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) enum Stage {
    /// The buffer is empty, or the head has not arrived.
    Idle,
    /// The head waits for its route or for an output VC.
    Waiting,
    /// The message has an output VC.
    Active,
}

/// The buffer of a VC, at the end of its channel.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Buffer {
    /// The hold fed by the channel, until its tail is sent.
    pub owner: u32,
    /// The holds with flits inside or under way, in order of arrival.
    pub front: u32,
    pub last: u32,
    /// Free slots, as known to the sender.
    pub credits: u32,
    /// Messages inside or under way, as known to the sender under bubble flow control.
    pub messages: u32,
    pub stage: Stage,
    /// True if the front message has an output VC, and its head is here.
    pub has_head: bool,
    /// The output VC of the front message, by its buffer; valid while it has one.
    pub out: u32,
    /// The first internal cycle of the next stage of the front message.
    pub ready: u64,
    /// Cycles of a credit, besides that in which its slot is emptied.
    pub credit_delay: u32,
    /// The input lane preferred for this VC by the VC allocator.
    pub grants: u32,
    /// The output VC preferred by the front head.
    pub accepts: u32,
    /// The cycle of the last grant.
    pub granted: u64,
}

impl Buffer {
    /// An empty buffer of `flits` slots, and the cycles of a credit.
    pub const fn empty(flits: u32, credit_delay: u32) -> Self {
        Self {
            owner: NONE,
            front: NONE,
            last: NONE,
            credits: flits,
            messages: 0,
            stage: Stage::Idle,
            has_head: false,
            out: NONE,
            ready: 0,
            credit_delay,
            grants: 0,
            accepts: 0,
            granted: 0,
        }
    }
}

/// The part of a message in one buffer.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Hold {
    pub worm: u32,
    pub slot: u32,
    /// The next hold towards the tail; [`NONE`] at the source and once the tail has passed.
    pub up: u32,
    /// The next hold towards the head.
    pub down: u32,
    /// Flits not yet sent into this buffer.
    pub left: u32,
    pub flying: u32,
    pub inside: u32,
    /// The next hold in the same buffer.
    pub younger: u32,
}

/// A channel and its ends: an output of the router where it starts, and an input where it ends.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Port {
    /// The router at the start.
    pub from: u32,
    /// The router at the end; for ejection channels, also the start.
    pub to: u32,
    /// The position among the inputs of the router at the end, and their number.
    pub input: u32,
    pub inputs: u32,
    /// The position among the outputs of the router at the start, and their number.
    pub output: u32,
    pub outputs: u32,
    /// VCs without an owner.
    pub free: u32,
    /// VCs that bid for the crossbar.
    pub bids: u32,
    pub listed: bool,
    pub closed: bool,
    /// Cycles of a flit from its departure until its arrival.
    pub delay: u32,
    /// Cycles from the sending of a flit until its slot can be used again, if the flit leaves at once.
    pub round_trip: u32,
    /// Additional cycles of the head, compared with other links of the machine.
    pub extra: i32,
    pub cycles_per_flit: u32,
    /// The first cycle in which the channel takes a flit, if flits can meet at the end of the crossing.
    pub departs: u64,
    /// The message of the last flit, for display.
    pub served: u32,
    /// Flits sent since cycle 0.
    pub crossed: u64,
}

/// An output of the crossbar, used by some input ports for a channel.
#[derive(Clone, Copy, Default, Debug, GetSize)]
pub(super) struct Exit {
    /// The first internal cycle in which the exit can take a flit.
    pub next: u64,
    /// The crossbar inputs preferred for this exit, by other flits and by speculative heads.
    pub grants: [u32; 2],
}

/// An input of the crossbar, used by some VCs of a port.
#[derive(Clone, Copy, Default, Debug, GetSize)]
pub(super) struct Lane {
    /// The VC preferred among those that bid for the same output.
    pub vc: u32,
    /// The outputs preferred, by other flits and by speculative heads.
    pub accepts: [u32; 2],
    /// The first internal cycle in which the lane can take a flit.
    pub next: u64,
    /// The message of the last flit, for display.
    pub served: u32,
}

/// A message handed out by its source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worm {
    pub header: Header,
    pub born: u64,
    pub entered: u64,
    /// The first internal cycle of the current request of the head.
    pub asked: u64,
    /// The internal cycle of the last grant, or of the arrival behind another message.
    pub stopped: u64,
    pub serial: u64,
    pub source: u32,
    pub destination: u32,
    pub length: u32,
    pub hops: u32,
    /// The precedence at arbiters: messages with lower numbers first.
    pub precedence: u64,
    /// The count carried by the head, for routing rules with one.
    pub count: u8,
    /// The hold of the head; [`NONE`] at the source.
    pub head: u32,
    /// The router of the head, or at the end of the channel of its newest hold.
    pub at: u32,
    /// The next message in the queue of the source.
    pub next: u32,
    pub longest_wait: u32,
    pub longest_wait_for: u32,
    /// Cycles for which the head waited behind another message; for a VC; with a VC; and of the last,
    /// for a credit.
    pub waited_behind: u32,
    pub waited_for_vc: u32,
    pub waited_with_vc: u32,
    pub waited_for_credit: u32,
    /// The internal cycle in which the head starts to cross the router, once it has the crossbar.
    pub crosses: u64,
    pub letter: u32,
    pub own_pace: OwnPace,
    /// The choice between a direct route and a detour.
    pub way: Way,
    pub live: bool,
}

impl GetSize for Worm {}

impl Worm {
    pub fn name(&self) -> MessageId {
        MessageId { source: NodeId(self.source), serial: self.serial }
    }

    /// The message, without bits for its route.
    pub fn message(&self) -> Message {
        let (destination, class) = (NodeId(self.destination), self.header.message_class);
        Message::without_route(self.name(), destination, self.length, self.born, class)
    }

    /// Records a wait of the head, in cycles, for a channel.
    #[inline]
    pub fn note_wait(&mut self, waited: u32, channel: u32) {
        if waited > self.longest_wait {
            (self.longest_wait, self.longest_wait_for) = (waited, channel);
        }
    }

    /// The order of age.
    pub fn age(&self) -> (u64, u32, u64) {
        (self.born, self.source, self.serial)
    }
}

/// Messages that wait at a node, in order.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Queue {
    pub first: u32,
    pub last: u32,
}

/// The messages at a node.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Node {
    /// Messages that leave before the others, and the others.
    pub queues: [Queue; 2],
    /// The hold fed by the node, until the tail is sent.
    pub feeds: u32,
    /// The VC used last.
    pub vc: u32,
    pub listed: bool,
}

impl Node {
    pub const IDLE: Self =
        Self { queues: [Queue { first: NONE, last: NONE }; 2], feeds: NONE, vc: 0, listed: false };

    /// The queue of the next message.
    #[inline]
    pub const fn next_queue(&self) -> usize {
        if self.queues[0].first == NONE { 1 } else { 0 }
    }

    /// The next message, or [`NONE`].
    #[inline]
    pub const fn first(&self) -> u32 {
        self.queues[self.next_queue()].first
    }
}
