//! Routers, hosts and links of a network by name, connected or not.

use std::collections::{BTreeMap, BTreeSet};

use crate::ids::{NodeId, RouterId};
use crate::network_files::draft::Draft;
use crate::network_files::write::router_name;
use crate::text::line;
use crate::topology::Network;
use crate::topology::attributes::Attributes;

/// The pace of a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pace {
    /// The delay in cycles; 0 for that of the machine.
    pub delay: u16,
    /// Cycles for which the link sends one flit.
    pub rate: u8,
}

impl From<Attributes> for Pace {
    fn from(Attributes { delay, cycles_per_flit, kind: _ }: Attributes) -> Self {
        Self { delay: delay.map_or(0, u16::from), rate: cycles_per_flit }
    }
}

/// Links from one router to another, by their pace.
pub(super) type Bundle = BTreeMap<Pace, u32>;

/// The source of the names of hosts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HostNames {
    /// The file or the scenario names each host.
    Given,
    /// Only the number of hosts at each router is given.
    Numbered,
    /// The file has no hosts.
    Absent,
}

/// A host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Host {
    /// Its name, empty if the network names no hosts.
    pub name: String,
    /// The index of its router.
    pub router: usize,
}

/// A network by the names of its routers and hosts. Routers whose names are numbers, and routers without
/// names of their own, are called `s0`, `s1`....
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inventory {
    pub(super) routers: Vec<String>,
    pub(super) hosts: Vec<Host>,
    pub(super) host_names: HostNames,
    /// Links one way, by the indices of both routers.
    pub(super) links: BTreeMap<(usize, usize), Bundle>,
}

impl Inventory {
    /// The contents of a file.
    pub fn of_draft(draft: &Draft) -> Self {
        let routers = draft.routers.iter().map(|router| line(&router.name)).collect();
        let names: Option<Vec<String>> =
            draft.hosts.iter().map(|host| host.name.as_deref().map(line)).collect();
        let names = names.and_then(|names| distinct(names, 'h'));
        let host_names = match names {
            _ if draft.without_hosts => HostNames::Absent,
            Some(_) => HostNames::Given,
            None => HostNames::Numbered,
        };
        let mut links = BTreeMap::<_, Bundle>::new();
        for link in &draft.links {
            let back = (!link.one_way).then_some((link.to, link.from));
            for ends in std::iter::once((link.from, link.to)).chain(back) {
                let bundle = links.entry(ends).or_default();
                let number = bundle.entry(link.attributes.into()).or_default();
                *number = number.saturating_add(link.count);
            }
        }
        Self {
            routers: named(routers),
            hosts: hosts(draft.hosts.iter().map(|host| host.router), names),
            host_names,
            links,
        }
    }

    /// The network of a scenario.
    pub fn of_network(network: &Network) -> Self {
        let routers = (0..network.routers() as u32).map(|router| router_name(network, router));
        let nodes = || (0..network.nodes()).map(NodeId::new);
        let is_named = network.switches().is_some_and(|it| !it.names().hosts.is_empty());
        let names = is_named.then(|| nodes().map(|node| network.node_name(node)).collect());
        let names = names.and_then(|names| distinct(names, 'h'));
        let mut links = BTreeMap::<_, Bundle>::new();
        for link in &network.channels()[..network.links()] {
            let bundle = links.entry((link.from.index(), link.to.index())).or_default();
            *bundle.entry(link.attributes.into()).or_default() += 1;
        }
        Self {
            routers: named(routers.collect()),
            host_names: if names.is_some() { HostNames::Given } else { HostNames::Numbered },
            hosts: hosts(nodes().map(|node| network.router_of(node).index()), names),
            links,
        }
    }

    /// The names of all routers.
    pub fn routers(&self) -> &[String] {
        &self.routers
    }

    /// True if some link has a delay of its own.
    pub(super) fn has_delays(&self) -> bool {
        self.links.values().flat_map(Bundle::keys).any(|pace| pace.delay > 0)
    }

    /// The same network without delays of links.
    pub(super) fn without_delays(mut self) -> Self {
        for bundle in self.links.values_mut() {
            let mut plain = Bundle::new();
            for (pace, number) in &*bundle {
                *plain.entry(Pace { delay: 0, ..*pace }).or_default() += number;
            }
            *bundle = plain;
        }
        self
    }

    /// Neighbours of each router, along its links or against them.
    pub(super) fn neighbours(&self, against: bool) -> Vec<Vec<RouterId>> {
        let mut found = vec![Vec::new(); self.routers.len()];
        for &(from, to) in self.links.keys() {
            let (at, other) = if against { (to, from) } else { (from, to) };
            found[at].push(RouterId::new(other));
        }
        found
    }
}

/// The hosts at some routers, with their names if they have any.
fn hosts(routers: impl Iterator<Item = usize>, names: Option<Vec<String>>) -> Vec<Host> {
    let mut names = names.unwrap_or_default().into_iter();
    routers.map(|router| Host { name: names.next().unwrap_or_default(), router }).collect()
}

/// The names of routers, or their numbers if the names are not distinct.
fn named(names: Vec<String>) -> Vec<String> {
    let routers = names.len();
    distinct(names, 's').unwrap_or_else(|| (0..routers).map(|at| format!("s{at}")).collect())
}

/// The names, if they are distinct; a letter precedes them if all are numbers.
fn distinct(names: Vec<String>, letter: char) -> Option<Vec<String>> {
    let unique: BTreeSet<&str> = names.iter().map(|name| name.trim()).collect();
    if unique.len() < names.len() || unique.contains("") {
        return None;
    }
    let is_number = |name: &String| name.parse::<u64>().is_ok_and(|it| it.to_string() == *name);
    let are_numbers = names.iter().all(is_number);
    Some(if are_numbers {
        names.into_iter().map(|name| format!("{letter}{name}")).collect()
    } else {
        names
    })
}
