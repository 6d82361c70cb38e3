//! Messages that failed links stop for ever.

use crate::ids::NodeId;
use crate::routing::{Candidate, Header, Stop};
use crate::system::System;

/// Maximum number of nodes of a network with messages followed pair by pair.
const NODES_MAX: usize = 1024;

/// Pairs of nodes with messages that no attempt can deliver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undelivered {
    pub pairs: u64,
    /// Pairs of nodes that exchange messages.
    pub of: u64,
    pub first: Option<(NodeId, NodeId)>,
}

impl Undelivered {
    /// Finds the pairs of a system: those with a message whose ways all lead over failed links, by
    /// source and destination. `None` if the network is too large.
    pub fn of(system: &System) -> Option<Self> {
        let nodes = system.network.nodes();
        if nodes > NODES_MAX {
            return None;
        }
        let draw = system.draw();
        let mut search = Search { system, seen: vec![0; system.relation.stops()], round: 0 };
        let mut found = Self { pairs: 0, of: 0, first: None };
        for source in (0..nodes).map(NodeId::new) {
            for (destination, _) in draw.shares(source) {
                found.of += 1;
                let ways = system.relation.ways(source, destination);
                if !ways.into_iter().all(|bits| search.arrives(source, destination, bits)) {
                    found.pairs += 1;
                    found.first.get_or_insert((source, destination));
                }
            }
        }
        Some(found)
    }
}

/// A search along the links that have not failed.
struct Search<'a> {
    system: &'a System,
    /// The round in which each stop was reached last.
    seen: Vec<u32>,
    round: u32,
}

impl Search<'_> {
    /// True if some way leads a message to its destination.
    fn arrives(&mut self, source: NodeId, destination: NodeId, bits: u64) -> bool {
        let relation = &self.system.relation;
        let header: Header = relation.header(source, destination, bits);
        self.round += 1;
        let mut open = vec![Stop::start(header.source)];
        let mut candidates = Vec::new();
        while let Some(stop) = open.pop() {
            if stop.at == header.destination {
                return true;
            }
            let seen = &mut self.seen[relation.stop_number(stop)];
            if std::mem::replace(seen, self.round) == self.round {
                continue;
            }
            relation.candidates(stop, &header, &mut candidates);
            let works = |it: &&Candidate| self.system.failed().binary_search(&it.channel).is_err();
            let working = candidates.iter().filter(works);
            let next = working.flat_map(|&it| relation.stops_after(stop, &header, it));
            open.extend(next.map(|(_, stop)| stop));
        }
        false
    }
}
