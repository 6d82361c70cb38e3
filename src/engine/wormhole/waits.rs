//! The wait-for graph of worms.
//!
//! Only the head of a worm waits, for one of four reasons ([`WaitKind`]): for a VC held by another
//! worm, while *none* of the candidates is free; for the front of a buffer with older worms; for
//! room in the buffer of a VC; or, at the destination, for room for the reply. The second and the
//! third need `Sent` release, the fourth limited room. Flits under way to a buffer occupy slots like
//! those inside; a head under way does not wait yet, and a slot with its credit under way has no
//! owner.

use std::cell::OnceCell;

use super::credits::ReturningCredits;
use super::engine::WormholeEngine;
use super::records::{NONE, Place, bits};
use crate::engine::deadlock::{Wait, WaitKind};
use crate::ids::{ChannelId, NodeId, RouterId, VcId, WormId};
use crate::routing::Candidate;
use crate::switching::Release;

/// The waits of a cycle. Credits under way are sorted once, at the first full buffer; most cycles
/// have none.
pub(super) struct Waits<'a> {
    pub(super) engine: &'a WormholeEngine,
    returning: OnceCell<ReturningCredits>,
}

impl WormholeEngine {
    /// The waits of the current cycle.
    pub(super) fn waits(&self) -> Waits<'_> {
        Waits { engine: self, returning: OnceCell::new() }
    }

    /// Iterates over the worms with a head in the network, in arbitrary order; by holds if fewer
    /// than worms, since many messages may wait at their sources.
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

    /// The worms blocked in the network, in arbitrary order; searches the shorter of two tables.
    fn blocked(&self) -> Vec<u32> {
        let state = &self.state;
        let blocked = |&row: &u32| state.worm(row).is_blocked(self.now);
        if state.worms.len() < state.heads.len() {
            return (0..state.worms.len() as u32).filter(blocked).collect();
        }
        let lists = (0..state.heads.len()).flat_map(|router| state.waiting_at(router));
        lists.filter(blocked).collect()
    }

    /// The VC slots requested by a worm in the list of its router.
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

    /// True if the buffer of a VC must have room for the whole message before a grant.
    pub(super) fn needs_room(&self, worm: u32, slot: u32) -> bool {
        self.wants_room() && !self.consumes(worm, self.state.split(slot).0)
    }

    /// The public VC of a slot.
    pub(super) fn public_vc(&self, slot: u32) -> VcId {
        let (channel, v) = self.state.split(slot);
        VcId(channel as u32 * self.state.virtual_channels + v)
    }
}

impl Waits<'_> {
    /// Adds the waits of heads in the network to `waits`, an entry for each VC, oldest worm first;
    /// omits worms unless all of their waits are `kept`.
    pub(super) fn add(&self, waits: &mut Vec<Wait>, kept: impl Fn(&Wait) -> bool) {
        let mut candidates = Vec::with_capacity(32);
        for worm in self.engine.blocked() {
            let before = waits.len();
            for wait in self.of_head(worm, &mut candidates) {
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
        // Sorted by age, so that the result does not depend on rows.
        waits.sort_by_key(|wait| self.engine.state.worm(wait.worm.0).age());
    }

    /// The waits of a head for room for its reply or for VCs.
    pub(super) fn of_head(&self, worm: u32, candidates: &mut Vec<Candidate>) -> Vec<Wait> {
        if self.engine.endpoints.lacks_room(&self.engine.state, worm) {
            return self.for_room(worm, candidates);
        }
        self.for_vcs(worm, candidates).collect()
    }

    /// The messages that prevent the vacation of the room for which a head waits: a reply with flits at
    /// its source, or the holder of a VC requested by the first message there. Replies in preparation
    /// and requests under ejection are not prevented.
    fn for_room(&self, worm: u32, candidates: &mut Vec<Candidate>) -> Vec<Wait> {
        let Self { engine, .. } = self;
        let row = engine.state.worm(worm);
        let ejection = engine.common.network.ejection_of(NodeId(row.destination));
        let ejection = engine.state.slot(ejection.map_or(0, ChannelId::index), 0);
        let wait = |wants: VcId, holder: Option<WormId>| Wait {
            kind: WaitKind::Reply,
            worm: WormId(worm),
            at: RouterId(row.at),
            wants,
            holder,
        };
        let mut waits = Vec::new();
        let mut others = engine.endpoints.room_in_use(&engine.state, worm);
        let replies = engine.endpoints.replies_with_room(&engine.state, worm);
        let mut replies: Vec<u32> = replies.collect();
        // Sorted by age, so that the result does not depend on rows.
        replies.sort_by_key(|&reply| engine.state.worm(reply).age());
        for reply in replies {
            others -= 1;
            if engine.state.worm(reply).head != NONE {
                waits.push(wait(engine.public_vc(ejection), Some(WormId(reply))));
            }
        }
        if let Some(first) = engine.endpoints.first_to_leave(&engine.state, worm) {
            let of_first = self.for_vcs(first, candidates);
            waits.extend(of_first.map(|Wait { wants, holder, .. }| wait(wants, holder)));
        }
        if others > 0 {
            waits.push(wait(engine.public_vc(ejection), None));
        }
        waits
    }

    /// The waits of a worm in the list of its router.
    fn for_vcs(&self, worm: u32, candidates: &mut Vec<Candidate>) -> impl Iterator<Item = Wait> {
        self.engine.wanted_slots(worm, candidates).map(move |slot| self.for_vc(worm, slot))
    }

    /// The wait of a head for a candidate VC.
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

    /// The wait of a head with a VC, but in a shared buffer.
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
        // A slot with its credit under way counts as free.
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

    /// The cycle in which the current wait of a head began: the cycle of the block or, if VCs are
    /// granted before their buffers have drained, of the last grant of a candidate to another worm.
    pub(super) fn since(&self, worm: u32) -> u64 {
        let state = &self.engine.state;
        let row = state.worm(worm);
        if !row.waits {
            return row.stopped_since;
        }
        if self.engine.endpoints.lacks_room(&self.engine.state, worm) {
            let first = self.engine.endpoints.first_to_leave(state, worm);
            let since = first.map_or(0, |first| self.for_vcs_since(first, state.worm(first).born));
            return row.requests_since.max(since);
        }
        self.for_vcs_since(worm, row.requests_since)
    }

    /// The cycle in which the current wait of a worm for VCs began, not before `since`.
    fn for_vcs_since(&self, worm: u32, mut since: u64) -> u64 {
        let state = &self.engine.state;
        let row = state.worm(worm);
        if self.engine.switching.release == Release::Sent {
            for slot in self.engine.wanted_slots(worm, &mut Vec::new()) {
                let buffer = &state.buffers[slot as usize];
                // Without the last worm, the room would have been insufficient as well.
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

    /// The slots of the buffer of a VC with flits inside or under way.
    pub(super) fn taken(&self, slot: u32) -> u32 {
        let (state, now) = (&self.engine.state, self.engine.now);
        state.taken(slot, now, || self.returning.get_or_init(|| state.returning(now)).count(slot))
    }
}

#[cfg(test)]
mod tests;
