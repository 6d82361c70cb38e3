//! The traffic of the terminals.
//!
//! Times are in [`arrivals`], destinations in [`destinations`] and message lengths in [`lengths`].

pub mod arrivals;
pub mod collectives;
pub mod destinations;
pub mod lengths;
mod node_rates;
pub mod script;
pub mod sources;

use crate::ids::NodeId;
use crate::text::count;
use crate::topology::Network;
use crate::units::Rate;
use crate::words;
pub use arrivals::Process;
use destinations::DestinationDraw;
pub use destinations::{Destinations, Locality, Offset, Permutation, Weights};
pub use lengths::Lengths;
pub use node_rates::NodeRates;
use script::Script;

/// The traffic of a scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Traffic {
    /// The messages, if they are given; the other fields then are their means.
    pub script: Option<Script>,
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
    /// The messages of a script, with their means.
    pub fn scripted(script: Script) -> Self {
        let lengths = match script.lengths() {
            [shortest, longest] if shortest == longest => Lengths::Fixed(longest),
            _ => Lengths::Geometric { mean: script.length_mean() },
        };
        let destinations = Destinations::Weighted(script.flows().clone());
        let messages = script.len() as f64 / script.span() as f64;
        let rate = Rate(messages / script.flows().sources() as f64);
        let process = Process::Poisson;
        Self { script: Some(script), process, rate, destinations, senders: None, lengths }
    }

    /// The arrivals in a scenario's text; a script by its number of messages and a checksum.
    pub fn arrivals(&self) -> String {
        match &self.script {
            None => words::written(&self.process),
            Some(script) => {
                let messages = count(script.len() as usize, "message", "messages");
                format!("Replay(\"{messages}, checksum {:08x}\")", script.checksum())
            }
        }
    }

    /// The draws of destinations.
    pub fn draw(&self, network: &Network) -> DestinationDraw {
        DestinationDraw::among(&self.destinations, self.senders.as_deref(), network)
    }

    /// The rates of the nodes.
    pub fn rates(&self, network: &Network) -> NodeRates {
        NodeRates::of(&self.destinations, self.senders.as_deref(), network)
    }
}
