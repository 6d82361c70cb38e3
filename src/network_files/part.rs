//! A part of a network: some of its routers, links and hosts, with their names.

use super::Graph;
use super::write::cables;
use crate::ids::{NodeId, RouterId};
use crate::topology::Network;
use crate::topology::switches::{Arrangement, Cable, Names};

impl Graph {
    /// The given routers and hosts, in ascending order, with all links between them for which `kept` is
    /// true. Groups and levels of routers remain, and places are left to the layout.
    pub fn part(
        network: &Network,
        routers: &[RouterId],
        hosts: &[NodeId],
        kept: impl Fn(&Cable) -> bool,
    ) -> Self {
        let number =
            |router: u32| routers.binary_search(&RouterId(router)).ok().map(|it| it as u32);
        let cables = cables(network).into_iter().filter(kept).filter_map(|cable| {
            Some(Cable { from: number(cable.from)?, to: number(cable.to)?, ..cable })
        });
        let groups: Option<Vec<u32>> =
            routers.iter().map(|&at| network.group_of(at).map(u32::from)).collect();
        let groups_named = network.switches().map_or(&[][..], |it| &it.names().groups);
        let all_groups = groups.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        Self {
            routers: routers.len(),
            cables: cables.collect(),
            hosts: hosts.iter().filter_map(|&host| number(network.router_of(host).0)).collect(),
            arrangement: Arrangement {
                places: None,
                groups,
                levels: routers.iter().map(|&at| network.level_of(at)).collect(),
            },
            names: Names {
                routers: routers.iter().map(|&router| network.router_name(router)).collect(),
                hosts: hosts.iter().map(|&host| network.node_name(host)).collect(),
                groups: groups_named.iter().take(all_groups).cloned().collect(),
            },
        }
    }
}
