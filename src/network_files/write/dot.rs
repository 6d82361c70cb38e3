//! Graphs of Graphviz: routers with their number of hosts, links with their attributes.

use std::fmt::Write;

use super::{attributes, cables, decimal, place, router_name};
use crate::ids::RouterId;
use crate::text::count;
use crate::topology::Network;

/// The graph of a network. An edge without a direction is a link each way.
pub(super) fn text(network: &Network) -> String {
    let mut out = String::from("digraph network {\n  node [shape=box];\n");
    for router in (0..network.routers()).map(RouterId::new) {
        let name = router_name(network, router.0).replace('\\', "/").replace('"', "'");
        let hosts = count(network.terminals_at(router), "host", "hosts");
        let place = place(network, router)
            .map_or(String::new(), |at| format!(", pos=\"{},{}!\"", decimal(at.x), decimal(at.y)));
        let _ = writeln!(out, "  s{} [label=\"{name}\\n{hosts}\"{place}];", router.0);
    }
    for cable in cables(network) {
        let given: Vec<String> =
            attributes(&cable).iter().map(|(name, value)| format!("{name} {value}")).collect();
        let mut styles: Vec<String> = Vec::new();
        if !cable.one_way {
            styles.push("dir=none".into());
        }
        if !given.is_empty() {
            styles.push(format!("label=\"{}\"", given.join(", ")));
        }
        let styles =
            if styles.is_empty() { String::new() } else { format!(" [{}]", styles.join(", ")) };
        let _ = writeln!(out, "  s{} -> s{}{styles};", cable.from, cable.to);
    }
    out + "}\n"
}
