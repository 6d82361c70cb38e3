//! Observations in the order of delivery; copies share what is full.
//!
//! While warming up a run keeps every message. Copies of the statistics are made often (a run that
//! can be wound back keeps many), so the messages stand in blocks that are never written again once
//! they are full, and a copy only counts them as its own.

use std::collections::VecDeque;
use std::sync::Arc;

use educe::Educe;
use get_size2::{GetSize, GetSizeTracker};

use super::Observation;

const BLOCK: usize = 256;

/// A list that grows at its end and is cut at its front.
#[derive(PartialEq, Debug, Default, Educe)]
#[educe(Clone)]
pub(super) struct Log {
    /// Full blocks, shared with copies.
    full: VecDeque<Arc<Vec<Observation>>>,
    tail: Vec<Observation>,
    /// Observations of the first block that were cut off.
    cut: usize,
}

impl Log {
    pub(super) fn len(&self) -> usize {
        self.full.len() * BLOCK + self.tail.len() - self.cut
    }

    #[inline]
    pub(super) fn push(&mut self, observation: Observation) {
        if self.tail.capacity() < BLOCK {
            self.tail.reserve_exact(BLOCK - self.tail.len());
        }
        self.tail.push(observation);
        if self.tail.len() == BLOCK {
            self.full.push_back(Arc::new(std::mem::take(&mut self.tail)));
        }
    }

    /// The one at `index`, which must be there.
    pub(super) fn at(&self, index: usize) -> &Observation {
        let index = index + self.cut;
        match self.full.get(index / BLOCK) {
            Some(block) => &block[index % BLOCK],
            None => &self.tail[index - self.full.len() * BLOCK],
        }
    }

    pub(super) fn from(&self, first: usize) -> impl Iterator<Item = &Observation> {
        let first = first + self.cut;
        let blocks = self.full.iter().map(|block| &block[..]).chain([&self.tail[..]]);
        blocks.skip(first / BLOCK).flatten().skip(first % BLOCK)
    }

    pub(super) fn cut_front(&mut self, count: usize) {
        self.cut += count.min(self.len());
        while self.cut >= BLOCK && !self.full.is_empty() {
            self.full.pop_front();
            self.cut -= BLOCK;
        }
        if self.full.is_empty() {
            self.tail.drain(..self.cut);
            self.cut = 0;
        }
    }

    /// Bytes of the blocks that `other` holds as well. Blocks of one run are shared in one stretch.
    pub(super) fn shared_bytes(&self, other: &Self) -> usize {
        let Some(first) = self.full.front() else { return 0 };
        let same = |a: &Arc<_>, b: &Arc<_>| Arc::ptr_eq(a, b);
        let Some(at) = other.full.iter().position(|block| same(block, first)) else { return 0 };
        let shared =
            self.full.iter().zip(other.full.iter().skip(at)).take_while(|(a, b)| same(a, b));
        shared.count() * Self::block_bytes()
    }

    /// A block with its counters and its list's header.
    fn block_bytes() -> usize {
        BLOCK * size_of::<Observation>() + 2 * size_of::<usize>() + size_of::<Vec<Observation>>()
    }
}

impl GetSize for Log {
    /// Shared blocks included.
    fn get_heap_size_with_tracker<T: GetSizeTracker>(&self, tracker: T) -> (usize, T) {
        let blocks = self.full.len() * Self::block_bytes();
        let pointers = self.full.capacity() * size_of::<Arc<Vec<Observation>>>();
        (blocks + pointers + self.tail.capacity() * size_of::<Observation>(), tracker)
    }
}

#[cfg(test)]
mod tests;
