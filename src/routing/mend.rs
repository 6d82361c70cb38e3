//! Repairs of routes that can deadlock: other routes on the same virtual channels, or the same routes on
//! more of them.
//!
//! Routes are free of deadlock if every hop leads to a higher place of one order of all channels. An order
//! that suits most of the given routes is chosen, with the tree of a root that connects all routers, and the
//! other routes are replaced. Replaced routes that fit nevertheless are then restored one by one.

mod acyclic;
mod given;
mod layers;
mod pairs;
mod places;
mod trees;

use std::collections::BTreeSet;

use super::relation::Relation;
use super::rows::Rows;
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;
use acyclic::Edge;
use given::Given;

/// The part of the routes that a repair changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// The routes, on the same virtual channels.
    Routes,
    /// The virtual channels of the routes.
    Layers,
}

/// Repaired routes.
#[derive(Clone, Debug)]
pub struct Mended {
    /// The routes as a table.
    pub rows: Rows,
    pub entries: Entries,
    /// The number of changed entries.
    pub changed: usize,
    /// The number of all entries.
    pub all: usize,
    /// Pairs of links that some given route uses one after the other, and none of the repaired ones.
    pub turns: Vec<(ChannelId, ChannelId)>,
    /// The virtual channels that the table names.
    pub virtual_channels: u32,
}

/// The entries of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entries {
    /// A next hop for each router and destination.
    Hops,
    /// A route for each pair of routers.
    Routes,
}

/// The reason why routes are not repaired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unmended {
    /// Some pair of routers has no route.
    Stranded { source: RouterId, destination: RouterId },
    /// The routes have too many hops.
    TooLarge,
    /// No order of the channels was found in which routes connect all pairs.
    NoOrder,
    /// More virtual channels would be needed than a channel has.
    NoLayer { layers: usize },
}

/// Repairs the routes of a relation. A rule with choices keeps the first choice of every head.
///
/// # Errors
/// The reason why the routes are not repaired.
pub fn mend(network: &Network, relation: &Relation, change: Change) -> Result<Mended, Unmended> {
    let given = Given::of(network, relation)?;
    match (given, change) {
        (Given::Trees(given), Change::Routes) => trees::mended(network, &given),
        (Given::Routes(given), Change::Routes) => pairs::mended(network, &given),
        (Given::Trees(given), Change::Layers) => layers::of_trees(network, &given),
        (Given::Routes(given), Change::Layers) => layers::of_routes(network, &given),
    }
}

/// The vertex of a class of virtual channels, of some number of classes.
fn vertex(link: ChannelId, class: u8, classes: u32) -> u32 {
    link.0 * classes + u32::from(class)
}

/// The turns of edges that others lack, of some number of classes.
fn turns_without(
    given: impl Iterator<Item = Edge>,
    kept: impl Iterator<Item = Edge>,
    classes: u32,
) -> Vec<(ChannelId, ChannelId)> {
    let turn = |(from, to): Edge| (ChannelId(from / classes), ChannelId(to / classes));
    let kept: BTreeSet<(ChannelId, ChannelId)> = kept.map(turn).collect();
    let given: BTreeSet<(ChannelId, ChannelId)> = given.map(turn).collect();
    given.difference(&kept).copied().collect()
}
