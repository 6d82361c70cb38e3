//! Demand: the share of every source's messages that goes to each destination.

use crate::ids::{NodeId, RouterId};
use crate::system::System;
use crate::topology::Network;
use crate::traffic::destinations::DestinationDraw;
use crate::traffic::{Destinations, Locality};

/// The demand of a system, per message of each sending node.
#[derive(Clone, PartialEq, Debug)]
pub struct Demand {
    /// The share of every node's messages distributed evenly over all other nodes.
    pub even: f64,
    /// The other messages, by source and destination; empty if they depend only on the distance.
    pub uneven: Vec<(NodeId, Vec<(NodeId, f64)>)>,
    /// The probability of every destination of node 0, if probabilities depend on the distance, all
    /// nodes are equivalent, and routes depend on the remaining distance.
    pub by_distance: Option<Vec<f64>>,
}

impl Demand {
    /// The demand of a system.
    pub fn of(system: &System) -> Self {
        let draw = DestinationDraw::new(&system.traffic.destinations, &system.network);
        let nodes = (0..system.network.nodes()).map(NodeId::new);
        let by_distance = (depends_on_distance(&system.traffic.destinations)
            && all_nodes_alike(&system.network)
            && system.relation.goes_by_offset())
        .then(|| draw.probabilities(NodeId(0)));
        let uneven = match by_distance {
            Some(_) => Vec::new(),
            None => nodes
                .map(|source| (source, draw.uneven(source)))
                .filter(|(_, shares)| !shares.is_empty())
                .collect(),
        };
        Self { even: draw.even(), uneven, by_distance }
    }

    /// Messages of all sources, per message of each sending node.
    pub fn sent(&self, system: &System) -> f64 {
        system.network.nodes() as f64 * system.sending_share()
    }

    /// The share of evenly distributed messages from one node to each other node.
    pub fn even_each(&self, nodes: usize) -> f64 {
        self.even / (nodes as f64 - 1.0)
    }

    /// Removes the demand common to all nodes.
    pub(super) fn without_symmetric(&mut self) {
        (self.even, self.by_distance) = (0.0, None);
    }

    /// The uneven demand by router: destination, source, share. Messages between hosts of one
    /// router are omitted.
    pub(super) fn between_routers(&self, system: &System) -> Vec<(RouterId, RouterId, f64)> {
        let network = &system.network;
        let mut found = Vec::new();
        for (source, shares) in &self.uneven {
            let from = network.router_of(*source);
            let to = shares.iter().map(|&(node, share)| (network.router_of(node), from, share));
            found.extend(to.filter(|(to, from, _)| to != from));
        }
        found.sort_by_key(|&(to, from, _)| (to, from));
        found
    }
}

fn depends_on_distance(destinations: &Destinations) -> bool {
    match destinations {
        Destinations::Local(Locality::Sphere { .. } | Locality::Decreasing { .. }) => true,
        Destinations::Uniform | Destinations::Hotspot { .. } | Destinations::Permutation(_) => {
            false
        }
    }
}

/// True if every node of a network can be translated to every other node, and has its own router.
pub(super) fn all_nodes_alike(network: &Network) -> bool {
    network.cube().is_some_and(|cube| cube.wraps_everywhere() || cube.is_hypercube())
}
