//! The network as data: terminals, routers and directed channels in one flat graph.
//!
//! Nothing here knows how messages are routed. [`Network`] answers for every family: distances,
//! neighbours, names. Coordinates exist only for cubes ([`cube::Cube`]) and grids of switches, where
//! dimension order and drawing need them; other switches ([`switches::Switches`]) have a place at
//! which they are drawn.

pub mod attributes;
pub mod cube;
pub mod generators;
pub mod labels;
pub mod links;
pub mod named;
mod names;
mod parts;
mod rings;
pub(crate) mod search;
pub mod switches;

use crate::ids::{ChannelId, NodeId, RouterId};
use attributes::Attributes;
use cube::{Cube, Sign};
use labels::Labels;
use switches::Switches;

/// The use of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Leads from a terminal into its router.
    Injection,
    /// Leads from router to router.
    Link,
    /// Leads from a router to one of its terminals.
    Ejection,
}

/// One directed physical channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// The router it leaves (for an injection channel: the router it enters).
    pub from: RouterId,
    /// The router it enters (for an ejection channel: the router it leaves).
    pub to: RouterId,
    pub role: Role,
    /// Attributes of a link; the default for the channels of terminals.
    pub attributes: Attributes,
}

impl Channel {
    /// A link with default attributes.
    pub fn link(from: RouterId, to: RouterId) -> Self {
        Self { from, to, role: Role::Link, attributes: Attributes::default() }
    }
}

/// The coordinates of routers.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shape {
    /// Routers have none.
    Bare,
    /// Links follow no rule.
    Labelled(Labels),
    /// Links lead along dimensions: a cube, or a grid of switches.
    Lattice(Cube),
}

/// A network: terminals attached to routers, routers joined by directed channels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    shape: Shape,
    /// Facts about switches; `None` for a cube.
    switches: Option<Switches>,
    routers: usize,
    terminals: Vec<RouterId>,
    channels: Vec<Channel>,
    hosts: ByRouter<NodeId>,
    outputs: ByRouter<ChannelId>,
    inputs: ByRouter<ChannelId>,
    /// Links come first; then, where there are any, the injection channels of all terminals, then
    /// their ejection channels.
    links: usize,
}

impl Network {
    /// Builds a network from its routers (their coordinates and their number), the router of each
    /// terminal, and its links.
    fn new(shape: Shape, routers: usize, terminals: Vec<RouterId>, channels: Vec<Channel>) -> Self {
        let hosts = ByRouter::new(routers, terminals.iter().copied(), NodeId::new);
        let outputs = ByRouter::new(routers, channels.iter().map(|c| c.from), ChannelId::new);
        let inputs = ByRouter::new(routers, channels.iter().map(|c| c.to), ChannelId::new);
        let links = channels.len();
        debug_assert!(channels.iter().all(|channel| channel.role == Role::Link));
        let switches = None;
        Self { shape, switches, routers, terminals, channels, hosts, outputs, inputs, links }
    }

    /// The same network with an injection and an ejection channel for every terminal.
    #[must_use]
    pub fn with_terminal_channels(mut self) -> Self {
        if self.has_terminal_channels() {
            return self;
        }
        for role in [Role::Injection, Role::Ejection] {
            let channel = |&router: &RouterId| Channel { role, ..Channel::link(router, router) };
            self.channels.extend(self.terminals.iter().map(channel));
        }
        self
    }

    /// True if terminals have injection and ejection channels.
    pub fn has_terminal_channels(&self) -> bool {
        self.channels.len() > self.links
    }

    /// The number of channels between routers; their ids come first.
    pub fn links(&self) -> usize {
        self.links
    }

    /// True if a link leads back wherever one leads.
    pub fn is_two_way(&self) -> bool {
        let leads_back = |from, to| self.neighbours(to).any(|back| back == from);
        let all = (0..self.routers).map(RouterId::new);
        all.into_iter().all(|at| self.neighbours(at).all(|next| leads_back(at, next)))
    }

    /// True if some link has a delay or a rate of its own.
    pub fn has_paced_links(&self) -> bool {
        self.channels[..self.links].iter().any(|link| link.attributes.sets_pace())
    }

    /// True if some link sends a flit in several cycles.
    pub fn has_slow_links(&self) -> bool {
        self.channels[..self.links].iter().any(|link| link.attributes.cycles_per_flit > 1)
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

    /// The cube this network is, if it is one: terminal i stands at router i.
    pub fn cube(&self) -> Option<&Cube> {
        self.grid().filter(|_| self.switches.is_none())
    }

    /// The graph of switches that this network is, if it is one.
    pub fn switches(&self) -> Option<&Switches> {
        self.switches.as_ref()
    }

    /// The lattice of routers whose links lead along dimensions: a cube, or a grid of switches.
    #[inline]
    pub fn grid(&self) -> Option<&Cube> {
        match &self.shape {
            Shape::Lattice(cube) => Some(cube),
            Shape::Bare | Shape::Labelled(_) => None,
        }
    }

    /// The coordinates of the routers, where they have any.
    pub fn labels(&self) -> Option<&Labels> {
        match &self.shape {
            Shape::Lattice(cube) => Some(cube.labels()),
            Shape::Labelled(labels) => Some(labels),
            Shape::Bare => None,
        }
    }

    /// The number of a router's group, if routers have groups.
    pub fn group_of(&self, router: RouterId) -> Option<u16> {
        self.labels()?.group_of(router)
    }

    /// The level of a router from the bottom of a tree, or its stage, if routers have levels.
    pub fn level_of(&self, router: RouterId) -> Option<u32> {
        self.switches()?.level_of(router)
    }

    /// The same network with coordinates for its routers, which have none.
    #[must_use]
    pub fn with_labels(self, labels: Labels) -> Self {
        assert!(self.shape == Shape::Bare && labels.routers() == self.routers);
        Self { shape: Shape::Labelled(labels), ..self }
    }

    /// The router at these coordinates, where there is one.
    pub fn router_at(&self, coordinates: &[u32]) -> Option<RouterId> {
        match &self.shape {
            Shape::Lattice(cube) => cube.router_at(coordinates),
            Shape::Labelled(labels) => labels.router_at(coordinates),
            Shape::Bare => None,
        }
    }

    /// The number of routers along each dimension; none where they have no coordinates.
    pub fn radix(&self) -> &[u32] {
        self.grid().map_or(&[], Cube::radix)
    }

    /// True if neighbours differ in one bit of their number.
    pub fn is_hypercube(&self) -> bool {
        self.grid().is_some_and(Cube::is_hypercube)
    }

    /// The dimension along which a link leads, and which way, where routers have coordinates.
    pub fn direction(&self, link: ChannelId) -> Option<(usize, Sign)> {
        self.grid()
            .filter(|_| self.channel(link).role == Role::Link)
            .map(|cube| cube.direction(link))
    }

    /// True if some rows of routers close into rings.
    pub fn wraps(&self) -> bool {
        self.grid().is_some_and(Cube::wraps)
    }

    /// True if the rows of routers along a dimension close into rings.
    pub fn wraps_along(&self, dimension: usize) -> bool {
        self.grid().is_some_and(|cube| cube.is_ring(dimension))
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

    /// The terminals at a router, ascending.
    pub fn hosts_at(&self, router: RouterId) -> &[NodeId] {
        self.hosts.of(router)
    }

    /// The number of terminals at a router.
    pub fn terminals_at(&self, router: RouterId) -> usize {
        self.hosts_at(router).len()
    }

    /// The routers with terminals, ascending.
    pub fn host_routers(&self) -> impl Iterator<Item = RouterId> + Clone + '_ {
        (0..self.routers).map(RouterId::new).filter(|&at| self.terminals_at(at) > 0)
    }

    /// The most terminals of one router.
    pub fn terminals_at_most(&self) -> usize {
        (0..self.routers).map(|router| self.terminals_at(RouterId::new(router))).max().unwrap_or(0)
    }

    /// The number of terminals at the same router with lower ids.
    pub fn seat(&self, node: NodeId) -> u32 {
        self.hosts_at(self.router_of(node)).partition_point(|&other| other < node) as u32
    }

    /// The routers to which the links of a router lead, in the order of the links.
    pub fn neighbours(&self, router: RouterId) -> impl Iterator<Item = RouterId> + '_ {
        self.outputs(router).iter().map(|&channel| self.channel(channel).to)
    }

    /// The least number of hops from a router to every router; `u32::MAX` where no path leads.
    pub fn distances(&self, from: RouterId) -> Vec<u32> {
        self.distances_from(&[from])
    }

    /// The least number of hops from the nearest of some routers to every router; `u32::MAX` where
    /// no path leads.
    pub fn distances_from(&self, starts: &[RouterId]) -> Vec<u32> {
        search::distances(self.routers, starts, |router| self.neighbours(router))
    }

    /// The least number of hops from every router to a router; `u32::MAX` where no path leads.
    pub fn distances_to(&self, to: RouterId) -> Vec<u32> {
        let back = |at| self.inputs(at).iter().map(|&link| self.channel(link).from);
        search::distances(self.routers, &[to], back)
    }

    /// The least number of hops from one router to another; a search through the network where
    /// routers have no coordinates.
    pub fn distance(&self, from: RouterId, to: RouterId) -> u32 {
        match self.grid() {
            Some(cube) => cube.distance(from, to),
            None => self.distances(from)[to.index()],
        }
    }

    /// The hops between the two routers that are farthest from each other.
    pub fn diameter(&self) -> u32 {
        match self.grid() {
            Some(cube) => cube.diameter(),
            None => (0..self.routers)
                .filter_map(|from| self.distances(RouterId::new(from)).into_iter().max())
                .max()
                .unwrap_or_default(),
        }
    }

    /// The terminal to which an injection or ejection channel belongs; `None` for a link.
    pub fn terminal_of(&self, channel: ChannelId) -> Option<NodeId> {
        let beyond = channel.index().checked_sub(self.links)?;
        Some(NodeId::new(beyond % self.terminals.len()))
    }
}

/// A run of ids for each router.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ByRouter<T> {
    first: Vec<u32>,
    ids: Vec<T>,
}

impl<T: Copy> ByRouter<T> {
    /// Groups ids by router, ascending from `id(0)`, if any; `of` yields the router of each.
    fn new(
        routers: usize,
        of: impl Iterator<Item = RouterId> + Clone,
        id: impl Fn(usize) -> T,
    ) -> Self {
        let mut first = vec![0u32; routers + 1];
        for router in of.clone() {
            first[router.index() + 1] += 1;
        }
        for router in 0..routers {
            first[router + 1] += first[router];
        }
        let mut next = first.clone();
        let mut ids = match first[routers] as usize {
            0 => Vec::new(),
            count => vec![id(0); count],
        };
        for (row, router) in of.enumerate() {
            let slot = &mut next[router.index()];
            ids[*slot as usize] = id(row);
            *slot += 1;
        }
        Self { first, ids }
    }

    fn of(&self, router: RouterId) -> &[T] {
        let first = self.first[router.index()] as usize;
        let end = self.first[router.index() + 1] as usize;
        &self.ids[first..end]
    }
}

#[cfg(test)]
mod tests;
