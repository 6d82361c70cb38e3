//! Derived figures of a wormhole machine: the transfer time without other messages, and upper
//! bounds on throughput.

use super::{Bandwidth, Forwarding, Injection, LatencyTo, Release, Stages, Terminals, Wormhole};

impl Wormhole {
    /// The number of hops over channels of terminals rather than links between routers.
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
        if let Some(stages) = self.pipeline.stages() {
            return stages.round_trip(self.channel_delay, self.credit_delay);
        }
        self.cycles_per_flit() - 1 + self.channel_delay + self.credit_delay
    }

    /// Maximum flits per cycle of a VC, for messages passing through, if its buffer is the limit.
    /// `None` if flits and credits return fast enough to use the full bandwidth.
    pub fn buffer_bound(&self) -> Option<f64> {
        let bound = f64::from(self.buffer_flits) / f64::from(self.round_trip());
        (bound * f64::from(self.cycles_per_flit()) < 1.0).then_some(bound)
    }

    /// Maximum flits per cycle of a channel, for messages of `length` flits on average passing
    /// through, if each VC is granted again only after the tail has left its buffer, or is idle while
    /// the next head in its buffer is routed. `None` if the channel is not limited by its VCs.
    pub fn turnaround_bound(&self, length: f64) -> Option<f64> {
        let until_free = match (self.pipeline.stages(), self.release) {
            (Some(stages), _) => {
                let to_arrival = stages.of_flit() + self.channel_delay;
                self.idle_between(stages, [to_arrival, self.round_trip()].map(f64::from))
            }
            (None, Release::Drained) => f64::from(self.channel_delay),
            (None, Release::Sent | Release::Credit) => return None,
        };
        // A router moves a flit of a VC in every internal cycle.
        let speedup = self.pipeline.stages().map_or(1, |stages| stages.internal_speedup);
        let sent = length * f64::from(self.cycles_per_flit()) / f64::from(speedup);
        let held = sent + until_free;
        let bound = f64::from(self.virtual_channels) * length / held;
        (bound < 1.0).then_some(bound)
    }

    /// Maximum flits per cycle of a source, for messages of `length` flits on average, if the one
    /// VC of its injection channel ([`Injection::OneMessage`]) is the limit: a message occupies the
    /// VC until its tail has left the buffer at the far end. `None` without such a limit, and with
    /// direct terminals, as the next message may leave at once over another VC.
    pub fn injection_bound(&self, length: f64) -> Option<f64> {
        if !self.injection.is_of_one_message() || self.terminals == Terminals::Direct {
            return None;
        }
        if let Some(stages) = self.pipeline.stages() {
            let round_trip = stages.injection + 1 + stages.credit + self.credit_delay;
            let bound =
                f64::from(self.virtual_channels * self.buffer_flits) / f64::from(round_trip);
            return (bound < 1.0).then_some(bound);
        }
        let delay = f64::from(self.channel_delay);
        let until_free = match self.release {
            Release::Drained => delay,
            Release::Sent | Release::Credit => 0.0,
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
        if let Some(stages) = self.pipeline.stages() {
            return self.through_stages(stages, length, hops);
        }
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
        if let Some(stages) = self.pipeline.stages() {
            return self.sending_through(stages, length, hops);
        }
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

    /// [`Self::transfer`] over links with their own delays and rates, each with its delay, if it has one,
    /// and its cycles per flit, from the first to the last; `None` for pipelines, and where VCs have parts
    /// of the bandwidth.
    pub fn transfer_by_links(&self, length: u32, links: &[(Option<u32>, u32)]) -> Option<u64> {
        if self.pipeline.stages().is_some() || self.bandwidth == Bandwidth::Fixed {
            return None;
        }
        let terminals = self.terminal_hops() as usize / 2;
        let terminals = || std::iter::repeat_n((None, 1), terminals);
        let channels = terminals().chain(links.iter().copied()).chain(terminals());
        let behind = u64::from(length) - 1;
        let (mut delay, mut stored, mut each, mut round_trip) = (0, 0, 1, 0);
        let mut channels = channels.peekable();
        while let Some((own, cycles)) = channels.next() {
            let cycles = u64::from(cycles);
            let arrival = cycles - 1 + u64::from(own.unwrap_or(self.channel_delay));
            delay += arrival;
            stored += behind * cycles;
            each = cycles.max(each);
            // Flits are consumed at the end of the last channel.
            if channels.peek().is_some() {
                let credit = own.unwrap_or(0) + self.credit_delay;
                round_trip = round_trip.max(arrival + u64::from(credit));
            }
        }
        let end = u64::from(self.latency_to == LatencyTo::EndOfCycle);
        if self.forwarding == Forwarding::StoreAndForward {
            return Some(stored + delay + end);
        }
        let slots = u64::from(self.buffer_flits);
        let sending = if round_trip > slots * each {
            behind / slots * round_trip + behind % slots * each
        } else {
            behind * each
        };
        Some(sending + delay + end)
    }

    /// [`Self::transfer`] with a pipeline: the head passes the stages of all routers, and the flits
    /// behind follow.
    fn through_stages(&self, stages: Stages, length: u32, hops: u32) -> u64 {
        let [routers, links] = [hops.saturating_sub(1), hops.saturating_sub(2)].map(u64::from);
        let channels = u64::from(stages.injection) + links * u64::from(self.channel_delay) + 1;
        channels
            + routers * u64::from(stages.of_head())
            + self.sending_through(stages, length, hops)
    }

    /// [`Self::sending`] with a pipeline. The slowest channel determines the cycles per group of
    /// flits: a link, if there is one and if a crossing takes time.
    fn sending_through(&self, stages: Stages, length: u32, hops: u32) -> u64 {
        let (behind, slots) = (u64::from(length) - 1, u64::from(self.buffer_flits));
        let round_trip = u64::from(if hops > 2 {
            stages.round_trip(self.channel_delay, self.credit_delay)
        } else {
            let injection = stages.injection + 1 + stages.credit + self.credit_delay;
            stages.round_trip(1, self.credit_delay).max(injection)
        });
        if behind == 0 {
            return 0;
        }
        let late = u64::from(stages.behind_guess());
        let (groups, flits) = ((behind - 1) / slots, (behind - 1) % slots + 1);
        let last = if flits == slots { round_trip.max(flits + late) } else { flits + late };
        groups * round_trip.max(slots) + last
    }

    /// Cycles between consecutive messages of a VC in which the VC sends no flit, at least, with a
    /// pipeline: a flit arrives after `to_arrival` cycles, and its slot is reused after `round_trip`.
    pub(crate) fn idle_between(&self, stages: Stages, [to_arrival, round_trip]: [f64; 2]) -> f64 {
        let routed = f64::from(stages.before_crossing()) / f64::from(stages.internal_speedup);
        match self.release {
            Release::Sent => routed,
            // The tail leaves the next buffer after the head there has passed its stages.
            Release::Drained => routed + to_arrival,
            Release::Credit => routed + round_trip - 1.0,
        }
    }

    /// The hops over channels with a single VC, which has the full bandwidth, and the others, of `hops`.
    #[inline]
    fn hops_by_vcs(&self, hops: u32) -> [u64; 2] {
        let single = match (self.terminals, self.injection) {
            (Terminals::Direct, _) => 0,
            (Terminals::Channels, Injection::OneMessage | Injection::RepliesFirst) => hops.min(2),
            (Terminals::Channels, Injection::OneFlitPerCycle | Injection::Independent { .. }) => {
                hops.min(1)
            }
        };
        [single, hops - single].map(u64::from)
    }
}
