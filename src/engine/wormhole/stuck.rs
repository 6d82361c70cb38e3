//! Detects worms that can never move again, by elimination.
//!
//! A worm with a head that does not wait can move. A worm that waits for an unheld resource, or for
//! a resource held by a worm able to move, can move too; all others are deadlocked. (A worm that
//! does not wait drains or advances: its flits compete only for channels, and every channel serves
//! its VCs in turn.) Flits behind a waiting head close up into gaps, and leave resources no longer
//! needed: a wait for such a resource ends although the head of the holder continues to wait.
//!
//! A VC of a closed link without a holder counts as unheld. The link may be opened: a head that
//! waits for the link is not deadlocked, nor are worms behind it. A detected deadlock persists even
//! after links are opened.

use super::pace::Flits;
use super::records::{NONE, Place, SINK, Worm};
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

    /// The slot of a public VC.
    fn slot_of(&self, vc: VcId) -> u32 {
        let state = &self.engine.state;
        state.slot((vc.0 / state.virtual_channels) as usize, vc.0 % state.virtual_channels)
    }

    /// True if a wait cannot end while the head of its holder is blocked. Flits behind a blocked
    /// head close up, and may leave the resource.
    fn lasts(&self, wait: &Wait) -> bool {
        if !wait.holder.is_some_and(|holder| self.is_blocked(holder.0)) {
            return false;
        }
        let state = &self.engine.state;
        let worm = state.worm(wait.worm.0);
        let slot = self.slot_of(wait.wants);
        match wait.kind {
            WaitKind::HeadOfLine => {
                let ahead = state.places[worm.head as usize].older;
                let hold = state.hold(ahead);
                // A head blocked in this very buffer does not leave.
                hold.next == NONE || hold.here + hold.flying > self.gaps_before(ahead)
            }
            WaitKind::Room if !worm.waits => {
                self.gaps_before(state.buffers[slot as usize].front) == 0
            }
            WaitKind::Vc | WaitKind::Room => self.stays_taken(slot, wait.worm.0),
            WaitKind::Credit | WaitKind::Output | WaitKind::Input => false,
            WaitKind::Reply => wait.holder.is_some_and(|holder| {
                let is_ejection = state.split(slot).0 >= state.links + state.claims.len();
                if is_ejection {
                    return self.keeps_tail_at_source(state.worm(holder.0));
                }
                let first = self.engine.endpoints.first_to_leave(state, wait.worm.0);
                first.is_some_and(|first| self.stays_taken(slot, first))
            }),
        }
    }

    /// True if the head of a worm is blocked, in front of a VC or in a buffer.
    fn is_blocked(&self, row: u32) -> bool {
        let worm = self.engine.state.worm(row);
        if worm.waits {
            return worm.is_blocked(self.engine.now);
        }
        self.engine.switching.release == Release::Sent && self.in_a_buffer(row).is_some()
    }

    /// True if flits of a worm with a blocked head remain at its source after all flits behind the
    /// head have closed up.
    fn keeps_tail_at_source(&self, worm: &Worm) -> bool {
        let state = &self.engine.state;
        let last = state.holds_of(worm).last().filter(|&last| state.is_source(last));
        last.is_some_and(|last| state.hold(last).here > self.gaps_before(last))
    }

    /// True if a VC requested by `worm` remains unavailable even after all flits behind blocked
    /// heads have closed up.
    fn stays_taken(&self, slot: u32, worm: u32) -> bool {
        let state = &self.engine.state;
        if self.engine.switching.release == Release::Drained {
            let Flits { here, flying, left } = state.flits(slot, self.engine.now);
            return here + flying + left > self.gaps_before(slot);
        }
        // The tail of the owner must arrive; a request for whole-message room also needs its own
        // length. A free run has the buffer to itself, without a position there.
        let owner = state.hold(slot).worm;
        let alone = owner != NONE && state.worm(owner).runs();
        let first = if alone { Some(slot) } else { state.in_buffer(slot).next() };
        let gaps = first.map_or(0, |first| self.gaps_before(first));
        // Once the oldest worm has left the buffer, the next may move on.
        let leaves = |first: u32| {
            let Flits { here, flying, left } = state.flits(first, self.engine.now);
            let has_younger = !alone && state.places[first as usize].younger != NONE;
            has_younger && here + flying + left <= gaps
        };
        if first.is_some_and(leaves) {
            return false;
        }
        let left = if state.is_held(slot) { state.flits(slot, self.engine.now).left } else { 0 };
        let come = self.taken(slot) + left;
        let wants = if self.engine.needs_room(worm, slot) { state.worm(worm).length } else { 0 };
        come.saturating_sub(gaps) + wants > state.buffer_flits
    }

    /// The slots for flits to advance from a hold if the heads ahead are blocked forever: the gaps
    /// in the buffers up to the head of its worm, and beyond, those left by the oldest worm there.
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
        // A gap in a ring returns repeatedly.
        if gaps > 0 { u32::MAX } else { 0 }
    }
}
