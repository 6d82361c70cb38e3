//! Reasons for having no prediction.

use super::Prediction;
use crate::flows::routes::Unlisted;
use crate::units::Rate;

/// Rounds a figure to four significant digits.
fn four_digits(figure: f64) -> f64 {
    format!("{figure:.3e}").parse().unwrap_or(figure)
}

/// Reason for having no prediction.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Unsolved {
    /// The rate is at or above the model's saturation rate.
    #[error("the model saturates below {} messages/node/cycle", four_digits(.rate.0))]
    Saturated { rate: Rate },
    /// The iteration neither converged nor saturated.
    #[error("no fixed point after {iterations} rounds (residual {residual:.3e})")]
    NotSettled {
        /// Rounds made.
        iterations: u32,
        /// The largest change of an unknown in the last round.
        residual: f64,
    },
    /// Cancelled ([`super::cancellation`]).
    #[error("given up")]
    GivenUp,
    /// The work exceeds the budget ([`super::budget`]).
    #[error("stopped after {steps} steps of work: beyond the budget")]
    OverBudget { steps: u64 },
    /// The model assumes another transfer time than the system's, so that its predictions apply to
    /// another system.
    #[error(
        "not comparable: it assumes {reckoned:.1} cycles of transfer, but a message alone \
         takes {alone:.1}"
    )]
    OtherTransfer {
        /// The model's transfer in cycles.
        reckoned: f64,
        /// The system's transfer time without other messages, in cycles.
        alone: f64,
    },
    /// The model has no equations for this network.
    #[error("{0}")]
    NotCovered(String),
}

impl From<Unlisted> for Unsolved {
    fn from(why: Unlisted) -> Self {
        Self::NotCovered(why.to_string())
    }
}

impl Unsolved {
    /// True if an answer reports saturation of the network; `None` without a statement about
    /// saturation.
    pub fn saturated(answer: &Result<Prediction, Self>) -> Option<bool> {
        match answer {
            Ok(_) => Some(false),
            Err(Self::Saturated { .. }) => Some(true),
            Err(
                Self::NotSettled { .. }
                | Self::GivenUp
                | Self::OverBudget { .. }
                | Self::OtherTransfer { .. }
                | Self::NotCovered(_),
            ) => None,
        }
    }
}
