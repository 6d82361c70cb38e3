//! The trees of waits: who waits for whom.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::carrier::Carrier;
use super::scene::Scene;
use crate::engine::Wait;
use crate::ids::{MessageId, WormId};

/// The forest of waits, by the first choice of each carrier; indices refer to `carriers`.
pub struct Forest {
    pub carriers: Vec<Carrier>,
    /// The wait of each carrier: the first with a holder, else the last.
    pub wait: Vec<Option<Wait>>,
    /// The carrier that each carrier waits for.
    pub parent: Vec<Option<usize>>,
    /// The carriers waiting for each carrier.
    pub children: Vec<Vec<usize>>,
    /// Carriers that wait for nobody, with the number of carriers waiting behind, in descending
    /// order.
    pub roots: Vec<(usize, usize)>,
    /// The members of each circle.
    pub circles: Vec<Vec<usize>>,
}

impl Forest {
    pub fn new(app: &Scene<'_>) -> Self {
        let carriers: Vec<Carrier> = app.carriers().collect();
        let index: HashMap<WormId, usize> = carriers.iter().map(|it| it.id).zip(0..).collect();
        let (mut wait, mut parent) = (vec![None; carriers.len()], vec![None; carriers.len()]);
        for first in &app.snapshot().waits {
            if let Some(&at) = index.get(&first.worm).filter(|&&at| parent[at].is_none()) {
                wait[at] = Some(*first);
                parent[at] = first.holder.and_then(|id| index.get(&id).copied());
            }
        }
        let mut children = vec![vec![]; carriers.len()];
        for (at, &parent) in parent.iter().enumerate() {
            if let Some(parent) = parent {
                children[parent].push(at);
            }
        }
        // Counts the carriers waiting behind each, from the leaves down; the rest form circles.
        let mut missing: Vec<usize> = children.iter().map(Vec::len).collect();
        let mut sizes = vec![0; carriers.len()];
        let mut ready: Vec<usize> = (0..carriers.len()).filter(|&at| missing[at] == 0).collect();
        while let Some(at) = ready.pop() {
            if let Some(parent) = parent[at] {
                sizes[parent] += sizes[at] + 1;
                missing[parent] -= 1;
                ready.extend((missing[parent] == 0).then_some(parent));
            }
        }
        let mut circles = Vec::new();
        for mut at in 0..carriers.len() {
            let mut circle = Vec::new();
            while let Some(next) = parent[at].filter(|_| missing[at] > 0) {
                circle.push(at);
                (missing[at], at) = (0, next);
            }
            circles.extend(Some(circle).filter(|circle| !circle.is_empty()));
        }
        let root = |&at: &usize| sizes[at] > 0 && parent[at].is_none();
        let roots = (0..carriers.len()).filter(root).filter(|&at| !app.is_dead(carriers[at].id));
        let mut roots: Vec<(usize, usize)> = roots.map(|at| (at, sizes[at])).collect();
        roots.sort_by_key(|&(at, size)| (Reverse(size), at));
        Self { carriers, wait, parent, children, roots, circles }
    }

    /// Moves the tree that contains a message to the front.
    pub fn begin_with(&mut self, name: MessageId) {
        let Some(mut at) = self.carriers.iter().position(|it| it.name == name) else { return };
        // Circles have no root: the number of steps is bounded.
        for _ in 0..self.carriers.len() {
            at = self.parent[at].unwrap_or(at);
        }
        self.roots.sort_by_key(|&(root, _)| root != at);
    }

    /// A carrier and the carriers waiting behind.
    pub fn tree(&self, root: usize) -> Vec<usize> {
        let mut found = vec![root];
        let mut at = 0;
        while let Some(&next) = found.get(at) {
            found.extend(&self.children[next]);
            at += 1;
        }
        found
    }

    /// A carrier and the carriers that delay it; the members of a circle once.
    pub fn ahead(&self, at: usize) -> Vec<usize> {
        let mut found = vec![at];
        while let Some(next) = found.last().and_then(|&at| self.parent[at])
            && !found.contains(&next)
        {
            found.push(next);
        }
        found
    }
}
