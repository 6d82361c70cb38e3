//! The set of routes of a rule, and the search for other routes after failures.

use super::fields::{Distance, Layers, Paths};
use super::roots::Roots;

/// The set of routes of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Search {
    /// The order of up*/down* routes, if restricted to such routes.
    pub up: Option<Roots>,
    /// The choice among several routes between two routers.
    pub paths: Paths,
    /// The length of a link.
    pub by: Distance,
}

/// The search of a rule for routes on any part of its network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Around {
    /// Shortest routes, perhaps in an order.
    Search(Search),
    /// Balanced routes through layers of virtual channels.
    Layers(Layers),
}
