//! What is running free, and what is to be done about it.

use educe::Educe;
use get_size2::GetSize;

use super::wheel::Wheel;

/// Worms that move as a whole.
#[derive(Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct FreeRuns {
    /// Worms by the cycle in which their tail crosses next; those due a round of the wheel later or
    /// more come up in each round. What comes up is void unless the worm still runs and is due then.
    pub timers: Wheel,
    /// Where flits come in in a later cycle than they are sent: running worms by the cycle in which
    /// their head does, and VCs, or ejecting holds, by that in which their tail does or has been sent.
    pub coming: Wheel,
    pub tails: Wheel,
    /// Running worms whose head crosses in this cycle and requests in the next.
    pub heads: Vec<u32>,
    /// Messages held back until this cycle, whose heads cross in the next.
    pub starting: Vec<u32>,
    /// Worms that have lost a rival in this cycle, and may run free from the next.
    pub revived: Vec<u32>,
    /// Running worms that met another worm's flit in this cycle: dissolved before the next.
    pub clashes: Vec<u32>,
}
