//! Switch graphs: switches joined by full links, with any number of hosts at each.
//!
//! A full link is two channels, one each way. Hosts are terminals; a switch may have none. Switches
//! are named `s3`, hosts `h12`, channels `s3→s7`.

mod layout;
pub mod random;

use super::cube::{Cube, Family};
use super::{Channel, Network, Role, Shape};
use crate::ids::{ChannelId, NodeId, RouterId};

/// The most switches of a graph.
pub const SWITCHES_MAX: usize = 1024;
/// The most hosts of all switches together.
pub const HOSTS_MAX: usize = 1 << 16;

/// Where a switch is drawn, in thousandths of the unit of the scenario's coordinates: x grows east,
/// y north.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Place {
    /// Thousandths east.
    pub x: i32,
    /// Thousandths north.
    pub y: i32,
}

/// How a graph of switches came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Links,
    Grid,
    Random,
}

/// What is known of a switch graph beyond its channels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switches {
    origin: Origin,
    /// The coordinates of a grid of switches.
    grid: Option<Cube>,
    places: Vec<Place>,
    /// For each host, the hosts before it at its switch.
    seats: Vec<u32>,
    /// For each switch, its hosts: `hosts[first[s]..first[s + 1]]`.
    first: Vec<u32>,
    hosts: Vec<NodeId>,
}

/// Why a list of links is no graph that can be simulated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// Link `link` of the list joins a switch to itself.
    Itself {
        /// Its place in the list.
        link: usize,
    },
    /// Link `link` joins two switches that link `first` has joined.
    Twice {
        /// Its place in the list.
        link: usize,
        /// The place of the other one.
        first: usize,
    },
    /// No way leads from switch 0 to `switch`.
    Apart {
        /// The lowest switch that is not reached.
        switch: u32,
        /// How many switches are not reached.
        missing: usize,
    },
}

/// Whether full links join `switches` switches to one graph; otherwise every flaw of a link, or, where
/// all links are sound, what they leave apart. Every end must be below `switches`.
pub fn flaws(switches: usize, links: &[(u32, u32)]) -> Vec<Flaw> {
    let mut found = Vec::new();
    let mut sorted: Vec<((u32, u32), usize)> =
        links.iter().enumerate().map(|(at, &(a, b))| ((a.min(b), a.max(b)), at)).collect();
    sorted.sort_unstable();
    let mut first = 0;
    for at in 0..sorted.len() {
        let (ends, link) = sorted[at];
        if ends != sorted[first].0 {
            first = at;
        }
        if ends.0 == ends.1 {
            found.push(Flaw::Itself { link });
        } else if first < at {
            found.push(Flaw::Twice { link, first: sorted[first].1 });
        }
    }
    if !found.is_empty() {
        found.sort_unstable_by_key(|flaw| match *flaw {
            Flaw::Itself { link } | Flaw::Twice { link, .. } => link,
            Flaw::Apart { .. } => usize::MAX,
        });
        return found;
    }
    let neighbours = neighbours(switches, links);
    let mut reached = vec![false; switches];
    let mut stack = vec![0];
    reached[0] = true;
    while let Some(at) = stack.pop() {
        for &to in &neighbours[at] {
            if !std::mem::replace(&mut reached[to as usize], true) {
                stack.push(to as usize);
            }
        }
    }
    if let Some(switch) = reached.iter().position(|&reached| !reached) {
        let missing = reached.iter().filter(|&&reached| !reached).count();
        found.push(Flaw::Apart { switch: switch as u32, missing });
    }
    found
}

/// For each switch, those to which links lead, ascending.
fn neighbours(switches: usize, links: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); switches];
    for &(a, b) in links {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    for list in &mut neighbours {
        list.sort_unstable();
    }
    neighbours
}

impl Switches {
    /// A graph of switches joined by full links, without flaws ([`flaws`]): `hosts` names the switch
    /// of each host, `places` where each switch is drawn (found where it is not given).
    pub fn network(
        switches: usize,
        links: &[(u32, u32)],
        hosts: &[u32],
        places: Option<Vec<Place>>,
    ) -> Network {
        Self::joined(Origin::Links, switches, links, hosts, places)
    }

    /// As [`Self::network`], of links that were drawn ([`random::links`]).
    pub fn random(switches: usize, links: &[(u32, u32)], hosts: &[u32]) -> Network {
        Self::joined(Origin::Random, switches, links, hosts, None)
    }

    fn joined(
        origin: Origin,
        switches: usize,
        links: &[(u32, u32)],
        hosts: &[u32],
        places: Option<Vec<Place>>,
    ) -> Network {
        assert!((1..=SWITCHES_MAX).contains(&switches) && flaws(switches, links).is_empty());
        let neighbours = neighbours(switches, links);
        let channel = |from: usize, &to: &u32| Channel {
            from: RouterId::new(from),
            to: RouterId(to),
            role: Role::Link,
        };
        let channels = neighbours
            .iter()
            .enumerate()
            .flat_map(|(from, list)| list.iter().map(move |to| channel(from, to)))
            .collect();
        let places = places.unwrap_or_else(|| layout::places(&neighbours));
        Self::with(origin, None, switches, channels, hosts, places)
    }

    /// A torus or mesh of switches (see [`Cube::network`] for the limits; a torus needs a radix of 3
    /// or more everywhere, or a ring would join two switches twice).
    pub fn grid(family: Family, radix: &[u32], hosts: &[u32]) -> Network {
        assert!(!matches!(family, Family::Torus { .. }) || radix.iter().all(|&k| k > 2));
        let Network { shape, routers, channels, .. } = Cube::network(family, radix);
        assert!(routers <= SWITCHES_MAX);
        let grid = match shape {
            Shape::Cube(cube) => Some(cube),
            Shape::Switches(_) => None,
        };
        let places = match &grid {
            Some(cube) if cube.dimensions() <= 2 => (0..routers)
                .map(|router| {
                    let at = cube.coordinates(RouterId::new(router));
                    let thousands =
                        |dimension: usize| 1000 * at.get(dimension).map_or(0, |&x| i32::from(x));
                    Place { x: thousands(0), y: thousands(1) }
                })
                .collect(),
            _ => {
                let mut neighbours = vec![Vec::new(); routers];
                for channel in &channels {
                    neighbours[channel.from.index()].push(channel.to.0);
                }
                layout::places(&neighbours)
            }
        };
        Self::with(Origin::Grid, grid, routers, channels, hosts, places)
    }

    fn with(
        origin: Origin,
        grid: Option<Cube>,
        switches: usize,
        channels: Vec<Channel>,
        hosts: &[u32],
        places: Vec<Place>,
    ) -> Network {
        assert!((2..=HOSTS_MAX).contains(&hosts.len()) && places.len() == switches);
        let mut at = vec![Vec::new(); switches];
        let mut seats = Vec::with_capacity(hosts.len());
        for (host, &switch) in hosts.iter().enumerate() {
            let here = &mut at[switch as usize];
            seats.push(here.len() as u32);
            here.push(NodeId::new(host));
        }
        let mut first = vec![0];
        let mut listed = Vec::with_capacity(hosts.len());
        for here in at {
            listed.extend(here);
            first.push(listed.len() as u32);
        }
        let shape = Self { origin, grid, places, seats, first, hosts: listed };
        let terminals = hosts.iter().map(|&switch| RouterId(switch)).collect();
        Network::new(Shape::Switches(shape), switches, terminals, channels)
    }

    /// The coordinates of the switches, where they stand on a grid.
    pub fn coordinates(&self) -> Option<&Cube> {
        self.grid.as_ref()
    }

    /// Where a switch is drawn.
    pub fn place(&self, switch: RouterId) -> Place {
        self.places[switch.index()]
    }

    /// The hosts at a switch, ascending.
    pub fn hosts_at(&self, switch: RouterId) -> &[NodeId] {
        &self.hosts[self.first[switch.index()] as usize..self.first[switch.index() + 1] as usize]
    }

    /// How many hosts stand before this one at its switch.
    pub fn seat(&self, host: NodeId) -> u32 {
        self.seats[host.index()]
    }

    /// The most hosts at one switch.
    pub fn hosts_at_most(&self) -> u32 {
        self.first.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
    }

    pub(super) fn channel_name(channel: Channel, host: Option<NodeId>) -> String {
        let host = host.map_or_else(String::new, Self::host_name);
        let switch = Self::switch_name;
        match channel.role {
            Role::Link => format!("{}→{}", switch(channel.from), switch(channel.to)),
            Role::Injection => format!("{host}→{}", switch(channel.to)),
            Role::Ejection => format!("{}→{host}", switch(channel.from)),
        }
    }

    /// A switch's name for people.
    pub(super) fn switch_name(switch: RouterId) -> String {
        format!("s{}", switch.0)
    }

    /// A host's name for people.
    pub(super) fn host_name(host: NodeId) -> String {
        format!("h{}", host.0)
    }

    /// The graph for people: `3x3 torus of switches, 36 hosts`, `24 switches, 48 hosts`.
    pub fn name(&self) -> String {
        let count = |number: usize, one: &str, more: &str| {
            format!("{number} {}", if number == 1 { one } else { more })
        };
        let hosts = count(self.hosts.len(), "host", "hosts");
        let switches = self.places.len();
        match (&self.grid, self.origin) {
            (Some(cube), _) => format!("{} of switches, {hosts}", cube.name()),
            (None, Origin::Random) => {
                format!("{}, {hosts}", count(switches, "random switch", "random switches"))
            }
            (None, _) => format!("{}, {hosts}", count(switches, "switch", "switches")),
        }
    }
}

impl Network {
    /// The graph of switches that this network is, if it is one.
    pub fn switches(&self) -> Option<&Switches> {
        match self.shape() {
            Shape::Switches(switches) => Some(switches),
            Shape::Cube(_) => None,
        }
    }

    /// The coordinates of the routers, if they stand on a grid: of a cube, or a grid of switches.
    #[inline]
    pub fn grid(&self) -> Option<&Cube> {
        match self.shape() {
            Shape::Cube(cube) => Some(cube),
            Shape::Switches(switches) => switches.coordinates(),
        }
    }

    /// How many terminals there are at a router.
    pub fn terminals_at(&self, router: RouterId) -> usize {
        self.switches().map_or(1, |switches| switches.hosts_at(router).len())
    }

    /// How many terminals stand before this one at its router.
    pub fn seat(&self, node: NodeId) -> u32 {
        self.switches().map_or(0, |switches| switches.seat(node))
    }

    /// The radices in which terminals are numbered, the first dimension fastest; hosts of switches
    /// are a single row.
    pub fn numbering(&self) -> Vec<u32> {
        self.cube().map_or_else(|| vec![self.nodes() as u32], |cube| cube.radix().to_vec())
    }

    /// The link from one router to another (the first, if several), if there is one.
    pub fn link_between(&self, from: RouterId, to: RouterId) -> Option<ChannelId> {
        self.outputs(from).iter().copied().find(|&channel| self.channel(channel).to == to)
    }
}
