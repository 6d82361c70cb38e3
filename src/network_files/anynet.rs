//! BookSim2's `anynet`: a line for each router, with its nodes and the routers that it reaches.
//!
//! ```text
//! router 0 node 0 node 1 router 1 15
//! router 1 node 2 router 0 5
//! ```
//!
//! A number behind a router is the latency of the channel to it, in cycles. A channel without a
//! latency, and a way back that no line mentions, take one cycle, as in BookSim2. Nodes are hosts.
//! Routers and hosts are numbered in the order of their numbers.

use std::collections::BTreeMap;

use super::attributed::attributes;
use super::draft::{Draft, Host, Link};
use super::mistake::{Report, Span, meant, quoted};
use super::values::DELAYS;
use crate::text::count;

/// Routers, nodes and channels by number.
#[derive(Default)]
struct Channels {
    routers: BTreeMap<u64, Span>,
    /// The router of each node.
    nodes: BTreeMap<u64, (u64, Span)>,
    /// Delays by both ends.
    delays: BTreeMap<(u64, u64), (u64, Span)>,
    /// Latencies of nodes, which are ignored.
    ignored: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Router,
    Node,
}

const NAMES: [&str; 2] = ["router", "node"];

/// True if a text begins with a router and its number.
pub(super) fn sniff(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let kind = matches!(words.next(), Some("router" | "node"));
    kind && words.next().is_some_and(|word| word.parse::<u64>().is_ok())
}

/// Reads an `anynet` file.
pub(super) fn read(report: &mut Report<'_>) -> Draft {
    let mut channels = Channels::default();
    for line in report.text.lines() {
        channels.line(line, report);
    }
    channels.draft(report)
}

/// The words of a line, with their places.
fn words<'t>(line: &'t str, report: &Report<'_>) -> Vec<(&'t str, Span)> {
    line.split_whitespace().map(|word| (word, report.span(word))).collect()
}

impl Channels {
    fn line(&mut self, line: &str, report: &mut Report<'_>) {
        let words = words(line, report);
        let mut rest = words.iter().peekable();
        let mut head = None;
        while let Some((word, at)) = rest.next() {
            let kind = match *word {
                "router" => Kind::Router,
                "node" => Kind::Node,
                _ => {
                    let what = format!("`router` or `node` must stand here, not {}", quoted(word));
                    let instead = "write `router`, its number, and the parts joined to it";
                    report.add(at, what, meant(word, NAMES.into_iter(), instead));
                    return;
                }
            };
            let Some((number, at)) = rest.next() else {
                report.add(at, format!("`{word}` has no number"), "write one behind it");
                return;
            };
            let Ok(number) = number.parse::<u64>() else {
                let what = format!("`{word}` must have a whole number, not {}", quoted(number));
                report.add(at, what, format!("write a number, such as `{word} 0`"));
                return;
            };
            if kind == Kind::Router {
                self.routers.entry(number).or_insert_with(|| at.clone());
            }
            // A word behind a number is a misspelt name rather than a latency.
            let is_number = |word: &str| !word.starts_with(char::is_alphabetic);
            let delay = rest.next_if(|(word, _)| head.is_some() && is_number(word));
            match head {
                None => head = Some((kind, number)),
                Some(head) => self.joined(head, (kind, number), at, delay, report),
            }
        }
    }

    fn joined(
        &mut self,
        (head, from): (Kind, u64),
        (kind, to): (Kind, u64),
        at: &Span,
        delay: Option<&(&str, Span)>,
        report: &mut Report<'_>,
    ) {
        let (node, router) = match (head, kind) {
            (Kind::Router, Kind::Router) => {
                let read = |(word, at): &(&str, Span)| report.whole("latency", word, at, DELAYS);
                let delay = delay.map_or(Some(1), read).unwrap_or(1);
                if let Some((_, first)) = self.delays.insert((from, to), (delay, at.clone())) {
                    let line = report.line(&first);
                    let what = format!(
                        "the channel from router {from} to {to} is given twice, first on line {line}"
                    );
                    report.add(at, what, "remove one of the two");
                }
                return;
            }
            (Kind::Node, Kind::Node) => {
                report.add(at, "this line joins two nodes", "join a node to a router");
                return;
            }
            (Kind::Node, Kind::Router) => (from, to),
            (Kind::Router, Kind::Node) => (to, from),
        };
        self.ignored += usize::from(delay.is_some());
        if let Some((known, first)) = self.nodes.get(&node)
            && *known != router
        {
            let line = report.line(first);
            let what =
                format!("node {node} is joined to router {known} on line {line}, and to {router}");
            report.add(at, what, "remove one of the two");
        }
        self.nodes.insert(node, (router, at.clone()));
    }

    fn draft(self, report: &mut Report<'_>) -> Draft {
        let mut draft = Draft::default();
        let mut indices = BTreeMap::new();
        for (number, at) in &self.routers {
            indices.insert(*number, draft.router(&number.to_string(), at.clone()));
        }
        for (node, (router, _)) in &self.nodes {
            let (name, router) = (Some(node.to_string()), indices[router]);
            draft.hosts.push(Host { name, router });
        }
        if self.nodes.is_empty() && !self.routers.is_empty() {
            report.add(&(0..0), "the file has no nodes", "write `node 0` behind a router");
        }
        let mut unstated = 0;
        for (&(from, to), (delay, at)) in &self.delays {
            let link = |from: u64, to: u64, delay: u64| Link {
                from: indices[&from],
                to: indices[&to],
                one_way: true,
                count: 1,
                attributes: attributes(Some(delay), None, None),
                at: at.clone(),
            };
            draft.links.push(link(from, to, *delay));
            if from != to && !self.delays.contains_key(&(to, from)) {
                unstated += 1;
                draft.links.push(link(to, from, 1));
            }
        }
        if unstated > 0 {
            let ways = count(unstated, "way back is", "ways back are");
            draft.notes.push(format!("{ways} not mentioned: the delay is 1 cycle"));
        }
        if self.ignored > 0 {
            let latencies = count(self.ignored, "latency of a node is", "latencies of nodes are");
            draft.notes.push(format!("{latencies} ignored"));
        }
        draft
    }
}
