//! The content of a message as drawn or given by its source.

use crate::ids::NodeId;

/// Destination, length in flits and class of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Content {
    pub destination: NodeId,
    pub length: u32,
    pub class: u8,
}
