//! Samples the state of channels at fixed intervals.

use std::collections::BTreeSet;

use educe::Educe;

use crate::engine::Snapshot;
use crate::ids::{ChannelId, NodeId};
use crate::topology::{Network, Role};

/// Sampling period of a small network in cycles.
pub const PERIOD: u64 = 1024;
/// Maximum number of virtual channels of a small network. The period of larger networks grows in
/// proportion, so that sampling takes a small share of the time.
const SMALL: u64 = 1024;

/// Sums over samples at multiples of a period. The sampling times do not depend on a clock.
#[derive(PartialEq, Debug, Default, Educe)]
#[educe(Clone)]
pub struct Census {
    /// The number of samples.
    pub samples: u64,
    /// The cycle of the last sample; later than the present if the run was rewound.
    pub until: u64,
    /// The number of cycles between samples.
    pub period: u64,
    /// Virtual channels per channel.
    pub virtual_channels: usize,
    /// The number of samples at which a message occupied each virtual channel.
    pub held: Vec<u64>,
    /// The number of heads that waited for each channel: for a grant, for space in its buffer, or
    /// behind other heads in its buffer. Messages queued at a terminal wait for the injection
    /// channel, if terminals have channels.
    pub waiting: Vec<u64>,
    /// The number of samples at which the buffer of each virtual channel was full, including flits
    /// in flight.
    pub full: Vec<u64>,
    /// True if a sampled head had a choice of several channels; such a head waits for each of them.
    pub choice: bool,
}

impl Census {
    /// Creates an empty census. `period` applies to small networks and grows with the number of
    /// virtual channels.
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

    /// True if a sample is due at a cycle.
    pub fn is_due(&self, now: u64) -> bool {
        self.period > 0 && now.is_multiple_of(self.period)
    }

    /// Adds a sample taken from a snapshot of the network.
    pub fn add(&mut self, network: &Network, snapshot: &Snapshot) {
        (self.samples, self.until) = (self.samples + 1, snapshot.cycle.0);
        let (vcs, depth) = (self.virtual_channels.max(1), snapshot.buffer_flits);
        for (at, view) in snapshot.vcs.iter().enumerate() {
            self.held[at] += u64::from(view.holder > 0);
            // Sinks and circuits have no buffers.
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

    /// The share of samples counted in `sums`, added over the virtual channels of a channel; `None`
    /// before the first sample.
    pub fn share_of(&self, sums: &[u64], channel: ChannelId) -> Option<f64> {
        let first = channel.index() * self.virtual_channels;
        let sum = sums.get(first..first + self.virtual_channels)?.iter().sum();
        self.mean(sum)
    }

    /// Mean number of heads waiting for a channel.
    pub fn heads(&self, channel: ChannelId) -> Option<f64> {
        self.mean(*self.waiting.get(channel.index())?)
    }

    /// The mean of a sum over samples; `None` before the first sample.
    pub fn mean(&self, sum: u64) -> Option<f64> {
        (self.samples > 0).then(|| sum as f64 / self.samples as f64)
    }

    /// Adds the samples of another run of the same network.
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
