//! Statistics of a run: warm-up, latency histogram, intervals, loads and the verdict on saturation.
//! Independent of the engines, which report deliveries and running totals.
//!
//! | Result | Method | Source |
//! |---|---|---|
//! | end of the warm-up | MSER-5 on the latencies, decided on line | `stats/warm_up.rs` |
//! | interval of the latency in one run | batch means and their correlation | `stats/interval.rs` |
//! | sufficient length of a run | mean latencies and relaxation times | `stats/tally.rs` |
//! | less variance of the mean latency | control variates | `stats/control.rs` |
//! | quantiles | histogram, exact below 2 048 cycles | [`Histogram`] |
//! | intervals of all else in one run | batch means, shares above a limit | `stats/tally.rs` |
//! | saturation | steady growth of the messages present | `stats/saturation.rs` |
//! | the same messages in two runs | batches by time of generation | [`Paired`] |
//! | several runs | Student intervals, jackknife | [`replications`] |
//!
//! Messages counted:
//! - for **loads** (accepted, utilisation), every message delivered since the warm-up;
//! - for **latencies and hops** with a warm-up found from the data, every message delivered since
//!   the warm-up, by order of delivery, so that none is missing because the run ended too early.
//!   With [`WarmUp::Cycles`], the messages generated since the given cycle, until
//!   [`Statistics::close`]; without a call of `close`, messages under way at the end are missing,
//!   which makes the mean too small by (variance of latency) / (cycles measured);
//! - messages generated before the statistics began (under another load) count only for loads.
//!
//! **Intervals** exist only for a steady state ([`Steadiness::Steady`]): the warm-up has ended, the
//! backlog does not grow, and the run is long enough. Near saturation, runs of 20 000 messages are
//! too short. The intervals are Student intervals of batch means, widened by the correlation of
//! short and of long batches; `benches/coverage.rs` measures how often they contain the long-run
//! mean. A run that stops at a given precision may stop on a lucky stretch; before its first check,
//! such a run is long compared with the relaxation time of the network. All results depend only on
//! the sequence of deliveries and samples.

mod by_class;
mod control;
mod histogram;
mod interval;
mod observation;
mod paired;
pub mod replications;
mod saturation;
mod summary;
mod tally;
mod verdict;
mod warm_up;

use educe::Educe;
use get_size2::GetSize;

pub use by_class::ClassSummary;
pub use control::CONTROLS;
pub use histogram::Histogram;
pub use interval::{Estimate, VALUES_MAX};
pub use observation::Observation;
pub use paired::{Paired, PairedSummary};
pub use saturation::{TELLING_CYCLES, messages_for_verdict};
pub use summary::{Steadiness, Summary};
pub use tally::HalfWidths;
pub use warm_up::WarmUp;

use crate::random::mix;
use saturation::Backlog;
use tally::Tally;
use warm_up::{Search, Settled};

/// Running totals at a sampling instant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub struct Sample {
    /// The instant, a multiple of [`SAMPLE_PERIOD`].
    pub cycle: u64,
    /// Messages generated since the start.
    pub generated: u64,
    /// Messages delivered since the start.
    pub delivered: u64,
}

impl Sample {
    /// Messages generated and not delivered, discarded ones included.
    pub fn present(&self) -> u64 {
        self.generated.saturating_sub(self.delivered)
    }
}

/// Cycles between samples of the running totals.
pub const SAMPLE_PERIOD: u64 = 1024;

/// The offered traffic, against which accepted traffic is judged.
#[derive(Clone, Copy, PartialEq, Debug, GetSize)]
pub struct Offered {
    /// Terminals.
    pub nodes: usize,
    /// Router-to-router channels.
    pub links: usize,
    /// Messages per node and cycle.
    pub rate: f64,
    /// Mean length in flits.
    pub length_mean: f64,
    /// Squared coefficient of variation of the gaps between messages of a node.
    pub gap_variation: f64,
    /// Relaxation time of a source, in cycles.
    pub memory: f64,
    /// True if messages set up circuits; set-up times are then counted as well.
    pub circuits: bool,
    /// Message classes; 0 if messages have none.
    pub classes: usize,
    /// Expectations of the controls of a message, if latencies are to be corrected: [virtual
    /// waits](Observation::virtual_waits), hops, length.
    pub controls: Option<[f64; CONTROLS]>,
}

impl Offered {
    /// Offered load, flits per node and cycle.
    pub fn load(&self) -> f64 {
        self.rate * self.length_mean
    }
}

#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
enum Phase {
    /// Looking for the end of the warm-up.
    Searching(Search),
    /// Waiting for the given end of the warm-up, in cycles.
    WarmingUntil(u64),
    /// Counting.
    Measuring {
        /// True if the end of the warm-up was found or given (not: given up).
        stationary: bool,
        /// Cycle of the decision to start counting, or the given end of the warm-up.
        at: u64,
    },
}

/// Collector of the statistics of one run. `clone_from` reuses its storage.
#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct Statistics {
    offered: Offered,
    /// Messages generated before this cycle count only as load.
    born_from: u64,
    /// Messages generated at this cycle or later do not count.
    born_until: u64,
    /// Undelivered messages generated before `born_until`, set by [`Self::close`].
    outstanding: u64,
    phase: Phase,
    /// The messages counted; while warming up, all so far.
    tally: Tally,
    backlog: Backlog,
    /// The smallest overload to find, if the run searches for any.
    resolution: Option<f64>,
}

impl Statistics {
    /// Starts collecting at cycle `from`.
    pub fn new(offered: Offered, warm_up: WarmUp, from: u64) -> Self {
        let phase = match warm_up {
            WarmUp::Automatic => Phase::Searching(Search::new(offered.nodes, from)),
            WarmUp::Cycles(end) if end > from => Phase::WarmingUntil(end),
            WarmUp::Cycles(_) => Phase::Measuring { stationary: true, at: from },
        };
        let tally = Tally::new(&offered, from);
        let (born_until, outstanding) = (u64::MAX, 0);
        let backlog = Backlog::new();
        Self {
            offered,
            born_from: from,
            born_until,
            outstanding,
            phase,
            tally,
            backlog,
            resolution: None,
        }
    }

    /// Records one delivery.
    #[inline]
    pub fn record(&mut self, observation: Observation) {
        // A message done at cycle c was consumed in the cycle before.
        self.end_given_warm_up(observation.done.saturating_sub(1));
        if observation.born >= self.born_until {
            return;
        }
        self.outstanding = self.outstanding.saturating_sub(1);
        let eligible = observation.born >= self.born_from;
        if observation.done <= self.born_until {
            self.tally.load(&observation);
        }
        if eligible {
            self.tally.record(&observation);
        }
        if eligible
            && let Phase::Searching(search) = &mut self.phase
            && let Some(settled) = search.record(observation)
        {
            self.settle(settled, observation.done);
        }
    }

    /// Closes the window of counting at cycle `now`, with `present` messages under way: messages
    /// generated later are left out, and loads are averaged until `now`.
    pub fn close(&mut self, now: u64, present: u64) {
        self.born_until = now;
        self.outstanding = present;
    }

    /// Records the loss of a message generated in cycle `born`.
    pub fn lose(&mut self, born: u64) {
        if born < self.born_until {
            self.outstanding = self.outstanding.saturating_sub(1);
        }
    }

    /// True if every message generated before the window was closed has been delivered or lost.
    pub fn is_drained(&self) -> bool {
        self.outstanding == 0
    }

    /// Takes the running totals at a multiple of [`SAMPLE_PERIOD`].
    pub fn sample(&mut self, sample: Sample) {
        self.backlog.record(sample);
    }

    /// Starts counting if the given warm-up is over at cycle `now`.
    #[inline]
    fn end_given_warm_up(&mut self, now: u64) {
        if let Phase::WarmingUntil(end) = self.phase
            && now >= end
        {
            self.phase = Phase::Measuring { stationary: true, at: end };
            self.born_from = end;
            self.tally.restart(&self.offered, end);
        }
    }

    /// Starts counting at cycle `at`, with the messages kept after the warm-up.
    fn settle(&mut self, settled: Settled, at: u64) {
        let counting = Phase::Measuring { stationary: settled.stationary, at };
        let Phase::Searching(search) = std::mem::replace(&mut self.phase, counting) else { return };
        self.tally.restart(&self.offered, search.settled_after(settled.left_out));
        for observation in search.kept.from(settled.left_out) {
            self.tally.load(observation);
            self.tally.record(observation);
        }
    }

    /// Summary of the run at cycle `now`.
    pub fn summary(&self, now: u64) -> Summary {
        let now = now.min(self.born_until);
        if let Phase::WarmingUntil(end) = self.phase
            && now >= end
        {
            // The warm-up is over and nothing has been delivered since.
            let begun = Tally::new(&self.offered, end);
            return self.summary_of(&begun, true, now);
        }
        self.summary_of(&self.tally, matches!(self.phase, Phase::Measuring { .. }), now)
    }

    fn summary_of(&self, tally: &Tally, measuring: bool, now: u64) -> Summary {
        let messages = tally.messages();
        let quantile = |q| (messages > 0).then(|| tally.histogram.quantile(q));
        let latency = tally.latency(now);
        let steadiness = self.steadiness_of(tally, now);
        let latency = latency.map(|estimate| Estimate {
            half_width: estimate.half_width.filter(|_| steadiness == Steadiness::Steady),
            ..estimate
        });
        let summary = Summary {
            measured_from: measuring.then_some(tally.since),
            messages,
            latency,
            network_latency_mean: tally.mean(tally.network_latency),
            transfer_mean: tally.mean(tally.transfer),
            latency_p50: quantile(0.5),
            latency_p95: quantile(0.95),
            latency_p99: quantile(0.99),
            head_waits_mean: tally.head_waits_mean(),
            hops_mean: tally.mean(tally.hops),
            aborts_mean: tally.mean(tally.aborts),
            aborts_half_width: None,
            offered: self.offered.load(),
            accepted: tally.per_cycle(tally.flits, self.offered.nodes, now),
            congested: self.congested(steadiness),
            channel_utilisation_mean: tally.per_cycle(tally.channel_time, self.offered.links, now),
            by_class: (tally.by_class)
                .summaries(|flits| tally.per_cycle(flits, self.offered.nodes, now)),
            round_trips: tally.by_class.round_trips(),
            round_trips_per_node_cycle: tally
                .by_class
                .round_trips()
                .and_then(|trips| tally.per_cycle(trips.messages, self.offered.nodes, now)),
            memory: self.offered.memory,
            half_widths: (latency.and_then(|latency| latency.half_width))
                .map_or_else(HalfWidths::default, |_| tally.half_widths(&self.offered, now)),
            latency_variance_left: None,
            steadiness,
        };
        tally.corrected(summary, &self.offered, now)
    }

    /// Messages counted; 0 while warming up.
    pub fn counted(&self) -> u64 {
        match self.phase {
            Phase::Measuring { .. } => self.tally.messages(),
            Phase::Searching(_) | Phase::WarmingUntil(_) => 0,
        }
    }

    /// Messages generated before this cycle (under another load, or in a given warm-up) are left
    /// out of latencies.
    pub fn born_from(&self) -> u64 {
        self.born_from
    }

    /// The cycle at which the end of the warm-up was detected, given the present cycle `now`;
    /// `None` during the warm-up. Counted messages may have been generated earlier, but no message
    /// generated after this cycle belongs to the warm-up.
    pub fn settled_at(&self, now: u64) -> Option<u64> {
        match self.phase {
            Phase::Measuring { at, .. } => Some(at),
            Phase::WarmingUntil(end) => (now >= end).then_some(end),
            Phase::Searching(_) => None,
        }
    }

    /// Mean latencies in cycles of the first counted messages and of the later ones, if the
    /// difference exceeds chance: the run had not settled at the end of its warm-up.
    pub fn drift(&self, now: u64) -> Option<[f64; 2]> {
        match self.phase {
            Phase::Measuring { .. } => self.tally.drift(now),
            Phase::Searching(_) | Phase::WarmingUntil(_) => None,
        }
    }

    /// The latencies of the messages counted (while warming up: of all so far).
    pub fn latencies(&self) -> &Histogram {
        &self.tally.histogram
    }

    /// The same of a message class; `None` without classes.
    pub fn latencies_of(&self, class: u8) -> Option<&Histogram> {
        self.tally.by_class.latencies(class)
    }

    /// Times to set up circuits, in cycles; `None` under wormhole switching.
    pub fn set_ups(&self) -> Option<&Histogram> {
        self.tally.set_ups.as_ref()
    }

    /// Heap bytes shared with `other`: messages of the warm-up.
    pub fn shared_bytes(&self, other: &Self) -> usize {
        match (&self.phase, &other.phase) {
            (Phase::Searching(own), Phase::Searching(other)) => own.kept.shared_bytes(&other.kept),
            _ => 0,
        }
    }

    /// A hash of all collected statistics.
    pub fn fingerprint(&self) -> u64 {
        let Self {
            offered,
            born_from,
            born_until,
            outstanding,
            phase,
            tally,
            backlog,
            resolution: _,
        } = self;
        let phase = match phase {
            Phase::Searching(search) => mix(1, search.fingerprint()),
            Phase::WarmingUntil(end) => mix(2, *end),
            Phase::Measuring { stationary, at: _ } => mix(3, u64::from(*stationary)),
        };
        #[rustfmt::skip]
        let Offered {
            nodes, links, rate, length_mean, gap_variation: _, memory: _, circuits: _, classes: _,
            controls: _,
        } = *offered;
        let offered = [nodes as u64, links as u64, rate.to_bits(), length_mean.to_bits()];
        let window = [*born_from, *born_until, *outstanding];
        let collected = [phase, tally.fingerprint(), backlog.fingerprint()];
        offered.into_iter().chain(window).chain(collected).fold(0, mix)
    }
}

#[cfg(test)]
mod tests;
