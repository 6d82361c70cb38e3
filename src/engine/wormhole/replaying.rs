//! Runs that replay messages in place of drawing them.

use std::sync::Arc;

use super::engine::WormholeEngine;
use crate::switching::Forwarding;
use crate::system::System;
use crate::traffic::sources::{Arrival, Rejection};

impl WormholeEngine {
    /// An empty network at cycle 0 whose messages are [given](Self::give). Ties are broken as in the run
    /// of this seed and replication that draws its messages; the traffic of the system means nothing.
    pub fn replaying(system: &System, seed: u64, replication: u32) -> Self {
        let mut engine = Self::new(system, seed, replication);
        let whole = engine.switching.forwarding != Forwarding::Wormhole;
        let length_max = if whole { engine.switching.buffer_flits } else { u32::MAX };
        engine.common.sources = engine.common.sources.that_replay(length_max);
        engine
    }

    /// Gives the next messages to be replayed, `last` if no others come. The run goes no further than
    /// [`known_until`](crate::traffic::sources::Sources::known_until).
    pub fn give(&mut self, block: Arc<[Arrival]>, last: bool) -> Result<(), Rejection> {
        self.common.sources.give(block, last)
    }
}
