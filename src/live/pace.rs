//! A requested pace, in the unit of time of the run.

use std::fmt;
use std::str::FromStr;

use super::Speed;
use crate::units::TimeUnit;

/// Pace of the simulation, independent of the unit of time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Pace {
    /// A pace suitable for watching; see [`Speed::natural`].
    #[default]
    Natural,
    /// A number of units of time (for worms: cycles) per second.
    PerSecond(f64),
    /// The maximum pace of the machine.
    Max,
}

impl Pace {
    /// Limits of a pace per second.
    const LEAST: f64 = 0.001;
    const MOST: f64 = 1e9;

    /// Speed of a run with the given unit of time.
    pub fn speed(self, unit: TimeUnit) -> Speed {
        match self {
            Self::Natural => Speed::natural(unit),
            Self::PerSecond(units) => Speed::PerSecond(units * unit.cycles as f64),
            Self::Max => Speed::Max,
        }
    }
}

impl FromStr for Pace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "natural" => Ok(Self::Natural),
            "max" => Ok(Self::Max),
            number => match number.parse::<f64>() {
                Ok(number) if (Self::LEAST..=Self::MOST).contains(&number) => {
                    Ok(Self::PerSecond(number))
                }
                _ => Err(format!(
                    "a pace is a number of cycles per second (of circuits: of units of time) from {} \
                     to {:e}, `natural` or `max`",
                    Self::LEAST,
                    Self::MOST
                )),
            },
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Natural => f.write_str("natural"),
            Self::PerSecond(units) => write!(f, "{units}"),
            Self::Max => f.write_str("max"),
        }
    }
}

#[cfg(test)]
mod tests;
