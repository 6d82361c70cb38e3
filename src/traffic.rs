//! What the terminals send: when ([`arrivals`]), where to ([`destinations`]) and how much
//! ([`lengths`]).

pub mod arrivals;
pub mod destinations;
pub mod lengths;
pub mod sources;

use crate::units::Rate;
pub use arrivals::Process;
pub use destinations::{Destinations, Locality, Permutation};
pub use lengths::Lengths;

/// The traffic of a scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Traffic {
    /// How messages are generated in time.
    pub process: Process,
    /// Messages per sending node and cycle. (All nodes send, but for those that a permutation
    /// leaves where they are; the load over all nodes is [`crate::system::System::load_at`].)
    pub rate: Rate,
    pub destinations: Destinations,
    pub lengths: Lengths,
}
