//! Routing as a pure relation: router, arrival and header in, candidate virtual channels out.
//!
//! A rule draws no random numbers, does not observe congestion and has no state. The random bits of
//! a message are part of its header ([`Header::route_bits`]). The hops already taken and the
//! wrap-around channels already crossed follow from source, destination and position, because rules
//! on cubes are minimal and source routes ([`source_routes`]) visit no router twice. The engine
//! chooses among the free candidates (`engine/wormhole/grant.rs`). [`dependency`] can therefore
//! prove a rule free of deadlock by enumeration.
//!
//! Each algorithm has its own file in [`algorithms`], an implementation of [`Algorithm`], and a
//! line in the list there.

mod algorithm;
pub mod algorithms;
mod ancestors;
mod apart;
pub mod around;
mod balance;
pub mod dependency;
mod detour;
mod distances;
mod fields;
mod head;
mod layer_order;
mod layers;
mod legs;
mod lookup;
pub mod mend;
mod order;
mod pair_routes;
mod placement;
mod prepared;
mod reach;
mod relation;
mod remaining;
mod root_choice;
pub mod roots;
pub mod route_search;
pub mod rows;
mod rule;
pub mod source_routes;
mod steps;

pub use algorithm::Algorithm;
pub use algorithms::Routing;
pub use algorithms::dimension_reversal::ReversalClasses;
pub use algorithms::minimal::Rising;
pub use algorithms::minimal_adaptive::Escape;
pub use algorithms::nearest_common_ancestor::UpLinks;
pub use algorithms::north_last::NorthLastClasses;
pub use algorithms::planar_adaptive::PlanarClasses;
pub use algorithms::positive_hop::HopClasses;
pub use algorithms::turn_model::Turns;
pub use fields::{
    Classes, Detours, Distance, HalfWay, Layers, LeaveEscape, Paths, Reversals, Threshold,
};
pub use head::{Arrival, CLASSES_MAX, Candidate, ClassVcs, Header, Stop, Straight, VcUse, bits};
pub use order::Order;
pub use placement::Placement;
pub use prepared::Prepared;
pub use relation::Relation;
pub use roots::Roots;
pub use rule::{Needs, Ties};

#[cfg(test)]
mod tests;
