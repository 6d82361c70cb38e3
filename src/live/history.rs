//! Accepted load over a whole run in bounded space: when the bins are full, neighbours merge.

use educe::Educe;

const BINS_MAX: usize = 512;
/// Cycles between samples, and the span of a bin at first.
pub(super) const SAMPLE_CYCLES: u64 = 64;

/// A stretch of the run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Span {
    /// The least of the samples, flits per node and cycle, or transmission times per node and unit
    /// of time.
    pub low: f32,
    /// The greatest of the samples.
    pub high: f32,
    pub mean: f32,
}

/// An event in the history of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Event {
    /// The load changed.
    Load,
    /// A deadlock closed.
    Deadlock,
    /// Links failed.
    Failure,
    /// Failed links work again.
    Repair,
    /// Routes changed because of a failure or repair.
    Rerouting,
}

/// Accepted load, from cycle 0 to now.
#[derive(PartialEq, Debug, Educe)]
#[educe(Clone)]
pub struct History {
    /// Cycles per bin.
    pub span: u64,
    /// The bins, oldest first.
    pub bins: Vec<Span>,
    /// Events with their cycles, in order.
    pub events: Vec<(u64, Event)>,
    pending: Vec<f32>,
}

impl Default for History {
    fn default() -> Self {
        Self { span: SAMPLE_CYCLES, bins: Vec::new(), events: Vec::new(), pending: Vec::new() }
    }
}

impl History {
    /// End of the sampled time, in cycles.
    pub fn end(&self) -> u64 {
        self.bins.len() as u64 * self.span + self.pending.len() as u64 * SAMPLE_CYCLES
    }

    /// Drops everything after `cycle`. A bin that is cut keeps its mean.
    pub fn cut(&mut self, cycle: u64) {
        let samples = |cycles: u64| (cycles / SAMPLE_CYCLES) as usize;
        let keep = (cycle / self.span) as usize;
        if keep < self.bins.len() {
            let mean = self.bins[keep].mean;
            self.bins.truncate(keep);
            self.pending.clear();
            self.pending.resize(samples(cycle % self.span), mean);
        } else {
            let begun = cycle.saturating_sub(self.bins.len() as u64 * self.span);
            self.pending.truncate(samples(begun));
        }
        self.events.retain(|&(at, _)| at <= cycle);
    }

    /// Appends the accepted load of the next sampling period, in flits per node and cycle.
    pub fn push(&mut self, accepted: f32) {
        self.pending.push(accepted);
        if self.pending.len() as u64 * SAMPLE_CYCLES < self.span {
            return;
        }
        let mean = self.pending.iter().sum::<f32>() / self.pending.len() as f32;
        let low = self.pending.iter().copied().fold(f32::INFINITY, f32::min);
        let high = self.pending.iter().copied().fold(0.0, f32::max);
        self.pending.clear();
        self.bins.push(Span { low, high, mean });
        if self.bins.len() == BINS_MAX {
            for at in 0..BINS_MAX / 2 {
                let (a, b) = (self.bins[2 * at], self.bins[2 * at + 1]);
                self.bins[at] = Span {
                    low: a.low.min(b.low),
                    high: a.high.max(b.high),
                    mean: f32::midpoint(a.mean, b.mean),
                };
            }
            self.bins.truncate(BINS_MAX / 2);
            self.span *= 2;
        }
    }

    /// Records an event, unless the same bin already contains an event of its kind. Returns `true`
    /// if recorded.
    pub fn note(&mut self, cycle: u64, event: Event) -> bool {
        let (span, bin) = (self.span, cycle / self.span);
        let new = !self.events.iter().rev().any(|&(at, what)| at / span == bin && what == event)
            && self.events.len() < BINS_MAX;
        if new {
            let earlier = |&it: &(u64, Event)| it <= (cycle, event);
            self.events.insert(self.events.partition_point(earlier), (cycle, event));
        }
        new
    }
}

#[cfg(test)]
mod tests;
