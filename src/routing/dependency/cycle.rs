//! Cycles of a dependency graph: the strongly connected components that hold them, and the shortest
//! one.

use std::collections::VecDeque;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;

use super::graph::Graph;
use crate::ids::VcId;

const NONE: u32 = u32::MAX;

impl Graph {
    /// For each VC the number of the strongly connected component that it belongs to, if that holds
    /// a cycle. The worms of a deadlock hold and want VCs of one such component (and, outside the
    /// cycle itself, VCs that lead to it).
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
