//! The flows: messages through every channel and between channels, summed over routes.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | `λ_j/λ_node` | `Server::share` | messages through a channel per message of a node | – |
//! (8)–(10) |
//! | `λ_i R_{i\|j}/λ_node` | `Step::share` | messages from channel to channel per message of a node
//! | – | (3), (6) |

use super::servers::{Resource, Server, Servers, Source, add_step};
use crate::flows::routes::{Route, for_each_route};
use crate::model::order::downstream_first;
use crate::model::queue::Moments;
use crate::model::{Unsolved, cancellation};
use crate::system::System;

/// All flows per message of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Flows {
    /// Servers sorted so that later servers are further from the destinations: `Step::to` is always
    /// an earlier server.
    pub servers: Vec<Server>,
    pub sources: Vec<Source>,
    /// Flows by channel.
    pub links: Vec<Link>,
}

/// The flow over a channel, summed over all classes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Link {
    /// Messages per message of a node.
    pub share: f64,
    /// Messages whose route has no other channel.
    pub short: f64,
    /// The number of VC classes in use.
    pub classes: u32,
}

impl Flows {
    /// Computes the flows of a system.
    pub fn of(system: &System) -> Result<Self, Unsolved> {
        let (nodes, channels) = (system.network.nodes(), system.network.channels().len());
        let mut found = Servers::new(nodes, channels);
        let mut links = vec![Link::default(); channels];
        for_each_route(system, |route| {
            cancellation::charge(1 + route.hops.len())?;
            add(&route, &mut found);
            if let [hop] = route.hops {
                links[hop.channel.index()].short += route.share;
            }
            Ok::<_, Unsolved>(())
        })?;
        Self::in_order(system, found, links)
    }

    /// True if a server is a link.
    pub fn is_link(&self, server: usize) -> bool {
        matches!(self.servers[server].resource, Resource::Link(..))
    }

    fn in_order(system: &System, found: Servers, mut links: Vec<Link>) -> Result<Self, Unsolved> {
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
        for source in sources.iter_mut().filter(|source| source.share > 0.0) {
            source.hops = source.hops.thinned(1.0 / source.share);
        }
        for server in &servers {
            if let Resource::Link(channel, _) = server.resource {
                let link = &mut links[channel.index()];
                link.share += server.share;
                link.classes += 1;
            }
        }
        Ok(Self { servers, sources, links })
    }
}

/// Adds the messages of a route to all servers on the route.
fn add(route: &Route<'_>, servers: &mut Servers) {
    let &Route { source, destination, share, hops } = route;
    let mut last = None;
    for hop in hops.iter().map(Some).chain([None]) {
        let server = match hop {
            Some(&link) => servers.link(link),
            None => servers.ejection(destination),
        };
        servers.all[server as usize].share += share;
        let next = match last.replace(server) {
            None => &mut servers.sources[source.index()].next,
            Some(last) => &mut servers.all[last as usize].next,
        };
        add_step(next, server, share);
    }
    let source = &mut servers.sources[source.index()];
    source.share += share;
    source.hops.mix(share, Moments::with_variance(hops.len() as f64, 0.0));
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
