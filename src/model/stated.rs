//! How far a prediction may be off, as far as that was measured.

use std::fmt;

use super::Mismatch;
use crate::system::System;

/// How far latencies may be off that a model predicts, by what was measured on systems drawn once.
#[derive(Clone, PartialEq, Debug)]
pub enum StatedError {
    /// In two of three systems like this one, by at most this part of the simulated latency.
    Within {
        /// 0.08 for 8 %.
        part: f64,
        /// Systems that were measured.
        systems: u32,
    },
    /// Nothing like it was measured: why, in words.
    NotMeasured(String),
}

/// A part in whole per cent, rounded up.
fn whole(part: f64) -> f64 {
    (100.0 * part).ceil().max(1.0)
}

/// Shares of the load at which a model saturates at which errors were measured.
pub const SHARES: [f64; 4] = [0.25, 0.5, 0.75, 0.9];

/// What was measured of a model on some systems.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// How many systems.
    pub systems: u32,
    /// What two of three of them stay within, by [share](SHARES), in per cent of the simulated latency.
    pub within: [f64; SHARES.len()],
}

impl Measured {
    /// The error at this share of the load at which the model saturates: between shares that were
    /// measured, on the line between theirs.
    pub fn at(&self, share: f64) -> StatedError {
        let &Self { systems, within } = self;
        if share > SHARES[SHARES.len() - 1] {
            let why = "loads above 90 % of that at which it saturates";
            return StatedError::NotMeasured(why.to_owned());
        }
        let above = SHARES.iter().position(|&it| share <= it).unwrap_or(0);
        let below = above.saturating_sub(1);
        let way = (share - SHARES[below]) / (SHARES[above] - SHARES[below]);
        let percent = match above {
            0 => within[0],
            _ => within[below] + way * (within[above] - within[below]),
        };
        StatedError::Within { part: percent / 100.0, systems }
    }

    /// The error of a model on a system that breaks these of its assumptions, in a square whose side
    /// and messages have to be within what was measured.
    pub(super) fn in_square(
        &self,
        system: &System,
        mismatches: &[Mismatch],
        (sides, lengths): ([u32; 2], [f64; 2]),
        share: f64,
    ) -> StatedError {
        let side = system.network.cube().map_or(0, |cube| cube.radix()[0]);
        let length = system.traffic.lengths.mean();
        StatedError::NotMeasured(if let Some(broken) = mismatches.first() {
            broken.found.clone()
        } else if !(sides[0]..=sides[1]).contains(&side) {
            format!("{side} routers on a side, where {} to {} were", sides[0], sides[1])
        } else if !(lengths[0]..=lengths[1]).contains(&length) {
            format!("messages of {length} flits, where {} to {} were", lengths[0], lengths[1])
        } else {
            return self.at(share);
        })
    }
}

impl StatedError {
    /// The part that two of three systems stay within, and how many were measured.
    pub fn within(&self) -> Option<(f64, u32)> {
        match *self {
            Self::Within { part, systems } => Some((part, systems)),
            Self::NotMeasured(_) => None,
        }
    }

    /// What two of three systems stay within, in whole per cent, rounded up.
    pub fn percent(&self) -> Option<f64> {
        self.within().map(|(part, _)| whole(part))
    }
}

impl fmt::Display for StatedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Within { part, systems } => {
                let percent = whole(*part);
                write!(f, "within {percent} % in two of three systems like this ({systems})")
            }
            Self::NotMeasured(why) => write!(f, "not measured: {why}"),
        }
    }
}
