//! Routes of all messages of a system, for routing without a choice.

use super::{Unsolved, budget, wanted};
use crate::ids::NodeId;
use crate::routing::{Candidate, Header, Stop};
use crate::system::System;
use crate::traffic::destinations::DestinationDraw;

/// Maximum number of pairs of source and destination: a tenth of a second to half a second of work
/// if all of 1024 nodes send to each other.
pub(super) const PAIRS_MAX: usize = 1 << 20;

/// Messages of one source by destination, with the share of each.
pub(super) type Shares = Vec<(NodeId, f64)>;

/// Calls `each` for every source, with the shares of its messages.
pub(super) fn for_each_source(
    system: &System,
    each: impl FnMut(NodeId, Shares) -> Result<(), Unsolved>,
) -> Result<(), Unsolved> {
    let draw = DestinationDraw::new(&system.traffic.destinations, &system.network);
    for_each_of(system, |source| draw.shares(source), each)
}

/// Calls `each` for every source, with the shares of its messages not distributed uniformly over
/// all other nodes; returns the share of uniformly distributed messages.
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

/// A message, defined by the values that determine its route.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trip {
    pub source: NodeId,
    pub destination: NodeId,
    /// Random bits of the message ([`Header::route_bits`]).
    pub route_bits: u64,
    /// Messages with this trip, per message of a node.
    pub share: f64,
}

/// The trips of the messages of `source`, with `shares` for each destination; all routes to a
/// destination are equally likely.
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

/// Calls `each` for the links of a trip, from the first to the last, with the VCs available there;
/// `candidates` is scratch storage. If a router offers a choice, the model does not cover `system`:
/// the error names the `routing` needed.
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
