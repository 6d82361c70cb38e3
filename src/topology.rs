//! The network as data: terminals, routers and directed channels in one flat graph.
//!
//! Nothing here knows how messages are routed. Coordinates exist only for cubes
//! ([`cube::Cube`]), where dimension order and drawing need them.

pub mod cube;
pub mod links;

use std::collections::VecDeque;

use crate::ids::{ChannelId, NodeId, RouterId};
use cube::Cube;

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

    /// The cube this network is, if it is one.
    pub fn cube(&self) -> Option<&Cube> {
        match &self.shape {
            Shape::Cube(cube) => Some(cube),
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

    /// The channel's name for people: where it starts and which way it goes, as `(4,2)+Y`; for
    /// those of terminals `(4,2)in` and `(4,2)out`.
    pub fn channel_name(&self, channel: ChannelId) -> String {
        let Channel { from, role, .. } = self.channel(channel);
        match role {
            Role::Injection => return format!("{}in", self.router_name(from)),
            Role::Ejection => return format!("{}out", self.router_name(from)),
            Role::Link => {}
        }
        match &self.shape {
            Shape::Cube(cube) => cube.channel_name(self.channel(channel).from, channel),
        }
    }

    /// The router's name for people: its coordinates, as `(4,2)`.
    pub fn router_name(&self, router: RouterId) -> String {
        match &self.shape {
            Shape::Cube(cube) => cube.router_name(router),
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
