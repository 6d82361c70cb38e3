//! Tables of routes, as [`read_routes`](crate::network_files::read_routes) reads them.

use std::fmt::Write;

use super::csv::quoted;
use crate::ids::{ChannelId, RouterId};
use crate::routing::rows::{Contents, From, GivenRoute, NextHop, Rows};
use crate::routing::source_routes::Routes;
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
            if from != to {
                let hops = route.iter().map(|hop| (hop.channel, hop.class));
                write_route(&mut out, network, [from, to], hops, name);
            }
        }
    }
    out
}

/// Adds a route by the names of routers.
fn write_route(
    out: &mut String,
    network: &Network,
    [from, to]: [RouterId; 2],
    hops: impl Iterator<Item = (ChannelId, u8)>,
    name: impl Fn(RouterId) -> String,
) {
    let (mut path, mut vcs) = (name(from), String::new());
    for (index, (link, class)) in hops.enumerate() {
        let end = name(network.channel(link).to);
        let _ = write!(path, ">{end}{}", network.parallel_mark(link));
        let _ = write!(vcs, "{}{class}", if index > 0 { ">" } else { "" });
    }
    let [from, to] = [from, to].map(|at| quoted(name(at)));
    let _ = writeln!(out, "{from},{to},{},{vcs}", quoted(path));
}

/// The rows of a table between routers for which `kept` is true, by the names of routers.
pub fn rows_text(network: &Network, rows: &Rows, kept: impl Fn(RouterId) -> bool) -> String {
    let name = |at: RouterId| quoted(network.router_name(at));
    let end =
        |link: ChannelId, at: RouterId| network.router_name(at) + &network.parallel_mark(link);
    let in_part = |link: ChannelId| {
        let link = network.channel(link);
        kept(link.from) && kept(link.to)
    };
    let class = |class: Option<u8>| class.map_or_else(String::new, |class| class.to_string());
    let mut out = String::new();
    match rows.contents() {
        Contents::Hops(hops) => {
            let classed = hops.iter().any(|hop| hop.class.is_some());
            let arriving = hops.iter().any(|hop| hop.from != From::Anywhere);
            let from_classed = hops.iter().any(|hop| hop.from_class.is_some());
            let columns = match (classed, arriving, from_classed) {
                (false, false, false) => "",
                (true, false, false) => ",vc",
                (_, true, false) => ",vc,from",
                (_, _, true) => ",vc,from,from_vc",
            };
            let _ = writeln!(out, "at,destination,next{columns}");
            for &NextHop { at, destination, next, class: vc, from, from_class, .. } in hops {
                let arrives = match from {
                    From::Anywhere | From::Source => true,
                    From::Link(link) => in_part(link),
                };
                if !(in_part(next) && kept(destination) && arrives) {
                    continue;
                }
                let from = match from {
                    From::Anywhere => String::new(),
                    From::Source => name(at),
                    From::Link(link) => quoted(end(link, network.channel(link).from)),
                };
                let next = quoted(end(next, network.channel(next).to));
                let (vc, from_vc) = (class(vc), class(from_class));
                let row = [name(at), name(destination), next, vc, from, from_vc].join(",");
                let _ = writeln!(out, "{}", row.trim_end_matches(','));
            }
        }
        Contents::Routes(routes) => {
            out += "source,destination,route,vcs\n";
            for GivenRoute { source, destination, hops } in routes {
                if !(kept(*source) && hops.iter().all(|&(link, _)| in_part(link))) {
                    continue;
                }
                let hops = hops.iter().copied();
                write_route(&mut out, network, [*source, *destination], hops, |at| {
                    network.router_name(at)
                });
            }
        }
    }
    out
}
