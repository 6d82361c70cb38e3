//! The flows: how many messages go through every channel, and from channel to channel.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | `λ_j/λ_node` | `Server::share` | messages through a channel per message of a node | – | (8)–(10) |
//! | `λ_i R_{i\|j}/λ_node` | `Step::share` | messages from channel to channel, likewise | – | (3), (6) |
//!
//! Under dimension order the walks along single rings are followed (`walks`), else pair by pair
//! (`pairs`).

mod pairs;
mod walks;

use super::order::{Place, Server, Step, downstream_first};
use crate::ids::NodeId;
use crate::model::Unsolved;
use crate::system::System;
use crate::traffic::destinations::DestinationDraw;
use pairs::Walker;
use walks::Ways;

/// The most pairs of source and destination that are followed: a tenth of a second of work where
/// all of 1024 nodes send to each other.
pub(super) const PAIRS_MAX: usize = 1 << 20;

/// A node's own messages.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Source {
    /// Messages sent per message of a node: 1, or 0 for a node that sends nothing.
    pub share: f64,
    /// Links of the mean way.
    pub hops: f64,
    pub next: Vec<Step>,
}

/// All flows per message of a node.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Flows {
    /// In an order in which what comes later is further from the destinations: `Step::to` is
    /// always an earlier server.
    pub servers: Vec<Server>,
    /// By node.
    pub sources: Vec<Source>,
    /// By channel: λ/`λ_node` of all its classes, and how many of them are used.
    pub links: Vec<(f64, u32)>,
}

impl Flows {
    /// Follows all ways of `system`.
    pub fn follow(system: &System) -> Result<Self, Unsolved> {
        let nodes = system.network.nodes();
        let draw = DestinationDraw::new(&system.traffic.destinations, &system.network);
        let mut ways = Ways::new(system);
        let mut walker = Walker::new(system);
        let mut pairs = 0;
        for source in (0..nodes).map(NodeId::new) {
            let row = draw.probabilities(source);
            pairs += row.iter().filter(|&&share| share > 0.0).count();
            if pairs > PAIRS_MAX {
                return Err(too_many(nodes));
            }
            if let Some(ways) = &mut ways {
                ways.add_source(source, row)?;
                continue;
            }
            for (destination, share) in row.into_iter().enumerate().filter(|&(_, it)| it > 0.0) {
                walker.pair(source, NodeId::new(destination), share)?;
            }
        }
        let (servers, mut sources) = match ways {
            Some(mut ways) => {
                ways.follow_walks()?;
                (ways.servers, ways.sources)
            }
            None => (walker.servers, walker.sources),
        };
        let servers = downstream_first(&servers).map_err(|stuck| cyclic(system, stuck))?;
        for source in &mut sources {
            for step in &mut source.next {
                step.to = servers.renumbered[step.to as usize];
            }
            if source.share > 0.0 {
                source.hops /= source.share;
            }
        }
        let mut links = vec![(0.0, 0); system.network.channels().len()];
        for server in &servers.ordered {
            if let Place::Link(channel, _) = server.place {
                let (share, classes) = &mut links[channel.index()];
                *share += server.share;
                *classes += 1;
            }
        }
        Ok(Self { servers: servers.ordered, sources, links })
    }
}

fn too_many(nodes: usize) -> Unsolved {
    Unsolved::NotCovered(format!(
        "the model follows every way, at most {PAIRS_MAX} pairs of nodes, and these {nodes} nodes \
         make more"
    ))
}

fn cyclic(system: &System, stuck: Place) -> Unsolved {
    let through = match stuck {
        Place::Link(channel, _) => system.network.channel_name(channel),
        Place::Ejection(node) => format!("node {}", node.0),
    };
    Unsolved::NotCovered(format!(
        "the model needs channels that wait for each other without a cycle; this routing has a \
         cycle through {through}"
    ))
}

#[cfg(test)]
mod tests;
