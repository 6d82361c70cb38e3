//! The channel dependency graph of a whole rule: an edge for VCs used in direct succession.
//!
//! Routes in two parts, to a random router and from there to the destination, have three kinds of
//! edges: those of the first part depend on the intermediate router alone, those of the second part
//! on the destination alone, and those between the parts on both. Each kind is enumerated by itself,
//! with the same result as an enumeration of all triples of routers.

use super::Verdict;
use super::graph::{Graph, Seen};
use super::walk::{Pairs, Walk, every_header, refuse_large};
use crate::ids::{ChannelId, RouterId};
use crate::routing::head::subsets;
use crate::routing::{Candidate, Header, Relation, Stop, bits};
use crate::topology::Network;

/// The channel dependency graph of a relation.
pub(super) fn direct(
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
) -> Result<Graph, Verdict> {
    refuse_large(network, relation)?;
    let mut after = After::new(network, relation);
    let seen = match (relation.parts(), pairs) {
        (Some(parts), Pairs::All) => after.detours(relation, &parts)?,
        (None, _) | (_, Pairs::Listed(_)) => after.routes(relation, pairs)?,
    };
    Ok(after.graph(seen))
}

/// The VCs used by some message after each VC.
pub(super) struct After<'n> {
    network: &'n Network,
    vcs: usize,
    /// The most outputs of a router.
    most: usize,
    /// At `(channel × vcs + v) × most + port`, the VCs of output `port`, at the router at the end of the
    /// channel, after VC `v`.
    masks: Vec<u32>,
}

impl<'n> After<'n> {
    pub fn new(network: &'n Network, relation: &Relation) -> Self {
        let vcs = relation.virtual_channels() as usize;
        let outputs = |router: usize| network.outputs(RouterId::new(router)).len();
        let most = (0..network.routers()).map(outputs).max().unwrap_or(0);
        Self { network, vcs, most, masks: vec![0; network.channels().len() * vcs * most] }
    }

    /// Adds edges from VCs of a channel to a candidate at its end.
    pub fn add(&mut self, channel: ChannelId, by: u32, then: Candidate) {
        let mut ports = self.network.outputs(self.network.channel(channel).to).iter();
        let port = ports.position(|&output| output == then.channel).unwrap_or(0);
        for v in bits(by) {
            let vertex = channel.index() * self.vcs + v as usize;
            self.masks[vertex * self.most + port] |= then.vcs;
        }
    }

    /// Adds the edges of all routes of a walk.
    pub fn add_walk(&mut self, walk: &Walk<'_>) {
        for row in 0..walk.stops.len() {
            for &first in walk.offered(row) {
                for (by, to) in walk.stops_after(row, first) {
                    let Some(next) = walk.row(to) else { continue };
                    for &then in walk.offered(next) {
                        self.add(first.channel, by, then);
                    }
                }
            }
        }
    }

    /// Adds the edges of all routes between some routers.
    fn routes(&mut self, relation: &Relation, pairs: &Pairs) -> Result<Seen, Verdict> {
        every_header(self.network, relation, pairs, |walk, _| {
            self.add_walk(walk);
            Ok(())
        })
    }

    /// Adds the edges of all routes in two parts.
    fn detours(&mut self, relation: &Relation, parts: &[Relation; 2]) -> Result<Seen, Verdict> {
        let [first, second] = parts;
        let network = self.network;
        let mut arrivals = Arrivals::default();
        let mut starts = Starts::new(self.most, self.vcs);
        let before = every_header(network, first, &Pairs::All, |walk, header| {
            self.add_walk(walk);
            arrivals.collect(network, walk, header.destination);
            let read = first.outcomes(None, header.destination).fold(0, |all, bits| all | bits);
            starts.collect(network, second, header, read, arrivals.most_before() + 1);
            self.join(header.destination, &arrivals, &starts);
            Ok(())
        })?;
        let behind = self.routes(second, &Pairs::All)?;
        let chooses = relation.selects_by_queues().is_some();
        Ok(Seen {
            vcs: before.vcs | behind.vcs,
            alternatives: before.alternatives || behind.alternatives || chooses,
        })
    }

    /// Adds the edges from arrivals at the intermediate router to starts there, for every destination
    /// that the message has not passed before.
    fn join(&mut self, middle: RouterId, arrivals: &Arrivals, starts: &Starts) {
        for (channel, by, row) in &arrivals.found {
            let passed = &arrivals.passed[*row];
            for port in 0..self.network.outputs(middle).len() {
                let is_used = |v: &usize| {
                    let to = &starts.to[port * self.vcs + v];
                    to.iter().any(|destination| !passed.contains(destination))
                };
                let mask = (0..self.vcs).filter(is_used).fold(0, |mask, v| mask | 1 << v);
                for v in bits(*by) {
                    let vertex = channel.index() * self.vcs + v as usize;
                    self.masks[vertex * self.most + port] |= mask;
                }
            }
        }
    }

    pub fn graph(self, seen: Seen) -> Graph {
        let row = |vertex: usize| {
            let to = self.network.channels()[vertex / self.vcs].to;
            let masks = &self.masks[vertex * self.most..];
            self.network.outputs(to).iter().zip(masks).flat_map(move |(channel, &mask)| {
                bits(mask).map(move |v| channel.0 * self.vcs as u32 + v)
            })
        };
        Graph::new((0..self.network.channels().len() * self.vcs).map(row), seen)
    }
}

/// The VCs over which messages arrive at the end of a walk.
#[derive(Default)]
struct Arrivals {
    /// Routers with hosts that every message passes up to a row of the walk, its source among them. A
    /// message that passes its destination has arrived, so it is for none of these.
    passed: Vec<Vec<RouterId>>,
    /// True for rows with an entry in the list above.
    is_known: Vec<bool>,
    /// Channel, VCs, and row of the walk.
    found: Vec<(ChannelId, u32, usize)>,
}

impl Arrivals {
    /// The most routers that every message passes before an arrival.
    fn most_before(&self) -> usize {
        self.found.iter().map(|&(_, _, row)| self.passed[row].len()).max().unwrap_or(0)
    }

    fn collect(&mut self, network: &Network, walk: &Walk<'_>, end: RouterId) {
        let rows = walk.stops.len();
        let has_hosts = |row: usize| network.terminals_at(walk.stops[row].at) > 0;
        let is_source = |row: usize| walk.stops[row].came.is_none() && has_hosts(row);
        if self.passed.len() < rows {
            self.passed.resize_with(rows, Vec::new);
        }
        self.is_known.clear();
        self.is_known.resize(rows, false);
        for row in (0..rows).filter(|&row| is_source(row)) {
            self.passed[row].clear();
            self.passed[row].push(walk.stops[row].at);
            self.is_known[row] = true;
        }
        loop {
            let mut more = false;
            // Every stop follows its successors, unless messages can return to a stop.
            for row in (0..rows).rev() {
                if !self.is_known[row] {
                    continue;
                }
                let from = std::mem::take(&mut self.passed[row]);
                for &candidate in walk.offered(row) {
                    for (_, to) in walk.stops_after(row, candidate) {
                        let Some(to) = walk.row(to).filter(|&to| to != row && !is_source(to))
                        else {
                            continue;
                        };
                        let own = Some(walk.stops[to].at).filter(|_| has_hosts(to));
                        let passed = &mut self.passed[to];
                        if std::mem::replace(&mut self.is_known[to], true) {
                            let before = passed.len();
                            passed.retain(|at| from.contains(at) || own == Some(*at));
                            more |= passed.len() != before;
                        } else {
                            passed.clone_from(&from);
                            passed.extend(own.filter(|at| !from.contains(at)));
                            more = true;
                        }
                    }
                }
                self.passed[row] = from;
            }
            if !walk.returns || !more {
                break;
            }
        }
        self.found.clear();
        for row in 0..rows {
            for &candidate in walk.offered(row) {
                let ends = walk.stops_after(row, candidate).filter(|(_, to)| to.at == end);
                self.found.extend(ends.map(|(by, _)| (candidate.channel, by, row)));
            }
        }
    }
}

/// The VCs that messages enter at an intermediate router.
struct Starts {
    vcs: usize,
    /// Some destinations of messages that enter VC `v` of output `port`, at `port × vcs + v`.
    to: Vec<Vec<RouterId>>,
    found: Vec<Candidate>,
}

impl Starts {
    fn new(ports: usize, vcs: usize) -> Self {
        Self { vcs, to: vec![Vec::new(); ports * vcs], found: Vec::new() }
    }

    /// Collects at most `most` destinations for each VC, with all random bits that messages with this
    /// header on the first part, which reads the bits `read`, can have.
    fn collect(
        &mut self,
        network: &Network,
        second: &Relation,
        header: &Header,
        read: u64,
        most: usize,
    ) {
        let middle = header.destination;
        self.to.iter_mut().for_each(Vec::clear);
        for destination in network.host_routers().filter(|&it| it != middle) {
            for drawn in subsets(second.bits_read(middle, destination) & !read) {
                let route_bits = header.route_bits | drawn;
                let header = Header::new(middle, destination, route_bits);
                second.candidates(Stop::start(middle), &header, &mut self.found);
                for &Candidate { channel, vcs } in &self.found {
                    let mut ports = network.outputs(middle).iter();
                    let port = ports.position(|&output| output == channel).unwrap_or(0);
                    for v in bits(vcs) {
                        let to = &mut self.to[port * self.vcs + v as usize];
                        if to.len() < most && to.last() != Some(&destination) {
                            to.push(destination);
                        }
                    }
                }
            }
        }
    }
}
