//! Figures of each message class, and of round trips from a request to its last reply.

use educe::Educe;
use get_size2::GetSize;

use super::{Histogram, Observation};
use crate::random::mix;

/// Sums of one class, or of round trips.
#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
struct Sums {
    histogram: Histogram,
    latency: u64,
    flits: u64,
}

impl Sums {
    fn new() -> Self {
        Self { histogram: Histogram::new(), latency: 0, flits: 0 }
    }

    fn record(&mut self, latency: u64) {
        self.histogram.record(latency);
        self.latency += latency;
    }

    fn summary(&self, flits_per_node_cycle: Option<f64>) -> ClassSummary {
        let messages = self.histogram.count();
        let quantile = |q| (messages > 0).then(|| self.histogram.quantile(q));
        ClassSummary {
            messages,
            latency_mean: (messages > 0).then(|| self.latency as f64 / messages as f64),
            latency_p50: quantile(0.5),
            latency_p95: quantile(0.95),
            latency_p99: quantile(0.99),
            flits_per_node_cycle,
        }
    }
}

/// Sums of all classes; none if messages have no classes.
#[derive(PartialEq, Debug, Default, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct ByClass {
    classes: Vec<Sums>,
    /// Round trips, if messages have replies.
    round_trips: Option<Box<Sums>>,
}

impl ByClass {
    /// Starts empty, for a number of classes.
    pub fn new(classes: usize) -> Self {
        Self { classes: (0..classes).map(|_| Sums::new()).collect(), round_trips: None }
    }

    /// Counts the flits of a delivery.
    #[inline]
    pub fn load(&mut self, observation: &Observation) {
        if let Some(sums) = self.classes.get_mut(usize::from(observation.message_class)) {
            sums.flits += u64::from(observation.length);
        }
    }

    /// Records the latency of a delivery.
    #[inline]
    pub fn record(&mut self, observation: &Observation) {
        if let Some(sums) = self.classes.get_mut(usize::from(observation.message_class)) {
            sums.record(observation.latency());
            if let Some(cycles) = observation.round_trip {
                self.round_trips.get_or_insert_with(|| Box::new(Sums::new())).record(cycles.get());
            }
        }
    }

    /// The figures of all classes; `per_cycle` converts flits to flits per node and cycle.
    pub fn summaries(&self, per_cycle: impl Fn(u64) -> Option<f64>) -> Vec<ClassSummary> {
        self.classes.iter().map(|sums| sums.summary(per_cycle(sums.flits))).collect()
    }

    /// The latencies of a class.
    pub fn latencies(&self, class: u8) -> Option<&Histogram> {
        self.classes.get(usize::from(class)).map(|sums| &sums.histogram)
    }

    /// The figures of round trips.
    pub fn round_trips(&self) -> Option<ClassSummary> {
        self.round_trips.as_ref().map(|sums| sums.summary(None))
    }

    /// Hashes the sums, if any.
    pub fn hash(&self, hash: u64) -> u64 {
        let sums = self.classes.iter().chain(self.round_trips.as_deref());
        sums.fold(hash, |hash, sums| mix(mix(hash, sums.latency), sums.flits))
    }
}

/// Figures of a message class at one instant, or of round trips.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ClassSummary {
    /// Messages counted.
    pub messages: u64,
    /// Mean latency in cycles.
    pub latency_mean: Option<f64>,
    /// Median latency in cycles.
    pub latency_p50: Option<u64>,
    /// 95th percentile.
    pub latency_p95: Option<u64>,
    /// 99th percentile.
    pub latency_p99: Option<u64>,
    /// Accepted load of the class; `None` for round trips.
    pub flits_per_node_cycle: Option<f64>,
}

impl ClassSummary {
    /// The figures of a class in several runs: means over messages and over runs, and the quantiles of
    /// a single run only.
    pub fn combine(runs: &[Self]) -> Self {
        let messages = runs.iter().map(|run| run.messages).sum();
        let mean = |of: fn(&Self) -> f64, by: f64| {
            let sum: f64 = runs.iter().map(of).sum();
            (by > 0.0).then(|| sum / by)
        };
        let only = if let [only] = runs { Some(only) } else { None };
        let accepts = runs.iter().all(|run| run.flits_per_node_cycle.is_some());
        let accepted = mean(|run| run.flits_per_node_cycle.unwrap_or_default(), runs.len() as f64);
        Self {
            messages,
            latency_mean: mean(
                |run| run.latency_mean.unwrap_or_default() * run.messages as f64,
                messages as f64,
            ),
            latency_p50: only.and_then(|run| run.latency_p50),
            latency_p95: only.and_then(|run| run.latency_p95),
            latency_p99: only.and_then(|run| run.latency_p99),
            flits_per_node_cycle: accepted.filter(|_| accepts),
        }
    }
}

#[cfg(test)]
mod tests;
