//! How the flits of a worm that runs free follow each other, and where they are.

use get_size2::GetSize;

use crate::switching::{Bandwidth, Wormhole};

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
