//! The wait-for graph: who waits for whom, and the worms that wait for ever.
//!
//! A worm waits with its head only, in one of three ways ([`WaitKind`]): for a VC that another
//! holds, as long as *none* of those that it may take is free; to be first in a buffer in which
//! older worms stand; or for room in the buffer of the VC it was granted. Where a VC is free again
//! only when its buffer has drained there is only the first. The worms that can never go on are
//! found by elimination: a worm whose head is not waiting can move; one that waits for something
//! which nobody holds, or which a worm that can move holds, can move too; what remains is
//! deadlocked. (A worm that is not waiting drains or advances by itself: its flits compete for
//! channels only, and every channel serves its VCs in turn.) Flits under way to a buffer fill it as
//! those in it do; a head that is under way waits for nothing yet, and a slot whose credit is under
//! way is nobody's.

use super::WormholeEngine;
use super::general::Place;
use super::state::NONE;
use crate::engine::{Deadlock, Wait, WaitKind};
use crate::ids::{ChannelId, RouterId, VcId, WormId};
use crate::routing::Candidate;
use crate::switching::Release;
use crate::units::Cycle;

impl WormholeEngine {
    /// Everything for which a head in the network waits, with who is in the way: heads in routers'
    /// lists router by router, then those that wait in a buffer.
    pub(super) fn for_each_wait(&self, mut each: impl FnMut(Wait)) {
        let mut candidates = Vec::with_capacity(32);
        for &first in &self.state.waiting {
            let mut worm = first;
            while worm != NONE {
                let row = &self.state.worms[worm as usize];
                if row.head != NONE && row.asks_since < self.now {
                    self.for_each_wait_of(worm, &mut candidates, &mut each);
                }
                worm = row.waits_next;
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
            let mut vcs = candidate.vcs;
            while vcs != 0 {
                let v = vcs.trailing_zeros();
                vcs &= vcs - 1;
                each(self.wait_for_vc(worm, at, candidate.channel, v));
            }
        }
    }

    /// A head's wait for one VC that it may take.
    fn wait_for_vc(&self, worm: u32, at: RouterId, channel: ChannelId, v: u32) -> Wait {
        let wants = self.public_vc(channel, v);
        let holder = self.holder(channel, v);
        let mut wait =
            Wait { kind: WaitKind::Vc, worm: WormId(worm), at, wants, holder: holder.map(WormId) };
        if holder.is_none() && self.wants_room() {
            let slot = (channel.index() << self.state.shift) + v as usize;
            let buffer = self.state.buffers[slot];
            let length = self.state.worms[worm as usize].length;
            let short = || self.filled(slot as u32) + length > self.state.buffer_flits;
            if buffer.front != NONE && short() {
                wait.kind = WaitKind::Room;
                wait.holder = Some(WormId(self.state.holds[buffer.front as usize].worm));
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
        let (berth, buffer) = (state.berths[worm.head as usize], state.buffers[slot as usize]);
        if berth.older == NONE {
            return None;
        }
        let hold = &state.holds[worm.head as usize];
        // A slot whose credit is on its way back is as good as free.
        let full = || self.filled(slot) == state.buffer_flits;
        let (channel, v) = state.split(slot);
        let (kind, at, ahead) = if hold.left + hold.flying < worm.length {
            (WaitKind::Turn, state.channels[channel].to, berth.older)
        } else if hold.left == worm.length && buffer.occupied == state.buffer_flits && full() {
            (WaitKind::Room, state.channels[channel].from, buffer.front)
        } else {
            return None;
        };
        Some(Wait {
            kind,
            worm: WormId(row),
            at: RouterId(at),
            wants: self.public_vc(ChannelId::new(channel), v),
            holder: Some(WormId(state.holds[ahead as usize].worm)),
        })
    }

    /// The name of a VC outside the engine.
    pub(super) fn public_vc(&self, channel: ChannelId, v: u32) -> VcId {
        VcId(channel.0 * self.state.virtual_channels + v)
    }

    /// The worm that holds a VC.
    pub(super) fn holder(&self, channel: ChannelId, v: u32) -> Option<u32> {
        let state = &self.state;
        if state.channels[channel.index()].free >> v & 1 == 1 {
            return None;
        }
        Some(state.holds[(channel.index() << state.shift) + v as usize].worm)
    }

    /// Looks for worms that can never move again.
    pub(super) fn find_deadlock(&self) -> Option<Deadlock> {
        let mut waits = Vec::new();
        self.for_each_wait(|wait| waits.push(wait));
        // By age, so that the cycle that is found does not depend on rows.
        waits.sort_by_key(|wait| self.state.worms[wait.worm.index()].age());
        let dead = self.never_moving(&waits);
        let first = waits.iter().find(|wait| dead[wait.worm.index()])?;

        // Each dead worm waits only for dead worms: following any one of them must close a cycle.
        let next = |worm: WormId| {
            waits.iter().find(|wait| wait.worm == worm).expect("a dead worm waits for something")
        };
        let mut path: Vec<Wait> = vec![*first];
        let cycle = loop {
            let holder = path[path.len() - 1].holder.expect("what a dead worm wants is held");
            if let Some(start) = path.iter().position(|wait| wait.worm == holder) {
                break path.split_off(start);
            }
            path.push(*next(holder));
        };
        let mut worms: Vec<WormId> =
            waits.iter().map(|wait| wait.worm).filter(|worm| dead[worm.index()]).collect();
        worms.dedup();
        worms.sort_by_key(|worm| self.state.worms[worm.index()].age());
        let formed = worms.iter().map(|worm| self.state.worms[worm.index()].asks_since).max();
        let knot =
            waits.windows(2).any(|pair| pair[0].worm == pair[1].worm && dead[pair[0].worm.index()]);
        Some(Deadlock {
            found: Cycle(self.now),
            formed: Cycle(formed.unwrap_or(self.now)),
            cycle,
            worms,
            knot,
        })
    }

    /// For each worm row, whether it waits and can never go on.
    fn never_moving(&self, waits: &[Wait]) -> Vec<bool> {
        let mut dead = vec![false; self.state.worms.len()];
        for wait in waits {
            dead[wait.worm.index()] = true;
        }
        loop {
            let mut changed = false;
            for wait in waits {
                let hope = wait.holder.is_none_or(|holder| !dead[holder.index()]);
                if hope && dead[wait.worm.index()] {
                    dead[wait.worm.index()] = false;
                    changed = true;
                }
            }
            if !changed {
                return dead;
            }
        }
    }
}
