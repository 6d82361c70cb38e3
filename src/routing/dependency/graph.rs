//! A dependency graph in rows, its numbering as a certificate, the check of the numbering, and
//! cycles.

use std::collections::VecDeque;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::ids::VcId;

const NONE: u32 = u32::MAX;

/// Observations of a walk besides the edges.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Seen {
    /// VCs of a channel offered anywhere.
    pub vcs: u32,
    /// True if some message was offered more than one VC.
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

    /// The graph with more edges.
    pub(super) fn with(&self, edges: Vec<(u32, u32)>) -> Self {
        let mut rows: Vec<Vec<u32>> =
            (0..self.vertices()).map(|vertex| self.row(vertex).to_vec()).collect();
        for (from, to) in edges {
            rows[from as usize].push(to);
        }
        for row in &mut rows {
            row.sort_unstable();
            row.dedup();
        }
        Self::new(rows.into_iter().map(Vec::into_iter), self.seen)
    }

    /// Merges vertices: `stands_for` returns the representative of each.
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

    /// The graph without edges from or to other vertices.
    pub(super) fn restricted(&self, kept: impl Fn(u32) -> bool + Copy) -> Self {
        let row = |vertex: usize| {
            let starts = kept(vertex as u32);
            self.row(vertex).iter().copied().filter(move |&target| starts && kept(target))
        };
        Self::new((0..self.vertices()).map(row), self.seen)
    }

    /// The graph without edges from a vertex to itself.
    pub(super) fn without_loops(&self) -> Self {
        let row = |vertex: usize| {
            self.row(vertex).iter().copied().filter(move |&target| target as usize != vertex)
        };
        Self::new((0..self.vertices()).map(row), self.seen)
    }

    /// The number of vertices: all VCs of the network, used or not.
    pub fn vertices(&self) -> usize {
        self.first.len() - 1
    }

    /// The number of edges.
    pub fn edges(&self) -> u64 {
        self.targets.len() as u64
    }

    /// VCs of a channel used by any message.
    pub fn virtual_channels_used(&self) -> u32 {
        self.seen.vcs.count_ones()
    }

    /// True if some message is offered more than one VC.
    pub fn alternatives(&self) -> bool {
        self.seen.alternatives
    }

    /// The VCs used by some message after `vc`: the ends of its edges, ascending.
    pub fn successors(&self, vc: VcId) -> impl ExactSizeIterator<Item = VcId> + '_ {
        self.row(vc.index()).iter().map(|&target| VcId(target))
    }

    /// The numbers of a vertex's successors.
    fn row(&self, vertex: usize) -> &[u32] {
        &self.targets[self.first[vertex]..self.first[vertex + 1]]
    }

    /// Numbers the VCs so that numbers increase along every edge, if there is no cycle: the length
    /// of the longest path to each VC.
    pub fn number(&self) -> Option<Numbering> {
        let vertices = self.vertices();
        let mut entering = vec![0u32; vertices];
        self.targets.iter().for_each(|&target| entering[target as usize] += 1);
        // The library's search would need four times the memory of the graph.
        let mut free: Vec<usize> = (0..vertices).filter(|&vertex| entering[vertex] == 0).collect();
        let (mut numbers, mut numbered) = (vec![0u32; vertices], 0);
        while let Some(vertex) = free.pop() {
            numbered += 1;
            for &target in self.row(vertex) {
                let target = target as usize;
                numbers[target] = numbers[target].max(numbers[vertex] + 1);
                entering[target] -= 1;
                if entering[target] == 0 {
                    free.push(target);
                }
            }
        }
        (numbered == vertices).then_some(Numbering(numbers))
    }

    /// Converts the graph to petgraph, with the same vertex numbers.
    fn in_petgraph(&self) -> DiGraph<(), ()> {
        let mut graph = DiGraph::with_capacity(self.vertices(), self.targets.len());
        for _ in 0..self.vertices() {
            graph.add_node(());
        }
        for from in 0..self.vertices() {
            graph.extend_with_edges(self.row(from).iter().map(|&to| (from as u32, to)));
        }
        graph
    }

    /// Checks a numbering edge by edge. The error is an edge without increase, or the first VC
    /// twice if some VC has no number.
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

    /// The strongly connected component of each VC, if the component contains a cycle. The worms of
    /// a deadlock occupy and request VCs of one component (and, outside the cycle itself, VCs that
    /// lead to the component).
    pub fn cyclic_components(&self) -> Vec<Option<u32>> {
        let graph = self.in_petgraph();
        let mut component = vec![None; self.vertices()];
        let cyclic = |members: &Vec<NodeIndex>| {
            members.len() > 1 || graph.contains_edge(members[0], members[0])
        };
        for (number, members) in kosaraju_scc(&graph).iter().filter(|it| cyclic(it)).enumerate() {
            for vc in members {
                component[vc.index()] = Some(number as u32);
            }
        }
        component
    }

    /// A shortest cycle; empty if there is none.
    pub(super) fn shortest_cycle(&self) -> Vec<VcId> {
        let components = self.cyclic_components();
        let mut best: Vec<usize> = Vec::new();
        let mut came_from = vec![NONE; self.vertices()];
        let mut queue = VecDeque::new();
        let mut touched = Vec::new();
        for start in (0..self.vertices()).filter(|&vertex| components[vertex].is_some()) {
            // Breadth-first, limited to cycles shorter than the best.
            for vertex in touched.drain(..) {
                came_from[vertex] = NONE;
            }
            queue.clear();
            queue.push_back((start, 1));
            'search: while let Some((vertex, length)) = queue.pop_front() {
                if !best.is_empty() && length >= best.len() {
                    break;
                }
                for &target in self.row(vertex) {
                    let target = target as usize;
                    if target == start {
                        let mut cycle = vec![vertex];
                        let mut at = vertex;
                        while at != start {
                            at = came_from[at] as usize;
                            cycle.push(at);
                        }
                        cycle.reverse();
                        best = cycle;
                        break 'search;
                    }
                    if came_from[target] == NONE && components[target] == components[start] {
                        came_from[target] = vertex as u32;
                        touched.push(target);
                        queue.push_back((target, length + 1));
                    }
                }
            }
        }
        best.into_iter().map(VcId::new).collect()
    }
}
