//! Credits under way, and occupied slots of buffers.

use super::pace::Flits;
use super::records::{NONE, SINK};
use super::state::State;

/// The VCs of all credits under way, one entry per credit, sorted.
pub(super) struct ReturningCredits(Vec<u32>);

impl ReturningCredits {
    /// The number of credits under way to the buffer of a VC.
    pub fn count(&self, slot: u32) -> u32 {
        let from = self.0.partition_point(|&it| it < slot);
        self.0[from..].partition_point(|&it| it == slot) as u32
    }
}

impl State {
    /// The credits under way.
    pub fn returning(&self, now: u64) -> ReturningCredits {
        let mut all: Vec<u32> = self.credits.ahead(now).map(|(_, vc)| vc).collect();
        all.sort_unstable();
        ReturningCredits(all)
    }

    /// The number of slots of the buffer of a VC occupied by flits, inside or under way, without
    /// the `returning` credits under way back.
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
