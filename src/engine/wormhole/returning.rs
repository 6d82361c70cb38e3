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
    /// Credits on their way back to a VC's buffer.
    pub fn returning_to(&self, slot: u32, now: u64) -> u32 {
        self.credits.ahead(now).filter(|&(_, vc)| vc == slot).count() as u32
    }

    /// Credits on their way back, for those who ask about many buffers in one cycle.
    pub fn returning(&self, now: u64) -> Returning {
        let mut all: Vec<u32> = self.credits.ahead(now).map(|(_, vc)| vc).collect();
        all.sort_unstable();
        Returning(all)
    }

    /// Slots of a VC's buffer that are taken by flits, in it or under way to it, and not by credits
    /// on their way back.
    pub fn taken(&self, slot: u32, now: u64) -> u32 {
        self.taken_by(slot, now, |slot| self.returning_to(slot, now))
    }

    /// The same, where the credits on their way back to a slot are known.
    pub fn taken_by(&self, slot: u32, now: u64, returning: impl Fn(u32) -> u32) -> u32 {
        let owner = self.hold(slot);
        let running = owner.worm != NONE && self.worm(owner.worm).runs();
        match self.buffers.get(slot as usize) {
            Some(buffer) if !running => buffer.occupied - returning(slot),
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
