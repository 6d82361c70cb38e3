//! The verdict on saturation, from the messages present at sampling instants.
//!
//! **Rule.** Messages present (generated − delivered) are looked at over the recent half of the
//! run: the samples from half way between the first and the last, at least eight (so the first
//! verdict comes with the fifteenth sample). With m₁ … m₄ the mean number present in the four
//! quarters of that half, the network is saturated if
//! 1. *accepted stays below offered*: at least 1 % of the messages generated in the recent half
//!    were not delivered in it, and so is the growth 4/3 · (m₄ − m₁), the rise of a straight line
//!    over the whole half;
//! 2. *not by chance*: the growth is at least 5 · √((c² + 1) · generated), five standard deviations of
//!    what a queue exactly at capacity drifts by meanwhile, with gaps between arrivals of squared
//!    coefficient of variation c² (1 for Poisson, more for bursts) and Poisson departures;
//! 3. *steadily*: none of the three steps m₂ − m₁, m₃ − m₂, m₄ − m₃ is less than a quarter of
//!    their mean, which excludes bursts and plateaus;
//! 4. *not filling up*: something was delivered, and the second half of the window delivered at
//!    most a quarter more than the first. A network that is only filling delivers more and more.
//!
//! At 1.3 times the saturation load 23 % of the messages stay behind, so that (2) needs about 1 000
//! messages; the fifteen samples (15 360 cycles) usually take longer. At a load whose messages do
//! not even number fifty in half the run, (2) cannot hold at all. An overload of less than 1 %
//! is not told from saturation itself.

use educe::Educe;
use get_size2::GetSize;

use super::{SAMPLE_PERIOD, Sample};
use crate::random::mix;

/// Samples at which every other one is dropped.
const SAMPLES_MAX: usize = 128;

/// Samples that the recent half must have.
const RECENT_MIN: usize = 8;

/// Cycles in which saturation is usually told: twice those of the samples that the rule takes.
pub const TELLING_CYCLES: u64 = 4 * RECENT_MIN as u64 * SAMPLE_PERIOD;

/// Share of the messages generated that must stay behind.
const SHORTFALL: f64 = 0.01;

/// Standard deviations of chance that the growth must exceed.
const DEVIATIONS: f64 = 5.0;

/// The least step between quarters, as a share of the mean step.
const STEP_SHARE: f64 = 0.25;

/// How much more the second half of the window may deliver than the first.
const DELIVERY_RISE: f64 = 1.25;

/// Mean latencies over which messages must be counted before anything is said of a steady state.
const SPAN_LATENCIES: f64 = 64.0;

/// The same in relaxation times.
const SPAN_RELAXATIONS: f64 = 24.0;

/// The least cycles that tell a steady state of this mean latency, of which `transfer` would be left
/// without other messages, where sources forget what they sent in a relaxation time of `memory` cycles.
pub(super) fn steady_span(latency: f64, transfer: f64, memory: f64) -> f64 {
    let ratio = latency / transfer.max(1.0);
    (SPAN_LATENCIES * latency).max(SPAN_RELAXATIONS * (ratio * ratio * latency).max(memory))
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

    /// Takes a sample. Those not at a multiple of the present spacing are passed over.
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

    /// The samples of the recent half, where there are enough.
    fn recent(&self) -> Option<&[Sample]> {
        let (first, last) = self.samples.first().zip(self.samples.last())?;
        let middle = first.cycle.midpoint(last.cycle);
        let recent = &self.samples[self.samples.partition_point(|s| s.cycle < middle)..];
        (recent.len() >= RECENT_MIN).then_some(recent)
    }

    /// Messages delivered per cycle in the recent half.
    pub(super) fn recent_deliveries(&self) -> Option<f64> {
        let recent = self.recent()?;
        let (first, last) = recent.first().zip(recent.last())?;
        Some((last.delivered - first.delivered) as f64 / (last.cycle - first.cycle) as f64)
    }

    /// True if the network is saturated, by the rule above, where the gaps of a source have this squared
    /// coefficient of variation.
    pub(super) fn saturated(&self, gap_variation: f64) -> bool {
        let Some(recent) = self.recent() else { return false };
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

        let shortfall = SHORTFALL * generated;
        let falls_short = growth >= shortfall && generated - delivered >= shortfall;
        let not_by_chance =
            growth > 0.0 && growth >= DEVIATIONS * ((gap_variation + 1.0) * generated).sqrt();
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
