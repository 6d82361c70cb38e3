//! How far a prediction may be off, as far as that was measured.

use std::fmt;

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
    /// More than a third of the systems like this one saturate before, or have no prediction.
    Saturates {
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

impl StatedError {
    /// What two of three systems stay within, in whole per cent, rounded up.
    pub fn percent(&self) -> Option<f64> {
        match self {
            Self::Within { part, .. } => Some(whole(*part)),
            Self::Saturates { .. } | Self::NotMeasured(_) => None,
        }
    }
}

impl fmt::Display for StatedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Within { part, systems } => {
                let percent = whole(*part);
                write!(f, "within {percent} % in two of three systems like this ({systems})")
            }
            Self::Saturates { systems } => {
                write!(f, "one in three systems like this saturates before ({systems})")
            }
            Self::NotMeasured(why) => write!(f, "not measured: {why}"),
        }
    }
}
