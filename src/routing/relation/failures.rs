//! The routes of a relation after failures.

use std::sync::Arc;

use super::Relation;
use crate::ids::{ChannelId, NodeId, RouterId};
use crate::routing::Header;
use crate::routing::algorithm::prelude::*;
use crate::routing::placement::Placement;
use crate::routing::remaining;

impl Relation {
    /// True if the rule finds other routes around failures.
    pub fn goes_around(&self) -> bool {
        self.routing.rule().around().is_some()
    }

    /// The relation on the links that are not closed, in which routers may be left apart; `None` if the
    /// rule finds no routes around failures.
    ///
    /// # Errors
    /// The reason why there are too many routes, or none within a connected part.
    pub fn around(&self, closed: &[ChannelId]) -> Option<Result<Self, Misfit>> {
        let around = self.routing.rule().around()?;
        // Heads under way have no arrival that a table of next hops by arrivals would know.
        if closed.is_empty() && !self.reads_arrival {
            let routes = self.on.routes.as_deref().cloned().map(remaining::completed);
            let on = Prepared { routes: routes.map(Arc::new), ..self.on.clone() };
            return Some(Ok(Self { on, ..self.clone() }));
        }
        let network = self.on.network.avoiding(closed);
        Some(remaining::routes(&around, &network).map(|routes| self.with_routes(routes)))
    }

    /// Follows routes, with the classes of VCs of the rule.
    fn with_routes(&self, routes: Routes) -> Self {
        let classes = self.classes / usize::from(self.message_classes());
        let placement = Placement {
            routing: self.routing.clone(),
            needs: Needs::new(classes as u32, "the routes name the classes of the rule"),
            rule: Arc::new(Follow),
            routes: Some(Arc::new(routes)),
        };
        let relation = Self::of(placement, Arc::clone(&self.on.network), self.virtual_channels);
        if self.message_vcs.is_empty() { relation } else { relation.apart(&self.message_vcs) }
    }

    /// The header of a message that continues from a router by this relation, whatever routed it before.
    pub fn onward(&self, at: RouterId, destination: NodeId, header: &Header) -> Header {
        let mut onward = Header { source: at, ..*header };
        if let Some(routes) = &self.on.routes {
            let to = header.destination;
            let seats = [0, self.on.network.seat(destination)];
            if let Some(route) = routes.settled([at, to], seats) {
                let rest = header.route_bits & super::REST;
                onward.route_bits = routes.bits_for(at, to, route) | rest;
            }
        }
        onward
    }

    /// True if a head at a router can be routed to its destination.
    pub fn leads_on(&self, at: RouterId, header: &Header) -> bool {
        if at == header.destination {
            return true;
        }
        if let Some(routes) = &self.on.routes {
            return routes.count(at, header.destination) > 0;
        }
        // Rows of a table may be missing at routers to which no message from a source came before.
        let mut found = vec![at];
        let mut candidates = Vec::new();
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            next += 1;
            self.candidates(super::Stop::start(at), header, &mut candidates);
            if candidates.is_empty() {
                return false;
            }
            for candidate in &candidates {
                let to = self.on.network.channel(candidate.channel).to;
                if to != header.destination && !found.contains(&to) {
                    found.push(to);
                }
            }
        }
        true
    }

    /// The pairs of nodes without a route.
    pub fn unreachable_pairs(&self) -> u64 {
        let Some(routes) = &self.on.routes else { return 0 };
        let network = &self.on.network;
        let hosts = |at: RouterId| network.terminals_at(at) as u64;
        routes.missing(network).into_iter().map(|(from, to)| hosts(from) * hosts(to)).sum()
    }
}

/// Follows given routes.
#[derive(Debug)]
struct Follow;

impl Algorithm for Follow {
    const NAME: &'static str = "routes around failures";
    const HELP: &'static str = "Follows routes found after failures.";
    const MINIMAL: bool = false;

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(Needs::ONE)
    }

    #[inline]
    fn candidates(&self, step: Step<'_>) {
        step.on.follow(step.at, step.header, step.found);
    }
}
