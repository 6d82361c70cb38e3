//! The wait-for graph: which worm waits for which.
//!
//! A worm waits with its head only, in one of three ways ([`WaitKind`]): for a VC that another
//! holds, as long as *none* of those that it may take is free; to be first in a buffer in which
//! older worms stand; or for room in the buffer of a VC. Where a VC is free again only when its
//! buffer has drained there is only the first. Flits under way to a buffer fill it as those in it
//! do; a head that is under way waits for nothing yet, and a slot whose credit is under way is
//! nobody's.

use std::cell::OnceCell;

use super::engine::WormholeEngine;
use super::records::{NONE, Place, bits};
use super::returning::Returning;
use crate::engine::deadlock::{Wait, WaitKind};
use crate::ids::{RouterId, VcId, WormId};
use crate::routing::Candidate;
use crate::switching::Release;

/// The waits of one cycle. Credits on their way back are sorted once, for the first full buffer;
/// mostly there is none.
pub(super) struct Waits<'a> {
    pub(super) engine: &'a WormholeEngine,
    returning: OnceCell<Returning>,
}

impl WormholeEngine {
    /// The waits of the present cycle.
    pub(super) fn waits(&self) -> Waits<'_> {
        Waits { engine: self, returning: OnceCell::new() }
    }

    /// The worms with a head in the network, in no order: by holds where there are fewer of these, since
    /// many messages may wait at their sources.
    pub(super) fn in_network(&self) -> impl Iterator<Item = u32> {
        let state = &self.state;
        let by_worm = state.worms.len() <= state.holds.len();
        let rows = state.worms.len().min(state.holds.len()) as u32;
        (0..rows).filter_map(move |row| {
            let worm = if by_worm { row } else { state.hold(row).worm };
            let head = (worm != NONE && state.worm(worm).live).then(|| state.worm(worm).head)?;
            (if by_worm { head != NONE } else { head == row }).then_some(worm)
        })
    }

    /// The worms whose heads wait in the network, in no order: by whatever takes less looking.
    fn blocked(&self) -> Vec<u32> {
        let state = &self.state;
        let blocked = |&row: &u32| state.worm(row).is_blocked(self.now);
        if state.worms.len() < state.heads.len() {
            return (0..state.worms.len() as u32).filter(blocked).collect();
        }
        let lists = (0..state.heads.len()).flat_map(|router| state.waiting_at(router));
        lists.filter(blocked).collect()
    }

    /// The slots of the VCs that a worm in its router's list may take.
    fn wanted_slots(
        &self,
        worm: u32,
        candidates: &mut Vec<Candidate>,
    ) -> impl Iterator<Item = u32> {
        self.candidates_of(worm, candidates);
        candidates.iter().flat_map(move |&Candidate { channel, vcs }| {
            bits(vcs).map(move |v| self.state.slot(channel.index(), v))
        })
    }

    /// True if a worm may take the VC of a slot only where its buffer has room for the whole message.
    pub(super) fn needs_room(&self, worm: u32, slot: u32) -> bool {
        self.wants_room() && !self.consumes(worm, self.state.split(slot).0)
    }

    /// The name of a VC outside the engine.
    pub(super) fn public_vc(&self, slot: u32) -> VcId {
        let (channel, v) = self.state.split(slot);
        VcId(channel as u32 * self.state.virtual_channels + v)
    }
}

impl Waits<'_> {
    /// Adds what heads in the network wait for to `waits`, one entry for each VC, those of the oldest
    /// worm first: of worms all of whose waits are `kept`.
    pub(super) fn add(&self, waits: &mut Vec<Wait>, kept: impl Fn(&Wait) -> bool) {
        let mut candidates = Vec::with_capacity(32);
        for worm in self.engine.blocked() {
            let before = waits.len();
            for wait in self.for_vcs(worm, &mut candidates) {
                waits.push(wait);
                if !kept(&wait) {
                    waits.truncate(before);
                    break;
                }
            }
        }
        if self.engine.switching.release == Release::Sent {
            let in_buffers = self.engine.in_network().filter_map(|worm| self.in_a_buffer(worm));
            waits.extend(in_buffers.filter(kept));
        }
        // By age, so that what is found does not depend on rows.
        waits.sort_by_key(|wait| self.engine.state.worm(wait.worm.0).age());
    }

    /// The waits of a worm in its router's list.
    pub(super) fn for_vcs(
        &self,
        worm: u32,
        candidates: &mut Vec<Candidate>,
    ) -> impl Iterator<Item = Wait> {
        self.engine.wanted_slots(worm, candidates).map(move |slot| self.for_vc(worm, slot))
    }

    /// A head's wait for one VC that it may take.
    fn for_vc(&self, worm: u32, slot: u32) -> Wait {
        let state = &self.engine.state;
        let (owner, row) = (state.hold(slot), state.worm(worm));
        let held = state.is_held(slot);
        let (mut kind, mut holder) = (WaitKind::Vc, held.then_some(owner.worm));
        if self.engine.needs_room(worm, slot) {
            let to_come = if held { owner.left } else { 0 };
            let needs = to_come + row.length;
            let first = state.in_buffer(slot).next().map(|front| state.hold(front).worm);
            if first.is_some() && first != holder && self.taken(slot) + needs > state.buffer_flits {
                (kind, holder) = (WaitKind::Room, first);
            }
        }
        let (wants, holder) = (self.engine.public_vc(slot), holder.map(WormId));
        Wait { kind, worm: WormId(worm), at: RouterId(row.at), wants, holder }
    }

    /// The wait of a head that has a VC, but not its buffer for itself.
    pub(super) fn in_a_buffer(&self, row: u32) -> Option<Wait> {
        let state = &self.engine.state;
        let worm = state.worm(row);
        if !worm.live || worm.head == NONE || worm.waits || worm.runs() {
            return None;
        }
        let Place::Vc(slot) = state.place(worm.head) else { return None };
        let older = state.places[worm.head as usize].older;
        if older == NONE {
            return None;
        }
        let (hold, buffer) = (state.hold(worm.head), &state.buffers[slot as usize]);
        // A slot whose credit is on its way back is as good as free.
        let full =
            || buffer.occupied == state.buffer_flits && self.taken(slot) == state.buffer_flits;
        let channel = &state.channels[state.split(slot).0];
        let (kind, at, ahead) = if hold.left + hold.flying < worm.length {
            (WaitKind::HeadOfLine, channel.to, older)
        } else if hold.left == worm.length && full() {
            (WaitKind::Room, channel.from, buffer.front)
        } else {
            return None;
        };
        let (wants, holder) = (self.engine.public_vc(slot), Some(WormId(state.hold(ahead).worm)));
        Some(Wait { kind, worm: WormId(row), at: RouterId(at), wants, holder })
    }

    /// The cycle in which the head of a worm that waits came to wait for what it now waits for: that
    /// in which it stalled or, where a VC is granted before its buffer has drained, in which another
    /// worm was granted one that this one may take.
    pub(super) fn since(&self, worm: u32) -> u64 {
        let state = &self.engine.state;
        let row = state.worm(worm);
        if !row.waits {
            return row.stands_since;
        }
        let mut since = row.requests_since;
        if self.engine.switching.release == Release::Sent {
            for slot in self.engine.wanted_slots(worm, &mut Vec::new()) {
                let buffer = &state.buffers[slot as usize];
                // Without that worm there would have been too little room as well.
                let full = self.engine.wants_room() && buffer.last != buffer.front && {
                    let last = state.hold(buffer.last);
                    let others = self.taken(slot) + last.left - state.worm(last.worm).length;
                    others + row.length > state.buffer_flits
                };
                if !full {
                    since = since.max(buffer.granted);
                }
            }
        }
        since
    }

    /// Slots of a VC's buffer with flits in it or under way to it.
    pub(super) fn taken(&self, slot: u32) -> u32 {
        let (state, now) = (&self.engine.state, self.engine.now);
        state.taken(slot, now, || self.returning.get_or_init(|| state.returning(now)).count(slot))
    }
}

#[cfg(test)]
mod tests;
