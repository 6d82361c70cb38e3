//! Node-link JSON.

use std::fmt::Write;

use super::{
    arrangement, attributes, cables, decimal, has_group_names, host_names, place, router_name,
};
use crate::ids::RouterId;
use crate::topology::Network;

/// The node-link JSON of a network: undirected if every link has an equal one back.
pub(super) fn text(network: &Network) -> String {
    let cables = cables(network);
    let directed = cables.iter().any(|cable| cable.one_way);
    let mut out = format!(
        "{{\n  \"directed\": {directed},\n  \"multigraph\": true,\n  \"graph\": {{}},\n  \"nodes\": [\n"
    );
    let name = |router: u32| serde_json::Value::from(router_name(network, router));
    let nodes = (0..network.routers()).map(RouterId::new).map(|router| {
        let mut node = format!("    {{\"id\": {}", name(router.0));
        if let Some(at) = place(network, router) {
            let _ = write!(node, ", \"x\": {}, \"y\": {}", decimal(at.x), decimal(at.y));
        }
        for (name, value) in arrangement(network, router) {
            let named = name == "group" && has_group_names(network);
            let value = if named { serde_json::Value::from(value).to_string() } else { value };
            let _ = write!(node, ", \"{name}\": {value}");
        }
        let _ = write!(node, ", \"endpoints\": {}", network.terminals_at(router));
        if let Some(names) = host_names(network, router) {
            let _ = write!(node, ", \"host_names\": {}", serde_json::Value::from(names));
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
        let edge = |from, to| {
            let (from, to) = (name(from), name(to));
            format!("    {{\"source\": {from}, \"target\": {to}{inside}}}")
        };
        let back = (directed && !cable.one_way).then(|| edge(cable.to, cable.from));
        std::iter::once(edge(cable.from, cable.to)).chain(back)
    });
    out += &edges.collect::<Vec<_>>().join(",\n");
    out + "\n  ]\n}\n"
}
