//! Proofs for changes of routes: messages routed by an old relation continue by a new one.
//!
//! A message holds channels of its old route and requests channels of the new one, so two relations free of
//! deadlock are not automatically safe together. The graph has the dependencies of all relations that
//! routed some message in the network, and those from every channel by which a message of an earlier
//! relation arrives at a router to the channels that a later relation offers there.

use std::collections::{BTreeMap, BTreeSet};

use super::direct::After;
use super::graph::{Graph, Seen};
use super::walk::{Pairs, every_header, headers, refuse_large};
use super::{Method, Proof, Verdict, by_link, judge};
use crate::ids::{ChannelId, RouterId};
use crate::routing::{Header, Relation, Stop};
use crate::topology::Network;
use crate::topology::links::Links;

/// Channels by which messages arrive at routers before their destination: the destination, the message
/// class and the channel, with the VCs.
type Arrivals = BTreeMap<(RouterId, u8, ChannelId), u32>;

/// Proves that messages cannot deadlock that were routed by these relations, oldest first: those of an
/// earlier relation may continue by a later one from any router. No message holds any of the `unused`
/// channels, such as failed links that lose their messages.
pub fn prove_transition(
    network: &Network,
    relations: &[Relation],
    unused: &BTreeSet<ChannelId>,
) -> Proof {
    let graph = graph(network, relations);
    let vcs = relations.first().map_or(1, Relation::virtual_channels);
    let is_used = |vc: u32| !unused.contains(&ChannelId(vc / vcs));
    judge(Method::DallySeitz, graph.map(|graph| graph.restricted(is_used)))
}

/// Proves that no deadlock can occur among circuits that wait for links, routed by several relations
/// as in [`prove_transition`].
pub fn prove_transition_of_circuits(
    links: &Links,
    network: &Network,
    relations: &[Relation],
    unused: &BTreeSet<ChannelId>,
) -> Proof {
    let lanes = relations.first().map_or(1, Relation::virtual_channels);
    let is_used = |lane: u32| !unused.contains(&ChannelId(lane / lanes));
    let graph = graph(network, relations).map(|graph| graph.restricted(is_used));
    judge(Method::Circuits, graph.map(|graph| graph.merged(by_link(links, lanes))))
}

fn graph(network: &Network, relations: &[Relation]) -> Result<Graph, Verdict> {
    let Some(first) = relations.first() else { return Ok(Graph::default()) };
    refuse_large(network, first)?;
    let mut after = After::new(network, first);
    let mut arrivals = Arrivals::new();
    let mut seen = Seen::default();
    for (number, relation) in relations.iter().enumerate() {
        add_transitions(network, relation, &arrivals, &mut after);
        let pairs = pairs(network, relation, number == 0);
        let walked = every_header(network, relation, &pairs, |walk, header| {
            after.add_walk(walk);
            for row in 0..walk.stops.len() {
                for candidate in walk.offered(row) {
                    if network.channel(candidate.channel).to != header.destination {
                        let key = (header.destination, header.message_class, candidate.channel);
                        *arrivals.entry(key).or_default() |= candidate.vcs;
                    }
                }
            }
            Ok(())
        })?;
        seen.vcs |= walked.vcs;
        seen.alternatives |= walked.alternatives;
    }
    Ok(after.graph(seen))
}

/// The pairs of routers with a route. Messages start at hosts; those of a later relation, also anywhere.
fn pairs(network: &Network, relation: &Relation, from_hosts: bool) -> Pairs {
    let sources = move || {
        let all = (0..network.routers()).map(RouterId::new);
        all.filter(move |&at| !from_hosts || network.terminals_at(at) > 0)
    };
    let all = network.host_routers().flat_map(|to| sources().map(move |from| (from, to)));
    Pairs::of(network, all.filter(|&(from, to)| relation.leads_on(from, &Header::new(from, to, 0))))
}

/// Adds the edges from arrivals by earlier relations to the channels offered by a later one.
fn add_transitions(
    network: &Network,
    relation: &Relation,
    arrivals: &Arrivals,
    after: &mut After<'_>,
) {
    let mut offered = Vec::new();
    for (&(destination, class, channel), &vcs) in arrivals {
        let at = network.channel(channel).to;
        let from_here = headers(relation, Some(at), destination);
        for header in from_here.filter(|header| header.message_class == class) {
            if relation.leads_on(at, &header) {
                relation.candidates(Stop::start(at), &header, &mut offered);
                for &candidate in &offered {
                    after.add(channel, vcs, candidate);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
