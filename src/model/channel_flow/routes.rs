//! The flows: how many messages go through every channel, and from channel to channel.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | `λ_j/λ_node` | `Server::share` | messages through a channel per message of a node | – | (8)–(10) |
//! | `λ_i R_{i\|j}/λ_node` | `Step::share` | messages from channel to channel, likewise | – | (3), (6) |
//!
//! Where heads choose all ways are listed (`adaptive`). Else messages that go to all nodes alike are added up ring by ring under dimension order (`evenly`), and
//! those whose number falls with the distance walk by walk (`walks`); all others go pair by pair.

pub(super) mod adaptive;
mod evenly;
mod walks;

use super::servers::{Resource, Server, Servers, Source, add_step};
use crate::memory;
use crate::model::Unsolved;
use crate::model::order::downstream_first;
use crate::model::queue::Moments;
use crate::model::routes::{Trip, follow, for_each_source, for_each_uneven, trips};
use crate::routing::Candidate;
use crate::system::System;
use crate::traffic::Destinations;
use walks::AlongRings;

/// The most streams that are followed, by estimate: minutes of work, and 2 GiB.
const STREAMS_MAX: u64 = 1 << 24;
/// What a stream takes, with its share of the servers between which it goes.
const BYTES_PER_STREAM: u64 = 128;

/// True if there are few enough streams in a cube, and memory for them.
pub(super) fn can_be_followed(system: &System) -> bool {
    let streams = streams_at_most(system);
    streams <= STREAMS_MAX && streams * BYTES_PER_STREAM <= memory::available() / 2
}

/// How many streams there are at most under dimension order in a cube; 0 elsewhere, where the pairs of
/// nodes are few.
fn streams_at_most(system: &System) -> u64 {
    let Some(cube) = system.network.cube() else { return 0 };
    let (nodes, dimensions) = (system.network.nodes() as u64, cube.dimensions() as u64);
    // Servers of a router in a dimension: both ways, each in two classes where there are rings.
    let servers = if system.network.wraps() { 4 } else { 2 };
    // From each to the next of its ring, which may be of the other class, to those of later
    // dimensions, and out.
    let of_dimension = |later: u64| servers * (2 + later * servers + 1);
    nodes * (0..dimensions).map(of_dimension).sum::<u64>()
}

/// All flows per message of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Flows {
    /// In an order in which what comes later is further from the destinations: `Step::to` is
    /// always an earlier server.
    pub servers: Vec<Server>,
    pub sources: Vec<Source>,
    /// By channel: λ/`λ_node` of all its classes, and how many of them are used.
    pub links: Vec<(f64, u32)>,
}

impl Flows {
    pub fn follow(system: &System) -> Result<Self, Unsolved> {
        let mut candidates = Vec::new();
        let mut add = |found: &mut Servers, source, shares| {
            // Every sum of shares keeps its order: the last route of a pair first.
            trips(system, source, shares)
                .flat_map(|routes| routes.into_iter().rev())
                .try_for_each(|trip| add_pair(system, found, trip, &mut candidates))
        };
        if let Some(mut walks) = AlongRings::new(system) {
            if let Destinations::Local(_) = system.traffic.destinations {
                let nodes = system.network.nodes();
                for_each_source(system, |source, shares| {
                    let mut row = vec![0.0; nodes];
                    for (node, share) in shares {
                        row[node.index()] = share;
                    }
                    walks.add_source(source, row)
                })?;
                walks.follow_walks()?;
            } else {
                let uneven = |source, shares| add(&mut walks.servers, source, shares);
                let even = for_each_uneven(system, uneven)?;
                if even > 0.0 {
                    walks.add_evenly(even)?;
                }
            }
            return Self::in_order(system, walks.servers);
        }
        let (nodes, channels) = (system.network.nodes(), system.network.channels().len());
        let mut found = Servers::new(nodes, channels);
        for_each_source(system, |source, shares| add(&mut found, source, shares))?;
        Self::in_order(system, found)
    }

    /// True if a server is a link.
    pub fn is_link(&self, server: usize) -> bool {
        matches!(self.servers[server].resource, Resource::Link(..))
    }

    fn in_order(system: &System, found: Servers) -> Result<Self, Unsolved> {
        let Servers { mut all, mut sources, .. } = found;
        let order = downstream_first(&vec![true; all.len()], || {
            (0..).zip(&all).flat_map(|(number, server): (u32, &Server)| {
                server.next.iter().map(move |step| (number, step.to))
            })
        });
        let order = order.map_err(|at| cyclic(system, all[at as usize].resource))?;
        let mut renumbered = vec![0; all.len()];
        for (new, &old) in order.numbers.iter().enumerate() {
            renumbered[old as usize] = new as u32;
        }
        let taken = |&old: &u32| std::mem::take(&mut all[old as usize]);
        let mut servers: Vec<Server> = order.numbers.iter().map(taken).collect();
        let next = servers.iter_mut().map(|server| &mut server.next);
        for step in next.chain(sources.iter_mut().map(|source| &mut source.next)).flatten() {
            step.to = renumbered[step.to as usize];
        }
        Ok(Self::of(servers, sources, system.network.channels().len()))
    }

    /// What was found, over all channels of a network.
    fn of(servers: Vec<Server>, mut sources: Vec<Source>, channels: usize) -> Self {
        for source in sources.iter_mut().filter(|source| source.share > 0.0) {
            source.hops = source.hops.thinned(1.0 / source.share);
        }
        let mut links = vec![(0.0, 0); channels];
        for server in &servers {
            if let Resource::Link(channel, _) = server.resource {
                let (share, classes) = &mut links[channel.index()];
                *share += server.share;
                *classes += 1;
            }
        }
        Self { servers, sources, links }
    }
}

/// Follows one route and adds its share to all it meets; `candidates` is storage.
fn add_pair(
    system: &System,
    servers: &mut Servers,
    trip: Trip,
    candidates: &mut Vec<Candidate>,
) -> Result<(), Unsolved> {
    let Trip { source, destination, share, .. } = trip;
    let (mut last, mut hops) = (None, 0.0);
    // Adds it to a server and to the step there from the last one, or from the source.
    let mut step = |servers: &mut Servers, server: u32| {
        servers.all[server as usize].share += share;
        let next = match last.replace(server) {
            None => &mut servers.sources[source.index()].next,
            Some(last) => &mut servers.all[last as usize].next,
        };
        add_step(next, server, share);
    };
    follow(system, trip, candidates, "deterministic routing", |candidate| {
        let server = servers.link(candidate);
        step(servers, server);
        hops += 1.0;
    })?;
    let ejection = servers.ejection(destination);
    step(servers, ejection);
    let source = &mut servers.sources[source.index()];
    source.share += share;
    source.hops.mix(share, Moments::with_variance(hops, 0.0));
    Ok(())
}

fn cyclic(system: &System, stuck: Resource) -> Unsolved {
    let through = match stuck {
        Resource::Link(channel, _) => system.network.channel_name(channel),
        Resource::Ejection(node) => format!("node {}", node.0),
    };
    Unsolved::NotCovered(format!(
        "the model needs channels that wait for each other without a cycle; this routing has a \
         cycle through {through}"
    ))
}

#[cfg(test)]
mod tests;
