//! The reasons for which a model has no prediction.

use super::Prediction;
use crate::flows::routes::Unlisted;
use crate::units::Rate;

/// A figure with four significant digits.
fn four_digits(figure: f64) -> f64 {
    format!("{figure:.3e}").parse().unwrap_or(figure)
}

/// Why there is no prediction.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Unsolved {
    /// The rate is at or above the model's saturation rate.
    #[error("the model saturates below {} messages/node/cycle", four_digits(.rate.0))]
    Saturated { rate: Rate },
    /// The iteration neither settled nor saturated.
    #[error("no fixed point after {iterations} rounds (residual {residual:.3e})")]
    NotSettled {
        /// Rounds made.
        iterations: u32,
        /// The largest change of an unknown in the last round.
        residual: f64,
    },
    /// Nobody wants the answer any longer ([`super::wanted`]).
    #[error("given up")]
    GivenUp,
    /// It takes more work than is granted ([`super::budget`]).
    #[error("stopped after {steps} steps of work: beyond the budget")]
    OverBudget { steps: u64 },
    /// What a message takes alone is another time than the model reckons with, so that its figures
    /// are of another system.
    #[error(
        "not comparable: it reckons with {reckoned:.1} cycles of transfer, where a message alone \
         takes {alone:.1}"
    )]
    OtherTransfer {
        /// The model's transfer in cycles.
        reckoned: f64,
        /// That of a message alone, in cycles.
        alone: f64,
    },
    /// The model has no equations for this network at all.
    #[error("{0}")]
    NotCovered(String),
}

impl From<Unlisted> for Unsolved {
    fn from(why: Unlisted) -> Self {
        Self::NotCovered(why.to_string())
    }
}

impl Unsolved {
    /// Whether an answer says that the network is saturated; `None` where it says nothing of that.
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
