//! Flows of messages that every node sends to all others alike, under dimension order.
//!
//! A message that has come to a router with the dimensions below d behind it goes on to any coordinate of
//! dimension d with the same probability, wherever it is from. So all rings of a dimension carry the same:
//! one is followed, walk by walk, and the others are copies of it. From one ring to the next the flows are
//! products: what ends at a router, what begins there, and 1/k for each dimension between them that a
//! message has not to move in.

use super::super::servers::{Resource, Servers, Step, add_step};
use super::walks::{AlongRings, parts};
use crate::ids::{NodeId, RouterId};
use crate::model::queue::Moments;
use crate::model::{Unsolved, budget, wanted};
use crate::routing::Candidate;
use crate::topology::cube::Sign;

/// A VC class of the link that leaves a router of the ring: its coordinate, which way, and the VCs.
type Place = (usize, Sign, u32);

/// The flows along one ring.
struct Profile {
    /// The servers by place, with the messages through each and the steps within the ring.
    servers: Vec<(Place, f64, Vec<Step>)>,
    /// By coordinate: where messages begin, and where they end, by number in `servers`.
    first: Vec<Vec<Step>>,
    last: Vec<Vec<Step>>,
    /// By coordinate: links that the messages which begin or stay there cross.
    hops: Vec<Moments>,
}

impl AlongRings<'_> {
    /// Adds `share` of every node's messages, spread evenly over all other nodes.
    pub fn add_evenly(&mut self, share: f64) -> Result<(), Unsolved> {
        let nodes = self.system.network.nodes();
        // With those that a node would send to itself, which go nowhere.
        let all = share * nodes as f64 / (nodes as f64 - 1.0);
        let radices: Vec<usize> = self.dimensions.iter().map(|it| it.radix).collect();
        let profiles = (0..radices.len())
            .map(|d| self.profile(d, all))
            .collect::<Result<Vec<_>, Unsolved>>()?;
        // By dimension and router: the servers of its ring.
        let rings: Vec<Vec<Vec<u32>>> =
            profiles.iter().enumerate().map(|(d, profile)| self.copies(d, profile)).collect();
        // From every server of a router to those of its ring, of later dimensions, and out.
        let streams = 4 * radices.len() * (radices.len() + 1);
        for router in 0..nodes {
            wanted::still()?;
            budget::charge(streams);
            let at = |d: usize| router / self.dimensions[d].stride % radices[d];
            let ring = |d: usize, step: &Step| {
                let stride = self.dimensions[d].stride;
                let below = router % stride;
                rings[d][router / (stride * radices[d]) * stride + below][step.to as usize]
            };
            let source = &mut self.servers.sources[router];
            source.share += share;
            let (mut unmoved, mut hops) = (1.0, Moments::NONE);
            for (d, profile) in profiles.iter().enumerate() {
                hops = hops.and_then(profile.hops[at(d)]);
                for step in &profile.first[at(d)] {
                    add_step(&mut source.next, ring(d, step), unmoved * step.share);
                }
                unmoved /= radices[d] as f64;
            }
            source.hops.mix(all, hops);
            let ejection = self.servers.ejection(NodeId::new(router));
            for (d, profile) in profiles.iter().enumerate() {
                for last in &profile.last[at(d)] {
                    let from = ring(d, last) as usize;
                    let mut left = last.share;
                    for further in d + 1..radices.len() {
                        for step in &profiles[further].first[at(further)] {
                            let next = &mut self.servers.all[from].next;
                            add_step(next, ring(further, step), left * step.share / all);
                        }
                        left /= radices[further] as f64;
                    }
                    self.servers.all[ejection as usize].share += left;
                    add_step(&mut self.servers.all[from].next, ejection, left);
                }
            }
        }
        Ok(())
    }

    /// The flows along the ring of dimension `d` through the first router, of `all` messages of each node
    /// that begin there or stay.
    fn profile(&mut self, d: usize, all: f64) -> Result<Profile, Unsolved> {
        let mut alone = AlongRings::new(self.system).expect("these are such routes");
        let radix = self.dimensions[d].radix;
        let stride = self.dimensions[d].stride;
        let (mut first, mut last) = (vec![Vec::new(); radix], vec![Vec::new(); radix]);
        let mut hops = vec![Moments::NONE; radix];
        for from in 0..radix {
            for to in (0..radix).filter(|&to| to != from) {
                let number = alone.walk(d, from, to * stride)?;
                let walk = &mut alone.walks[number as usize];
                walk.share = all / radix as f64;
                parts(walk.first, walk.share)
                    .for_each(|(to, it)| add_step(&mut first[from], to, it));
                parts(walk.last, walk.share)
                    .for_each(|(from, it)| add_step(&mut last[to], from, it));
                hops[from].mix(1.0 / radix as f64, Moments::with_variance(walk.hops as f64, 0.0));
            }
        }
        alone.follow_walks()?;
        let place = |resource| match resource {
            Resource::Link(channel, vcs) => {
                let from = self.system.network.channel(channel).from.index();
                (from / stride % radix, self.cube.direction(channel).1, vcs)
            }
            Resource::Ejection(_) => unreachable!("no walk has ended at a destination"),
        };
        let Servers { all: servers, .. } = alone.servers;
        let servers =
            servers.into_iter().map(|it| (place(it.resource), it.share, it.next)).collect();
        Ok(Profile { servers, first, last, hops })
    }

    /// Adds the flows of every ring of dimension `d`; the servers of each ring, by number in `profile`.
    fn copies(&mut self, d: usize, profile: &Profile) -> Vec<Vec<u32>> {
        let (radix, stride) = (self.dimensions[d].radix, self.dimensions[d].stride);
        let rings = self.system.network.nodes() / radix;
        let copy = |ring: usize| {
            let base = ring / stride * (stride * radix) + ring % stride;
            let link = |&((at, sign, vcs), share, _): &(Place, f64, Vec<Step>)| {
                let router = RouterId::new(base + at * stride);
                let channel =
                    self.cube.channel_from(router, d, sign).expect("as in the first ring");
                let server = self.servers.link(Candidate { channel, vcs });
                self.servers.all[server as usize].share += share;
                server
            };
            let numbers: Vec<u32> = profile.servers.iter().map(link).collect();
            for (&server, (_, _, next)) in numbers.iter().zip(&profile.servers) {
                for step in next {
                    let next = &mut self.servers.all[server as usize].next;
                    add_step(next, numbers[step.to as usize], step.share);
                }
            }
            numbers
        };
        (0..rings).map(copy).collect()
    }
}
