//! What happened in a cycle: told from two pictures of a run, so that the engines need not say.

use bitflags::bitflags;

use super::Session;
use crate::engine::{CircuitState, Counters, HeadState, Snapshot};

bitflags! {
    /// Kinds of events.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Events: u8 {
        /// A message's first flit left its source.
        const INJECTION = 1;
        /// A message arrived, tail and all.
        const DELIVERY = 2;
        /// A head stalled in the network.
        const BLOCKING = 4;
        /// A deadlock closed: a head came to wait in a circle of worms that can never move again.
        const DEADLOCK = 8;
    }
}

impl Events {
    /// Their names, for people.
    pub fn names(self) -> Vec<String> {
        self.iter_names().map(|(name, _)| name.to_lowercase()).collect()
    }
}

/// Cycles without any move after which nothing can be under way in a network of worms: more than
/// the longest crossing.
const STILL: u32 = 256;

/// Looks at a run cycle by cycle.
#[derive(Clone, Debug, Default)]
pub struct EventWatch {
    snapshot: Snapshot,
    counters: Counters,
    /// Messages that have left their source.
    entered: u64,
    /// Cycles in which nothing moved, up to now.
    still: u32,
}

impl EventWatch {
    /// Looks for the first time, or after a jump.
    pub fn open(&mut self, session: &Session) {
        self.still = 0;
        self.see(session);
    }

    /// What happened in the cycle that has just been simulated. To be asked after each cycle.
    pub fn look(&mut self, session: &Session) -> Events {
        if session.now() == self.snapshot.cycle {
            // It stands in a deadlock, while another run goes on.
            return Events::empty();
        }
        let before = self.counters;
        let now = session.counters();
        let same = Counters { message_cycles: before.message_cycles, ..now } == before;
        self.still = if same { self.still.saturating_add(1) } else { 0 };
        // What is under way in circuits, no counter tells.
        let quiet = self.still > STILL && self.snapshot.circuits.is_empty();
        if quiet {
            self.counters = now;
            self.snapshot.cycle = session.now();
            return Events::empty();
        }
        let entered = self.entered;
        self.see(session);
        let cycle = self.snapshot.cycle.0;
        let mut events = Events::empty();
        events.set(Events::INJECTION, self.entered > entered);
        events.set(Events::DELIVERY, now.delivered > before.delivered);
        events.set(Events::BLOCKING, self.stalls(cycle));
        events.set(Events::DEADLOCK, session.locks_up());
        events
    }

    /// True if a head, or a message that sets its circuit up, has come to a stand in the cycle before
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
        // An aborted message waits again, and enters again.
        self.entered = (generated + aborts).saturating_sub(discarded + waiting);
    }
}
