//! Offsets: every node sends to the node a fixed distance ahead in coordinates.

use std::collections::BTreeMap;

use crate::ids::{NodeId, RouterId};
use crate::text::count;
use crate::topology::Network;
use crate::words::Misfit;

/// Numbers added to the coordinates of a node's router, one per level; missing numbers are 0. A
/// coordinate beyond the last value of its level continues at 0, in a mesh too. A host sends to
/// the host at the same position of the resulting router.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Offset(pub Vec<i32>);

impl Offset {
    /// The destination of every node, or the reason for having none.
    pub(super) fn images(&self, network: &Network) -> Result<Vec<NodeId>, Misfit> {
        let Self(steps) = self;
        let Some(labels) = network.labels() else {
            return Misfit::because(
                "`Offset` is added to coordinates, and these switches have none",
                "write the destinations as `Pairs`, or the switches as a `SwitchGrid`",
            );
        };
        let levels = labels.levels();
        if steps.len() > levels.len() {
            let names: Vec<&str> = levels.iter().map(|level| level.name.as_str()).collect();
            let what = format!(
                "`Offset` has {}, and the routers of this {} have {} ({})",
                count(steps.len(), "number", "numbers"),
                network.name(),
                count(levels.len(), "coordinate", "coordinates"),
                names.join(", ")
            );
            return Misfit::because(what, format!("write {} or fewer", levels.len()));
        }
        let step = |level: usize| steps.get(level).copied().unwrap_or_default();
        let sizes = || levels.iter().map(|level| i64::from(level.size)).enumerate();
        if sizes().all(|(level, size)| i64::from(step(level)) % size == 0) {
            return Misfit::because(
                "this offset leads every node back to itself: nobody would send",
                "write a number that is no multiple of the values of its coordinate",
            );
        }
        let mut routers = BTreeMap::new();
        for router in (0..network.routers()).map(RouterId::new).rev() {
            routers.insert(labels.of(router), router);
        }
        let image = |host: NodeId| {
            let from = network.router_of(host);
            let shift = |((level, size), &at): ((usize, i64), &u16)| {
                (i64::from(at) + i64::from(step(level))).rem_euclid(size) as u16
            };
            let to: Vec<u16> = sizes().zip(labels.of(from)).map(shift).collect();
            let hosts = routers.get(&to[..]).map_or(&[][..], |&to| network.hosts_at(to));
            hosts.get(network.seat(host) as usize).copied().ok_or_else(|| {
                let to: Vec<String> = to.iter().map(ToString::to_string).collect();
                let what = format!(
                    "`Offset` sends {} to the host in its place at router ({}), which has {}",
                    network.node_name(host),
                    to.join(","),
                    count(hosts.len(), "host", "hosts")
                );
                let help = "attach the same number of hosts to these routers, or write `Pairs`";
                Misfit { what, help: help.into(), field: None }
            })
        };
        (0..network.nodes()).map(NodeId::new).map(image).collect()
    }

    /// Display name: `offset (0,1)`.
    pub(super) fn name(&self) -> String {
        let steps: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        format!("offset ({})", steps.join(","))
    }
}

#[cfg(test)]
mod tests;
