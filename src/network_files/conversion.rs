//! Configurations of other simulators as scenarios.

/// A configuration as a scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// The text of the scenario.
    pub scenario: String,
    /// Approximations, and keys without effect.
    pub notes: Vec<String>,
}
