//! What is known of a run: its figures, and whether it is steady.

use super::saturation::{TELLING_CYCLES, steady_span};
use super::{Estimate, HalfWidths};

/// Whether a network carries what it is offered, as far as its run can tell. Of two runs together,
/// the greater counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, Debug, Default)]
#[strum(serialize_all = "lowercase")]
pub enum Steadiness {
    /// It does: the warm-up has ended, the messages present do not grow, and the run is long against
    /// the network's relaxation.
    Steady,
    /// The run is too short to tell.
    #[default]
    #[strum(serialize = "too short to tell")]
    TooShort,
    /// Messages wait for each other for ever: no state to measure, and none to come.
    Deadlocked,
    /// It does not: the source queues grow, and accepted load stays below offered load.
    Saturated,
}

impl Steadiness {
    /// In words.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// True if the network was found saturated.
    pub fn is_saturated(self) -> bool {
        self == Self::Saturated
    }

    /// True if the mean latency may be one of a steady state: it neither grows with the run nor belongs to
    /// what came before a deadlock.
    pub fn has_mean(self) -> bool {
        matches!(self, Self::Steady | Self::TooShort)
    }

    /// Whether the network is saturated; `None` where that cannot be told, or not yet.
    pub fn saturated(self) -> Option<bool> {
        match self {
            Self::Steady => Some(false),
            Self::Saturated => Some(true),
            Self::TooShort | Self::Deadlocked => None,
        }
    }
}

/// What is known of a run now.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// The cycle from which messages are counted; `None` while warming up (the figures are then
    /// of all messages so far, and provisional).
    pub measured_from: Option<u64>,
    /// Messages counted.
    pub messages: u64,
    /// Latency in cycles, generation to consumption of the tail; `None` before the first message.
    /// No interval unless [steady](Steadiness::Steady).
    pub latency: Option<Estimate>,
    /// Mean cycles from the head's first move.
    pub network_latency_mean: Option<f64>,
    /// Mean cycles that the network latency would have been without other messages.
    pub transfer_mean: Option<f64>,
    /// Median latency in cycles.
    pub latency_p50: Option<u64>,
    /// 95th percentile.
    pub latency_p95: Option<u64>,
    /// 99th percentile.
    pub latency_p99: Option<u64>,
    /// Mean channels crossed.
    pub hops_mean: Option<f64>,
    /// Mean times a message was aborted.
    pub aborts_mean: Option<f64>,
    /// Half the width of its 95 % interval; of several replications only.
    pub aborts_half_width: Option<f64>,
    /// Offered load, flits per node and cycle.
    pub offered: f64,
    /// Accepted load, flits per node and cycle, of all messages delivered since.
    pub accepted: Option<f64>,
    /// Accepted load of the recent half of a saturated run, in which its queues grew: what the network
    /// carries once it is congested. `None` of other runs.
    pub congested: Option<f64>,
    /// Mean share of cycles in which a router-to-router channel moves a flit (is held by a circuit).
    pub channel_utilisation_mean: Option<f64>,
    /// Cycles in which a source forgets what it sent.
    pub memory: f64,
    /// How far the other figures may be off.
    pub half_widths: HalfWidths,
    /// Whether the network carries what it is offered, as far as the run can tell yet.
    pub steadiness: Steadiness,
}

impl Summary {
    /// The same of a run with a deadlock: its figures are those of a stretch that does not come back, and
    /// have no interval.
    #[must_use]
    pub fn deadlocked(self) -> Self {
        self.without_intervals(Steadiness::Deadlocked)
    }

    /// The same of a run whose load the network cannot carry, however steady it looks so far.
    #[must_use]
    pub fn saturated(self) -> Self {
        self.without_intervals(Steadiness::Saturated)
    }

    fn without_intervals(self, least: Steadiness) -> Self {
        let latency = self.latency.map(|latency| Estimate { half_width: None, ..latency });
        let (half_widths, steadiness) = (HalfWidths::default(), self.steadiness.max(least));
        Self { latency, aborts_half_width: None, half_widths, steadiness, ..self }
    }

    /// The share of the offered load that was accepted, where it falls short by more than 2 % and by
    /// more than chance would explain, given the number of messages.
    pub fn shortfall(&self) -> Option<f64> {
        let share = self.accepted? / self.offered;
        let chance = 4.0 / (self.messages.max(1) as f64).sqrt();
        (share < 1.0 - chance.max(0.02)).then_some(share)
    }

    /// Tells a run whose queues grow, as far as it is known: saturated, deadlocked, or not known to be steady
    /// and accepting less than is offered. Its mean and quantiles are those of the messages that happen to
    /// have arrived, and cannot be compared with another run's.
    pub fn is_growing(&self) -> bool {
        match self.steadiness {
            Steadiness::Saturated | Steadiness::Deadlocked => true,
            Steadiness::TooShort => self.shortfall().is_some(),
            Steadiness::Steady => false,
        }
    }

    /// About how many messages must be counted for a verdict, where this run until cycle `now` is too short
    /// for one: those of the cycles that its latency asks for, or where less is accepted than offered those
    /// that tell saturation; at least twice those that it has. `None` before the first message.
    pub fn messages_to_tell(&self, now: u64) -> Option<u64> {
        let span = match self.shortfall() {
            Some(_) => TELLING_CYCLES as f64,
            None => steady_span(self.latency?.mean, self.transfer_mean?, self.memory),
        };
        let counted = now.saturating_sub(self.measured_from.unwrap_or(0)).max(1);
        let share = (span / counted as f64).max(2.0);
        Some((self.messages as f64 * share).ceil() as u64)
    }

    /// Mean cycles from generation to the head's first move; of a circuit, to the start of its data.
    pub fn source_wait_mean(&self) -> Option<f64> {
        Some(self.latency?.mean - self.network_latency_mean?)
    }

    /// Mean cycles by which others held a message up in the network; of a circuit, whose data nobody
    /// holds up, from the end of its data until the last link was given back.
    pub fn blocking_mean(&self) -> Option<f64> {
        Some(self.network_latency_mean? - self.transfer_mean?)
    }
}

#[cfg(test)]
mod tests;
