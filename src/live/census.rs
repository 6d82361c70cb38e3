//! What links are found doing when they are looked at at fixed intervals: held, waited for, with
//! full buffers.

use std::collections::BTreeSet;

use educe::Educe;

use crate::engine::Snapshot;
use crate::ids::{ChannelId, NodeId};
use crate::topology::{Network, Role};

/// Cycles between looks at a small network.
const PERIOD: u64 = 1024;
/// Virtual channels of a network up to which it is small; the period grows with them beyond, so
/// that looking never takes more than a small part of the time.
const SMALL: u64 = 1024;

/// Sums over looks at fixed cycles since the warm-up at the present load ended; while it lasts,
/// since the load was set. The looks stand at multiples of [`Self::period`], so that no wall clock
/// decides about them.
#[derive(PartialEq, Debug, Default, Educe)]
#[educe(Clone)]
pub struct Census {
    /// Looks taken.
    pub samples: u64,
    /// Cycles from one to the next.
    pub period: u64,
    /// By channel, the virtual channels of it that a message held.
    pub held: Vec<u64>,
    /// By channel, the heads that waited for it: for a grant, for room in its buffer, or behind
    /// others in its buffer. A terminal's waiting messages wait for its injection channel, where
    /// terminals have channels.
    pub waiting: Vec<u64>,
    /// By channel, its virtual channels whose buffers were full, flits on their way included.
    pub full: Vec<u64>,
    /// Whether a head was found that could go on over more than one channel: it waits for each.
    pub choice: bool,
}

impl Census {
    /// One without a look. The period grows with the virtual channels of the network.
    pub(super) fn new(network: &Network, virtual_channels: u32) -> Self {
        let channels = network.channels().len();
        let period = PERIOD * (channels as u64 * u64::from(virtual_channels)).div_ceil(SMALL);
        let zeros = || vec![0; channels];
        Self { period, held: zeros(), waiting: zeros(), full: zeros(), ..Self::default() }
    }

    pub(super) fn is_due(&self, now: u64) -> bool {
        self.period > 0 && now.is_multiple_of(self.period)
    }

    pub(super) fn add(&mut self, network: &Network, snapshot: &Snapshot) {
        self.samples += 1;
        let (vcs, depth) = (snapshot.virtual_channels as usize, snapshot.buffer_flits);
        for (channel, views) in snapshot.vcs.chunks_exact(vcs.max(1)).enumerate() {
            self.held[channel] += views.iter().filter(|view| view.holder > 0).count() as u64;
            // Sinks have no buffers; nor have circuits.
            if depth > 0 && network.channels()[channel].role != Role::Ejection {
                let full = views.iter().filter(|view| view.flits >= depth).count();
                self.full[channel] += full as u64;
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
            wanted.iter().for_each(|channel| self.waiting[channel.index()] += 1);
            self.choice |= wanted.len() > 1;
        }
    }

    /// A sum over looks as a mean; `None` before the first.
    pub(super) fn mean(&self, sums: &[u64], channel: ChannelId) -> Option<f64> {
        let sum = *sums.get(channel.index())?;
        (self.samples > 0).then(|| sum as f64 / self.samples as f64)
    }
}
