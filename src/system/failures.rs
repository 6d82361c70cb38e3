//! Failures of links and routers during a run: given ones, random ones, and their consequences.

use std::collections::BTreeSet;

use super::System;
use crate::ids::{ChannelId, RouterId};
use crate::routing::Relation;
use crate::routing::dependency::Proof;
use crate::topology::Network;
use crate::topology::links::Links;
use crate::words::words;

/// Maximum number of failures per link and cycle.
pub const RATE_MAX: f64 = 0.01;

/// The part of a network that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All links between two routers, in both directions.
    Link(RouterId, RouterId),
    /// All links of a router.
    Router(RouterId),
}

/// A failure in a given cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The first cycle of the failure.
    pub cycle: u64,
    pub part: Part,
    /// Cycles until the part works again; `None` for the rest of the run.
    pub lasts: Option<u64>,
}

/// Failures of random links.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RandomFailures {
    /// Mean number of failures per link and cycle.
    pub rate: f64,
    pub seed: u64,
    /// Cycles until a link works again; `None` for the rest of the run.
    pub lasts: Option<u64>,
}

words! {
    /// The fate of messages on a link that fails.
    #[derive(Eq)]
    pub enum Flits {
        /// Messages with flits on the link, or with flits still to cross it, are lost.
        Lose,
        /// Messages stop until the link works again; flits under way arrive.
        Stall,
    }
}

words! {
    /// The fate of messages in the network when routes change.
    #[derive(Eq)]
    pub enum UnderWay {
        /// Heads continue from their routers by the new routes.
        Continue,
        /// All messages in the network are lost, so that no old route meets a new one.
        Lose,
    }
}

/// The consequences of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OnFailure {
    pub flits: Flits,
    /// Cycles for which the old routes remain in use.
    pub reroute_after: u64,
    pub under_way: UnderWay,
}

impl Default for OnFailure {
    fn default() -> Self {
        Self { flits: Flits::Lose, reroute_after: 0, under_way: UnderWay::Continue }
    }
}

/// The failures of a scenario.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Failures {
    pub given: Vec<Failure>,
    pub random: Option<RandomFailures>,
    pub consequences: OnFailure,
}

/// A given failure, or the end of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub cycle: u64,
    pub links: Vec<ChannelId>,
    /// True if the links fail; false if they work again.
    pub fails: bool,
}

/// The failures of a scenario on its network.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan {
    pub failures: Failures,
    /// Given failures and their ends, in order.
    pub events: Vec<Event>,
    /// The channels of each link, for random failures.
    pub cables: Vec<Vec<ChannelId>>,
}

impl Plan {
    /// True if links can fail during the run.
    pub fn has_failures(&self) -> bool {
        !self.events.is_empty() || self.failures.random.is_some()
    }
}

/// The routes after a given failure, with their proofs.
#[derive(Clone, Debug)]
pub struct Proven {
    /// The first cycle with these routes.
    pub cycle: u64,
    /// The failed channels.
    pub closed: Vec<ChannelId>,
    pub relation: Relation,
    /// The proof of these routes alone; `None` if nodes have room for a limited number of replies.
    pub alone: Option<Proof>,
    /// The proof while messages routed before are in the network.
    pub transition: Option<Proof>,
}

impl System {
    /// The routes after each given failure, up to a number of them; none if the rule finds no routes around
    /// failures.
    pub fn proven_after_failures(&self, most: usize) -> Vec<Proven> {
        let mut before = self.relation.clone();
        let mut all = Vec::new();
        for (cycle, closed, relation) in
            self.plan().relations(&self.relation).into_iter().take(most)
        {
            let links: BTreeSet<ChannelId> = closed.iter().copied().collect();
            let alone = self.proof_of_transition(std::slice::from_ref(&relation), &links);
            let transition = if self.plan().empties() {
                alone.clone()
            } else {
                self.proof_of_transition(&[before, relation.clone()], &links)
            };
            before = relation.clone();
            all.push(Proven { cycle, closed, relation, alone, transition });
        }
        all
    }
}

impl Part {
    /// The name of the part, such as `link between (0,0) and (0,1)`.
    pub fn name(self, network: &Network) -> String {
        match self {
            Self::Router(router) => format!("router {}", network.router_name(router)),
            Self::Link(from, to) => {
                let [one, other] = [from, to].map(|at| network.router_name(at));
                format!("link between {one} and {other}")
            }
        }
    }

    /// The channels of the part.
    pub fn links(self, network: &Network) -> Vec<ChannelId> {
        let is_part = |&link: &ChannelId| {
            let channel = network.channel(link);
            let ends = [channel.from, channel.to];
            match self {
                Self::Link(from, to) => ends == [from, to] || ends == [to, from],
                Self::Router(router) => ends.contains(&router),
            }
        };
        (0..network.links()).map(ChannelId::new).filter(is_part).collect()
    }
}

impl Plan {
    pub fn new(failures: Failures, network: &Network) -> Self {
        let mut events = Vec::new();
        for &Failure { cycle, part, lasts } in &failures.given {
            let links = part.links(network);
            let end = lasts.and_then(|lasts| cycle.checked_add(lasts));
            events.extend(end.map(|cycle| Event { cycle, links: links.clone(), fails: false }));
            events.push(Event { cycle, links, fails: true });
        }
        events.sort_by_key(|event| (event.cycle, event.fails));
        let mut cables = Vec::new();
        if failures.random.is_some() {
            let Links { of, count } = Links::new(network, true);
            cables = vec![Vec::new(); count];
            for (channel, cable) in of.into_iter().enumerate() {
                cables[cable as usize].push(ChannelId::new(channel));
            }
        }
        Self { failures, events, cables }
    }

    /// True if no failure is planned.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.failures.random.is_none()
    }

    /// True if messages stop in front of failed links, rather than being lost.
    pub fn stalls(&self) -> bool {
        self.failures.consequences.flits == Flits::Stall
    }

    /// True if the network is emptied when routes change.
    pub fn empties(&self) -> bool {
        self.failures.consequences.under_way == UnderWay::Lose
    }

    /// The consequences of a failure.
    pub fn consequences(&self) -> OnFailure {
        self.failures.consequences
    }

    /// The relations of a run with the given failures only, each with the first cycle of its use and the
    /// links that have failed by then.
    pub fn relations(&self, first: &Relation) -> Vec<(u64, Vec<ChannelId>, Relation)> {
        let mut down: Vec<ChannelId> = Vec::new();
        let mut found: Vec<(u64, Vec<ChannelId>, Relation)> = Vec::new();
        for cycle in self.events.iter().map(|event| event.cycle).collect::<BTreeSet<u64>>() {
            for event in self.events.iter().filter(|event| event.cycle == cycle) {
                for &link in &event.links {
                    if event.fails {
                        down.push(link);
                    } else if let Some(at) = down.iter().position(|&other| other == link) {
                        down.swap_remove(at);
                    }
                }
            }
            let closed: BTreeSet<ChannelId> = down.iter().copied().collect();
            let closed: Vec<ChannelId> = closed.into_iter().collect();
            if let Some(Ok(relation)) = first.around(&closed) {
                found.push((cycle + self.consequences().reroute_after, closed, relation));
            }
        }
        found
    }
}

/// The routers of which all links are closed, ascending.
pub fn routers_without_links(network: &Network, closed: &BTreeSet<ChannelId>) -> Vec<RouterId> {
    let ends = closed.iter().map(|&link| network.channel(link));
    let routers: BTreeSet<RouterId> = ends.flat_map(|link| [link.from, link.to]).collect();
    let fails = |&router: &RouterId| {
        let mut links = network.outputs(router).iter().chain(network.inputs(router));
        links.all(|link| closed.contains(link))
    };
    routers.into_iter().filter(fails).collect()
}

/// The parts of a network whose links have failed: routers, then other links. A router with one neighbour
/// is named by its link.
pub fn failed_parts(network: &Network, links: &BTreeSet<ChannelId>) -> Vec<Part> {
    let several =
        |&router: &RouterId| network.neighbours(router).collect::<BTreeSet<RouterId>>().len() > 1;
    let mut routers = routers_without_links(network, links);
    routers.retain(several);
    let ends = links.iter().map(|&link| network.channel(link));
    let others = ends.filter(|link| ![link.from, link.to].iter().any(|at| routers.contains(at)));
    let pairs: BTreeSet<(RouterId, RouterId)> =
        others.map(|link| (link.from.min(link.to), link.from.max(link.to))).collect();
    let links = pairs.into_iter().map(|(from, to)| Part::Link(from, to));
    routers.iter().map(|&router| Part::Router(router)).chain(links).collect()
}
