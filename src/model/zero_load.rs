//! Predicts the mean latency with conflicts only at the source.
//!
//! The latency is that of an empty network, with the wait of an M/D/1 queue at the source. This is
//! the simplest possible model, and a lower bound for every run; the models of papers add effects
//! within the network.
//!
//! | Symbol | Code | Meaning | Unit |
//! |---|---|---|---|
//! | λ | `rate` | messages generated per node | 1/cycle |
//! | L | `length` | message length: the source sends a flit per cycle | flits |
//! | T | `transfer` | mean latency without other messages | cycles |
//! | W | [`wait`] of a constant service | mean wait at the source, λL²/(2(1 − λL)) | cycles |
//!
//! If sources send at different rates, W is the mean over all messages.

use super::assumptions::{self, broken};
use super::fixed_point::NoSolution;
use super::link_paces::LinkPaces;
use super::queue::wait;
use super::{
    Mismatch, Model, Prediction, Prepared, Unsolved, cancellation, effect, prediction, terms,
};
use crate::flows::routes::{Route, for_each_first_route, for_each_source, for_each_uneven};
use crate::ids::{NodeId, RouterId};
use crate::switching::{Injection, Wormhole};
use crate::system::System;
use crate::topology::cube::Cube;
use crate::units::Rate;

/// Minimum share of messages for including another group of flits.
const SHARE_MIN: f64 = 1e-12;

/// Reason for having no latency over links with their own delays or rates.
const UNCOVERED_PACES: &str = "links have their own delays or rates, and routers a pipeline, or VCs parts of \
                               the bandwidth";

/// The model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ZeroLoad;

impl Model for ZeroLoad {
    fn title(&self) -> [&'static str; 2] {
        ["zero load and M/D/1 at the source", "lower bound"]
    }

    /// True for wormhole switching with sources that send one stream of flits.
    fn covers(&self, system: &System) -> bool {
        system.wormhole().is_some_and(|machine| match machine.injection {
            Injection::OneFlitPerCycle | Injection::OneMessage | Injection::RepliesFirst => true,
            Injection::Independent { .. } => false,
        })
    }

    fn link_paces(&self) -> LinkPaces {
        LinkPaces::DelaysAndRates
    }

    fn assumptions(&self, system: &System) -> Vec<Option<Mismatch>> {
        const ALONE: &str = "messages without conflicts in the network";
        let routing = system.relation.routing();
        let fits = routing.is_minimal() || !routing.offers_choice();
        vec![
            Some(broken(ALONE, "channels shared by messages", effect::SHARING).making(true)),
            assumptions::routing(system, fits, "heads take their first choice")
                .map(|it| Mismatch { effect: effect::WAYS, ..it }),
            assumptions::poisson(system),
            assumptions::one_length(system),
            // Attributed to the source, since the transfer time without other messages is exact, also
            // through pipelines.
            assumptions::full_speed(system)
                .filter(|_| assumptions::immediate(system).is_none())
                .map(|it| Mismatch { effect: effect::SOURCES, ..it }),
        ]
    }

    fn equations(&self, system: &System) -> Result<Box<dyn Prepared>, Unsolved> {
        let Some(machine) = system.wormhole().filter(|_| self.covers(system)) else {
            let why = "the model needs sources that send one flit after the other";
            return Err(Unsolved::NotCovered(why.into()));
        };
        let ConflictFree { hops, per_link, transfer } = alone(system, machine)?;
        let length = system.traffic.lengths.mean();
        let sources = sources(system);
        Ok(Box::new(SourceQueue { sources, length, hops, per_link, transfer }))
    }

    /// The effects omitted by the model are unknown.
    fn usual_error(&self, _system: &System) -> f64 {
        0.0
    }
}

/// Messages without conflicts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ConflictFree {
    /// Links of the mean route.
    pub hops: f64,
    /// Messages over a link per message of a node.
    pub per_link: f64,
    /// Mean cycles from the first move of the head to the consumption of the tail.
    pub transfer: f64,
}

/// Mean cycles of a message without conflicts over `hops` channels counted as hops.
pub(super) fn transfer_over(system: &System, machine: &Wormhole, hops: u32) -> f64 {
    transfer_mean(system, machine, |flits| machine.transfer(flits, hops) as f64)
}

/// Mean cycles of a message without conflicts, with the cycles `of` a number of flits.
fn transfer_mean(system: &System, machine: &Wormhole, of: impl Fn(u32) -> f64) -> f64 {
    let lengths = &system.traffic.lengths;
    // A message moves through short buffers in groups of flits; `groups` is the mean number of full
    // groups.
    let slots = machine.buffer_flits;
    let whole = (1..).map(|group: u32| lengths.longer(f64::from(group) * f64::from(slots)));
    let groups: f64 = whole.take_while(|&share| share > SHARE_MIN).sum();
    let rest = lengths.mean() - 1.0 - groups * f64::from(slots);
    of(1) + rest * (of(2) - of(1)) + groups * (of(1 + slots) - of(1))
}

/// The messages of `system`, without conflicts.
pub(super) fn alone(system: &System, machine: &Wormhole) -> Result<ConflictFree, Unsolved> {
    let network = &system.network;
    if network.has_paced_links() {
        return alone_by_links(system, machine);
    }
    let ends = machine.terminal_hops();
    // Messages by number of hops: few routes differ in length.
    let mut by_hops: Vec<f64> = Vec::new();
    let mut add = |hops: u32, share: f64| {
        let hops = hops as usize;
        by_hops.resize(by_hops.len().max(hops + 1), 0.0);
        by_hops[hops] += share;
    };
    if !system.relation.routing().is_minimal() {
        for_each_first_route(system, |Route { hops, share, .. }| {
            cancellation::charge(hops.len())?;
            add(hops.len() as u32, share);
            Ok::<_, Unsolved>(())
        })?;
    } else if let Some(cube) = network.cube() {
        // Node n of a cube is attached to router n.
        let router = |node: NodeId| RouterId(node.0);
        let even = for_each_uneven(system, |source, shares| {
            cancellation::charge(shares.len())?;
            for (destination, share) in shares {
                add(cube.distance(router(source), router(destination)), share);
            }
            Ok::<_, Unsolved>(())
        })?;
        let each = even / (network.nodes() as f64 - 1.0);
        for (hops, pairs) in (0..).zip(pairs_by_distance(cube)).skip(1) {
            add(hops, each * pairs);
        }
    } else {
        for_each_source(system, |source, shares| {
            cancellation::charge(shares.len())?;
            let distances = network.distances(network.router_of(source));
            for (destination, share) in shares {
                add(distances[network.router_of(destination).index()], share);
            }
            Ok::<_, Unsolved>(())
        })?;
    }
    let (mut sent, mut links, mut transfer) = (0.0, 0.0, 0.0);
    for (hops, share) in (0..).zip(by_hops).filter(|it| it.1 > 0.0) {
        sent += share;
        links += share * f64::from(hops);
        transfer += share * transfer_over(system, machine, hops + ends);
    }
    let per_link = links / network.links() as f64;
    Ok(ConflictFree { hops: links / sent, per_link, transfer: transfer / sent })
}

/// The messages of `system`, without conflicts, over links with their own delays and rates.
fn alone_by_links(system: &System, machine: &Wormhole) -> Result<ConflictFree, Unsolved> {
    let (mut sent, mut crossed, mut transfer) = (0.0, 0.0, 0.0);
    let mut links = Vec::new();
    for_each_first_route(system, |Route { hops, share, .. }| {
        cancellation::charge(hops.len())?;
        links.clear();
        links.extend(hops.iter().map(|hop| {
            let own = system.network.channel(hop.channel).attributes;
            (own.delay.map(|delay| delay.get().into()), own.cycles_per_flit.into())
        }));
        if machine.transfer_by_links(1, &links).is_none() {
            return Err(Unsolved::NotCovered(UNCOVERED_PACES.into()));
        }
        let of = |flits| machine.transfer_by_links(flits, &links).unwrap_or_default() as f64;
        sent += share;
        crossed += share * hops.len() as f64;
        transfer += share * transfer_mean(system, machine, of);
        Ok(())
    })?;
    let per_link = crossed / system.network.links() as f64;
    Ok(ConflictFree { hops: crossed / sent, per_link, transfer: transfer / sent })
}

/// Mean latency of the empty network in cycles; `None` for circuits, or for messages that leave
/// their source independently.
pub fn empty_latency(system: &System) -> Option<f64> {
    let equations = ZeroLoad.prepare(system).ok()?;
    Some(equations.predict(Rate(0.0)).ok()?.latency_mean)
}

/// Number of ordered pairs of routers by distance in links, from 0 up: a convolution over the
/// dimensions.
fn pairs_by_distance(cube: &Cube) -> Vec<f64> {
    let (mut pairs, mut stride) = (vec![1.0], 1);
    for &radix in cube.radix() {
        let on_ring = |at: u32| RouterId(at * stride);
        let ring = (0..radix).flat_map(|from| (0..radix).map(move |to| (from, to)));
        let mut along = vec![0.0; radix as usize];
        for (from, to) in ring {
            let hops = cube.distance(on_ring(from), on_ring(to)) as usize;
            along[hops] += 1.0;
        }
        let mut both = vec![0.0; pairs.len() + along.len() - 1];
        for (before, count) in pairs.iter().enumerate() {
            for (hops, more) in along.iter().enumerate() {
                both[before + hops] += count * more;
            }
        }
        pairs = both;
        stride *= radix;
    }
    pairs
}

/// The different rates of sources, relative to the mean, each with its share of all messages.
fn sources(system: &System) -> Vec<(f64, f64)> {
    let rates = system.rates();
    let (different, index_of) = rates.distinct(system.network.nodes());
    let mut sources: Vec<(f64, f64)> = different.into_iter().map(|rate| (rate, 0.0)).collect();
    for (node, index) in (0..).map(NodeId).zip(index_of) {
        sources[index as usize].1 += rates.at(node) / rates.senders() as f64;
    }
    sources
}

/// The queues of the sources, and the subsequent transfer.
#[derive(Clone, PartialEq, Debug)]
struct SourceQueue {
    sources: Vec<(f64, f64)>,
    length: f64,
    hops: f64,
    /// Messages over a link per message of a node.
    per_link: f64,
    transfer: f64,
}

impl Prepared for SourceQueue {
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let wait = |&(multiple, share): &(f64, f64)| {
            Some(share * wait(rate * multiple, self.length, self.length)?)
        };
        let waits: Option<f64> = self.sources.iter().map(wait).sum();
        let wait = waits.ok_or(NoSolution::Saturated)?;
        Ok(prediction(terms(wait, 0.0, self.transfer), self.hops, 1))
    }

    fn overflow(&self) -> f64 {
        let most = self.sources.iter().map(|source| source.0).fold(1.0, f64::max);
        1.0 / (self.length * most)
    }

    fn utilisation_mean(&self, rate: Rate) -> Option<f64> {
        Some(rate.0 * self.length * self.per_link)
    }
}

#[cfg(test)]
mod tests;
