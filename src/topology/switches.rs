//! Switch graphs: switches joined by links, with any number of hosts at each.
//!
//! A link is a channel each way, or one way only; several may join the same two switches. Hosts are
//! terminals; a switch may have none. Without given names, switches are named `s3`, hosts `h12` and
//! channels `s3→s7`.

mod layout;
pub mod random;

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use super::attributes::Attributes;
use super::cube::{Cube, Family};
use super::labels::Labels;
use super::{Channel, Network, Shape, search};
use crate::ids::RouterId;
use crate::text::count;
use layout::Layout;

pub use layout::Form;

/// The most switches of a graph.
pub const SWITCHES_MAX: usize = 16_384;
/// The most hosts of all switches together.
pub const HOSTS_MAX: usize = 1 << 16;
/// The most links side by side of an entry of a list of links.
pub const PARALLEL_MAX: u32 = 64;

/// Maximum absolute value of a coordinate, in units of the scenario.
pub const PLACE_MAX: f64 = 1e6;

/// The place of a switch on the screen, in thousandths of the unit of the scenario's coordinates: x grows east,
/// y north.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Place {
    /// Thousandths east.
    pub x: i32,
    /// Thousandths north.
    pub y: i32,
}

/// Facts about a switch graph beyond its channels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switches {
    /// Display name without the number of hosts; `None` for a grid and for a list of links.
    title: Option<String>,
    places: Vec<Place>,
    /// The level of each switch, from the bottom; empty for networks without levels.
    levels: Vec<u32>,
    /// The longest line along each axis; a longer link from rim to rim is drawn as two stubs.
    reach: Place,
    /// The lowest and the highest coordinates of places.
    rim: [Place; 2],
    names: Names,
}

/// Names of routers, hosts and groups, as given by the network's source; empty for numbered names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Names {
    pub routers: Vec<String>,
    pub hosts: Vec<String>,
    pub groups: Vec<String>,
}

/// An entry of a list of links: what joins two switches, one way or both ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cable {
    pub from: u32,
    pub to: u32,
    /// Attributes of each of its links.
    pub attributes: Attributes,
    /// The number of links side by side, each way.
    pub count: u32,
    /// Links lead from the first switch to the second only.
    pub one_way: bool,
}

impl From<(u32, u32)> for Cable {
    fn from((from, to): (u32, u32)) -> Self {
        Self { from, to, attributes: Attributes::default(), count: 1, one_way: false }
    }
}

impl Cable {
    /// Its ends, in each direction in which it leads.
    fn ways(self) -> impl Iterator<Item = (u32, u32)> {
        let back = (!self.one_way).then_some((self.to, self.from));
        std::iter::once((self.from, self.to)).chain(back)
    }
}

/// What is known of the arrangement of switches.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Arrangement {
    pub places: Option<Vec<Place>>,
    /// The group of each switch.
    pub groups: Option<Vec<u32>>,
    /// The level of each switch, from the bottom.
    pub levels: Option<Vec<u32>>,
}

/// A reason why a list of links is no graph that can be simulated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// Entry `link` of the list joins a switch to itself.
    Itself {
        /// Its index in the list.
        link: usize,
    },
    /// Entry `link` joins two switches as entry `first` does, with the same attributes.
    Twice {
        /// Its index in the list.
        link: usize,
        /// The index of the other one.
        first: usize,
    },
    /// No path leads from switch 0 to `switch`, or none back.
    Apart {
        /// The lowest such switch.
        switch: u32,
        /// The number of such switches.
        missing: usize,
        /// Paths lead there, and none leads back.
        back: bool,
    },
}

/// The flaws of links that shall join `switches` switches to one graph: those of entries or, where
/// all entries are sound, the switches that no path reaches. Every end must be below `switches`.
pub fn flaws(switches: usize, links: &[impl Copy + Into<Cable>]) -> Vec<Flaw> {
    let mut found = Vec::new();
    let mut firsts: BTreeMap<(u32, u32, Option<NonZeroU16>, u8, u8), usize> = BTreeMap::new();
    for (link, &cable) in links.iter().enumerate() {
        let cable: Cable = cable.into();
        let Attributes { delay, cycles_per_flit, kind } = cable.attributes;
        let key = |(from, to)| (from, to, delay, cycles_per_flit, kind);
        if cable.from == cable.to {
            found.push(Flaw::Itself { link });
        } else if let Some(&first) = cable.ways().find_map(|ends| firsts.get(&key(ends))) {
            found.push(Flaw::Twice { link, first });
        } else {
            firsts.extend(cable.ways().map(|ends| (key(ends), link)));
        }
    }
    if found.is_empty() {
        let ways: Vec<(u32, u32)> = links.iter().flat_map(|&link| link.into().ways()).collect();
        let backwards: Vec<(u32, u32)> = ways.iter().map(|&(from, to)| (to, from)).collect();
        let there = apart(switches, &ways, false);
        found.extend(there.or_else(|| apart(switches, &backwards, true)));
    }
    found
}

/// The switches that no path reaches from switch 0, where there are any.
fn apart(switches: usize, ways: &[(u32, u32)], back: bool) -> Option<Flaw> {
    let mut neighbours = vec![Vec::new(); switches];
    for &(from, to) in ways {
        neighbours[from as usize].push(RouterId(to));
    }
    let to = |at: RouterId| neighbours[at.index()].iter().copied();
    let distances = search::distances(switches, &[RouterId(0)], to);
    let apart = |hops: &u32| *hops == u32::MAX;
    let switch = distances.iter().position(apart)? as u32;
    let missing = distances.iter().filter(|hops| apart(hops)).count();
    Some(Flaw::Apart { switch, missing, back })
}

/// The channels of links without flaws, in the order of the switches that they join.
fn channels(switches: usize, links: &[impl Copy + Into<Cable>]) -> Vec<Channel> {
    assert!((1..=SWITCHES_MAX).contains(&switches) && flaws(switches, links).is_empty());
    let mut channels: Vec<Channel> = Vec::new();
    for cable in links.iter().map(|&link| -> Cable { link.into() }) {
        for (from, to) in cable.ways() {
            let link = Channel::link(RouterId(from), RouterId(to));
            let link = Channel { attributes: cable.attributes, ..link };
            channels.extend(std::iter::repeat_n(link, cable.count as usize));
        }
    }
    channels.sort_by_key(|link| (link.from, link.to));
    channels
}

impl Switches {
    /// A graph of switches joined by links without flaws ([`flaws`]): `hosts` names the switch
    /// of each host, `places` where each switch is drawn (found where it is not given). The links of
    /// a switch are in the order of the switches to which they lead.
    pub fn network(
        switches: usize,
        links: &[impl Copy + Into<Cable>],
        hosts: &[u32],
        places: Option<Vec<Place>>,
    ) -> Network {
        let channels = channels(switches, links);
        let lay = |network: &Network| match places {
            Some(places) => Layout::given(network, places),
            None => Layout::of(network),
        };
        Self::with(Shape::Bare, switches, channels, hosts, lay)
    }

    /// Builds a network, as [`Self::network`] does, that is drawn by its places, or else by its levels or
    /// groups.
    pub fn arranged(
        switches: usize,
        links: &[impl Copy + Into<Cable>],
        hosts: &[u32],
        Arrangement { places, groups, levels }: Arrangement,
    ) -> Network {
        let is_free = places.is_none();
        let network = Self::network(switches, links, hosts, places);
        let network = match &groups {
            Some(groups) => Self::grouped(network, groups, is_free && levels.is_none()),
            None => network,
        };
        match levels {
            Some(levels) => Self::levelled(network, levels, is_free),
            None => network,
        }
    }

    /// Builds a network, as [`Self::network`] does, of links that were drawn ([`random::links`]).
    pub fn random(switches: usize, links: &[(u32, u32)], hosts: &[u32]) -> Network {
        let network = Self::network(switches, links, hosts, None);
        Self::titled(network, count(switches, "random switch", "random switches"))
    }

    /// Builds a network with labels, drawn by their meaning, and a name of its family, as
    /// [`Self::network`] does.
    pub fn generated(
        title: String,
        labels: Labels,
        form: Form,
        links: &[Cable],
        hosts: &[u32],
    ) -> Network {
        let (switches, channels) = (labels.routers(), channels(labels.routers(), links));
        let drawn = labels.clone();
        let lay = |network: &Network| Layout::labelled(network, &drawn, form);
        let network = Self::with(Shape::Labelled(labels), switches, channels, hosts, lay);
        Self::titled(network, title)
    }

    /// The same network with names for its routers, its hosts and its groups, or some of these.
    #[must_use]
    pub fn named(mut network: Network, names: Names) -> Network {
        assert!(names.routers.is_empty() || names.routers.len() == network.routers());
        assert!(names.hosts.is_empty() || names.hosts.len() == network.nodes());
        network.switches = network.switches.map(|it| Self { names, ..it });
        network
    }

    /// The given names.
    pub fn names(&self) -> &Names {
        &self.names
    }

    fn titled(mut network: Network, title: String) -> Network {
        network.switches = network.switches.map(|it| Self { title: Some(title), ..it });
        network
    }

    /// A torus or mesh of switches, as [`Cube::network`] joins them.
    pub fn grid(family: Family, radix: &[u32], hosts: &[u32]) -> Network {
        Self::on_cube(Cube::network(family, radix), hosts)
    }

    /// Switches in place of the routers of a cube, which must be at most [`SWITCHES_MAX`].
    pub fn on_cube(cube: Network, hosts: &[u32]) -> Network {
        let Network { shape, routers, channels, .. } = cube;
        assert!(routers <= SWITCHES_MAX);
        let lay = |network: &Network| match network.labels() {
            Some(labels) => Layout::labelled(network, labels, Form::Lattice),
            None => Layout::of(network),
        };
        Self::with(shape, routers, channels, hosts, lay)
    }

    fn with(
        shape: Shape,
        switches: usize,
        channels: Vec<Channel>,
        hosts: &[u32],
        lay: impl FnOnce(&Network) -> Layout,
    ) -> Network {
        assert!((2..=HOSTS_MAX).contains(&hosts.len()));
        let terminals = hosts.iter().map(|&switch| RouterId(switch)).collect();
        let network = Network::new(shape, switches, terminals, channels);
        let layout = lay(&network);
        Self::laid(network, layout)
    }

    /// The same network with groups of switches, which are drawn as circles on a ring on request.
    fn grouped(network: Network, groups: &[u32], drawn: bool) -> Network {
        let labels = Labels::of_groups(groups);
        let layout = drawn.then(|| Layout::labelled(&network, &labels, Form::Groups));
        let network = network.with_labels(labels);
        match layout {
            Some(layout) => Self::laid(network, layout),
            None => network,
        }
    }

    /// The same network with a level for each switch, drawn in rows on request, the lowest at the bottom.
    fn levelled(mut network: Network, levels: Vec<u32>, drawn: bool) -> Network {
        if drawn {
            let layout = Layout::levelled(&network, levels);
            return Self::laid(network, layout);
        }
        network.switches = network.switches.map(|it| Self { levels, ..it });
        network
    }

    fn laid(mut network: Network, Layout { places, levels, reach }: Layout) -> Network {
        assert!(places.len() == network.routers());
        let rim = |choose: fn(i32, i32) -> i32| {
            let both =
                |rim: Place, at: &Place| Place { x: choose(rim.x, at.x), y: choose(rim.y, at.y) };
            places.iter().fold(places[0], both)
        };
        let rim = [rim(i32::min), rim(i32::max)];
        let (title, names) = match network.switches.take() {
            Some(before) => (before.title, before.names),
            None => (None, Names::default()),
        };
        network.switches = Some(Self { title, places, levels, reach, rim, names });
        network
    }

    /// The level of a switch, if switches have levels.
    pub(super) fn level_of(&self, switch: RouterId) -> Option<u32> {
        self.levels.get(switch.index()).copied()
    }

    /// The place of a switch on the screen.
    pub fn place(&self, switch: RouterId) -> Place {
        self.places[switch.index()]
    }

    /// The direction in which a link leaves the drawing, east and north, to enter it on the other side;
    /// `None` for a link that is drawn as a line.
    pub fn around(&self, from: RouterId, to: RouterId) -> Option<(i32, i32)> {
        let (from, to, [low, high]) = (self.place(from), self.place(to), self.rim);
        let leaves = |from: i32, to: i32, low: i32, high: i32, reach: i32| {
            let is_long = (i64::from(from) - i64::from(to)).abs() > i64::from(reach);
            is_long && (from.min(to), from.max(to)) == (low, high)
        };
        let sign = |from: i32, to: i32| if from > to { 1 } else { -1 };
        if leaves(from.y, to.y, low.y, high.y, self.reach.y) {
            return Some((0, sign(from.y, to.y)));
        }
        leaves(from.x, to.x, low.x, high.x, self.reach.x).then(|| (sign(from.x, to.x), 0))
    }

    /// The graph for people, of the name of a grid of switches and the numbers of switches and hosts:
    /// `3x3 torus of switches, 36 hosts`, `24 switches, 48 hosts`.
    pub(super) fn name(&self, grid: Option<String>, switches: usize, hosts: usize) -> String {
        let hosts = count(hosts, "host", "hosts");
        let routers = match grid {
            Some(grid) => grid,
            None => self.title.clone().unwrap_or_else(|| count(switches, "switch", "switches")),
        };
        format!("{routers}, {hosts}")
    }
}

#[cfg(test)]
mod tests;
