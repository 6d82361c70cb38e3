//! Demand: the share of every source's messages that goes to each destination.

use crate::ids::{NodeId, RouterId};
use crate::system::System;
use crate::topology::Network;
use crate::topology::cube::Cube;
use crate::traffic::{NODES_WITH_REPLIES_MAX, NodeRates};

/// The demand of a system, per message of each sending node. A node that sends at a multiple of the
/// mean rate sends as many messages.
#[derive(Clone, PartialEq, Debug)]
pub struct Demand {
    /// The share of every sender's messages distributed evenly over all other nodes.
    pub even: f64,
    /// The other messages, by source and destination; empty if they depend only on the distance.
    pub uneven: Vec<(NodeId, Vec<(NodeId, f64)>)>,
    /// The probability of every destination of node 0, if probabilities depend on the distance, all
    /// nodes are equivalent, and routes depend on the remaining distance.
    pub by_distance: Option<Vec<f64>>,
    /// The rates of the nodes.
    pub rates: NodeRates,
    /// True if messages and replies load some links in other proportions than all links together.
    pub is_directed: bool,
}

impl Demand {
    /// The demand of a system.
    pub fn of(system: &System) -> Self {
        let draw = system.draw();
        let rates = draw.rates().clone();
        let nodes = (0..system.network.nodes()).map(NodeId::new);
        let by_distance = (system.traffic.destinations.depend_on_distance()
            && rates.all_alike()
            && all_nodes_alike(&system.network)
            && system.relation.goes_by_offset())
        .then(|| draw.probabilities(NodeId(0)));
        let uneven = match by_distance {
            Some(_) => Vec::new(),
            None => nodes
                .map(|source| (source, scaled(draw.uneven(source), rates.at(source))))
                .filter(|(_, shares)| !shares.is_empty())
                .collect(),
        };
        let (even, is_directed) = (draw.even(), false);
        Self { even, uneven, by_distance, rates, is_directed }.with_replies(system)
    }

    /// True if the demand of messages and their replies has too many pairs to list.
    pub fn is_too_large(system: &System) -> bool {
        system.traffic.share_of_replies() > 0.0 && system.network.nodes() > NODES_WITH_REPLIES_MAX
    }

    /// The demand of messages and their replies, by the flits of each direction.
    fn with_replies(self, system: &System) -> Self {
        let back = system.traffic.share_of_replies();
        let one_way = system.network.cube().is_some_and(Cube::is_one_way);
        let is_symmetric = self.uneven.is_empty()
            && self.rates.all_alike()
            && (self.by_distance.is_none() || !one_way);
        if back <= 0.0 || is_symmetric {
            return self;
        }
        let nodes = system.network.nodes();
        let mut flits = vec![0.0; nodes * nodes];
        let mut add = |source: NodeId, destination: NodeId, share: f64| {
            flits[source.index() * nodes + destination.index()] += (1.0 - back) * share;
            flits[destination.index() * nodes + source.index()] += back * share;
        };
        let draw = system.draw();
        for source in (0..nodes).map(NodeId::new) {
            let rate = self.rates.at(source);
            for (to, probability) in (0..nodes).map(NodeId::new).zip(draw.probabilities(source)) {
                add(source, to, rate * probability);
            }
        }
        let row = |(source, row): (usize, &[f64])| {
            let shares = (0..nodes).map(NodeId::new).zip(row.iter().copied());
            (NodeId::new(source), shares.filter(|&(_, share)| share > 0.0).collect())
        };
        let uneven = flits.chunks(nodes).enumerate().map(row);
        let uneven = uneven.filter(|(_, shares): &(_, Vec<_>)| !shares.is_empty()).collect();
        Self { even: 0.0, uneven, by_distance: None, is_directed: true, ..self }
    }

    /// Messages of all sources, per message of each sending node.
    pub fn sent(&self, system: &System) -> f64 {
        system.network.nodes() as f64 * system.sending_share()
    }

    /// The share of evenly distributed messages from one node of the mean rate to each other node.
    pub fn even_each(&self, nodes: usize) -> f64 {
        self.even / (nodes as f64 - 1.0)
    }

    /// Evenly distributed messages to a node.
    pub(super) fn even_to(&self, system: &System, node: NodeId) -> f64 {
        if self.rates.all_alike() {
            return self.even;
        }
        let others = self.rates.senders() as f64 - self.rates.at(node);
        self.even_each(system.network.nodes()) * others
    }

    /// The messages of the nodes at a router, as a multiple of those of a node of the mean rate.
    pub fn sent_at(&self, network: &Network, router: RouterId) -> f64 {
        self.rates.of_hosts(network.hosts_at(router))
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

/// The shares of a source that sends at a multiple of the mean rate.
pub(super) fn scaled(mut shares: Vec<(NodeId, f64)>, rate: f64) -> Vec<(NodeId, f64)> {
    for (_, share) in &mut shares {
        *share *= rate;
    }
    shares
}

/// True if every node of a network can be translated to every other node, and has its own router.
pub(super) fn all_nodes_alike(network: &Network) -> bool {
    network.cube().is_some_and(|cube| cube.wraps_everywhere() || cube.is_hypercube())
}
