//! A graph that stays without cycles while edges are added and removed.
//!
//! All edges lead to higher positions of an order, which an edge against it changes locally (Pearce and
//! Kelly, *A dynamic topological sort algorithm for directed acyclic graphs*, 2006).

use std::collections::HashMap;

/// An edge between two vertices.
pub(super) type Edge = (u32, u32);

/// A graph without cycles, with an order of its vertices.
#[derive(Clone, Debug)]
pub(super) struct Acyclic {
    /// The place of each vertex in the order.
    places: Vec<u32>,
    after: Vec<Vec<u32>>,
    before: Vec<Vec<u32>>,
    /// The number of times each edge was added.
    counts: HashMap<Edge, u32>,
    seen: Vec<bool>,
}

impl Acyclic {
    /// A graph without edges.
    pub fn new(vertices: usize) -> Self {
        Self {
            places: (0..vertices as u32).collect(),
            after: vec![Vec::new(); vertices],
            before: vec![Vec::new(); vertices],
            counts: HashMap::new(),
            seen: vec![false; vertices],
        }
    }

    /// True if the order permits the edge.
    pub fn allows(&self, (from, to): Edge) -> bool {
        self.places[from as usize] < self.places[to as usize]
    }

    /// Adds an edge; false, and nothing changes, if it would close a cycle.
    pub fn add(&mut self, edge: Edge) -> bool {
        if let Some(count) = self.counts.get_mut(&edge) {
            *count += 1;
            return true;
        }
        let (from, to) = edge;
        if from == to || (!self.allows(edge) && !self.reorder(edge)) {
            return false;
        }
        self.counts.insert(edge, 1);
        self.after[from as usize].push(to);
        self.before[to as usize].push(from);
        true
    }

    /// Adds all edges, or none if they would close a cycle.
    pub fn add_all(&mut self, edges: &[Edge]) -> bool {
        let added = edges.iter().take_while(|&&edge| self.add(edge)).count();
        if added < edges.len() {
            self.remove_all(&edges[..added]);
        }
        added == edges.len()
    }

    /// Removes edges that were added, each once.
    pub fn remove_all(&mut self, edges: &[Edge]) {
        for &(from, to) in edges {
            let Some(count) = self.counts.get_mut(&(from, to)) else { continue };
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&(from, to));
                self.after[from as usize].retain(|&other| other != to);
                self.before[to as usize].retain(|&other| other != from);
            }
        }
    }

    /// Changes the order so that `from` precedes `to`; false if a path leads back.
    fn reorder(&mut self, (from, to): Edge) -> bool {
        let [low, high] = [self.places[to as usize], self.places[from as usize]];
        let ahead =
            Self::reached(&self.after, to, &mut self.seen, |it| self.places[it as usize] <= high);
        let closes = self.seen[from as usize];
        for &vertex in &ahead {
            self.seen[vertex as usize] = false;
        }
        if closes {
            return false;
        }
        let behind =
            Self::reached(&self.before, from, &mut self.seen, |it| self.places[it as usize] >= low);
        for &vertex in &behind {
            self.seen[vertex as usize] = false;
        }
        let by_place = |mut part: Vec<u32>| {
            part.sort_unstable_by_key(|&vertex| self.places[vertex as usize]);
            part
        };
        let vertices: Vec<u32> = [by_place(behind), by_place(ahead)].concat();
        let mut places: Vec<u32> = vertices.iter().map(|&it| self.places[it as usize]).collect();
        places.sort_unstable();
        for (vertex, place) in vertices.into_iter().zip(places) {
            self.places[vertex as usize] = place;
        }
        true
    }

    /// The vertices that are reached from one over vertices within the limits, all marked as seen.
    fn reached(
        edges: &[Vec<u32>],
        first: u32,
        seen: &mut [bool],
        within: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let mut found = vec![first];
        seen[first as usize] = true;
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            next += 1;
            for &to in &edges[at as usize] {
                if !seen[to as usize] && within(to) {
                    seen[to as usize] = true;
                    found.push(to);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use petgraph::algo::is_cyclic_directed;
    use petgraph::graph::DiGraph;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_edge_is_refused_exactly_if_it_closes_a_cycle(
            changes in prop::collection::vec((any::<bool>(), 0..9_u32, 0..9_u32), 0..80),
        ) {
            let mut graph = Acyclic::new(9);
            let mut edges: Vec<Edge> = Vec::new();
            for (adds, from, to) in changes {
                if adds {
                    let more = edges.iter().copied().chain([(from, to)]);
                    let closes = is_cyclic_directed(&DiGraph::<(), ()>::from_edges(more));
                    prop_assert_eq!(graph.add((from, to)), !closes);
                    if !closes {
                        edges.push((from, to));
                    }
                } else if let Some(at) = edges.iter().position(|&it| it == (from, to)) {
                    edges.swap_remove(at);
                    graph.remove_all(&[(from, to)]);
                }
                prop_assert!(edges.iter().all(|&edge| graph.allows(edge)));
            }
        }
    }
}
