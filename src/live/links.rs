//! One link by two accounts: what was measured of it, and what the model says.

use super::{LinkUse, Update};
use crate::ids::ChannelId;
use crate::model::ChannelForecast;
use crate::topology::Role;

/// A figure as measured and as predicted, each where there is one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measured {
    pub measured: Option<f64>,
    pub predicted: Option<f64>,
}

impl Measured {
    /// The use of a channel: [`LinkFigures::flow`].
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

    /// Measured less predicted, where there are both.
    pub fn difference(self) -> Option<f64> {
        Some(self.measured? - self.predicted?)
    }
}

/// What there is to say of a link, an injection or an ejection channel.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LinkFigures {
    /// Flits per cycle (for a circuit: the share of time for which it is held). Measured over every
    /// cycle of [`Usage::cycles`](super::Usage::cycles).
    pub flow: Measured,
    /// Share of time for which a message holds it, the mean of its virtual channels. Measured, as
    /// all that follows, by [`Census`](crate::session::census::Census). Predicted: 002, equation (7).
    pub held: Measured,
    /// Mean number of heads that wait for it, behind others in its buffer included; at an injection
    /// channel with the messages of its host's queue.
    pub heads: Measured,
    /// Mean cycles that a message waits for it: by Little's law, the heads that wait by the
    /// messages that come per cycle. Measured only where heads have no other way to go. Predicted:
    /// 002, equations (9), (15) and (19).
    pub wait: Measured,
    /// Share of time for which its buffer is full, the mean of its virtual channels. Measured: no
    /// flit has room. Predicted: as many whole worms as fit are there or on their way, 002, equation
    /// (16); a buffer shorter than the next worm is always full by that, even an empty one.
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
        // Of circuits it is not known how many come.
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

    /// How far the simulation is off the model: in cycles of waiting where the model says them,
    /// else in flits per cycle.
    pub fn difference(&self) -> Option<f64> {
        match self.wait.predicted {
            Some(_) => self.wait.difference(),
            None => self.flow.difference(),
        }
    }
}

/// What the model says of a channel beyond its flow, if it does.
pub fn forecast(update: &Update, channel: ChannelId) -> Option<&ChannelForecast> {
    let channels = update.theory.as_deref()?.channels.as_deref()?;
    let at = channels.binary_search_by_key(&channel, |forecast| forecast.channel).ok()?;
    Some(&channels[at])
}
