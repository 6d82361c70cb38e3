//! Units of time, length and load, and the only conversions between them.

use std::fmt;
use std::ops::{Add, Sub};

use get_size2::GetSize;

/// Number of parts in a complete task, for counting progress.
pub const WHOLE: u32 = 1_000;

/// An instant of simulated time: the number of cycles since the start of the run. Under circuit
/// switching a cycle is 1/[`CYCLES_PER_TIME`] of the unit of time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, GetSize)]
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

/// Cycles in a unit of time under circuit switching: the resolution of measurement and display (the
/// simulation is finer).
pub const CYCLES_PER_TIME: u64 = 1024;

/// Flits over a circuit in a unit of time: transmission times are whole numbers of flits, so that a
/// source draws the same messages under wormhole and circuit switching.
pub const FLITS_PER_TIME: u32 = 10_000;

/// The unit of displayed and entered times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeUnit {
    /// Cycles in a unit.
    pub cycles: u64,
    /// Flits over a channel in a unit.
    pub flits: u32,
    /// Name in the plural.
    pub name: &'static str,
}

impl TimeUnit {
    /// The cycle of wormhole switching.
    pub const CYCLE: Self = Self { cycles: 1, flits: 1, name: "cycles" };
    /// The unit of circuit switching, if different from the mean transmission time.
    pub const TIME: Self =
        Self { cycles: CYCLES_PER_TIME, flits: FLITS_PER_TIME, name: "time units" };
    /// The unit of circuit switching, if equal to the mean transmission time.
    pub const TRANSMISSION: Self = Self { name: "mean transmission times", ..Self::TIME };

    /// Maximum number of units accepted as input; longer times are impractical to wait for.
    const MOST: f64 = 1e9;

    /// Parses a number of units into cycles, at least 1; `None` if not a number, not above 0, or
    /// above 10⁹.
    pub fn parse(&self, text: &str) -> Option<u64> {
        let number: f64 = text.trim().parse().ok()?;
        let read = number > 0.0 && number <= Self::MOST;
        read.then(|| ((number * self.cycles as f64).round() as u64).max(1))
    }

    /// Formats a number of cycles: as a whole number, or in units with three decimals, the
    /// resolution of a cycle.
    pub fn text(&self, cycles: u64) -> String {
        match self.cycles {
            1 => cycles.to_string(),
            _ => format!("{:.3}", self.of(cycles as f64)),
        }
    }

    /// Converts a number of cycles to units.
    pub fn of(&self, cycles: f64) -> f64 {
        cycles / self.cycles as f64
    }
}

/// A generation rate in messages per node and unit of time: the cycle, or under circuit switching
/// the unit of the transmission times.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Rate(pub f64);

/// A load in flits per node and cycle, or in transmission times per node and unit of time.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Load(pub f64);

impl Rate {
    /// The load of messages of `length_mean` flits at this rate.
    pub fn to_load(self, length_mean: f64) -> Load {
        Load(self.0 * length_mean)
    }
}

impl Load {
    /// The rate of messages of `length_mean` flits at this load.
    pub fn to_rate(self, length_mean: f64) -> Rate {
        Rate(self.0 / length_mean)
    }
}
