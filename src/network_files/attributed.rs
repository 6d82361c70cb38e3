//! Graphs of nodes and edges with named attributes, as GraphML, node-link JSON and GML have them.
//!
//! | attribute | of | meaning |
//! |---|---|---|
//! | `name`, `label` | nodes | the name for people |
//! | `x`, `y`; `longitude`, `latitude` | nodes | the place |
//! | `group` | nodes | the name of the group |
//! | `level`, `layer`, `tier` | nodes | the level, a number from the bottom |
//! | `endpoints`, `hosts` | nodes | the number of hosts |
//! | `host_names` | nodes | names of hosts, separated by commas |
//! | `type`, `role` | nodes | `host` for a node that is a host: its only edge leads to its router |
//! | `delay` | edges | cycles, 1 to 4096 |
//! | `rate`, `cycles_per_flit` | edges | cycles for which a flit is sent, 1 to 64 |
//! | `count` | edges | links side by side |
//! | `kind` | edges | 0 to 255 |
//! | `one_way` | edges | the link has no way back |
//! | `speed`, `bandwidth`, `capacity`, `LinkSpeedRaw` | edges | a rate relative to the fastest |
//! | `latency` | edges | refused, unless its unit is stated ([`super::DelayUnit`]) |
//!
//! Capital letters do not matter. Other attributes are ignored, with a note.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU16;

use super::draft::{Draft, Host, Link};
use super::ignored::Ignored;
use super::mistake::{Report, Span, meant, quoted};
use super::speeds::Speeds;
use super::values::{Attribute, COUNTS, DELAYS, KINDS, RATES, speed};
use crate::topology::attributes::Attributes;
use crate::topology::switches::HOSTS_MAX;

/// A node of a file.
pub(super) struct Node<'t> {
    pub id: Cow<'t, str>,
    pub at: Span,
    pub attributes: Vec<Attribute<'t>>,
}

/// An edge of a file.
pub(super) struct Edge<'t> {
    /// Names of both nodes, each with its place.
    pub ends: [(Cow<'t, str>, Span); 2],
    pub at: Span,
    pub directed: bool,
    pub attributes: Vec<Attribute<'t>>,
}

/// A graph as it stands in a file.
#[derive(Default)]
pub(super) struct Graph<'t> {
    pub nodes: Vec<Node<'t>>,
    pub edges: Vec<Edge<'t>>,
    /// Contents already known to be ignored.
    pub ignored: Ignored,
    /// Two edges between the same nodes are a mistake.
    pub simple: bool,
}

/// Names of attributes.
pub(super) const KNOWN: &[&str] = &[
    "name",
    "label",
    "x",
    "y",
    "longitude",
    "latitude",
    "group",
    "level",
    "layer",
    "tier",
    "endpoints",
    "hosts",
    "host_names",
    "type",
    "role",
    "delay",
    "rate",
    "cycles_per_flit",
    "count",
    "kind",
    "one_way",
    "speed",
    "bandwidth",
    "capacity",
    "latency",
];

/// A node as a part of a network: the index of a router, or a host with its own.
#[derive(Clone, Copy)]
enum Part {
    Router(usize),
    /// The index in the list of host nodes.
    Host(usize),
}

/// A node that is a host.
struct HostNode {
    name: String,
    at: Span,
    router: Option<usize>,
}

/// Meanings of the attributes of a link.
#[derive(Default)]
struct Meaning {
    delay: Option<u64>,
    rate: Option<u64>,
    count: Option<u64>,
    kind: Option<u64>,
    one_way: Option<bool>,
    speed: Option<(String, f64)>,
}

/// Builds the draft of a graph.
pub(super) fn draft(graph: Graph<'_>, report: &mut Report<'_>) -> Draft {
    let Graph { nodes, edges, ignored, simple } = graph;
    let builder = Builder {
        draft: Draft::default(),
        parts: BTreeMap::new(),
        hosts: Vec::new(),
        ignored,
        speeds: Speeds::default(),
    };
    builder.build(&nodes, &edges, simple, report)
}

struct Builder<'g> {
    draft: Draft,
    parts: BTreeMap<&'g str, (Part, &'g Span)>,
    hosts: Vec<HostNode>,
    ignored: Ignored,
    speeds: Speeds,
}

impl<'g> Builder<'g> {
    fn build(
        mut self,
        nodes: &'g [Node<'_>],
        edges: &'g [Edge<'_>],
        simple: bool,
        report: &mut Report<'_>,
    ) -> Draft {
        for node in nodes {
            self.node(node, report);
        }
        let mut pairs: BTreeMap<(usize, usize), &Span> = BTreeMap::new();
        for edge in edges {
            let ends = [0, 1].map(|end| self.end(&edge.ends[end], report));
            let [Some(from), Some(to)] = ends else { continue };
            match (from, to) {
                (Part::Router(from), Part::Router(to)) => {
                    self.link(edge, [from, to], report);
                    let key = if edge.directed { (from, to) } else { (from.min(to), from.max(to)) };
                    if let (Some(first), true) = (pairs.insert(key, &edge.at), simple) {
                        let line = report.line(first);
                        let what = format!("this link is given twice, first on line {line}");
                        let help = "remove it, or state that the graph is a multigraph";
                        report.add(&edge.at, what, help);
                    }
                }
                (Part::Host(host), Part::Router(router))
                | (Part::Router(router), Part::Host(host)) => {
                    self.attach(host, router, edge, report);
                }
                (Part::Host(_), Part::Host(_)) => {
                    let help = "write a router between them, or give each the `type` router";
                    report.add(&edge.at, "this edge joins two hosts", help);
                }
            }
        }
        for host in &self.hosts {
            if let Some(router) = host.router {
                self.draft.hosts.push(Host { name: Some(host.name.clone()), router });
            } else {
                let what = format!("host {} has no router", quoted(&host.name));
                report.add(&host.at, what, "add an edge from the host to a router");
            }
        }
        self.speeds.apply(&mut self.draft);
        self.draft.notes.extend(self.ignored.notes(KNOWN));
        self.draft
    }

    fn end(&self, (name, at): &(Cow<'_, str>, Span), report: &mut Report<'_>) -> Option<Part> {
        if let Some((part, _)) = self.parts.get(&**name) {
            return Some(*part);
        }
        let help = meant(name, self.parts.keys().copied(), "write the name of a node");
        report.add(at, format!("there is no node {}", quoted(name)), help);
        None
    }

    fn attach(&mut self, host: usize, router: usize, edge: &Edge<'_>, report: &mut Report<'_>) {
        let there = &mut self.hosts[host];
        if there.router.is_some_and(|known| known != router) {
            let what = format!("host {} is joined to two routers", quoted(&there.name));
            report.add(&edge.at, what, "remove one of the two edges, or make the node a router");
        }
        there.router = Some(router);
        for attribute in &edge.attributes {
            self.ignored.add("edges of hosts", &attribute.name);
        }
    }

    fn node(&mut self, node: &'g Node<'_>, report: &mut Report<'_>) {
        if let Some((_, first)) = self.parts.get(&*node.id) {
            let line = report.line(first);
            let what = format!("node {} is given twice, first on line {line}", quoted(&node.id));
            report.add(&node.at, what, "give the node another name");
            return;
        }
        let is = |name: &str, names: &[&str]| {
            names.iter().any(|known| known.eq_ignore_ascii_case(name.trim()))
        };
        let (mut name, mut x, mut y) = (&*node.id, None, None);
        let (mut number, mut names, mut is_host) = (None, None, false);
        let (mut group, mut level) = (None, None);
        for attribute in &node.attributes {
            let Attribute { name: key, value, at } = attribute;
            match key.to_lowercase().as_str() {
                "name" | "label" if !value.trim().is_empty() => name = value.trim(),
                "x" | "longitude" => x = report.coordinate(key, value, at),
                "y" | "latitude" => y = report.coordinate(key, value, at),
                "group" if !value.trim().is_empty() => group = Some(value.trim().to_owned()),
                "level" | "layer" | "tier" if value.trim().parse::<u32>().is_ok() => {
                    level = value.trim().parse().ok();
                }
                "endpoints" | "hosts" => {
                    number = report.whole(key, value, at, 0..=HOSTS_MAX as u64);
                }
                "host_names" => names = Some(value),
                "type" | "role" if is(value, HOST) => is_host = true,
                "type" | "role" if is(value, ROUTER) => {}
                _ => self.ignored.add("nodes", key),
            }
        }
        if is_host {
            let (name, at) = (name.to_owned(), node.at.clone());
            self.parts.insert(&node.id, (Part::Host(self.hosts.len()), &node.at));
            self.hosts.push(HostNode { name, at, router: None });
            return;
        }
        let router = self.draft.router(name, node.at.clone());
        let described = &mut self.draft.routers[router];
        described.place = x.zip(y).map(Into::into);
        (described.group, described.level) = (group, level);
        self.parts.insert(&node.id, (Part::Router(router), &node.at));
        if let Some(names) = names {
            let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
            let host = |name: &str| Host { name: Some(name.to_owned()), router };
            self.draft.hosts.extend(names.map(host));
        } else if self.draft.hosts.len() <= HOSTS_MAX {
            let host = Host { name: None, router };
            self.draft.hosts.extend(std::iter::repeat_n(host, number.unwrap_or(0) as usize));
        }
    }

    fn link(&mut self, edge: &Edge<'_>, [from, to]: [usize; 2], report: &mut Report<'_>) {
        let index = self.draft.links.len();
        let mut meaning = Meaning::default();
        for attribute in &edge.attributes {
            self.attribute(attribute, &mut meaning, report);
        }
        match (meaning.speed, meaning.rate) {
            (Some((name, speed)), None) => self.speeds.add(&name, index, speed),
            (Some((name, _)), Some(_)) => self.ignored.add("links with a rate", &name),
            (None, _) => {}
        }
        self.draft.links.push(Link {
            from,
            to,
            one_way: edge.directed || meaning.one_way.unwrap_or(false),
            count: meaning.count.unwrap_or(1) as u32,
            attributes: attributes(meaning.delay, meaning.rate, meaning.kind),
            at: edge.at.clone(),
        });
    }

    fn attribute(
        &mut self,
        attribute: &Attribute<'_>,
        meaning: &mut Meaning,
        report: &mut Report<'_>,
    ) {
        let Attribute { name, value, at } = attribute;
        report.mention(name);
        if report.is_delay(name) {
            meaning.delay = report.delay_in_units(value, at);
            return;
        }
        match name.to_lowercase().as_str() {
            "delay" if report.unit.is_some() => self.ignored.add("links", name),
            "delay" if is_fraction(value) => {
                let what =
                    format!("`{name}` must be a whole number of cycles, not {}", quoted(value));
                report.add_of("fraction", at, what, in_cycles(name));
            }
            "delay" => meaning.delay = report.whole(name, value, at, DELAYS),
            "rate" | "cycles_per_flit" => meaning.rate = report.whole(name, value, at, RATES),
            "count" => meaning.count = report.whole(name, value, at, COUNTS),
            "kind" => meaning.kind = report.whole(name, value, at, KINDS),
            "one_way" => meaning.one_way = report.truth(name, value, at),
            "speed" | "bandwidth" | "capacity" | "linkspeedraw" => {
                meaning.speed = speed(value).map(|speed| (name.to_string(), speed));
                if meaning.speed.is_none() {
                    let what = format!("`{name}` must be a speed above 0, not {}", quoted(value));
                    report.add(at, what, "write a number with its unit, such as 10 Gbit/s");
                }
            }
            "latency" | "link_latency" | "lat" => {
                let what = format!("`{name}` has no unit in cycles");
                report.add_of("latency", at, what, in_cycles(name));
            }
            // Names of edges, as multigraphs have them.
            "id" | "key" => {}
            _ => self.ignored.add("links", name),
        }
    }
}

/// True for a number above 0 that is not whole.
pub(super) fn is_fraction(value: &str) -> bool {
    value
        .trim()
        .parse::<f64>()
        .is_ok_and(|delay| delay > 0.0 && delay.is_finite() && delay.fract() != 0.0)
}

/// Help message about the delays of an attribute in another unit.
pub(super) fn in_cycles(name: &str) -> String {
    format!(
        "write cycles as `delay`: `flitscope network FILE --delay {name} --cycles-per-unit N --to csv` \
         converts it"
    )
}

/// Attributes of a link from numbers within their limits.
pub(super) fn attributes(delay: Option<u64>, rate: Option<u64>, kind: Option<u64>) -> Attributes {
    Attributes {
        delay: delay.and_then(|delay| NonZeroU16::new(delay as u16)),
        cycles_per_flit: rate.unwrap_or(1) as u8,
        kind: kind.unwrap_or(0) as u8,
    }
}

const HOST: &[&str] = &["host", "terminal", "endpoint", "server", "nic", "hca", "ca"];
const ROUTER: &[&str] = &["router", "switch"];
