//! What a model says of single channels: rows of `predict --channels`.

use serde::Serialize;

use crate::model::ChannelForecast;
use crate::topology::Network;

/// A channel as a model sees it.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct ChannelRow {
    /// Its name.
    pub channel: String,
    /// Its place in the order of computation, 1 at the destinations.
    pub rank: u32,
    /// Channels from which messages come to it.
    pub inputs: u32,
    /// Messages per cycle.
    pub flow: f64,
    /// Share of time in which the head of its buffer is taken.
    pub busy: f64,
    /// Mean cycles that a worm needs at the head of its buffer.
    pub service_mean: f64,
    /// Mean cycles of waiting for it and in its buffer; at the source, for an injection channel.
    pub wait_mean: f64,
    /// The part that is contention for it.
    pub contention_mean: f64,
    /// The part spent behind others in its buffer.
    pub buffering_mean: f64,
    /// Probability that its buffer is full.
    pub buffer_full: Option<f64>,
    /// Mean cycles for which a worm holds it.
    pub held_mean: Option<f64>,
}

impl ChannelRow {
    /// The row of one channel of `network`.
    pub(super) fn of(network: &Network, channel: &ChannelForecast) -> Self {
        Self {
            channel: network.channel_name(channel.channel),
            rank: channel.rank,
            inputs: channel.inputs,
            flow: channel.flow,
            busy: channel.busy(),
            service_mean: channel.service.mean,
            wait_mean: channel.wait_mean,
            contention_mean: channel.contention_mean,
            buffering_mean: channel.buffering_mean,
            buffer_full: channel.full,
            held_mean: channel.held_mean,
        }
    }

    /// The headings of [`Self::line`].
    pub(super) fn heading() -> String {
        line([
            "channel",
            "rank",
            "inputs",
            "flow",
            "busy",
            "service",
            "wait",
            "contention",
            "buffered",
            "full",
            "held",
        ])
    }

    /// One line of a table for people.
    pub(super) fn line(&self) -> String {
        let fixed = |figure: Option<f64>, decimals: usize| {
            figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.decimals$}"))
        };
        line([
            self.channel.as_str(),
            &self.rank.to_string(),
            &self.inputs.to_string(),
            &format!("{:.6}", self.flow),
            &format!("{:.4}", self.busy),
            &format!("{:.2}", self.service_mean),
            &format!("{:.2}", self.wait_mean),
            &format!("{:.2}", self.contention_mean),
            &format!("{:.2}", self.buffering_mean),
            &fixed(self.buffer_full, 4),
            &fixed(self.held_mean, 2),
        ])
    }
}

fn line(cells: [&str; 11]) -> String {
    let [channel, rest @ ..] = cells;
    let figures = rest.map(|figure| format!("{figure:>10} ")).concat();
    format!("  {channel:<14}{}", figures.trim_end())
}
