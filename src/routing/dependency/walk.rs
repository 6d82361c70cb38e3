//! Walks a relation: for one header, every router that the message may come to and what it is
//! offered there.

use super::graph::Seen;
use super::{BYTES_PER_EDGE, STEPS_MAX, Verdict, progress};
use crate::ids::RouterId;
use crate::memory;
use crate::routing::{Candidate, Header, Relation};
use crate::topology::{Channel, Network};

const UNREACHED: u32 = u32::MAX;

/// All that messages of one header may do.
pub(super) struct Walk<'a> {
    pub network: &'a Network,
    pub relation: &'a Relation,
    /// The routers that they may come to, the destination left out. Whatever a router leads to
    /// stands before it.
    pub routers: Vec<RouterId>,
    /// What they are offered at each of them.
    spans: Vec<(u32, u32)>,
    candidates: Vec<Candidate>,
    /// For each router, its row in the lists above, or [`UNREACHED`].
    rows: Vec<u32>,
    /// Routers on the way of the search: the router, its span, the next candidate to follow.
    stack: Vec<(RouterId, (u32, u32), u32)>,
    offered: Vec<Candidate>,
    seen: Seen,
    pub steps: u64,
}

impl<'a> Walk<'a> {
    fn new(network: &'a Network, relation: &'a Relation) -> Self {
        Self {
            network,
            relation,
            routers: Vec::new(),
            spans: Vec::new(),
            candidates: Vec::new(),
            rows: vec![UNREACHED; network.routers()],
            stack: Vec::new(),
            offered: Vec::new(),
            seen: Seen::default(),
            steps: 0,
        }
    }

    /// The row of a router in [`Self::routers`], if it was reached.
    pub fn row(&self, router: RouterId) -> Option<usize> {
        let row = self.rows[router.index()];
        (row != UNREACHED).then_some(row as usize)
    }

    /// What messages are offered at row `row`.
    pub fn offered(&self, row: usize) -> &[Candidate] {
        let (first, end) = self.spans[row];
        &self.candidates[first as usize..end as usize]
    }

    /// Walks from all of `starts`.
    fn from(
        &mut self,
        header: &Header,
        starts: impl Iterator<Item = RouterId>,
    ) -> Result<(), Verdict> {
        for router in self.routers.drain(..) {
            self.rows[router.index()] = UNREACHED;
        }
        self.spans.clear();
        self.candidates.clear();
        for start in starts {
            if start != header.destination && self.row(start).is_none() {
                self.search(header, start)?;
            }
        }
        self.steps += self.routers.len() as u64;
        if self.steps > STEPS_MAX {
            return Err(Verdict::TooLarge { steps: self.steps });
        }
        Ok(())
    }

    /// Depth first from `start`. A router gets its row when all that it leads to has been reached;
    /// no rule comes back to it before.
    fn search(&mut self, header: &Header, start: RouterId) -> Result<(), Verdict> {
        self.enter(header, start)?;
        while let Some((router, span, next)) = self.stack.pop() {
            if next < span.1 {
                self.stack.push((router, span, next + 1));
                let to = self.network.channel(self.candidates[next as usize].channel).to;
                if to != header.destination && self.row(to).is_none() {
                    self.enter(header, to)?;
                }
            } else if self.row(router).is_none() {
                self.rows[router.index()] = self.routers.len() as u32;
                self.routers.push(router);
                self.spans.push(span);
            }
        }
        Ok(())
    }

    fn enter(&mut self, header: &Header, at: RouterId) -> Result<(), Verdict> {
        self.relation.candidates(at, header, &mut self.offered);
        let choices: u32 = self.offered.iter().map(|it| it.vcs.count_ones()).sum();
        self.seen.alternatives |= choices > 1;
        self.seen.vcs = self.offered.iter().fold(self.seen.vcs, |seen, it| seen | it.vcs);
        if self.offered.is_empty() {
            let source = if self.relation.reads_source() { header.source } else { at };
            let destination = header.destination;
            return Err(Verdict::Stranded { source, destination, at });
        }
        let first = self.candidates.len() as u32;
        self.candidates.extend_from_slice(&self.offered);
        self.stack.push((at, (first, self.candidates.len() as u32), first));
        Ok(())
    }
}

/// Refuses a network with more pairs of routers than a walk may have steps, or with more
/// dependencies than there is memory for, before anything is allocated for it.
pub(super) fn refuse_large(network: &Network, relation: &Relation) -> Result<(), Verdict> {
    let steps = (network.routers() as u64).pow(2);
    let turns = |channel: &Channel| network.outputs(channel.to).len() as u64;
    let turns: u64 = network.channels().iter().map(turns).sum();
    let edges = turns * u64::from(relation.virtual_channels()).pow(2);
    let room = edges * BYTES_PER_EDGE <= memory::available() / 2;
    if steps > STEPS_MAX || !room { Err(Verdict::TooLarge { steps }) } else { Ok(()) }
}

/// Walks for every header that makes a difference, and hands each walk to `each`. Where the rule
/// does not read the source, messages of all sources are walked at once.
pub(super) fn every_header(
    network: &Network,
    relation: &Relation,
    mut each: impl FnMut(&mut Walk<'_>, &Header) -> Result<(), Verdict>,
) -> Result<Seen, Verdict> {
    let routers = || (0..network.routers()).map(RouterId::new);
    let count = network.routers() as u64;
    refuse_large(network, relation)?;
    let mut walk = Walk::new(network, relation);
    for destination in routers() {
        progress::note(destination.index(), network.routers());
        if !relation.reads_source() {
            // Any source: the header names the destination's neighbour, or itself if alone.
            let bits = relation.bits_read(None, destination);
            let least = (count * count) << bits.count_ones();
            if least > STEPS_MAX {
                return Err(Verdict::TooLarge { steps: least });
            }
            for route_bits in relation.outcomes(None, destination) {
                let header = Header { source: destination, destination, route_bits };
                walk.from(&header, routers())?;
                each(&mut walk, &header)?;
            }
            continue;
        }
        // Messages start and end where there are terminals.
        if network.terminals_at(destination) == 0 {
            continue;
        }
        let sends = |&source: &RouterId| source != destination && network.terminals_at(source) > 0;
        for source in routers().filter(sends) {
            for route_bits in relation.outcomes(Some(source), destination) {
                let header = Header { source, destination, route_bits };
                walk.from(&header, std::iter::once(source))?;
                each(&mut walk, &header)?;
            }
        }
    }
    Ok(walk.seen)
}
