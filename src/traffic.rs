//! What the terminals send: when ([`arrivals`]), where to ([`destinations`]) and how much
//! ([`lengths`]).

pub mod arrivals;
pub mod destinations;
pub mod lengths;
pub mod sources;

use crate::units::{Load, Rate};
pub use arrivals::Process;
pub use destinations::Destinations;
pub use lengths::Lengths;

/// The traffic of a scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Traffic {
    /// How messages are generated in time.
    pub process: Process,
    /// Messages per node and cycle.
    pub rate: Rate,
    /// Where messages go.
    pub destinations: Destinations,
    /// How long messages are.
    pub lengths: Lengths,
}

impl Traffic {
    /// The offered load in flits per node and cycle.
    pub fn load(&self) -> Load {
        self.rate.to_load(self.lengths.mean())
    }

    /// The highest rate that can be asked for: one flit per node and cycle.
    pub fn rate_max(&self) -> Rate {
        Load(1.0).to_rate(self.lengths.mean())
    }
}
