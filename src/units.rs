//! Units of time, length and load, and the only conversions between them.

use std::fmt;
use std::ops::{Add, Sub};

/// An instant of simulated time: the number of cycles since the start of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cycle(pub u64);

impl Add<u64> for Cycle {
    type Output = Self;
    fn add(self, cycles: u64) -> Self {
        Self(self.0 + cycles)
    }
}

impl Sub for Cycle {
    type Output = u64;
    /// The number of cycles from `earlier` to `self`.
    fn sub(self, earlier: Self) -> u64 {
        self.0 - earlier.0
    }
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A generation rate in messages per node and cycle.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Rate(pub f64);

/// A load in flits per node and cycle.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Load(pub f64);

impl Rate {
    /// The load that messages of `length_mean` flits make at this rate.
    pub fn to_load(self, length_mean: f64) -> Load {
        Load(self.0 * length_mean)
    }
}

impl Load {
    /// The rate at which messages of `length_mean` flits make this load.
    pub fn to_rate(self, length_mean: f64) -> Rate {
        Rate(self.0 / length_mean)
    }
}
