//! Output of engines: deliveries, running totals and violations.

use get_size2::GetSize;

use super::tables::NONE;
use crate::ids::{ChannelId, MessageId, NodeId};
use crate::switching::Switching;
use crate::traffic::sources::Message;
use crate::units::Cycle;

/// A message that has arrived completely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delivery {
    pub source: NodeId,
    pub destination: NodeId,
    /// The number of the message at its source, from 0.
    pub serial: u64,
    /// The length in flits.
    pub length: u32,
    /// The number of channels crossed and counted (only links under direct terminals).
    pub hops: u32,
    /// The cycle of generation.
    pub born: Cycle,
    /// The generation of the request that led to the message, or of the message itself.
    pub began: Cycle,
    /// The message class.
    pub message_class: u8,
    /// The cycle of the first move of the head, or of the start of transmission over a circuit.
    pub entered: Cycle,
    /// The cycle after the consumption of the tail.
    pub done: Cycle,
    /// The number of aborts.
    pub aborts: u32,
    /// Cycles with links held by the circuit, summed over links and attempts; 0 for a worm.
    pub held: u64,
    /// The longest wait of the head at a router, in cycles; 0 for a circuit.
    pub longest_wait: u32,
    /// The channel granted after the longest wait, or [`NONE`].
    pub(super) longest_wait_for: u32,
    /// The waits of the head in routers; `None` without a pipeline.
    pub head_waits: Option<HeadWaits>,
    /// Extra cycles due to links with their own delay or rate, relative to the same number of
    /// default channels, for a message without conflicts.
    pub own_pace: i32,
}

/// A message lost because of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loss {
    /// The message; its birth is a cycle.
    pub message: Message,
    /// The cycle of the loss.
    pub done: Cycle,
}

impl GetSize for Loss {}

/// Cycles for which a head waited in pipelined routers, in addition to the cycles of their stages.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct HeadWaits {
    /// Waits behind another message in the buffer.
    pub behind: u32,
    /// Waits for an output VC.
    pub vc: u32,
    /// Waits for the crossbar, with a VC and a credit.
    pub crossbar: u32,
    /// Waits for a credit of the VC.
    pub credit: u32,
}

impl Delivery {
    pub fn name(&self) -> MessageId {
        MessageId { source: self.source, serial: self.serial }
    }

    /// The channel granted to the head after its longest wait; `None` if the head never waited, or
    /// waited longest for ejection.
    pub fn waited_for(&self) -> Option<ChannelId> {
        (self.longest_wait_for != NONE).then_some(ChannelId(self.longest_wait_for))
    }

    /// The cycles from the first move of the head to the consumption of the tail, for a message
    /// without conflicts.
    pub fn transfer(&self, switching: &Switching) -> u64 {
        let usual = switching.transfer(self.length, self.hops);
        usual.saturating_add_signed(i64::from(self.own_pace))
    }

    /// The cycles from generation to the consumption of the tail.
    pub fn latency(&self) -> u64 {
        self.done - self.born
    }

    /// The cycles from the generation of the request that led to the message to the consumption of
    /// the tail.
    pub fn round_trip(&self) -> u64 {
        self.done - self.began
    }

    /// The cycles from the first move of the head (for a circuit, from the start of transmission)
    /// to the consumption of the tail.
    pub fn network_latency(&self) -> u64 {
        self.done - self.entered
    }
}

/// The uses of a virtual channel since cycle 0.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, GetSize)]
pub struct VcUse {
    /// The number of flits that crossed.
    pub flits: u64,
    /// The total cycles waited by heads in the network before the grant.
    pub waited: u64,
}

/// Running totals since cycle 0.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, GetSize)]
pub struct Counters {
    /// Messages generated, including waiting messages.
    pub generated: u64,
    /// Messages delivered.
    pub delivered: u64,
    /// Flits of delivered messages.
    pub flits_delivered: u64,
    /// Flits that left their source.
    pub flits_injected: u64,
    /// Flits consumed at their destination.
    pub flits_consumed: u64,
    /// Flits moved over router-to-router channels.
    pub flit_hops: u64,
    /// Σ over cycles of the messages generated but not delivered at the end of the cycle.
    pub message_cycles: u64,
    /// Σ over delivered messages of the latency.
    pub latency_sum: u64,
    /// Messages discarded at their source because of a full queue.
    pub discarded: u64,
    /// Worms removed from the network to break deadlocks; failed attempts to set up a circuit.
    pub aborts: u64,
    /// Flits removed from the network by aborts.
    pub flits_aborted: u64,
    /// Messages lost because of failures.
    pub lost: u64,
    /// Flits of lost messages removed from the network.
    pub flits_lost: u64,
    /// Σ over lost messages of the cycles from generation to loss.
    pub lost_cycles: u64,
    /// Cycles of circuits that wait for each other; 0 for wormhole switching.
    pub deadlocks: u64,
    /// Events simulated; 0 for the cycle-driven engine.
    pub events: u64,
}

impl Counters {
    /// Messages generated and neither delivered, lost nor discarded.
    pub fn present(&self) -> u64 {
        self.generated.saturating_sub(self.delivered + self.lost + self.discarded)
    }
}

impl GetSize for Delivery {}

/// A violated invariant of an engine: a bug in the program, never an error in the scenario.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cycle {cycle}: {law}")]
pub struct Violation {
    pub cycle: Cycle,
    /// The invariant, with numbers.
    pub law: String,
}
