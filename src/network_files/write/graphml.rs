//! GraphML.

use std::fmt::Write;

use super::{
    arrangement, attributes, cables, decimal, has_group_names, host_names, place, router_name,
};
use crate::ids::RouterId;
use crate::topology::Network;

/// Keys: name, element and type.
const KEYS: &[(&str, &str, &str)] = &[
    ("x", "node", "double"),
    ("y", "node", "double"),
    ("group", "node", "int"),
    ("level", "node", "int"),
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
        let named = *name == "group" && has_group_names(network);
        let kind = if named { "string" } else { kind };
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
    let name = |router: u32| escaped(&router_name(network, router));
    for router in (0..network.routers()).map(RouterId::new) {
        let mut inside = String::new();
        if let Some(at) = place(network, router) {
            inside += &data("x", &decimal(at.x));
            inside += &data("y", &decimal(at.y));
        }
        inside
            .extend(arrangement(network, router).map(|(name, value)| data(name, &escaped(&value))));
        inside += &data("endpoints", &network.terminals_at(router).to_string());
        if let Some(names) = host_names(network, router) {
            inside += &data("host_names", &escaped(&names));
        }
        let _ = writeln!(out, "    <node id=\"{}\">{inside}</node>", name(router.0));
    }
    for cable in cables {
        let way = if cable.one_way && !directed { " directed=\"true\"" } else { "" };
        let (from, to) = (name(cable.from), name(cable.to));
        let ends = format!("source=\"{from}\" target=\"{to}\"{way}");
        let inside: String =
            attributes(&cable).iter().map(|(name, value)| data(name, &value.to_string())).collect();
        let _ = match inside.as_str() {
            "" => writeln!(out, "    <edge {ends}/>"),
            inside => writeln!(out, "    <edge {ends}>{inside}</edge>"),
        };
    }
    out + "  </graph>\n</graphml>\n"
}

/// A text without the characters that XML reserves.
fn escaped(text: &str) -> String {
    let (text, signs) =
        (text.replace('&', "&amp;"), [('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;")]);
    signs.into_iter().fold(text, |text, (sign, entity)| text.replace(sign, entity))
}
