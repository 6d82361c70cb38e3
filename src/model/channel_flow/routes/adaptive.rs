//! The flows where heads have a choice: all ways are listed once, and messages spread over them for the
//! probabilities with which each choice is made.
//!
//! A head at a router has a list of candidates, from its destination and, where the rule reads it, from
//! its source. All messages to one destination (or of one pair of nodes) go through the routers from
//! the farthest to the nearest, so that one pass over a list of visits adds them up.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::super::servers::{Resource, Server, Servers, Source, Step, add_step};
use super::Flows;
use crate::ids::{NodeId, RouterId};
use crate::model::queue::Moments;
use crate::model::routes::{Shares, for_each_source};
use crate::model::{Unsolved, budget, wanted};
use crate::routing::{Header, Stop};
use crate::system::System;
use crate::topology::Network;

/// The most visits that are listed: with that many a round of choices takes some tenths of a second.
const VISITS_MAX: usize = 1 << 20;

/// Steps of work that are charged for the listing of a visit.
const STEPS_PER_VISIT: usize = 24;

/// All ways of all messages.
#[derive(Clone, Debug)]
pub(in super::super) struct Ways {
    /// The servers and sources, without flows.
    empty: Servers,
    /// The lists of candidates there are, each by servers and routers behind them, preferred first.
    pub choices: Vec<Vec<(u32, u32)>>,
    /// Of each choice its number among those of its router, and those of its servers among all out of it.
    numbers: Vec<(usize, Vec<usize>)>,
    /// By router, its choices and the servers out of it.
    offers: Vec<(Vec<u32>, Vec<u32>)>,
    visits: Vec<(u32, u32)>,
    groups: Vec<Group>,
    links: usize,
    pub network: Arc<Network>,
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
            numbers: Vec::new(),
            offers: vec![Default::default(); network.routers()],
            visits: Vec::new(),
            groups: Vec::new(),
            links: channels,
            network: Arc::clone(network),
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
            wanted::still()?;
            ways.add_group(system, destination, from, &starts, &mut known);
        }
        Ok(ways)
    }

    /// True if the ways are few enough, were messages sent from all nodes to all.
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
                relation.candidates(Stop::start(at), &header, &mut candidates);
                let offer = (at.0, candidates.iter().map(|it| (it.channel.0, it.vcs)).collect());
                let choice = *known.entry(offer).or_insert_with(|| {
                    let server = |&it| (self.empty.link(it), network.channel(it.channel).to.0);
                    let servers: Vec<(u32, u32)> = candidates.iter().map(server).collect();
                    let (choices, outs) = &mut self.offers[at.index()];
                    choices.push(self.choices.len() as u32);
                    let out = |&(server, _): &(u32, u32)| {
                        outs.iter().position(|&it| it == server).unwrap_or_else(|| {
                            outs.push(server);
                            outs.len() - 1
                        })
                    };
                    let numbers = servers.iter().map(out).collect();
                    self.numbers.push((choices.len() - 1, numbers));
                    self.choices.push(servers);
                    for it in &candidates {
                        let alike = candidates.iter().filter(|&other| other.channel == it.channel);
                        let vcs: u32 = alike.map(|it| it.vcs.count_ones()).sum();
                        let server = self.empty.link(*it) as usize;
                        let pool = &mut self.empty.all[server].pool;
                        *pool = vcs.max(*pool);
                    }
                    self.choices.len() as u32 - 1
                });
                met.insert(place, choice);
                open.extend(self.choices[choice as usize].iter().map(|&(_, to)| RouterId(to)));
            }
            budget::charge(STEPS_PER_VISIT * met.len());
            self.visits.extend(met.iter().map(|(&(_, at), &choice)| (at.0, choice)));
            let end = self.visits.len();
            self.groups.push(Group { starts, destination: router(destination).0, ejection, end });
        }
    }

    pub fn resource(&self, server: u32) -> Resource {
        self.empty.all[server as usize].resource
    }

    /// The flows where the candidates of each choice are taken like this.
    pub fn flows(&self, choices: &[Vec<Taken>]) -> Flows {
        let mut found = self.empty.clone();
        let servers = found.all.len();
        let mut tallies = self.tallies();
        // By router, the messages of the group there, by what they came through.
        let mut here: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.network.routers()];
        let mut begin = 0;
        for group in &self.groups {
            for &Start { node, router, share, hops } in &group.starts {
                let source = &mut found.sources[node.index()];
                source.share += share;
                source.hops.mix(share, Moments::with_variance(f64::from(hops), 0.0));
                here[router.index()].push((servers + node.index(), share));
            }
            for &(router, choice) in &self.visits[begin..group.end] {
                let mut came = std::mem::take(&mut here[router as usize]);
                budget::charge(1 + came.len());
                let all: f64 = came.iter().map(|it| it.1).sum();
                if all > 0.0 {
                    let choice = choice as usize;
                    let (to, parts) = (&self.choices[choice], &choices[choice]);
                    let (number, outs) = &self.numbers[choice];
                    for &(from, share) in &came {
                        let tally = &mut tallies[from];
                        tally.choices[*number] += share;
                        for (&out, taken) in outs.iter().zip(parts) {
                            tally.next[out] += share * taken.part;
                        }
                    }
                    let one = to.iter().all(|&(_, router)| router == to[0].1);
                    for (&(to, router), &Taken { part, free, queued }) in to.iter().zip(parts) {
                        let server = &mut found.all[to as usize];
                        server.share += all * part;
                        server.alone += if one { all * part } else { 0.0 };
                        server.open += all * free;
                        server.queued += all * queued;
                        here[router as usize].push((to as usize, all * part));
                    }
                }
                came.clear();
                here[router as usize] = came;
            }
            begin = group.end;
            for (from, share) in std::mem::take(&mut here[group.destination as usize]) {
                found.all[group.ejection as usize].share += share;
                add_step(&mut tallies[from].ends, group.ejection, share);
            }
        }
        for (from, tally) in tallies.into_iter().enumerate() {
            let (next, choices) = match from.checked_sub(servers) {
                None => {
                    let Server { next, choices, .. } = &mut found.all[from];
                    (next, choices)
                }
                Some(node) => {
                    let Source { next, choices, .. } = &mut found.sources[node];
                    (next, choices)
                }
            };
            self.write(tally, next, choices);
        }
        Flows::of(found.all, found.sources, self.links)
    }

    /// Nothing yet, for all servers and then all sources.
    fn tallies(&self) -> Vec<Tally> {
        let tally = |router: RouterId| {
            let (choices, outs) = &self.offers[router.index()];
            let (choices, next) = (vec![0.0; choices.len()], vec![0.0; outs.len()]);
            Tally { router, choices, next, ends: Vec::new() }
        };
        let servers = self.empty.all.iter().map(|server| match server.resource {
            Resource::Link(channel, _) => tally(self.network.channel(channel).to),
            Resource::Ejection(node) => {
                let router = self.network.router_of(node);
                Tally { router, choices: Vec::new(), next: Vec::new(), ends: Vec::new() }
            }
        });
        let nodes = (0..self.empty.sources.len()).map(NodeId::new);
        servers.chain(nodes.map(|node| tally(self.network.router_of(node)))).collect()
    }

    /// Writes the choices that were met, and a step to each of their servers.
    fn write(&self, tally: Tally, next: &mut Vec<Step>, choices: &mut Vec<(u32, f64)>) {
        let (all, outs) = &self.offers[tally.router.index()];
        let met = all.iter().copied().zip(tally.choices).filter(|it| it.1 > 0.0);
        choices.extend(met);
        let mut offered = vec![false; tally.next.len()];
        for &(choice, _) in &*choices {
            for &out in &self.numbers[choice as usize].1 {
                offered[out] = true;
            }
        }
        let steps = outs.iter().zip(tally.next).zip(offered).filter(|it| it.1);
        next.extend(steps.map(|((&to, share), _)| Step { to, share, place: 0 }));
        next.extend(tally.ends);
    }
}

/// With which probabilities a candidate is taken.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in super::super) struct Taken {
    /// By those that have the choice.
    pub part: f64,
    /// By those of them that come while one of its VCs is free.
    pub free: f64,
    /// By those of them that come while none is.
    pub queued: f64,
}

/// The messages that go on from a server or a source.
struct Tally {
    router: RouterId,
    /// By choice of the router, and by server out of it.
    choices: Vec<f64>,
    next: Vec<f64>,
    /// To ejections.
    ends: Vec<Step>,
}

/// A router and what a head is offered there.
type Offer = (u32, Vec<(u32, u32)>);
