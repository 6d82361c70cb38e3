//! A dependency graph in rows, the numbering that certifies it, and the check of that numbering.

use petgraph::algo::toposort;
use petgraph::graph::DiGraph;

use crate::ids::VcId;

/// What a walk has seen besides the edges.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Seen {
    /// VCs of a channel that were offered anywhere.
    pub vcs: u32,
    /// Some message was offered more than one VC.
    pub alternatives: bool,
}

/// Virtual channels and their dependencies.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Graph {
    /// The successors of VC `v` are `targets[first[v]..first[v + 1]]`, ascending.
    first: Vec<usize>,
    targets: Vec<u32>,
    seen: Seen,
}

/// A number for each VC of the network, indexed by [`VcId`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbering(pub Vec<u32>);

impl Graph {
    /// Builds a graph from the successors of each VC, in order of the VCs.
    pub(super) fn new(rows: impl Iterator<Item = impl Iterator<Item = u32>>, seen: Seen) -> Self {
        let (mut first, mut targets) = (vec![0], Vec::new());
        for row in rows {
            targets.extend(row);
            first.push(targets.len());
        }
        Self { first, targets, seen }
    }

    /// The same graph with vertices put together: `stands_for` names the vertex that stands for each.
    pub(super) fn merged(&self, stands_for: impl Fn(u32) -> u32) -> Self {
        let mut rows = vec![Vec::new(); self.vertices()];
        for vertex in 0..self.vertices() {
            let row = self.row(vertex).iter().map(|&target| stands_for(target));
            rows[stands_for(vertex as u32) as usize].extend(row);
        }
        for row in &mut rows {
            row.sort_unstable();
            row.dedup();
        }
        Self::new(rows.into_iter().map(Vec::into_iter), self.seen)
    }

    /// The number of vertices: all VCs of the network, used or not.
    pub fn vertices(&self) -> usize {
        self.first.len() - 1
    }

    /// The number of edges.
    pub fn edges(&self) -> u64 {
        self.targets.len() as u64
    }

    /// VCs of a channel that messages use at all.
    pub fn virtual_channels_used(&self) -> u32 {
        self.seen.vcs.count_ones()
    }

    /// Whether some message is ever offered more than one VC.
    pub fn alternatives(&self) -> bool {
        self.seen.alternatives
    }

    /// The VCs that some message uses after `vc`: the ends of its edges, ascending.
    pub fn successors(&self, vc: VcId) -> impl ExactSizeIterator<Item = VcId> + '_ {
        self.row(vc.index()).iter().map(|&target| VcId(target))
    }

    /// As [`Self::successors`], raw.
    pub(super) fn row(&self, vertex: usize) -> &[u32] {
        &self.targets[self.first[vertex]..self.first[vertex + 1]]
    }

    /// Numbers the VCs so that numbers grow along every edge, if there is no cycle: the length of
    /// the longest path that leads to each.
    pub fn number(&self) -> Option<Numbering> {
        let order = toposort(&self.in_petgraph(), None).ok()?;
        let mut numbers = vec![0u32; self.vertices()];
        for vertex in order {
            for &target in self.row(vertex.index()) {
                let least = numbers[vertex.index()] + 1;
                numbers[target as usize] = numbers[target as usize].max(least);
            }
        }
        Some(Numbering(numbers))
    }

    /// The same graph as a library has it, in which vertices have the same numbers.
    pub(super) fn in_petgraph(&self) -> DiGraph<(), ()> {
        let mut graph = DiGraph::with_capacity(self.vertices(), self.targets.len());
        for _ in 0..self.vertices() {
            graph.add_node(());
        }
        for from in 0..self.vertices() {
            graph.extend_with_edges(self.row(from).iter().map(|&to| (from as u32, to)));
        }
        graph
    }

    /// Checks a numbering edge by edge; the error is an edge along which it does not grow, or the
    /// first VC twice if it does not number every VC.
    pub fn check(&self, numbering: &Numbering) -> Result<(), (VcId, VcId)> {
        if numbering.0.len() != self.vertices() {
            return Err((VcId(0), VcId(0)));
        }
        for vertex in 0..self.vertices() {
            let from = VcId::new(vertex);
            for to in self.successors(from) {
                if numbering.0[from.index()] >= numbering.0[to.index()] {
                    return Err((from, to));
                }
            }
        }
        Ok(())
    }
}
