//! The traffic of the terminals.
//!
//! Times are in [`arrivals`], destinations in [`destinations`] and message lengths in [`lengths`].

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
    /// The arrival process of every node.
    pub process: Process,
    /// Messages per sending node and cycle. (All nodes send except fixed points of a permutation;
    /// [`crate::system::System::load_at`] gives the load over all nodes.)
    pub rate: Rate,
    pub destinations: Destinations,
    pub lengths: Lengths,
}
