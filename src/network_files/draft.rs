//! A network as read from a file: routers, hosts and links by name, not yet a graph without flaws.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU16;

use super::mistake::{Report, Span, quoted};
use crate::text::{count, line};
use crate::topology::Network;
use crate::topology::attributes::Attributes;
use crate::topology::switches::{
    Arrangement, Cable, Flaw, HOSTS_MAX, Names, PARALLEL_MAX, Place, SWITCHES_MAX, Switches, flaws,
};

/// A router of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Router {
    /// Its name for people.
    pub name: String,
    /// Its place, x and y.
    pub place: Option<[f64; 2]>,
    /// The name of its group.
    pub group: Option<String>,
    /// Its level, from the bottom.
    pub level: Option<u32>,
    pub(super) at: Span,
}

/// A host of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    /// `None` for hosts of which the file states only the number.
    pub name: Option<String>,
    /// The index of its router.
    pub router: usize,
}

/// A link of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The index of a router.
    pub from: usize,
    /// The index of a router.
    pub to: usize,
    pub one_way: bool,
    /// Links side by side.
    pub count: u32,
    /// Delay, rate and kind.
    pub attributes: Attributes,
    pub(super) at: Span,
}

/// A network as read from a file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Draft {
    pub routers: Vec<Router>,
    pub hosts: Vec<Host>,
    pub links: Vec<Link>,
    /// Contents of the file that are ignored or converted, in sentences.
    pub notes: Vec<String>,
    /// True if the file has no hosts: each router has one.
    pub without_hosts: bool,
}

/// A draft as data for the topology.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// The number of routers.
    pub routers: usize,
    pub cables: Vec<Cable>,
    /// The router of each host.
    pub hosts: Vec<u32>,
    pub arrangement: Arrangement,
    /// Names, unless they are numbers.
    pub names: Names,
}

impl Graph {
    /// The network. A graph of a checked draft has no flaws.
    pub fn network(&self) -> Network {
        let arrangement = self.arrangement.clone();
        let network = Switches::arranged(self.routers, &self.cables, &self.hosts, arrangement);
        Switches::named(network, self.names.clone())
    }
}

/// The attributes of a link as a key.
type Pace = (Option<NonZeroU16>, u8, u8);

/// Equal links side by side, with their number.
type Bundle = (Pace, Attributes, u32);

fn pace(attributes: Attributes) -> Pace {
    (attributes.delay, attributes.cycles_per_flit, attributes.kind)
}

impl Draft {
    /// Adds a router and returns its index.
    pub(super) fn router(&mut self, name: &str, at: Span) -> usize {
        self.routers.push(Router {
            name: name.to_owned(),
            place: None,
            group: None,
            level: None,
            at,
        });
        self.routers.len() - 1
    }

    /// Adds the defaults and the order, and records what makes the draft no network, apart from routers
    /// that no path reaches.
    pub(super) fn settle(&mut self, report: &mut Report<'_>) {
        if self.hosts.is_empty() && !self.routers.is_empty() {
            let host = |router| Host { name: None, router };
            self.hosts = (0..self.routers.len()).map(host).collect();
            self.notes.push("no hosts are named: each router has one".into());
            self.without_hosts = true;
        }
        self.number();
        self.sizes(report);
        for link in &self.links {
            if link.from == link.to {
                let name = quoted(&self.routers[link.from].name);
                report.add(&link.at, format!("a link joins {name} to itself"), "remove it");
            }
        }
        let without = |is_given: fn(&Router) -> bool| {
            self.routers.iter().filter(|router| !is_given(router)).count()
        };
        for (name, without) in [
            ("places", without(|router| router.place.is_some())),
            ("groups", without(|router| router.group.is_some())),
            ("levels", without(|router| router.level.is_some())),
        ] {
            if (1..self.routers.len()).contains(&without) {
                let without = count(without, "router has none", "routers have none");
                self.notes.push(format!("{name} of routers are ignored: {without}"));
            }
        }
        if !report.is_clean() {
            return;
        }
        self.side_by_side(&self.graph(), report);
    }

    /// True if paths lead from each router to all others.
    pub fn is_connected(&self) -> bool {
        let graph = self.graph();
        flaws(graph.routers, &graph.cables).is_empty()
    }

    /// Records the routers that no path reaches or leaves.
    pub(super) fn connect(&self, report: &mut Report<'_>) {
        let graph = self.graph();
        for flaw in flaws(graph.routers, &graph.cables) {
            let Flaw::Apart { switch, missing, back } = flaw else { continue };
            let (first, there) = (&self.routers[0], &self.routers[switch as usize]);
            let (from, to) = if back { (there, first) } else { (first, there) };
            let what = format!(
                "no way leads from {} to {} ({} so apart)",
                quoted(&from.name),
                quoted(&to.name),
                count(missing, "router is", "routers are"),
            );
            let help = if back { "add a link back" } else { "add a link, or remove the router" };
            report.add(&there.at, what, help);
        }
    }

    fn sizes(&self, report: &mut Report<'_>) {
        let mut refuse = |what: String, help: &str| report.add(&(0..0), what, help);
        let (routers, hosts) = (self.routers.len(), self.hosts.len());
        if routers == 0 {
            refuse("the file has no routers".into(), "add links between routers");
        } else if routers > SWITCHES_MAX {
            refuse(
                format!("there are {routers} routers; the limit is {SWITCHES_MAX}"),
                "name fewer",
            );
        } else if hosts > HOSTS_MAX {
            refuse(format!("there are {hosts} hosts; the limit is {HOSTS_MAX}"), "name fewer");
        } else if hosts < 2 {
            refuse("there is one host; messages need two".into(), "add a host");
        }
    }

    fn side_by_side(&self, graph: &Graph, report: &mut Report<'_>) {
        if let Some(cable) = graph.cables.iter().find(|cable| cable.count > PARALLEL_MAX) {
            let [from, to] = [cable.from, cable.to].map(|end| &self.routers[end as usize]);
            let what = format!(
                "{} links lead from {} to {} side by side; the limit is {PARALLEL_MAX}",
                cable.count,
                quoted(&from.name),
                quoted(&to.name)
            );
            report.add(&from.at, what, "remove some");
        }
    }

    /// Numbers routers and hosts by the numbers of their names, if all names are one text followed by
    /// a number; hosts without names ascend with their routers. The order is otherwise that of the file.
    fn number(&mut self) {
        let names: Vec<&str> = self.routers.iter().map(|router| router.name.as_str()).collect();
        if let Some(order) = by_number(&names) {
            let mut place = vec![0; order.len()];
            for (new, &old) in order.iter().enumerate() {
                place[old] = new;
            }
            self.routers = order.iter().map(|&old| self.routers[old].clone()).collect();
            for link in &mut self.links {
                (link.from, link.to) = (place[link.from], place[link.to]);
            }
            for host in &mut self.hosts {
                host.router = place[host.router];
            }
        }
        if self.hosts.iter().all(|host| host.name.is_none()) {
            self.hosts.sort_by_key(|host| host.router);
            return;
        }
        let names: Option<Vec<&str>> = self.hosts.iter().map(|host| host.name.as_deref()).collect();
        if let Some(order) = names.and_then(|names| by_number(&names)) {
            self.hosts = order.iter().map(|&old| self.hosts[old].clone()).collect();
        }
    }

    /// The draft as data for the topology. Links in both directions with the same attributes are
    /// joined to two-way cables.
    pub fn graph(&self) -> Graph {
        let mut ways: BTreeMap<(usize, usize), Vec<Bundle>> = BTreeMap::new();
        for link in &self.links {
            let back = (!link.one_way).then_some((link.to, link.from));
            for ends in std::iter::once((link.from, link.to)).chain(back) {
                let group = ways.entry(ends).or_default();
                let pace = pace(link.attributes);
                match group.iter_mut().find(|known| known.0 == pace) {
                    Some(known) => known.2 = known.2.saturating_add(link.count),
                    None => group.push((pace, link.attributes, link.count)),
                }
            }
        }
        let mut cables = Vec::new();
        for (&(from, to), group) in &ways {
            let same = ways.get(&(to, from)) == Some(group);
            if same && to < from {
                continue;
            }
            let cable = |&(_, attributes, count): &Bundle| {
                let (from, to) = (from as u32, to as u32);
                Cable { from, to, attributes, count, one_way: !same }
            };
            cables.extend(group.iter().map(cable));
        }
        let places: Option<Vec<[f64; 2]>> =
            self.routers.iter().map(|router| router.place).collect();
        let (groups, group_names) = self.groups().unzip();
        let thousandths = |x: f64| (x * 1000.0).round() as i32;
        let place = |[x, y]: [f64; 2]| Place { x: thousandths(x), y: thousandths(y) };
        Graph {
            routers: self.routers.len(),
            cables,
            hosts: self.hosts.iter().map(|host| host.router as u32).collect(),
            arrangement: Arrangement {
                places: places.map(|places| places.into_iter().map(place).collect()),
                groups,
                levels: self.levels(),
            },
            names: self.names(group_names.unwrap_or_default()),
        }
    }

    /// The groups of all routers, numbered in the order of the routers or, if all names end in numbers, of
    /// these, and the names of the groups, unless they are numbers; `None` if some router has no group.
    fn groups(&self) -> Option<(Vec<u32>, Vec<String>)> {
        let given: Vec<&str> =
            self.routers.iter().map(|router| router.group.as_deref()).collect::<Option<_>>()?;
        let mut known: Vec<&str> = Vec::new();
        let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
        for &name in &given {
            numbers.entry(name).or_insert_with(|| {
                known.push(name);
                known.len() as u32 - 1
            });
        }
        if let Some(order) = by_number(&known) {
            known = order.into_iter().map(|old| known[old]).collect();
            numbers = (0..).zip(&known).map(|(at, &name)| (name, at)).collect();
        }
        let names = names(known.iter().map(|&name| Some(name)), 'g').unwrap_or_default();
        (known.len() > 1).then(|| (given.iter().map(|name| numbers[name]).collect(), names))
    }

    /// The levels of all routers, numbered without gaps; `None` if some router has none.
    fn levels(&self) -> Option<Vec<u32>> {
        let given: Vec<u32> =
            self.routers.iter().map(|router| router.level).collect::<Option<_>>()?;
        let all: BTreeSet<u32> = given.iter().copied().collect();
        let number = |level: &u32| all.range(..level).count() as u32;
        (all.len() > 1).then(|| given.iter().map(number).collect())
    }

    /// Names of routers and hosts, without those that only state a number or are not unique, and of these
    /// groups.
    fn names(&self, groups: Vec<String>) -> Names {
        let routers = self.routers.iter().map(|router| Some(router.name.as_str()));
        let hosts = self.hosts.iter().map(|host| host.name.as_deref());
        Names {
            routers: names(routers, 's').unwrap_or_default(),
            hosts: names(hosts, 'h').unwrap_or_default(),
            groups,
        }
    }
}

/// The names as lines of text, if all are given, unique and more than their number, with or without
/// a letter before.
fn names<'n>(
    given: impl Iterator<Item = Option<&'n str>> + Clone,
    letter: char,
) -> Option<Vec<String>> {
    let is_number = |(at, name): (usize, Option<&str>)| {
        let digits = name.map(|name| name.strip_prefix(letter).unwrap_or(name));
        digits.is_some_and(|digits| digits == at.to_string())
    };
    let names: Vec<String> = given.clone().map(|name| name.map(line)).collect::<Option<_>>()?;
    let unique: BTreeSet<&str> = names.iter().map(|name| name.trim()).collect();
    let plain = given.enumerate().all(is_number);
    (!plain && unique.len() == names.len() && !unique.contains("")).then_some(names)
}

/// The order of names by their numbers, if all are one text followed by a number.
fn by_number(names: &[&str]) -> Option<Vec<usize>> {
    let split = |name: &&str| {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (text, number) = name.split_at(name.len() - digits);
        Some((text.to_owned(), number.parse::<u64>().ok()?))
    };
    let parts: Option<Vec<(String, u64)>> = names.iter().map(split).collect();
    let parts = parts?;
    if parts.windows(2).any(|pair| pair[0].0 != pair[1].0) {
        return None;
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&index| parts[index].1);
    Some(order)
}
