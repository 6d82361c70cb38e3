//! The additional time of a message over links with their own delays and rates.

use get_size2::GetSize;

use crate::switching::{Forwarding, Wormhole};

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

    /// Adds cycles of a link.
    pub fn add_delay(&mut self, cycles: i32) {
        self.delays += cycles;
    }

    /// Adds a channel with a flit in `each` cycles for `behind` flits after the head, into a buffer of
    /// `slots` flits with a round trip of `round_trip` cycles; `None` if flits are consumed as they
    /// arrive.
    pub fn add_sending(&mut self, each: u32, round_trip: u32, behind: u32, slots: Option<u32>) {
        let cycles = match slots {
            Some(slots) if round_trip > slots * each => {
                behind / slots * round_trip + behind % slots * each
            }
            Some(_) | None => behind * each,
        };
        self.sending = self.sending.max(cycles);
    }
}
