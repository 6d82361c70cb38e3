//! Cycles of a dependency graph: the strongly connected components that hold them, and the shortest
//! one.

use std::collections::VecDeque;

use super::graph::Graph;
use crate::ids::VcId;

const NONE: u32 = u32::MAX;

impl Graph {
    /// For each VC the number of the strongly connected component that it belongs to, if that holds
    /// a cycle. The worms of a deadlock hold and want VCs of one such component (and, outside the
    /// cycle itself, VCs that lead to it).
    pub fn cyclic_components(&self) -> Vec<Option<u32>> {
        let mut search = Components {
            order: vec![NONE; self.vertices()],
            low: vec![0; self.vertices()],
            open: Vec::new(),
            is_open: vec![false; self.vertices()],
            component: vec![None; self.vertices()],
            visited: 0,
            closed: 0,
        };
        for vertex in 0..self.vertices() {
            if search.order[vertex] == NONE {
                search.run(self, vertex);
            }
        }
        search.component
    }

    /// A shortest cycle; empty if there is none.
    pub(super) fn shortest_cycle(&self) -> Vec<VcId> {
        let components = self.cyclic_components();
        let mut best: Vec<usize> = Vec::new();
        let mut came_from = vec![NONE; self.vertices()];
        let mut queue = VecDeque::new();
        let mut touched = Vec::new();
        for start in (0..self.vertices()).filter(|&vertex| components[vertex].is_some()) {
            // Breadth first, no deeper than a cycle shorter than the best needs.
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

/// Tarjan's search for strongly connected components, without recursion.
struct Components {
    order: Vec<u32>,
    low: Vec<u32>,
    open: Vec<usize>,
    is_open: Vec<bool>,
    component: Vec<Option<u32>>,
    visited: u32,
    /// Components with a cycle found so far.
    closed: u32,
}

impl Components {
    fn run(&mut self, graph: &Graph, start: usize) {
        let mut path = vec![(start, 0)];
        self.enter(start);
        while let Some((vertex, next)) = path.pop() {
            if let Some(&target) = graph.row(vertex).get(next) {
                path.push((vertex, next + 1));
                let target = target as usize;
                if self.order[target] == NONE {
                    self.enter(target);
                    path.push((target, 0));
                } else if self.is_open[target] {
                    self.low[vertex] = self.low[vertex].min(self.order[target]);
                }
                continue;
            }
            if let Some(&(before, _)) = path.last() {
                self.low[before] = self.low[before].min(self.low[vertex]);
            }
            if self.low[vertex] == self.order[vertex] {
                self.close(graph, vertex);
            }
        }
    }

    fn enter(&mut self, vertex: usize) {
        self.order[vertex] = self.visited;
        self.low[vertex] = self.visited;
        self.visited += 1;
        self.open.push(vertex);
        self.is_open[vertex] = true;
    }

    /// Takes the component whose first vertex is `root` off the open ones.
    fn close(&mut self, graph: &Graph, root: usize) {
        let first = self.open.iter().rposition(|&vertex| vertex == root).unwrap_or(0);
        let alone = first + 1 == self.open.len() && !graph.row(root).contains(&(root as u32));
        for vertex in self.open.drain(first..) {
            self.is_open[vertex] = false;
            self.component[vertex] = (!alone).then_some(self.closed);
        }
        self.closed += u32::from(!alone);
    }
}
