//! Measured and predicted figures of a link.

use super::{LinkUse, Update};
use crate::ids::ChannelId;
use crate::model::ChannelForecast;
use crate::topology::Role;

/// A figure as measured and as predicted, if available.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measured {
    pub measured: Option<f64>,
    pub predicted: Option<f64>,
}

impl Measured {
    /// Use of a channel: [`LinkFigures::flow`].
    pub fn flow(update: &Update, channel: ChannelId) -> Self {
        let role = update.scenario.system.network.channel(channel).role;
        let flow = update.usage.shares.get(channel.index()).copied().map(f64::from);
        let predicted =
            update.theory.as_deref().and_then(|theory| match theory.utilisation.as_deref()? {
                LinkUse::Channels(uses) if role == Role::Link || theory.channels.is_some() => {
                    uses.get(channel.index()).copied()
                }
                &LinkUse::Mean(mean) if role == Role::Link => Some(mean),
                LinkUse::Channels(_) | LinkUse::Mean(_) => None,
            });
        Self { measured: flow.filter(|_| update.usage.cycles > 0), predicted }
    }

    /// Measured less predicted, if both exist.
    pub fn difference(self) -> Option<f64> {
        Some(self.measured? - self.predicted?)
    }
}

/// Figures of a link, an injection or an ejection channel.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LinkFigures {
    /// Flits per cycle (for a circuit: the share of time during which the channel is held).
    /// Measured over every cycle of [`Usage::cycles`](super::Usage::cycles).
    pub flow: Measured,
    /// Share of time during which a message holds the channel, the mean of its virtual channels.
    /// Measured, like all following figures, by [`Census`](crate::session::census::Census).
    /// Predicted: 002, equation (7).
    pub held: Measured,
    /// Mean number of heads waiting for the channel, including heads behind others in a buffer; for
    /// an injection channel, including the messages in its host's queue.
    pub heads: Measured,
    /// Mean cycles a message waits for the channel: by Little's law, the number of waiting heads
    /// divided by the messages arriving per cycle. Measured only if heads have no alternative
    /// channel. Predicted: 002, equations (9), (15) and (19).
    pub wait: Measured,
    /// Share of time during which the channel's buffer is full, the mean of its virtual channels.
    /// Measured: no room for another flit. Predicted: as many whole worms as fit are in the buffer
    /// or on their way, 002, equation (16); hence a buffer shorter than the next worm always counts
    /// as full, even if empty.
    pub full: Measured,
}

impl LinkFigures {
    /// The figures of a channel.
    pub fn of(update: &Update, channel: ChannelId) -> Self {
        let system = &update.scenario.system;
        let role = system.network.channel(channel).role;
        let census = &update.usage.census;
        let vcs = f64::from(update.snapshot.virtual_channels.max(1));
        let share = |sums: &[u64]| census.share_of(sums, channel).map(|sum| sum / vcs);
        let lengths = system.traffic.lengths.mean();
        let flow = Measured::flow(update, channel);
        let heads = census.heads(channel);
        // The number of arrivals is unknown for circuits.
        let messages = flow.measured.filter(|&flow| flow > 0.0 && !census.choice);
        let messages = messages.filter(|_| system.wormhole().is_some()).map(|it| it / lengths);
        let buffers = role != Role::Ejection && update.snapshot.buffer_flits > 0;
        let only = |measured| Measured { measured, predicted: None };
        let mut figures = Self {
            flow,
            held: only(share(&census.held)),
            heads: only(heads),
            wait: only(heads.zip(messages).map(|(heads, messages)| heads / messages)),
            full: only(share(&census.full).filter(|_| buffers)),
        };
        if let Some(forecast) = forecast(update, channel) {
            figures.held.predicted = forecast.held_mean.map(|held| forecast.flow * held);
            figures.heads.predicted = Some(forecast.flow * forecast.wait_mean);
            figures.wait.predicted = Some(forecast.wait_mean);
            figures.full.predicted = forecast.full;
        }
        figures
    }

    /// Deviation of the simulation from the model: in cycles of waiting if predicted, else in flits
    /// per cycle.
    pub fn difference(&self) -> Option<f64> {
        match self.wait.predicted {
            Some(_) => self.wait.difference(),
            None => self.flow.difference(),
        }
    }
}

/// Prediction for a channel beyond its flow, if any.
pub fn forecast(update: &Update, channel: ChannelId) -> Option<&ChannelForecast> {
    let channels = update.theory.as_deref()?.channels.as_deref()?;
    let at = channels.binary_search_by_key(&channel, |forecast| forecast.channel).ok()?;
    Some(&channels[at])
}
