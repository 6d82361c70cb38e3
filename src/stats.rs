//! Statistics of a run: warm-up found, latency histogram, intervals, loads and the verdict on
//! saturation. Knows no engine: it is told of deliveries and of running totals.

/// One delivered message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// Cycle of generation.
    pub born: u64,
    /// Cycle after the consumption of the tail. Observations come in this order.
    pub done: u64,
    /// Cycles from the head's first move to `done`.
    pub network_latency: u64,
    /// Channels crossed that count.
    pub hops: u32,
    /// Flits.
    pub length: u32,
}

/// Running totals at a sampling instant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The instant, a multiple of [`SAMPLE_PERIOD`].
    pub cycle: u64,
    /// Messages generated so far.
    pub generated: u64,
    /// Messages delivered so far.
    pub delivered: u64,
}

/// Cycles between samples of the running totals.
pub const SAMPLE_PERIOD: u64 = 1024;

/// What the network was offered, to judge what it accepted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Offered {
    /// Terminals.
    pub nodes: usize,
    /// Router-to-router channels.
    pub links: usize,
    /// Messages per node and cycle.
    pub rate: f64,
    /// Mean length in flits.
    pub length_mean: f64,
}

/// How the warm-up is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WarmUp {
    /// Found from the data (MSER-5).
    #[default]
    Automatic,
    /// Everything generated before this cycle is left out.
    Cycles(u64),
}

/// A mean with the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95 % interval; `None` while there are too few data for one.
    pub half_width: Option<f64>,
}

/// What is known of a run now.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// The cycle from which messages are counted; `None` while warming up (the figures are then
    /// of all messages so far, and provisional).
    pub measured_from: Option<u64>,
    /// Messages counted.
    pub messages: u64,
    /// Latency in cycles, generation to consumption of the tail; `None` before the first message.
    pub latency: Option<Estimate>,
    /// Mean cycles from the head's first move.
    pub network_latency_mean: Option<f64>,
    /// Median latency in cycles.
    pub latency_p50: Option<u64>,
    /// 95th percentile.
    pub latency_p95: Option<u64>,
    /// 99th percentile.
    pub latency_p99: Option<u64>,
    /// Mean channels crossed.
    pub hops_mean: Option<f64>,
    /// Offered load, flits per node and cycle.
    pub offered: f64,
    /// Accepted load, flits per node and cycle, of the messages counted.
    pub accepted: Option<f64>,
    /// Mean share of cycles in which a router-to-router channel moves a flit.
    pub channel_utilisation_mean: Option<f64>,
    /// Whether the network is saturated: the source queues grow and accepted load stays below
    /// offered load.
    pub saturated: bool,
}

/// Collects the statistics of one run.
#[derive(Clone, Debug)]
pub struct Statistics {}

impl Statistics {
    /// Starts collecting at cycle `from`.
    pub fn new(_offered: Offered, _warm_up: WarmUp, _from: u64) -> Self {
        Self {}
    }
    /// Takes one delivery.
    pub fn record(&mut self, _observation: Observation) {}
    /// Takes the running totals at a multiple of [`SAMPLE_PERIOD`].
    pub fn sample(&mut self, _sample: Sample) {}
    /// What is known at cycle `now`.
    pub fn summary(&self, now: u64) -> Summary {
        let _ = now;
        Summary {
            measured_from: None,
            messages: 0,
            latency: None,
            network_latency_mean: None,
            latency_p50: None,
            latency_p95: None,
            latency_p99: None,
            hops_mean: None,
            offered: 0.0,
            accepted: None,
            channel_utilisation_mean: None,
            saturated: false,
        }
    }
    /// The latencies of the messages counted (while warming up: of all so far).
    pub fn histogram(&self) -> Histogram {
        Histogram {}
    }
    /// Makes `self` equal to `other`, reusing storage.
    pub fn copy_from(&mut self, other: &Self) {
        self.clone_from(other);
    }
    /// A hash of all that was collected.
    pub fn fingerprint(&self) -> u64 {
        0
    }
}

/// Latencies in cycles: exact below 2 048, log-linear above (3 significant digits); mergeable.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {}

impl Histogram {
    /// Messages in it.
    pub fn count(&self) -> u64 {
        0
    }
    /// The smallest latency, 0 if empty.
    pub fn min(&self) -> u64 {
        0
    }
    /// The largest latency, 0 if empty.
    pub fn max(&self) -> u64 {
        0
    }
    /// The latency below or at which a share `q` (0 to 1) of the messages lies.
    pub fn quantile(&self, _q: f64) -> u64 {
        0
    }
    /// Messages with latencies from `low` to below `high`.
    pub fn count_between(&self, _low: u64, _high: u64) -> u64 {
        0
    }
    /// Adds the messages of `other`.
    pub fn merge(&mut self, _other: &Self) {}
}
