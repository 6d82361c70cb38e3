//! Figures of a run and the verdict on its steadiness.

use super::saturation::{TELLING_CYCLES, steady_span};
use super::{ClassSummary, Estimate, HalfWidths};

/// Verdict on the steadiness of a run. The verdict on two runs together is the greater of the two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, Debug, Default)]
#[strum(serialize_all = "lowercase")]
pub enum Steadiness {
    /// The warm-up has ended, the messages present do not grow, and the run is long compared with
    /// the network's relaxation time.
    Steady,
    /// The run is too short for a verdict.
    #[default]
    #[strum(serialize = "too short to tell")]
    TooShort,
    /// The messages of a script end, and have no steady state.
    Finite,
    /// Messages wait for each other in a deadlock, which excludes a steady state.
    Deadlocked,
    /// The source queues grow, and accepted load stays below offered load.
    Saturated,
}

impl Steadiness {
    /// The verdict as displayed.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// True if the network was found saturated.
    pub fn is_saturated(self) -> bool {
        self == Self::Saturated
    }

    /// True if the mean latency may be that of a steady state: it neither grows with the run nor
    /// was measured before a deadlock.
    pub fn has_mean(self) -> bool {
        matches!(self, Self::Steady | Self::TooShort | Self::Finite)
    }

    /// True if the network is saturated; `None` without a verdict.
    pub fn saturated(self) -> Option<bool> {
        match self {
            Self::Steady => Some(false),
            Self::Saturated => Some(true),
            Self::TooShort | Self::Finite | Self::Deadlocked => None,
        }
    }
}

/// Figures of a run at one instant.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// First cycle of counting; `None` during the warm-up (the figures are then provisional and
    /// include all messages).
    pub measured_from: Option<u64>,
    /// Messages counted.
    pub messages: u64,
    /// Latency in cycles, generation to consumption of the tail; `None` before the first message.
    /// No interval unless [steady](Steadiness::Steady).
    pub latency: Option<Estimate>,
    /// Mean cycles from the head's first move.
    pub network_latency_mean: Option<f64>,
    /// Mean network latency without other messages, in cycles.
    pub transfer_mean: Option<f64>,
    /// Median latency in cycles.
    pub latency_p50: Option<u64>,
    /// 95th percentile.
    pub latency_p95: Option<u64>,
    /// 99th percentile.
    pub latency_p99: Option<u64>,
    /// Mean cycles for which the head waited behind another message, for a VC, the crossbar and a
    /// credit, with pipelined routers.
    pub head_waits_mean: Option<[f64; 4]>,
    /// Mean channels crossed.
    pub hops_mean: Option<f64>,
    /// Mean times a message was aborted.
    pub aborts_mean: Option<f64>,
    /// Half the width of the 95 % interval of `aborts_mean`; only for several replications.
    pub aborts_half_width: Option<f64>,
    /// Offered load, flits per node and cycle.
    pub offered: f64,
    /// Accepted load, flits per node and cycle, of all messages delivered since the warm-up.
    pub accepted: Option<f64>,
    /// Accepted load during the recent half of a saturated run, while its queues grow: the
    /// throughput of the congested network. `None` for other runs.
    pub congested: Option<f64>,
    /// Mean share of cycles in which a router-to-router channel forwards a flit (or belongs to a
    /// circuit).
    pub channel_utilisation_mean: Option<f64>,
    /// Figures of each message class; empty if messages have none.
    pub by_class: Vec<ClassSummary>,
    /// Round trips from the generation of a request to its last reply, if messages have replies.
    pub round_trips: Option<ClassSummary>,
    /// Requests answered, per node and cycle.
    pub round_trips_per_node_cycle: Option<f64>,
    /// Relaxation time of a source, in cycles.
    pub memory: f64,
    /// Half widths of the intervals of the other figures.
    pub half_widths: HalfWidths,
    /// The variance of the mean latency as a share of the variance without control variates; `None`
    /// without them. The means of the latency and its parts are then corrected, quantiles are not.
    pub latency_variance_left: Option<f64>,
    /// Verdict on the run at this instant.
    pub steadiness: Steadiness,
}

impl Summary {
    /// Converts to the summary of a deadlocked run: its figures describe a stretch that never
    /// recurs, and have no interval.
    #[must_use]
    pub fn deadlocked(self) -> Self {
        self.without_intervals(Steadiness::Deadlocked)
    }

    /// Converts to the summary of a run at a load beyond the network's capacity, however steady the
    /// run appears.
    #[must_use]
    pub fn saturated(self) -> Self {
        self.without_intervals(Steadiness::Saturated)
    }

    /// Converts to the summary of a run of given messages: never saturated, and without intervals.
    #[must_use]
    pub fn finite(self) -> Self {
        let steadiness = Steadiness::Finite;
        Self { congested: None, steadiness, ..self.without_intervals(steadiness) }
    }

    fn without_intervals(self, least: Steadiness) -> Self {
        let latency = self.latency.map(|latency| Estimate { half_width: None, ..latency });
        let (half_widths, steadiness) = (HalfWidths::default(), self.steadiness.max(least));
        Self { latency, aborts_half_width: None, half_widths, steadiness, ..self }
    }

    /// The ratio of accepted to offered load, if accepted load falls short by more than 2 % and by
    /// more than chance explains, given the number of messages.
    pub fn shortfall(&self) -> Option<f64> {
        if self.steadiness == Steadiness::Finite {
            return None;
        }
        let share = self.accepted? / self.offered;
        let chance = 4.0 / (self.messages.max(1) as f64).sqrt();
        (share < 1.0 - chance.max(0.02)).then_some(share)
    }

    /// True if the queues of the run are known or likely to grow: saturated, deadlocked, or without
    /// a verdict and accepting less than offered. The mean and quantiles then describe only the
    /// messages that happen to have arrived, and are not comparable with another run's.
    pub fn is_growing(&self) -> bool {
        match self.steadiness {
            Steadiness::Saturated | Steadiness::Deadlocked => true,
            Steadiness::TooShort => self.shortfall().is_some(),
            Steadiness::Steady | Steadiness::Finite => false,
        }
    }

    /// Approximate number of messages needed for a verdict, if this run until cycle `now` is too
    /// short for one: the messages of the cycles required by the latency, or by the verdict of
    /// saturation if accepted load falls short; at least twice the present number. `None` before
    /// the first message.
    pub fn messages_to_tell(&self, now: u64) -> Option<u64> {
        let span = match self.shortfall() {
            Some(_) => TELLING_CYCLES as f64,
            None => steady_span(self.latency?.mean, self.transfer_mean?, self.memory),
        };
        let counted = now.saturating_sub(self.measured_from.unwrap_or(0)).max(1);
        let share = (span / counted as f64).max(2.0);
        Some((self.messages as f64 * share).ceil() as u64)
    }

    /// Mean cycles from generation to the head's first move; for a circuit, to the start of the
    /// data.
    pub fn source_wait_mean(&self) -> Option<f64> {
        Some(self.latency?.mean - self.network_latency_mean?)
    }

    /// Mean cycles of blocking in the network; for a circuit, with data never blocked, the time
    /// from the end of the data to the release of the last link.
    pub fn blocking_mean(&self) -> Option<f64> {
        Some(self.network_latency_mean? - self.transfer_mean?)
    }
}

#[cfg(test)]
mod tests;
