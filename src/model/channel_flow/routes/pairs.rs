//! Flows by following every pair of nodes by itself: for any rule that leaves a message one way.

use super::super::order::{Place, Server, Step};
use super::Source;
use crate::ids::NodeId;
use crate::model::Unsolved;
use crate::model::ways::{Trip, follow};
use crate::routing::Candidate;
use crate::system::System;

/// Collects flows.
pub(super) struct Walker<'a> {
    system: &'a System,
    pub servers: Vec<Server>,
    pub sources: Vec<Source>,
    /// For each channel its servers, few.
    of_channel: Vec<Vec<u32>>,
    /// For each node its ejection server, `u32::MAX` where none yet.
    of_node: Vec<u32>,
    candidates: Vec<Candidate>,
}

impl<'a> Walker<'a> {
    pub fn new(system: &'a System) -> Self {
        let (nodes, channels) = (system.network.nodes(), system.network.channels().len());
        Self {
            system,
            servers: Vec::new(),
            sources: vec![Source::default(); nodes],
            of_channel: vec![Vec::new(); channels],
            of_node: vec![u32::MAX; nodes],
            candidates: Vec::new(),
        }
    }

    /// Follows the messages from `source` to `destination`, every fall of their dice alike likely.
    pub fn pair(
        &mut self,
        source: NodeId,
        destination: NodeId,
        share: f64,
    ) -> Result<(), Unsolved> {
        let ways = self.system.relation.ways(source, destination);
        let each = share / ways.len() as f64;
        // Every sum of shares keeps its order: the last way first.
        for &dice in ways.iter().rev() {
            self.walk(Trip { source, destination, dice }, each)?;
        }
        Ok(())
    }

    /// Follows one way and adds `share` to all it meets.
    fn walk(&mut self, trip: Trip, share: f64) -> Result<(), Unsolved> {
        let mut candidates = std::mem::take(&mut self.candidates);
        let (mut last, mut hops) = (None, 0.0);
        let routing = "deterministic routing";
        let followed = follow(self.system, trip, &mut candidates, routing, |candidate| {
            let Candidate { channel, vcs } = candidate;
            last = Some(self.step(trip.source, last, Place::Link(channel, vcs), share));
            hops += share;
        });
        self.candidates = candidates;
        followed?;
        self.step(trip.source, last, Place::Ejection(trip.destination), share);
        let source = &mut self.sources[trip.source.index()];
        source.share += share;
        source.hops += hops;
        Ok(())
    }

    /// Adds `share` to the server at `place` and to the step there from server `last`, or from the
    /// source; returns the server.
    fn step(&mut self, source: NodeId, last: Option<u32>, place: Place, share: f64) -> u32 {
        let server = self.server(place);
        self.servers[server as usize].share += share;
        let next = match last {
            None => &mut self.sources[source.index()].next,
            Some(last) => &mut self.servers[last as usize].next,
        };
        match next.iter_mut().find(|step| step.to == server) {
            Some(step) => step.share += share,
            None => next.push(Step { to: server, share }),
        }
        server
    }

    /// The server at `place`, made where there is none yet.
    fn server(&mut self, place: Place) -> u32 {
        let fresh = self.servers.len() as u32;
        let known = match place {
            Place::Link(channel, _) => {
                let here = &mut self.of_channel[channel.index()];
                let known = here.iter().find(|&&s| self.servers[s as usize].place == place);
                let known = known.copied();
                if known.is_none() {
                    here.push(fresh);
                }
                known
            }
            Place::Ejection(node) => {
                let here = &mut self.of_node[node.index()];
                let known = (*here != u32::MAX).then_some(*here);
                *here = known.unwrap_or(fresh);
                known
            }
        };
        known.unwrap_or_else(|| {
            self.servers.push(Server { place, share: 0.0, next: Vec::new() });
            fresh
        })
    }
}
