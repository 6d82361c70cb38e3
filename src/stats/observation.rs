//! A delivered message, as far as the statistics read it.

use std::num::NonZeroU64;

/// One delivered message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// Cycle of generation.
    pub born: u64,
    /// Cycle after the consumption of the tail. Observations are ordered by this cycle.
    pub done: u64,
    /// Cycles from the head's first move to `done`.
    pub network_latency: u64,
    /// Network latency without any other message, in cycles.
    pub transfer: u64,
    /// Number of channels counted as hops.
    pub hops: u32,
    /// Flits.
    pub length: u32,
    /// Channel cycles used by the message: flits times channels under wormhole switching.
    pub channel_time: u64,
    /// Number of aborts.
    pub aborts: u32,
    /// Cycles for which the head waited behind another message, for a VC, the crossbar and a credit,
    /// with pipelined routers.
    pub head_waits: Option<[u32; 4]>,
    /// The message class.
    pub message_class: u8,
    /// Cycles from the generation of the request to `done`, for the last reply.
    pub round_trip: Option<NonZeroU64>,
    /// Waits in virtual queues, in 1/256 cycles, if known: in ordinary and in slow ones, each at the
    /// source and along the route.
    pub virtual_waits: Option<[u32; 4]>,
}

impl Observation {
    /// Cycles from generation to the consumption of the tail.
    #[inline]
    pub fn latency(&self) -> u64 {
        self.done.saturating_sub(self.born)
    }
}
