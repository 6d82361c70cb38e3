//! Switch graphs: switches joined by full links, with any number of hosts at each.
//!
//! A full link is two channels, one each way. Hosts are terminals; a switch may have none. Switches
//! are named `s3`, hosts `h12`, channels `s3→s7`.

mod layout;
pub mod random;

use super::cube::{Cube, Family};
use super::{Channel, Network, Role, search};
use crate::ids::RouterId;
use crate::text::count;

/// The most switches of a graph.
pub const SWITCHES_MAX: usize = 1024;
/// The most hosts of all switches together.
pub const HOSTS_MAX: usize = 1 << 16;

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
    /// Links were drawn at random.
    random: bool,
    places: Vec<Place>,
}

/// A reason why a list of links is no graph that can be simulated.
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
        /// The number of switches that are not reached.
        missing: usize,
    },
}

/// The flaws of full links that shall join `switches` switches to one graph: those of links or, where
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
    let to = |at: RouterId| neighbours[at.index()].iter().map(|&to| RouterId(to));
    let distances = search::distances(switches, RouterId(0), to);
    let apart = |hops: &u32| *hops == u32::MAX;
    if let Some(switch) = distances.iter().position(apart) {
        let missing = distances.iter().filter(|hops| apart(hops)).count();
        found.push(Flaw::Apart { switch: switch as u32, missing });
    }
    found
}

/// The switches to which links lead from each switch, ascending.
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
        Self::with(None, switches, channels, hosts, places)
    }

    /// Builds a network, as [`Self::network`] does, of links that were drawn ([`random::links`]).
    pub fn random(switches: usize, links: &[(u32, u32)], hosts: &[u32]) -> Network {
        let mut network = Self::network(switches, links, hosts, None);
        network.switches.iter_mut().for_each(|switches| switches.random = true);
        network
    }

    /// A torus or mesh of switches (see [`Cube::network`] for the limits; a torus needs a radix of 3
    /// or more everywhere, or a ring would join two switches twice).
    pub fn grid(family: Family, radix: &[u32], hosts: &[u32]) -> Network {
        assert!(!family.wraps() || radix.iter().all(|&k| k > 2));
        let Network { grid, routers, channels, .. } = Cube::network(family, radix);
        assert!(routers <= SWITCHES_MAX);
        let flat = grid.as_ref().filter(|cube| cube.dimensions() <= 2);
        let places = flat.map(|cube| {
            let place = |router| {
                let at = cube.coordinates(RouterId::new(router));
                let thousands =
                    |dimension: usize| 1000 * at.get(dimension).map_or(0, |&x| i32::from(x));
                Place { x: thousands(0), y: thousands(1) }
            };
            (0..routers).map(place).collect()
        });
        Self::with(grid, routers, channels, hosts, places)
    }

    fn with(
        grid: Option<Cube>,
        switches: usize,
        channels: Vec<Channel>,
        hosts: &[u32],
        places: Option<Vec<Place>>,
    ) -> Network {
        assert!((2..=HOSTS_MAX).contains(&hosts.len()));
        let terminals = hosts.iter().map(|&switch| RouterId(switch)).collect();
        let mut network = Network::new(grid, switches, terminals, channels);
        let places = places.unwrap_or_else(|| layout::places(&network));
        assert!(places.len() == switches);
        network.switches = Some(Self { random: false, places });
        network
    }

    /// The place of a switch on the screen.
    pub fn place(&self, switch: RouterId) -> Place {
        self.places[switch.index()]
    }

    /// The graph for people, of its grid's name and the numbers of switches and hosts:
    /// `3x3 torus of switches, 36 hosts`, `24 switches, 48 hosts`.
    pub(super) fn name(&self, grid: Option<String>, switches: usize, hosts: usize) -> String {
        let hosts = count(hosts, "host", "hosts");
        match (grid, self.random) {
            (Some(grid), _) => format!("{grid} of switches, {hosts}"),
            (None, true) => {
                format!("{}, {hosts}", count(switches, "random switch", "random switches"))
            }
            (None, false) => format!("{}, {hosts}", count(switches, "switch", "switches")),
        }
    }
}

#[cfg(test)]
mod tests;
