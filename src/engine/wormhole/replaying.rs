//! Runs that replay messages instead of drawing them.

use std::sync::Arc;

use super::engine::WormholeEngine;
use crate::switching::Forwarding;
use crate::system::System;
use crate::traffic::sources::{Arrival, Rejection};

impl WormholeEngine {
    /// Creates an empty network at cycle 0 with messages from [given](Self::give) blocks. Ties are
    /// broken as in the run of this seed and replication with drawn messages; the traffic of the
    /// system is ignored.
    pub fn replaying(system: &System, seed: u64, replication: u32) -> Self {
        let mut engine = Self::new(system, seed, replication);
        let whole = engine.switching.forwarding != Forwarding::Wormhole;
        let length_max = if whole { engine.switching.buffer_flits } else { u32::MAX };
        engine.common.sources = engine.common.sources.that_replay(length_max);
        engine
    }

    /// Adds a block of messages to replay, `last` if final. The run does not advance beyond
    /// [`known_until`](crate::traffic::sources::Sources::known_until).
    pub fn give(&mut self, block: Arc<[Arrival]>, last: bool) -> Result<(), Rejection> {
        self.common.sources.give(block, last)
    }
}
