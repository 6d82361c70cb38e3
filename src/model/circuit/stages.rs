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
//!   preceding links, and the rest of a route depends only on its last link.

use super::hold::{Link, RouteWaits};
use super::parameters::{Controller, Equations};
use super::routes::{Links, Routes};
use super::shape::Shape;
use crate::flows::routes::for_each_source;
use crate::ids::NodeId;
use crate::model::fixed_point::{NoSolution, Search};
use crate::model::queue::Moments;
use crate::model::{Unsolved, budget, cancellation};
use crate::routing::{Candidate, Stop};
use crate::switching::circuit::Duplex;
use crate::system::System;
use crate::topology::links;

/// Search for the waits for all links, in mean transmission times.
const SEARCH: Search = Search { step: 1.0, tolerance: 1e-12, relative: false, rounds_max: 20_000 };
/// Streams compared in the time of a step of work.
const STREAMS_PER_STEP: usize = 16;

/// Flows over the links of a network, per message of a node.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Stages {
    links: Vec<Station>,
    /// Links in the order of computation, later ones of a route first.
    order: Vec<usize>,
    /// Mean share of the requests for a link that arrive over the preceding link, over all requests
    /// with a preceding link.
    pub excluded: f64,
    /// The probability of n candidates at `choices[h − 1][hop][n]`, for routes of h links.
    pub choices: Vec<Vec<Vec<f64>>>,
    /// The probability that two attempts of a message of h links have the same last link, at h − 1.
    pub same_last: Vec<f64>,
}

/// A link and its place on the routes.
#[derive(Clone, PartialEq, Debug, Default)]
struct Station {
    /// Messages over the link.
    flow: f64,
    /// Mean number of links of a route up to this link.
    place: f64,
    /// Preceding links, each with the share of the requests that arrive over it.
    streams: Vec<(usize, f64)>,
    /// Following links: the link, the number of this link among its streams, and the probability.
    next: Vec<(usize, usize, f64)>,
}

impl Station {
    /// Adds messages that arrive over the preceding link.
    fn add(&mut self, before: Option<usize>, place: usize, share: f64) {
        self.flow += share;
        self.place += share * place as f64;
        let Some(before) = before else { return };
        match self.streams.iter_mut().find(|stream| stream.0 == before) {
            Some(stream) => stream.1 += share,
            None => self.streams.push((before, share)),
        }
    }
}

/// The links of channels: one for both directions where circuits occupy both, and one for each
/// channel of a terminal.
pub(super) fn links_of_channels(system: &System) -> (Vec<usize>, usize) {
    let half = system.circuit().is_some_and(|machine| machine.duplex == Duplex::Half);
    let links = links::Links::new(&system.network, half);
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
                    let to = self.system.relation.stops_after(candidate).next();
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
        shares.iter_mut().for_each(|share| *share /= sent);
        // A link shared by both directions is requested from either end.
        let mut ends = vec![0.0; count];
        of.iter().for_each(|&link| ends[link] += 1.0);
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

impl Stages {
    /// Computes shares and successors from flows.
    fn finish(&mut self) {
        let (mut alike, mut all) = (0.0, 0.0);
        for at in 0..self.links.len() {
            let Station { flow, place, streams, .. } = &mut self.links[at];
            if *flow <= 0.0 {
                continue;
            }
            *place /= *flow;
            for (_, share) in streams.iter_mut() {
                all += *share;
                alike += *share * *share / *flow;
                *share /= *flow;
            }
            let (flow, streams) = (*flow, streams.clone());
            for (number, (before, share)) in streams.into_iter().enumerate() {
                let probability = share * flow / self.links[before].flow;
                self.links[before].next.push((at, number, probability));
            }
        }
        self.excluded = if all > 0.0 { alike / all } else { 0.0 };
        self.order = (0..self.links.len()).filter(|&at| self.links[at].flow > 0.0).collect();
        self.order.sort_by(|&a, &b| self.links[b].place.total_cmp(&self.links[a].place));
    }
}

/// The state of a link in the search for waits.
#[derive(Clone, Default)]
struct Wait {
    /// Mean and second moment of the wait of each stream.
    streams: Vec<Moments>,
    mean: f64,
    conflict: f64,
    utilisation: f64,
    /// Mean and variance of the set-up that follows the acquisition.
    behind: [f64; 2],
}

impl Equations {
    /// Holding times and waits for the links of any network: sweeps over all links, later links of a
    /// route first, until the waits converge. Without a cycle of links the first sweeps are final.
    pub(super) fn links_of_stages(
        &self,
        stages: &Stages,
        rate: f64,
        controller: Controller,
    ) -> Result<RouteWaits, NoSolution> {
        let times = &self.machine;
        let step = controller.wait + times.verify + times.connect;
        let release = controller.wait + times.release;
        let mut waits: Vec<Wait> = stages.links.iter().map(Wait::at).collect();
        let mut moved = SEARCH.from([0.0]);
        loop {
            let mut total = 0.0;
            for &at in &stages.order {
                let station = &stages.links[at];
                let (mut mean, mut second) = (0.0, 0.0);
                for &(next, number, probability) in &station.next {
                    let Wait { streams, behind: [after, spread], .. } = &waits[next];
                    let crossing = step + streams[number].mean + after;
                    mean += probability * crossing;
                    second +=
                        probability * (crossing * crossing + streams[number].variance() + spread);
                }
                let shares: Vec<f64> = station.streams.iter().map(|stream| stream.1).collect();
                budget::charge(1 + shares.len() * shares.len() / STREAMS_PER_STEP);
                let behind = [mean, second - mean * mean];
                let link = Link {
                    requests: rate * station.flow,
                    streams: &shares,
                    fresh: (1.0 - shares.iter().sum::<f64>()).max(0.0),
                    hold: times.connect
                        + behind[0]
                        + times.acknowledge
                        + self.data.mean()
                        + station.place * release,
                    variance: behind[1] + self.data.variance(),
                };
                let found = link.waits()?;
                let moments = |&mean: &f64| Moments { mean, square: link.wait_second_moment(mean) };
                total += station.flow * found.mean;
                waits[at] = Wait {
                    streams: found.streams.iter().map(moments).collect(),
                    mean: found.mean,
                    conflict: found.conflict,
                    utilisation: found.utilisation,
                    behind,
                };
            }
            if moved.settled([total])? {
                break;
            }
        }
        let flow: f64 = stages.links.iter().map(|link| link.flow).sum();
        let mean = |of: &dyn Fn(&Wait) -> f64| {
            let sums = stages.links.iter().zip(&waits).map(|(link, wait)| link.flow * of(wait));
            sums.sum::<f64>() / flow
        };
        Ok(RouteWaits {
            link_wait: mean(&|wait| wait.mean),
            conflict: mean(&|wait| wait.conflict),
            utilisation: waits.iter().map(|wait| wait.utilisation).collect(),
        })
    }
}

impl Wait {
    fn at(station: &Station) -> Self {
        let streams = vec![Moments { mean: 0.0, square: 0.0 }; station.streams.len()];
        Self { streams, ..Self::default() }
    }
}

#[cfg(test)]
mod tests;
