//! Derived figures of a wormhole machine: the transfer time without other messages, and upper
//! bounds on throughput.

use super::{Bandwidth, Forwarding, Injection, LatencyTo, Release, Terminals, Wormhole};

impl Wormhole {
    /// The number of hops over channels of terminals
    /// ([`terminal_hops`](super::Switching::terminal_hops)).
    pub fn terminal_hops(&self) -> u32 {
        match self.terminals {
            Terminals::Direct => 0,
            Terminals::Channels => 2,
        }
    }

    /// Cycles for sending a flit over a VC.
    fn cycles_per_flit(&self) -> u32 {
        match self.bandwidth {
            Bandwidth::OnDemand => 1,
            Bandwidth::Fixed => self.virtual_channels,
        }
    }

    /// Cycles from the sending of a flit into a VC until its slot in the buffer is free again, if
    /// the flit leaves at once.
    pub fn round_trip(&self) -> u32 {
        self.cycles_per_flit() - 1 + self.channel_delay + self.credit_delay
    }

    /// Maximum flits per cycle of a VC, for messages passing through, if its buffer is the limit.
    /// `None` if flits and credits return fast enough to use the full bandwidth.
    pub fn buffer_bound(&self) -> Option<f64> {
        let bound = f64::from(self.buffer_flits) / f64::from(self.round_trip());
        (bound * f64::from(self.cycles_per_flit()) < 1.0).then_some(bound)
    }

    /// Maximum flits per cycle of a channel, for messages of `length` flits on average passing
    /// through, if each VC is granted again only after the tail has left its buffer. `None` if the
    /// channel is not limited by its VCs.
    pub fn turnaround_bound(&self, length: f64) -> Option<f64> {
        let until_free = match self.release {
            Release::Drained => f64::from(self.channel_delay),
            Release::Sent => return None,
        };
        let held = length * f64::from(self.cycles_per_flit()) + until_free;
        let bound = f64::from(self.virtual_channels) * length / held;
        (bound < 1.0).then_some(bound)
    }

    /// Maximum flits per cycle of a source, for messages of `length` flits on average, if the one
    /// VC of its injection channel ([`Injection::OneMessage`]) is the limit: a message occupies the
    /// VC until its tail has left the buffer at the far end. `None` without such a limit, and with
    /// direct terminals, as the next message may leave at once over another VC.
    pub fn injection_bound(&self, length: f64) -> Option<f64> {
        if self.injection != Injection::OneMessage || self.terminals == Terminals::Direct {
            return None;
        }
        let delay = f64::from(self.channel_delay);
        let until_free = match self.release {
            Release::Drained => delay,
            Release::Sent => 0.0,
        };
        // A single VC has the full bandwidth under either policy.
        let buffer = f64::from(self.buffer_flits) / (delay + f64::from(self.credit_delay));
        let bound = buffer.min(length / (length + until_free));
        (bound < 1.0).then_some(bound)
    }

    /// Cycles from the head's first move to the consumption of the tail, without other messages,
    /// for a message of `length` flits over `hops` channels counted as hops.
    #[inline]
    pub fn transfer(&self, length: u32, hops: u32) -> u64 {
        let behind = u64::from(length) - 1;
        let [single, shared] = self.hops_by_vcs(hops);
        let of_shared = u64::from(self.cycles_per_flit());
        let delay = (single + shared) * u64::from(self.channel_delay) + shared * (of_shared - 1);
        let end = u64::from(self.latency_to == LatencyTo::EndOfCycle);
        if self.forwarding == Forwarding::StoreAndForward {
            return behind * (single + shared * of_shared) + delay + end;
        }
        self.sending(length, hops) + delay + end
    }

    /// The part of [`Self::transfer`] in which the flits behind the head are sent, if routers do not store
    /// messages.
    #[inline]
    pub fn sending(&self, length: u32, hops: u32) -> u64 {
        let (behind, slots) = (u64::from(length) - 1, u64::from(self.buffer_flits));
        let [_, shared] = self.hops_by_vcs(hops);
        let per_flit = if shared > 0 { u64::from(self.cycles_per_flit()) } else { 1 };
        // A slot takes no flit until its credit has returned: with too few slots, flits move in
        // groups of that size, unless the route is a single channel, with flits consumed at its
        // end.
        let round_trip = per_flit - 1 + u64::from(self.channel_delay + self.credit_delay);
        if hops > 1 && round_trip > slots * per_flit {
            behind / slots * round_trip + behind % slots * per_flit
        } else {
            behind * per_flit
        }
    }

    /// Of `hops` hops, those over channels with a single VC, which has the full bandwidth, and the others.
    #[inline]
    fn hops_by_vcs(&self, hops: u32) -> [u64; 2] {
        let single = match (self.terminals, self.injection) {
            (Terminals::Direct, _) => 0,
            (Terminals::Channels, Injection::OneMessage) => hops.min(2),
            (Terminals::Channels, Injection::OneFlitPerCycle | Injection::Independent { .. }) => {
                hops.min(1)
            }
        };
        [single, hops - single].map(u64::from)
    }
}
