//! How long messages are, in flits.

use crate::random::Stream;

/// The longest message a scenario may ask for, in flits.
pub const LENGTH_MAX: u32 = 1 << 20;

/// The distribution of message lengths.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Lengths {
    /// Every message has this many flits.
    Fixed(u32),
    /// Geometric from 1 flit up, with this mean in flits. Draws are cut at [`LENGTH_MAX`].
    Geometric(f64),
}

impl Lengths {
    /// The mean length in flits.
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Fixed(flits) => f64::from(flits),
            Self::Geometric(mean) => mean,
        }
    }

    /// The length of the next message in flits.
    pub fn draw(&self, stream: &mut Stream) -> u32 {
        match *self {
            Self::Fixed(flits) => flits,
            Self::Geometric(mean) if mean <= 1.0 => 1,
            Self::Geometric(mean) => {
                // P(length > n) = (1 − 1/mean)ⁿ, inverted with a portable logarithm.
                let tail = stream.exponential() / -libm::log1p(-1.0 / mean);
                (tail as u32).saturating_add(1).min(LENGTH_MAX)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Streams};

    #[test]
    fn geometric_lengths_have_the_mean_and_the_share_of_ones() {
        let mut stream = Streams::new(3, 0, Purpose::Lengths).next_node();
        let draws = 200_000;
        let (mut sum, mut ones) = (0u64, 0u32);
        for _ in 0..draws {
            let length = Lengths::Geometric(8.0).draw(&mut stream);
            assert!(length >= 1);
            sum += u64::from(length);
            ones += u32::from(length == 1);
        }
        let mean = sum as f64 / f64::from(draws);
        // Standard deviation √(8·7) ≈ 7.5, so 8 standard errors are 0.134.
        assert!((mean - 8.0).abs() < 0.134, "{mean}");
        assert!((f64::from(ones) / f64::from(draws) - 0.125).abs() < 0.006);
    }
}
