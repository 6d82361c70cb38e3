//! The rows of the engine's tables: channels, holds, worms, and what stands in a buffer.

use get_size2::GetSize;

use super::pace::{Pace, Schedule};
pub(super) use crate::engine::tables::{NONE, list};
use crate::ids::{MessageId, NodeId};
pub(super) use crate::routing::bits;
use crate::routing::{Header, Straight};

/// As [`Hold::next`]: the far end is the destination, which consumes flits as they come.
pub(super) const SINK: u32 = u32::MAX - 1;

/// The heads at a router.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Heads {
    /// The oldest that waits there.
    pub waiting: u32,
    /// Whether the router is among those to be looked at: [`NONE`], [`LISTED`], or the one head that
    /// requests there and stands in no list.
    pub requests: u32,
    /// The [marks](Worm::mark) of what was freed for those that wait since they were last looked at.
    pub freed: u32,
}

impl Heads {
    pub const NONE: Self = Self { waiting: NONE, requests: NONE, freed: 0 };
}

/// As [`Heads::requests`]: the heads stand in the router's list.
pub(super) const LISTED: u32 = u32::MAX - 1;

/// A physical channel. The masks have a bit per VC.
#[derive(Clone, Copy, Default, Debug, GetSize)]
#[repr(align(32))]
pub(super) struct Channel {
    /// A flit stands upstream that goes into this VC next.
    pub flit: u32,
    /// The VC is held by no worm, and can be granted: none while the channel is closed.
    pub free: u32,
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
    /// True if it is in [`super::state::State::active`].
    pub listed: bool,
    /// True if none of its VCs is granted. Those that no worm holds are in
    /// [`super::state::State::closed`].
    pub closed: bool,
}

/// A worm's hold on one VC and its buffer, or on its source.
///
/// The first rows of the holds belong to the VC slots (channel × stride + number): row and VC have
/// the same number. The rows after them are sources, ejecting worms, and the older ones of several
/// worms in one buffer.
#[derive(Clone, Copy, Debug, GetSize)]
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
    /// While the worm runs free: the cycle before whose moves the last of them would have been sent
    /// here, and the channel been ready for another, without the pause. Then [`Self::here`] is how
    /// many come after the pause (0: there is none), and [`Self::flying`] is its length in cycles, or
    /// [`PAUSED`]. While it moves flit by flit over private channels: the cycle in which the last flit
    /// was sent here.
    pub end: u64,
}

/// As [`Hold::flying`] of a worm that runs free: its pause has no end yet.
pub(super) const PAUSED: u32 = u32::MAX;

impl Hold {
    /// The hold of a free VC.
    pub const FREE: Self =
        Self { prev: NONE, next: NONE, worm: NONE, here: 0, left: 0, flying: 0, end: 0 };

    /// While its worm runs free: the flits that are sent here in cycle `now` or later.
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

    /// While its worm runs free: the cycle in which the last flit is sent, or `u64::MAX` if that is
    /// not known.
    #[inline]
    pub fn last(&self, pace: Pace) -> u64 {
        match self.flying {
            _ if self.here == 0 => self.end - u64::from(pace.each),
            PAUSED => u64::MAX,
            pause => self.end + u64::from(pause) - u64::from(pace.each),
        }
    }

    /// From now on flits are sent here by a schedule.
    #[inline]
    pub fn follow(&mut self, Schedule { end, after, pause }: Schedule) {
        (self.end, self.here, self.flying) = (end, after, pause);
    }

    /// While its worm runs free: the cycle in which the flit is sent that has `behind - 1` others
    /// behind it.
    pub fn sends(&self, behind: u32, pace: Pace) -> u64 {
        let pause = if behind <= self.here { self.flying } else { 0 };
        (self.end + u64::from(pause)).saturating_sub(u64::from(behind) * u64::from(pace.each))
    }
}

/// A message handed out by its source and not delivered.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Worm {
    #[get_size(ignore)]
    pub header: Header,
    /// Cycle of generation.
    pub born: u64,
    /// Cycle of the head's first move; `u64::MAX` before.
    pub entered: u64,
    /// The cycle in which the head first requested where it stands.
    pub requests_since: u64,
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
    /// True if it stands in a router's list of waiting heads.
    pub waits: bool,
    /// The longest that the head waited in the network, in cycles, and the channel that it then took, or
    /// [`NONE`]. Nothing depends on it.
    pub longest_wait: u32,
    pub longest_wait_for: u32,
    /// What people call it; [`NONE`] until it has entered the network.
    pub letter: u32,
    /// True if this row is in use.
    pub live: bool,
    pub motion: Motion,
    /// While it runs: the hold into which its tail crosses next, and when.
    pub tail: u32,
    pub due: u64,
    /// Equal for messages of one source that may take the same candidates; 0 until it is wanted. Its
    /// low half has the marks of their channels. In the network it is known once `looked`.
    pub class: u64,
    /// True if nothing was free for it where it waits, so that it need not be looked at before one of
    /// its channels is.
    pub looked: bool,
    /// The next younger message of the same source and class; only the oldest of a class waits in
    /// the router's list.
    pub class_next: u32,
    /// The next older one of them.
    pub class_before: u32,
    /// The youngest of its class, kept by the oldest.
    pub class_last: u32,
    /// Where routing goes straight: what the head wants; or what it had last, but for the channel.
    #[get_size(ignore)]
    pub ahead: Straight,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) enum Motion {
    /// Flit by flit.
    Single,
    /// As a whole: it runs free.
    Free,
    /// As a whole too, but its head waits: its flits close up and stand.
    Stands,
}

impl Worm {
    /// True if it moves as a whole.
    #[inline]
    pub fn runs(&self) -> bool {
        self.motion != Motion::Single
    }

    /// Its head is granted a VC that leads to a router.
    #[inline]
    pub fn go_to(&mut self, vc: u32, to: u32) {
        self.head = vc;
        self.hops += 1;
        self.at = to;
        self.ahead.channel = Straight::UNKNOWN.channel;
    }

    /// The mark of a channel, which few others of its router share.
    #[inline]
    pub fn mark(channel: u32) -> u32 {
        1 << (channel & 31)
    }

    /// The order of service at routers.
    #[inline]
    pub fn priority(&self) -> (u64, u64, u32, u64) {
        (self.rank, self.tie, self.source, self.serial)
    }

    /// The order of age: oldest first, equal ages by the message's random bits.
    #[inline]
    pub fn age(&self) -> (u64, u64, u32, u64) {
        (self.born, self.header.route_bits, self.source, self.serial)
    }

    /// The name of its message.
    pub fn name(&self) -> MessageId {
        MessageId { source: NodeId(self.source), serial: self.serial }
    }

    /// True if its head waits in the network: before cycle `now` it requested in vain.
    pub fn is_blocked(&self, now: u64) -> bool {
        self.waits && self.head != NONE && self.requests_since < now
    }
}

/// The flit of one node that is picked in a cycle.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Claim {
    /// The cycle for which the claim stands.
    pub cycle: u64,
    /// Its place among the picks.
    pub pick: u32,
}

impl Claim {
    pub const NONE: Self = Self { cycle: u64::MAX, pick: 0 };

    /// Claims the place `at` in cycle `now`; if another flit is picked, answers in which place.
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
    /// In the buffer of this VC slot.
    Vc(u32),
    /// At the worm's source.
    Source,
    /// Where the worm is ejected flit by flit, without a VC.
    Ejection,
}

/// A hold's place among those in one buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct InBuffer {
    /// The VC slot; [`NONE`] for a source, [`InBuffer::EJECTION`] for an ejecting hold.
    pub vc: u32,
    /// The hold in front of it in the same buffer.
    pub older: u32,
    /// The hold behind it.
    pub younger: u32,
    /// The hold into which flits land when all those of this one have; [`NONE`]: that in the VC's
    /// own row.
    pub then: u32,
    /// True if it is in the list of ejecting holds.
    pub listed: bool,
}

impl InBuffer {
    /// As [`Self::vc`]: an ejecting hold.
    pub const EJECTION: u32 = u32::MAX - 1;

    pub const fn of(vc: u32) -> Self {
        Self { vc, older: NONE, younger: NONE, then: NONE, listed: false }
    }
}

/// The buffer of a VC.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct Buffer {
    /// The oldest hold in it, which alone may go on. Kept under `Sent` release only.
    pub front: u32,
    /// The youngest.
    pub last: u32,
    /// Slots taken, as its sender knows: those of flits under way into it are, and those whose
    /// credits are under way back.
    pub occupied: u32,
    /// The hold into which the next flit lands; [`NONE`]: that in the VC's own row.
    pub lands: u32,
    /// The cycle in which the VC was last granted, and its room spoken for.
    pub granted: u64,
    /// The cycle in which a worm that ran free sent its last flit on from it, and how many it sent
    /// one after the other up to that: their credits are not among the slots taken.
    pub left: u64,
    pub credits: u32,
}

impl Buffer {
    pub const EMPTY: Self =
        Self { front: NONE, last: NONE, occupied: 0, lands: NONE, granted: 0, left: 0, credits: 0 };
}

/// How far a channel is with its choice of a VC, where a slot emptied in a cycle can be refilled in
/// it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, GetSize)]
pub(super) enum Stage {
    #[default]
    Open,
    Settling,
    /// It waits, by way of others, for channels that wait for each other.
    Stalled,
    Decided,
}

/// What a channel decided, and knows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, GetSize)]
pub(super) struct Decision {
    /// The cycle (plus 1) of what follows; older ones are void.
    pub stamp: u64,
    pub stage: Stage,
    /// It waits for another's decision.
    pub deferred: bool,
    /// The VC for whose sake it waits, and for which channel; what has been seen of a circle.
    pub vc: u8,
    pub ahead: u32,
    pub mark: u32,
    /// VCs that do not move in this cycle.
    pub gone: u32,
    /// VCs whose buffers are full up to a head without a VC. Kept from cycle to cycle; a cache.
    pub stuck: u32,
}
