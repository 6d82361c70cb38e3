//! Routes of a network of worms, fixed at the source.
//!
//! Links are in the order of computation, with their flows and competing inputs. Every sequence of
//! links on routes is listed with its frequency.
//!
//! Routes with a common end are stored as a tree that starts at the ejection links: the delay of a
//! worm on a link depends only on the links after it, so delays are computed once for every
//! *suffix* of a route instead of every route.
//!
//! | Symbol | Code | Meaning | Unit | Equation |
//! |---|---|---|---|---|
//! | λ/γ | `Station::flow` | worms over the link per worm of a host | – | 002, 5.1 |
//! | κ | `Station::inputs` | directly preceding links: competing input ports | – | 002, 5.1 |
//! | 1 − Σ r² | `Station::others` | probability that two worms of the link arrive through different ports | – | – |

use std::collections::BTreeMap;

use crate::flows::routes::for_each_route;
use crate::ids::ChannelId;
use crate::model::order::downstream_first;
use crate::model::{Unsolved, cancellation};
use crate::system::System;
use crate::topology::{Channel, Role};

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Station {
    pub link: ChannelId,
    pub role: Role,
    /// 1 for ejection links, else 1 more than the highest possible successor.
    pub rank: u32,
    pub flow: f64,
    /// The number κ of competing inputs; 0 for injection links.
    pub inputs: usize,
    /// The probability that two worms of this link arrive over different links.
    pub others: f64,
    /// The suffixes starting with this link.
    pub suffixes: Vec<u32>,
}

/// A link together with all the links after it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Suffix {
    pub link: ChannelId,
    /// The suffix without the first link, earlier in the list; `None` for an ejection link.
    pub next: Option<u32>,
    /// Worms with this suffix per worm of a host: λ/γ.
    pub share: f64,
    /// The first branch, and the next branch of `next`, forming a tree.
    branch: Option<u32>,
    sibling: Option<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct Routes {
    /// Ordered with successors before their predecessors.
    pub stations: Vec<Station>,
    pub suffixes: Vec<Suffix>,
    /// All links of the network.
    pub links: usize,
    /// Links of the longest route.
    pub longest: usize,
    /// All worms per worm of a host.
    pub sent: f64,
    /// η of every link, in cycles.
    pub delays: Vec<f64>,
    /// Σ η over the route of the mean worm, in cycles.
    pub delay: f64,
}

impl Routes {
    /// All routes of `system`, which must have injection and ejection channels; channels without a delay
    /// of their own take `delay` cycles.
    pub fn of(system: &System, delay: u32) -> Result<Self, Unsolved> {
        let network = &system.network;
        let links = network.channels().len();
        let own = |link: &Channel| link.attributes.delay.map_or(delay, |own| u32::from(own.get()));
        let delay_of: Vec<f64> = network.channels().iter().map(|it| own(it).into()).collect();
        let mut tree = Tree { suffixes: Vec::new(), last: vec![None; links] };
        let (mut sent, mut delays) = (0.0, 0.0);
        let mut channels: Vec<ChannelId> = Vec::new();
        for_each_route(system, |route| {
            cancellation::charge(1 + route.hops.len())?;
            channels.clear();
            channels.extend(network.injection_of(route.source));
            channels.extend(route.hops.iter().map(|hop| hop.channel));
            channels.extend(network.ejection_of(route.destination));
            sent += route.share;
            let mut next = None;
            for &link in channels.iter().rev() {
                delays += route.share * delay_of[link.index()];
                let here = tree.suffix(link, next);
                tree.suffixes[here as usize].share += route.share;
                next = Some(here);
            }
            Ok::<_, Unsolved>(())
        })?;
        let Tree { suffixes, .. } = tree;
        let mut lengths: Vec<usize> = Vec::with_capacity(suffixes.len());
        for suffix in &suffixes {
            lengths.push(1 + suffix.next.map_or(0, |next| lengths[next as usize]));
        }
        let longest = lengths.into_iter().max().unwrap_or(0);
        let delay = if sent > 0.0 { delays / sent } else { 0.0 };
        let stations = stations(system, &suffixes)?;
        Ok(Self { stations, suffixes, links, longest, sent, delays: delay_of, delay })
    }
}

struct Tree {
    suffixes: Vec<Suffix>,
    /// Per ejection link, the suffix of this link alone.
    last: Vec<Option<u32>>,
}

impl Tree {
    /// The suffix of `link` followed by `next`, created if missing.
    fn suffix(&mut self, link: ChannelId, next: Option<u32>) -> u32 {
        let head = match next {
            Some(next) => self.suffixes[next as usize].branch,
            None => self.last[link.index()],
        };
        let mut branches = std::iter::successors(head, |&at| self.suffixes[at as usize].sibling);
        if let Some(known) = branches.find(|&at| self.suffixes[at as usize].link == link) {
            return known;
        }
        let fresh = self.suffixes.len() as u32;
        self.suffixes.push(Suffix { link, next, share: 0.0, branch: None, sibling: head });
        *match next {
            Some(next) => &mut self.suffixes[next as usize].branch,
            None => &mut self.last[link.index()],
        } = Some(fresh);
        fresh
    }
}

/// The links in use, in order; an error for a dependency cycle.
fn stations(system: &System, suffixes: &[Suffix]) -> Result<Vec<Station>, Unsolved> {
    let network = &system.network;
    let mut flows = vec![0.0; network.channels().len()];
    let mut by_link = vec![Vec::new(); flows.len()];
    // Worms arriving at a link over another, by link and then by the preceding link.
    let mut meetings: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for (number, suffix) in (0..).zip(suffixes) {
        flows[suffix.link.index()] += suffix.share;
        by_link[suffix.link.index()].push(number);
        if let Some(next) = suffix.next {
            let link = suffixes[next as usize].link;
            *meetings.entry((link.0, suffix.link.0)).or_default() += suffix.share;
        }
    }
    let used: Vec<bool> = flows.iter().map(|&flow| flow > 0.0).collect();
    let follows = || meetings.keys().map(|&(link, before)| (before, link));
    let order = downstream_first(&used, follows).map_err(|stuck| {
        Unsolved::NotCovered(format!(
            "the model needs links that wait for each other without a cycle; these routes have a \
             cycle through {}",
            network.channel_name(ChannelId(stuck))
        ))
    })?;
    let station = |&number: &u32| {
        let (link, flow) = (ChannelId(number), flows[number as usize]);
        let before = || meetings.range((number, 0)..=(number, u32::MAX)).map(|(_, share)| share);
        let same: f64 = before().map(|share| (share / flow) * (share / flow)).sum();
        Station {
            link,
            role: network.channel(link).role,
            rank: order.ranks[link.index()],
            flow,
            inputs: before().count(),
            others: (1.0 - same).max(0.0),
            suffixes: std::mem::take(&mut by_link[link.index()]),
        }
    };
    Ok(order.numbers.iter().map(station).collect())
}

#[cfg(test)]
mod tests;
