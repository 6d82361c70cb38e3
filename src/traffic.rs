//! The traffic of the terminals.
//!
//! Times are in [`arrivals`], destinations in [`destinations`] and message lengths in [`lengths`].

pub mod arrivals;
pub mod destinations;
pub mod lengths;
mod node_rates;
pub mod sources;

use crate::ids::NodeId;
use crate::topology::Network;
use crate::units::Rate;
pub use arrivals::Process;
use destinations::DestinationDraw;
pub use destinations::{Destinations, Locality, Offset, Permutation, Weights};
pub use lengths::Lengths;
pub use node_rates::NodeRates;

/// The traffic of a scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Traffic {
    /// The arrival process of every node.
    pub process: Process,
    /// Messages per cycle of a sending node, on average over these nodes. (All nodes send except
    /// fixed points of a permutation and nodes without weights;
    /// [`crate::system::System::load_at`] gives the load over all nodes.)
    pub rate: Rate,
    pub destinations: Destinations,
    /// The nodes that send, without duplicates; `None`: all.
    pub senders: Option<Vec<NodeId>>,
    pub lengths: Lengths,
}

impl Traffic {
    /// The draws of destinations.
    pub fn draw(&self, network: &Network) -> DestinationDraw {
        DestinationDraw::among(&self.destinations, self.senders.as_deref(), network)
    }

    /// The rates of the nodes.
    pub fn rates(&self, network: &Network) -> NodeRates {
        NodeRates::of(&self.destinations, self.senders.as_deref(), network)
    }
}
