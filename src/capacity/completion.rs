//! Least time in which all messages of a script can be delivered.

use std::collections::HashMap;

use super::Capacity;
use crate::system::System;
use crate::traffic::script::Event;

/// Maximum number of distances, from every router that sends to every router.
const DISTANCES_MAX: usize = 1 << 26;

/// Cycles that the delivery of all messages takes at least.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Completion {
    /// Cycles until the last delivery if no message is held up by another that it does not await;
    /// `None` if links have a pace of their own, the network is too large, or the messages are read in
    /// blocks.
    pub alone: Option<u64>,
    /// Cycles for which the bottleneck of the capacity is busy, with routes as often as drawn on
    /// average.
    pub busiest: Option<f64>,
}

impl Completion {
    /// The least time of a system with a script; `None` for random messages.
    pub fn of(system: &System, capacity: Option<&Capacity>) -> Option<Self> {
        let script = system.traffic.script.as_ref()?;
        let traffic = &system.traffic;
        let flits = if traffic.classes.have_replies() {
            script.len() as f64 * traffic.flits_per_arrival()
        } else {
            script.flits() as f64
        };
        let each = flits / system.network.nodes() as f64;
        let busiest = capacity.map(|capacity| each / capacity.load.0);
        Some(Self { alone: alone(system), busiest })
    }
}

/// The last delivery of messages that only wait for those that they await, on shortest paths.
fn alone(system: &System) -> Option<u64> {
    let (script, network) = (system.traffic.script.as_ref()?, &system.network);
    let machine = system.wormhole().filter(|_| !network.has_paced_links())?;
    let mut distances = HashMap::new();
    let mut known = 0;
    let mut enough = true;
    let last = script.last_delivery(|message, event| {
        if event == Event::Started {
            return 1;
        }
        let ends = [message.source, message.destination].map(|node| network.router_of(node));
        let distance = match network.grid() {
            Some(grid) => grid.distance(ends[0], ends[1]),
            None if !enough => 0,
            None => {
                let from = distances.entry(ends[0]).or_insert_with(|| {
                    known += network.routers();
                    network.distances(ends[0])
                });
                enough = known <= DISTANCES_MAX;
                from[ends[1].index()]
            }
        };
        let hops = distance + machine.terminal_hops();
        match event {
            Event::Sent => machine.sending(message.length, hops) + 1,
            Event::Started | Event::Delivered => machine.transfer(message.length, hops),
        }
    });
    last.filter(|_| enough)
}

#[cfg(test)]
mod tests;
