//! Changes made to a running network from outside.

use crate::ids::ChannelId;
use crate::units::Rate;

/// A change of a run from outside. A policy decides when to make one; an engine only applies it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Change {
    /// Sets the generation rate, in messages per node and cycle (circuits: unit of time).
    Rate(Rate),
    /// Closes a channel between routers: none of its VCs is granted, and no circuit takes it. Worms and
    /// circuits that hold it keep it until their tails have passed.
    LinkDown(ChannelId),
    /// Opens a closed channel: heads that wait for it are served again.
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
