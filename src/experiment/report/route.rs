//! The results of `route`, as a row and for people.

use super::row;
use crate::experiment::sheet::Sheet;
use crate::ids::{ChannelId, RouterId};
use crate::routing::dependency::{Proof, Verdict};
use crate::routing::source_routes::Routes;
use crate::topology::Network;

row! {
    /// The figures of synthesised routes.
    RouteRow {
        /// The network's name.
        network: String,
        /// The number of routers with hosts.
        routers: usize,
        /// Virtual channels of every link used by the routes.
        virtual_channels: u32,
        /// True if the routes were proven free of deadlock.
        deadlock_free: bool,
        /// Dependencies between virtual channels, along all of which the certificate rises.
        dependencies: u64,
        /// Mean hops of a route, over all pairs of hosts at different routers.
        hops_mean: f64,
        /// Hops of the longest route.
        hops_max: u32,
        /// Mean hops of the shortest routes without regard to deadlock.
        shortest_mean: f64,
        /// Hops of the longest of these.
        shortest_max: u32,
        /// The link with the highest load.
        busiest_channel: String,
        /// Its load in flits per cycle for one flit per node and cycle to uniform destinations,
        /// relative to its rate.
        busiest_load: f64,
        /// The load at which this link is full, flits per node and cycle.
        capacity_load: f64,
    }
}

impl RouteRow {
    /// The figures of routes on a network, with their proof.
    pub fn of(network: &Network, routes: &Routes, proof: &Proof) -> Self {
        let ends: Vec<RouterId> = network.host_routers().collect();
        let mut loads = vec![0.0; network.links()];
        let (mut pairs, mut hops, mut shortest) = (0, 0.0, 0);
        let (mut hops_max, mut shortest_max) = (0, 0);
        for &from in &ends {
            let distances = network.distances(from);
            for &to in ends.iter().filter(|to| **to != from) {
                let share = network.terminals_at(from) * network.terminals_at(to);
                let least = distances[to.index()];
                shortest += share * least as usize;
                pairs += share;
                shortest_max = shortest_max.max(least);
                let count = routes.count(from, to);
                let each = share as f64 / f64::from(count);
                for route in (0..count).map(|route| routes.route(from, to, route)) {
                    hops_max = hops_max.max(route.len() as u32);
                    hops += each * route.len() as f64;
                    for hop in route {
                        let rate = network.channel(hop.channel).attributes.cycles_per_flit;
                        loads[hop.channel.index()] += each * f64::from(rate);
                    }
                }
            }
        }
        let each = 1.0 / (network.nodes() - 1) as f64;
        let fuller = |best: usize, link: usize| if loads[link] > loads[best] { link } else { best };
        let busiest = (0..loads.len()).reduce(fuller);
        let busiest_load = busiest.map_or(0.0, |link| loads[link] * each);
        let mean = |sum: f64| if pairs == 0 { 0.0 } else { sum / pairs as f64 };
        Self {
            network: network.name(),
            routers: ends.len(),
            virtual_channels: proof.virtual_channels_used,
            deadlock_free: matches!(proof.verdict, Verdict::Free { .. }),
            dependencies: proof.dependencies,
            hops_mean: mean(hops),
            hops_max,
            shortest_mean: mean(shortest as f64),
            shortest_max,
            busiest_channel: busiest
                .map_or(String::new(), |link| network.channel_name(ChannelId::new(link))),
            busiest_load,
            capacity_load: if busiest_load > 1.0 { 1.0 / busiest_load } else { 1.0 },
        }
    }
}

/// The figures of routes, for people.
pub fn route_table(row: &RouteRow) -> String {
    let mut lines = Sheet::default();
    lines.line(&format!("{}: routes between {} routers", row.network, row.routers));
    let proof = if row.deadlock_free { "none can occur" } else { "not proven impossible" };
    lines.entry("deadlock", proof);
    let certificate =
        format!("{} dependencies between virtual channels, none in a cycle", row.dependencies);
    if row.deadlock_free {
        lines.entry("certificate", &certificate);
    }
    lines.entry("virtual channels", &format!("{} in use", row.virtual_channels));
    let hops = |mean: f64, most: u32| format!("{mean:.3} on average, {most} at most");
    lines.entry("hops", &hops(row.hops_mean, row.hops_max));
    lines.entry("of shortest routes", &hops(row.shortest_mean, row.shortest_max));
    let busiest = format!("{} {:.4}", row.busiest_channel, row.busiest_load);
    lines.entry("busiest at load 1", &busiest);
    lines.entry("capacity", &format!("at most {:.4}", row.capacity_load));
    lines.text()
}
