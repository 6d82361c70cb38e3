//! Routes of circuits through any network, such as a multistage network (001, section 2: "in
//! indirect networks we have to evaluate the mean number of network stages").
//!
//! The model takes a path as a set of links and routers, independently of the number of processors;
//! its only figure of the network is the mean number of links of a path. Where terminals have
//! channels, a path through s switches has s + 1 links, from the source to its destination. The
//! following is not in 001:
//!
//! - Links that are not used alike count as a smaller number of links, (Σ f)² / Σ f² for flows f: the
//!   mean utilisation of N links, weighted by their requests, is then Σ f / N as in (B.1). The same
//!   number of routers feeds the queues of appendix A.
//! - A request of adaptive has as many candidates as its routing offers there, instead of all
//!   remaining dimensions in (30) to (39).
//! - The refined readings use the flows between links: streams of requests for a link arrive over its
//!   preceding links, and the rest of a route depends only on its last link. In one-way rings this makes routes too
//!   long: the latency in an 8x8 one-way torus is 5 % above that of the equations of its own.

use super::routes::{Links, Routes};
use super::shape::Shape;
use super::stages::{Stages, Station};
use crate::flows::routes::for_each_source;
use crate::ids::NodeId;
use crate::model::{Unsolved, cancellation};
use crate::routing::{Candidate, Stop};
use crate::system::System;

/// The links of channels: one for both directions where circuits occupy both, and one for each
/// channel of a terminal.
pub(super) fn links_of_channels(system: &System) -> (Vec<usize>, usize) {
    let links = system.links();
    let mut of: Vec<usize> = links.of.iter().map(|&link| link as usize).collect();
    let terminals = system.network.channels().len() - of.len();
    of.extend(links.count..links.count + terminals);
    (of, links.count)
}

/// The attempts of messages of one pair, hop by hop.
struct Walk<'a> {
    system: &'a System,
    of: &'a [usize],
    /// Positions with the last link and the probability.
    layer: Vec<(Stop, Option<usize>, f64)>,
    next: Vec<(Stop, Option<usize>, f64)>,
    candidates: Vec<Candidate>,
    /// The probabilities of the last links.
    arrived: Vec<f64>,
    /// The candidates of every hop, with probabilities.
    offered: Vec<Vec<f64>>,
}

impl Walk<'_> {
    /// Adds a hop with its number of candidates.
    fn offer(&mut self, hop: usize, count: usize, share: f64) {
        if self.offered.len() <= hop {
            self.offered.resize(hop + 1, Vec::new());
        }
        let row = &mut self.offered[hop];
        row.resize(row.len().max(count + 1), 0.0);
        row[count] += share;
    }

    /// Follows all ways of a message; equally likely choices at every hop.
    fn follow(&mut self, ends: [NodeId; 2], bits: u64, share: f64, found: &mut [Station]) {
        let (network, relation) = (&self.system.network, &self.system.relation);
        let header = relation.header(ends[0], ends[1], bits);
        let mut hop = 0;
        let mut last = None;
        if let Some(channel) = network.injection_of(ends[0]) {
            let link = self.of[channel.index()];
            found[link].add(None, 1, share);
            self.offer(0, 1, share);
            (hop, last) = (1, Some(link));
        }
        self.arrived.clear();
        self.layer.clear();
        self.layer.push((Stop::start(header.source), last, share));
        while !self.layer.is_empty() {
            self.next.clear();
            for at in 0..self.layer.len() {
                let (stop, before, share) = self.layer[at];
                if stop.at == header.destination {
                    self.arrive(ends[1], (before, share, hop), found);
                    continue;
                }
                self.system.relation.candidates(stop, &header, &mut self.candidates);
                let count = self.candidates.len();
                self.offer(hop, count, share);
                for &candidate in &self.candidates {
                    let link = self.of[candidate.channel.index()];
                    let share = share / count as f64;
                    found[link].add(before, hop + 1, share);
                    let to = self.system.relation.stops_after(stop, &header, candidate).next();
                    let Some((_, to)) = to else { continue };
                    match self.next.iter_mut().find(|it| it.0 == to && it.1 == Some(link)) {
                        Some(known) => known.2 += share,
                        None => self.next.push((to, Some(link), share)),
                    }
                }
            }
            std::mem::swap(&mut self.layer, &mut self.next);
            hop += 1;
        }
    }

    /// Ends a way after a number of hops, over the channel to the destination if there is one.
    fn arrive(
        &mut self,
        destination: NodeId,
        (before, share, hops): (Option<usize>, f64, usize),
        found: &mut [Station],
    ) {
        let Some(channel) = self.system.network.ejection_of(destination) else {
            self.arrived.push(share);
            return;
        };
        found[self.of[channel.index()]].add(before, hops + 1, share);
        self.offer(hops, 1, share);
        // All ways end with the same link.
        match self.arrived.first_mut() {
            Some(all) => *all += share,
            None => self.arrived.push(share),
        }
    }
}

/// The effective number of equally used items.
fn effective(flows: impl Iterator<Item = f64> + Clone) -> f64 {
    let sum: f64 = flows.clone().sum();
    sum * sum / flows.map(|flow| flow * flow).sum::<f64>()
}

impl Routes {
    /// The routes of a system, and the shape of its network.
    pub(super) fn through(system: &System) -> Result<(Shape, Self), Unsolved> {
        let network = &system.network;
        let (of, _) = links_of_channels(system);
        let count = of.iter().max().map_or(0, |most| most + 1);
        let mut stages = Stages { links: vec![Station::default(); count], ..Stages::default() };
        let mut shares: Vec<f64> = Vec::new();
        let mut walk = Walk {
            system,
            of: &of,
            layer: Vec::new(),
            next: Vec::new(),
            candidates: Vec::new(),
            arrived: Vec::new(),
            offered: Vec::new(),
        };
        for_each_source(system, |source, destinations| {
            for (destination, share) in destinations {
                walk.offered.clear();
                let ways = system.relation.ways(source, destination);
                let of_way = share / ways.len() as f64;
                let mut again = 0.0;
                for &bits in &ways {
                    walk.follow([source, destination], bits, of_way, &mut stages.links);
                    // A repeated attempt keeps the random bits of its message, and chooses anew.
                    let ends = walk.arrived.iter().map(|share| share * share / of_way);
                    again += ends.sum::<f64>();
                }
                cancellation::charge(walk.offered.len() * ways.len())?;
                let hops = walk.offered.len();
                if shares.len() < hops {
                    shares.resize(hops, 0.0);
                    stages.choices.resize(hops, Vec::new());
                    stages.same_last.resize(hops, 0.0);
                }
                shares[hops - 1] += share;
                stages.same_last[hops - 1] += again;
                let table = &mut stages.choices[hops - 1];
                table.resize(hops, Vec::new());
                for (into, from) in table.iter_mut().zip(&walk.offered) {
                    into.resize(into.len().max(from.len()), 0.0);
                    into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
                }
            }
            Ok::<_, Unsolved>(())
        })?;
        let sent: f64 = shares.iter().sum();
        for ((row, last), share) in
            stages.choices.iter_mut().zip(&mut stages.same_last).zip(&shares)
        {
            let scale = if *share > 0.0 { 1.0 / share } else { 0.0 };
            row.iter_mut().flatten().for_each(|it| *it *= scale);
            *last *= scale;
        }
        for share in &mut shares {
            *share /= sent;
        }
        // A link shared by both directions is requested from either end.
        let mut ends = vec![0.0; count];
        for &link in &of {
            ends[link] += 1.0;
        }
        let mut served = vec![0.0; network.routers()];
        for (&link, channel) in of.iter().zip(network.channels()) {
            served[channel.from.index()] += stages.links[link].flow / ends[link];
        }
        stages.finish();
        let mean_links = (1..).zip(&shares).map(|(links, share)| f64::from(links) * share).sum();
        let shape = Shape::Network {
            mean_links,
            links_per_node: effective(stages.links.iter().map(|link| link.flow)) / sent,
            controllers_per_node: effective(served.iter().copied()) / sent,
            longest: shares.len() as u32,
        };
        Ok((shape, Self { mean_links, shares, links: Links::Stages(Box::new(stages)) }))
    }
}

#[cfg(test)]
mod tests;
