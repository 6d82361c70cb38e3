//! Figures of all messages of a script.

use std::collections::HashMap;

use super::message::{Event, Follower, ScriptMessage};
use crate::ids::NodeId;
use crate::random::mix;
use crate::traffic::destinations::{Form, Weight, Weights};
use crate::traffic::lengths::Lengths;

/// Numbers and lengths of messages.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    pub messages: u64,
    pub flits: u64,
    /// The shortest and the longest length in flits.
    pub lengths: [u32; 2],
}

impl Totals {
    const NONE: Self = Self { messages: 0, flits: 0, lengths: [u32::MAX, 0] };

    fn with(self, other: Self) -> Self {
        let [shortest, longest] = self.lengths;
        Self {
            messages: self.messages + other.messages,
            flits: self.flits + other.flits,
            lengths: [shortest.min(other.lengths[0]), longest.max(other.lengths[1])],
        }
    }

    /// The mean length in flits.
    pub fn length_mean(&self) -> f64 {
        self.flits as f64 / self.messages.max(1) as f64
    }

    /// Random lengths with this mean.
    pub fn random_lengths(&self) -> Lengths {
        let [shortest, longest] = self.lengths;
        if shortest == longest {
            Lengths::Fixed(longest)
        } else {
            Lengths::Geometric { mean: self.length_mean().max(1.0) }
        }
    }
}

/// Figures of all messages.
#[derive(Debug)]
pub(super) struct Summary {
    /// The totals of each class, up to the last with messages.
    pub classes: Vec<Totals>,
    pub all: Totals,
    pub latest: u64,
    /// The flits of the node that sends most.
    pub most: u64,
    /// The number of messages that await no other.
    pub at_once: u64,
    /// True if a message awaits an event before the delivery.
    pub departures: bool,
    pub checksum: u64,
    pub flows: Weights,
}

/// The figures of the messages counted so far, in the order of the script.
#[derive(Debug, Default)]
pub struct Tally {
    classes: Vec<Totals>,
    latest: u64,
    departures: bool,
    checksum: u64,
    /// The flits of every pair of nodes.
    flows: HashMap<[u32; 2], u64>,
}

impl Tally {
    /// Counts a message.
    pub fn add(&mut self, message: &ScriptMessage) {
        let ScriptMessage { born, source, destination, length, class, .. } = *message;
        let at = usize::from(class);
        if self.classes.len() <= at {
            self.classes.resize(at + 1, Totals::NONE);
        }
        let one = Totals { messages: 1, flits: length.into(), lengths: [length; 2] };
        self.classes[at] = self.classes[at].with(one);
        self.latest = self.latest.max(born);
        let ends = u64::from(source.0) << 32 | u64::from(destination.0);
        let words = [ends, u64::from(class) << 32 | u64::from(length), born];
        self.checksum = words.into_iter().fold(self.checksum, mix);
        *self.flows.entry([source.0, destination.0]).or_default() += u64::from(length);
    }

    /// Counts a condition about the message counted last.
    pub(super) fn add_follower(&mut self, follower: &Follower) {
        let Follower { message, event, delay } = *follower;
        self.departures |= event < Event::Delivered;
        let times = (event as u64) << 32 | u64::from(delay);
        self.checksum = mix(mix(self.checksum, message), times);
    }

    /// The number of messages counted.
    pub fn messages(&self) -> u64 {
        self.classes.iter().map(|class| class.messages).sum()
    }

    /// The figures; the first `at_once` messages await no other.
    pub(super) fn summary(self, at_once: u64) -> Summary {
        let mut flows: Vec<([u32; 2], u64)> = self.flows.into_iter().collect();
        flows.sort_unstable();
        let mut sent: HashMap<u32, u64> = HashMap::new();
        for &([source, _], flits) in &flows {
            *sent.entry(source).or_default() += flits;
        }
        let weight = |([source, destination], flits): ([u32; 2], u64)| Weight {
            source: NodeId(source),
            destination: NodeId(destination),
            weight: flits as f64,
        };
        Summary {
            all: self.classes.iter().fold(Totals::NONE, |sum, &class| sum.with(class)),
            classes: self.classes,
            latest: self.latest,
            most: sent.into_values().max().unwrap_or_default(),
            at_once,
            departures: self.departures,
            checksum: self.checksum,
            flows: Weights::new(Form::Script, flows.into_iter().map(weight).collect()),
        }
    }
}

impl Summary {
    /// The totals of a class.
    pub fn of_class(&self, class: u8) -> Totals {
        self.classes.get(usize::from(class)).copied().unwrap_or(Totals::NONE)
    }
}
