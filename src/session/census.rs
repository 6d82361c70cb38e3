//! What the channels of a network are found doing when they are looked at at fixed intervals.

use std::collections::BTreeSet;

use educe::Educe;

use crate::engine::Snapshot;
use crate::ids::{ChannelId, NodeId};
use crate::topology::{Network, Role};

/// Cycles between looks at a small network.
pub const PERIOD: u64 = 1024;
/// Virtual channels of a network up to which it is small; the period grows with them beyond, so
/// that looking never takes more than a small part of the time.
const SMALL: u64 = 1024;

/// Sums over looks at multiples of a period, so that no wall clock decides about them.
#[derive(PartialEq, Debug, Default, Educe)]
#[educe(Clone)]
pub struct Census {
    /// Looks taken.
    pub samples: u64,
    /// The cycle of the last one: ahead, where the run has gone back since.
    pub until: u64,
    /// Cycles from one to the next.
    pub period: u64,
    /// Virtual channels per channel.
    pub virtual_channels: usize,
    /// Looks at which a message held each virtual channel.
    pub held: Vec<u64>,
    /// By channel, the heads that waited for it: for a grant, for room in its buffer, or behind
    /// others in its buffer. A terminal's waiting messages wait for its injection channel, where
    /// terminals have channels.
    pub waiting: Vec<u64>,
    /// Looks at which the buffer of each virtual channel was full, flits under way included.
    pub full: Vec<u64>,
    /// True if a head was found that could go on over more than one channel: it waits for each.
    pub choice: bool,
}

impl Census {
    /// One without a look. The period of a small network grows with the virtual channels.
    pub fn new(network: &Network, virtual_channels: u32, period: u64) -> Self {
        let (channels, vcs) = (network.channels().len(), virtual_channels as usize);
        let all = channels * vcs;
        Self {
            period: period * (all as u64).div_ceil(SMALL).max(1),
            virtual_channels: vcs,
            held: vec![0; all],
            waiting: vec![0; channels],
            full: vec![0; all],
            ..Self::default()
        }
    }

    /// True if a look is due at a cycle.
    pub fn is_due(&self, now: u64) -> bool {
        self.period > 0 && now.is_multiple_of(self.period)
    }

    /// Takes a look at a picture of the network.
    pub fn add(&mut self, network: &Network, snapshot: &Snapshot) {
        (self.samples, self.until) = (self.samples + 1, snapshot.cycle.0);
        let (vcs, depth) = (self.virtual_channels.max(1), snapshot.buffer_flits);
        for (at, view) in snapshot.vcs.iter().enumerate() {
            self.held[at] += u64::from(view.holder > 0);
            // Sinks have no buffers; nor have circuits.
            if depth > 0 && network.channels()[at / vcs].role != Role::Ejection {
                self.full[at] += u64::from(view.flits >= depth);
            }
        }
        for (node, &messages) in snapshot.queues.iter().enumerate() {
            if let Some(channel) = network.injection_of(NodeId::new(node)) {
                self.waiting[channel.index()] += messages;
            }
        }
        for waits in snapshot.waits.chunk_by(|one, next| one.worm == next.worm) {
            let wanted: BTreeSet<ChannelId> =
                waits.iter().map(|wait| snapshot.split(wait.wants).0).collect();
            for channel in &wanted {
                self.waiting[channel.index()] += 1;
            }
            self.choice |= wanted.len() > 1;
        }
    }

    /// The sum over the virtual channels of a channel of the shares of looks that `sums` counts; `None`
    /// before the first look.
    pub fn share_of(&self, sums: &[u64], channel: ChannelId) -> Option<f64> {
        let first = channel.index() * self.virtual_channels;
        let sum = sums.get(first..first + self.virtual_channels)?.iter().sum();
        self.mean(sum)
    }

    /// Mean number of heads that wait for a channel.
    pub fn heads(&self, channel: ChannelId) -> Option<f64> {
        self.mean(*self.waiting.get(channel.index())?)
    }

    /// A sum over looks as a mean; `None` before the first.
    pub fn mean(&self, sum: u64) -> Option<f64> {
        (self.samples > 0).then(|| sum as f64 / self.samples as f64)
    }

    /// Adds the looks at another run of the same network.
    pub fn join(&mut self, other: &Self) {
        let add = |sums: &mut Vec<u64>, others: &[u64]| {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        };
        self.samples += other.samples;
        self.until = self.until.max(other.until);
        add(&mut self.held, &other.held);
        add(&mut self.waiting, &other.waiting);
        add(&mut self.full, &other.full);
        self.choice |= other.choice;
    }
}
