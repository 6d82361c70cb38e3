//! Weights: messages by source and destination, from a matrix or a list of pairs.
//!
//! The weights of a source are the shares of its destinations, and their sum is its rate, relative
//! to the mean over all sources with weights.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::ids::NodeId;
use crate::random::{Stream, mix};
use crate::text::count;

/// Maximum number of pairs with a weight (64 MiB of shares).
pub const WEIGHTS_MAX: usize = 1 << 22;

/// The messages from one node to another, relative to those of other pairs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weight {
    pub source: NodeId,
    pub destination: NodeId,
    /// Above 0.
    pub weight: f64,
}

/// The form of a scenario's weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A table, also of other programs.
    Matrix,
    /// A list of sources and destinations.
    Pairs,
    /// The flits of a script.
    Script,
}

/// Weights of pairs of nodes, by source and destination. Clones share the pairs.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    form: Form,
    pairs: Arc<[Weight]>,
}

/// Distinguishes weights without listing them: `Matrix("12 pairs, checksum 1a2b3c4d")`.
impl Serialize for Weights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (name, index) = match self.form {
            Form::Matrix => ("Matrix", 0),
            Form::Pairs => ("Pairs", 1),
            Form::Script => ("Script", 2),
        };
        let words = |pair: &Weight| {
            [pair.source.0.into(), pair.destination.0.into(), pair.weight.to_bits()]
        };
        let sum = self.pairs.iter().flat_map(words).fold(0, mix) as u32;
        let pairs = count(self.pairs.len(), "pair", "pairs");
        let text = format!("{pairs}, checksum {sum:08x}");
        serializer.serialize_newtype_variant("Weights", index, name, &text)
    }
}

impl Weights {
    /// Weights of different pairs of nodes, in any order.
    pub fn new(form: Form, mut pairs: Vec<Weight>) -> Self {
        pairs.sort_by_key(|pair| (pair.source, pair.destination));
        debug_assert!(pairs.iter().all(|pair| pair.weight > 0.0));
        Self { form, pairs: pairs.into() }
    }

    /// The pairs, ordered by source and destination.
    pub fn pairs(&self) -> &[Weight] {
        &self.pairs
    }

    /// The sum of the weights of each of `nodes` nodes.
    pub fn sums(&self, nodes: usize) -> Vec<f64> {
        let mut sums = vec![0.0; nodes];
        for pair in &*self.pairs {
            sums[pair.source.index()] += pair.weight;
        }
        sums
    }

    /// The mean sum of a source's weights in a matrix.
    pub(super) fn rate_mean(&self) -> Option<f64> {
        let sources = self.sources();
        let sum: f64 = self.pairs.iter().map(|pair| pair.weight).sum();
        (self.form == Form::Matrix && sources > 0).then(|| sum / sources as f64)
    }

    /// The number of nodes with weights.
    pub(in crate::traffic) fn sources(&self) -> usize {
        self.pairs.chunk_by(|one, other| one.source == other.source).count()
    }

    /// Display name: `3 pairs`.
    pub(super) fn name(&self) -> String {
        let pairs = count(self.pairs.len(), "pair", "pairs");
        match self.form {
            Form::Matrix => format!("matrix of {pairs}"),
            Form::Pairs => pairs,
            Form::Script => format!("given, {pairs}"),
        }
    }
}

/// Draws destinations by weight.
#[derive(Debug)]
pub(super) struct ByWeight {
    /// The first pair of each node, and the number of pairs at the end.
    first: Vec<u32>,
    destinations: Vec<NodeId>,
    shares: Vec<f64>,
    /// Draws below this value, out of 2⁶⁴, select this destination of the node or an earlier one.
    ends: Vec<u64>,
}

impl ByWeight {
    pub(super) fn new(weights: &Weights, nodes: usize) -> Self {
        let mut first = vec![0; nodes + 1];
        for pair in &*weights.pairs {
            first[pair.source.index() + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let sums = weights.sums(nodes);
        let share = |pair: &Weight| pair.weight / sums[pair.source.index()];
        let shares: Vec<f64> = weights.pairs.iter().map(share).collect();
        let mut ends = Vec::with_capacity(shares.len());
        for pairs in first.windows(2) {
            let mut sum = 0.0;
            for share in &shares[pairs[0] as usize..pairs[1] as usize] {
                sum += share;
                ends.push(super::share_of_draws(100.0 * sum));
            }
        }
        let destinations = weights.pairs.iter().map(|pair| pair.destination).collect();
        Self { first, destinations, shares, ends }
    }

    fn range(&self, source: NodeId) -> std::ops::Range<usize> {
        self.first[source.index()] as usize..self.first[source.index() + 1] as usize
    }

    pub(super) fn draw(&self, source: NodeId, stream: &mut Stream) -> NodeId {
        let range = self.range(source);
        let ends = &self.ends[range.clone()];
        // The last end may be rounded down.
        let draw = stream.bits();
        let at = ends.partition_point(|&end| end <= draw).min(ends.len() - 1);
        self.destinations[range.start + at]
    }

    /// The destinations of a source, each with its share of the messages.
    pub(super) fn shares(&self, source: NodeId) -> impl Iterator<Item = (NodeId, f64)> {
        self.range(source).map(|at| (self.destinations[at], self.shares[at]))
    }
}

#[cfg(test)]
mod tests;
