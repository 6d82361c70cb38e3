//! The rows of the tables of the engine: channels, holds, worms and buffers.

use get_size2::GetSize;

use super::pace::{Pace, Schedule};
pub(super) use crate::engine::own_pace::OwnPace;
pub(super) use crate::engine::tables::{NONE, list};
pub(super) use crate::engine::ways::Way;
use crate::ids::{MessageId, NodeId};
pub(super) use crate::routing::bits;
use crate::routing::{Header, Straight};
use crate::traffic::sources::Message;

/// Value of [`Hold::next`] for a destination that consumes flits on arrival.
pub(super) const SINK: u32 = u32::MAX - 1;

/// The heads at a router.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Heads {
    /// The oldest waiting head.
    pub waiting: u32,
    /// The pending requests: [`NONE`], [`LISTED`], or the only requesting head, which is not in the
    /// list.
    pub requests: u32,
    /// The [marks](Worm::mark) of channels freed since the waiting heads were last examined.
    pub freed: u32,
}

impl Heads {
    pub const NONE: Self = Self { waiting: NONE, requests: NONE, freed: 0 };
}

/// Value of [`Heads::requests`] for heads in the list of the router.
pub(super) const LISTED: u32 = u32::MAX - 1;

/// A physical channel. The masks have a bit per VC.
#[derive(Clone, Copy, Default, Debug, GetSize)]
#[repr(align(32))]
pub(super) struct Channel {
    /// VCs with a flit upstream that enters them next.
    pub flit: u32,
    /// VCs not held by any worm; none while the channel is closed.
    pub free: u32,
    /// VCs crossed by free runs; then no other VC of the channel has a flit.
    pub run: u32,
    /// The router at the start.
    pub from: u32,
    /// The router at the end.
    pub to: u32,
    /// The number of flits that have crossed since cycle 0.
    pub crossed: u64,
    /// The VC first examined by round robin.
    pub pointer: u8,
    /// True if in [`super::state::State::active`].
    pub listed: bool,
    /// True if no VC of the channel may be granted. Its VCs that are not held by any worm are then
    /// in [`super::state::State::closed`].
    pub closed: bool,
    /// True if no flit may cross: closed by a failure that stops messages. Only with tables.
    pub stalled: bool,
}

/// The hold of a worm on a VC and its buffer, or on its source.
///
/// The first rows of holds belong to the VC slots (channel × stride + number): row and VC have the
/// same number. The rows after the slots are sources, ejecting worms, and older worms in shared
/// buffers.
#[derive(Clone, Copy, Debug, GetSize)]
#[repr(align(32))]
pub(super) struct Hold {
    /// The hold behind (nearer the source); [`NONE`] after the tail has left that hold, and for a
    /// source.
    pub prev: u32,
    /// The hold ahead, [`NONE`] while the head waits here, or [`SINK`].
    pub next: u32,
    /// The owner; [`NONE`] if the VC is free.
    pub worm: u32,
    /// The number of flits in the buffer (at the source: still to be sent).
    pub here: u32,
    /// The number of flits not yet sent here. In a free run: the number at its start.
    pub left: u32,
    /// The number of flits sent but not yet arrived; 0 if flits arrive in the cycle of sending.
    pub flying: u32,
    /// The end of sending here. In a free run, this is the cycle before whose moves the last flit
    /// would have been sent here, and the channel been ready for another flit, without the pause;
    /// [`Self::here`] is then the number of flits after the pause (0: no pause), and
    /// [`Self::flying`] is the length of the pause in cycles, or [`PAUSED`]. In flit-by-flit motion
    /// over private channels, this is the cycle in which the last flit was sent here.
    pub end: u64,
}

/// Value of [`Hold::flying`] in a free run for a pause without a known end.
pub(super) const PAUSED: u32 = u32::MAX;

impl Hold {
    /// The hold of a free VC.
    pub const FREE: Self =
        Self { prev: NONE, next: NONE, worm: NONE, here: 0, left: 0, flying: 0, end: 0 };

    /// The number of flits sent here in cycle `now` or later, in a free run.
    #[inline]
    pub fn remaining(&self, now: u64, pace: Pace) -> u32 {
        let until = |end: u64| match end.saturating_sub(now) as u32 {
            cycles if pace.each == 1 => cycles,
            cycles => cycles / pace.each,
        };
        let before = until(self.end);
        if self.here == 0 {
            return before;
        }
        let after = match self.flying {
            PAUSED => self.here,
            pause => self.here.min(until(self.end + u64::from(pause))),
        };
        before.max(after)
    }

    /// The cycle in which the last flit of a free run is sent, or `u64::MAX` if not yet known.
    #[inline]
    pub fn last(&self, pace: Pace) -> u64 {
        match self.flying {
            _ if self.here == 0 => self.end - u64::from(pace.each),
            PAUSED => u64::MAX,
            pause => self.end + u64::from(pause) - u64::from(pace.each),
        }
    }

    /// Sets the schedule of further flits.
    #[inline]
    pub fn follow(&mut self, Schedule { end, after, pause }: Schedule) {
        (self.end, self.here, self.flying) = (end, after, pause);
    }

    /// The cycle of a free run in which the flit with `behind - 1` flits after it is sent.
    pub fn sends(&self, behind: u32, pace: Pace) -> u64 {
        let pause = if behind <= self.here { self.flying } else { 0 };
        (self.end + u64::from(pause)).saturating_sub(u64::from(behind) * u64::from(pace.each))
    }
}

/// A message handed out by its source and not yet delivered.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Worm {
    #[get_size(ignore)]
    pub header: Header,
    /// The cycle of generation.
    pub born: u64,
    /// The cycle of the first move of the head; `u64::MAX` before.
    pub entered: u64,
    /// The cycle of the first request of the head at its current position.
    pub requests_since: u64,
    /// Under `Sent` release: the cycle in which the head stopped in front of a buffer, or landed in
    /// it; the head waits if others are ahead of it there.
    pub stopped_since: u64,
    pub serial: u64,
    /// The position in the order of service, smallest first: a cycle and a tie-break.
    pub rank: u64,
    pub tie: u64,
    pub source: u32,
    pub destination: u32,
    pub length: u32,
    /// The number of VCs granted so far.
    pub hops: u32,
    /// The count carried by the head, for routing rules with one.
    pub count: u8,
    /// The hold of the head; [`NONE`] while waiting at the source.
    pub head: u32,
    /// The current or next router of the head.
    pub at: u32,
    /// The next younger head that waits at the same router.
    pub waits_next: u32,
    /// True if in the list of waiting heads of a router.
    pub waits: bool,
    /// The longest wait of the head in the network, in cycles, and the channel granted afterwards,
    /// or [`NONE`]. Does not affect the simulation.
    pub longest_wait: u32,
    pub longest_wait_for: u32,
    /// The additional cycles of links with their own paces.
    pub own_pace: OwnPace,
    /// The label shown to users; [`NONE`] before entry into the network.
    pub letter: u32,
    /// True if the row is in use.
    pub live: bool,
    pub motion: Motion,
    /// The choice of a message between a direct route and a detour.
    pub way: Way,
    /// The next hold to be entered by the tail of a run.
    pub tail: u32,
    /// The cycle in which the tail of a run enters this hold; `u64::MAX` if not yet known.
    pub due: u64,
    /// A number equal for messages of the same source with the same candidates; 0 until computed.
    /// The low half contains the marks of their channels. In the network, valid once `looked`.
    pub class: u64,
    /// True if no candidate was free at the last examination; the next is due once a channel of the
    /// class is freed.
    pub looked: bool,
    /// The first message of the next higher rank of the same source and class; only the first of a class
    /// is in the list of the router. For other messages of a rank, the next in the list of a heap.
    pub class_next: u32,
    /// The message with this one as [`Self::class_next`] or [`Self::class_ties`].
    pub class_before: u32,
    /// The first message of the highest rank of the class, stored in the first of all.
    pub class_last: u32,
    /// The heap of further messages of this rank, all later in order: the first of a list of heaps.
    pub class_ties: u32,
    /// The candidate of the head, if it is known to have a single one. If all heads have, the previous
    /// candidate remains, except for its channel.
    #[get_size(ignore)]
    pub ahead: Straight,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) enum Motion {
    /// Flit by flit.
    Single,
    /// Bulk motion: a free run.
    Free,
    /// Bulk motion with a blocked head: the flits close up behind.
    Blocked,
}

impl Worm {
    /// True if the worm moves in bulk.
    #[inline]
    pub fn runs(&self) -> bool {
        self.motion != Motion::Single
    }

    /// Advances the head to a newly granted VC that leads to router `to`.
    #[inline]
    pub fn go_to(&mut self, vc: u32, to: u32) {
        self.head = vc;
        self.hops += 1;
        self.at = to;
        self.ahead.channel = Straight::UNKNOWN.channel;
    }

    /// The mark of a channel, shared with few others of its router.
    #[inline]
    pub fn mark(channel: u32) -> u32 {
        1 << (channel & 31)
    }

    /// The order of service at routers.
    #[inline]
    pub fn priority(&self) -> (u64, u64, u32, u64) {
        (self.rank, self.tie, self.source, self.serial)
    }

    /// The order by age: oldest first, ties broken by the random bits of the message.
    #[inline]
    pub fn age(&self) -> (u64, u64, u32, u64) {
        (self.born, self.header.route_bits, self.source, self.serial)
    }

    /// The unique name of the message.
    pub fn name(&self) -> MessageId {
        MessageId { source: NodeId(self.source), serial: self.serial }
    }

    /// The message, without bits for its route.
    pub fn message(&self) -> Message {
        let (destination, class) = (NodeId(self.destination), self.header.message_class);
        Message::without_route(self.name(), destination, self.length, self.born, class)
    }

    /// True if the head is blocked in the network: a request before cycle `now` has failed.
    pub fn is_blocked(&self, now: u64) -> bool {
        self.waits && self.head != NONE && self.requests_since < now
    }
}

/// The picked flit of a node in a cycle.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Claim {
    /// The cycle of the claim.
    pub cycle: u64,
    /// The index among the picks.
    pub pick: u32,
}

impl Claim {
    pub const NONE: Self = Self { cycle: u64::MAX, pick: 0 };

    /// Claims index `at` in cycle `now`; returns the index of the earlier claim, if any.
    #[inline]
    pub fn stake(&mut self, now: u64, at: usize) -> Option<usize> {
        if self.cycle == now {
            return Some(self.pick as usize);
        }
        *self = Self { cycle: now, pick: at as u32 };
        None
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The buffer of the given VC slot.
    Vc(u32),
    /// The source of the worm.
    Source,
    /// Ejection flit by flit, without a VC.
    Ejection,
}

/// The position of a hold in a shared buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct InBuffer {
    /// The VC slot; [`NONE`] for a source, [`InBuffer::EJECTION`] for an ejecting hold.
    pub vc: u32,
    /// The hold ahead in the same buffer.
    pub older: u32,
    /// The hold behind in the same buffer.
    pub younger: u32,
    /// The next hold to receive flits after all flits of this hold have landed; [`NONE`] for the
    /// hold in the row of the VC.
    pub then: u32,
    /// True if in the list of ejecting holds.
    pub listed: bool,
}

impl InBuffer {
    /// Value of [`Self::vc`] for an ejecting hold.
    pub const EJECTION: u32 = u32::MAX - 1;

    pub const fn of(vc: u32) -> Self {
        Self { vc, older: NONE, younger: NONE, then: NONE, listed: false }
    }
}

/// The buffer of a VC.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct Buffer {
    /// The oldest hold, which alone may advance. Used only under `Sent` release.
    pub front: u32,
    /// The youngest hold.
    pub last: u32,
    /// The occupied slots as known to the sender, including slots of flits under way to the buffer
    /// and of credits under way back.
    pub occupied: u32,
    /// The hold for the next flit to land; [`NONE`] for the hold in the row of the VC.
    pub lands: u32,
    /// The cycle of the last grant of the VC, which also reserves its room.
    pub granted: u64,
    /// The cycle in which a free run sent its last flit from the buffer, and the number of
    /// consecutive flits sent up to then: their credits are not included in the occupied slots.
    pub left: u64,
    pub credits: u32,
}

impl Buffer {
    pub const EMPTY: Self =
        Self { front: NONE, last: NONE, occupied: 0, lands: NONE, granted: 0, left: 0, credits: 0 };
}

/// The progress of a channel in picking a VC under instant credit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, GetSize)]
pub(super) enum Stage {
    #[default]
    Open,
    Settling,
    /// Waiting, directly or through others, for channels that wait for each other.
    Stalled,
    Decided,
}

/// The decision of a channel in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, GetSize)]
pub(super) struct Decision {
    /// The cycle (plus 1) of the other fields; older records are void.
    pub stamp: u64,
    pub stage: Stage,
    /// True if waiting for the decision of another channel.
    pub deferred: bool,
    /// The VC that waits, the channel it waits for, and a mark for finding cycles.
    pub vc: u8,
    pub ahead: u32,
    pub mark: u32,
    /// VCs unable to move in this cycle.
    pub gone: u32,
    /// VCs with full buffers up to a head without a VC. A cache, preserved between cycles.
    pub stuck: u32,
}

/// The number of VCs in a mask; mostly one, which needs no count.
#[inline]
pub(super) fn ones(vcs: u32) -> u32 {
    if vcs & vcs.wrapping_sub(1) == 0 { u32::from(vcs != 0) } else { vcs.count_ones() }
}
