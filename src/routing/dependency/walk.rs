//! Walks a relation: the stops of messages with one header, and their candidates at each stop.
//! Stops are routers or, if the rule depends on the arrival, the VCs of a head's arrival.

use super::graph::Seen;
use super::{BYTES_PER_EDGE, STEPS_MAX, Verdict, progress};
use crate::ids::RouterId;
use crate::memory;
use crate::routing::{Candidate, Header, Relation, Stop};
use crate::topology::{Channel, Network};

/// Marks an unreached stop.
const UNREACHED: u32 = u32::MAX;
/// Marks a stop with successors not yet reached.
const ON_THE_WAY: u32 = u32::MAX - 1;

/// The stops of the messages of one header, with their candidates.
pub(super) struct Walk<'a> {
    pub relation: &'a Relation,
    pub header: Header,
    /// Stops reachable by messages, without those at the destination. Every stop follows its
    /// successors, unless messages can return to a stop.
    pub stops: Vec<Stop>,
    /// True if messages can return to a stop.
    pub returns: bool,
    /// Span of each stop's candidates.
    spans: Vec<(u32, u32)>,
    candidates: Vec<Candidate>,
    /// Row of each stop, by number, in the lists above, [`UNREACHED`] or [`ON_THE_WAY`].
    rows: Vec<u32>,
    /// The stack of the search: the stop, its span, and the start of its unvisited successors in
    /// [`Self::ahead`], which end at the start of the next entry's.
    stack: Vec<(Stop, (u32, u32), usize)>,
    ahead: Vec<Stop>,
    offered: Vec<Candidate>,
    seen: Seen,
    pub steps: u64,
}

impl<'a> Walk<'a> {
    fn new(relation: &'a Relation) -> Self {
        Self {
            relation,
            header: Header::new(RouterId(0), RouterId(0), 0),
            stops: Vec::new(),
            returns: false,
            spans: Vec::new(),
            candidates: Vec::new(),
            rows: vec![UNREACHED; relation.stops()],
            stack: Vec::new(),
            ahead: Vec::new(),
            offered: Vec::new(),
            seen: Seen::default(),
            steps: 0,
        }
    }

    /// The row of a stop in [`Self::stops`], if reached.
    pub fn row(&self, stop: Stop) -> Option<usize> {
        let row = self.rows[self.relation.stop_number(stop)];
        (row < ON_THE_WAY).then_some(row as usize)
    }

    /// Candidates of messages at a row.
    pub fn offered(&self, row: usize) -> &[Candidate] {
        let (first, end) = self.spans[row];
        &self.candidates[first as usize..end as usize]
    }

    /// The stops at the end of a candidate at a row, each with the VCs to this stop.
    pub fn stops_after(
        &self,
        row: usize,
        candidate: Candidate,
    ) -> impl Iterator<Item = (u32, Stop)> + Clone + use<'_> {
        self.relation.stops_after(self.stops[row], &self.header, candidate)
    }

    /// Walks from all of `starts`.
    fn from(
        &mut self,
        header: &Header,
        starts: impl Iterator<Item = RouterId>,
    ) -> Result<(), Verdict> {
        for stop in self.stops.drain(..) {
            self.rows[self.relation.stop_number(stop)] = UNREACHED;
        }
        self.header = *header;
        self.spans.clear();
        self.candidates.clear();
        self.returns = false;
        for start in starts.map(Stop::start) {
            if start.at != header.destination && self.row(start).is_none() {
                self.search(header, start)?;
            }
        }
        self.steps += self.stops.len() as u64;
        if self.steps > STEPS_MAX {
            return Err(Verdict::TooLarge { steps: self.steps });
        }
        Ok(())
    }

    /// Searches depth-first from `start`. A stop gets its row after all successors.
    fn search(&mut self, header: &Header, start: Stop) -> Result<(), Verdict> {
        self.enter(header, start)?;
        while let Some(&(stop, span, first)) = self.stack.last() {
            if self.ahead.len() > first {
                let Some(to) = self.ahead.pop() else { break };
                match self.rows[self.relation.stop_number(to)] {
                    _ if to.at == header.destination => {}
                    UNREACHED => self.enter(header, to)?,
                    ON_THE_WAY => self.returns = true,
                    _ => {}
                }
            } else {
                self.stack.pop();
                self.rows[self.relation.stop_number(stop)] = self.stops.len() as u32;
                self.stops.push(stop);
                self.spans.push(span);
            }
        }
        Ok(())
    }

    fn enter(&mut self, header: &Header, stop: Stop) -> Result<(), Verdict> {
        self.relation.candidates(stop, header, &mut self.offered);
        let choices: u32 = self.offered.iter().map(|it| it.vcs.count_ones()).sum();
        self.seen.alternatives |= choices > 1;
        self.seen.vcs = self.offered.iter().fold(self.seen.vcs, |seen, it| seen | it.vcs);
        if self.offered.is_empty() {
            let source = if self.relation.reads_source() { header.source } else { stop.at };
            let destination = header.destination;
            return Err(Verdict::Stranded { source, destination, at: stop.at });
        }
        self.rows[self.relation.stop_number(stop)] = ON_THE_WAY;
        let first = self.candidates.len() as u32;
        self.candidates.extend_from_slice(&self.offered);
        self.stack.push((stop, (first, self.candidates.len() as u32), self.ahead.len()));
        // Added in reverse, because the last stop added is visited first.
        for &candidate in self.offered.iter().rev() {
            let stops = self.relation.stops_after(stop, header, candidate);
            self.ahead.extend(stops.map(|(_, to)| to));
        }
        Ok(())
    }
}

/// Rejects a network with more pairs of routers than steps permitted in a walk, or with more
/// dependencies than fit into memory, before any allocation.
pub(super) fn refuse_large(network: &Network, relation: &Relation) -> Result<(), Verdict> {
    let steps = (network.routers() as u64).pow(2);
    let turns = |channel: &Channel| network.outputs(channel.to).len() as u64;
    let turns: u64 = network.channels().iter().map(turns).sum();
    let edges = turns * u64::from(relation.virtual_channels()).pow(2);
    let room = edges * BYTES_PER_EDGE <= memory::available() / 2;
    if steps > STEPS_MAX || !room { Err(Verdict::TooLarge { steps }) } else { Ok(()) }
}

/// The pairs of routers between which messages travel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pairs {
    /// All routers with terminals.
    All,
    /// The sources of messages to each router.
    Listed(Vec<Vec<RouterId>>),
}

impl Pairs {
    /// Lists pairs of a source and a destination in a network.
    pub fn of(network: &Network, pairs: impl Iterator<Item = (RouterId, RouterId)>) -> Self {
        let mut sources = vec![Vec::new(); network.routers()];
        for (source, destination) in pairs.filter(|(source, destination)| source != destination) {
            sources[destination.index()].push(source);
        }
        for sources in &mut sources {
            sources.sort_unstable();
            sources.dedup();
        }
        Self::Listed(sources)
    }

    /// The pairs in both directions, for messages and replies.
    #[must_use]
    pub fn with_replies(&self) -> Self {
        let Self::Listed(sources) = self else { return self.clone() };
        let mut both = sources.clone();
        for (destination, sources) in sources.iter().enumerate() {
            for source in sources {
                both[source.index()].push(RouterId::new(destination));
            }
        }
        for sources in &mut both {
            sources.sort_unstable();
            sources.dedup();
        }
        Self::Listed(both)
    }

    /// The sources of messages to a router.
    pub fn to(&self, network: &Network, destination: RouterId) -> Vec<RouterId> {
        match self {
            Self::All if network.terminals_at(destination) == 0 => Vec::new(),
            Self::All => network.host_routers().filter(|source| *source != destination).collect(),
            Self::Listed(sources) => sources[destination.index()].clone(),
        }
    }
}

/// All relevant headers of messages to a destination, from `source` or from any source.
pub(super) fn headers(
    relation: &Relation,
    source: Option<RouterId>,
    destination: RouterId,
) -> impl Iterator<Item = Header> {
    let of_classes = move |header: Header| {
        let classes = 0..relation.message_classes();
        classes.map(move |message_class| Header { message_class, ..header })
    };
    // The destination takes the place of an unknown source.
    let start = source.unwrap_or(destination);
    let bits = relation.outcomes(source, destination);
    bits.map(move |bits| Header::new(start, destination, bits)).flat_map(of_classes)
}

/// Walks for every relevant header, and passes each walk to `each`. If the rule does not depend on
/// the source, all sources share a walk.
pub(super) fn every_header(
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
    mut each: impl FnMut(&mut Walk<'_>, &Header) -> Result<(), Verdict>,
) -> Result<Seen, Verdict> {
    let count = network.routers() as u64;
    refuse_large(network, relation)?;
    let mut walk = Walk::new(relation);
    for destination in (0..network.routers()).map(RouterId::new) {
        progress::note(destination.index(), network.routers());
        let sources = pairs.to(network, destination);
        if sources.is_empty() {
            continue;
        }
        if !relation.reads_source() {
            let headers: Vec<Header> = headers(relation, None, destination).collect();
            let least = count * count * headers.len() as u64;
            if least > STEPS_MAX {
                return Err(Verdict::TooLarge { steps: least });
            }
            for header in headers {
                walk.from(&header, sources.iter().copied())?;
                each(&mut walk, &header)?;
            }
            continue;
        }
        for source in sources {
            for header in headers(relation, Some(source), destination) {
                walk.from(&header, std::iter::once(source))?;
                each(&mut walk, &header)?;
            }
        }
    }
    Ok(walk.seen)
}

/// The source of messages to a destination for which a walk has some property, if the rule does not
/// depend on the source.
pub(super) fn source_of(
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
    destination: RouterId,
    has: impl Fn(&Walk<'_>) -> bool,
) -> Option<RouterId> {
    let mut walk = Walk::new(relation);
    pairs.to(network, destination).into_iter().find(|&source| {
        headers(relation, None, destination)
            .any(|header| walk.from(&header, std::iter::once(source)).is_ok() && has(&walk))
    })
}
