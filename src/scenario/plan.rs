//! A validated network, with the position of its size in the text.

use std::ops::Deref;
use std::sync::Arc;

use super::node::Node;
use crate::topology::Network;

/// A validated network, with the position of its size in the text.
pub(super) struct Plan<'a> {
    pub network: Arc<Network>,
    pub size: Node<'a>,
}

impl Deref for Plan<'_> {
    type Target = Network;

    fn deref(&self) -> &Network {
        &self.network
    }
}
