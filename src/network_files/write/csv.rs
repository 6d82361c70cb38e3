//! Edge lists.

use std::fmt::Write;

use super::{attributes, cables, decimal, place};
use crate::ids::{NodeId, RouterId};
use crate::topology::Network;

/// The edge list of a network.
pub(super) fn text(network: &Network) -> String {
    let cables = cables(network);
    let one_way = cables.iter().any(|cable| cable.one_way);
    let names = ["delay", "rate", "count", "kind"];
    let used = |name: &&str| {
        cables.iter().any(|cable| attributes(cable).iter().any(|(known, _)| known == name))
    };
    let mut columns: Vec<&str> = names.into_iter().filter(used).collect();
    columns.extend(one_way.then_some("one_way"));
    let mut out =
        std::iter::once("from,to").chain(columns.iter().copied()).collect::<Vec<_>>().join(",");
    out.push('\n');
    for router in 0..network.routers() {
        let _ = match place(network, RouterId::new(router)) {
            Some(at) => writeln!(out, "router,s{router},{},{}", decimal(at.x), decimal(at.y)),
            None => writeln!(out, "router,s{router}"),
        };
    }
    for cable in cables {
        let _ = write!(out, "s{},s{}", cable.from, cable.to);
        let given = attributes(&cable);
        for column in &columns {
            out.push(',');
            if let Some((_, value)) = given.iter().find(|(name, _)| name == column) {
                let _ = write!(out, "{value}");
            } else if *column == "one_way" {
                let _ = write!(out, "{}", cable.one_way);
            }
        }
        out.push('\n');
    }
    for node in 0..network.nodes() {
        let _ = writeln!(out, "host,h{node},s{}", network.router_of(NodeId::new(node)).0);
    }
    out
}
