//! Writers: any network as an edge list, GraphML, node-link JSON or a graph of Graphviz.
//!
//! Routers without given names are called `s0`, `s1`..., hosts `h0`, `h1`.... The readers of this library read back equal
//! links, hosts and places.

mod csv;
mod dot;
mod graphml;
mod node_link;
mod routes;

pub use routes::{routes_text, rows_text};

use crate::ids::{NodeId, RouterId};
use crate::topology::Network;
use crate::topology::attributes::Attributes;
use crate::topology::switches::{Cable, Place};

/// A format of files.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    /// The name, which is also the extension of files.
    pub name: &'static str,
    /// Description.
    pub help: &'static str,
    /// The text of a network.
    pub write: fn(&Network) -> String,
}

/// All formats that are written.
pub const WRITERS: &[Writer] = &[
    Writer { name: "csv", help: "An edge list", write: csv::text },
    Writer { name: "graphml", help: "GraphML, for NetworkX and many others", write: graphml::text },
    Writer { name: "json", help: "Node-link JSON, for NetworkX", write: node_link::text },
    Writer { name: "dot", help: "A graph of Graphviz, for drawing", write: dot::text },
];

/// The links of a network; equal links in both directions are joined.
pub fn cables(network: &Network) -> Vec<Cable> {
    let mut cables: Vec<Cable> = Vec::new();
    for router in (0..network.routers()).map(RouterId::new) {
        let mut neighbours: Vec<RouterId> = network.neighbours(router).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        for neighbour in neighbours {
            let there = bundle(network, router, neighbour);
            let same = there == bundle(network, neighbour, router);
            if same && neighbour < router {
                continue;
            }
            cables.extend(there.into_iter().map(|(attributes, count)| Cable {
                from: router.0,
                to: neighbour.0,
                attributes,
                count,
                one_way: !same,
            }));
        }
    }
    cables
}

/// The links from a router to another, with the number of equal ones, in the order of the channels.
fn bundle(network: &Network, from: RouterId, to: RouterId) -> Vec<(Attributes, u32)> {
    let mut found: Vec<(Attributes, u32)> = Vec::new();
    for channel in network.outputs(from).iter().map(|&channel| network.channel(channel)) {
        match found.iter_mut().find(|known| known.0 == channel.attributes) {
            _ if channel.to != to => {}
            Some(known) => known.1 += 1,
            None => found.push((channel.attributes, 1)),
        }
    }
    found
}

/// The place of a router; for a grid of one or two dimensions that of its coordinates.
fn place(network: &Network, router: RouterId) -> Option<Place> {
    if let Some(switches) = network.switches() {
        return Some(switches.place(router));
    }
    let labels = network.labels().filter(|labels| labels.levels().len() <= 2)?;
    let thousands = |level| 1000 * labels.of(router).get(level).map_or(0, |&at| i32::from(at));
    Some(Place { x: thousands(0), y: thousands(1) })
}

/// The group and the level of a router, by the names of attributes.
fn arrangement(
    network: &Network,
    router: RouterId,
) -> impl Iterator<Item = (&'static str, String)> {
    let group = network.group_of(router).map(|group| network.group_name(group));
    let level = network.level_of(router).map(|level| level.to_string());
    group.map(|it| ("group", it)).into_iter().chain(level.map(|it| ("level", it)))
}

/// True if groups have given names.
fn has_group_names(network: &Network) -> bool {
    network.switches().is_some_and(|switches| !switches.names().groups.is_empty())
}

/// A coordinate as a number: `1.5`.
fn decimal(thousandths: i32) -> String {
    format!("{}", f64::from(thousandths) / 1000.0)
}

/// The routers of all hosts ascend: their numbers say all.
fn hosts_ascend(network: &Network) -> bool {
    let router = |node| network.router_of(NodeId::new(node));
    (1..network.nodes()).all(|node| router(node - 1) <= router(node))
}

/// The name of a router.
pub(super) fn router_name(network: &Network, router: u32) -> String {
    match network.switches() {
        Some(_) => network.router_name(RouterId(router)),
        None => format!("s{router}"),
    }
}

/// The name of a host.
fn host_name(network: &Network, host: NodeId) -> String {
    match network.switches() {
        Some(_) => network.node_name(host),
        None => format!("h{}", host.0),
    }
}

/// True if hosts have given names, which a comma can separate.
fn has_host_names(network: &Network) -> bool {
    let names = network.switches().map_or(&[][..], |switches| &switches.names().hosts);
    !names.is_empty() && !names.iter().any(|name| name.contains(','))
}

/// The names of a router's hosts, separated by commas; `None` if their number is sufficient.
fn host_names(network: &Network, router: RouterId) -> Option<String> {
    let given = has_host_names(network);
    let name =
        |&host: &NodeId| if given { host_name(network, host) } else { format!("h{}", host.0) };
    let names: Vec<String> = network.hosts_at(router).iter().map(name).collect();
    (!names.is_empty() && (given || !hosts_ascend(network))).then(|| names.join(","))
}

/// The attributes of a cable that are no defaults, by their names in files.
fn attributes(cable: &Cable) -> Vec<(&'static str, u32)> {
    let Attributes { delay, cycles_per_flit, kind } = cable.attributes;
    let all = [
        ("delay", delay.map_or(0, |delay| u32::from(delay.get())), 0),
        ("rate", u32::from(cycles_per_flit), 1),
        ("count", cable.count, 1),
        ("kind", u32::from(kind), 0),
    ];
    let given = all.into_iter().filter(|(_, value, default)| value != default);
    given.map(|(name, value, _)| (name, value)).collect()
}

#[cfg(test)]
mod tests;
