//! Single messages of an engine: position, held channels and waits.
//!
//! Views are computed from the tables on demand; engines store nothing for them.

use super::view::{CircuitState, HeadStage, HeadState};
use crate::ids::{MessageId, NodeId, RouterId, WormId};
use crate::units::Cycle;

/// The state of a message, from its generation to its delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageState {
    /// Not yet generated.
    Unborn,
    /// Waiting at its source, beyond the part of the queue stored by the engine.
    Behind,
    /// Waiting at its source or under way.
    Present(MessageView),
    /// Delivered, or discarded at its source.
    Gone,
}

/// The activity of a generated message: the state of its head, or of its circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    Worm(HeadState),
    /// The state of the circuit, and the cycle of its start.
    Circuit(CircuitState, Cycle),
}

impl Activity {
    /// The start of the current wait in the network, if blocked.
    pub fn blocked_since(self) -> Option<Cycle> {
        match self {
            Self::Worm(HeadState::Blocked(since))
            | Self::Circuit(CircuitState::Waiting | CircuitState::Stopped, since) => Some(since),
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

/// A message generated but not yet delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageView {
    pub name: MessageId,
    /// The message class.
    pub message_class: u8,
    /// The identifier in snapshots, valid until delivery.
    pub worm: WormId,
    pub destination: NodeId,
    /// The cycle of generation.
    pub born: Cycle,
    /// The length in flits.
    pub length: u32,
    /// The number of flits still at the source.
    pub at_source: u32,
    pub activity: Activity,
    /// The stage of the head, as in a [snapshot](super::view::WormView::stage).
    pub stage: Option<HeadStage>,
    /// The router of the head; for a circuit, the router of the current request.
    pub at: RouterId,
    /// The number of virtual channels granted or links allocated so far; an abort resets the
    /// number.
    pub hops: u32,
    /// The number of failed attempts to set up a circuit; 0 for a worm.
    pub aborts: u32,
    /// The cycle of the current or last request of the head; 0 before the first request, and for
    /// circuits.
    pub asked: Cycle,
    /// True if the head is crossing the channel last granted.
    pub crossing: bool,
    /// True if the message waits behind others of its source, without a request.
    pub queued: bool,
}
