//! How long messages are, in flits.

use crate::random::Stream;
use crate::units::FLITS_PER_TIME;

/// The longest message a scenario may ask for, in flits.
pub const LENGTH_MAX: u32 = 1 << 20;

/// The distribution of message lengths.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Lengths {
    /// Every message has this many flits.
    Fixed(u32),
    /// Geometric from 1 flit up, with this mean in flits. Draws are cut at [`LENGTH_MAX`].
    Geometric(f64),
    /// Exponential with this mean. In flits that is geometric with that exact mean, from the same
    /// draws as [`Self::Geometric`]; circuits have it in flits so small that nobody can tell.
    Exponential(f64),
    /// Every length from `min` to `max` flits with the same probability.
    Uniform {
        /// The shortest, at least 1 flit.
        min: u32,
        /// The longest, in flits, not below `min`.
        max: u32,
    },
}

/// The distribution of transmission times over a circuit, in units of time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Times {
    /// Every message takes this long.
    Constant(f64),
    /// Exponential with this mean.
    Exponential(f64),
    /// Uniform between two limits.
    Uniform {
        /// The shortest.
        min: f64,
        /// The longest.
        max: f64,
    },
}

impl Lengths {
    /// The transmission times over a circuit that these lengths are ([`FLITS_PER_TIME`]).
    pub fn times(&self) -> Times {
        let time = |flits: f64| flits / f64::from(FLITS_PER_TIME);
        match *self {
            Self::Fixed(flits) => Times::Constant(time(f64::from(flits))),
            Self::Geometric(mean) | Self::Exponential(mean) => Times::Exponential(time(mean)),
            Self::Uniform { min, max } => {
                Times::Uniform { min: time(f64::from(min)), max: time(f64::from(max)) }
            }
        }
    }

    /// The mean length in flits.
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Fixed(flits) => f64::from(flits),
            Self::Geometric(mean) | Self::Exponential(mean) => mean,
            Self::Uniform { min, max } => f64::midpoint(f64::from(min), f64::from(max)),
        }
    }

    /// The length of the next message in flits.
    pub fn draw(&self, stream: &mut Stream) -> u32 {
        match *self {
            Self::Fixed(flits) => flits,
            Self::Uniform { min, max } => min + stream.below(max - min + 1),
            Self::Geometric(mean) | Self::Exponential(mean) if mean <= 1.0 => 1,
            Self::Geometric(mean) | Self::Exponential(mean) => {
                // P(length > n) = (1 − 1/mean)ⁿ, inverted with a portable logarithm.
                let tail = stream.exponential() / -libm::log1p(-1.0 / mean);
                (tail as u32).saturating_add(1).min(LENGTH_MAX)
            }
        }
    }
}

#[cfg(test)]
mod tests;
