//! The timing of consecutive flits in a free run.

use get_size2::GetSize;

use crate::switching::{Bandwidth, Forwarding, Wormhole};
use crate::topology::attributes::Attributes;

/// The schedule of flits sent to a hold in a free run: see [`super::records::Hold::end`].
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Schedule {
    /// The end, like [`super::records::Hold::end`].
    pub end: u64,
    /// The number of flits after the pause.
    pub after: u32,
    /// The length of the pause in cycles, or [`super::records::PAUSED`].
    pub pause: u32,
}

/// The timing of consecutive flits of a worm without conflicts, in cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct Pace {
    /// The interval between flits sent over a channel.
    pub each: u32,
    /// The delay between sending a flit and its availability for the next channel.
    pub delay: u32,
    /// The delay between the departure of a flit from a buffer and the reuse of its slot.
    pub credit: u32,
    /// True if flits arrive at the start of a later cycle, not in the cycle of sending.
    pub far: bool,
    /// True if each VC is a separate channel.
    pub private: bool,
}

impl Pace {
    /// The pace of the default machine.
    pub const DEFAULT: Self = Self { each: 1, delay: 1, credit: 1, far: false, private: false };

    pub fn of(machine: &Wormhole) -> Self {
        let fixed = machine.bandwidth == Bandwidth::Fixed;
        let each = if fixed { machine.virtual_channels } else { 1 };
        Self {
            each,
            delay: each - 1 + machine.channel_delay,
            credit: machine.credit_delay,
            far: fixed || machine.is_far(),
            private: fixed,
        }
    }

    /// The pace of a channel with `vcs` VCs, which share its bandwidth on demand or in fixed parts.
    pub fn of_channel(machine: &Wormhole, attributes: Attributes, vcs: u32) -> Self {
        let pace = Self::of(machine);
        let shares = if pace.private { vcs.max(1) } else { 1 };
        let each = shares * u32::from(attributes.cycles_per_flit);
        let own = attributes.delay.map(|delay| u32::from(delay.get()));
        Self {
            each,
            delay: each - 1 + own.unwrap_or(machine.channel_delay),
            credit: own.unwrap_or(0) + machine.credit_delay,
            far: true,
            ..pace
        }
    }

    /// The additional cycles of a message of `length` flits over a link of this pace instead of `usual`,
    /// besides those of sending.
    pub fn extra(self, usual: Self, length: u32, forwarding: Forwarding) -> i32 {
        let repeated = if forwarding == Forwarding::StoreAndForward { length - 1 } else { 0 };
        let [own, usual] = [self, usual].map(|pace| pace.delay + repeated * pace.each);
        own.cast_signed() - usual.cast_signed()
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The positions of the flits of a hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct Flits {
    /// Flits in the buffer (at the source: still to be sent).
    pub here: u32,
    /// Flits under way to the hold.
    pub flying: u32,
    /// Flits not yet sent to the hold.
    pub left: u32,
}
