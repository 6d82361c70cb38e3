//! Predictions for single paths.

use crate::ids::ChannelId;

/// The prediction for one path.
#[derive(Clone, PartialEq, Debug)]
pub struct PathForecast {
    /// All channels from the source to the destination.
    pub channels: Vec<ChannelId>,
    /// The share of all messages on this path.
    pub share: f64,
    /// Mean latency in cycles, generation to consumption of the tail.
    pub latency_mean: f64,
}
