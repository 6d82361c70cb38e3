//! The extended channel dependency graph of the escape VCs (Duato 1993), and a check that they lead
//! every message to its destination.

use std::cmp::Ordering;

use super::Verdict;
use super::graph::Graph;
use super::walk::{Pairs, Walk, every_header};
use crate::routing::{Header, Relation, bits};
use crate::topology::Network;

/// Sets of escape VCs, numbered densely: `channel × escape VCs per channel + rank among them`.
struct Sets {
    /// Mask of the escape VCs of a channel.
    mask: u32,
    per_channel: usize,
    words: usize,
    /// Escape VCs that can follow each escape VC.
    after: Vec<u64>,
    /// Escape VCs available next to a message at each row of the walk.
    next: Vec<u64>,
    /// True for rows of the walk with a route to the destination over escape VCs alone.
    home: Vec<bool>,
}

/// Builds the graph.
pub(super) fn graph(
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
) -> Result<Graph, Verdict> {
    let mask = relation.escape_vcs();
    let per_channel = mask.count_ones() as usize;
    let vertices = network.channels().len() * per_channel;
    let words = vertices.div_ceil(64);
    // Beyond this size the sets alone would exceed any permitted walk.
    let size = (vertices * words) as u64;
    let routers = network.routers() as u64;
    let least = size.max(routers * routers * words as u64);
    if least > super::STEPS_MAX * 8 {
        return Err(Verdict::TooLarge { steps: least / 8 });
    }
    let (after, next, home) = (vec![0u64; vertices * words], Vec::new(), Vec::new());
    let mut sets = Sets { mask, per_channel, words, after, next, home };
    let seen = every_header(network, relation, pairs, |walk, header| sets.note(walk, header))?;
    let vcs = relation.virtual_channels() as usize;
    let escapes: Vec<usize> = (0..vcs).filter(|v| mask >> v & 1 == 1).collect();
    let name = |vertex: usize| (vertex / per_channel * vcs + escapes[vertex % per_channel]) as u32;
    let row = |vc: usize| {
        let rank = escapes.iter().position(|&v| v == vc % vcs);
        let vertex = rank.map(|rank| vc / vcs * per_channel + rank);
        let words = vertex.map_or(&[] as &[u64], |vertex| &sets.after[vertex * words..][..words]);
        let follows = move |vertex: &usize| words[vertex / 64] >> (vertex % 64) & 1 == 1;
        (0..words.len() * 64).filter(follows).map(&name)
    };
    Ok(Graph::new((0..network.channels().len() * vcs).map(row), seen))
}

impl Sets {
    /// Adds the dependencies of the messages of one header.
    fn note(&mut self, walk: &mut Walk<'_>, header: &Header) -> Result<(), Verdict> {
        let rows = walk.stops.len();
        self.next.clear();
        self.next.resize(rows * self.words, 0);
        self.home.clear();
        self.home.resize(rows, false);
        // Every stop follows its successors, so a single pass suffices unless messages return.
        loop {
            let mut more = false;
            (0..rows).for_each(|row| more |= self.gather(walk, header, row));
            walk.steps += (rows * self.words / 8) as u64;
            if !walk.returns || !more {
                break;
            }
        }
        if let Some(row) = self.home.iter().position(|home| !home) {
            let Header { source, destination, .. } = *header;
            let at = walk.stops[row].at;
            let source = if walk.relation.reads_source() { source } else { at };
            return Err(Verdict::Stranded { source, destination, at });
        }
        for row in 0..rows {
            for &candidate in walk.offered(row) {
                for (by, to) in walk.stops_after(row, candidate) {
                    let Some(to) = walk.row(to) else { continue };
                    for v in bits(by & self.mask) {
                        let vertex = self.vertex(candidate.channel.index(), v);
                        let after = &mut self.after[vertex * self.words..][..self.words];
                        let next = &self.next[to * self.words..][..self.words];
                        for (after, next) in after.iter_mut().zip(next) {
                            *after |= next;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Collects the escape VCs available next to a message at `row`, directly or after adaptive
    /// VCs. Returns true if new VCs were found.
    fn gather(&mut self, walk: &Walk<'_>, header: &Header, row: usize) -> bool {
        let before = self.reached(walk, row);
        for &candidate in walk.offered(row) {
            for v in bits(candidate.vcs & self.mask) {
                let vertex = self.vertex(candidate.channel.index(), v);
                self.next[row * self.words + vertex / 64] |= 1 << (vertex % 64);
            }
            for (by, to) in walk.stops_after(row, candidate) {
                let follows = walk.row(to);
                let ends = to.at == header.destination;
                self.home[row] |=
                    by & self.mask != 0 && (ends || follows.is_some_and(|to| self.home[to]));
                if let (Some(to), true) = (follows, by & !self.mask != 0) {
                    self.add_all(row, to);
                }
            }
        }
        before != self.reached(walk, row)
    }

    /// The number of escape VCs known for a row, and true if the row leads to the destination, for
    /// repeated passes.
    fn reached(&self, walk: &Walk<'_>, row: usize) -> (u32, bool) {
        let next = if walk.returns { &self.next[row * self.words..][..self.words] } else { &[] };
        (next.iter().map(|word| word.count_ones()).sum(), self.home[row])
    }

    /// Adds the escape VCs of row `other` to those of `row`.
    fn add_all(&mut self, row: usize, other: usize) {
        let split = row.max(other) * self.words;
        let (low, high) = self.next.split_at_mut(split);
        let low = &mut low[row.min(other) * self.words..];
        let (next, more) = match row.cmp(&other) {
            Ordering::Less => (low, high),
            Ordering::Greater => (high, low),
            Ordering::Equal => return,
        };
        for (next, more) in next[..self.words].iter_mut().zip(&more[..self.words]) {
            *next |= *more;
        }
    }

    fn vertex(&self, channel: usize, v: u32) -> usize {
        channel * self.per_channel + (self.mask & ((1 << v) - 1)).count_ones() as usize
    }
}
