//! Flows under dimension order: the walks of which all routes are made, each followed once for all
//! that share it.
//!
//! A route is a walk along one ring (or line) after the other, and what happens in a ring depends only
//! on where a message enters it and where it leaves. So each walk is looked at once for all the pairs of
//! nodes that share it, and within a ring the flows to one end are added up before they go on: some N²
//! additions for N nodes, however long the routes are.

use std::collections::BTreeMap;

use super::super::servers::{Resource, Servers, add_step};
use crate::ids::{NodeId, RouterId};
use crate::model::queue::Moments;
use crate::model::{Unsolved, budget, wanted};
use crate::routing::{Candidate, Classes, Header, Routing, Stop};
use crate::system::System;
use crate::topology::cube::{Cube, Sign};

/// The random bits of a message for which every tie between two ways round a ring falls on the other side.
const OTHER_WAY: u64 = u32::MAX as u64;

/// Where messages go on to: one server, or half of them to each of two.
pub(super) type Next = (u32, Option<u32>);

/// A part of a route along one ring, from where messages enter it to where they leave it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    start: RouterId,
    pub hops: usize,
    /// Its first servers; two where both ways round are equally long.
    pub first: Next,
    /// Its last servers, in the same order.
    pub last: Next,
    pub share: f64,
    /// Those of them for whom its end is the destination.
    ending: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Dimension {
    pub radix: usize,
    /// From a router to its neighbour.
    pub stride: usize,
}

/// Messages to the end of the present walks in one server.
#[derive(Clone, Copy, Debug)]
struct Passing {
    server: u32,
    share: f64,
    /// Where one of them entered the ring; any stands for all.
    start: RouterId,
}

/// Collects flows. In a cube, node n is attached to router n.
pub(super) struct AlongRings<'a> {
    pub system: &'a System,
    pub cube: &'a Cube,
    pub dimensions: Vec<Dimension>,
    pub walks: Vec<Walk>,
    /// By dimension and end: the walks along one ring to it, by the coordinate at which they start.
    ends: Vec<BTreeMap<usize, u32>>,
    /// Of the present source, by dimension d and coordinates below it: the share of its messages
    /// that go there; the last by destination.
    folded: Vec<Vec<f64>>,
    pub servers: Servers,
    /// The servers in which messages to the present end are, by the hops that are left behind them.
    waves: Vec<Vec<Passing>>,
    candidates: Vec<Candidate>,
}

impl<'a> AlongRings<'a> {
    /// For `system`, if its routes are made of such walks. (Random classes draw more than the ways round
    /// that are told apart here.)
    pub fn new(system: &'a System) -> Option<Self> {
        let network = &system.network;
        let routing = system.relation.routing();
        let ordered = matches!(routing, Routing::DimensionOrder { classes }
            if *classes != Classes::Random);
        let cube = network.cube().filter(|_| ordered)?;
        let nodes = network.nodes();
        let mut stride = 1;
        let mut dimensions = Vec::new();
        for &radix in cube.radix() {
            dimensions.push(Dimension { radix: radix as usize, stride });
            stride *= radix as usize;
        }
        let longest = dimensions.iter().map(|it| it.radix).max().unwrap_or(0);
        let folded = dimensions.iter().map(|it| vec![0.0; it.stride]).collect();
        Some(Self {
            system,
            cube,
            walks: Vec::new(),
            ends: vec![BTreeMap::new(); dimensions.len() * nodes],
            dimensions,
            folded,
            servers: Servers::new(nodes, network.channels().len()),
            waves: vec![Vec::new(); longest],
            candidates: Vec::new(),
        })
    }

    /// Adds the messages of `source`, of which `row` has the share to every destination.
    pub fn add_source(&mut self, source: NodeId, row: Vec<f64>) -> Result<(), Unsolved> {
        let last = self.dimensions.len();
        self.folded.truncate(last);
        self.folded.push(row);
        for d in (0..last).rev() {
            let (below, above) = self.folded.split_at_mut(d + 1);
            let sums = &mut below[d];
            sums.fill(0.0);
            for block in above[0].chunks(sums.len()) {
                sums.iter_mut().zip(block).for_each(|(sum, share)| *sum += share);
            }
        }
        let share = self.folded[0][0];
        self.servers.sources[source.index()].share = share;
        if share > 0.0 { self.descend(source, 0, source.index(), (None, 0)) } else { Ok(()) }
    }

    /// Follows the messages of `source` from router `at` on, which they reach along `from` after `hops` links;
    /// they have no way left to go in dimensions below `d`.
    fn descend(
        &mut self,
        source: NodeId,
        d: usize,
        at: usize,
        (from, hops): (Option<u32>, usize),
    ) -> Result<(), Unsolved> {
        let Some(&Dimension { radix, stride }) = self.dimensions.get(d) else {
            let way = Moments::with_variance(hops as f64, 0.0);
            self.servers.sources[source.index()].hops.mix(self.folded[d][at], way);
            if let Some(walk) = from {
                self.walks[walk as usize].ending += self.folded[d][at];
            }
            return Ok(());
        };
        let own = at / stride % radix;
        let home = at - own * stride;
        let prefix = at % stride;
        // Neighbouring ends mostly begin alike: one step for a run of them.
        let mut run: (Next, f64) = ((0, None), 0.0);
        for x in 0..radix {
            let share = self.folded[d + 1][prefix + x * stride];
            if share <= 0.0 {
                continue;
            }
            if x == own {
                self.descend(source, d + 1, at, (from, hops))?;
                continue;
            }
            let there = home + x * stride;
            let number = self.walk(d, own, there)?;
            let walk = &mut self.walks[number as usize];
            walk.share += share;
            let hops = hops + walk.hops;
            if walk.first == run.0 {
                run.1 += share;
            } else {
                let next = (walk.first, share);
                self.go_on(source, from, run);
                run = next;
            }
            self.descend(source, d + 1, there, (Some(number), hops))?;
        }
        self.go_on(source, from, run);
        Ok(())
    }

    /// Messages of `source` that go on from the end of `from`, or start, to the first server of a walk.
    fn go_on(&mut self, source: NodeId, from: Option<u32>, (next, share): (Next, f64)) {
        if share <= 0.0 {
            return;
        }
        let Some(from) = from else {
            let steps = &mut self.servers.sources[source.index()].next;
            parts(next, share).for_each(|(server, share)| add_step(steps, server, share));
            return;
        };
        for (last, share) in parts(self.walks[from as usize].last, share) {
            let steps = &mut self.servers.all[last as usize].next;
            parts(next, share).for_each(|(server, share)| add_step(steps, server, share));
        }
    }

    /// The walk along dimension `d` from coordinate `from` to router `end`.
    pub fn walk(&mut self, d: usize, from: usize, end: usize) -> Result<u32, Unsolved> {
        let Dimension { radix, stride } = self.dimensions[d];
        let place = d * self.system.network.nodes() + end;
        if let Some(&known) = self.ends[place].get(&from) {
            return Ok(known);
        }
        let to = end / stride % radix;
        let (start, end) = (RouterId::new(end - to * stride + from * stride), RouterId::new(end));
        let (first, last) = self.ends(d, start, end, 0)?;
        let (mut first, mut last) = ((first, None), (last, None));
        if self.cube.is_half_way(d, from as u16, to as u16) {
            let other = self.ends(d, start, end, OTHER_WAY)?;
            if other.0 != first.0 {
                (first.1, last.1) = (Some(other.0), Some(other.1));
            }
        }
        let number = self.walks.len() as u32;
        let hops = self.cube.distance(start, end) as usize;
        self.walks.push(Walk { start, hops, first, last, share: 0.0, ending: 0.0 });
        self.ends[place].insert(from, number);
        Ok(number)
    }

    fn ends(
        &mut self,
        d: usize,
        start: RouterId,
        end: RouterId,
        route_bits: u64,
    ) -> Result<(u32, u32), Unsolved> {
        let header = Header { source: start, destination: end, route_bits };
        let first = self.candidate(start, &header)?;
        let Dimension { radix, stride } = self.dimensions[d];
        let Resource::Link(channel, _) = self.servers.all[first as usize].resource else {
            return Ok((first, first));
        };
        let to = end.index() / stride % radix;
        let before = match self.cube.direction(channel).1 {
            Sign::Plus => (to + radix - 1) % radix,
            Sign::Minus => (to + 1) % radix,
        };
        let before = RouterId::new(end.index() - to * stride + before * stride);
        Ok((first, self.candidate(before, &header)?))
    }

    /// Follows all walks, those to one end together, the farthest first.
    pub fn follow_walks(&mut self) -> Result<(), Unsolved> {
        let nodes = self.system.network.nodes();
        let all = std::mem::take(&mut self.ends).into_iter().zip((0..nodes).cycle());
        for (to_end, end) in all.filter(|(to_end, _)| !to_end.is_empty()) {
            for number in to_end.into_values() {
                let Walk { start, hops, first, last, share, ending } = self.walks[number as usize];
                for (server, share) in parts(first, share) {
                    self.enter(Passing { server, share, start }, hops - 1);
                }
                if ending > 0.0 {
                    let ejection = self.servers.ejection(NodeId::new(end));
                    self.servers.all[ejection as usize].share += ending;
                    for (server, share) in parts(last, ending) {
                        add_step(&mut self.servers.all[server as usize].next, ejection, share);
                    }
                }
            }
            self.drain(RouterId::new(end))?;
        }
        Ok(())
    }

    /// Lets what has entered go on to `end`.
    fn drain(&mut self, end: RouterId) -> Result<(), Unsolved> {
        wanted::still()?;
        for left in (0..self.waves.len()).rev() {
            let mut wave = std::mem::take(&mut self.waves[left]);
            budget::charge(wave.len());
            for Passing { server, share, start } in wave.drain(..) {
                let here = &mut self.servers.all[server as usize];
                here.share += share;
                let Resource::Link(channel, _) = here.resource else { continue };
                if left > 0 {
                    let at = self.system.network.channel(channel).to;
                    let header = Header { source: start, destination: end, route_bits: 0 };
                    let next = self.candidate(at, &header)?;
                    add_step(&mut self.servers.all[server as usize].next, next, share);
                    self.enter(Passing { server: next, share, start }, left - 1);
                }
            }
            self.waves[left] = wave;
        }
        Ok(())
    }

    /// Lets messages into a server behind which `left` hops of their ring are left.
    fn enter(&mut self, passing: Passing, left: usize) {
        match self.waves[left].iter_mut().find(|here| here.server == passing.server) {
            Some(here) => here.share += passing.share,
            None => self.waves[left].push(passing),
        }
    }

    /// The server to which a head at `at` goes on.
    fn candidate(&mut self, at: RouterId, header: &Header) -> Result<u32, Unsolved> {
        self.system.relation.candidates(Stop::start(at), header, &mut self.candidates);
        let [candidate] = self.candidates[..] else {
            return Err(Unsolved::NotCovered("the model needs one way for each message".into()));
        };
        Ok(self.servers.link(candidate))
    }
}

/// The servers that `share` goes on to, with their parts of it.
pub(super) fn parts((one, other): Next, share: f64) -> impl Iterator<Item = (u32, f64)> {
    let each = if other.is_some() { share / 2.0 } else { share };
    std::iter::once(one).chain(other).map(move |server| (server, each))
}
