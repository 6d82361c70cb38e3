//! Changes made to a running network from outside: rate, closing and opening of links.

use crate::ids::ChannelId;
use crate::units::Rate;

/// An intervention in a run. A policy decides on changes; an engine only applies them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Change {
    /// Sets the generation rate, in messages per node and cycle (circuits: unit of time).
    Rate(Rate),
    /// Closes a channel between routers to further worms and circuits. Messages with flits still to
    /// cross the channel are lost or stopped, as the scenario states; circuits that are not
    /// complete are set up anew.
    LinkDown(ChannelId),
    /// Opens a closed channel: heads waiting for the channel are served again.
    LinkUp(ChannelId),
}

impl Change {
    /// The new generation rate, if the change sets one.
    pub fn rate(self) -> Option<Rate> {
        match self {
            Self::Rate(rate) => Some(rate),
            Self::LinkDown(_) | Self::LinkUp(_) => None,
        }
    }
}
