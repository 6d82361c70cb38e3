//! A histogram of latencies as plain data for the screen.

use crate::stats::Histogram;

/// Latencies below this limit have bins of one cycle.
const EXACT_BELOW: u64 = 256;
/// Bins per doubling above the limit.
const BINS_PER_OCTAVE: u64 = 128;

/// Messages with latencies from `low` to below `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bin {
    /// Cycles.
    pub low: u64,
    /// Cycles, exclusive.
    pub high: u64,
    /// Messages, at least 1.
    pub count: u64,
}

/// Latencies in bins less than one per cent wide.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Latencies {
    /// The non-empty bins, shortest latency first.
    pub bins: Vec<Bin>,
    /// The least latency.
    pub min: u64,
    /// The greatest latency.
    pub max: u64,
    /// Number of messages.
    pub count: u64,
}

impl Latencies {
    /// Copies the contents of `histogram`, reusing storage.
    pub fn read(&mut self, histogram: &Histogram) {
        self.bins.clear();
        self.count = histogram.count();
        self.min = histogram.min();
        self.max = histogram.max();
        if self.count == 0 {
            return;
        }
        let mut low = self.min;
        while low <= self.max {
            let high = bin_end(low);
            let count = histogram.count_between(low, high);
            if count > 0 {
                self.bins.push(Bin { low, high, count });
            }
            low = high;
        }
    }

    /// Approximate number of messages from `low` to below `high`; bins that straddle an end are
    /// divided proportionally.
    pub fn between(&self, low: f64, high: f64) -> f64 {
        let first = self.bins.partition_point(|bin| bin.high as f64 <= low);
        self.bins[first..]
            .iter()
            .take_while(|bin| (bin.low as f64) < high)
            .map(|bin| {
                let (from, to) = (bin.low as f64, bin.high as f64);
                bin.count as f64 * ((to.min(high) - from.max(low)) / (to - from)).clamp(0.0, 1.0)
            })
            .sum()
    }
}

fn bin_end(low: u64) -> u64 {
    if low < EXACT_BELOW {
        return low + 1;
    }
    let octave = 1u64 << low.ilog2();
    let width = (octave / BINS_PER_OCTAVE).max(1);
    low / width * width + width
}

#[cfg(test)]
mod tests;
