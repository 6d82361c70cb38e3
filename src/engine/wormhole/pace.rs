//! How the flits of a worm that runs free follow each other, and where they are.

use get_size2::GetSize;

use super::engine::WormholeEngine;
use crate::switching::{Bandwidth, Forwarding, Wormhole};
use crate::topology::attributes::Attributes;

/// When the flits of a hold are sent there while its worm runs free: see [`super::records::Hold::end`].
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Schedule {
    /// As [`super::records::Hold::end`].
    pub end: u64,
    /// The flits that come after the pause.
    pub after: u32,
    /// Its length in cycles, or [`super::records::PAUSED`].
    pub pause: u32,
}

/// How the flits of one worm follow each other where it meets nobody, in cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct Pace {
    /// From the sending of one over a channel to that of the next.
    pub each: u32,
    /// From its sending until it may be sent on.
    pub delay: u32,
    /// From its leaving a buffer until its slot may be used.
    pub credit: u32,
    /// True if flits come in at the beginning of a cycle, and not in that in which they are sent.
    pub far: bool,
    /// True if each VC is a channel of its own.
    pub private: bool,
}

impl Pace {
    /// That of the default machine.
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

    /// The pace of a channel whose VCs share or divide what it sends, `vcs` of them.
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

/// Where the flits of a hold are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) struct Flits {
    /// In its buffer (at the source: still to be sent).
    pub here: u32,
    /// Under way to it.
    pub flying: u32,
    /// Not yet sent here.
    pub left: u32,
}

/// Cycles that a message alone would take longer over links with paces of their own than over as many
/// channels of the machine, so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, GetSize)]
pub(super) struct OwnPace {
    /// Longer delays, and sending again after a message was stored.
    delays: i32,
    /// The longest sending of the flits behind the head over one channel.
    sending: i32,
}

impl OwnPace {
    pub fn cycles(self) -> i32 {
        self.delays + self.sending
    }
}

impl WormholeEngine {
    /// A worm is granted a VC of a channel, where links have paces of their own.
    #[cold]
    pub(super) fn count_own_pace(&mut self, worm: u32, channel: usize) {
        let state = &mut self.state;
        if channel >= state.links {
            return;
        }
        let (usual, own) = (state.pace, state.paces[channel]);
        let slots = state.buffer_flits;
        let worm = &mut state.worms[worm as usize];
        let last = state.channels[channel].to == worm.header.destination.0;
        let behind = worm.length - 1;
        let sending = |pace: Pace| {
            let round_trip = pace.delay + pace.credit;
            let (group, rest) = (behind / slots, behind % slots);
            (if last || round_trip <= slots * pace.each {
                behind * pace.each
            } else {
                group * round_trip + rest * pace.each
            }) as i32
        };
        let row = &mut worm.own_pace;
        row.delays += own.delay as i32 - usual.delay as i32;
        let longer = sending(own) - sending(usual);
        if self.switching.forwarding == Forwarding::StoreAndForward {
            row.delays += (behind * own.each) as i32 - (behind * usual.each) as i32;
        } else {
            row.sending = row.sending.max(longer);
        }
    }
}
