//! The network as data: terminals, routers and directed channels in one flat graph.
//!
//! Nothing here knows how messages are routed. Coordinates exist only for cubes
//! ([`cube::Cube`]) and grids of switches, where dimension order and drawing need them; other
//! switches ([`switches::Switches`]) have a place at which they are drawn.

pub mod cube;
pub mod links;
pub mod named;
pub mod switches;

use std::collections::VecDeque;

use crate::ids::{ChannelId, NodeId, RouterId};
use cube::Cube;
use switches::Switches;

/// What a channel is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// From a terminal into its router.
    Injection,
    /// From router to router.
    Link,
    /// From a router to one of its terminals.
    Ejection,
}

/// One directed physical channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// The router it leaves (for an injection channel: the router it enters).
    pub from: RouterId,
    /// The router it enters (for an ejection channel: the router it leaves).
    pub to: RouterId,
    /// What it is for.
    pub role: Role,
}

/// What is known of the network beyond its graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A torus, mesh or hypercube with coordinates.
    Cube(Cube),
    /// Switches with hosts.
    Switches(Switches),
}

/// A network: terminals attached to routers, routers joined by directed channels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    shape: Shape,
    routers: usize,
    terminals: Vec<RouterId>,
    channels: Vec<Channel>,
    outputs: Adjacency,
    inputs: Adjacency,
    /// Links come first; then, where there are any, the injection channels of all terminals, then
    /// their ejection channels.
    links: usize,
}

impl Network {
    /// Builds a network from its routers (their number), the router of each terminal, and its
    /// channels.
    pub(crate) fn new(
        shape: Shape,
        routers: usize,
        terminals: Vec<RouterId>,
        channels: Vec<Channel>,
    ) -> Self {
        let outputs = Adjacency::new(routers, channels.iter().map(|c| c.from));
        let inputs = Adjacency::new(routers, channels.iter().map(|c| c.to));
        let links = channels.len();
        debug_assert!(channels.iter().all(|channel| channel.role == Role::Link));
        Self { shape, routers, terminals, channels, outputs, inputs, links }
    }

    /// The same network with an injection and an ejection channel for every terminal.
    #[must_use]
    pub fn with_terminal_channels(mut self) -> Self {
        if self.has_terminal_channels() {
            return self;
        }
        for role in [Role::Injection, Role::Ejection] {
            let channel = |&router: &RouterId| Channel { from: router, to: router, role };
            self.channels.extend(self.terminals.iter().map(channel));
        }
        self
    }

    /// Whether terminals have injection and ejection channels.
    pub fn has_terminal_channels(&self) -> bool {
        self.channels.len() > self.links
    }

    /// The number of channels between routers; their ids come first.
    pub fn links(&self) -> usize {
        self.links
    }

    /// The injection channel of a terminal, where terminals have channels.
    pub fn injection_of(&self, node: NodeId) -> Option<ChannelId> {
        self.has_terminal_channels().then(|| ChannelId::new(self.links + node.index()))
    }

    /// The ejection channel of a terminal, where terminals have channels.
    pub fn ejection_of(&self, node: NodeId) -> Option<ChannelId> {
        let first = self.links + self.terminals.len();
        self.has_terminal_channels().then(|| ChannelId::new(first + node.index()))
    }

    /// The network's shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The cube this network is, if it is one: terminal i stands at router i.
    pub fn cube(&self) -> Option<&Cube> {
        match &self.shape {
            Shape::Cube(cube) => Some(cube),
            Shape::Switches(_) => None,
        }
    }

    /// The number of routers.
    pub fn routers(&self) -> usize {
        self.routers
    }

    /// The number of terminals.
    pub fn nodes(&self) -> usize {
        self.terminals.len()
    }

    /// The router to which a terminal is attached.
    pub fn router_of(&self, node: NodeId) -> RouterId {
        self.terminals[node.index()]
    }

    /// All channels, in the order of their ids.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// One channel.
    pub fn channel(&self, channel: ChannelId) -> Channel {
        self.channels[channel.index()]
    }

    /// The links that leave a router.
    pub fn outputs(&self, router: RouterId) -> &[ChannelId] {
        self.outputs.of(router)
    }

    /// The links that enter a router.
    pub fn inputs(&self, router: RouterId) -> &[ChannelId] {
        self.inputs.of(router)
    }

    /// The least number of hops from a router to every router, by breadth-first search over the
    /// links; `u32::MAX` where no path leads.
    pub fn distances(&self, from: RouterId) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.routers];
        distances[from.index()] = 0;
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for &channel in self.outputs(at) {
                let Channel { to, role, .. } = self.channel(channel);
                if role == Role::Link && distances[to.index()] == u32::MAX {
                    distances[to.index()] = distances[at.index()] + 1;
                    queue.push_back(to);
                }
            }
        }
        distances
    }

    /// The terminal to which an injection or ejection channel belongs; `None` for a link.
    pub fn terminal_of(&self, channel: ChannelId) -> Option<NodeId> {
        let beyond = channel.index().checked_sub(self.links)?;
        Some(NodeId::new(beyond % self.terminals.len()))
    }

    /// The channel's name for people: where it starts and which way it goes, as `(4,2)+Y`; for
    /// those of terminals `(4,2)in` and `(4,2)out`. Between switches `s3→s7`, `h12→s3`, `s3→h12`.
    pub fn channel_name(&self, channel: ChannelId) -> String {
        let row = self.channel(channel);
        match (&self.shape, row.role) {
            (Shape::Switches(_), _) => Switches::channel_name(row, self.terminal_of(channel)),
            (_, Role::Injection) => format!("{}in", self.router_name(row.from)),
            (_, Role::Ejection) => format!("{}out", self.router_name(row.from)),
            (Shape::Cube(cube), Role::Link) => cube.channel_name(row.from, channel),
        }
    }

    /// The router's name for people: its coordinates, as `(4,2)`; that of a switch, as `s3`.
    pub fn router_name(&self, router: RouterId) -> String {
        match &self.shape {
            Shape::Cube(cube) => cube.router_name(router),
            Shape::Switches(_) => Switches::switch_name(router),
        }
    }

    /// The terminal's name for people: that of its router, or of the host, as `h12`.
    pub fn node_name(&self, node: NodeId) -> String {
        match &self.shape {
            Shape::Cube(_) => self.router_name(self.router_of(node)),
            Shape::Switches(_) => Switches::host_name(node),
        }
    }

    /// The network for people: `8x8 torus`, `3x3 torus of switches, 36 hosts`.
    pub fn name(&self) -> String {
        match &self.shape {
            Shape::Cube(cube) => cube.name(),
            Shape::Switches(switches) => switches.name(),
        }
    }
}

/// For each router, a run of channel ids.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Adjacency {
    first: Vec<u32>,
    channels: Vec<ChannelId>,
}

impl Adjacency {
    fn new(routers: usize, ends: impl Iterator<Item = RouterId> + Clone) -> Self {
        let mut first = vec![0u32; routers + 1];
        for end in ends.clone() {
            first[end.index() + 1] += 1;
        }
        for router in 0..routers {
            first[router + 1] += first[router];
        }
        let mut next = first.clone();
        let mut channels = vec![ChannelId(0); first[routers] as usize];
        for (id, end) in ends.enumerate() {
            let slot = &mut next[end.index()];
            channels[*slot as usize] = ChannelId::new(id);
            *slot += 1;
        }
        Self { first, channels }
    }

    fn of(&self, router: RouterId) -> &[ChannelId] {
        let first = self.first[router.index()] as usize;
        let end = self.first[router.index() + 1] as usize;
        &self.channels[first..end]
    }
}
