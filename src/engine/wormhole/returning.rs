//! Credits on their way back, and the slots of buffers that are taken.

use super::pace::Flits;
use super::records::{NONE, SINK};
use super::state::State;

/// The VCs to which credits are on their way back, one entry for each, sorted.
pub(super) struct Returning(Vec<u32>);

impl Returning {
    /// Credits on their way back to a VC's buffer.
    pub fn count(&self, slot: u32) -> u32 {
        let from = self.0.partition_point(|&it| it < slot);
        self.0[from..].partition_point(|&it| it == slot) as u32
    }
}

impl State {
    /// The credits on their way back.
    pub fn returning(&self, now: u64) -> Returning {
        let mut all: Vec<u32> = self.credits.ahead(now).map(|(_, vc)| vc).collect();
        all.sort_unstable();
        Returning(all)
    }

    /// Slots of a VC's buffer that are taken by flits, in it or under way to it, and not by credits
    /// on their way back, of which there are `returning`.
    pub fn taken(&self, slot: u32, now: u64, returning: impl FnOnce() -> u32) -> u32 {
        let owner = self.hold(slot);
        let running = owner.worm != NONE && self.worm(owner.worm).runs();
        match self.buffers.get(slot as usize) {
            Some(buffer) if !running => buffer.occupied - returning(),
            Some(_) if owner.next == SINK => 0,
            Some(_) => {
                let Flits { here, flying, .. } = self.flits(slot, now);
                here + flying
            }
            None if self.is_held(slot) => self.flits(slot, now).here,
            None => 0,
        }
    }
}
