//! Single messages of an engine: where one stands, what it holds and for whom it waits.
//!
//! Answers to questions, found in the tables on demand; an engine keeps nothing for them.

use super::view::{CircuitState, HeadState};
use crate::ids::{MessageId, NodeId, RouterId, WormId};
use crate::units::Cycle;

/// Where a message is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whereabouts {
    /// It has not been generated.
    Unborn,
    /// It waits behind such a long queue at its source that the engine does not know more of it yet.
    Behind,
    /// It waits at its source or is under way.
    Present(MessageView),
    /// It was delivered, or discarded at its source.
    Gone,
}

/// What a message is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    Worm(HeadState),
    /// Under circuit switching, and since when.
    Circuit(CircuitState, Cycle),
}

impl Doing {
    /// Since when the message has been standing in the network, if it does.
    pub fn blocked_since(self) -> Option<Cycle> {
        match self {
            Self::Worm(HeadState::Blocked(since)) | Self::Circuit(CircuitState::Waiting, since) => {
                Some(since)
            }
            Self::Worm(HeadState::AtSource | HeadState::Moving | HeadState::Arriving)
            | Self::Circuit(
                CircuitState::SettingUp
                | CircuitState::Transmitting
                | CircuitState::Releasing
                | CircuitState::Aborting
                | CircuitState::BackingOff,
                _,
            ) => None,
        }
    }
}

/// A message that was generated and not delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageView {
    pub name: MessageId,
    /// Its name in pictures, while it lives.
    pub worm: WormId,
    pub destination: NodeId,
    /// The cycle of its generation.
    pub born: Cycle,
    /// Flits.
    pub length: u32,
    /// Flits that have not left its source.
    pub at_source: u32,
    pub doing: Doing,
    /// The router at which its head stands; of a circuit, whose controller it asks.
    pub at: RouterId,
    /// The virtual channels granted to it so far; the links of its circuit. An abort begins anew.
    pub hops: u32,
    /// Attempts to set its circuit up given up; 0 for a worm.
    pub aborts: u32,
    /// The cycle in which its head asked for its way on where it stands, or asked last; 0 before,
    /// and of circuits.
    pub asked: Cycle,
    /// True if its head is on its way over the newest of them.
    pub crossing: bool,
    /// True if it waits at its source behind others of the same source, and asks for nothing yet.
    pub queued: bool,
}
