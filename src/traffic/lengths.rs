//! Message lengths in flits.

use crate::random::Stream;
use crate::units::FLITS_PER_TIME;
use crate::words::Need::Example;
use crate::words::{Kind, words};

/// Maximum length of a message, in flits.
pub const LENGTH_MAX: u32 = 1 << 20;

/// Maximum transmission time over a circuit, in units of time.
pub const TRANSMISSION_MAX: f64 = 100.0;
/// Maximum mean of exponential transmission times; the longest are twenty times longer.
const EXPONENTIAL_MAX: f64 = 5.0;

const MEAN: Kind = Kind::within("the mean length", "12", (1.0, LENGTH_MAX as f64), "flits");

const fn time(called: &'static str, most: f64) -> Kind {
    Kind::within(called, "1", (1.0 / FLITS_PER_TIME as f64, most), "units of time")
}

words! {
    /// The distribution of message lengths.
    pub enum Lengths {
        /// All the same.
        Fixed(u32 = "Fixed(12)", Kind::whole("a length in flits", 1, LENGTH_MAX)),
        /// A geometric distribution from 1 flit up.
        Geometric {
            /// The mean in flits.
            mean: f64 = Example("12"), MEAN;
        },
        /// Geometric when counted in flits.
        Exponential {
            /// The mean in flits.
            mean: f64 = Example("12"), MEAN;
        },
        /// All lengths between two with the same probability.
        Uniform {
            /// The minimum in flits.
            min: u32 = Example("4"), Kind::whole("the shortest length in flits", 1, LENGTH_MAX);
            /// The maximum in flits.
            max: u32 = Example("20"), Kind::whole("the longest length in flits", 1, LENGTH_MAX);
        },
    }

    /// The distribution of transmission times over a circuit.
    pub enum Times {
        /// All the same.
        Fixed(f64 = "Fixed(1)", time("a transmission time", TRANSMISSION_MAX)),
        /// An exponential distribution.
        Exponential {
            /// The mean in units of time.
            mean: f64 = Example("1"), time("the mean transmission time", EXPONENTIAL_MAX);
        },
        /// All times between two with the same probability.
        Uniform {
            /// The minimum in units of time.
            min: f64 = Example("0.1"), time("the shortest transmission time", TRANSMISSION_MAX);
            /// The maximum in units of time.
            max: f64 = Example("1.9"), time("the longest transmission time", TRANSMISSION_MAX);
        },
    }
}

impl Times {
    /// Converts transmission times to lengths ([`FLITS_PER_TIME`]), the inverse of
    /// [`Lengths::times`].
    pub fn lengths(&self) -> Lengths {
        let flits = |time: f64| (time * f64::from(FLITS_PER_TIME)).round() as u32;
        match *self {
            Self::Fixed(time) => Lengths::Fixed(flits(time)),
            Self::Exponential { mean } => {
                Lengths::Exponential { mean: mean * f64::from(FLITS_PER_TIME) }
            }
            Self::Uniform { min, max } => Lengths::Uniform { min: flits(min), max: flits(max) },
        }
    }
}

impl Lengths {
    /// Converts lengths to transmission times over a circuit ([`FLITS_PER_TIME`]).
    pub fn times(&self) -> Times {
        let time = |flits: f64| flits / f64::from(FLITS_PER_TIME);
        match *self {
            Self::Fixed(flits) => Times::Fixed(time(f64::from(flits))),
            Self::Geometric { mean } | Self::Exponential { mean } => {
                Times::Exponential { mean: time(mean) }
            }
            Self::Uniform { min, max } => {
                Times::Uniform { min: time(f64::from(min)), max: time(f64::from(max)) }
            }
        }
    }

    /// The mean length in flits.
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Fixed(flits) => f64::from(flits),
            Self::Geometric { mean } | Self::Exponential { mean } => mean,
            Self::Uniform { min, max } => f64::midpoint(f64::from(min), f64::from(max)),
        }
    }

    /// The minimum length in flits.
    pub fn least(&self) -> u32 {
        match *self {
            Self::Fixed(flits) => flits,
            Self::Geometric { .. } | Self::Exponential { .. } => 1,
            Self::Uniform { min, .. } => min,
        }
    }

    /// The maximum length in flits, if there is one.
    pub fn longest(&self) -> Option<u32> {
        match *self {
            Self::Fixed(flits) => Some(flits),
            Self::Geometric { .. } | Self::Exponential { .. } => None,
            Self::Uniform { max, .. } => Some(max),
        }
    }

    /// The share of messages longer than this number of flits.
    pub fn longer(&self, flits: f64) -> f64 {
        match *self {
            Self::Fixed(length) => f64::from(u8::from(f64::from(length) > flits)),
            Self::Geometric { mean } | Self::Exponential { mean } => {
                (1.0 - 1.0 / mean.max(1.0)).powf(flits)
            }
            Self::Uniform { min, max } => {
                let (min, max) = (f64::from(min), f64::from(max));
                ((max - flits) / (max - min + 1.0)).clamp(0.0, 1.0)
            }
        }
    }

    /// The squared coefficient of variation: variance over squared mean.
    pub fn variation(&self) -> f64 {
        match *self {
            Self::Fixed(_) => 0.0,
            Self::Geometric { mean } | Self::Exponential { mean } => 1.0 - 1.0 / mean.max(1.0),
            Self::Uniform { min, max } => {
                let sizes = f64::from(max - min) + 1.0;
                (sizes * sizes - 1.0) / 12.0 / (self.mean() * self.mean())
            }
        }
    }

    /// Draws the length of the next message in flits.
    pub fn draw(&self, stream: &mut Stream) -> u32 {
        match *self {
            Self::Fixed(flits) => flits,
            Self::Uniform { min, max } => min + stream.below(max - min + 1),
            Self::Geometric { mean } | Self::Exponential { mean } if mean <= 1.0 => 1,
            Self::Geometric { mean } | Self::Exponential { mean } => {
                // P(length > n) = (1 − 1/mean)ⁿ, inverted with a portable logarithm. Exponential
                // lengths use the same distribution: the flits of circuits are so small that the
                // difference is negligible.
                let tail = stream.exponential() / -libm::log1p(-1.0 / mean);
                (tail as u32).saturating_add(1).min(LENGTH_MAX)
            }
        }
    }
}

#[cfg(test)]
mod tests;
