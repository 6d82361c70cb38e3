//! Dependencies through nodes that need room for the reply to a message before its ejection.
//!
//! A head at its destination waits for room; the room is occupied by replies that wait for a VC of the
//! injection channel, and the message with this VC waits for its first link. The vertices are VCs of
//! the channels of terminals: the lowest VC of a message class of an ejection channel stands for the
//! room for replies to this class, and the VCs of an injection channel for the source.
//!
//! The room is an escape resource if there are escape VCs: every message has a route over escape VCs
//! to its destination, so a dependency on the room that passes adaptive VCs adds no reachable
//! vertex.

use super::Verdict;
use super::graph::Graph;
use super::walk::{Pairs, every_header};
use crate::ids::{ChannelId, NodeId, RouterId};
use crate::routing::{Relation, bits};
use crate::topology::Network;

/// The demands of messages on nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Demands {
    /// The class of the replies for which a node must have room, for each message class.
    pub replies: Vec<Option<u8>>,
    /// True if the messages of all classes leave a node over one VC, in the order of generation.
    pub one_queue: bool,
    /// True if nodes send to themselves.
    pub to_itself: bool,
}

impl Demands {
    /// True if some message waits for room.
    pub fn any(&self) -> bool {
        self.replies.iter().any(Option::is_some)
    }

    /// The message classes routed by a header's class.
    fn classes(&self, relation: &Relation, routed: u8) -> impl Iterator<Item = u8> {
        let apart = relation.message_classes() > 1;
        (0..self.replies.len() as u8).filter(move |&class| !apart || class == routed)
    }

    /// The VCs of the injection channel for a message class.
    fn injection_vcs(&self, relation: &Relation, class: u8) -> u32 {
        if self.one_queue { 1 } else { relation.vcs_of_message_class(class) }
    }
}

/// Adds the dependencies through nodes to those of the network.
pub(super) fn with_nodes(
    graph: &Graph,
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
    demands: &Demands,
) -> Result<Graph, Verdict> {
    let vcs = relation.virtual_channels();
    let vertex = |channel: ChannelId, v: u32| channel.0 * vcs + v;
    let hosts = |at: RouterId| network.hosts_at(at).iter().copied();
    let room = |node: NodeId, class: u8| {
        let lowest = relation.vcs_of_message_class(class).trailing_zeros();
        network.ejection_of(node).map(|channel| vertex(channel, lowest))
    };
    let sources = |node: NodeId, class: u8| {
        let channel = network.injection_of(node);
        let vcs = bits(demands.injection_vcs(relation, class));
        channel.into_iter().flat_map(move |channel| vcs.clone().map(move |v| vertex(channel, v)))
    };
    let considered = match relation.escape_vcs() {
        0 => u32::MAX,
        escapes => escapes,
    };
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut before = 0;
    every_header(network, relation, pairs, |walk, header| {
        let senders = pairs.to(network, header.destination);
        for class in demands.classes(relation, header.message_class) {
            let rooms = || {
                let demands_room = demands.replies[usize::from(class)].is_some();
                let nodes = demands_room.then(|| hosts(header.destination));
                nodes.into_iter().flatten().filter_map(|node| room(node, class))
            };
            for (row, stop) in walk.stops.iter().enumerate() {
                let offered = || walk.offered(row).iter();
                let is_start = stop.came.is_none() && senders.contains(&stop.at);
                for node in hosts(stop.at).filter(|_| is_start) {
                    for from in sources(node, class) {
                        edges.extend(offered().flat_map(|it| {
                            let vcs = bits(it.vcs & considered);
                            vcs.map(move |v| (from, vertex(it.channel, v)))
                        }));
                    }
                }
                for &candidate in offered() {
                    let ends = walk.stops_after(row, candidate);
                    for (by, _) in ends.filter(|(_, to)| to.at == header.destination) {
                        for v in bits(by & considered) {
                            edges.extend(rooms().map(|room| (vertex(candidate.channel, v), room)));
                        }
                    }
                }
            }
        }
        // Routes to a destination share most of their ends.
        if edges.len() > 2 * before + (1 << 16) {
            edges.sort_unstable();
            edges.dedup();
            before = edges.len();
        }
        Ok(())
    })?;
    for node in (0..network.nodes()).map(NodeId::new) {
        for (class, reply) in (0..).zip(&demands.replies) {
            let Some((reply, from)) = reply.and_then(|reply| Some((reply, room(node, class)?)))
            else {
                continue;
            };
            edges.extend(sources(node, reply).map(|to| (from, to)));
            // Messages between hosts of a router cross no link.
            let others = hosts(network.router_of(node));
            let others = others.filter(|&other| demands.to_itself || other != node);
            edges.extend(others.flat_map(|other| sources(other, class).map(|it| (it, from))));
        }
    }
    Ok(graph.with(edges))
}

#[cfg(test)]
mod tests;
