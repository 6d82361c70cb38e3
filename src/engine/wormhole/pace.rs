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

/// The additional cycles so far of a message without conflicts over links with their own paces,
/// compared to as many channels of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, GetSize)]
pub(super) struct OwnPace {
    /// Longer delays, and repeated sending after a message was stored.
    delays: i32,
    /// The longest time to send the flits behind the head over a channel.
    sending: u32,
}

impl OwnPace {
    /// The additional cycles of a message of `length` flits that has crossed `hops` channels.
    pub fn cycles(self, machine: &Wormhole, length: u32, hops: u32) -> i32 {
        if machine.forwarding == Forwarding::StoreAndForward {
            return self.delays;
        }
        let usual = machine.sending(length, hops) as u32;
        self.delays + self.sending.cast_signed() - usual.cast_signed()
    }

    /// Adds a link of pace `own` instead of `usual` for a message of `length` flits.
    pub fn add_link(&mut self, [usual, own]: [Pace; 2], length: u32, forwarding: Forwarding) {
        self.delays += own.delay.cast_signed() - usual.delay.cast_signed();
        if forwarding == Forwarding::StoreAndForward {
            let [own, usual] = [own, usual].map(|pace| ((length - 1) * pace.each).cast_signed());
            self.delays += own - usual;
        }
    }

    /// Adds a channel into a buffer of `slots` flits; `None` at the destination, where flits are
    /// consumed as they arrive.
    pub fn add_sending(&mut self, pace: Pace, length: u32, slots: Option<u32>) {
        let behind = length - 1;
        let round_trip = pace.delay + pace.credit;
        let cycles = match slots {
            Some(slots) if round_trip > slots * pace.each => {
                behind / slots * round_trip + behind % slots * pace.each
            }
            Some(_) | None => behind * pace.each,
        };
        self.sending = self.sending.max(cycles);
    }
}
