//! Changes made to a running network from outside.

use crate::ids::ChannelId;
use crate::units::Rate;

/// An intervention in a run. A policy decides on changes; an engine only applies them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Change {
    /// Sets the generation rate, in messages per node and cycle (circuits: unit of time).
    Rate(Rate),
    /// Closes a channel between routers: its VCs are not granted any more, and no circuit takes the
    /// channel. Worms and circuits on the channel remain until their tails have passed.
    LinkDown(ChannelId),
    /// Opens a closed channel: heads waiting for the channel are served again.
    LinkUp(ChannelId),
}

impl Change {
    /// The rate, where one is set.
    pub fn rate(self) -> Option<Rate> {
        match self {
            Self::Rate(rate) => Some(rate),
            Self::LinkDown(_) | Self::LinkUp(_) => None,
        }
    }
}
