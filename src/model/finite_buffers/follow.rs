//! The routes of a system, each followed once through the routing relation from injection to ejection
//! channel.

use super::routes::{Link, Routes};
use crate::ids::ChannelId;
use crate::model::Unsolved;
use crate::model::routes::{Trip, follow, for_each_source, trips};
use crate::system::System;

/// All routes of `system`, which has injection and ejection channels; each channel takes `delay`
/// cycles.
pub(super) fn routes(system: &System, delay: u32) -> Result<Routes, Unsolved> {
    let network = &system.network;
    let links = network.channels().iter().map(|channel| Link { role: channel.role, delay });
    let mut routes = Routes::new(links.collect());
    let (mut route, mut candidates): (Vec<ChannelId>, _) = (Vec::new(), Vec::new());
    for_each_source(system, |source, shares| {
        for trip in trips(system, source, shares).flatten() {
            let Trip { source, destination, share, .. } = trip;
            route.clear();
            route.extend(network.injection_of(source));
            let routing = "routes that are fixed at the source";
            follow(system, trip, &mut candidates, routing, |link| route.push(link.channel))?;
            route.extend(network.ejection_of(destination));
            routes.add(&route, share);
        }
        Ok(())
    })?;
    Ok(routes)
}
