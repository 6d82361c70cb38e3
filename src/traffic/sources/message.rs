//! A generated message.

use crate::ids::{MessageId, NodeId};

/// A generated message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    pub source: NodeId,
    pub destination: NodeId,
    /// Serial number among the messages of its source, from 0.
    pub serial: u64,
    /// Length in flits.
    pub length: u32,
    /// Cycle of generation, or tick if sources count [in ticks](super::Sources::in_ticks).
    pub born: u64,
    pub route_bits: u64,
    /// The message class.
    pub class: u8,
}

impl Message {
    /// A message without bits for its route.
    pub fn without_route(
        MessageId { source, serial }: MessageId,
        destination: NodeId,
        length: u32,
        born: u64,
        class: u8,
    ) -> Self {
        Self { source, destination, serial, length, born, route_bits: 0, class }
    }
}
