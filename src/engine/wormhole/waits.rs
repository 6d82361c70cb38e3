//! The wait-for graph: who waits for whom, and the worms that wait for ever.
//!
//! A worm waits with its head only, in one of three ways ([`WaitKind`]): for a VC that another
//! holds, as long as *none* of those that it may take is free; to be first in a buffer in which
//! older worms stand; or for room in the buffer of a VC. Where a VC is free again only when its
//! buffer has drained there is only the first. The worms that can never go on are found by
//! elimination: a worm whose head is not waiting can move; one that waits for something which nobody
//! holds, or which a worm that can move holds, can move too; what remains is deadlocked. (A worm that
//! is not waiting drains or advances by itself: its flits compete for channels only, and every
//! channel serves its VCs in turn.) What stands behind a waiting head closes up as far as there are
//! gaps, and leaves what it then no longer needs: a wait for that ends although its holder stands.
//! Flits under way to a buffer fill it as those in it do; a head that is under way waits for nothing
//! yet, and a slot whose credit is under way is nobody's.

use std::cell::OnceCell;

use super::engine::WormholeEngine;
use super::pace::Flits;
use super::records::{NONE, Place, SINK, bits};
use crate::engine::deadlock::{Wait, WaitKind, stuck};
use crate::ids::{RouterId, VcId, WormId};
use crate::routing::Candidate;
use crate::switching::Release;

impl WormholeEngine {
    /// Adds what heads in the network wait for to `waits`, one entry for each VC, those of the oldest
    /// worm first: of worms all of whose waits are `kept`.
    pub(super) fn add_waits(&self, waits: &mut Vec<Wait>, kept: impl Fn(&Wait) -> bool) {
        let mut candidates = Vec::with_capacity(32);
        for worm in self.blocked() {
            let before = waits.len();
            for wait in self.waits_for_vcs(worm, &mut candidates) {
                waits.push(wait);
                if !kept(&wait) {
                    waits.truncate(before);
                    break;
                }
            }
        }
        if self.switching.release == Release::Sent {
            // Sorted for the first full buffer; mostly there is none.
            let returning = OnceCell::new();
            let count = |slot| returning.get_or_init(|| self.state.returning(self.now)).count(slot);
            let wait = |worm| self.wait_in_a_buffer_by(worm, count);
            waits.extend(self.in_network().filter_map(wait).filter(kept));
        }
        // By age, so that what is found does not depend on rows.
        waits.sort_by_key(|wait| self.state.worm(wait.worm.0).age());
    }

    /// The worms with a head in the network, in no order: by holds where there are fewer of these, since
    /// many messages may wait at their sources.
    fn in_network(&self) -> impl Iterator<Item = u32> {
        let state = &self.state;
        let rows = state.worms.len().min(state.holds.len()) as u32;
        let by_worm = rows as usize == state.worms.len();
        (0..rows).filter_map(move |row| {
            let worm = if by_worm { row } else { state.hold(row).worm };
            let head = (worm != NONE).then(|| state.worm(worm).head)?;
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

    /// The waits of a worm in its router's list.
    pub(super) fn waits_for_vcs(
        &self,
        worm: u32,
        candidates: &mut Vec<Candidate>,
    ) -> impl Iterator<Item = Wait> {
        self.wanted_slots(worm, candidates).map(move |slot| self.wait_for_vc(worm, slot))
    }

    /// A head's wait for one VC that it may take.
    fn wait_for_vc(&self, worm: u32, slot: u32) -> Wait {
        let state = &self.state;
        let (owner, row) = (state.hold(slot), state.worm(worm));
        let held = state.is_held(slot);
        let (mut kind, mut holder) = (WaitKind::Vc, held.then_some(owner.worm));
        if self.needs_room(worm, slot) {
            let to_come = if held { owner.left } else { 0 };
            let needs = to_come + row.length;
            let first = state.in_buffer(slot).next().map(|front| state.hold(front).worm);
            if first.is_some() && first != holder && self.taken(slot) + needs > state.buffer_flits {
                (kind, holder) = (WaitKind::Room, first);
            }
        }
        let (wants, holder) = (self.public_vc(slot), holder.map(WormId));
        Wait { kind, worm: WormId(worm), at: RouterId(row.at), wants, holder }
    }

    /// Whether a worm may take the VC of a slot only where its buffer has room for the whole message.
    fn needs_room(&self, worm: u32, slot: u32) -> bool {
        self.wants_room() && !self.consumes(worm, self.state.split(slot).0)
    }

    /// The wait of a head that has a VC, but not its buffer for itself.
    pub(super) fn wait_in_a_buffer(&self, row: u32) -> Option<Wait> {
        self.wait_in_a_buffer_by(row, |slot| self.state.returning_to(slot, self.now))
    }

    /// The same, where the credits that are on their way back to a slot are known.
    fn wait_in_a_buffer_by(&self, row: u32, returning: impl Fn(u32) -> u32) -> Option<Wait> {
        let state = &self.state;
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
        let full = || {
            buffer.occupied == state.buffer_flits
                && state.taken_by(slot, self.now, returning) == state.buffer_flits
        };
        let channel = &state.channels[state.split(slot).0];
        let (kind, at, ahead) = if hold.left + hold.flying < worm.length {
            (WaitKind::HeadOfLine, channel.to, older)
        } else if hold.left == worm.length && full() {
            (WaitKind::Room, channel.from, buffer.front)
        } else {
            return None;
        };
        let (wants, holder) = (self.public_vc(slot), Some(WormId(state.hold(ahead).worm)));
        Some(Wait { kind, worm: WormId(row), at: RouterId(at), wants, holder })
    }

    /// The name of a VC outside the engine.
    pub(super) fn public_vc(&self, slot: u32) -> VcId {
        let (channel, v) = self.state.split(slot);
        VcId(channel as u32 * self.state.virtual_channels + v)
    }

    /// The cycle in which the head of a worm that waits came to wait for what it now waits for: that
    /// in which it stalled or, where a VC is granted before its buffer has drained, in which another
    /// worm was granted one that this one may take.
    pub(super) fn waits_since(&self, worm: u32) -> u64 {
        let state = &self.state;
        let row = state.worm(worm);
        if !row.waits {
            return row.stands_since;
        }
        let mut since = row.requests_since;
        if self.switching.release == Release::Sent {
            for slot in self.wanted_slots(worm, &mut Vec::new()) {
                let buffer = &state.buffers[slot as usize];
                // Without that worm there would have been too little room as well.
                let full = self.wants_room() && buffer.last != buffer.front && {
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

    /// The slot of a VC named outside the engine.
    fn slot_of(&self, vc: VcId) -> u32 {
        let vcs = self.state.virtual_channels;
        self.state.slot((vc.0 / vcs) as usize, vc.0 % vcs)
    }

    /// The waits of all worms that can never move again, oldest worm first.
    pub(super) fn stuck_waits(&self) -> Vec<Wait> {
        let mut waits = Vec::new();
        self.add_waits(&mut waits, |wait| self.lasts(wait));
        stuck(waits)
    }

    /// Whether a wait lasts for as long as its holder's head stands. The worm behind a head that
    /// stands still closes up, and may leave what is waited for.
    fn lasts(&self, wait: &Wait) -> bool {
        if !wait.holder.is_some_and(|holder| self.stands(holder.0)) {
            return false;
        }
        let state = &self.state;
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

    /// Whether a worm's head stands, be it before a VC or in a buffer.
    fn stands(&self, row: u32) -> bool {
        let worm = self.state.worm(row);
        if worm.waits {
            return worm.is_blocked(self.now);
        }
        self.switching.release == Release::Sent && self.wait_in_a_buffer(row).is_some()
    }

    /// Whether a VC that `worm` may take cannot be had even when all behind the heads that stand has
    /// closed up.
    fn stays_taken(&self, slot: u32, worm: u32) -> bool {
        let state = &self.state;
        if self.switching.release == Release::Drained {
            let Flits { here, flying, left } = state.flits(slot, self.now);
            return here + flying + left > self.gaps_before(slot);
        }
        // Its owner's tail must come in, and where whole messages want room, this one too. One that
        // runs free has the buffer to itself, and stands in no order there.
        let owner = state.hold(slot).worm;
        let alone = owner != NONE && state.worm(owner).runs();
        let first = if alone { Some(slot) } else { state.in_buffer(slot).next() };
        let gaps = first.map_or(0, |first| self.gaps_before(first));
        let left = if state.is_held(slot) { state.flits(slot, self.now).left } else { 0 };
        let come = self.taken(slot) + left;
        let wants = if self.needs_room(worm, slot) { state.worm(worm).length } else { 0 };
        come.saturating_sub(gaps) + wants > state.buffer_flits
    }

    /// Slots into which flits can still move on from a hold, if the heads before it stand for ever:
    /// in the buffers up to its worm's head, and beyond those that the oldest worm there leaves.
    fn gaps_before(&self, hold: u32) -> u32 {
        let state = &self.state;
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

    /// Slots of a VC's buffer with flits in it or under way to it.
    fn taken(&self, slot: u32) -> u32 {
        self.state.taken(slot, self.now)
    }
}

#[cfg(test)]
mod tests;
