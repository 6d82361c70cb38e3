//! Lengths of channels that prove a load bound, computed by multiplicative weights.
//!
//! Each round assigns all demand to the shortest routes by the present lengths, then increases the
//! lengths of heavily loaded channels (N. Garg and J. Könemann, *SIAM Journal on Computing* 37,
//! 2007). Any lengths prove a bound; the best of all rounds is kept. In vertex-symmetric networks
//! channels of one direction share a length, and one destination represents all.

use super::Bottleneck;
use crate::flows::{Demand, Explorer, SymmetricDemand, TO_DESTINATION, Ways, for_each_group};
use crate::ids::ChannelId;
use crate::system::System;
use crate::topology::links;

/// Visits of all rounds together: less than a tenth of a second, because every scenario of a study
/// computes its capacity.
const WORK: usize = 1 << 20;
/// Minimum and maximum number of rounds.
const ROUNDS: [usize; 2] = [4, 60];
/// Tolerance for equal lengths.
const SAME: f64 = 1e-9;

/// The limit of each link.
#[derive(Clone, Debug)]
pub(super) enum Caps {
    /// The same limit for all links.
    All(f64),
    /// By link.
    Own(Vec<f64>),
}

impl Caps {
    fn of(&self, link: usize) -> f64 {
        match self {
            Self::All(cap) => *cap,
            Self::Own(caps) => caps[link],
        }
    }
}

/// A limit on the flits that links carry.
#[derive(Clone, Debug)]
pub(super) struct LinkLimit<'a> {
    pub caps: Caps,
    /// Part of the limit used by a flit of a message that continues.
    pub through: f64,
    /// Part of the limit used by a flit of a message on its last hop.
    pub last: f64,
    /// The link of each channel.
    pub links: &'a links::Links,
}

/// The lowest load bound proved by lengths; `None` if there are too many ways.
pub(super) fn best(
    system: &System,
    demand: &Demand,
    links: &LinkLimit<'_>,
) -> Option<(f64, Bottleneck)> {
    Some(Search::new(system, demand, links)?.run())
}

/// Sets of links with a common length.
#[derive(Debug)]
struct Search {
    ways: Ways,
    /// The set of links of each channel.
    set: Vec<u32>,
    /// Total flits per cycle of the links in each set.
    caps: Vec<f64>,
    /// The number of links in each set.
    count: Vec<usize>,
    through: f64,
    last: f64,
    rounds: usize,
}

impl Search {
    fn new(system: &System, demand: &Demand, links: &LinkLimit<'_>) -> Option<Self> {
        let share = system.sending_share();
        let alike = SymmetricDemand::of(system, demand);
        let (mut ways, mut explorer) = (Ways::default(), Explorer::new(system));
        let listed = WORK / ROUNDS[0];
        let mut explore = |group| {
            explorer.explore(&group, &mut ways)?;
            if ways.visits() > listed { Err(crate::flows::TooLarge) } else { Ok(()) }
        };
        let all = match &alike {
            Some(alike) => alike.groups(system).into_iter().try_for_each(&mut explore),
            None => for_each_group(system, demand, &mut explore),
        };
        all.ok()?;
        let rounds = (WORK / ways.visits().max(1)).min(ROUNDS[1]);
        let link_set: Vec<u32> = match (&alike, system.network.cube()) {
            (Some(_), Some(cube)) => {
                let first = links.links.first_channels();
                let set = |&channel: &ChannelId| {
                    let (dimension, sign) = cube.direction(channel);
                    let both = system.network.is_hypercube();
                    2 * dimension as u32 + if both { 0 } else { sign as u32 }
                };
                first.iter().map(set).collect()
            }
            (Some(_) | None, _) => (0..links.links.count as u32).collect(),
        };
        let copies = if alike.is_some() { system.network.routers() as f64 } else { 1.0 };
        let sets = link_set.iter().max().map_or(0, |&set| set as usize + 1);
        let (mut caps, mut count) = (vec![0.0; sets], vec![0; sets]);
        for (link, &set) in link_set.iter().enumerate() {
            caps[set as usize] += links.caps.of(link) * share / copies;
            count[set as usize] += 1;
        }
        let set = links.links.of.iter().map(|&link| link_set[link as usize]).collect();
        let &LinkLimit { through, last, .. } = links;
        Some(Self { ways, set, caps, count, through, last, rounds })
    }

    fn run(&self) -> (f64, Bottleneck) {
        let mut weights = vec![0.0f64; self.caps.len()];
        let mut best = (f64::INFINITY, Bottleneck::Lengths(0));
        for round in 0..self.rounds {
            let most = weights.iter().copied().fold(f64::MIN, f64::max);
            let lengths: Vec<f64> = (weights.iter().zip(&self.caps))
                .map(|(&weight, &cap)| if cap > 0.0 { libm::exp(weight - most) / cap } else { 0.0 })
                .collect();
            let (distance, carried) = self.shortest(&lengths);
            let paid: f64 = lengths.iter().zip(&self.caps).map(|(length, cap)| length * cap).sum();
            if paid / distance < best.0 {
                let used = (0..lengths.len()).filter(|&set| lengths[set] * self.caps[set] > SAME);
                let links = used.map(|set| self.count[set]).sum();
                best = (paid / distance, Bottleneck::Lengths(links));
            }
            let use_of = carried.iter().zip(&self.caps).map(|(load, cap)| load / cap);
            let uses: Vec<f64> = use_of.map(|it| if it.is_finite() { it } else { 0.0 }).collect();
            let full = uses.iter().copied().fold(0.0, f64::max);
            if full <= 0.0 {
                break;
            }
            // Large steps first, to find the relevant part of the network.
            let step = 2.0 / (1.0 + round as f64 / 8.0);
            for (weight, each) in weights.iter_mut().zip(uses) {
                *weight += step * each / full;
            }
        }
        best
    }

    /// The sum of all demand times its distance, and the flow over each set if all demand takes
    /// shortest routes.
    fn shortest(&self, lengths: &[f64]) -> (f64, Vec<f64>) {
        let ways = &self.ways;
        let cost = |channel: ChannelId, end: u32| {
            let weight = if end == TO_DESTINATION { self.last } else { self.through };
            lengths[self.set[channel.index()] as usize] * weight
        };
        let mut distances = vec![f64::INFINITY; ways.visits()];
        let far = |distances: &[f64], channel, end: u32| {
            let on = if end == TO_DESTINATION { 0.0 } else { distances[end as usize] };
            cost(channel, end) + on
        };
        let mut total = 0.0;
        for &visit in ways.order().iter().rev() {
            let links = ways.links(visit).iter();
            let least = links
                .map(|link| far(&distances, link.channel, link.end))
                .fold(f64::INFINITY, f64::min);
            distances[visit as usize] = least;
            total += ways.starting(visit) * least;
        }
        let mut carried = vec![0.0; self.caps.len()];
        let mut messages: Vec<f64> =
            (0..ways.visits() as u32).map(|visit| ways.starting(visit)).collect();
        for &visit in ways.order() {
            let here = messages[visit as usize];
            if here <= 0.0 {
                continue;
            }
            let limit = distances[visit as usize] * (1.0 + SAME);
            let shortest =
                |link: &&crate::flows::WayLink| far(&distances, link.channel, link.end) <= limit;
            let share = here / ways.links(visit).iter().filter(shortest).count() as f64;
            for link in ways.links(visit).iter().filter(shortest) {
                let last = link.end == TO_DESTINATION;
                carried[self.set[link.channel.index()] as usize] +=
                    share * if last { self.last } else { self.through };
                if !last {
                    messages[link.end as usize] += share;
                }
            }
        }
        (total, carried)
    }
}
