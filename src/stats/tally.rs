//! Sums over the counted messages.
//!
//! The latency parts, the accepted load and the 99th percentile have intervals.
//!
//! Latency parts are means over messages, the accepted load is a mean over bins of [`BIN`] cycles;
//! both have intervals of batch means, like the latency. For the percentile, the run is cut into
//! sections of equally many messages. The share of messages slower than a limit near the percentile
//! varies between sections, which gives the interval of the share at the percentile; the histogram
//! converts its ends to latencies (Heidelberger & Lewis 1984).
//!
//! Intervals are not hashed, since they depend only on the hashed sums and their order.

use educe::Educe;
use get_size2::GetSize;

use super::by_class::ByClass;
use super::control::{CONTROLS, Controlled, controlled};
use super::histogram::Histogram;
use super::interval::{Batches, Collected, Estimate, half_width_in_time};
use super::saturation::steady_span;
use super::{Observation, Offered, Summary};
use crate::random::mix;

const BATCH_MIN: u64 = 8;

/// Cycles per bin of accepted load.
const BIN: u64 = 1024;
/// The share of messages above the percentile.
const ABOVE: f64 = 0.01;
/// Shares above a limit near enough to the percentile to represent it.
const NEAR: std::ops::RangeInclusive<f64> = ABOVE / 10.0..=ABOVE * 10.0;
/// Base-2 logarithm of the limits per doubling of the latency.
const FINE: u32 = 2;

/// Sums over messages since an instant.
#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Tally {
    /// First cycle of counting.
    pub(super) since: u64,
    /// Relaxation time of a source, in cycles, as in [`Offered::memory`].
    memory: f64,
    pub(super) histogram: Histogram,
    /// Times to set up circuits, in cycles; `None` under wormhole switching.
    pub(super) set_ups: Option<Histogram>,
    /// Latencies, waits at the source, blocking and transfers.
    parts: Batches<[u64; 4]>,
    /// The controls of the same messages, while known for all.
    controls: Option<Batches<[u64; CONTROLS]>>,
    /// Flits delivered, by bins.
    load: Batches,
    /// End of the present bin, in cycles.
    bin_end: u64,
    /// Flits delivered in the present bin.
    in_bin: u64,
    sections: Batches<Section>,
    latency: u64,
    pub(super) network_latency: u64,
    /// Sum of the network latencies without other messages, in cycles.
    pub(super) transfer: u64,
    /// Sums of the waits of heads, in cycles; `None` without pipelined routers.
    head_waits: Option<[u64; 4]>,
    pub(super) hops: u64,
    pub(super) flits: u64,
    /// Channel cycles used by messages.
    pub(super) channel_time: u64,
    pub(super) aborts: u64,
    pub(super) by_class: ByClass,
}

impl Tally {
    /// Starts empty at cycle `since`, for the traffic `offered`.
    pub(super) fn new(offered: &Offered, since: u64) -> Self {
        Self {
            since,
            memory: offered.memory,
            histogram: Histogram::new(),
            set_ups: offered.circuits.then(Histogram::new),
            parts: Batches::new(BATCH_MIN),
            controls: offered.controls.map(|_| Batches::new(BATCH_MIN)),
            load: Batches::new(1),
            bin_end: since + BIN,
            in_bin: 0,
            sections: Batches::new(BATCH_MIN),
            latency: 0,
            network_latency: 0,
            transfer: 0,
            head_waits: None,
            hops: 0,
            flits: 0,
            channel_time: 0,
            aborts: 0,
            by_class: ByClass::new(offered.classes),
        }
    }

    /// Begins anew at cycle `since`, keeping storage.
    pub(super) fn restart(&mut self, offered: &Offered, since: u64) {
        let mut histogram = std::mem::take(&mut self.histogram);
        histogram.clear();
        *self = Self { histogram, ..Self::new(offered, since) };
    }

    #[inline]
    pub(super) fn load(&mut self, observation: &Observation) {
        self.flits += u64::from(observation.length);
        self.by_class.load(observation);
        self.channel_time += observation.channel_time;
        while observation.done > self.bin_end {
            self.load.record(std::mem::take(&mut self.in_bin));
            self.bin_end += BIN;
        }
        self.in_bin += u64::from(observation.length);
    }

    /// Records the latency of a delivery and its parts.
    #[inline]
    pub(super) fn record(&mut self, observation: &Observation) {
        let Observation { network_latency: network, transfer, .. } = *observation;
        let latency = observation.latency();
        let (wait, blocking) = (latency.saturating_sub(network), network.saturating_sub(transfer));
        let values = [latency, wait, blocking, transfer];
        self.parts.partial.join(values);
        self.parts.count();
        if self.controls.is_some() {
            self.record_controls(observation);
        }
        record_slow(&mut self.sections, latency);
        self.histogram.record(latency);
        if let Some(set_ups) = &mut self.set_ups {
            set_ups.record(wait);
        }
        self.latency += latency;
        self.network_latency += network;
        self.transfer += transfer;
        if let Some(waits) = observation.head_waits {
            let sums = self.head_waits.get_or_insert_default();
            for (sum, wait) in sums.iter_mut().zip(waits) {
                *sum += u64::from(wait);
            }
        }
        self.hops += u64::from(observation.hops);
        self.aborts += u64::from(observation.aborts);
        self.by_class.record(observation);
    }

    /// Records the controls of a delivery; without them, latencies are no longer corrected.
    #[inline(never)]
    fn record_controls(&mut self, observation: &Observation) {
        let Some([source, route, slow_source, slow_route]) = observation.virtual_waits else {
            self.controls = None;
            return;
        };
        if let Some(controls) = &mut self.controls {
            let Observation { hops, length, .. } = *observation;
            let values = [source, route, slow_source, slow_route, hops, length];
            controls.partial.join(values.map(u64::from));
            controls.count();
        }
    }

    pub(super) fn messages(&self) -> u64 {
        self.histogram.count()
    }

    /// The minimum cycles for a verdict of steadiness, as a share of the cycles counted until
    /// `now`: 64 mean latencies L, and 24 relaxation times, of the sources or L²/T, with T the
    /// latency without other messages. (A queue near saturation has a relaxation time of about T/(1
    /// − ρ)², and a latency of T/(1 − ρ). While the latency grows with time, the requirement grows
    /// faster.) `None` without messages.
    fn shortness(&self, now: u64) -> Option<f64> {
        let (latency, transfer) = self.mean(self.latency).zip(self.mean(self.transfer))?;
        Some(steady_span(latency, transfer, self.memory) / now.saturating_sub(self.since) as f64)
    }

    /// Mean waits of heads.
    pub(super) fn head_waits_mean(&self) -> Option<[f64; 4]> {
        let messages = self.messages() as f64;
        self.head_waits.map(|sums| sums.map(|sum| sum as f64 / messages))
    }

    /// The mean latency in multiples of the latency without other messages.
    pub(super) fn slowness(&self) -> Option<f64> {
        Some(self.mean(self.latency)? / self.mean(self.transfer)?)
    }

    /// True if the cycles counted until `now` suffice for a verdict of steadiness.
    pub(super) fn is_long_enough(&self, now: u64) -> bool {
        self.shortness(now).is_some_and(|share| share <= 1.0)
    }

    /// Mean latency with its interval at cycle `now`. Among runs of barely sufficient length, those
    /// with too low a latency are the first to qualify; a factor of 1 + (least length / length)⁴
    /// widens the interval to include the true mean for them as well.
    pub(super) fn latency(&self, now: u64) -> Option<Estimate> {
        let mean = self.mean(self.latency)?;
        let wider = self.wider(now)?;
        let half_width = self.parts.half_width_of(|sums| sums[0], self.per_latency(mean, now));
        Some(Estimate { mean, half_width: half_width.map(|half| half * wider) })
    }

    /// Corrects the mean latency of a summary at cycle `now`, its parts and their intervals by control
    /// variates, if the latency has an interval, and the controls are known and help.
    pub(super) fn corrected(&self, summary: Summary, offered: &Offered, now: u64) -> Summary {
        let Some(Estimate { half_width: Some(_), .. }) = summary.latency else { return summary };
        let (Some(found), Some(wider)) = (self.controlled(offered, now), self.wider(now)) else {
            return summary;
        };
        let Controlled { shifts: [latency, source, _, transfer], half_widths, variance_left } =
            found;
        let [half, source_wait, blocking, transfer_half] = half_widths;
        let less = |mean: Option<f64>, shift: f64| mean.map(|mean| mean - shift);
        Summary {
            latency: summary.latency.map(|plain| Estimate {
                mean: plain.mean - latency,
                half_width: Some(half * wider),
            }),
            network_latency_mean: less(summary.network_latency_mean, latency - source),
            transfer_mean: less(summary.transfer_mean, transfer),
            half_widths: HalfWidths {
                source_wait: Some(source_wait),
                blocking: Some(blocking),
                transfer: Some(transfer_half),
                ..summary.half_widths
            },
            latency_variance_left: Some(variance_left),
            ..summary
        }
    }

    fn controlled(&self, offered: &Offered, now: u64) -> Option<Controlled> {
        let (controls, expectations) = self.controls.as_ref().zip(offered.controls)?;
        let per_latency = self.per_latency(self.mean(self.latency)?, now);
        let group = (per_latency / self.parts.size as f64).ceil() as usize;
        controlled(&self.parts, controls, expectations, group)
    }

    /// The factor that widens the interval of the latency at cycle `now`.
    fn wider(&self, now: u64) -> Option<f64> {
        Some(1.0 + self.shortness(now)?.powi(4))
    }

    /// Messages in a stretch as long as the mean latency.
    fn per_latency(&self, mean: f64, now: u64) -> f64 {
        self.messages() as f64 * mean / now.saturating_sub(self.since).max(1) as f64
    }

    /// Mean latencies of the first eighth of the counted messages and of the others, if the
    /// difference exceeds chance.
    pub(super) fn drift(&self, now: u64) -> Option<[f64; 2]> {
        let per_latency = self.per_latency(self.mean(self.latency)?, now);
        self.parts.drift(|sums| sums[0], per_latency)
    }

    /// Half widths of the intervals of the other figures, at cycle `now`.
    pub(super) fn half_widths(&self, offered: &Offered, now: u64) -> HalfWidths {
        let Some(mean) = self.mean(self.latency) else { return HalfWidths::default() };
        let per_latency = self.per_latency(mean, now);
        let part = |at: usize| self.parts.half_width_of(|sums| sums[at], per_latency);
        let per_node = |flits: f64| flits / (BIN as f64 * offered.nodes as f64);
        HalfWidths {
            latency_p99: half_width(&self.sections, &self.histogram),
            accepted: self.load.half_width(mean / BIN as f64).map(per_node),
            source_wait: part(1),
            blocking: part(2),
            transfer: part(3),
        }
    }

    /// Mean per counted message.
    pub(super) fn mean(&self, sum: u64) -> Option<f64> {
        let messages = self.messages();
        (messages > 0).then(|| sum as f64 / messages as f64)
    }

    /// Mean per place and cycle up to `now`.
    pub(super) fn per_cycle(&self, sum: u64, places: usize, now: u64) -> Option<f64> {
        let cycles = now.saturating_sub(self.since);
        (cycles > 0 && places > 0).then(|| sum as f64 / (places as f64 * cycles as f64))
    }

    /// A hash of all sums. The times to set up circuits are covered by the sums of the other times.
    pub(super) fn fingerprint(&self) -> u64 {
        let start = mix(self.histogram.fingerprint(), self.parts.fingerprint_of(|sums| sums[0]));
        let sums = [self.since, self.latency, self.network_latency, self.transfer, self.hops];
        let hash = sums
            .into_iter()
            .chain([self.flits, self.channel_time])
            // Aborts enter only if there were any, so that hashes of runs without aborts are
            // unchanged.
            .chain((self.aborts > 0).then_some(self.aborts))
            .fold(start, mix);
        self.by_class.hash(hash)
    }
}

/// Half widths of 95 % intervals, each in the unit of its figure; `None` if the run is too
/// short for an interval.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct HalfWidths {
    /// The wider side, for the 99th percentile of the latency.
    pub latency_p99: Option<f64>,
    pub accepted: Option<f64>,
    /// The half width for the mean wait at the source.
    pub source_wait: Option<f64>,
    pub blocking: Option<f64>,
    pub transfer: Option<f64>,
}

/// A coarse histogram of a section of a run: messages between limits.
type Section = Vec<u32>;

impl Collected for Section {
    const BATCHES_MAX: usize = 32;

    fn join(&mut self, next: Self) {
        self.resize(self.len().max(next.len()), 0);
        self.iter_mut().zip(next).for_each(|(sum, more)| *sum = sum.saturating_add(more));
        // Each checkpoint contains a copy.
        self.shrink_to_fit();
    }
}

/// Index of the bucket for a latency.
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

/// Half the width of the 99th percentile's interval; `None` with too few sections, without a limit
/// near the percentile, or if the interval extends beyond the slowest message.
fn half_width(tail: &Batches<Section>, latencies: &Histogram) -> Option<f64> {
    let (limit, share) = limit(tail)?;
    let slower = |section: &Section| {
        let above: u64 = section.iter().skip(limit).map(|&count| u64::from(count)).sum();
        above as f64 / tail.size as f64
    };
    let shares: Vec<f64> = tail.whole.iter().map(slower).collect();
    // The deviation of a share p is proportional to the root of p (1 − p).
    let scale = (ABOVE * (1.0 - ABOVE) / (share * (1.0 - share))).sqrt();
    let half = scale * half_width_in_time(&shares, 1)?;
    if half >= ABOVE {
        return None;
    }
    let [low, middle, high] =
        [1.0 - ABOVE - half, 1.0 - ABOVE, 1.0 - ABOVE + half].map(|q| latencies.quantile(q));
    Some((high - middle).max(middle - low) as f64)
}

/// The limit nearest to the percentile, and the share of slower messages.
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
