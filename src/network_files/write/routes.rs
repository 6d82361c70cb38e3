//! Tables of routes, as [`read_routes`](crate::network_files::read_routes) reads them.

use std::fmt::Write;

use super::csv::quoted;
use crate::ids::RouterId;
use crate::routing::source_routes::{Hop, Routes};
use crate::topology::Network;

/// The routes between all routers with hosts, each with a class of VCs for every hop.
pub fn routes_text(network: &Network, routes: &Routes) -> String {
    let name = |at: RouterId| match network.switches() {
        Some(_) => network.router_name(at),
        None => at.0.to_string(),
    };
    let mut out = String::from("source,destination,route,vcs\n");
    let all = || network.host_routers();
    for (from, to) in all().flat_map(|from| all().map(move |to| (from, to))) {
        for route in (0..routes.count(from, to)).map(|route| routes.route(from, to, route)) {
            let mut path = name(from);
            let mut vcs = String::new();
            for (index, &Hop { channel, class, .. }) in route.iter().enumerate() {
                let end = name(network.channel(channel).to);
                let _ = write!(path, ">{end}{}", network.parallel_mark(channel));
                let _ = write!(vcs, "{}{class}", if index > 0 { ">" } else { "" });
            }
            let ends = [from, to].map(|at| quoted(name(at)));
            if from != to {
                let _ = writeln!(out, "{},{},{},{vcs}", ends[0], ends[1], quoted(path));
            }
        }
    }
    out
}
