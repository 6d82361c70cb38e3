//! What leaves an engine: deliveries, running totals, and broken laws.

use get_size2::GetSize;

use super::tables::NONE;
use crate::ids::{ChannelId, MessageId, NodeId};
use crate::switching::Switching;
use crate::units::Cycle;

/// A message that has arrived, tail and all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delivery {
    pub source: NodeId,
    pub destination: NodeId,
    /// Which message of its source it was, from 0.
    pub serial: u64,
    /// Flits.
    pub length: u32,
    /// Channels crossed that count (links only under direct terminals).
    pub hops: u32,
    /// The cycle of its generation.
    pub born: Cycle,
    /// The cycle in which its head first moved; of a circuit, that in which its data started.
    pub entered: Cycle,
    /// The cycle after the one in which its tail was consumed.
    pub done: Cycle,
    /// Times it was aborted on its way.
    pub aborts: u32,
    /// Cycles for which its circuit held links, summed over links and attempts; 0 for a worm.
    pub held: u64,
    /// The longest that its head waited at a router, in cycles; 0 of a circuit.
    pub longest_wait: u32,
    /// The channel that it then took, or [`NONE`].
    pub(super) longest_wait_for: u32,
    /// Cycles that its links, with delays and rates of their own, take longer than as many channels of
    /// the machine for a message that meets no others.
    pub own_pace: i32,
}

impl Delivery {
    pub fn name(&self) -> MessageId {
        MessageId { source: self.source, serial: self.serial }
    }

    /// The channel that its head took after its longest wait; none, where it never waited, or for its
    /// ejection alone.
    pub fn waited_for(&self) -> Option<ChannelId> {
        (self.longest_wait_for != NONE).then_some(ChannelId(self.longest_wait_for))
    }

    /// Cycles from its head's first move to the consumption of its tail, if it had met no others.
    pub fn transfer(&self, switching: &Switching) -> u64 {
        let usual = switching.transfer(self.length, self.hops);
        usual.saturating_add_signed(i64::from(self.own_pace))
    }

    /// Cycles from generation to the consumption of the tail.
    pub fn latency(&self) -> u64 {
        self.done - self.born
    }

    /// Cycles from the head's first move (of a circuit: from the start of its data) to the consumption
    /// of the tail.
    pub fn network_latency(&self) -> u64 {
        self.done - self.entered
    }
}

/// Uses of a virtual channel since cycle 0.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, GetSize)]
pub struct VcUse {
    /// Flits that crossed.
    pub flits: u64,
    /// Cycles for which heads in the network had waited for the grant when they got it.
    pub waited: u64,
}

/// Running totals since cycle 0.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, GetSize)]
pub struct Counters {
    /// Messages generated, waiting ones included.
    pub generated: u64,
    /// Messages delivered.
    pub delivered: u64,
    /// Flits of delivered messages.
    pub flits_delivered: u64,
    /// Flits that left their source.
    pub flits_injected: u64,
    /// Flits that were consumed at their destination.
    pub flits_consumed: u64,
    /// Flits moved over router-to-router channels.
    pub flit_hops: u64,
    /// Σ over cycles of the messages generated and not delivered at the cycle's end.
    pub message_cycles: u64,
    /// Σ over delivered messages of their latency.
    pub latency_sum: u64,
    /// Messages discarded at their source because as many as may wait were waiting.
    pub discarded: u64,
    /// Worms taken out of the network to break a deadlock; attempts to set up a circuit given up.
    pub aborts: u64,
    /// Flits that left the network with them.
    pub flits_aborted: u64,
    /// Rings of circuits found waiting for each other; 0 in an engine of worms.
    pub deadlocks: u64,
    /// Events simulated; 0 in an engine that counts cycles.
    pub events: u64,
}

impl GetSize for Delivery {}

/// A law that an engine must keep and did not: a mistake of the program, never of the scenario.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cycle {cycle}: {law}")]
pub struct Violation {
    pub cycle: Cycle,
    /// Which law, with the numbers.
    pub law: String,
}
