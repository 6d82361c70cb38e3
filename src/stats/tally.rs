//! The sums over the messages counted, from which the summary is made.

use educe::Educe;
use get_size2::GetSize;

use super::batches::Batches;
use super::histogram::Histogram;
use super::interval::Estimate;
use super::spread::{HalfWidths, Spread};
use super::{Observation, Offered};
use crate::random::mix;

/// Mean latencies over which messages must be counted before anything is said of a steady state.
const SPAN_LATENCIES: f64 = 64.0;

/// The same in relaxation times.
const SPAN_RELAXATIONS: f64 = 24.0;

const BATCH_MIN: u64 = 8;

/// Sums over messages since an instant.
#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Tally {
    /// Cycle from which deliveries are taken.
    pub(super) since: u64,
    pub(super) histogram: Histogram,
    /// Times to set up circuits, cycles; `None` of worms.
    pub(super) set_ups: Option<Histogram>,
    batches: Batches,
    /// What the intervals of all else are made from.
    spread: Spread,
    latency: u64,
    pub(super) network_latency: u64,
    /// Sum of what the network latencies would have been without other messages, cycles.
    pub(super) transfer: u64,
    pub(super) hops: u64,
    pub(super) flits: u64,
    /// Channels times cycles of their use.
    pub(super) channel_time: u64,
    pub(super) aborts: u64,
}

impl Tally {
    /// Nothing yet, from cycle `since` on, of what is offered so.
    pub(super) fn new(offered: &Offered, since: u64) -> Self {
        Self {
            since,
            histogram: Histogram::new(),
            set_ups: offered.circuits.then(Histogram::new),
            batches: Batches::new(BATCH_MIN),
            spread: Spread::new(BATCH_MIN, since),
            latency: 0,
            network_latency: 0,
            transfer: 0,
            hops: 0,
            flits: 0,
            channel_time: 0,
            aborts: 0,
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
        self.channel_time += observation.channel_time;
        self.spread.record_load(observation);
    }

    /// Takes a delivery's latency and what belongs to it.
    #[inline]
    pub(super) fn record(&mut self, observation: &Observation) {
        self.spread.record(observation);
        let latency = observation.latency();
        self.histogram.record(latency);
        if let Some(set_ups) = &mut self.set_ups {
            set_ups.record(latency.saturating_sub(observation.network_latency));
        }
        self.batches.record(latency);
        self.latency += latency;
        self.network_latency += observation.network_latency;
        self.transfer += observation.transfer;
        self.hops += u64::from(observation.hops);
        self.aborts += u64::from(observation.aborts);
    }

    pub(super) fn messages(&self) -> u64 {
        self.histogram.count()
    }

    /// The least cycles that tell a steady state, as a share of those counted until `now`: 64 mean
    /// latencies L, and 24 relaxation times L²/T, where T is what the latency would have been without
    /// other messages. (A queue near saturation forgets its state in about T/(1 − ρ)² while its latency
    /// is T/(1 − ρ). Where latency grows with time, so does what is asked for, and faster.) `None`
    /// without messages.
    fn shortness(&self, now: u64) -> Option<f64> {
        let (latency, transfer) = self.mean(self.latency).zip(self.mean(self.transfer))?;
        let ratio = latency / transfer.max(1.0);
        let least = SPAN_LATENCIES.max(SPAN_RELAXATIONS * ratio * ratio) * latency;
        Some(least / now.saturating_sub(self.since) as f64)
    }

    /// Whether what was counted until cycle `now` is long enough to tell a steady state.
    pub(super) fn is_long_enough(&self, now: u64) -> bool {
        self.shortness(now).is_some_and(|share| share <= 1.0)
    }

    /// Mean latency with its interval at cycle `now`. Of runs that are hardly long enough, those whose
    /// latency is too low count as long enough first: by 1 + (least length / length)⁴ the interval is
    /// wider, so that it holds for them as well.
    pub(super) fn latency(&self, now: u64) -> Option<Estimate> {
        let mean = self.mean(self.latency)?;
        let wider = 1.0 + self.shortness(now)?.powi(4);
        let half_width = self.batches.half_width(self.per_latency(mean, now));
        Some(Estimate { mean, half_width: half_width.map(|half| half * wider) })
    }

    /// Messages in a stretch as long as the mean latency.
    fn per_latency(&self, mean: f64, now: u64) -> f64 {
        self.messages() as f64 * mean / now.saturating_sub(self.since).max(1) as f64
    }

    /// How far the other figures may be off, at cycle `now`.
    pub(super) fn half_widths(&self, offered: &Offered, now: u64) -> HalfWidths {
        let Some(mean) = self.mean(self.latency) else { return HalfWidths::default() };
        let per_latency = self.per_latency(mean, now);
        self.spread.half_widths(offered.nodes, &self.histogram, mean, per_latency)
    }

    /// Per message whose latency counts.
    pub(super) fn mean(&self, sum: u64) -> Option<f64> {
        let messages = self.messages();
        (messages > 0).then(|| sum as f64 / messages as f64)
    }

    /// Per place and cycle up to `now`.
    pub(super) fn per_cycle(&self, sum: u64, places: usize, now: u64) -> Option<f64> {
        let cycles = now.saturating_sub(self.since);
        (cycles > 0 && places > 0).then(|| sum as f64 / (places as f64 * cycles as f64))
    }

    /// A hash of all sums. Of the times to set up circuits the sum is enough, which the others have.
    pub(super) fn fingerprint(&self) -> u64 {
        let start = mix(self.histogram.fingerprint(), self.batches.fingerprint());
        let sums = [self.since, self.latency, self.network_latency, self.transfer, self.hops];
        sums.into_iter()
            .chain([self.flits, self.channel_time])
            // Runs in which nothing is aborted have no word for it.
            .chain((self.aborts > 0).then_some(self.aborts))
            .fold(start, mix)
    }
}
