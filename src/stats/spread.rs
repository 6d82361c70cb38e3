//! How far the figures beside the mean latency may be off, from one run: parts of the latency,
//! accepted load, 99th percentile.
//!
//! The parts are means over messages, the accepted load is one over bins of [`BIN`] cycles: their
//! intervals are those of batch means, as the latency's. For the percentile the run is cut into
//! sections of equally many messages. From section to section the share of messages slower than a
//! limit near the percentile varies; that gives the interval of the share at the percentile, and the
//! histogram turns its ends into latencies (Heidelberger & Lewis 1984).
//!
//! Nothing here is hashed: it is a function of what the tally hashes and of its order.

use educe::Educe;
use get_size2::GetSize;

use super::batches::{Batches, Collected};
use super::interval::half_width_in_time;
use super::{Histogram, Observation};

/// Cycles per bin of accepted load.
const BIN: u64 = 1024;
/// The share of messages above the percentile.
const ABOVE: f64 = 0.01;
/// The shares above a limit that is near enough to the percentile to stand for it.
const NEAR: std::ops::RangeInclusive<f64> = ABOVE / 10.0..=ABOVE * 10.0;
/// Limits per doubling of the latency: 2 to this power.
const FINE: u32 = 2;

/// Half the widths of 95 % intervals, each in the unit of its figure. None is given where the mean
/// latency has none.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct HalfWidths {
    /// Of the 99th percentile, the wider side.
    pub latency_p99: Option<f64>,
    /// Of the accepted load.
    pub accepted: Option<f64>,
    /// Of the mean wait at the source.
    pub source_wait: Option<f64>,
    /// Of the mean blocking.
    pub blocking: Option<f64>,
    /// Of the mean transfer.
    pub transfer: Option<f64>,
}

/// What the half widths are made from.
#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Spread {
    source_wait: Batches,
    blocking: Batches,
    transfer: Batches,
    flits: Batches,
    /// Where the present bin ends.
    bin_end: u64,
    /// Flits delivered in it so far.
    in_bin: u64,
    tail: Batches<Section>,
}

impl Spread {
    /// Nothing yet, from cycle `since` on; the first batches have this many messages.
    pub(super) fn new(batch: u64, since: u64) -> Self {
        Self {
            source_wait: Batches::new(batch),
            blocking: Batches::new(batch),
            transfer: Batches::new(batch),
            flits: Batches::new(1),
            bin_end: since + BIN,
            in_bin: 0,
            tail: Batches::new(batch),
        }
    }

    #[inline]
    pub(super) fn record_load(&mut self, observation: &Observation) {
        while observation.done > self.bin_end {
            self.flits.record(std::mem::take(&mut self.in_bin));
            self.bin_end += BIN;
        }
        self.in_bin += u64::from(observation.length);
    }

    /// Takes a delivery whose latency counts.
    #[inline]
    pub(super) fn record(&mut self, observation: &Observation) {
        let (latency, network) = (observation.latency(), observation.network_latency);
        self.source_wait.record(latency.saturating_sub(network));
        self.blocking.record(network.saturating_sub(observation.transfer));
        self.transfer.record(observation.transfer);
        record_slow(&mut self.tail, latency);
    }

    /// The half widths, of latencies with this histogram and mean in a network of `nodes`, where so
    /// many messages count in a stretch as long as the mean.
    pub(super) fn half_widths(
        &self,
        nodes: usize,
        latencies: &Histogram,
        mean: f64,
        per_latency: f64,
    ) -> HalfWidths {
        let per_node = |flits: f64| flits / (BIN as f64 * nodes as f64);
        HalfWidths {
            latency_p99: half_width(&self.tail, latencies),
            accepted: self.flits.half_width(mean / BIN as f64).map(per_node),
            source_wait: self.source_wait.half_width(per_latency),
            blocking: self.blocking.half_width(per_latency),
            transfer: self.transfer.half_width(per_latency),
        }
    }
}

/// A coarse histogram of a section of a run: messages between limits.
type Section = Vec<u32>;

impl Collected for Section {
    const BATCHES_MAX: usize = 32;

    fn join(&mut self, next: Self) {
        self.resize(self.len().max(next.len()), 0);
        self.iter_mut().zip(next).for_each(|(sum, more)| *sum = sum.saturating_add(more));
        // Checkpoints hold these many times.
        self.shrink_to_fit();
    }
}

/// Between which limits a latency lies.
fn bucket(latency: u64) -> usize {
    let latency = latency.max(1 << FINE);
    let doublings = latency.ilog2() - FINE;
    ((u64::from(doublings) << FINE) + (latency >> doublings) - (1 << FINE)) as usize
}

#[inline]
fn record_slow(tail: &mut Batches<Section>, latency: u64) {
    let bucket = bucket(latency);
    if bucket >= tail.partial.len() {
        tail.partial.resize(bucket + 1, 0);
    }
    tail.partial[bucket] = tail.partial[bucket].saturating_add(1);
    tail.count();
}

/// Half the width of the 99th percentile's interval; `None` of too few sections, where no limit is
/// near it, or where the interval reaches beyond the slowest message.
fn half_width(tail: &Batches<Section>, latencies: &Histogram) -> Option<f64> {
    let (limit, share) = limit(tail)?;
    let slower = |section: &Section| {
        let above: u64 = section.iter().skip(limit).map(|&count| u64::from(count)).sum();
        above as f64 / tail.size as f64
    };
    let shares: Vec<f64> = tail.whole.iter().map(slower).collect();
    // The deviation of a share p goes with the root of p (1 − p).
    let scale = (ABOVE * (1.0 - ABOVE) / (share * (1.0 - share))).sqrt();
    let half = scale * half_width_in_time(&shares, 1)?;
    if half >= ABOVE {
        return None;
    }
    let [low, middle, high] =
        [1.0 - ABOVE - half, 1.0 - ABOVE, 1.0 - ABOVE + half].map(|q| latencies.quantile(q));
    Some((high - middle).max(middle - low) as f64)
}

/// The limit nearest to the percentile, and the share of messages slower than it.
fn limit(tail: &Batches<Section>) -> Option<(usize, f64)> {
    let mut counts = vec![0u64; tail.whole.iter().map(Vec::len).max()?];
    for section in &tail.whole {
        counts.iter_mut().zip(section).for_each(|(sum, &count)| *sum += u64::from(count));
    }
    let all = (tail.size * tail.whole.len() as u64) as f64;
    let far = |share: f64| libm::fabs(libm::log(share / ABOVE));
    let mut above = 0;
    (0..counts.len())
        .rev()
        .map(|limit| {
            above += counts[limit];
            (limit, above as f64 / all)
        })
        .filter(|(_, share)| NEAR.contains(share))
        .min_by(|one, two| far(one.1).total_cmp(&far(two.1)))
}

#[cfg(test)]
mod tests;
