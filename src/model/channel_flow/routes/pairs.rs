//! Flows by following every pair of nodes by itself: for any rule that leaves a message one route.

use super::super::servers::{Servers, add_step};
use crate::model::Unsolved;
use crate::model::routes::{Trip, follow};
use crate::routing::Candidate;
use crate::system::System;

/// Follows one route and adds its share to all it meets; `candidates` is storage.
pub(super) fn walk(
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
        hops += share;
    })?;
    let ejection = servers.ejection(destination);
    step(servers, ejection);
    let source = &mut servers.sources[source.index()];
    source.share += share;
    source.hops += hops;
    Ok(())
}
