//! Compares the latencies of the same messages in two runs.
//!
//! Earlier and later arrivals in the second run are counted; the mean difference has an interval.
//!
//! Two runs of the same messages have most of their randomness in common, so that the differences
//! message by message scatter far less than the two means, and a small effect shows after few
//! messages.
//!
//! Pairs are batched by the cycle of generation, in spans of equal length; at 256 batches,
//! neighbours are joined. The mean difference is the ratio of two sums over batches, with the
//! interval of a ratio estimator (Student, widened for correlated batches). All sums are integers
//! and independent of the order of the pairs: the state after any cycle is a function of the pairs
//! alone.

use educe::Educe;
use get_size2::GetSize;

use super::interval::{BATCHES_MAX, Estimate, half_width_in_time};

/// Cycles of a batch at first.
const SPAN_MIN: u64 = 64;

/// Pairs of messages generated within one span of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, GetSize)]
struct Span {
    pairs: u64,
    /// Sum of the differences, second less first, in cycles.
    difference: i64,
}

/// Sums over the latencies of messages delivered in two runs.
#[derive(PartialEq, Eq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct Paired {
    from: u64,
    /// Cycles of a span.
    length: u64,
    spans: Vec<Span>,
    /// Sums of the latencies in both runs, in cycles.
    latency: [u64; 2],
    earlier: u64,
    same: u64,
    later: u64,
}

/// Results for messages delivered in two runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairedSummary {
    /// Messages generated before this cycle are left out.
    pub from: u64,
    /// Messages delivered in both runs.
    pub both: u64,
    /// Messages that arrived earlier in the second run.
    pub earlier: u64,
    /// Messages that arrived at the same cycle.
    pub same: u64,
    /// Messages that arrived later in the second run.
    pub later: u64,
    /// Mean latency of the messages in each run, in cycles; `None` without messages.
    pub latency: Option<[f64; 2]>,
    /// Latency in the second run less latency in the first, in cycles; `None` without messages.
    /// Without an interval if there are too few batches at least a mean latency long.
    pub difference: Option<Estimate>,
}

impl Paired {
    /// Starts empty, for messages generated at cycle `from` or later.
    pub fn new(from: u64) -> Self {
        Self {
            from,
            length: SPAN_MIN,
            spans: Vec::with_capacity(BATCHES_MAX),
            latency: [0; 2],
            earlier: 0,
            same: 0,
            later: 0,
        }
    }

    /// Records a message generated at cycle `born`, with its latencies in the first and the second
    /// run. Messages generated before the start are ignored.
    pub fn record(&mut self, born: u64, first: u64, second: u64) {
        let Some(since) = born.checked_sub(self.from) else { return };
        while since / self.length >= BATCHES_MAX as u64 {
            self.join();
        }
        let at = (since / self.length) as usize;
        if at >= self.spans.len() {
            self.spans.resize(at + 1, Span::default());
        }
        let difference = second.cast_signed() - first.cast_signed();
        self.spans[at].pairs += 1;
        self.spans[at].difference += difference;
        self.latency[0] += first;
        self.latency[1] += second;
        match difference {
            ..0 => self.earlier += 1,
            0 => self.same += 1,
            1.. => self.later += 1,
        }
    }

    fn join(&mut self) {
        self.length *= 2;
        self.spans = self
            .spans
            .chunks(2)
            .map(|pair| Span {
                pairs: pair.iter().map(|span| span.pairs).sum(),
                difference: pair.iter().map(|span| span.difference).sum(),
            })
            .collect();
    }

    /// The cycle from which messages count.
    pub fn from(&self) -> u64 {
        self.from
    }

    pub fn summary(&self) -> PairedSummary {
        let both = self.earlier + self.same + self.later;
        let mean = |sum: u64| sum as f64 / both as f64;
        let latency = (both > 0).then(|| self.latency.map(mean));
        let difference = latency.map(|[first, second]| Estimate {
            mean: second - first,
            half_width: self.half_width(first.max(second)),
        });
        PairedSummary {
            from: self.from,
            both,
            earlier: self.earlier,
            same: self.same,
            later: self.later,
            latency,
            difference,
        }
    }

    /// Half the width of the 95 % interval of the mean difference, from completed spans joined to
    /// at least `least` cycles.
    fn half_width(&self, least: f64) -> Option<f64> {
        // The last span may still receive messages.
        let spans = &self.spans[..self.spans.len().saturating_sub(1)];
        let pairs: u64 = spans.iter().map(|span| span.pairs).sum();
        let difference: i64 = spans.iter().map(|span| span.difference).sum();
        if pairs == 0 {
            return None;
        }
        let mean = difference as f64 / pairs as f64;
        let usual = pairs as f64 / spans.len() as f64;
        let off = |span: &Span| (span.difference as f64 - mean * span.pairs as f64) / usual;
        let values: Vec<f64> = spans.iter().map(off).collect();
        half_width_in_time(&values, (least / self.length as f64).ceil() as usize)
    }
}

#[cfg(test)]
mod tests;
