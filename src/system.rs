//! What is simulated, checked: network, routing, switching and traffic that fit together.

use std::sync::Arc;

use crate::routing::{Relation, Routing};
use crate::switching::{Terminals, Wormhole};
use crate::topology::Network;
use crate::traffic::Traffic;

/// A network with the policies that run on it. A value of this type has been checked: an engine
/// built from it cannot fail, and a model need only ask whether its own assumptions hold.
#[derive(Clone, Debug)]
pub struct System {
    /// The network.
    pub network: Arc<Network>,
    /// The routing rule, prepared for the network and its VCs.
    pub relation: Relation,
    /// How flits move.
    pub switching: Wormhole,
    /// What is sent.
    pub traffic: Traffic,
}

impl System {
    /// Puts a system together from parts that fit (see [`Relation::new`]). The network is given
    /// injection and ejection channels where the machine wants them.
    pub fn new(
        network: Arc<Network>,
        routing: Routing,
        switching: Wormhole,
        traffic: Traffic,
    ) -> Self {
        let network = if switching.terminals == Terminals::Channels {
            Arc::new(Arc::unwrap_or_clone(network).with_terminal_channels())
        } else {
            network
        };
        let relation = Relation::new(routing, Arc::clone(&network), switching.virtual_channels);
        Self { network, relation, switching, traffic }
    }
}
