//! What a machine takes and carries, worked out: the time of a message alone, and the most flits per cycle.

use super::{Bandwidth, Forwarding, Injection, LatencyTo, Release, Terminals, Wormhole};

impl Wormhole {
    /// As [`terminal_hops`](super::Switching::terminal_hops).
    pub fn terminal_hops(&self) -> u32 {
        match self.terminals {
            Terminals::Direct => 0,
            Terminals::Channels => 2,
        }
    }

    /// The cycles for which a VC sends a flit.
    fn cycles_per_flit(&self) -> u32 {
        match self.bandwidth {
            Bandwidth::OnDemand => 1,
            Bandwidth::Fixed => self.virtual_channels,
        }
    }

    /// Cycles from the sending of a flit into a VC until its slot in the buffer may be used again,
    /// if it leaves at once.
    pub fn round_trip(&self) -> u32 {
        self.cycles_per_flit() - 1 + self.channel_delay + self.credit_delay
    }

    /// The most flits per cycle that a VC can carry of messages that go on from its end, where its buffer
    /// is what limits it: less than the channel gives it. `None` where flits and credits come back in time.
    pub fn buffer_bound(&self) -> Option<f64> {
        let bound = f64::from(self.buffer_flits) / f64::from(self.round_trip());
        (bound * f64::from(self.cycles_per_flit()) < 1.0).then_some(bound)
    }

    /// The most flits per cycle that the VCs of a channel carry of messages of `length` flits on average
    /// that go on from its end, where a VC is granted again only after the tail has left its buffer. `None`
    /// where that is no limit of the channel.
    pub fn turnaround_bound(&self, length: f64) -> Option<f64> {
        let until_free = match self.release {
            Release::Drained => f64::from(self.channel_delay),
            Release::Sent => return None,
        };
        let held = length * f64::from(self.cycles_per_flit()) + until_free;
        let bound = f64::from(self.virtual_channels) * length / held;
        (bound < 1.0).then_some(bound)
    }

    /// The most flits per cycle that a source can send in messages of `length` flits on average, where
    /// the one VC of its injection channel ([`Injection::OneMessage`]) is what limits it: a message
    /// has it until its tail has left the buffer at its end. `None` where that costs no cycle, and with
    /// direct terminals, where the next message may go at once, over another VC.
    pub fn injection_bound(&self, length: f64) -> Option<f64> {
        if self.injection != Injection::OneMessage || self.terminals == Terminals::Direct {
            return None;
        }
        let delay = f64::from(self.channel_delay);
        let until_free = match self.release {
            Release::Drained => delay,
            Release::Sent => 0.0,
        };
        // One VC has all of its channel, however bandwidth is shared.
        let buffer = f64::from(self.buffer_flits) / (delay + f64::from(self.credit_delay));
        let bound = buffer.min(length / (length + until_free));
        (bound < 1.0).then_some(bound)
    }

    /// Cycles from the head's first move to the consumption of the tail of a message of `length`
    /// flits that crosses `hops` channels that count and meets nobody.
    #[inline]
    pub fn transfer(&self, length: u32, hops: u32) -> u64 {
        let (behind, hops) = (u64::from(length) - 1, u64::from(hops));
        // One VC has all of its channel, however bandwidth is shared.
        let single = match (self.terminals, self.injection) {
            (Terminals::Direct, _) => 0,
            (Terminals::Channels, Injection::OneMessage) => hops.min(2),
            (Terminals::Channels, Injection::OneFlitPerCycle | Injection::Independent { .. }) => {
                hops.min(1)
            }
        };
        let shared = hops - single;
        let of_shared = u64::from(self.cycles_per_flit());
        let per_flit = if shared > 0 { of_shared } else { 1 };
        let delay = hops * u64::from(self.channel_delay) + shared * (of_shared - 1);
        let end = u64::from(self.latency_to == LatencyTo::EndOfCycle);
        if self.forwarding == Forwarding::StoreAndForward {
            return behind * (single + shared * of_shared) + delay + end;
        }
        // A slot whose credit is under way takes no flit: where there are too few of them flits go in
        // groups of as many, unless all of the way is one channel, at whose end flits are consumed.
        let slots = u64::from(self.buffer_flits);
        let round_trip = per_flit - 1 + u64::from(self.channel_delay + self.credit_delay);
        let sending = if hops > 1 && round_trip > slots * per_flit {
            behind / slots * round_trip + behind % slots * per_flit
        } else {
            behind * per_flit
        };
        sending + delay + end
    }
}
