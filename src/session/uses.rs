//! Uses of the channels of a run: flits and waits are counted, other figures sampled.

use educe::Educe;
use get_size2::GetSize;

use super::Session;
use super::census::{Census, PERIOD};
use crate::engine::{Snapshot, VcUse};
use crate::ids::ChannelId;
use crate::units::Cycle;

/// Sampling period for worms in a small network, in cycles.
const FINE_PERIOD: u64 = 64;

/// Uses of the channels since the end of the warm-up; during the warm-up, since the load was set.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Uses {
    /// The number of cycles counted.
    pub cycles: u64,
    /// Flits that crossed each channel; for circuits, cycles of link occupancy.
    pub flits: Vec<u64>,
    /// Uses of each virtual channel; empty for circuits.
    pub vcs: Vec<VcUse>,
    /// Sums over samples.
    pub census: Census,
}

impl Uses {
    /// Uses of the virtual channels of a channel; empty if flits do not use virtual channels.
    pub fn vcs_of(&self, channel: ChannelId) -> &[VcUse] {
        let count = self.census.virtual_channels;
        let all = self.vcs.get(channel.index() * count..(channel.index() + 1) * count);
        let all = all.unwrap_or_default();
        let flits = all.iter().map(|vc| vc.flits).sum::<u64>();
        if flits == self.flits[channel.index()] { all } else { &[] }
    }

    /// Adds the uses in another run of the same network.
    pub fn join(&mut self, other: &Self) {
        self.cycles += other.cycles;
        self.flits.iter_mut().zip(&other.flits).for_each(|(sum, flits)| *sum += flits);
        for (sum, vc) in self.vcs.iter_mut().zip(&other.vcs) {
            sum.flits += vc.flits;
            sum.waited += vc.waited;
        }
        self.census.join(&other.census);
    }
}

/// Counts uses relative to the state at its start.
#[derive(Debug, Educe)]
#[educe(Clone)]
pub(super) struct UseCounter {
    since: Cycle,
    /// True once the warm-up is over.
    settled: bool,
    /// Flits that had crossed each channel at the start.
    flits: Vec<u64>,
    vcs: Vec<VcUse>,
    census: Census,
    snapshot: Snapshot,
}

impl UseCounter {
    pub fn new(session: &Session) -> Self {
        let system = &session.scenario().system;
        let period = if system.wormhole().is_some() { FINE_PERIOD } else { PERIOD };
        let vcs = system.switching.virtual_channels();
        let (mut flits, mut uses) = (Vec::new(), Vec::new());
        session.engine().crossings(&mut flits);
        session.engine().vc_uses(&mut uses);
        Self {
            since: session.now(),
            settled: session.statistics().settled_at(session.now().0).is_some(),
            flits,
            vcs: uses,
            census: Census::new(&system.network, vcs, period),
            snapshot: Snapshot::default(),
        }
    }

    /// The cycle of the next sample.
    pub fn next(&self, now: Cycle) -> Cycle {
        Cycle((now.0 / self.census.period + 1) * self.census.period)
    }

    /// Takes the sample if due; restarts instead with the first sample after the warm-up.
    pub fn look(&mut self, session: &Session) {
        let now = session.now();
        // No cycle at which a caller pauses may matter.
        if !self.census.is_due(now.0) {
            return;
        }
        if !self.settled && session.statistics().settled_at(now.0).is_some() {
            *self = Self::new(session);
        } else {
            session.observe(&mut self.snapshot);
            self.census.add(&session.scenario().system.network, &self.snapshot);
        }
    }

    /// The uses since the start.
    pub fn read(&self, session: &Session) -> Uses {
        let (mut flits, mut vcs) = (Vec::new(), Vec::new());
        session.engine().crossings(&mut flits);
        session.engine().vc_uses(&mut vcs);
        for (vc, before) in vcs.iter_mut().zip(&self.vcs) {
            vc.flits -= before.flits;
            vc.waited -= before.waited;
        }
        let flits = flits.iter().zip(&self.flits);
        Uses {
            cycles: session.now() - self.since,
            flits: flits.map(|(now, then)| now - then).collect(),
            vcs,
            census: self.census.clone(),
        }
    }

    /// Size on the heap in bytes.
    pub fn bytes(&self) -> usize {
        let vcs = self.vcs.get_heap_size();
        vcs + 8 * (self.flits.len() + self.census.held.len() * 2 + self.census.waiting.len())
    }
}

#[cfg(test)]
mod tests;
