//! A message of a script, and the events that others await.

use get_size2::GetSize;

use crate::ids::NodeId;

/// An event of a message that others may await; in order of time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, GetSize)]
pub enum Event {
    /// The first flit has left the source.
    Started,
    /// The last flit has left the source.
    Sent,
    /// The last flit has arrived at the destination.
    Delivered,
}

/// A condition for the generation of a message, kept with the message awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Follower {
    /// The message that awaits, in the order of the script.
    pub message: u64,
    pub event: Event,
    /// Cycles from the event to the generation.
    pub delay: u32,
}

/// A message of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScriptMessage {
    /// The earliest cycle of generation.
    pub born: u64,
    pub source: NodeId,
    pub destination: NodeId,
    /// Length in flits.
    pub length: u32,
    /// The message class.
    pub class: u8,
    /// The number of conditions.
    pub awaits: u32,
    /// The number of conditions of others about this message.
    pub followers: u32,
    /// Index of the first of those in the list of the page.
    pub(super) first_follower: u32,
}

impl ScriptMessage {
    /// A message that awaits no other, and that no other awaits.
    pub fn alone(born: u64, ends: [NodeId; 2], length: u32, class: u8) -> Self {
        let [source, destination] = ends;
        let (awaits, followers, first_follower) = (0, 0, 0);
        Self { born, source, destination, length, class, awaits, followers, first_follower }
    }
}
