//! The cycle-driven flit engine.

use super::{Counters, Deadlock, Delivery, Engine, Snapshot, Violation};
use crate::system::System;
use crate::units::{Cycle, Rate};

/// The wormhole engine.
#[derive(Clone, Debug)]
pub struct WormholeEngine {
    now: Cycle,
}

impl WormholeEngine {
    /// An empty network at cycle 0.
    pub fn new(_system: &System, _seed: u64, _replication: u32) -> Self {
        Self { now: Cycle(0) }
    }
}

impl Engine for WormholeEngine {
    fn now(&self) -> Cycle {
        self.now
    }
    fn advance(&mut self, until: Cycle) {
        self.now = until;
    }
    fn take_deliveries(&mut self, out: &mut Vec<Delivery>) {
        out.clear();
    }
    fn observe(&self, _snapshot: &mut Snapshot) {}
    fn audit(&self) -> Result<(), Violation> {
        Ok(())
    }
    fn fingerprint(&self) -> u64 {
        0
    }
    fn copy_from(&mut self, other: &Self) {
        self.clone_from(other);
    }
    fn set_rate(&mut self, _rate: Rate) {}
    fn counters(&self) -> Counters {
        Counters::default()
    }
    fn deadlock(&self) -> Option<&Deadlock> {
        None
    }
}
