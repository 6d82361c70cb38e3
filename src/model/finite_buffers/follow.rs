//! The routes of a system: every way that a message may take, followed once through the routing
//! relation from injection to ejection channel.

use super::routes::{Link, Routes};
use crate::ids::{ChannelId, NodeId};
use crate::model::Unsolved;
use crate::model::ways::{Trip, follow};
use crate::routing::Candidate;
use crate::system::System;
use crate::traffic::destinations::DestinationDraw;

/// The most pairs of source and destination that are followed: half a second of work where all of
/// 1024 nodes send to each other.
const PAIRS_MAX: usize = 1 << 20;

/// All routes of `system`, which has injection and ejection channels; each channel takes `delay`
/// cycles.
pub(super) fn routes(system: &System, delay: u32) -> Result<Routes, Unsolved> {
    let network = &system.network;
    let links = network.channels().iter().map(|channel| Link { role: channel.role, delay });
    let mut follower = Follower {
        system,
        routes: Routes::new(links.collect()),
        route: Vec::new(),
        candidates: Vec::new(),
    };
    let nodes = network.nodes();
    let draw = DestinationDraw::new(&system.traffic.destinations, network);
    let mut pairs = 0;
    for source in (0..nodes).map(NodeId::new) {
        for (destination, share) in draw.probabilities(source).into_iter().enumerate() {
            if share > 0.0 {
                pairs += 1;
                if pairs > PAIRS_MAX {
                    return Err(Unsolved::NotCovered(format!(
                        "the model follows every way, at most {PAIRS_MAX} pairs of nodes, and \
                         these {nodes} nodes make more"
                    )));
                }
                follower.pair(source, NodeId::new(destination), share)?;
            }
        }
    }
    Ok(follower.routes)
}

struct Follower<'a> {
    system: &'a System,
    routes: Routes,
    route: Vec<ChannelId>,
    candidates: Vec<Candidate>,
}

impl Follower<'_> {
    /// Follows the messages from `source` to `destination`, every fall of their dice alike likely.
    fn pair(&mut self, source: NodeId, destination: NodeId, share: f64) -> Result<(), Unsolved> {
        let ways = self.system.relation.ways(source, destination);
        let each = share / ways.len() as f64;
        for dice in ways {
            self.walk(Trip { source, destination, dice }, each)?;
        }
        Ok(())
    }

    /// Follows one way and adds it to the routes.
    fn walk(&mut self, trip: Trip, share: f64) -> Result<(), Unsolved> {
        let network = &self.system.network;
        self.route.clear();
        self.route.extend(network.injection_of(trip.source));
        let routing = "routes that are fixed at the source";
        follow(
            self.system,
            trip,
            &mut self.candidates,
            routing,
            |Candidate { channel, .. }| {
                self.route.push(channel);
            },
        )?;
        self.route.extend(network.ejection_of(trip.destination));
        self.routes.add(&self.route, share);
        Ok(())
    }
}
