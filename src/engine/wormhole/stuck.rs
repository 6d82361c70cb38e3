//! The worms that can never move again, found by elimination.
//!
//! A worm whose head is not waiting can move; one that waits for something which nobody holds, or
//! which a worm that can move holds, can move too; what remains is deadlocked. (A worm that is not
//! waiting drains or advances by itself: its flits compete for channels only, and every channel
//! serves its VCs in turn.) What is behind a waiting head closes up as far as there are gaps, and
//! leaves what it then no longer needs: a wait for that ends although its holder's head waits on.
//!
//! A VC of a closed link that no worm holds is one that nobody holds. The link may be opened, so a head that
//! waits for it is in no deadlock, nor are those behind it; a deadlock that is found stays one whatever
//! is opened.

use super::pace::Flits;
use super::records::{NONE, Place, SINK};
use super::waits::Waits;
use crate::engine::deadlock::{Wait, WaitKind, stuck};
use crate::ids::VcId;
use crate::switching::Release;

impl Waits<'_> {
    /// The waits of all worms that can never move again, oldest worm first.
    pub(super) fn stuck(&self) -> Vec<Wait> {
        let mut waits = Vec::new();
        self.add(&mut waits, |wait| self.lasts(wait));
        stuck(waits)
    }

    /// The slot of a VC named outside the engine.
    fn slot_of(&self, vc: VcId) -> u32 {
        let state = &self.engine.state;
        state.slot((vc.0 / state.virtual_channels) as usize, vc.0 % state.virtual_channels)
    }

    /// True if a wait lasts for as long as its holder's head stands. The worm behind a head that
    /// stands still closes up, and may leave what is waited for.
    fn lasts(&self, wait: &Wait) -> bool {
        if !wait.holder.is_some_and(|holder| self.stands(holder.0)) {
            return false;
        }
        let state = &self.engine.state;
        let worm = state.worm(wait.worm.0);
        let slot = self.slot_of(wait.wants);
        match wait.kind {
            WaitKind::HeadOfLine => {
                let ahead = state.places[worm.head as usize].older;
                let hold = state.hold(ahead);
                // A head that stands in this very buffer keeps its place.
                hold.next == NONE || hold.here + hold.flying > self.gaps_before(ahead)
            }
            WaitKind::Room if !worm.waits => {
                self.gaps_before(state.buffers[slot as usize].front) == 0
            }
            WaitKind::Vc | WaitKind::Room => self.stays_taken(slot, wait.worm.0),
        }
    }

    /// True if a worm's head stands, be it before a VC or in a buffer.
    fn stands(&self, row: u32) -> bool {
        let worm = self.engine.state.worm(row);
        if worm.waits {
            return worm.is_blocked(self.engine.now);
        }
        self.engine.switching.release == Release::Sent && self.in_a_buffer(row).is_some()
    }

    /// True if a VC that `worm` may take cannot be had even when all behind the heads that stand has
    /// closed up.
    fn stays_taken(&self, slot: u32, worm: u32) -> bool {
        let state = &self.engine.state;
        if self.engine.switching.release == Release::Drained {
            let Flits { here, flying, left } = state.flits(slot, self.engine.now);
            return here + flying + left > self.gaps_before(slot);
        }
        // Its owner's tail must come in, and where whole messages want room, this one too. One that
        // runs free has the buffer to itself, and stands in no order there.
        let owner = state.hold(slot).worm;
        let alone = owner != NONE && state.worm(owner).runs();
        let first = if alone { Some(slot) } else { state.in_buffer(slot).next() };
        let gaps = first.map_or(0, |first| self.gaps_before(first));
        let left = if state.is_held(slot) { state.flits(slot, self.engine.now).left } else { 0 };
        let come = self.taken(slot) + left;
        let wants = if self.engine.needs_room(worm, slot) { state.worm(worm).length } else { 0 };
        come.saturating_sub(gaps) + wants > state.buffer_flits
    }

    /// Slots into which flits can still move on from a hold, if the heads before it stand for ever:
    /// in the buffers up to its worm's head, and beyond those that the oldest worm there leaves.
    fn gaps_before(&self, hold: u32) -> u32 {
        let state = &self.engine.state;
        let (mut at, mut gaps) = (hold, 0);
        for _ in 0..state.holds.len() {
            let next = state.hold(at).next;
            if next == NONE {
                let Place::Vc(slot) = state.place(at) else { return u32::MAX };
                let front = state.buffers.get(slot as usize).map_or(NONE, |buffer| buffer.front);
                if front == at || front == NONE {
                    return gaps;
                }
                at = front;
                continue;
            }
            if next == SINK {
                return u32::MAX;
            }
            let Place::Vc(slot) = state.place(next) else { return u32::MAX };
            gaps += state.buffer_flits - self.taken(slot);
            at = next;
        }
        // Round a ring a gap comes by again and again.
        if gaps > 0 { u32::MAX } else { 0 }
    }
}
