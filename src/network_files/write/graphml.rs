//! GraphML.

use std::fmt::Write;

use super::{attributes, cables, decimal, host_names, hosts_ascend, place};
use crate::ids::RouterId;
use crate::topology::Network;

/// Keys: name, element and type.
const KEYS: &[(&str, &str, &str)] = &[
    ("x", "node", "double"),
    ("y", "node", "double"),
    ("endpoints", "node", "int"),
    ("host_names", "node", "string"),
    ("delay", "edge", "int"),
    ("rate", "edge", "int"),
    ("count", "edge", "int"),
    ("kind", "edge", "int"),
];

/// The GraphML of a network.
pub(super) fn text(network: &Network) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for (name, of, kind) in KEYS {
        let _ = writeln!(
            out,
            "  <key id=\"{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
        );
    }
    let cables = cables(network);
    let directed = cables.iter().all(|cable| cable.one_way) && !cables.is_empty();
    let default = if directed { "directed" } else { "undirected" };
    let _ = writeln!(out, "  <graph edgedefault=\"{default}\">");
    let data = |key: &str, value: &str| format!("<data key=\"{key}\">{value}</data>");
    let ascend = hosts_ascend(network);
    for router in (0..network.routers()).map(RouterId::new) {
        let mut inside = String::new();
        if let Some(at) = place(network, router) {
            inside += &data("x", &decimal(at.x));
            inside += &data("y", &decimal(at.y));
        }
        inside += &data("endpoints", &network.terminals_at(router).to_string());
        if !ascend && network.terminals_at(router) > 0 {
            inside += &data("host_names", &host_names(network, router));
        }
        let _ = writeln!(out, "    <node id=\"s{}\">{inside}</node>", router.0);
    }
    for cable in cables {
        let way = if cable.one_way && !directed { " directed=\"true\"" } else { "" };
        let ends = format!("source=\"s{}\" target=\"s{}\"{way}", cable.from, cable.to);
        let inside: String =
            attributes(&cable).iter().map(|(name, value)| data(name, &value.to_string())).collect();
        let _ = match inside.as_str() {
            "" => writeln!(out, "    <edge {ends}/>"),
            inside => writeln!(out, "    <edge {ends}>{inside}</edge>"),
        };
    }
    out + "  </graph>\n</graphml>\n"
}
