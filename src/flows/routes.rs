//! Routes fixed at injection: every route between every pair of nodes, with its share of the
//! messages.

use super::demand::scaled;
use crate::ids::NodeId;
use crate::routing::{Candidate, Header, Stop};
use crate::system::System;

/// Maximum number of pairs of source and destination: all pairs of 1024 nodes.
pub const PAIRS_MAX: usize = 1 << 20;

/// The reason for not listing the routes of a system.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unlisted {
    /// More than [`PAIRS_MAX`] pairs of nodes exchange messages.
    #[error(
        "the model follows the routes of at most {PAIRS_MAX} pairs of nodes, and these {nodes} nodes have more"
    )]
    TooManyPairs {
        /// Nodes of the network.
        nodes: usize,
    },
    /// Some head has a choice of channels.
    #[error("the model needs routes that are fixed when a message is sent, not {routing}")]
    Chosen {
        /// The routing algorithm.
        routing: &'static str,
    },
}

/// Messages of one source by destination, with the share of each, per message of a node of the mean
/// rate.
pub type Shares = Vec<(NodeId, f64)>;

/// A route from a source to a destination.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Route<'a> {
    pub source: NodeId,
    pub destination: NodeId,
    /// Messages on this route, per message of a node of the mean rate.
    pub share: f64,
    /// The links from first to last, each with the VCs allowed for the head.
    pub hops: &'a [Candidate],
}

/// Passes every source to `each`, with the shares of its messages.
pub fn for_each_source<E: From<Unlisted>>(
    system: &System,
    each: impl FnMut(NodeId, Shares) -> Result<(), E>,
) -> Result<(), E> {
    let draw = system.draw();
    for_each_of(system, |source| scaled(draw.shares(source), draw.rates().at(source)), each)
}

/// Passes every source to `each`, with its messages not distributed evenly over all other nodes;
/// returns the share of evenly distributed messages, 0 if some nodes send at other rates.
pub fn for_each_uneven<E: From<Unlisted>>(
    system: &System,
    each: impl FnMut(NodeId, Shares) -> Result<(), E>,
) -> Result<f64, E> {
    let draw = system.draw();
    if !draw.rates().all_alike() {
        return for_each_source(system, each).map(|()| 0.0);
    }
    for_each_of(system, |source| draw.uneven(source), each)?;
    Ok(draw.even())
}

/// True if at most [`PAIRS_MAX`] pairs of nodes exchange messages.
pub fn are_few(system: &System) -> bool {
    let nodes = system.network.nodes();
    if nodes * (nodes - 1) <= PAIRS_MAX {
        return true;
    }
    let draw = system.draw();
    are_few_of(nodes, |source| draw.shares(source))
}

fn are_few_of(nodes: usize, of: impl Fn(NodeId) -> Shares) -> bool {
    let left = |left: usize, source| left.checked_sub(of(NodeId::new(source)).len());
    (0..nodes).try_fold(PAIRS_MAX, left).is_some()
}

fn for_each_of<E: From<Unlisted>>(
    system: &System,
    of: impl Fn(NodeId) -> Shares,
    mut each: impl FnMut(NodeId, Shares) -> Result<(), E>,
) -> Result<(), E> {
    let nodes = system.network.nodes();
    if !are_few_of(nodes, &of) {
        return Err(Unlisted::TooManyPairs { nodes }.into());
    }
    (0..nodes).map(NodeId::new).try_for_each(|source| each(source, of(source)))
}

/// Passes every route to `each`, source by source; all routes between two nodes are equally likely.
pub fn for_each_route<E: From<Unlisted>>(
    system: &System,
    each: impl FnMut(Route<'_>) -> Result<(), E>,
) -> Result<(), E> {
    follow_all(system, Choices::None, each)
}

/// Passes every route of heads that take their first choice to `each`, source by source; all routes
/// between two nodes are equally likely.
pub fn for_each_first_route<E: From<Unlisted>>(
    system: &System,
    each: impl FnMut(Route<'_>) -> Result<(), E>,
) -> Result<(), E> {
    follow_all(system, Choices::First, each)
}

fn follow_all<E: From<Unlisted>>(
    system: &System,
    choices: Choices,
    mut each: impl FnMut(Route<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut follower = Follower { choices, ..Follower::default() };
    for_each_source(system, |source, shares| {
        for (destination, share) in shares {
            let ways = system.relation.ways(source, destination);
            let share = share / ways.len() as f64;
            for route_bits in ways {
                let header = system.relation.header(source, destination, route_bits);
                let hops = follower.follow(system, header)?;
                each(Route { source, destination, share, hops })?;
            }
        }
        Ok(())
    })
}

/// The treatment of several candidates of a head.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Choices {
    /// An error.
    #[default]
    None,
    /// The first candidate and its lowest VC.
    First,
}

/// Follows routes one after the other, reusing storage.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    choices: Choices,
    hops: Vec<Candidate>,
    candidates: Vec<Candidate>,
}

impl Follower {
    /// The links of a message with this header at its source, from first to last.
    ///
    /// # Errors
    /// [`Unlisted::Chosen`] if the head has a choice of channels.
    pub fn follow(&mut self, system: &System, header: Header) -> Result<&[Candidate], Unlisted> {
        let relation = &system.relation;
        let mut stop = Stop::start(header.source);
        self.hops.clear();
        loop {
            relation.candidates(stop, &header, &mut self.candidates);
            let Some(&candidate) = self.candidates.first() else { return Ok(&self.hops) };
            let mut stops = relation.stops_after(stop, &header, candidate);
            let Some((_, next)) = stops.next() else { return Ok(&self.hops) };
            let chosen = self.candidates.len() > 1 || stops.next().is_some();
            if chosen && self.choices == Choices::None {
                let routing = relation.routing().name();
                return Err(Unlisted::Chosen { routing });
            }
            self.hops.push(candidate);
            stop = next;
        }
    }
}

#[cfg(test)]
mod tests;
