//! Detects the end of the warm-up: MSER-5 on the latencies of the first messages.
//!
//! **Statistic** (White 1997, "An effective truncation heuristic for bias reduction in simulation
//! output", *Simulation* 69(6), 323–334; in batches of five: White, Cobb & Spratt 2000). Of n batch
//! means Z₁ … Zₙ, each of five consecutive latencies, leave out the first d that minimise Σ (Zᵢ −
//! Z̄)² / (n − d)², sum and mean over i > d. The last five d are not considered: the statistic of a
//! handful of values is small by chance (Hoad, Robinson & Davies 2010).
//!
//! **Decision on line.** The first messages are kept one by one, in the order of delivery. At 8
//! messages per node (between 1 000 and 16 384), and whenever the number has grown by half, d is
//! computed and accepted under two conditions:
//! - d ≤ n/4. A minimum in the second half means too few data (White 1997, as applied by Hoad et
//!   al.). With the limit n/2, an exponential transient that falls by e in a quarter of the
//!   messages left up to a tenth of bias in the mean; n/4 leaves one or two per cent;
//! - the messages after d were delivered over at least five times their mean latency. In a large
//!   network, this many messages can be delivered within a few cycles, too few for the network to
//!   settle.
//!
//! At 64 messages per node (between 32 768 and 262 144 kept) the first half is dropped, and the
//! search continues in the rest (at worst, steady messages are dropped, which costs only time).
//! After four times as many messages, the search is given up: the second half of the kept messages
//! counts, and the run is marked not stationary.
//!
//! **Order of delivery.** Counting includes every message delivered after a point, regardless of
//! its cycle of generation. A count by cycle of generation would miss the slow messages still under
//! way at the end.

use std::collections::VecDeque;
use std::sync::Arc;

use educe::Educe;
use get_size2::{GetSize, GetSizeTracker};

use super::Observation;
use crate::random::mix;
use crate::words::{Kind, words};

words! {
    /// The method of excluding the warm-up.
    #[derive(Eq)]
    pub enum WarmUp {
        /// Found from the data (MSER-5).
        Automatic,
        /// Messages generated before this cycle are excluded.
        Cycles(u64 = "Cycles(10000)", Kind::Whole { called: "the warm-up", limits: (0, u64::MAX / 2) }),
    }
}

#[expect(clippy::derivable_impls, reason = "`words!` does not accept attributes of variants")]
impl Default for WarmUp {
    fn default() -> Self {
        Self::Automatic
    }
}

/// Latencies per batch mean, the 5 of MSER-5.
const BATCH: usize = 5;

/// Number of last truncation points not considered.
const TAIL: usize = 5;

/// Number of equal parts of the kept messages, the first of which must contain the truncation.
const ACCEPTED_PARTS: usize = 4;

/// Minimum time for the delivery of the messages after the truncation, in mean latencies.
const SPAN_LATENCIES: f64 = 5.0;

/// Number of messages, in multiples of the capacity, after which the search is given up.
const PATIENCE: u64 = 4;

/// Leading batches of five `latencies` to leave out, by MSER-5; `None` for fewer than six batches.
/// A last batch of fewer than five is ignored.
pub(super) fn truncation(latencies: impl ExactSizeIterator<Item = u64>) -> Option<usize> {
    let count = latencies.len() / BATCH;
    if count <= TAIL {
        return None;
    }
    let mut means = vec![0.0; count];
    for (n, latency) in latencies.take(count * BATCH).enumerate() {
        means[n / BATCH] += latency as f64;
    }
    // Deviations from the overall mean keep the digits of the squares.
    let mean = means.iter().sum::<f64>() / count as f64;
    let (mut sum, mut squares) = (0.0, 0.0);
    let (mut best, mut least) = (0, f64::INFINITY);
    for (left_out, batch) in means.iter().enumerate().rev() {
        let deviation = batch - mean;
        sum += deviation;
        squares += deviation * deviation;
        let kept = (count - left_out) as f64;
        let statistic = (squares - sum * sum / kept).max(0.0) / (kept * kept);
        if count - left_out >= TAIL && statistic <= least {
            (best, least) = (left_out, statistic);
        }
    }
    Some(best)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Settled {
    /// Number of kept messages that belong to the warm-up.
    pub(super) left_out: usize,
    /// True if MSER-5 found the end of the warm-up (not: the search was given up).
    pub(super) stationary: bool,
}

#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Search {
    /// Observations in the order of delivery.
    pub(super) kept: Log,
    /// Cycle after which the kept messages were delivered.
    after: u64,
    next_test: usize,
    capacity: usize,
    /// Messages recorded, including dropped ones.
    seen: u64,
}

impl Search {
    /// A search from cycle `from` in a network of `nodes` terminals.
    pub(super) fn new(nodes: usize, from: u64) -> Self {
        let next_test = nodes.saturating_mul(8).clamp(1_000, 1 << 14);
        let capacity = nodes.saturating_mul(64).clamp(1 << 15, 1 << 18);
        Self { kept: Log::default(), after: from, next_test, capacity, seen: 0 }
    }

    /// The cycle after which the messages from `left_out` on were delivered.
    pub(super) fn settled_after(&self, left_out: usize) -> u64 {
        left_out.checked_sub(1).map_or(self.after, |last| self.kept.at(last).done)
    }

    /// Records the next delivery; returns `Some` once the warm-up has ended.
    #[inline]
    pub(super) fn record(&mut self, observation: Observation) -> Option<Settled> {
        self.kept.push(observation);
        self.seen += 1;
        if self.kept.len() < self.next_test { None } else { self.test() }
    }

    fn test(&mut self) -> Option<Settled> {
        let latencies: Vec<u64> = self.kept.from(0).map(Observation::latency).collect();
        let batches = truncation(latencies.into_iter());
        if let Some(left_out) = batches.map(|batches| batches * BATCH)
            && left_out <= self.kept.len() / ACCEPTED_PARTS
            && self.spans_enough(left_out)
        {
            return Some(Settled { left_out, stationary: true });
        }
        let half = self.kept.len() / 2;
        if self.seen >= PATIENCE * self.capacity as u64 {
            return Some(Settled { left_out: half, stationary: false });
        }
        if self.kept.len() >= self.capacity {
            self.after = self.settled_after(half);
            self.kept.cut_front(half);
        }
        self.next_test = (self.kept.len() * 3 / 2).min(self.capacity);
        None
    }

    /// True if the messages after the first `left_out` took long enough to be delivered.
    fn spans_enough(&self, left_out: usize) -> bool {
        let counted = self.kept.len() - left_out;
        if counted == 0 {
            return false;
        }
        let last = self.kept.at(self.kept.len() - 1);
        let sum: u64 = self.kept.from(left_out).map(Observation::latency).sum();
        let span = last.done.saturating_sub(self.settled_after(left_out));
        span as f64 >= SPAN_LATENCIES * sum as f64 / counted as f64
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let limits = mix(mix(self.after, self.next_test as u64), self.capacity as u64);
        self.kept.from(0).fold(mix(limits, self.seen), |hash, observation| {
            let Observation { born, done, network_latency, transfer, hops, length, .. } =
                *observation;
            [born, done, network_latency, transfer, u64::from(hops), u64::from(length)]
                .into_iter()
                .fold(hash, mix)
        })
    }
}

const BLOCK: usize = 256;

/// Observations in the order of delivery: a list that grows at its end and is cut at its front.
///
/// Copies of the statistics are frequent (a rewindable run keeps many), so full blocks are
/// immutable and shared between copies. Each copy counts shared blocks as its own.
#[derive(PartialEq, Debug, Default, Educe)]
#[educe(Clone)]
pub(super) struct Log {
    /// Full blocks, shared with copies.
    full: VecDeque<Arc<Vec<Observation>>>,
    tail: Vec<Observation>,
    /// Number of observations cut off from the first block.
    cut: usize,
}

impl Log {
    fn len(&self) -> usize {
        self.full.len() * BLOCK + self.tail.len() - self.cut
    }

    #[inline]
    fn push(&mut self, observation: Observation) {
        if self.tail.capacity() < BLOCK {
            self.tail.reserve_exact(BLOCK - self.tail.len());
        }
        self.tail.push(observation);
        if self.tail.len() == BLOCK {
            self.full.push_back(Arc::new(std::mem::take(&mut self.tail)));
        }
    }

    /// Returns the observation at `index`, which must exist.
    fn at(&self, index: usize) -> &Observation {
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

    fn cut_front(&mut self, count: usize) {
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

    /// Bytes of the blocks shared with `other`. Shared blocks of one run are contiguous.
    pub(super) fn shared_bytes(&self, other: &Self) -> usize {
        let Some(first) = self.full.front() else { return 0 };
        let same = |a: &Arc<_>, b: &Arc<_>| Arc::ptr_eq(a, b);
        let Some(at) = other.full.iter().position(|block| same(block, first)) else { return 0 };
        let shared =
            self.full.iter().zip(other.full.iter().skip(at)).take_while(|(a, b)| same(a, b));
        shared.count() * Self::block_bytes()
    }

    /// Size of a block with its counters and its list's header.
    fn block_bytes() -> usize {
        BLOCK * size_of::<Observation>() + 2 * size_of::<usize>() + size_of::<Vec<Observation>>()
    }
}

impl GetSize for Log {
    /// Includes shared blocks.
    fn get_heap_size_with_tracker<T: GetSizeTracker>(&self, tracker: T) -> (usize, T) {
        let blocks = self.full.len() * Self::block_bytes();
        let pointers = self.full.capacity() * size_of::<Arc<Vec<Observation>>>();
        (blocks + pointers + self.tail.capacity() * size_of::<Observation>(), tracker)
    }
}

#[cfg(test)]
mod tests;
