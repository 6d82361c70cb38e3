//! The routes of all messages of a system, where the routing leaves a message one.

use super::{Unsolved, budget, wanted};
use crate::ids::NodeId;
use crate::routing::{Candidate, Header, Stop};
use crate::system::System;
use crate::traffic::destinations::DestinationDraw;

/// The most pairs of source and destination that are followed: a tenth of a second to half a second
/// of work where all of 1024 nodes send to each other.
pub(super) const PAIRS_MAX: usize = 1 << 20;

/// Messages of one source by destination, with the share of each.
pub(super) type Shares = Vec<(NodeId, f64)>;

/// Hands every source to `each`, with the shares of its messages.
pub(super) fn for_each_source(
    system: &System,
    each: impl FnMut(NodeId, Shares) -> Result<(), Unsolved>,
) -> Result<(), Unsolved> {
    let draw = DestinationDraw::new(&system.traffic.destinations, &system.network);
    for_each_of(system, |source| draw.shares(source), each)
}

/// Hands every source to `each`, with those of its messages that are not spread evenly over all other
/// nodes; answers the share of those that are.
pub(super) fn for_each_uneven(
    system: &System,
    each: impl FnMut(NodeId, Shares) -> Result<(), Unsolved>,
) -> Result<f64, Unsolved> {
    let draw = DestinationDraw::new(&system.traffic.destinations, &system.network);
    for_each_of(system, |source| draw.uneven(source), each)?;
    Ok(draw.even())
}

fn for_each_of(
    system: &System,
    of: impl Fn(NodeId) -> Shares,
    mut each: impl FnMut(NodeId, Shares) -> Result<(), Unsolved>,
) -> Result<(), Unsolved> {
    let nodes = system.network.nodes();
    let sources = || (0..nodes).map(NodeId::new);
    let mut left = PAIRS_MAX;
    for source in sources() {
        let Some(after) = left.checked_sub(of(source).len()) else {
            return Err(Unsolved::NotCovered(format!(
                "the model follows every way, at most {PAIRS_MAX} pairs of nodes, and these \
                 {nodes} nodes make more"
            )));
        };
        left = after;
    }
    sources().try_for_each(|source| {
        wanted::still()?;
        let shares = of(source);
        budget::charge(shares.len());
        each(source, shares)
    })
}

/// A message by what decides its route.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trip {
    pub source: NodeId,
    pub destination: NodeId,
    /// Its random bits ([`Header::route_bits`]).
    pub route_bits: u64,
    /// Messages that make it, per message of a node.
    pub share: f64,
}

/// The trips of the messages of `source`, of which `shares` has the share to every destination; all
/// routes to one are alike likely.
pub(super) fn trips(
    system: &System,
    source: NodeId,
    shares: Shares,
) -> impl Iterator<Item = Vec<Trip>> {
    shares.into_iter().map(move |(destination, share)| {
        let routes = system.relation.ways(source, destination);
        let share = share / routes.len() as f64;
        routes
            .into_iter()
            .map(|route_bits| Trip { source, destination, route_bits, share })
            .collect()
    })
}

/// Hands the links of a trip to `each`, from the first to the last, with the VCs that may be taken
/// there; `candidates` is storage. Where a router leaves a choice the model does not cover `system`:
/// it needs `routing` instead.
pub(super) fn follow(
    system: &System,
    Trip { source, destination, route_bits, .. }: Trip,
    candidates: &mut Vec<Candidate>,
    routing: &str,
    mut each: impl FnMut(Candidate),
) -> Result<(), Unsolved> {
    let (network, relation) = (&system.network, &system.relation);
    let at = network.router_of(source);
    let header = Header { source: at, destination: network.router_of(destination), route_bits };
    let mut stop = Stop::start(at);
    loop {
        relation.candidates(stop, &header, candidates);
        budget::charge(1);
        let next = match candidates[..] {
            [] => return Ok(()),
            [candidate] => {
                each(candidate);
                let mut stops = relation.stops_after(candidate);
                stops.next().filter(|_| stops.next().is_none())
            }
            _ => None,
        };
        let Some((_, next)) = next else {
            let found = relation.routing().name();
            let why = format!("the model needs {routing}, not {found}");
            return Err(Unsolved::NotCovered(why));
        };
        stop = next;
    }
}
