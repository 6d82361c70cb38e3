//! Names of routers, terminals, channels, groups and networks.

use super::cube::Cube;
use super::{Channel, Network, Role};
use crate::ids::{ChannelId, NodeId, RouterId};

impl Network {
    /// The channel's name for people: where it starts and which way it goes, as `(4,2)+Y`; for
    /// those of terminals `(4,2)in` and `(4,2)out`. Between switches `s3→s7`, `h12→s3`, `s3→h12`.
    pub fn channel_name(&self, channel: ChannelId) -> String {
        let Channel { from, to, role, .. } = self.channel(channel);
        let router = self.router_name(from);
        let host = self.terminal_of(channel).map_or_else(String::new, |node| self.node_name(node));
        match (self.cube(), role) {
            (Some(_), Role::Link) => router + &self.heading(channel, from),
            (Some(_), Role::Injection) => router + "in",
            (Some(_), Role::Ejection) => router + "out",
            (None, Role::Link) => {
                format!("{router}→{}{}", self.router_name(to), self.parallel_mark(channel))
            }
            (None, Role::Injection) => format!("{host}→{router}"),
            (None, Role::Ejection) => format!("{router}→{host}"),
        }
    }

    /// The end of the name of a link that has others beside it, as `/2` for the second; nothing for the first.
    pub fn parallel_mark(&self, link: ChannelId) -> String {
        let Channel { from, to, .. } = self.channel(link);
        let before = self.outputs(from).iter().take_while(|&&other| other < link);
        match before.filter(|&&other| self.channel(other).to == to).count() {
            0 => String::new(),
            before => format!("/{}", before + 1),
        }
    }

    /// The direction of a channel that begins or ends at router `here`: as `+X`; from or to
    /// a host or another switch, its name.
    pub fn heading(&self, channel: ChannelId, here: RouterId) -> String {
        match (self.terminal_of(channel), self.cube()) {
            (Some(host), _) => self.node_name(host),
            (None, Some(cube)) => {
                let (dimension, sign) = cube.direction(channel);
                Cube::direction_name(dimension, sign)
            }
            (None, None) => {
                let Channel { from, to, .. } = self.channel(channel);
                let there = self.router_name(if from == here { to } else { from });
                there + &self.parallel_mark(channel)
            }
        }
    }

    /// The router's name for people: its coordinates, as `(4,2)`; that of a switch, as `s3` unless
    /// given.
    pub fn router_name(&self, router: RouterId) -> String {
        if let Some(cube) = self.cube() {
            return cube.router_name(router);
        }
        let given = self.switches().and_then(|it| it.names().routers.get(router.index()));
        given.cloned().unwrap_or_else(|| format!("s{}", router.0))
    }

    /// The terminal's name for people: that of its router, or of the host, as `h12` unless given.
    pub fn node_name(&self, node: NodeId) -> String {
        let Some(switches) = self.switches() else {
            return self.router_name(self.router_of(node));
        };
        let given = switches.names().hosts.get(node.index());
        given.cloned().unwrap_or_else(|| format!("h{}", node.0))
    }

    /// A group's name for people: its number unless given.
    pub fn group_name(&self, group: u16) -> String {
        let given = self.switches().and_then(|it| it.names().groups.get(usize::from(group)));
        given.cloned().unwrap_or_else(|| group.to_string())
    }

    /// The network for people: `8x8 torus`, `3x3 torus of switches, 36 hosts`.
    pub fn name(&self) -> String {
        let grid = self.grid();
        match &self.switches {
            None => grid.map_or_else(String::new, Cube::name),
            Some(switches) => {
                let grid = grid.map(Cube::name_of_switches);
                switches.name(grid, self.routers, self.nodes())
            }
        }
    }

    /// The network for people, pointed at: `this 8x8 torus`, `these 24 switches, 48 hosts`.
    pub fn pointed_at(&self) -> String {
        let name = self.name();
        let number: Option<usize> = name.split(' ').next().and_then(|word| word.parse().ok());
        let several = number.is_some_and(|number| number > 1);
        format!("{} {name}", if several { "these" } else { "this" })
    }
}
