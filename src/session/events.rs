//! Detects the events of a cycle by comparing two snapshots, without support by the engines.

use std::collections::BTreeSet;

use bitflags::bitflags;

use super::Session;
use crate::engine::{CircuitState, Counters, HeadState, Snapshot};
use crate::ids::ChannelId;
use crate::units::Cycle;

bitflags! {
    /// Kinds of events.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Events: u8 {
        /// The first flit of a message left its source.
        const INJECTION = 1;
        /// A message arrived completely, including its tail.
        const DELIVERY = 2;
        /// A head was blocked in the network.
        const BLOCKING = 4;
        /// A deadlock closed: the last head of a cyclic wait was blocked.
        const DEADLOCK = 8;
        /// A link or router failed.
        const FAILURE = 16;
        /// A failed link or router works again.
        const REPAIR = 32;
        /// Messages follow other routes, because of a failure or repair.
        const REROUTING = 64;
    }
}

impl Events {
    /// Display names of the events.
    pub fn names(self) -> Vec<String> {
        self.iter_names().map(|(name, _)| name.to_lowercase()).collect()
    }
}

/// After this number of cycles without movement no flit can be in flight in a wormhole network:
/// more than the longest channel latency.
const STILL: u32 = 256;

/// Detects events cycle by cycle.
#[derive(Clone, Debug, Default)]
pub struct EventWatch {
    snapshot: Snapshot,
    counters: Counters,
    /// The number of messages that have left their source.
    entered: u64,
    /// The number of consecutive cycles without movement.
    still: u32,
    /// Failed channels.
    closed: BTreeSet<ChannelId>,
    /// The last change of routes.
    rerouted: Option<Cycle>,
}

impl EventWatch {
    /// Starts watching, or restarts after a jump.
    pub fn open(&mut self, session: &Session) {
        self.still = 0;
        self.changes(session);
        self.see(session);
    }

    /// Returns the events of the cycle just simulated. Call this after each cycle.
    pub fn look(&mut self, session: &Session) -> Events {
        if session.now() == self.snapshot.cycle {
            // The run is deadlocked while the other run continues.
            return Events::empty();
        }
        let mut events = self.changes(session);
        let before = self.counters;
        let now = session.counters();
        let same = Counters { message_cycles: before.message_cycles, ..now } == before;
        self.still = if same { self.still.saturating_add(1) } else { 0 };
        // Counters do not show the activity of circuits.
        let quiet = self.still > STILL && self.snapshot.circuits.is_empty();
        if quiet {
            self.counters = now;
            self.snapshot.cycle = session.now();
            return events;
        }
        let entered = self.entered;
        self.see(session);
        let cycle = self.snapshot.cycle.0;
        events.set(Events::INJECTION, self.entered > entered);
        events.set(Events::DELIVERY, now.delivered > before.delivered);
        events.set(Events::BLOCKING, self.stalls(cycle));
        events.set(Events::DEADLOCK, session.locks_up());
        events
    }

    /// The failures, repairs and changes of routes since the last call.
    fn changes(&mut self, session: &Session) -> Events {
        let engine = session.engine();
        let (closed, mut events) = (engine.closed_links(), Events::empty());
        if *closed != self.closed {
            events.set(Events::FAILURE, !closed.is_subset(&self.closed));
            events.set(Events::REPAIR, !self.closed.is_subset(closed));
            self.closed.clone_from(closed);
        }
        let rerouted = engine.rerouted();
        events.set(Events::REROUTING, rerouted.is_some() && rerouted != self.rerouted);
        self.rerouted = rerouted;
        events
    }

    /// True if a head, or a message setting up its circuit, was first blocked in the cycle before
    /// `cycle`.
    fn stalls(&self, cycle: u64) -> bool {
        let worms = self
            .snapshot
            .worms
            .iter()
            .any(|worm| matches!(worm.head, HeadState::Blocked(since) if since.0 + 1 == cycle));
        let circuits =
            self.snapshot.circuits.iter().any(|circuit| {
                circuit.state == CircuitState::Waiting && circuit.since.0 + 1 == cycle
            });
        worms || circuits
    }

    fn see(&mut self, session: &Session) {
        session.observe(&mut self.snapshot);
        self.counters = self.snapshot.counters;
        let Counters { generated, discarded, aborts, .. } = self.counters;
        let waiting: u64 = self.snapshot.queues.iter().sum();
        // An aborted message waits and enters again.
        self.entered = (generated + aborts).saturating_sub(discarded + waiting);
    }
}

#[cfg(test)]
mod tests;
