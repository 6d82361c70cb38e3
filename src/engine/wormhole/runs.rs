//! Lists of free runs and their pending events.

use educe::Educe;
use get_size2::GetSize;

use crate::engine::wheel::Wheel;

/// Worms that move in bulk.
#[derive(Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct FreeRuns {
    /// Worms by the cycle of the next crossing of their tail; entries due at least one round of the
    /// wheel later reappear in each round. An entry is void unless the worm still runs freely and
    /// is due in this cycle.
    pub timers: Wheel,
    /// Two wheels used if flits arrive in a later cycle than sent: running worms by the arrival of
    /// their head, and VCs or ejecting holds by the arrival or complete sending of their tail.
    pub coming: Wheel,
    pub tails: Wheel,
    /// Running worms with a head that crosses in this cycle and requests in the next.
    pub heads: Vec<u32>,
    /// Messages delayed until this cycle; their heads cross in the next.
    pub starting: Vec<u32>,
    /// Worms without competition since this cycle, which may run freely from the next.
    pub revived: Vec<u32>,
    /// Running worms that met a flit of another worm in this cycle; dissolved before the next.
    pub clashes: Vec<u32>,
}
