//! When messages are generated: one unit-rate stream per node, mapped to cycles by a time axis
//! that knows every rate there has been.
//!
//! A node draws exponential gaps of mean 1 on an abstract axis of *units*; the [`Axis`] says which
//! cycle a unit falls in. A change of rate stretches the axis from that cycle on and moves no draw,
//! so runs at two rates see the same messages, and a cursor that lags behind
//! finds the birth of a message that was generated long ago under an older rate.
//! Units are fixed-point (2⁻³²), so the mapping is the same on every machine.

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
use bucket::Held;

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

/// The most tokens in a bucket.
const BUCKET_MAX: u32 = 1_000;

/// The highest rate within a burst, in multiples of the mean rate: in a cycle come no more messages than from
/// a full bucket.
const PEAK_MAX: f64 = 1e3;

/// How often messages come, by any process.
const PACE: &[Field] = words!(@fields
    /// Messages per cycle (circuits: unit of time) of each node that sends.
    rate = Open, Kind::positive("the rate", "0.01", f64::INFINITY);
    /// In place of a rate: flits per cycle (circuits: transmission time), over all nodes.
    load = Open, Kind::positive("the load", "0.12", f64::INFINITY);
);

impl Process {
    /// True if gaps are counted in cycles, of which circuits know none.
    pub fn counts_cycles(self) -> bool {
        self == Self::Geometric
    }

    /// What is to be said of it where Poisson arrivals are assumed.
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

    /// True if messages come closer together than at random.
    pub fn comes_at_once(self) -> bool {
        match self {
            Self::Poisson | Self::Geometric | Self::TokenBucket { .. } => false,
            Self::Bursts { .. } | Self::GreedyBucket { .. } => true,
        }
    }

    /// The gaps as a mixture of exponential ones: the probability and the mean of each, in mean gaps.
    /// Geometric gaps are taken as exponential, and so are those after a token bucket.
    pub fn phases(self) -> [(f64, f64); 2] {
        match self {
            Self::Poisson | Self::Geometric | Self::TokenBucket { .. } => [(1.0, 1.0), (0.0, 0.0)],
            Self::Bursts { burst, peak } => bursts::phases(burst, peak),
            // Those of a burst come at once, or nearly.
            Self::GreedyBucket { burst, .. } => bursts::phases(f64::from(burst), 1e3),
        }
    }

    /// The squared coefficient of variation of the gaps, as far as [`phases`](Self::phases) have it: 1 for
    /// Poisson messages, more for bursts.
    pub fn variation(self) -> f64 {
        let phases = self.phases();
        let mean: f64 = phases.iter().map(|(part, gap)| part * gap).sum();
        let square: f64 = phases.iter().map(|(part, gap)| 2.0 * part * gap * gap).sum();
        square / (mean * mean) - 1.0
    }

    /// The relaxation time of a node's messages at `rate`, in units of its time: that of the queue M/D/1 for the
    /// tokens of a bucket, 2/(μ (1 − ρ)²) with tokens at the rate μ. The memory of all
    /// others ends with a burst, and counts as nothing.
    pub fn memory(self, Rate(rate): Rate) -> f64 {
        match self {
            Self::TokenBucket { tokens, .. } => 2.0 * tokens / (rate * (tokens - 1.0).powi(2)),
            Self::Poisson | Self::Geometric | Self::Bursts { .. } | Self::GreedyBucket { .. } => {
                0.0
            }
        }
    }

    /// The token bucket that limits each node at `rate`, if one does.
    pub fn bucket(self, Rate(rate): Rate) -> Option<Bucket> {
        // The axis rounds a cycle's units up by less than this.
        let rate = rate * (1.0 + 1e-9);
        match self {
            Self::Poisson | Self::Geometric | Self::Bursts { .. } => None,
            Self::TokenBucket { burst, tokens } => Some(Bucket { burst, rate: rate * tokens }),
            Self::GreedyBucket { burst, .. } => Some(Bucket { burst, rate }),
        }
    }

    /// The units of the arrival after that at `units`, or of the first.
    fn next(self, units: u64, held: &mut Held, stream: &mut Stream) -> u64 {
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
            // Bernoulli trials with p = 1 − e^(−units per cycle); beyond 40 p is 1 to the last bit.
            Self::Geometric if rate < 1.0 => (-libm::log1p(-rate)).min(40.0),
            Self::Geometric => 40.0,
        }
    }
}

fn tokens(burst: u32) -> String {
    count(burst as usize, "token", "tokens")
}

/// The lowest rate that the axis can hold, in messages per node and cycle.
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
    /// Bits of the product of units and stretch that are dropped: 64 for cycles, 32 for ticks, of
    /// which a cycle holds 2³².
    dropped: u32,
    segments: Vec<Segment>,
}

impl Axis {
    /// The axis of a run that starts at cycle 0 with `rate`.
    pub fn new(process: Process, rate: Rate) -> Self {
        let mut axis = Self { process, dropped: 64, segments: Vec::new() };
        axis.push(0, 0, rate);
        axis
    }

    /// The same axis, never asked for anything yet, that maps units to ticks: 2³² times as fine, so that
    /// the cycle of an arrival is its tick divided by 2³² and floored. For Poisson arrivals only.
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

    /// The cycle in which `units` falls.
    #[inline]
    fn cycle_of(&self, units: u64) -> u64 {
        // Nearly always the last.
        let at = self.segments.iter().rposition(|segment| segment.from_units <= units);
        let segment = self.segments[at.unwrap_or(0)];
        let ahead = u128::from(units - segment.from_units) * u128::from(segment.stretch);
        segment.from_cycle + (ahead >> self.dropped) as u64
    }

    /// The first units that fall in `cycle` or later.
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

/// One node's place in its stream of arrivals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cursor {
    stream: Stream,
    units: u64,
    held: Held,
}

impl Cursor {
    /// Stands at the first arrival of `stream`.
    pub fn new(process: Process, mut stream: Stream) -> Self {
        let mut held = Held::default();
        let units = process.next(0, &mut held, &mut stream);
        Self { stream, units, held }
    }

    /// The cycle of the arrival at which the cursor stands.
    #[inline]
    pub fn cycle(&self, axis: &Axis) -> u64 {
        axis.cycle_of(self.units)
    }

    /// Goes on to the next arrival.
    #[inline]
    pub fn step(&mut self, axis: &Axis) {
        let from = if axis.process.counts_cycles() {
            // A cycle holds one trial: the next one begins with the next cycle.
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
