//! The flows where heads have a choice: all ways are listed once, and messages spread over them for the
//! probabilities with which each choice is made.
//!
//! A head at a router has a list of candidates, from its destination and, where the rule reads it, from
//! its source. All messages to one destination (or of one pair of nodes) go through the routers from
//! the farthest to the nearest, so that one pass over a list of visits adds them up.

use std::collections::{BTreeMap, HashMap};

use super::super::servers::{Resource, Servers, Step, add_share, add_step};
use super::Flows;
use crate::ids::{NodeId, RouterId};
use crate::model::Unsolved;
use crate::model::routes::{Shares, for_each_source};
use crate::routing::Header;
use crate::system::System;

/// The most visits that are listed: with that many a solution takes some tenths of a second.
const VISITS_MAX: usize = 1 << 17;

/// All ways of all messages.
#[derive(Clone, Debug)]
pub(in super::super) struct Ways {
    /// The servers and sources, without flows.
    empty: Servers,
    /// The lists of candidates there are, each by servers and routers behind them, preferred first.
    pub choices: Vec<Vec<(u32, u32)>>,
    visits: Vec<(u32, u32)>,
    groups: Vec<Group>,
    links: usize,
    routers: usize,
}

/// Where messages start: their number per message of a node, and the links that they cross.
#[derive(Clone, Copy, Debug)]
struct Start {
    node: NodeId,
    router: RouterId,
    share: f64,
    hops: u32,
}

/// Messages that share their ways.
#[derive(Clone, Debug)]
struct Group {
    /// Where they start.
    starts: Vec<Start>,
    destination: u32,
    ejection: u32,
    /// One behind the last of its visits.
    end: usize,
}

impl Ways {
    /// Of a rule on a cube that gives heads a choice.
    pub fn list(system: &System) -> Result<Self, Unsolved> {
        let network = &system.network;
        let (nodes, channels) = (network.nodes(), network.channels().len());
        let mut ways = Self {
            empty: Servers::new(nodes, channels),
            choices: Vec::new(),
            visits: Vec::new(),
            groups: Vec::new(),
            links: channels,
            routers: network.routers(),
        };
        let reads_source = system.relation.reads_source();
        let mut to: BTreeMap<(NodeId, Option<NodeId>), Shares> = BTreeMap::new();
        if !Self::can_be_listed(system) {
            return Err(Unsolved::NotCovered(format!(
                "where heads choose the model lists the routers on all ways, at most {VISITS_MAX}, \
                 and these {nodes} nodes may have more"
            )));
        }
        for_each_source(system, |source, shares| {
            for (destination, share) in shares {
                let from = reads_source.then_some(source);
                to.entry((destination, from)).or_default().push((source, share));
            }
            Ok(())
        })?;
        let mut known = HashMap::new();
        for ((destination, from), starts) in to {
            ways.add_group(system, destination, from, &starts, &mut known);
        }
        Ok(ways)
    }

    /// Whether the ways are few enough, were messages sent from all nodes to all.
    pub fn can_be_listed(system: &System) -> bool {
        let network = &system.network;
        let Some(cube) = network.grid() else { return false };
        let (mut stride, mut visits) = (1, 1.0);
        for (dimension, &radix) in cube.radix().iter().enumerate() {
            let way = |from: u32, to: u32| {
                let hops = cube.distance(RouterId(from * stride), RouterId(to * stride));
                let tie = cube.is_half_way(dimension, from as u16, to as u16);
                f64::from(hops + 1) * if tie { 2.0 } else { 1.0 }
            };
            let ties = if (0..radix).any(|to| cube.is_half_way(dimension, 0, to as u16)) {
                2.0
            } else {
                1.0
            };
            visits *= if system.relation.reads_source() {
                (0..radix)
                    .flat_map(|from| (0..radix).map(move |to| (from, to)))
                    .map(|(from, to)| way(from, to))
                    .sum()
            } else {
                f64::from(radix * radix) * ties
            };
            stride *= radix;
        }
        let hosts = network.nodes() as f64 / network.routers() as f64;
        visits * hosts * if system.relation.reads_source() { hosts } else { 1.0 }
            <= VISITS_MAX as f64
    }

    fn add_group(
        &mut self,
        system: &System,
        destination: NodeId,
        from: Option<NodeId>,
        starts: &[(NodeId, f64)],
        known: &mut HashMap<Offer, u32>,
    ) {
        let (network, relation) = (&system.network, &system.relation);
        let router = |node: NodeId| network.router_of(node);
        let outcomes: Vec<u64> = relation.outcomes(from.map(router), router(destination)).collect();
        let ejection = self.empty.ejection(destination);
        let mut candidates = Vec::new();
        for &route_bits in &outcomes {
            let weight = 1.0 / outcomes.len() as f64;
            let start = |&(node, share): &(NodeId, f64)| {
                let hops = network.distance(router(node), router(destination));
                Start { node, router: router(node), share: share * weight, hops }
            };
            let starts: Vec<Start> = starts.iter().map(start).collect();
            // Routers that are met, the farthest first.
            let mut met: BTreeMap<(std::cmp::Reverse<u32>, RouterId), u32> = BTreeMap::new();
            let mut open: Vec<RouterId> = starts.iter().map(|it| it.router).collect();
            while let Some(at) = open.pop() {
                let place = (std::cmp::Reverse(network.distance(at, router(destination))), at);
                if at == router(destination) || met.contains_key(&place) {
                    continue;
                }
                let source = from.map_or(at, router);
                let header = Header { source, destination: router(destination), route_bits };
                relation.candidates(at, &header, &mut candidates);
                let offer = (at.0, candidates.iter().map(|it| (it.channel.0, it.vcs)).collect());
                let choice = *known.entry(offer).or_insert_with(|| {
                    let servers = candidates
                        .iter()
                        .map(|&it| (self.empty.link(it), network.channel(it.channel).to.0));
                    self.choices.push(servers.collect());
                    for it in &candidates {
                        let alike = candidates.iter().filter(|&other| other.channel == it.channel);
                        let server = self.empty.link(*it) as usize;
                        self.empty.all[server].pooled |= alike.count() > 1;
                    }
                    self.choices.len() as u32 - 1
                });
                met.insert(place, choice);
                open.extend(self.choices[choice as usize].iter().map(|&(_, to)| RouterId(to)));
            }
            self.visits.extend(met.iter().map(|(&(_, at), &choice)| (at.0, choice)));
            let end = self.visits.len();
            self.groups.push(Group { starts, destination: router(destination).0, ejection, end });
        }
    }

    /// What a server is.
    pub fn resource(&self, server: u32) -> Resource {
        self.empty.all[server as usize].resource
    }

    /// The flows where the candidates of each choice are taken with these probabilities.
    pub fn flows(&self, probabilities: &[Vec<f64>]) -> Flows {
        let mut found = self.empty.clone();
        // By router, the messages of the group there, by the server they came through.
        let mut here: Vec<Vec<(From, f64)>> = vec![Vec::new(); self.routers];
        let mut begin = 0;
        for group in &self.groups {
            for &Start { node, router, share, hops } in &group.starts {
                let source = &mut found.sources[node.index()];
                source.share += share;
                source.hops += share * f64::from(hops);
                here[router.index()].push((From::Source(node), share));
            }
            for &(router, choice) in &self.visits[begin..group.end] {
                let came = std::mem::take(&mut here[router as usize]);
                let all: f64 = came.iter().map(|it| it.1).sum();
                if all > 0.0 {
                    for &(from, share) in &came {
                        let (next, made) = from.in_servers(&mut found);
                        add_share(made, choice, share);
                        for (&(to, _), part) in self.choices[choice as usize]
                            .iter()
                            .zip(&probabilities[choice as usize])
                        {
                            add_step(next, to, share * part);
                        }
                    }
                    let choice = choice as usize;
                    let next = self.choices[choice][0].1;
                    let one = self.choices[choice].iter().all(|&(_, router)| router == next);
                    for (&(to, router), part) in
                        self.choices[choice].iter().zip(&probabilities[choice])
                    {
                        found.all[to as usize].share += all * part;
                        found.all[to as usize].alone += if one { all * part } else { 0.0 };
                        here[router as usize].push((From::Server(to), all * part));
                    }
                }
                here[router as usize] = came;
                here[router as usize].clear();
            }
            begin = group.end;
            let came = std::mem::take(&mut here[group.destination as usize]);
            for &(from, share) in &came {
                found.all[group.ejection as usize].share += share;
                let (next, _) = from.in_servers(&mut found);
                add_step(next, group.ejection, share);
            }
        }
        Flows::of(found.all, found.sources, self.links)
    }
}

/// A router and what a head is offered there.
type Offer = (u32, Vec<(u32, u32)>);

/// Where messages are from at a router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum From {
    Source(NodeId),
    Server(u32),
}

impl From {
    /// Their steps, and their choices.
    fn in_servers(self, servers: &mut Servers) -> (&mut Vec<Step>, &mut Vec<(u32, f64)>) {
        match self {
            Self::Source(node) => {
                let source = &mut servers.sources[node.index()];
                (&mut source.next, &mut source.choices)
            }
            Self::Server(server) => {
                let server = &mut servers.all[server as usize];
                (&mut server.next, &mut server.choices)
            }
        }
    }
}
