//! Edge lists.

use std::fmt::Write;

use super::{arrangement, attributes, cables, decimal, host_name, place, router_name};
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
    let name = |router: u32| quoted(router_name(network, router));
    for router in 0..network.routers() as u32 {
        let at = place(network, RouterId(router));
        let at = at.map(|at| format!("{},{}", decimal(at.x), decimal(at.y)));
        let value = |wanted: &str| {
            let mut all = arrangement(network, RouterId(router));
            all.find(|(name, _)| *name == wanted).map(|(_, value)| quoted(value))
        };
        let [group, level] = ["group", "level"].map(|wanted| value(wanted).unwrap_or_default());
        let row =
            ["router", &name(router), &at.unwrap_or(",".to_owned()), &group, &level].join(",");
        let _ = writeln!(out, "{}", row.trim_end_matches(','));
    }
    for cable in cables {
        let _ = write!(out, "{},{}", name(cable.from), name(cable.to));
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
    for node in (0..network.nodes()).map(NodeId::new) {
        let host = quoted(host_name(network, node));
        let _ = writeln!(out, "host,{host},{}", name(network.router_of(node).0));
    }
    out
}

/// A value of an edge list, in quotes if necessary.
pub(super) fn quoted(value: String) -> String {
    let plain = !value.contains([',', '"', '#']) && value.trim() == value;
    if plain { value } else { format!("\"{}\"", value.replace('"', "\"\"")) }
}
