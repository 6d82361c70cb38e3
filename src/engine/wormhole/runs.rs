//! What is running free, counted and timed.

use educe::Educe;
use get_size2::GetSize;

use super::wheel::Wheel;

/// Worms that move as a whole.
#[derive(Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct FreeRuns {
    /// Channels on which a running worm moves a flit in every cycle.
    pub channels: u64,
    /// Running worms that still feed from their source.
    pub sources: u64,
    /// Running worms whose flits are being consumed.
    pub sinks: u64,
    /// Worms by the cycle in which their tail crosses next; those due a round of the wheel later or
    /// more come up in each round. What comes up is void unless the worm still runs and is due then.
    pub timers: Wheel,
    /// Running worms whose head crosses in this cycle and requests in the next.
    pub heads: Vec<u32>,
    /// Running worms that met another worm's flit in this cycle: dissolved before the next.
    pub clashes: Vec<u32>,
}
