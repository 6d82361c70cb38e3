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

use super::engine::WormholeEngine;
use super::records::{NONE, Place, SINK, bits};
use crate::engine::deadlock::{Wait, WaitKind, stuck};
use crate::ids::{ChannelId, RouterId, VcId, WormId};
use crate::routing::Candidate;
use crate::switching::Release;

impl WormholeEngine {
    /// Everything for which a head in the network waits, with who is in the way: heads in routers'
    /// lists router by router, then those that wait in a buffer.
    pub(super) fn for_each_wait(&self, mut each: impl FnMut(Wait)) {
        let mut candidates = Vec::with_capacity(32);
        for worm in (0..self.state.waiting.len()).flat_map(|router| self.state.waiting_at(router)) {
            if self.state.worms[worm as usize].is_blocked(self.now) {
                self.for_each_wait_of(worm, &mut candidates, &mut each);
            }
        }
        if self.switching.release == Release::Sent {
            let rows = 0..self.state.worms.len() as u32;
            rows.filter_map(|worm| self.wait_in_a_buffer(worm)).for_each(each);
        }
    }

    /// The waits of a worm in its router's list, one for each VC that it may take.
    pub(super) fn for_each_wait_of(
        &self,
        worm: u32,
        candidates: &mut Vec<Candidate>,
        each: &mut impl FnMut(Wait),
    ) {
        let at = RouterId(self.state.worms[worm as usize].at);
        self.wanted(worm, candidates);
        for candidate in candidates {
            bits(candidate.vcs)
                .for_each(|v| each(self.wait_for_vc(worm, at, candidate.channel, v)));
        }
    }

    /// A head's wait for one VC that it may take.
    fn wait_for_vc(&self, worm: u32, at: RouterId, channel: ChannelId, v: u32) -> Wait {
        let wants = self.public_vc(self.state.slot(channel.index(), v));
        let holder = self.holder(channel, v);
        let mut wait =
            Wait { kind: WaitKind::Vc, worm: WormId(worm), at, wants, holder: holder.map(WormId) };
        if self.wants_room() && !self.consumes(worm, channel.index()) {
            let slot = self.state.slot(channel.index(), v);
            let to_come = if holder.is_some() { self.state.holds[slot as usize].left } else { 0 };
            let needs = to_come + self.state.worms[worm as usize].length;
            let front = self.state.buffers[slot as usize].front;
            let first = (front != NONE).then(|| self.state.holds[front as usize].worm);
            if first.is_some()
                && first != holder
                && self.taken(slot) + needs > self.state.buffer_flits
            {
                wait.kind = WaitKind::Room;
                wait.holder = first.map(WormId);
            }
        }
        wait
    }

    /// The wait of a head that has a VC, but not its buffer for itself.
    pub(super) fn wait_in_a_buffer(&self, row: u32) -> Option<Wait> {
        let state = &self.state;
        let worm = &state.worms[row as usize];
        if !worm.live || worm.head == NONE || worm.waits {
            return None;
        }
        let Place::Vc(slot) = state.place(worm.head) else { return None };
        let (place, buffer) = (state.places[worm.head as usize], state.buffers[slot as usize]);
        if place.older == NONE {
            return None;
        }
        let hold = &state.holds[worm.head as usize];
        // A slot whose credit is on its way back is as good as free.
        let full = || self.taken(slot) == state.buffer_flits;
        let (channel, _) = state.split(slot);
        let (kind, at, ahead) = if hold.left + hold.flying < worm.length {
            (WaitKind::Turn, state.channels[channel].to, place.older)
        } else if hold.left == worm.length && buffer.occupied == state.buffer_flits && full() {
            (WaitKind::Room, state.channels[channel].from, buffer.front)
        } else {
            return None;
        };
        Some(Wait {
            kind,
            worm: WormId(row),
            at: RouterId(at),
            wants: self.public_vc(slot),
            holder: Some(WormId(state.holds[ahead as usize].worm)),
        })
    }

    /// The name of a VC outside the engine.
    pub(super) fn public_vc(&self, slot: u32) -> VcId {
        let (channel, v) = self.state.split(slot);
        VcId(channel as u32 * self.state.virtual_channels + v)
    }

    /// The worm that holds a VC.
    pub(super) fn holder(&self, channel: ChannelId, v: u32) -> Option<u32> {
        let state = &self.state;
        let held = state.channels[channel.index()].free >> v & 1 == 0;
        held.then(|| state.holds[state.slot(channel.index(), v) as usize].worm)
    }

    /// The cycle in which the head of a worm that waits came to wait for what it now waits for: that
    /// in which it stalled or, where a VC is granted before its buffer has drained, in which another
    /// worm was granted one that this one may take.
    pub(super) fn waits_since(&self, worm: u32) -> u64 {
        let row = &self.state.worms[worm as usize];
        if !row.waits {
            return row.stands_since;
        }
        let mut since = row.asks_since;
        if self.switching.release == Release::Sent {
            self.for_each_wait_of(worm, &mut Vec::new(), &mut |wait| {
                let slot = self.slot_of(wait.wants);
                let buffer = &self.state.buffers[slot as usize];
                let last = buffer.last;
                let length = |row: u32| self.state.worms[row as usize].length;
                // Without that worm there would have been too little room as well.
                let full = self.wants_room() && last != buffer.front && {
                    let hold = &self.state.holds[last as usize];
                    let others = self.taken(slot) + hold.left - length(hold.worm);
                    others + length(worm) > self.state.buffer_flits
                };
                if !full {
                    since = since.max(buffer.granted);
                }
            });
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
        let mut waits: Vec<Wait> = Vec::new();
        let mut hopeful = None;
        self.for_each_wait(|wait| {
            if hopeful == Some(wait.worm) {
                return;
            }
            if self.lasts(&wait) {
                waits.push(wait);
            } else {
                hopeful = Some(wait.worm);
                while waits.last().is_some_and(|last| last.worm == wait.worm) {
                    waits.pop();
                }
            }
        });
        let mut waits = stuck(waits);
        // By age, so that what is found does not depend on rows.
        waits.sort_by_key(|wait| self.state.worms[wait.worm.index()].age());
        waits
    }

    /// Whether a wait lasts for as long as its holder's head stands. The worm behind a head that
    /// stands still closes up, and may leave what is waited for.
    fn lasts(&self, wait: &Wait) -> bool {
        if !wait.holder.is_some_and(|holder| self.stands(holder.0)) {
            return false;
        }
        let state = &self.state;
        let worm = &state.worms[wait.worm.index()];
        let slot = self.slot_of(wait.wants);
        match wait.kind {
            WaitKind::Turn => {
                let ahead = state.places[worm.head as usize].older;
                let hold = &state.holds[ahead as usize];
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
        let worm = &self.state.worms[row as usize];
        if worm.waits {
            return worm.is_blocked(self.now);
        }
        self.switching.release == Release::Sent && self.wait_in_a_buffer(row).is_some()
    }

    /// Whether a VC that `worm` may take cannot be had even when all behind the heads that stand has
    /// closed up.
    fn stays_taken(&self, slot: u32, worm: u32) -> bool {
        let state = &self.state;
        let hold = &state.holds[slot as usize];
        if self.switching.release == Release::Drained {
            return hold.here + hold.flying + hold.left > self.gaps_before(slot);
        }
        // Its owner's tail must come in, and where whole messages want room, this one too.
        let (channel, v) = state.split(slot);
        let owned = state.channels[channel].free >> v & 1 == 0;
        let front = state.buffers[slot as usize].front;
        let gaps = if front == NONE { 0 } else { self.gaps_before(front) };
        let come = self.taken(slot) + if owned { hold.left } else { 0 };
        let wants = if self.wants_room() && !self.consumes(worm, channel) {
            state.worms[worm as usize].length
        } else {
            0
        };
        come.saturating_sub(gaps) + wants > state.buffer_flits
    }

    /// Slots into which flits can still move on from a hold, if the heads before it stand for ever:
    /// in the buffers up to its worm's head, and beyond those that the oldest worm there leaves.
    fn gaps_before(&self, hold: u32) -> u32 {
        let state = &self.state;
        let (mut at, mut gaps) = (hold, 0);
        for _ in 0..state.holds.len() {
            let next = state.holds[at as usize].next;
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
