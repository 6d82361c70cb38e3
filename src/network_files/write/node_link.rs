//! Node-link JSON.

use std::fmt::Write;

use super::{attributes, cables, decimal, host_names, hosts_ascend, place};
use crate::ids::RouterId;
use crate::topology::Network;

/// The node-link JSON of a network: undirected if every link has an equal one back.
pub(super) fn text(network: &Network) -> String {
    let cables = cables(network);
    let directed = cables.iter().any(|cable| cable.one_way);
    let mut out = format!(
        "{{\n  \"directed\": {directed},\n  \"multigraph\": true,\n  \"graph\": {{}},\n  \"nodes\": [\n"
    );
    let ascend = hosts_ascend(network);
    let nodes = (0..network.routers()).map(RouterId::new).map(|router| {
        let mut node = format!("    {{\"id\": \"s{}\"", router.0);
        if let Some(at) = place(network, router) {
            let _ = write!(node, ", \"x\": {}, \"y\": {}", decimal(at.x), decimal(at.y));
        }
        let _ = write!(node, ", \"endpoints\": {}", network.terminals_at(router));
        if !ascend && network.terminals_at(router) > 0 {
            let _ = write!(node, ", \"host_names\": \"{}\"", host_names(network, router));
        }
        node + "}"
    });
    out += &nodes.collect::<Vec<_>>().join(",\n");
    out += "\n  ],\n  \"edges\": [\n";
    let edges = cables.iter().flat_map(|cable| {
        let given = attributes(cable);
        let inside: Vec<String> =
            given.iter().map(|(name, value)| format!(", \"{name}\": {value}")).collect();
        let inside = inside.concat();
        let edge =
            |from, to| format!("    {{\"source\": \"s{from}\", \"target\": \"s{to}\"{inside}}}");
        let back = (directed && !cable.one_way).then(|| edge(cable.to, cable.from));
        std::iter::once(edge(cable.from, cable.to)).chain(back)
    });
    out += &edges.collect::<Vec<_>>().join(",\n");
    out + "\n  ]\n}\n"
}
