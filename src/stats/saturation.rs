//! The verdict on saturation, from the messages present at sampling instants.
//!
//! **Rule.** Messages present (generated − delivered) are examined over the recent half of the run:
//! the samples from half way between the first and the last, at least eight (so the first verdict
//! is possible at the fifteenth sample). With m₁ … m₄ the mean number present in the four quarters
//! of the recent half, the network is saturated if
//! 1. *accepted stays below offered*: at least 1 % of the messages generated in the recent half
//!    were not delivered in the same half, and so is the growth 4/3 · (m₄ − m₁), the rise of a
//!    straight line over the whole half;
//! 2. *not by chance*: the growth is at least 5 · √((c² + 1) · generated), five standard deviations
//!    of the drift of a queue exactly at capacity, with gaps between arrivals of squared
//!    coefficient of variation c² (1 for Poisson, more for bursts) and Poisson departures;
//! 3. *steadily*: none of the three steps m₂ − m₁, m₃ − m₂, m₄ − m₃ is less than a quarter of their
//!    mean, which excludes bursts and plateaus;
//! 4. *not filling up*: some messages were delivered, and the second half of the window delivered
//!    at most a quarter more than the first. A network that is only filling delivers more and more.
//!
//! At 1.3 times the saturation load, 23 % of the messages stay behind, so that (2) needs about 1
//! 000 messages; the fifteen samples (15 360 cycles) usually take longer. At a load of fewer than
//! fifty messages in half the run, (2) cannot be satisfied. An overload of less than 1 % is
//! indistinguishable from saturation itself.

use educe::Educe;
use get_size2::GetSize;

use super::{SAMPLE_PERIOD, Sample};
use crate::random::mix;

/// Number of samples at which every other sample is dropped.
const SAMPLES_MAX: usize = 128;

/// Minimum number of samples in the recent half.
const RECENT_MIN: usize = 8;

/// Cycles usually needed to detect saturation: twice the samples required by the rule.
pub const TELLING_CYCLES: u64 = 4 * RECENT_MIN as u64 * SAMPLE_PERIOD;

/// Minimum share of the generated messages left behind.
const SHORTFALL: f64 = 0.01;

/// Minimum growth in standard deviations of chance.
const DEVIATIONS: f64 = 5.0;

/// Standard deviations of chance for the verdicts *beyond* and *within*.
const BEYOND_DEVIATIONS: f64 = 3.5;
const WITHIN_DEVIATIONS: f64 = 3.0;

/// The least step between quarters, as a share of the mean step.
const STEP_SHARE: f64 = 0.25;

/// Maximum ratio of deliveries in the second half of the window to the first half.
const DELIVERY_RISE: f64 = 1.25;

/// Minimum length of a run for a verdict of steadiness, in mean latencies.
const SPAN_LATENCIES: f64 = 64.0;

/// Minimum length in relaxation times.
const SPAN_RELAXATIONS: f64 = 24.0;

/// Minimum cycles for a verdict of steadiness at the mean `latency`, given the latency `transfer`
/// without other messages and the relaxation time `memory` of a source, in cycles.
pub(super) fn steady_span(latency: f64, transfer: f64, memory: f64) -> f64 {
    let ratio = latency / transfer.max(1.0);
    (SPAN_LATENCIES * latency).max(SPAN_RELAXATIONS * (ratio * ratio * latency).max(memory))
}

/// The messages after which a run ends that has no verdict about an overload of the `resolution`.
pub fn messages_for_verdict(resolution: f64) -> u64 {
    ((MESSAGES_MAX / (resolution * resolution)) as u64).max(MESSAGES_LEAST)
}

/// Messages for a verdict, times the square of the resolution.
const MESSAGES_MAX: f64 = 70.0;
/// Messages that are always available for a verdict.
const MESSAGES_LEAST: u64 = 100_000;

/// The conditions for growing queues.
struct Growth {
    /// The share of the run to consider, from its end.
    window: f64,
    /// Minimum share of the generated messages left behind.
    shortfall: f64,
    /// Minimum growth in standard deviations of chance.
    deviations: f64,
}

/// Running totals at equidistant instants, in bounded memory.
#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Backlog {
    samples: Vec<Sample>,
    /// Cycles between the samples kept: [`SAMPLE_PERIOD`] times a power of 2.
    spacing: u64,
}

impl Backlog {
    pub(super) fn new() -> Self {
        Self { samples: Vec::with_capacity(SAMPLES_MAX), spacing: SAMPLE_PERIOD }
    }

    /// Records a sample, unless its cycle is not a multiple of the present spacing.
    pub(super) fn record(&mut self, sample: Sample) {
        if !sample.cycle.is_multiple_of(self.spacing) {
            return;
        }
        self.samples.push(sample);
        if self.samples.len() == SAMPLES_MAX {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.samples.retain(|sample| sample.cycle.is_multiple_of(spacing));
        }
    }

    /// Samples of a recent share of the run, if there are enough.
    fn recent(&self, share: f64) -> Option<&[Sample]> {
        let (first, last) = self.samples.first().zip(self.samples.last())?;
        let from = last.cycle - ((last.cycle - first.cycle) as f64 * share) as u64;
        let recent = &self.samples[self.samples.partition_point(|s| s.cycle < from)..];
        (recent.len() >= RECENT_MIN).then_some(recent)
    }

    /// Messages delivered per cycle in the recent half.
    pub(super) fn recent_deliveries(&self) -> Option<f64> {
        let recent = self.recent(0.5)?;
        let (first, last) = recent.first().zip(recent.last())?;
        Some((last.delivered - first.delivered) as f64 / (last.cycle - first.cycle) as f64)
    }

    /// True if the network is saturated by the rule above, given the squared coefficient of
    /// variation of the gaps of a source.
    pub(super) fn saturated(&self, gap_variation: f64) -> bool {
        let rule = Growth { window: 0.5, shortfall: SHORTFALL, deviations: DEVIATIONS };
        self.grows(&rule, gap_variation)
    }

    /// True if the load exceeds saturation, in a search for overloads of the `resolution` r: the messages
    /// present have grown, steadily and by more than 3.5 standard deviations of chance, over the last
    /// three quarters of the run.
    pub(super) fn exceeds(&self, resolution: f64, gap_variation: f64) -> bool {
        let (window, shortfall, deviations) = (0.75, resolution / 2.0, BEYOND_DEVIATIONS);
        self.grows(&Growth { window, shortfall, deviations }, gap_variation)
    }

    /// True if an overload of the `resolution` would have left more messages behind: in the last quarter
    /// of the run, the mean number present is less than r of those generated, by 3 standard deviations.
    ///
    /// About (7/r)² messages tell an overload of r from a load below saturation. Within r/2 of
    /// saturation, either verdict is possible.
    pub(super) fn carries(&self, resolution: f64, gap_variation: f64) -> bool {
        let Some(recent) = self.recent(0.25) else { return false };
        let present: u64 = recent.iter().map(Sample::present).sum();
        let present = present as f64 / recent.len() as f64;
        let generated = recent[recent.len() / 2].generated as f64;
        let chance = WITHIN_DEVIATIONS * ((gap_variation + 1.0) * generated).sqrt();
        present + chance <= resolution * generated
    }

    /// True if the queues grow by a rule.
    fn grows(&self, rule: &Growth, gap_variation: f64) -> bool {
        let Some(recent) = self.recent(rule.window) else { return false };
        let (first, centre, last) =
            (&recent[0], &recent[recent.len() / 2], &recent[recent.len() - 1]);
        let generated = (last.generated - first.generated) as f64;
        let delivered = (last.delivered - first.delivered) as f64;
        let quarters: [f64; 4] = std::array::from_fn(|quarter| {
            let from = recent.len() * quarter / 4;
            let end = recent.len() * (quarter + 1) / 4;
            let present: u64 = recent[from..end].iter().map(Sample::present).sum();
            present as f64 / (end - from) as f64
        });
        let step_mean = (quarters[3] - quarters[0]) / 3.0;
        let growth = 4.0 * step_mean;
        let early =
            (centre.delivered - first.delivered) as f64 / (centre.cycle - first.cycle) as f64;
        let late = (last.delivered - centre.delivered) as f64 / (last.cycle - centre.cycle) as f64;

        let shortfall = rule.shortfall * generated;
        let falls_short = growth >= shortfall && generated - delivered >= shortfall;
        let not_by_chance =
            growth > 0.0 && growth >= rule.deviations * ((gap_variation + 1.0) * generated).sqrt();
        let steadily = quarters.windows(2).all(|m| m[1] - m[0] >= STEP_SHARE * step_mean);
        let not_filling = delivered > 0.0 && late <= DELIVERY_RISE * early;
        falls_short && not_by_chance && steadily && not_filling
    }

    pub(super) fn fingerprint(&self) -> u64 {
        self.samples.iter().fold(self.spacing, |hash, sample| {
            let Sample { cycle, generated, delivered } = *sample;
            mix(mix(mix(hash, cycle), generated), delivered)
        })
    }
}

#[cfg(test)]
mod tests;
