//! Routing as a pure relation: router, arrival and header in, candidate virtual channels out.
//!
//! Nothing here draws a random number, sees congestion or remembers: a message's random bits travel
//! in its header ([`Header::route_bits`]); the hops that it has taken and the wrap-around channels that
//! it has crossed follow from its source, its destination and where it is, because rules on cubes are
//! minimal and source routes ([`source_routes`]) visit no router twice; and which free candidate is
//! taken is decided by the engine (`engine/wormhole/grant.rs`). That is why [`dependency`] can prove a rule free of deadlock by
//! enumeration.
//!
//! An algorithm has a file of its own in [`algorithms`], which says everything about it
//! ([`Algorithm`]), and a line in the list there.

mod algorithm;
pub mod algorithms;
pub mod dependency;
mod distances;
mod fields;
mod head;
mod legs;
mod prepared;
mod relation;
mod rule;
pub mod source_routes;
mod steps;

pub use algorithm::{Algorithm, Needs, Ties};
pub use algorithms::Routing;
pub use algorithms::minimal::Rising;
pub use algorithms::minimal_adaptive::Escape;
pub use algorithms::north_last::NorthLastClasses;
pub use fields::{Classes, HalfWay, Paths};
pub use head::{Arrival, CLASSES_MAX, Candidate, ClassVcs, Header, Stop, Straight, VcUse, bits};
pub use prepared::Prepared;
pub use relation::Relation;

#[cfg(test)]
mod tests;
