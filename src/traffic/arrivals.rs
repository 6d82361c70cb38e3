//! Arrival processes: one unit-rate stream per node.
//!
//! A time axis, which records every change of the rate, maps the streams to cycles.
//!
//! A node draws exponential gaps of mean 1 on an abstract axis of *units*; the [`Axis`] maps units
//! to cycles. A change of rate stretches the axis from this cycle on without changing any draw, so
//! runs at two rates have the same messages, and a lagging cursor finds the birth of a message
//! generated long ago under an earlier rate. Units are fixed-point (2⁻³²), so the mapping is the
//! same on every machine.

mod bucket;
mod bursts;

use educe::Educe;
use get_size2::GetSize;

use crate::random::{Stream, mix};
use crate::text::count;
use crate::units::Rate;
use crate::words::Need::{Default, Example, Open};
use crate::words::{Field, Kind, words};
pub use bucket::Bucket;
use bucket::BucketState;

words! {
    /// The arrival process of every node.
    pub enum Process with PACE {
        /// Exponential gaps.
        Poisson,
        /// A message in every cycle with the same probability.
        Geometric,
        /// Bursts of messages with pauses between them (an interrupted Poisson process).
        Bursts {
            /// The mean number of messages in a burst.
            burst: f64 = Example("8"),
                Kind::within("the mean burst", "8", (1.0, 1e6), "messages");
            /// The rate within a burst, in multiples of the mean rate.
            peak: f64 = Example("4"),
                Kind::within("the peak", "4", (1.0, PEAK_MAX), "times the mean rate");
        },
        /// Poisson messages that pass a token bucket: one for which there is no token is generated
        /// when there is.
        TokenBucket {
            /// The most tokens in the bucket: messages that may come at once.
            burst: u32 = Example("4"),
                Kind::whole("the tokens of a full bucket", 1, BUCKET_MAX);
            /// The rate at which tokens come, in multiples of the mean rate.
            tokens: f64 = Default("1.25"),
                Kind::within("the rate of tokens", "1.25", (1.01, 1e6), "times the mean rate");
        },
        /// Full token buckets that are emptied at once, as often as they are full: of what they let
        /// pass, the worst.
        GreedyBucket {
            /// The tokens of a full bucket: messages that come at once.
            burst: u32 = Example("4"),
                Kind::whole("the tokens of a full bucket", 1, BUCKET_MAX);
            /// The share of the time between two bursts of a node in which its first is drawn; 0: all
            /// nodes send at once.
            spread: f64 = Default("0"),
                Kind::within("the spread", "0.5", (0.0, 1.0), "of the time between bursts");
        },
    }
}

/// Maximum number of tokens in a bucket.
const BUCKET_MAX: u32 = 1_000;

/// Maximum rate within a burst, in multiples of the mean rate: limits the messages per cycle to
/// those of a full bucket.
const PEAK_MAX: f64 = 1e3;

/// Fields of the arrival rate, common to all processes.
const PACE: &[Field] = words!(@fields
    /// Messages per cycle (circuits: unit of time) of each node that sends; the mean over these nodes
    /// if a matrix or pairs give them different rates.
    rate = Open, Kind::positive("the rate", "0.01", f64::INFINITY);
    /// In place of a rate: flits per cycle (circuits: transmission time), over all nodes. A matrix
    /// needs neither: its weights then are messages per cycle.
    load = Open, Kind::positive("the load", "0.12", f64::INFINITY);
);

impl Process {
    /// True if gaps are counted in cycles, which circuits do not have.
    pub fn counts_cycles(self) -> bool {
        self == Self::Geometric
    }

    /// Describes the deviation from Poisson arrivals, `None` for Poisson.
    pub fn unlike_poisson(self) -> Option<String> {
        match self {
            Self::Poisson => None,
            Self::Geometric => Some("at most 1 message per node and cycle (geometric gaps)".into()),
            Self::Bursts { burst, peak } => {
                Some(format!("bursts of {burst} messages at {peak} times the mean rate"))
            }
            Self::TokenBucket { burst, .. } => {
                Some(format!("Poisson messages that pass a bucket of {}", tokens(burst)))
            }
            Self::GreedyBucket { burst, .. } => {
                Some(format!("buckets of {} that are emptied at once", tokens(burst)))
            }
        }
    }

    /// True if messages are burstier than random arrivals.
    pub fn comes_at_once(self) -> bool {
        match self {
            Self::Poisson | Self::Geometric | Self::TokenBucket { .. } => false,
            Self::Bursts { .. } | Self::GreedyBucket { .. } => true,
        }
    }

    /// The gaps as a mixture of exponential distributions: the probability and the mean of each, in
    /// mean gaps. Geometric gaps and those of a token bucket are approximated as exponential.
    pub fn phases(self) -> [(f64, f64); 2] {
        match self {
            Self::Poisson | Self::Geometric | Self::TokenBucket { .. } => [(1.0, 1.0), (0.0, 0.0)],
            Self::Bursts { burst, peak } => bursts::phases(burst, peak),
            // Messages of a burst arrive almost simultaneously.
            Self::GreedyBucket { burst, .. } => bursts::phases(f64::from(burst), 1e3),
        }
    }

    /// The squared coefficient of variation of the gaps, in the approximation of
    /// [`phases`](Self::phases): 1 for Poisson arrivals, more for bursts.
    pub fn variation(self) -> f64 {
        let phases = self.phases();
        let mean: f64 = phases.iter().map(|(part, gap)| part * gap).sum();
        let square: f64 = phases.iter().map(|(part, gap)| 2.0 * part * gap * gap).sum();
        square / (mean * mean) - 1.0
    }

    /// The relaxation time of a node's arrivals at `rate`, in units of its time: for a token bucket
    /// that of the M/D/1 queue of tokens, 2/(μ (1 − ρ)²) with token rate μ. All other processes
    /// forget their past with the end of a burst and return 0.
    pub fn memory(self, Rate(rate): Rate) -> f64 {
        match self {
            Self::TokenBucket { tokens, .. } => 2.0 * tokens / (rate * (tokens - 1.0).powi(2)),
            Self::Poisson | Self::Geometric | Self::Bursts { .. } | Self::GreedyBucket { .. } => {
                0.0
            }
        }
    }

    /// The token bucket that limits each node at `rate`, if any.
    pub fn bucket(self, Rate(rate): Rate) -> Option<Bucket> {
        // The axis rounds the units of a cycle up by less than this factor.
        let rate = rate * (1.0 + 1e-9);
        match self {
            Self::Poisson | Self::Geometric | Self::Bursts { .. } => None,
            Self::TokenBucket { burst, tokens } => Some(Bucket { burst, rate: rate * tokens }),
            Self::GreedyBucket { burst, .. } => Some(Bucket { burst, rate }),
        }
    }

    /// The units of the next arrival after `units`, or of the first arrival.
    fn next(self, units: u64, held: &mut BucketState, stream: &mut Stream) -> u64 {
        let fixed = |gap: f64| (gap * UNIT) as u64;
        match self {
            Self::Poisson | Self::Geometric => units + fixed(stream.exponential()),
            Self::Bursts { burst, peak } => units + fixed(bursts::gap(burst, peak, stream)),
            Self::TokenBucket { burst, tokens } => {
                held.shape(burst, (UNIT / tokens).ceil() as u64, fixed(stream.exponential()))
            }
            Self::GreedyBucket { burst, spread } => held.empty(burst, UNIT as u64, |period| {
                let share = (stream.bits() >> 11) as f64 / (1u64 << 53) as f64;
                (share * spread * period as f64) as u64
            }),
        }
    }

    /// Units per cycle at a rate.
    fn pace(self, Rate(rate): Rate) -> f64 {
        let rate = rate.max(RATE_MIN);
        match self {
            Self::Poisson
            | Self::Bursts { .. }
            | Self::TokenBucket { .. }
            | Self::GreedyBucket { .. } => rate,
            // Bernoulli trials with p = 1 − e^(−units per cycle); beyond 40, p equals 1 in double
            // precision.
            Self::Geometric if rate < 1.0 => (-libm::log1p(-rate)).min(40.0),
            Self::Geometric => 40.0,
        }
    }
}

fn tokens(burst: u32) -> String {
    count(burst as usize, "token", "tokens")
}

/// Minimum rate of the axis, in messages per node and cycle.
pub const RATE_MIN: f64 = 1e-9;

const UNIT: f64 = 4_294_967_296.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
struct Segment {
    from_cycle: u64,
    from_units: u64,
    /// Cycles per unit, fixed-point 2⁻³².
    stretch: u64,
}

/// Maps units to cycles, or to ticks of 2⁻³² of a unit of time.
#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct Axis {
    #[get_size(ignore)]
    process: Process,
    /// Bits dropped from the product of units and stretch: 64 for cycles; 32 for ticks, because a
    /// cycle has 2³² ticks.
    dropped: u32,
    segments: Vec<Segment>,
}

impl Axis {
    /// Creates the axis of a run that starts at cycle 0 with `rate`.
    pub fn new(process: Process, rate: Rate) -> Self {
        let mut axis = Self { process, dropped: 64, segments: Vec::new() };
        axis.push(0, 0, rate);
        axis
    }

    /// Converts an unused axis to ticks, a resolution 2³² times finer: the cycle of an arrival is
    /// its tick divided by 2³² and rounded down. For Poisson arrivals only.
    #[must_use]
    pub fn in_ticks(self) -> Self {
        Self { dropped: 32, ..self }
    }

    /// Changes the rate from `cycle` on.
    pub fn set_rate(&mut self, cycle: u64, rate: Rate) {
        self.push(cycle, self.units_at(cycle), rate);
    }

    fn push(&mut self, from_cycle: u64, from_units: u64, rate: Rate) {
        let stretch = (UNIT / self.process.pace(rate)) as u64;
        self.segments.push(Segment { from_cycle, from_units, stretch });
    }

    /// The cycle that contains `units`.
    #[inline]
    fn cycle_of(&self, units: u64) -> u64 {
        // Almost always the last segment.
        let at = self.segments.iter().rposition(|segment| segment.from_units <= units);
        let segment = self.segments[at.unwrap_or(0)];
        let ahead = u128::from(units - segment.from_units) * u128::from(segment.stretch);
        segment.from_cycle + (ahead >> self.dropped) as u64
    }

    /// The first units mapped to `cycle` or later.
    fn units_at(&self, cycle: u64) -> u64 {
        let at = self.segments.partition_point(|s| s.from_cycle <= cycle) - 1;
        let segment = self.segments[at];
        let ahead = u128::from(cycle - segment.from_cycle) << self.dropped;
        segment.from_units + ahead.div_ceil(u128::from(segment.stretch)) as u64
    }

    /// A hash of the axis.
    pub fn fingerprint(&self) -> u64 {
        let Self { process: _, dropped: _, segments } = self;
        segments
            .iter()
            .fold(0, |hash, s| mix(mix(mix(hash, s.from_cycle), s.from_units), s.stretch))
    }
}

/// A node's position in its stream of arrivals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cursor {
    stream: Stream,
    units: u64,
    held: BucketState,
}

impl Cursor {
    /// Creates a cursor at the first arrival of `stream`.
    pub fn new(process: Process, mut stream: Stream) -> Self {
        let mut held = BucketState::default();
        let units = process.next(0, &mut held, &mut stream);
        Self { stream, units, held }
    }

    /// The cycle of the current arrival.
    #[inline]
    pub fn cycle(&self, axis: &Axis) -> u64 {
        axis.cycle_of(self.units)
    }

    /// Advances to the next arrival.
    #[inline]
    pub fn step(&mut self, axis: &Axis) {
        let from = if axis.process.counts_cycles() {
            // A cycle has one trial, so the next trial is in the next cycle.
            axis.units_at(self.cycle(axis) + 1)
        } else {
            self.units
        };
        self.units = axis.process.next(from, &mut self.held, &mut self.stream);
    }

    /// A hash of the cursor.
    pub fn fingerprint(&self) -> u64 {
        self.held.stir(mix(self.stream.fingerprint(), self.units))
    }
}

#[cfg(test)]
mod tests;
